/* What is spoilt is refused by numpy.lib.format.read_array of NumPy 2.4.6 under CPython 3.11, as each of these was. */
#include "oracle/npy_spoilt.h"

#include <string.h>

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 40000 };

static bool has(struct ndp_bytes text, const char *word) {
    const uint64_t size = strlen(word);
    for (uint64_t at = 0; at + size <= text.size_bytes; at++)
        if (memcmp(text.data + at, word, (size_t)size) == 0) return true;
    return false;
}

static void check_comes_up(struct ndp_bytes file, const char *word) {
    bool is_found = false;
    for (uint64_t pick = 0; pick < PICKS && !is_found; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_buffer out = {.max_bytes = 1 << 12};
        assert_int_equal(fuzz_npy_spoil(&arena, file, pick, &out), NDP_OK);
        is_found = has(ndp_buffer_view(&out), word);
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
    if (!is_found) fail_msg("%s", word);
}

static void every_fault_comes_up(void **state) {
    (void)state;
    static const char *const words[] = {"(2__0, 3)",
                                        "(2_, 3)",
                                        "(2, 03)",
                                        "(2, 3e0)",
                                        "(2, '3'), ",
                                        "((2,), 3)",
                                        "(2, -1)",
                                        "b'descr'",
                                        "'|u1\\x'",
                                        "'shape\n'",
                                        "('shape'",
                                        "not False",
                                        "False()",
                                        "_False",
                                        "{{'descr'",
                                        " 2, 3)",
                                        "(2 3)",
                                        "\v'|u1'",
                                        "}, ",
                                        "}}",
                                        "}\n1",
                                        "(2, 3,,)",
                                        "{;'descr'",
                                        "\x93NUMPY\4",
                                        "\x93NUMPY\1\2",
                                        "{'': None",
                                        "(018446744073709551616",
                                        "(0299999999999999999999"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) check_comes_up(npy_bytes, words[i]);
}

/* numpy.empty(0, [("a", "u1"), ("b", "u1")]): what is no pair of title and name. */
static void names_are_spoilt(void **state) {
    (void)state;
    static const char *const words[] = {"(('~', 'a', 'a'), '|u1')", "(('b',), '|u1')", "((), '|u1')",
                                        "(('b', 1), '|u1')"};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1, .order = NDP_ORDER_NONE};
    static const struct ndp_field fields[] = {{.name = {(const uint8_t *)"a", 1}, .dtype = &byte},
                                              {.name = {(const uint8_t *)"b", 1}, .dtype = &byte, .offset_bytes = 1}};
    static const struct ndp_dtype dtype = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = fields, .field_count = 2};
    static const struct ndp_layout layout = {.ndim = 1};
    const struct ndp_npy_array array = {.header = {.dtype = &dtype, .ndim = 1}, .layout = layout};
    const struct ndp_elements elements = {&dtype, &layout, NULL};
    struct ndp_buffer file = {.max_bytes = 1 << 10};
    assert_int_equal(ndp_npy_encode_buffer(&elements, 1, &file, NULL), NDP_OK);
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) check_comes_up(ndp_buffer_view(&file), words[i]);
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena room = {.limit_bytes = 1 << 20};
        fuzz_npy_spoilt(&room, &array, pick * 4);
        ndp_arena_clear(&room);
    }
    assert_int_equal(fuzz_hits(), before);
    ndp_buffer_clear(&file);
}

/* Each differs from the file, and its length tells the truth where it has one. */
static void nothing_stays_whole(void **state) {
    (void)state;
    uint64_t cut = 0, told = 0;
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_buffer out = {.max_bytes = 1 << 12};
        assert_int_equal(fuzz_npy_spoil(&arena, npy_bytes, pick, &out), NDP_OK);
        const struct ndp_bytes got = ndp_buffer_view(&out);
        assert_false(ndp_bytes_is_equal(got, npy_bytes));
        if (got.size_bytes < npy_bytes.size_bytes - 1 && memcmp(got.data, npy_bytes.data, got.size_bytes) == 0)
            cut++;
        else if (memcmp(got.data, npy_bytes.data, 8) == 0 &&
                 got.data[8] + 256 * got.data[9] + 10 + 6 == (int)got.size_bytes)
            told++;
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
    assert_in_range(cut, PICKS / 8, PICKS / 2);
    assert_in_range(told, PICKS / 3, PICKS);
}

static void what_is_spoilt_is_refused(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array array = {0};
    decode_file(&arena, &array);
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena room = {.limit_bytes = 1 << 20};
        fuzz_npy_spoilt(&room, &array, pick * 4);
        ndp_arena_clear(&room);
    }
    assert_int_equal(fuzz_hits(), before);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

NDP_SUITE(npy_spoilt_test, cmocka_unit_test(every_fault_comes_up), cmocka_unit_test(names_are_spoilt),
          cmocka_unit_test(nothing_stays_whole), cmocka_unit_test(what_is_spoilt_is_refused));
