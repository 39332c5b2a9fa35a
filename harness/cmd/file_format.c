#include "cmd/file_format.h"

#include <string.h>

#include "codec/pickle/pickle_opcodes.h"

/* joblib writes the name of a wrapper class at the beginning of an uncompressed dump. */
enum { WRAPPER_WITHIN_BYTES = 256, MAX_MARKS = 64 };

static bool begins(struct ndp_bytes bytes, const char *magic, uint64_t size_bytes) {
    return bytes.size_bytes >= size_bytes && memcmp(bytes.data, magic, (size_t)size_bytes) == 0;
}

/* ---- compressed joblib dumps ---- */

/* A zlib header: method 8, a multiple of 31, no preset dictionary. Source: RFC 1950, 2.2. */
static bool is_zlib(struct ndp_bytes bytes) {
    return bytes.size_bytes >= 2 && (bytes.data[0] & 0x0f) == 8 && bytes.data[0] >> 4 <= 7 &&
           (bytes.data[1] & 0x20) == 0 && (bytes.data[0] * 256 + bytes.data[1]) % 31 == 0;
}

/* A bzip2 header: "BZh" and the size of a block. Source: bzip2 1.0.8, compress.c, BZ2_compressBlock. */
static bool is_bzip2(struct ndp_bytes bytes) {
    return begins(bytes, "BZh", 3) && bytes.size_bytes >= 4 && bytes.data[3] >= '1' && bytes.data[3] <= '9';
}

/* More of the magics than joblib compares (compressor.py), because a text may begin with "x" or "BZ". "ZF" and the
 * length as hexadecimal number begin the compressed files of joblib before 0.10 (numpy_pickle_compat.py, write_zfile).
 */
static bool is_compressed(struct ndp_bytes bytes) {
    return is_zlib(bytes) || is_bzip2(bytes) || begins(bytes, "\x1f\x8b", 2) || begins(bytes, "\xfd\x37zXZ", 5) ||
           begins(bytes, "\x5d\x00\x00", 3) || begins(bytes, "\x04\x22\x4d\x18", 4) || begins(bytes, "ZF0x", 4);
}

static bool has_wrapper(struct ndp_bytes bytes) {
    static const char word[] = "ArrayWrapper";
    for (uint64_t i = 0; i + sizeof word - 1 <= bytes.size_bytes && i < WRAPPER_WITHIN_BYTES; i++)
        if (memcmp(bytes.data + i, word, sizeof word - 1) == 0) return true;
    return false;
}

/* ---- pickles without a magic ---- */

/* The argument of an opcode: none, bytes of a fixed number, a counted number of bytes, or lines of text. */
enum argument { NOTHING, ONE, TWO, FOUR, EIGHT, COUNT1, COUNT4, LINE, NUMBER, QUOTED, NAMES };

/* How an opcode changes the stack: it takes `pops` items, or if `to_mark`, all items above the last mark and `pops`
 * more. */
struct effect {
    uint8_t byte;
    enum argument argument;
    bool to_mark;
    uint8_t pops, pushes;
};

