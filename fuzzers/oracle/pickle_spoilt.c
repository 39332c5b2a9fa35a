#include "oracle/pickle_spoilt.h"

#include <string.h>

#include "base/byteorder.h"
#include "codec/pickle/pickle_read.h"
#include "form/ops.h"
#include "form/pieces.h"
#include "fuzz.h"

enum { FRAME = 0x95, FRAME_BYTES = 9, LONG_BYTES = 5, INDEX_FREE = 1 << 12, CUT_ONE_IN = 8, MORE_ONE_IN = 4 };

/* What fails by itself: keys that have no hash, in each way into a dict or a set; things put into what does not hold
 * them; calls of what cannot be called, or with what are no arguments; states of what takes none, once or twice; names
 * that are none, or have parts that are none; indices, numbers and texts that are none; what nobody here knows, or
 * there is no opcode for. */
#define OP(text)                                                                                                       \
    { (const uint8_t *)(text), sizeof(text) - 1 }
static const struct ndp_bytes failing[] = {
    OP("}]Ns"),
    OP("}}Ns"),
    OP("}\x8fNs"),
    OP("}(]Nu"),
    OP("(]Nd"),
    OP("(\x8f\x91"),
    OP("\x8f(]\x90"),
    OP("\x8f(}\x90"),
    OP("(]\x91"),
    OP("(}\x91"),
    OP("}\x96\0\0\0\0\0\0\0\0Ns"),
    OP("(\x96\1\0\0\0\0\0\0\0kNd"),
    OP("\x8f(\x96\0\0\0\0\0\0\0\0\x90"),
    OP("(\x96\0\0\0\0\0\0\0\0\x91"),
    OP("}(Nu"),
    OP("(Nd"),
    OP("NNa"),
    OP(")Na"),
    OP("K\1Na"),
    OP("N(Ne"),
    OP("]NNs"),
    OP(")NNs"),
    OP("](N\x90"),
    OP("N(NNu"),
    OP("N)R"),
    OP("K\1)R"),
    OP("X\1\0\0\0a)R"),
    OP("N)\x81"),
    OP("cbuiltins\nlist\nNR"),
    OP("cbuiltins\nlist\n]R"),
    OP("NN\x93"),
    OP("X\1\0\0\0aK\1\x93"),
    OP("K\1X\1\0\0\0a\x93"),
    OP("I\n"),
    OP("I1.5\n"),
    OP("L\n"),
    OP("LL\n"),
    OP("F\n"),
    OP("F1..5\n"),
    OP("F.\n"),
    OP("S\n"),
    OP("S'\n"),
    OP("S\"\n"),
    OP("S'a\n"),
    OP("S'a\"\n"),
    OP("Sa'\n"),
    OP("Sa\n"),
    OP("V\\u12\n"),
    OP("V\\U00110000\n"),
    OP("V\\u\n"),
    OP("X\1\0\0\0\xff"),
    OP("\x8c\2\xc3("),
    OP("p\n"),
    OP("g\n"),
    OP("N\x98"),
    OP("]\x98"),
    OP("\x80\6"),
    OP("\x80\xff"),
    OP("\xff"),
    OP("\x99"),
    OP("\x7f"),
    OP("z"),
    OP("\n"),
    OP("cbuiltins\nlist\n)R}X\1\0\0\0aNsb}X\1\0\0\0aNsb"),
    OP("N}X\1\0\0\0aNsb"),
    OP("]}X\1\0\0\0aNsb"),
    OP("cbuiltins\nlist\nN\x81"),
    OP("cbuiltins\nlist\n)N\x92"),
    OP("cbuiltins\nlist\n))\x92"),
    OP("cbuiltins\nlist\n)X\0\0\0\0\x92"),
    OP("N)}\x92"),
    OP("cbuiltins\nset\n]]a\x85R"),
    OP("cbuiltins\nfrozenset\n]}a\x85R"),
    OP("c_codecs\nencode\nX\2\0\0\0\xc4\x80X\6\0\0\0latin1\x86R"),
    OP("(o"),
    OP("(No"),
    OP("(i\na\n"),
    OP("(ia\n\n"),
    OP("c\na\n"),
    OP("ca\n\n"),
    OP("ca\n.b\n"),
    OP("ca\nb..c\n"),
    OP("ca\nb.\n"),
    OP("X\0\0\0\0X\1\0\0\0a\x93"),
    OP("X\1\0\0\0aX\0\0\0\0\x93"),
    OP("NQ"),
    OP("Pa\n"),
    OP("\x82\1"),
    OP("\x83\1\0"),
    OP("\x84\1\0\0\0"),
    OP("T\xff\xff\xff\xff"),
    OP("\x8b\xff\xff\xff\xff"),
    OP("\x8b\0\0\0\x80"),
};
#undef OP

