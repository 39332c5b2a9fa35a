/* mutate_pickle.c: changes a pickle opcode by opcode: replaces, removes, repeats, inserts or swaps an opcode, or
 * changes its number or text. The lengths of frames are mostly corrected afterwards. Source: CPython 3.11,
 * Lib/pickletools.py. */
#include "mutate/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "form/pickle_ops.h"
#include "mutate/generated_files.h"

enum { MAX_CHANGES = 4, MAX_TRIES = 16, LONG1 = 0x8a };
enum {
    REPEATED_ONE_IN = 64,
    REPEATED_BYTES = 8192,
    SHIFTED_ONE_IN = 8,
    NEW_ONE_IN = 4,
    NEW_BYTES = 1 << 16,
    TIED_ONE_IN = 32,
    STRETCHED_ONE_IN = 16
};

/* Opcodes with possible arguments. The texts are those of pickled arrays. */
#define OP(text)                                                                                                       \
    { text, sizeof text - 1 }
static const struct {
    const char *bytes;
    size_t size;
} drawn_ops[] = {
    /* clang-format off */
    OP("\x80\x02"), OP("\x80\x04"), OP("\x80\x05"), OP("K\x01"), OP("K\x00"), OP("M\x00\x01"),
    OP("J\xff\xff\xff\xff"), OP("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), OP("\x8a\x00"), OP("N"), OP("\x88"),
    OP("\x89"), OP("("), OP(")"), OP("t"), OP("\x85"), OP("\x86"), OP("\x87"), OP("]"), OP("}"), OP("s"), OP("u"),
    OP("a"), OP("e"), OP("0"), OP("1"), OP("2"), OP("\x94"), OP("h\x00"), OP("h\x01"), OP("h\x07"), OP("q\x00"),
    OP("j\x00\x00\x00\x00"), OP("\x93"), OP("R"), OP("b"), OP("\x81"), OP("\x97"), OP("\x98"), OP("."),
    OP("C\x01""b"), OP("C\x08\x00\x00\x00\x00\x00\x00\xf0?"), OP("\x8c\x01<"), OP("\x8c\x01>"), OP("\x8c\x01|"),
    OP("\x8c\x02""f8"), OP("\x8c\x02""i4"), OP("\x8c\x02O8"), OP("\x8c\x02V8"), OP("\x8c\x02M8"), OP("\x8c\x02U3"),
    OP("\x8c\x05numpy"), OP("\x8c\x05""dtype"), OP("\x8c\x07ndarray"), OP("\x8c\x0c_reconstruct"),
    OP("cnumpy\ndtype\n"), OP("cnumpy\nndarray\n"), OP("cnumpy.core.multiarray\n_reconstruct\n"),
    OP("cnumpy._core.multiarray\n_reconstruct\n"), OP("cnumpy.core.multiarray\nscalar\n"),
    OP("c__builtin__\nset\n"), OP("ccopy_reg\n_reconstructor\n"), OP("cUserDict\nUserDict\n"),
    OP("X\x03\x00\x00\x00""abc"), OP("c_codecs\nencode\n"), OP("I01\n"), OP("I7\n"), OP("L5L\n"), OP("S'<'\n"),
    OP("Vlatin1\n"), OP("F1.5\n"), OP("G?\xf0\x00\x00\x00\x00\x00\x00"),
    OP("F-0.0\n"), OP("F0.30000000000000004\n"), OP("F1e+16\n"), OP("F5e-324\n"), OP("Finf\n"), OP("Fnan\n"),
    OP("G\x80\x00\x00\x00\x00\x00\x00\x00"), OP("G?\xd3""333334"), OP("G\x7f\xf8\x00\x00\x00\x00\x00\x01"),
    OP("L1000000000000000000000000000L\n"), OP("\x8a\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80"),
    OP("V\\ud83d\\ude00\n"), OP("V\\udc00\\ud800\n"), OP("X\x06\x00\x00\x00\xed\xa0\xbd\xed\xb8\x80"),
    OP("V\\u005cu0041\\u20ac\n"), OP("V\\\\u0041\n"), OP("V\\\\\\u0041\n"), OP("X\x06\x00\x00\x00\\u0041"), OP("\x8c\x04\n\\\xc3\xa9"),
    OP("X\x05\x00\x00\x00\\U\xed\xa0\x80"), OP("\x8f"), OP("\x90"), OP("\x91"),
    OP("\x96\x08\x00\x00\x00\x00\x00\x00\x00""abcdefgh"), OP("\x95\x04\x00\x00\x00\x00\x00\x00\x00"),
    /* clang-format on */
};
#undef OP

static enum ndp_status pick_op(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *out) {
    const uint64_t row = ndp_choose(choices, NDP_ARRAY_LEN(drawn_ops));
    const uint8_t *copy = ndp_arena_copy(arena, drawn_ops[row].bytes, drawn_ops[row].size);
    *out = (struct ndp_bytes){copy, drawn_ops[row].size};
    return copy ? NDP_OK : NDP_NOMEM;
}

/* The value of an opcode that pushes an integer; false for another opcode. */
static bool is_integer(struct ndp_bytes op, int64_t *out) {
    const uint64_t size = op.data[0] == LONG1 ? 2 : 1;
    const uint64_t count = op.size_bytes - (size < op.size_bytes ? size : op.size_bytes);
    uint64_t value = 0;
    if (!strchr("KMJ\x8a", (char)op.data[0]) || op.data[0] == 0 || count > 8) return false;
    const bool is_signed = op.data[0] == LONG1 || op.data[0] == 'J';
    if (is_signed && count > 0 && op.data[op.size_bytes - 1] >= 0x80) value = UINT64_MAX;
    for (uint64_t i = count; i > 0; i--) value = value << 8 | op.data[size + i - 1];
    *out = (int64_t)value;
    return true;
}

/* Adds a power of two to the integer, which code that tests some bits only, or wraps in a multiplication, does not
 * notice. */
static enum ndp_status shift_integer(struct ndp_arena *arena, struct ndp_choices *choices, int64_t value,
                                     struct ndp_bytes *op) {
    static const uint8_t bits[] = {7, 8, 15, 16, 23, 31, 32, 39, 47, 55, 58, 59, 60, 61, 62, 63};
    uint8_t made[10] = {LONG1, 8};
    ndp_store_u64le(made + 2, (uint64_t)value + (UINT64_C(1) << bits[ndp_choose(choices, sizeof bits)]));
    const uint8_t *copy = ndp_arena_copy(arena, made, sizeof made);
    *op = (struct ndp_bytes){copy, sizeof made};
    return copy ? NDP_OK : NDP_NOMEM;
}

/* Replaces a float by one with any number of digits at any power of ten: random bytes of a double rarely reach the
 * boundaries of repr(). */
static enum ndp_status other_real(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *op) {
    char text[48];
    uint8_t made[9] = {'G'}, little[8];
    uint64_t bits;
    const int digits = 1 + (int)ndp_choose(choices, 17), power = ndp_choose_rarely(choices, 4) ? 320 : 20;
    (void)snprintf(text, sizeof text, "%s%llue%d", ndp_choose(choices, 2) ? "-" : "",
                   (unsigned long long)ndp_choose(choices, UINT64_C(100000000000000000)),
                   (int)ndp_choose(choices, 2 * (uint64_t)power) - power - 17);
    const double real = strtod(text, NULL);
    (void)snprintf(text, sizeof text, "F%.*g\n", digits, real);
    memcpy(&bits, &real, sizeof bits);
    ndp_store_u64le(little, bits);
    ndp_byteorder_copy_reversed(made + 1, little, sizeof little);
    const uint64_t size = op->data[0] == 'G' ? sizeof made : strlen(text);
    const uint8_t *copy = ndp_arena_copy(arena, op->data[0] == 'G' ? (const void *)made : text, size);
    *op = (struct ndp_bytes){copy, size};
    return copy ? NDP_OK : NDP_NOMEM;
}

/* Selects an index; half of the time one of the two ends, which contain signs and the first and last elements of
 * loops. */
static uint64_t choose_place(struct ndp_choices *choices, uint64_t count) {
    switch (ndp_choose(choices, 4)) {
    case 0:
        return 0;
    case 1:
        return count - 1;
    default:
        return ndp_choose(choices, count);
    }
}

/* Changes a byte of the argument: a number, a text, raw data. */
static enum ndp_status change_argument(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *op) {
    int64_t value;
    static const uint8_t corners[] = {0, 1, 2, 3, 8, 0x7f, 0x80, 0xff, '<', '>', '|', 'f', 'i', 'V', 'O', '4'};
    if (op->size_bytes < 2) return pick_op(arena, choices, op);
    if ((op->data[0] == 'F' || op->data[0] == 'G') && ndp_choose(choices, 2)) return other_real(arena, choices, op);
    if (is_integer(*op, &value) && ndp_choose_rarely(choices, SHIFTED_ONE_IN))
        return shift_integer(arena, choices, value, op);
    uint8_t *copy = ndp_arena_copy(arena, op->data, op->size_bytes);
    if (!copy) return NDP_NOMEM;
    uint8_t *at = &copy[1 + choose_place(choices, op->size_bytes - 1)];
    if (ndp_choose(choices, 2) == 0)
        *at = corners[ndp_choose(choices, sizeof corners)];
    else
        *at = (uint8_t)(*at + 1 - 2 * ndp_choose(choices, 2));
    op->data = copy;
    return NDP_OK;
}

/* Selects an integer within a few tries: extents, sizes and indices control a decoder. */
static enum ndp_status change_integer(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops) {
    int64_t value = 0;
    for (int i = 0; i < MAX_TRIES; i++) {
        struct ndp_bytes *op = &ops->list[ndp_choose(choices, ops->count)];
        if (!is_integer(*op, &value)) continue;
        if (ndp_choose(choices, 2) == 0) return shift_integer(arena, choices, value, op);
        return change_argument(arena, choices, op);
    }
    return NDP_OK;
}

static void insert_op(struct fuzz_ops *ops, uint64_t at, struct ndp_bytes op) {
    if (ops->count == FUZZ_MAX_OPS) ops->count--;
    if (at > ops->count) at = ops->count;
    memmove(&ops->list[at + 1], &ops->list[at], (size_t)(ops->count - at) * sizeof op);
    ops->list[at] = op;
    ops->count++;
}

/* Repeats a few opcodes up to thousands of times, to show quadratic time. */
static enum ndp_status repeat_ops(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops,
                                  uint64_t at) {
    const uint64_t most = ops->count - at < 4 ? ops->count - at : 4, count = 1 + ndp_choose(choices, most);
    uint64_t size = 0;
    for (uint64_t i = 0; i < count; i++) size += ops->list[at + i].size_bytes;
    const uint64_t times = REPEATED_BYTES / size >> ndp_choose(choices, 8);
    uint8_t *all = ndp_arena_alloc(arena, size * times);
    if (!all) return NDP_NOMEM;
    uint64_t end = 0;
    for (uint64_t i = 0; i < count * times; i++) {
        const struct ndp_bytes op = ops->list[at + i % count];
        memcpy(all + end, op.data, (size_t)op.size_bytes);
        end += op.size_bytes;
    }
    if (end > 0) insert_op(ops, at, (struct ndp_bytes){all, end});
    return NDP_OK;
}

/* At the end, appends an earlier object to an earlier list: a shared object, or a cycle if the object contains the
 * list. */
static enum ndp_status append_earlier(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops) {
    const uint8_t made[6] = {'h', (uint8_t)ndp_choose(choices, 8), 'h', (uint8_t)ndp_choose(choices, 8), 'a', '0'};
    static const uint8_t ends[] = {0, 2, 4, 5, 6};
    const uint8_t *copy = ndp_arena_copy(arena, made, sizeof made);
    if (!copy) return NDP_NOMEM;
    const uint64_t at = ops->count - 1;
    for (uint64_t i = 0; i + 1 < sizeof ends; i++)
        insert_op(ops, at + i, (struct ndp_bytes){copy + ends[i], ends[i + 1] - ends[i]});
    return NDP_OK;
}

/* Adds an item to a short tuple, within a few tries: the opcode contains the number of items. */
static enum ndp_status lengthen_tuple(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops) {
    static const uint8_t tuples[] = {')', 0x85, 0x86, 0x87};
    struct ndp_bytes item;
    NDP_TRY(pick_op(arena, choices, &item));
    for (int i = 0; i < MAX_TRIES; i++) {
        const uint64_t at = ndp_choose(choices, ops->count);
        const uint8_t *found = memchr(tuples, ops->list[at].data[0], sizeof tuples - 1);
        if (!found || ops->list[at].size_bytes != 1) continue;
        ops->list[at] = (struct ndp_bytes){found + 1, 1};
        insert_op(ops, at, item);
        return NDP_OK;
    }
    return NDP_OK;
}

enum ndp_status fuzz_ops_change(struct ndp_arena *arena, struct ndp_choices *choices, struct fuzz_ops *ops) {
    const uint64_t at = ndp_choose(choices, ops->count), other = ndp_choose(choices, ops->count);
    struct ndp_bytes kept = ops->list[at];
    if (ndp_choose_rarely(choices, REPEATED_ONE_IN)) return repeat_ops(arena, choices, ops, at);
    if (ndp_choose_rarely(choices, TIED_ONE_IN)) return append_earlier(arena, choices, ops);
    if (ndp_choose_rarely(choices, STRETCHED_ONE_IN)) return lengthen_tuple(arena, choices, ops);
    switch (ndp_choose(choices, 9)) {
    case 8:
        return change_integer(arena, choices, ops);
    case 0:
        if (ops->count == 1) return NDP_OK;
        memmove(&ops->list[at], &ops->list[at + 1], (size_t)(--ops->count - at) * sizeof kept);
        return NDP_OK;
    case 1:
        insert_op(ops, other, kept);
        return NDP_OK;
    case 2:
        ops->list[at] = ops->list[other];
        ops->list[other] = kept;
        return NDP_OK;
    case 3:
        NDP_TRY(pick_op(arena, choices, &kept));
        insert_op(ops, at, kept);
        return NDP_OK;
    case 4:
        return pick_op(arena, choices, &ops->list[at]);
    default:
        return change_argument(arena, choices, &ops->list[at]);
    }
}

static enum ndp_status change_ops(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                  uint64_t changes, struct ndp_buffer *out) {
    struct fuzz_ops *ops = NDP_ARENA_NEW(arena, struct fuzz_ops);
    if (!ops) return NDP_NOMEM;
    fuzz_ops_split(text, ops);
    for (; changes > 0; changes--) NDP_TRY(fuzz_ops_change(arena, choices, ops));
    return fuzz_ops_join(ops, !ndp_choose_rarely(choices, 6), out);
}

/* A pickle of a generated array, unchanged or with one change. */
static enum ndp_status generate_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct ndp_buffer made = {.max_bytes = NEW_BYTES};
    enum ndp_status status = fuzz_generate_pickle(arena, choices, &made);
    if (status == NDP_OK) {
        const struct ndp_bytes text = ndp_buffer_view(&made);
        status = change_ops(arena, choices, text, ndp_choose(choices, 2), out);
    }
    ndp_buffer_clear(&made);
    return status;
}

