/* compress_coder_run.h: test helpers: run a coder of compress_coder.h over bytes. Includes cmocka. */
#ifndef NDP_COMPRESS_CODER_RUN_H
#define NDP_COMPRESS_CODER_RUN_H

#include "base/suite.h"
#include "codec/compress/compress_coder.h"

/* The text in the test vectors, with its NUL. */
#define CODER_TEXT "an array, an array, an array"
enum { CODER_BYTES_MAX = 1 << 16 };

/* Appends the output of the coder for `in`, passed in exact copies of `piece` bytes with room for as many, and frees
 * the coder. Returns OK at the end of the stream, TRUNCATED if there is no more progress. Fills `*left_bytes` with the
 * size of unused input. */
static inline enum ndp_status coder_run(struct ndp_coder *coder, struct ndp_bytes in, size_t piece,
                                        struct ndp_buffer *out, uint64_t *left_bytes) {
    enum ndp_status status = NDP_OK;
    bool is_moving = true;
    bool is_end = false;
    uint8_t *room = malloc(piece);
    assert_non_null(room);
    *left_bytes = in.size_bytes;
    while (is_moving && !is_end && status == NDP_OK) {
        const size_t size = *left_bytes < piece ? (size_t)*left_bytes : piece;
        uint8_t *exact = malloc(size == 0 ? 1 : size);
        assert_non_null(exact);
        if (size > 0) memcpy(exact, in.data + (in.size_bytes - *left_bytes), size);
        struct ndp_coder_io io = {exact, size, room, piece, size == *left_bytes, false};
        status = coder->step(coder->state, &io);
        assert_int_equal(ndp_buffer_add(out, room, piece - io.out_bytes), NDP_OK);
        is_moving = io.out_bytes < piece || io.in_bytes < size;
        is_end = io.is_end;
        *left_bytes -= size - io.in_bytes;
        free(exact);
    }
    free(room);
    coder->free(coder->state);
    return status == NDP_OK && !is_end ? NDP_TRUNCATED : status;
}

typedef enum ndp_status coder_start(struct ndp_block_pool *pool, struct ndp_coder *out);

/* Returns the result of reading a stream given in hexadecimal digits. */
static inline enum ndp_status coder_status(coder_start *start, const char *hex) {
    struct ndp_arena arena;
    struct ndp_buffer out;
    struct ndp_coder coder;
    struct ndp_bytes packed;
    uint64_t left = 0;
    ndp_arena_init(&arena, CODER_BYTES_MAX);
    ndp_buffer_init(&out, CODER_BYTES_MAX);
    assert_int_equal(ndp_hex_read(&arena, hex, &packed, NULL), NDP_OK);
    assert_int_equal(start(NULL, &coder), NDP_OK);
    const enum ndp_status status = coder_run(&coder, packed, packed.size_bytes, &out, &left);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
    return status;
}

/* Checks that the stream gives the text in pieces of any size, that no proper prefix is complete, and that bytes after
 * it remain unused. */
static inline void coder_check_reader(coder_start *start, const char *hex, struct ndp_bytes text) {
    static const size_t pieces[] = {1, 2, 7, 1000};
    struct ndp_arena arena;
    struct ndp_bytes packed;
    ndp_arena_init(&arena, CODER_BYTES_MAX);
    assert_int_equal(ndp_hex_read(&arena, hex, &packed, NULL), NDP_OK);
    uint8_t *longer = ndp_arena_alloc(&arena, packed.size_bytes + 3);
    assert_non_null(longer);
    memcpy(longer, packed.data, (size_t)packed.size_bytes);
    for (uint64_t size = 0; size <= packed.size_bytes + 3; size++) {
        const bool is_whole = size >= packed.size_bytes;
        for (size_t i = is_whole ? 0 : 3; i < NDP_ARRAY_LEN(pieces); i++) {
            struct ndp_buffer out;
            struct ndp_coder coder;
            uint64_t left = 0;
            ndp_buffer_init(&out, CODER_BYTES_MAX);
            assert_int_equal(start(NULL, &coder), NDP_OK);
            const enum ndp_status status = coder_run(&coder, (struct ndp_bytes){longer, size}, pieces[i], &out, &left);
            assert_int_equal(status, is_whole ? NDP_OK : NDP_TRUNCATED);
            if (is_whole) assert_true(ndp_bytes_is_equal(ndp_buffer_view(&out), text));
            assert_int_equal(left, is_whole ? size - packed.size_bytes : 0);
            ndp_buffer_clear(&out);
        }
    }
    ndp_arena_clear(&arena);
}

/* Checks that each changed bit of the stream is detected or has no effect. */
static inline void coder_check_changes(coder_start *start, const char *hex, struct ndp_bytes text) {
    struct ndp_arena arena;
    struct ndp_bytes packed;
    ndp_arena_init(&arena, CODER_BYTES_MAX);
    assert_int_equal(ndp_hex_read(&arena, hex, &packed, NULL), NDP_OK);
    uint8_t *changed = ndp_arena_copy(&arena, packed.data, packed.size_bytes);
    assert_non_null(changed);
    for (uint64_t bit = 0; bit < 8 * packed.size_bytes; bit++) {
        struct ndp_buffer out;
        struct ndp_coder coder;
        uint64_t left = 0;
        changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        ndp_buffer_init(&out, CODER_BYTES_MAX);
        assert_int_equal(start(NULL, &coder), NDP_OK);
        if (coder_run(&coder, (struct ndp_bytes){changed, packed.size_bytes}, 1000, &out, &left) == NDP_OK)
            assert_true(ndp_bytes_is_equal(ndp_buffer_view(&out), text));
        ndp_buffer_clear(&out);
        changed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    ndp_arena_clear(&arena);
}

/* Checks that the coder, which is freed, compresses the text to the stream given in hexadecimal digits. */
static inline void coder_check_writer(struct ndp_coder *coder, size_t piece, struct ndp_bytes text, const char *hex) {
    struct ndp_buffer out, digits;
    uint64_t left = 0;
    ndp_buffer_init(&out, CODER_BYTES_MAX);
    ndp_buffer_init(&digits, CODER_BYTES_MAX);
    assert_int_equal(coder_run(coder, text, piece, &out, &left), NDP_OK);
    assert_int_equal(ndp_hex_add(&digits, ndp_buffer_view(&out)), NDP_OK);
    assert_int_equal(ndp_buffer_add(&digits, "", 1), NDP_OK);
    assert_string_equal((const char *)digits.data, hex);
    ndp_buffer_clear(&digits);
    ndp_buffer_clear(&out);
}

#endif