static bool is_one_of(uint8_t opcode, const char *ops) {
    return opcode != 0 && strchr(ops, opcode) != NULL;
}

/* A sign where none stands in a number, beside what stands there or in its place. */
static enum ndp_status spoil_line(struct ndp_bytes op, uint64_t how, struct ndp_buffer *out) {
    static const char signs[] = {'l', 'x', '.', ':', '/', '\0', '!', '?', '\xb2', ';', '@', 'o', ',', '`', 'g', '{'};
    const uint64_t rest = how / sizeof signs, last = op.size_bytes - 1;
    const uint64_t at = rest % 2 == 0 ? last : 1 + rest / 4 % last; /* as often behind it as anywhere */
    const char sign = op.data[0] == 'F' && signs[how % sizeof signs] == '.' ? ':' : signs[how % sizeof signs];
    NDP_TRY(ndp_buffer_add(out, op.data, at > 1 && rest / 2 % 2 == 0 ? at - 1 : at));
    NDP_TRY(ndp_buffer_add(out, &sign, 1));
    return ndp_buffer_add(out, op.data + at, op.size_bytes - at);
}

/* Whether an index beyond those that are counted stands behind an opcode that puts. */
static bool is_put(const struct fuzz_ops *ops, uint64_t index) {
    for (uint32_t i = 0; i < ops->count; i++) {
        const struct ndp_bytes op = ops->list[i];
        if (op.data[0] == 'r' && ndp_load_u32le(op.data + 1) == index) return true;
        if (op.data[0] == 'p' && op.size_bytes > 5) return true; /* nobody counts digits here */
    }
    return false;
}

/* Got from a place of which some bits are those of one that is there. */
static enum ndp_status spoil_index(const struct fuzz_ops *ops, struct ndp_bytes op, uint64_t how,
                                   struct ndp_buffer *out) {
    uint64_t index = 0;
    for (uint64_t i = 1; op.data[0] == 'g' && i + 1 < op.size_bytes; i++)
        index = index * 10 + (op.data[i] - UINT64_C(48));
    if (op.data[0] == 'h') index = op.data[1];
    if (op.data[0] == 'j') index = ndp_load_u32le(op.data + 1);
    if (index >= INDEX_FREE) return NDP_OK;
    const uint32_t bit = 12 + (uint32_t)(how % 53);
    /* 2^64 has one digit more than there are. */
    const unsigned long long low = 9551616 + index;
    if (bit == 64) return ndp_buffer_printf(out, "g1844674407370%llu\n", low);
    index += UINT64_C(1) << bit;
    if (bit >= 32) return ndp_buffer_printf(out, "g%llu\n", (unsigned long long)index);
    uint8_t made[LONG_BYTES] = {'j'};
    ndp_store_u32le(made + 1, (uint32_t)index);
    return is_put(ops, index) ? NDP_OK : ndp_buffer_add(out, made, sizeof made);
}

/* A length beyond all that there is. */
static enum ndp_status spoil_length(struct ndp_bytes op, uint64_t how, struct ndp_buffer *out) {
    const uint64_t bytes = is_one_of(op.data[0], "\x8d\x8e\x96") ? 8 : 4, at = out->size_bytes;
    NDP_TRY(ndp_buffer_add(out, op.data, op.size_bytes));
    const uint64_t bit = 24 + how % (8 * bytes - 24);
    out->data[at + 1 + bit / 8] |= (uint8_t)(1U << bit % 8);
    return NDP_OK;
}

/* One more frame inside of this one, behind its first opcode; or its end inside of that. */
static enum ndp_status spoil_frame(struct fuzz_ops *ops, uint64_t at, uint64_t how, struct ndp_buffer *out) {
    const struct ndp_bytes next = ops->list[at + 1];
    uint8_t head[FRAME_BYTES] = {FRAME};
    const uint64_t length = ndp_load_u64le(ops->list[at].data + 1);
    if (length <= next.size_bytes || next.data[0] == FRAME) return NDP_OK;
    const bool is_cut = how % 2 == 0 && next.size_bytes > 1;
    ndp_store_u64le(head + 1, is_cut ? 1 + how / 2 % (next.size_bytes - 1) : length + FRAME_BYTES);
    NDP_TRY(ndp_buffer_add(out, head, sizeof head));
    if (is_cut) return NDP_OK;
    NDP_TRY(ndp_buffer_add(out, next.data, next.size_bytes));
    ndp_store_u64le(head + 1, how / 2 % 3);
    ops->list[at + 1] = (struct ndp_bytes){head, 0};
    return ndp_buffer_add(out, head, sizeof head);
}

/* The kinds of faults, of equal worth, since opcodes are not of equal number. */
enum { OF_INDEX, OF_LINE, OF_LENGTH, OF_FRAME, FAULTS };