enum ndp_status fuzz_mutate_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                   struct ndp_buffer *out) {
    if (text.size_bytes == 0) return NDP_INVALID;
    if (ndp_choose_rarely(choices, NEW_ONE_IN) && generate_pickle(arena, choices, out) == NDP_OK) return NDP_OK;
    /* Mostly one change: more would lose the coverage of the input. */
    const uint64_t changes = ndp_choose_rarely(choices, 2) ? 1 : 1 + ndp_choose(choices, MAX_CHANGES);
    out->size_bytes = 0;
    return change_ops(arena, choices, text, changes, out);
}

enum ndp_status fuzz_cross_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                  struct ndp_bytes second, struct ndp_buffer *out) {
    struct fuzz_ops *ops = NDP_ARENA_ITEMS(arena, struct fuzz_ops, 2);
    if (!ops) return NDP_NOMEM;
    fuzz_ops_split(first, &ops[0]);
    fuzz_ops_split(second, &ops[1]);
    ops[0].count = (uint32_t)ndp_choose(choices, ops[0].count + 1);
    for (uint64_t i = ndp_choose(choices, ops[1].count + 1); i < ops[1].count && ops[0].count < FUZZ_MAX_OPS; i++)
        ops[0].list[ops[0].count++] = ops[1].list[i];
    return fuzz_ops_join(&ops[0], !ndp_choose_rarely(choices, 6), out);
}
