#include "oracle/npy_paths.h"

#include "codec/npy/npy_encode.h"
#include "form/streams.h"
#include "fuzz.h"
#include "oracle/failing_allocation.h"
#include "oracle/npy_spelling.h"

enum { STREAM_ONE_IN = 4, BREAK_ONE_IN = 16, LIMIT_ONE_IN = 8, FAILURE_ONE_IN = 16, SPELLING_ONE_IN = 4, LIMITS = 4 };

static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

void fuzz_check_same_npy(const char *path, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                         struct ndp_npy_array *b) {
    const struct ndp_npy_header *x = &a->header, *y = &b->header;
    if (FUZZ_HOLDS_OF(path, got == want) && got == NDP_OK) {
        FUZZ_HOLDS_OF(path, ndp_dtype_compare(x->dtype, y->dtype, NULL) == 0);
        FUZZ_HOLDS_OF(path, x->ndim == y->ndim && memcmp(x->shape, y->shape, x->ndim * sizeof x->shape[0]) == 0);
        FUZZ_HOLDS_OF(path, x->is_fortran_order == y->is_fortran_order);
        FUZZ_HOLDS_OF(path, x->size_bytes == y->size_bytes && !memcmp(a->data, b->data, (size_t)x->size_bytes));
    }
    ndp_npy_array_clear(b);
}

static void check_stream(struct ndp_bytes bytes, enum ndp_status want, const struct ndp_npy_array *first) {
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_npy_array next = {0};
    const enum ndp_status got = ndp_npy_decode_stream(&arena, fuzz_read_chunks, &cursor, NULL, &next, NULL);
    FUZZ_HOLDS(got || want || next.consumed_bytes == first->consumed_bytes);
    fuzz_check_same_npy("stream", want, first, got, &next);
}

/* The decoder reports a stream that fails, and the encoder a sink that fails before its last byte. */
static void check_failing_streams(struct ndp_bytes bytes, enum ndp_status want, const struct ndp_npy_array *first,
                                  uint64_t pick) {
    struct fuzz_failing stream = fuzz_failing_stream(bytes, pick), whole = {.left_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    const enum ndp_status got = ndp_npy_decode_stream(&arena, fuzz_read_failing, &stream, NULL, &next, NULL);
    FUZZ_HOLDS(fuzz_is_reported(&stream, got, want));
    ndp_npy_array_clear(&next);
    if (want != NDP_OK) return;
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    if (!FUZZ_HOLDS(ndp_npy_encode(&elements, 0, fuzz_write_failing, &whole, NULL) == NDP_OK)) return;
    struct fuzz_failing part = {.left_bytes = pick % (UINT64_MAX - whole.left_bytes)};
    FUZZ_HOLDS(ndp_npy_encode(&elements, 0, fuzz_write_failing, &part, NULL) == NDP_IO);
}

static struct ndp_bytes header_text(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const uint64_t start = header->major == 1 ? 10 : 12;
    return (struct ndp_bytes){file.data + start, header->data_offset_bytes - start};
}

/* The deepest nesting of brackets; 0, which is no limit, where comments, escapes or three quotes need a real parser. */
static uint32_t nesting_of(struct ndp_bytes text) {
    uint32_t depth = 0, deepest = 0;
    uint8_t quote = 0;
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t c = text.data[i];
        const bool is_quote = c == '\'' || c == '"';
        if (c == '#' || c == '\\' || (is_quote && i >= 2 && c == text.data[i - 1] && c == text.data[i - 2])) return 0;
        if (is_quote && (quote == 0 || quote == c)) quote = quote == 0 ? c : 0;
        if (quote != 0) continue;
        if (c == '{' || c == '[' || c == '(') depth++;
        if (c == '}' || c == ']' || c == ')') depth--;
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

struct ndp_npy_options fuzz_npy_needs(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const struct ndp_bytes text = header_text(file, header);
    uint32_t chars = 0;
    /* Version 3.0 is UTF-8: a byte that continues a character is none. */
    for (uint64_t i = 0; i < text.size_bytes; i++) chars += header->major < 3 || (text.data[i] & 0xc0) != 0x80;
    return (struct ndp_npy_options){.is_lenient = true,
                                    .header_chars = chars,
                                    .max_ndim = header->ndim,
                                    .max_nesting = nesting_of(text),
                                    .data_bytes = header->size_bytes};
}

/* Lowers one limit by one; false if it is 0 or would become 0, which is no limit. */
static bool lower(struct ndp_npy_options *options, uint64_t which) {
    switch (which % LIMITS) {
    case 0:
        return options->header_chars > 1 && --options->header_chars > 0;
    case 1:
        return options->max_ndim > 1 && --options->max_ndim > 0;
    case 2:
        return options->data_bytes > 1 && --options->data_bytes > 0;
    default:
        return options->max_nesting > 1 && --options->max_nesting > 0;
    }
}

static void check_limits(struct ndp_bytes bytes, const struct ndp_npy_array *first, uint64_t pick) {
    struct ndp_npy_options options = fuzz_npy_needs(bytes, &first->header);
    struct ndp_npy_array next = {0};
    fuzz_check_same_npy("limits that are just met", NDP_OK, first,
                        ndp_npy_decode_memory(&arena, bytes, &options, &next, NULL), &next);
    if (lower(&options, pick)) FUZZ_HOLDS(ndp_npy_decode_memory(&arena, bytes, &options, &next, NULL) == NDP_LIMIT);
    ndp_npy_array_clear(&next);
}

static enum ndp_status decode(struct ndp_arena *memory, struct ndp_bytes bytes) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_npy_decode_memory(memory, bytes, NULL, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

void fuzz_check_npy_paths(struct ndp_bytes bytes) {
    const bool streams = fuzz_is_due(FUZZ_COSTLY_STREAM, STREAM_ONE_IN),
               fails = fuzz_is_due(FUZZ_COSTLY_BREAK, BREAK_ONE_IN);
    const bool limits = fuzz_is_due(FUZZ_COSTLY_LIMIT, LIMIT_ONE_IN);
    const bool spells = fuzz_is_due(FUZZ_COSTLY_SPELLING, SPELLING_ONE_IN);
    const uint64_t pick = fuzz_pick(bytes.data, (size_t)bytes.size_bytes);
    struct ndp_npy_array first = {0};
    if (fuzz_is_due(FUZZ_COSTLY_FAILURE, FAILURE_ONE_IN)) (void)fuzz_check_failing_allocation(decode, bytes, pick);
    if (!streams && !fails && !limits && !spells) return;
    const enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL);
    if (streams) check_stream(bytes, want, &first);
    if (fails) check_failing_streams(bytes, want, &first, pick);
    if (limits && want == NDP_OK) check_limits(bytes, &first, pick);
    if (spells && want == NDP_OK) fuzz_check_npy_spelling(&arena, bytes, &first, pick);
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
}
