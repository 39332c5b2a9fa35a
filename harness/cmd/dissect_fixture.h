/* dissect_fixture.h: dissects bytes given as digits for the tests of this folder. */
#ifndef NDP_DISSECT_FIXTURE_H
#define NDP_DISSECT_FIXTURE_H

#include "base/suite.h"
#include "cmd/dissect.h"
#include "cmd/printed_fixture.h"

/* Gives the output for the bytes of `hex`; the caller frees it. `first_bytes` below the size cuts the input. */
static inline char *dissect_hex(const char *format, const char *hex, uint64_t first_bytes) {
    struct printed printed;
    struct ndp_bytes bytes;
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 26);
    assert_int_equal(ndp_hex_read(&arena, hex, &bytes, NULL), NDP_OK);
    if (first_bytes < bytes.size_bytes) bytes.size_bytes = first_bytes;
    FILE *out = printed_open(&printed);
    assert_int_equal(ndp_dissect(out, &arena, format, bytes), NDP_OK);
    char *text = strdup(printed_text(&printed));
    assert_non_null(text);
    printed_close(&printed);
    return text;
}

/* The parts, up to NULL, are in the output in this order. */
static inline void expect_parts(const char *format, const char *hex, uint64_t first_bytes, const char *const *parts) {
    char *text = dissect_hex(format, hex, first_bytes);
    const char *at = text;
    for (; *parts != NULL; parts++) {
        const char *found = strstr(at, *parts);
        if (found == NULL) fail_msg("no \"%s\" in order in\n%s", *parts, text);
        at = found + strlen(*parts);
    }
    free(text);
}

#define EXPECT_PARTS(format, hex, first_bytes, ...)                                                                    \
    expect_parts(format, hex, first_bytes, (const char *const[]){__VA_ARGS__, NULL})

#endif
