#include "reader/whole.h"

#include <iconv.h>
#include <lzma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "codec/compress/compress.h"
#include "codec/joblib/joblib_legacy.h"
#include "form/ops.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "reader/spelled.h"

enum { FRAME = 0x95, PROTO = 0x80, PROTOCOL_MAX = 5, STACK_MARKS = 1 << 14 };
enum { FRAME_MIN_BYTES = 4, FRAME_TARGET_BYTES = 1 << 16 };
enum { ZFILE_DIGITS = 19, ZFILE_BYTES_MAX = 1 << 20, ALONE_BYTES = 13 };

bool fuzz_is_utf8(struct ndp_bytes text) {
    static iconv_t converter;
    char out[1024], *in = (char *)(uintptr_t)text.data;
    size_t left = (size_t)text.size_bytes;
    if (!converter) converter = iconv_open("UTF-32LE", "UTF-8");
    FUZZ_CHECK(converter != (iconv_t)-1);
    (void)iconv(converter, NULL, NULL, NULL, NULL);
    while (left > 0) {
        char *to = out;
        size_t room = sizeof out;
        const size_t before = left;
        if (iconv(converter, &in, &left, &to, &room) == (size_t)-1 && left == before) return false;
    }
    return true;
}

/* Takes the opcode at `at`, of so many bytes, into the frame that it stands in or begins. */
static bool step_frame(struct ndp_bytes pickle, uint64_t at, uint64_t size, uint64_t *frame_end) {
    const bool is_inside = at < *frame_end;
    if (is_inside && at + size > *frame_end) return false;
    if (pickle.data[at] != FRAME) return true;
    const uint64_t length = ndp_load_u64le(pickle.data + at + 1);
    /* The next one may be the last that a frame holds. */
    if ((is_inside && at + size < *frame_end) || length > pickle.size_bytes) return false;
    *frame_end = at + size + length;
    return true;
}

enum effect { NO_OPCODE, BY_VALUES, BY_MARK };

/* What each opcode does to the stack: how many values it takes off it and puts there; or it takes a mark, and what is
 * above it. Source: pickletools.opcodes. */
struct row {
    const char *ops;
    enum effect effect;
    uint8_t takes, gives;
};

static const struct row rows[] = {
    {"NKMJILGFVXBCSTU]})cghj\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x96\x97", BY_VALUES, 0, 1},
    {"pqr\x85\x94\x98", BY_VALUES, 1, 1},
    {"abR\x81\x86\x93", BY_VALUES, 2, 1},
    {"s\x87\x92", BY_VALUES, 3, 1},
    {"2", BY_VALUES, 1, 2},
    {"\x80\x95", BY_VALUES, 0, 0},
    {"01eudltoi\x90\x91", BY_MARK, 0, 0},
};

static struct row row_of(uint8_t opcode) {
    static struct row all[256];
    static bool is_filled;
    for (size_t i = 0; !is_filled && i < NDP_ARRAY_LEN(rows); i++)
        for (const char *op = rows[i].ops; *op; op++) all[(uint8_t)*op] = rows[i];
    is_filled = true;
    return all[opcode];
}

struct stack {
    uint32_t count, mark_count;
    bool is_stopped;
    uint32_t marks[STACK_MARKS];
};

static uint32_t values_above(const struct stack *stack) {
    return stack->count - (stack->mark_count > 0 ? stack->marks[stack->mark_count - 1] : 0);
}

/* An opcode that takes what stands above a mark, or drops one. */
static bool take_mark(struct stack *stack, uint8_t opcode) {
    const uint32_t above = values_above(stack);
    const bool is_pair = opcode == 'd' || opcode == 'u';
    if (stack->mark_count == 0) return false;
    stack->count = stack->marks[--stack->mark_count];
    switch (opcode) {
    case '0':
    case '1':
        return true;
    case 'e':
    case 'u':
    case 0x90: /* ADDITEMS */
        return values_above(stack) > 0 && !(is_pair && above % 2 != 0);
    default:
        stack->count++;
        return (opcode != 'o' || above > 0) && !(is_pair && above % 2 != 0);
    }
}

