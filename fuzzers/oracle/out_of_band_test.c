/* The pickle is that of CPython 3.11: pickle.dumps(bytearray(b"abc"), 5), and what pickletools.dis shows of it when the
 * buffer is handed over beside it, PEP 574. */
#include "oracle/out_of_band.h"

#include <string.h>

#include "base/suite.h"
#include "fuzz.h"

#define WHOLE                                                                                                          \
    "\x80\x05\x95\x0e\0\0\0\0\0\0\0\x96\x03\0\0\0\0\0\0\0"                                                             \
    "abc\x94."
#define TAKEN "\x80\x05\x97\x30\x95\x06\0\0\0\0\0\0\0\x97\x32\x98\x30\x94."

static void byte_arrays_are_taken_out(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct fuzz_out_of_band made;
    const struct ndp_bytes whole = {(const uint8_t *)WHOLE, sizeof WHOLE - 1};
    assert_true(fuzz_take_out(&arena, whole, &made));
    assert_int_equal(made.count, 2);
    assert_memory_equal(made.buffers[1].bytes.data, "abc", 3);
    assert_int_equal(made.buffers[0].bytes.size_bytes, 3);
    assert_int_equal(made.pickle.size_bytes, sizeof TAKEN - 1);
    assert_memory_equal(made.pickle.data, TAKEN, sizeof TAKEN - 1);
    ndp_arena_clear(&arena);
}

static void without_byte_arrays_there_is_nothing(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct fuzz_out_of_band made;
    static const char *const pickles[] = {"", "\x80\x05N.",
                                          "\x80\x05"
                                          "C\x01\x96."};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++)
        assert_false(fuzz_take_out(&arena, ndp_bytes_view(pickles[i]), &made));
    ndp_arena_clear(&arena);
}

NDP_SUITE(out_of_band_test, cmocka_unit_test(byte_arrays_are_taken_out),
          cmocka_unit_test(without_byte_arrays_there_is_nothing));