/* Source: CPython 3.13, Lib/pickletools.py. MARK and STOP are handled by the reader. */
static const struct effect effects[] = {
    {NDP_OP_POP, NOTHING, false, 1, 0},
    {NDP_OP_DUP, NOTHING, false, 1, 2},
    {NDP_OP_FLOAT, NUMBER, false, 0, 1},
    {NDP_OP_INT, NUMBER, false, 0, 1},
    {NDP_OP_LONG, NUMBER, false, 0, 1},
    {NDP_OP_NONE, NOTHING, false, 0, 1},
    {NDP_OP_PERSID, LINE, false, 0, 1},
    {NDP_OP_REDUCE, NOTHING, false, 2, 1},
    {NDP_OP_STRING, QUOTED, false, 0, 1},
    {NDP_OP_UNICODE, LINE, false, 0, 1},
    {NDP_OP_APPEND, NOTHING, false, 2, 1},
    {NDP_OP_BUILD, NOTHING, false, 2, 1},
    {NDP_OP_GLOBAL, NAMES, false, 0, 1},
    {NDP_OP_DICT, NOTHING, true, 0, 1},
    {NDP_OP_GET, NUMBER, false, 0, 1},
    {NDP_OP_INST, NAMES, true, 0, 1},
    {NDP_OP_LIST, NOTHING, true, 0, 1},
    {NDP_OP_PUT, NUMBER, false, 1, 1},
    {NDP_OP_SETITEM, NOTHING, false, 3, 1},
    {NDP_OP_TUPLE, NOTHING, true, 0, 1},
    {NDP_OP_EMPTY_TUPLE, NOTHING, false, 0, 1},
    {NDP_OP_POP_MARK, NOTHING, true, 0, 0},
    {NDP_OP_BINFLOAT, EIGHT, false, 0, 1},
    {NDP_OP_BININT, FOUR, false, 0, 1},
    {NDP_OP_BININT1, ONE, false, 0, 1},
    {NDP_OP_BININT2, TWO, false, 0, 1},
    {NDP_OP_BINPERSID, NOTHING, false, 1, 1},
    {NDP_OP_BINSTRING, COUNT4, false, 0, 1},
    {NDP_OP_SHORT_BINSTRING, COUNT1, false, 0, 1},
    {NDP_OP_BINUNICODE, COUNT4, false, 0, 1},
    {NDP_OP_EMPTY_LIST, NOTHING, false, 0, 1},
    {NDP_OP_APPENDS, NOTHING, true, 1, 1},
    {NDP_OP_BINGET, ONE, false, 0, 1},
    {NDP_OP_LONG_BINGET, FOUR, false, 0, 1},
    {NDP_OP_OBJ, NOTHING, true, 0, 1},
    {NDP_OP_BINPUT, ONE, false, 1, 1},
    {NDP_OP_LONG_BINPUT, FOUR, false, 1, 1},
    {NDP_OP_SETITEMS, NOTHING, true, 1, 1},
    {NDP_OP_EMPTY_DICT, NOTHING, false, 0, 1},
};

static const struct effect *find_effect(uint8_t byte) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(effects); i++)
        if (effects[i].byte == byte) return &effects[i];
    return NULL;
}

/* Moves *at behind `count` bytes, and returns whether there are so many. */
static bool skip(struct ndp_bytes bytes, uint64_t *at, uint64_t count) {
    if (count > bytes.size_bytes - *at) return false;
    *at += count;
    return true;
}

/* Skips a line, whose bytes are all in `allowed` unless that is NULL. */
static bool skip_line(struct ndp_bytes bytes, uint64_t *at, const char *allowed) {
    const uint64_t start = *at;
    while (*at < bytes.size_bytes && bytes.data[*at] != '\n') {
        const char byte = (char)bytes.data[*at];
        if (allowed != NULL && (byte == '\0' || strchr(allowed, byte) == NULL)) return false;
        ++*at;
    }
    return (allowed == NULL || *at > start) && skip(bytes, at, 1);
}

static bool skip_quoted(struct ndp_bytes bytes, uint64_t *at) {
    const uint64_t start = *at;
    if (!skip_line(bytes, at, NULL) || *at < start + 3) return false;
    const uint8_t quote = bytes.data[start];
    return (quote == '\'' || quote == '"') && bytes.data[*at - 2] == quote;
}

static bool skip_counted(struct ndp_bytes bytes, uint64_t *at, uint64_t width) {
    uint64_t count = 0;
    const uint64_t start = *at;
    if (!skip(bytes, at, width)) return false;
    for (uint64_t i = width; i > 0; i--) count = count << 8 | bytes.data[start + i - 1];
    return skip(bytes, at, count);
}