static bool are_digits(const char *text) {
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* In decimal, without what a base could be. The one other is a truth. */
static bool is_integer(const char *text) {
    const char *digits = text + (*text == '-' || *text == '+');
    return are_digits(digits) && (*digits != '0' || digits[strspn(digits, "0")] == '\0' || strcmp(text, "01") == 0);
}

static bool is_real(const char *text) {
    char *end;
    const double real = strtod(text, &end);
    const bool is_word = strpbrk(text, "0123456789") == NULL;
    return end > text && *end == '\0' && text[strspn(text, "0123456789+-.eEinfatyINFATY")] == '\0' &&
           (isfinite(real) || is_word);
}

/* Whether the line of a number, or of a place in the memo, is one to both of CPython's readers. Of a long one nobody
 * says anything. Source: CPython 3.11, Lib/pickle.py and Modules/_pickle.c, load_int, load_long, load_float, load_get.
 */
static bool is_line(struct ndp_bytes op) {
    char text[64] = "";
    if (!strchr("FILgp", (char)op.data[0]) || op.size_bytes > sizeof text) return true;
    memcpy(text, op.data + 1, (size_t)op.size_bytes - 2);
    if (strlen(text) != op.size_bytes - 2) return false;
    if (op.data[0] == 'F') return is_real(text);
    if (op.data[0] == 'g' || op.data[0] == 'p') return are_digits(text);
    if (op.data[0] == 'L' && op.size_bytes > 3 && text[op.size_bytes - 3] == 'L') text[op.size_bytes - 3] = '\0';
    return is_integer(text);
}

/* Of more marks than are kept nobody says anything. */
static bool step(struct stack *stack, const uint8_t *op) {
    if (stack->mark_count > STACK_MARKS) return true;
    if (stack->is_stopped || (*op == PROTO && op[1] > PROTOCOL_MAX)) return false;
    if (*op == '.') {
        stack->is_stopped = true;
        return stack->count == 1 && stack->mark_count == 0;
    }
    if (*op == '(') {
        if (stack->mark_count < STACK_MARKS) stack->marks[stack->mark_count] = stack->count;
        stack->mark_count++;
        return true;
    }
    if (*op == '0' && values_above(stack) > 0) {
        stack->count--;
        return true;
    }
    const struct row row = row_of(*op);
    if (row.effect == BY_MARK) return take_mark(stack, *op);
    if (row.effect == NO_OPCODE || values_above(stack) < row.takes) return false;
    stack->count += (uint32_t)row.gives - row.takes;
    return true;
}

static bool is_spelled(struct fuzz_spelling *spelling, const struct stack *stack, struct ndp_bytes op) {
    if (!spelling || stack->mark_count > STACK_MARKS) return true;
    return fuzz_is_spelled(spelling, op, values_above(stack), stack->mark_count);
}

/* What of a pickle stands in frames. */
struct framing {
    uint64_t frame_bytes; /* of the last frame without its header; 0 behind what stands in none */
    uint64_t loose_bytes; /* since then, in no frame */
};

static bool is_large(struct ndp_bytes op) {
    return op.data[0] != 0 && strchr("BTX\x8d\x8e\x96", (char)op.data[0]) && op.size_bytes >= FRAME_TARGET_BYTES + 5 &&
           (strchr("BTX", (char)op.data[0]) || op.size_bytes >= FRAME_TARGET_BYTES + 9);
}

/* Whether the opcode is all of a value, or the first of one, that a pickler is handed: nothing stands before it. */
static bool begins_value(struct ndp_bytes op) {
    return op.data[0] != 0 && strchr("NIJKMLFGUSTXVCB]})\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x96", (char)op.data[0]);
}

/* Takes the opcode at `at` into what stands in frames as picklers put it there: all but the protocol and large values,
 * in frames that end where they are full, before the next value, before a large one, or with the pickle; of three bytes
 * there is none. Source: CPython 3.11, Lib/pickle.py, _Framer.commit_frame, which save() begins with. */
static bool step_framing(struct framing *framing, struct ndp_bytes pickle, uint64_t at, struct ndp_bytes op,
                         uint64_t frame_end) {
    if (op.data[0] == PROTO) return at == 0;
    if (op.data[0] != FRAME && at < frame_end)
        return !is_large(op) && (at + framing->frame_bytes - frame_end < FRAME_TARGET_BYTES || !begins_value(op));
    const bool is_full = framing->frame_bytes == 0 || framing->frame_bytes >= FRAME_TARGET_BYTES;
    const bool is_before_large = op.data[0] != FRAME && is_large(op);
    if (!is_before_large && !is_full) return false;
    if (op.data[0] == FRAME) {
        framing->frame_bytes = ndp_load_u64le(pickle.data + at + 1);
        return framing->loose_bytes == 0 && framing->frame_bytes >= FRAME_MIN_BYTES;
    }
    framing->frame_bytes = 0;
    framing->loose_bytes = is_before_large ? 0 : framing->loose_bytes + op.size_bytes;
    return framing->loose_bytes < FRAME_MIN_BYTES;
}

/* One pass over the opcodes, where there is a spelling with what it says of each. */
static struct fuzz_whole look(struct ndp_bytes pickle, struct fuzz_spelling *spelling) {
    static struct stack stack;
    struct fuzz_whole whole = {true, true};
    struct framing framing = {0, 0};
    uint64_t size, frame_end = 0;
    stack.count = stack.mark_count = 0;
    stack.is_stopped = false;
    for (uint64_t at = 0; at < pickle.size_bytes; at += size) {
        size = fuzz_op_bytes((struct ndp_bytes){pickle.data + at, pickle.size_bytes - at});
        if (size == 0) return (struct fuzz_whole){false, false};
        const struct ndp_bytes op = {pickle.data + at, size};
        if (spelling && spelling->protocol >= 4)
            whole.are_frames = whole.are_frames && step_framing(&framing, pickle, at, op, frame_end);
        whole.are_frames = whole.are_frames && step_frame(pickle, at, size, &frame_end);
        whole.is_stack = whole.is_stack && is_line(op) && is_spelled(spelling, &stack, op) && step(&stack, op.data);
    }
    whole.are_frames = whole.are_frames && frame_end <= pickle.size_bytes;
    whole.is_stack = whole.is_stack && (stack.is_stopped || stack.mark_count > STACK_MARKS);
    return whole;
}

struct fuzz_whole fuzz_whole_pickle(struct ndp_bytes pickle) {
    return look(pickle, NULL);
}

bool fuzz_is_as_pickled(struct ndp_bytes pickle, uint32_t protocol) {
    struct fuzz_spelling spelling = {.protocol = protocol};
    const struct fuzz_whole whole = look(pickle, &spelling);
    return whole.are_frames && whole.is_stack;
}

/* As hex() writes it, which in Python 2 has an L behind a long, and blanks. */
static bool is_size(const char *text) {
    static const char hexadecimal[] = "0123456789abcdef";
    if (strncmp(text, "0x", 2) != 0 || text[2] == '\0' || !strchr(hexadecimal, text[2])) return false;
    text += 2 + strspn(text + 2, hexadecimal);
    text += *text == 'L';
    return text[strspn(text, " ")] == '\0';
}

/* "ZF", the size in hexadecimal, blanks (on some machines one more), a zlib stream, and whatever follows. Source:
 * joblib 1.6.0, numpy_pickle_compat.py, read_zfile. */
static bool is_whole_zfile(struct ndp_bytes bytes) {
    char digits[ZFILE_DIGITS + 1] = "";
    uint64_t start = NDP_ZFILE_START_BYTES + ZFILE_DIGITS;
    if (bytes.size_bytes <= start) return false;
    if (bytes.data[start] == ' ') start++;
    memcpy(digits, bytes.data + NDP_ZFILE_START_BYTES, ZFILE_DIGITS);
    const unsigned long long said = strtoull(digits, NULL, 16);
    if (!is_size(digits)) return false;
    if (said > ZFILE_BYTES_MAX) return true;
    uLongf size = (uLongf)said + 1;
    uLong taken = (uLong)(bytes.size_bytes - start);
    uint8_t *content = malloc(size);
    FUZZ_CHECK(content);
    const bool is_whole = uncompress2(content, &size, bytes.data + start, &taken) == Z_OK && size == said;
    free(content);
    return is_whole;
}

static void *take(void *pool, size_t count, size_t size_bytes) {
    uint64_t all_bytes;
    return ndp_mul_u64_fits(count, size_bytes, &all_bytes) ? ndp_block_take(pool, all_bytes) : NULL;
}

static void give(void *pool, void *block) {
    ndp_block_give(pool, block);
}

/* One call of liblzma for all of it, which looks at the check at the end. */
static bool is_whole_xz(struct ndp_bytes bytes, const struct ndp_compress_limits *limits) {
    const lzma_allocator allocator = {take, give, limits->pool};
    uint64_t memory = limits->memory_bytes;
    size_t in = 0, out = 0;
    uint8_t *content = malloc((size_t)limits->output_bytes + 1);
    FUZZ_CHECK(content);
    const lzma_ret code = lzma_stream_buffer_decode(&memory, 0, &allocator, bytes.data, &in, (size_t)bytes.size_bytes,
                                                    content, &out, (size_t)limits->output_bytes + 1);
    free(content);
    return code == LZMA_OK;
}

bool fuzz_has_whole_stream(struct ndp_bytes bytes, const struct ndp_compress_limits *limits) {
    uint64_t size = 0;
    const bool is_alone = ndp_compress_detect(bytes) == NDP_COMPRESS_LZMA && bytes.size_bytes >= ALONE_BYTES;
    if (is_alone && ndp_load_u32le(bytes.data + 1) > limits->memory_bytes) return false;
    if (ndp_zfile_detect(bytes)) return is_whole_zfile(bytes);
    if (ndp_compress_detect(bytes) == NDP_COMPRESS_XZ && !is_whole_xz(bytes, limits)) return false;
    return fuzz_unpack(bytes, &size) && size <= limits->output_bytes;
}
