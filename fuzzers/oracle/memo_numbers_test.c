/* Opcodes of Lib/pickletools.py of CPython 3.11. */
#include "base/suite.h"
#include "oracle/memo_numbers.h"
#include "runtime/hits_fixture.h"

static void test_odd_indexes_are_moved(void **state) {
    /* A list stored at the indexes 1, 301, 7 and 8, and loaded from there; bytes after the end stay. */
    static const char pickle[] = "]q\1r\x2d\1\0\0p7\np8\nh\1j\x2d\1\0\0g7\ng8\n.h\1";
    static const char want[] = "]r\1\0\1\0r\x2d\1\1\0r\7\0\1\0p8\nj\1\0\1\0j\x2d\1\1\0j\7\0\1\0g8\n.h\1";
    struct ndp_buffer moved = {.max_bytes = 1 << 10};
    assert_true(fuzz_renumber_memo((struct ndp_bytes){(const uint8_t *)pickle, sizeof pickle - 1}, 0x10000, 0, &moved));
    assert_int_equal(moved.size_bytes, sizeof want - 1);
    assert_memory_equal(moved.data, want, sizeof want - 1);
    ndp_buffer_clear(&moved);
}

/* 1 and 3 move to 2^28 + 0x101 and 3 * 2^28 + 0x101; 17 does not fit. */
static void test_indexes_differ_in_high_bits(void **state) {
    static const char pickle[] = "]q\1]q\3h\1.", want[] = "]r\1\1\0\x10]r\1\1\0\x30j\1\1\0\x10.";
    struct ndp_buffer moved = {.max_bytes = 1 << 10};
    assert_true(fuzz_renumber_memo((struct ndp_bytes){(const uint8_t *)pickle, sizeof pickle - 1}, 0x101, 28, &moved));
    assert_int_equal(moved.size_bytes, sizeof want - 1);
    assert_memory_equal(moved.data, want, sizeof want - 1);
    assert_false(fuzz_renumber_memo(ndp_bytes_view("]q\x11h\x11."), 0x101, 28, &moved));
    ndp_buffer_clear(&moved);
}

static void test_other_pickles_are_left_out(void **state) {
    static const char *const pickles[] = {
        "", "N.", "]\x94h\1.", "\x95\3]]]]]]]]q\1.", "]px\n.", "]p7", "]p4294967295\n.", "]p\n.", "]q\1]p256\n0h\1."};
    struct ndp_buffer moved = {.max_bytes = 1 << 10};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++)
        if (fuzz_renumber_memo(ndp_bytes_view(pickles[i]), 256, 0, &moved)) fail_msg("row %zu", i);
    ndp_buffer_clear(&moved);
}

NDP_SUITE(memo_numbers_test, NDP_TEST(test_odd_indexes_are_moved), NDP_TEST(test_indexes_differ_in_high_bits),
          NDP_TEST(test_other_pickles_are_left_out));