static bool skip_argument(struct ndp_bytes bytes, uint64_t *at, enum argument argument) {
    static const char digits[] = "+-.0123456789LEINFAeinfa";
    static const char names[] = "._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<>";
    switch (argument) {
    case NOTHING:
        return true;
    case ONE:
        return skip(bytes, at, 1);
    case TWO:
        return skip(bytes, at, 2);
    case FOUR:
        return skip(bytes, at, 4);
    case EIGHT:
        return skip(bytes, at, 8);
    case COUNT1:
        return skip_counted(bytes, at, 1);
    case COUNT4:
        return skip_counted(bytes, at, 4);
    case LINE:
        return skip_line(bytes, at, NULL);
    case NUMBER:
        return skip_line(bytes, at, digits);
    case QUOTED:
        return skip_quoted(bytes, at);
    case NAMES:
        return skip_line(bytes, at, names) && skip_line(bytes, at, names);
    }
    return false;
}

/* The size of the stack, and its sizes at the open marks. */
struct stack {
    uint64_t size;
    uint64_t marks[MAX_MARKS];
    uint32_t mark_count;
};

static bool apply(struct stack *stack, const struct effect *effect) {
    if (effect->to_mark) {
        if (stack->mark_count == 0) return false;
        stack->size = stack->marks[--stack->mark_count];
    }
    const uint64_t floor = stack->mark_count > 0 ? stack->marks[stack->mark_count - 1] : 0;
    if (stack->size - floor < effect->pops) return false;
    stack->size += effect->pushes;
    stack->size -= effect->pops;
    return true;
}

bool ndp_file_format_is_old_pickle(struct ndp_bytes bytes) {
    struct stack stack = {.size = 0};
    for (uint64_t at = 0; at < bytes.size_bytes;) {
        const uint8_t byte = bytes.data[at++];
        if (byte == NDP_OP_STOP) return at == bytes.size_bytes && stack.size == 1 && stack.mark_count == 0;
        if (byte == NDP_OP_MARK) {
            if (stack.mark_count == MAX_MARKS) return false;
            stack.marks[stack.mark_count++] = stack.size;
            continue;
        }
        const struct effect *effect = find_effect(byte);
        if (effect == NULL || !skip_argument(bytes, &at, effect->argument) || !apply(&stack, effect)) return false;
    }
    return false;
}

/* A pickle of protocol 2 or later begins with PROTO and its number. */
static bool is_pickle(struct ndp_bytes bytes) {
    return (bytes.size_bytes >= 1 && bytes.data[0] == NDP_OP_PROTO) || ndp_file_format_is_old_pickle(bytes);
}

static bool is_archive(struct ndp_bytes bytes) {
    return begins(bytes, "PK\3\4", 4) || begins(bytes, "PK\5\6", 4) || begins(bytes, "PK\7\x8", 4);
}

static const char *format_of_name(const char *path) {
    static const char *const endings[][2] = {
        {".npy", "npy"}, {".npz", "npz"}, {".pkl", "pickle"}, {".pickle", "pickle"}, {".joblib", "joblib"}};
    const char *name = strrchr(path, '/');
    const char *ending = strrchr(name != NULL ? name : path, '.');
    for (size_t i = 0; i < NDP_ARRAY_LEN(endings) && ending != NULL; i++)
        if (strcmp(ending, endings[i][0]) == 0) return endings[i][1];
    return NULL;
}

const char *ndp_file_format_find(const char *path, struct ndp_bytes bytes) {
    const char *named = format_of_name(path);
    if (begins(bytes, "\x93NUMPY", 6)) return "npy";
    if (is_archive(bytes)) return "npz";
    /* A dump without compression is a pickle; its name or its wrapper class shows that joblib wrote it. */
    if (is_compressed(bytes) || (named != NULL && strcmp(named, "joblib") == 0)) return "joblib";
    if (is_pickle(bytes)) return has_wrapper(bytes) ? "joblib" : "pickle";
    return named;
}