static enum ndp_status spoil_op(struct fuzz_ops *ops, uint64_t at, uint64_t fault, uint64_t how,
                                struct ndp_buffer *out) {
    const struct ndp_bytes op = ops->list[at];
    switch (fault) {
    case OF_INDEX:
        return is_one_of(op.data[0], "ghj") ? spoil_index(ops, op, how, out) : NDP_OK;
    case OF_LINE:
        return is_one_of(op.data[0], "ILFpg") ? spoil_line(op, how, out) : NDP_OK;
    case OF_LENGTH:
        return is_one_of(op.data[0], "BTX\x8b\x8d\x8e\x96") ? spoil_length(op, how, out) : NDP_OK;
    default:
        return op.data[0] == FRAME && op.size_bytes == FRAME_BYTES ? spoil_frame(ops, at, how, out) : NDP_OK;
    }
}

/* The pickle up to its STOP in opcodes; false where it is not whole, or long. */
static bool split(struct ndp_bytes pickle, struct fuzz_ops *ops) {
    uint32_t count = 0;
    if (pickle.size_bytes == 0) return false;
    fuzz_ops_split(pickle, ops);
    while (count < ops->count && ops->list[count].data[0] != '.') {
        if (fuzz_op_bytes(ops->list[count]) != ops->list[count].size_bytes) return false;
        count++;
    }
    if (count == 0 || count >= ops->count || ops->count == FUZZ_MAX_OPS) return false;
    ops->count = count + 1;
    return true;
}

/* Lengths of frames follow what stands in them; a last one may end before its STOP, and then holds that, too. */
static enum ndp_status add_failing(struct fuzz_ops *ops, uint64_t pick, struct ndp_buffer *out) {
    const uint64_t at = pick % ops->count;
    memmove(&ops->list[at + 1], &ops->list[at], (size_t)(ops->count - at) * sizeof ops->list[0]);
    ops->list[at] = failing[pick / ops->count % NDP_ARRAY_LEN(failing)];
    ops->count++;
    return fuzz_ops_join(ops, true, out);
}

enum ndp_status fuzz_pickle_spoil(struct ndp_bytes pickle, uint64_t pick, struct ndp_buffer *out) {
    static struct fuzz_ops taken_apart;
    struct fuzz_ops *ops = &taken_apart;
    struct ndp_buffer made = {.max_bytes = out->max_bytes};
    if (!split(pickle, ops)) return NDP_OK;
    const struct ndp_bytes last = ops->list[ops->count - 1];
    if (pick % CUT_ONE_IN == 0)
        return ndp_buffer_add(out, pickle.data, pick / CUT_ONE_IN % (uint64_t)(last.data - pickle.data));
    if (pick % MORE_ONE_IN == 1) return add_failing(ops, pick / MORE_ONE_IN, out);
    pick /= CUT_ONE_IN;
    const uint64_t all = FAULTS * (uint64_t)ops->count, first = pick % all, how = pick / all;
    enum ndp_status status = NDP_OK;
    uint64_t at = first;
    /* The next that can be spoilt so; where there is none, in the next way. */
    do status = spoil_op(ops, at % ops->count, at / ops->count, how, &made), at = (at + 1) % all;
    while (status == NDP_OK && made.size_bytes == 0 && at != first);
    const uint64_t spoilt = (at + all - 1) % all % ops->count;
    for (uint64_t i = 0; i < ops->count && made.size_bytes > 0 && status == NDP_OK; i++) {
        const struct ndp_bytes op = i == spoilt ? ndp_buffer_view(&made) : ops->list[i];
        status = ndp_buffer_add(out, op.data, op.size_bytes);
    }
    ndp_buffer_clear(&made);
    return status;
}

void fuzz_check_pickle_spoilt(struct ndp_arena *arena, struct ndp_bytes pickle, uint64_t pick) {
    const struct ndp_pickle_options options = {.opcodes_max = 1 << 20};
    static struct ndp_buffer spoilt = {.max_bytes = 1 << 20};
    struct ndp_objects objects;
    struct ndp_pickle read;
    spoilt.size_bytes = 0;
    FUZZ_CHECK(fuzz_pickle_spoil(pickle, pick, &spoilt) != NDP_NOMEM);
    /* In a block of their size, whose end a sanitizer sees. */
    const struct ndp_bytes bytes = {ndp_arena_copy(arena, spoilt.data, spoilt.size_bytes), spoilt.size_bytes};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_source source = pick / CUT_ONE_IN % 4 == 3 ? ndp_source_stream(fuzz_read_pieces, &cursor, UINT64_MAX)
                                                          : ndp_source_memory(bytes);
    ndp_objects_init(&objects, arena);
    if (bytes.size_bytes > 0) FUZZ_HOLDS(ndp_pickle_read(&objects, &source, &options, &read, NULL) != NDP_OK);
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
}
