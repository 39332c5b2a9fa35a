/* What headers say is as NumPy 2.4.6 writes them (numpy.lib.format.write_array_header_1_0), and what strides are is as
 * numpy.empty(...).strides. */
#include "said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/byteorder.h"
#include "fuzz.h"

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    return 0;
}

/* Ten bytes that nobody looks at, and the text. */
#define HEADER(text)                                                                                                   \
    { (const uint8_t *)"\x93NUMPY\1\0vv" text, sizeof(text) + 9 }

static void headers_say_one_array(void **state) {
    (void)state;
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 16, .order = NDP_ORDER_LITTLE};
    static const struct {
        struct ndp_bytes file;
        bool is_so;
    } rows[] = {
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }"), true},
        {HEADER("{'descr': '=c16', 'fortran_order': False, 'shape': (2, 3,), }  \n"), true},
        {HEADER("{'descr': '>c16', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<f16', 'fortran_order': False, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (3, 2), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }"), false},
        {HEADER("{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3, 1), }"), false},
        {HEADER("{'shape': (9,), 'descr': '<c8', 'fortran_order': False, }"), true}, /* not NumPy's spelling */
        {HEADER(""), true},
    };
    if (!ndp_host_is_little_endian()) skip();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_npy_header header = {
            .major = 1, .dtype = &dtype, .ndim = 2, .shape = {2, 3}, .data_offset_bytes = rows[i].file.size_bytes};
        if (fuzz_header_says(rows[i].file, &header) != rows[i].is_so) fail_msg("row %zu", i);
        assert_int_equal(fuzz_header_chars(rows[i].file, &header), rows[i].file.size_bytes - 10);
    }
}

static void strides_follow_the_order(void **state) {
    (void)state;
    const struct ndp_layout c = {.ndim = 3, .shape = {2, 1, 3}, .strides_bytes = {24, 99, 8}};
    const struct ndp_layout f = {.ndim = 3, .shape = {2, 1, 3}, .strides_bytes = {8, 99, 16}};
    const struct ndp_layout none = {.ndim = 2, .shape = {0, 2}, .strides_bytes = {1, 2}};
    assert_true(fuzz_is_contiguous(&c, 8, false) && !fuzz_is_contiguous(&c, 8, true));
    assert_true(fuzz_is_contiguous(&f, 8, true) && !fuzz_is_contiguous(&f, 8, false));
    assert_true(fuzz_is_contiguous(&none, 8, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers_say_one_array),
                                       cmocka_unit_test(strides_follow_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
