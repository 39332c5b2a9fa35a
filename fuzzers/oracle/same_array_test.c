/* same_array_test.c: what is told from an array, and what is not. */
#include "oracle/same_array.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};

/* An array of bytes with these extents and strides. */
static struct ndp_npy_array array_of(uint8_t *data, int64_t rows, int64_t columns, int64_t stride, int64_t next) {
    struct ndp_npy_array array = {.data = data,
                                  .header = {.dtype = &byte, .ndim = 2, .shape = {rows, columns}},
                                  .layout = {.ndim = 2, .shape = {rows, columns}, .strides_bytes = {stride, next}}};
    array.header.size_bytes = (uint64_t)(rows * columns);
    array.header.is_fortran_order = stride == 1 && rows > 1 && columns > 1;
    return array;
}

static bool is_same(struct ndp_npy_array a, enum ndp_status got, struct ndp_npy_array b) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_same_array("test", NDP_OK, &a, got, &b);
    be_loud(loud);
    return fuzz_hits() == before;
}

static void arrays_differ_in_shape_order_and_elements(void **state) {
    (void)state;
    static uint8_t data[] = {1, 2, 3, 4, 5, 6}, other[] = {1, 2, 3, 4, 5, 7};
    const struct ndp_npy_array c = array_of(data, 2, 3, 3, 1), fortran = array_of(data, 2, 3, 1, 2);
    assert_true(is_same(c, NDP_OK, c));
    assert_true(is_same(fortran, NDP_OK, fortran));
    assert_false(is_same(c, NDP_OK, fortran));
    assert_false(is_same(fortran, NDP_OK, c));
    assert_false(is_same(c, NDP_OK, array_of(data, 3, 2, 2, 1)));
    assert_false(is_same(c, NDP_OK, array_of(other, 2, 3, 3, 1)));
    assert_false(is_same(c, NDP_INVALID, c));
}

/* One axis is in both orders, whichever a header says. */
static void one_axis_has_no_order(void **state) {
    (void)state;
    static uint8_t data[] = {1, 2, 3};
    struct ndp_npy_array row = array_of(data, 1, 3, 3, 1), said = array_of(data, 1, 3, 1, 1);
    said.header.is_fortran_order = true;
    assert_true(is_same(row, NDP_OK, said));
    assert_true(is_same(said, NDP_OK, row));
}

NDP_SUITE(same_array_test, cmocka_unit_test(arrays_differ_in_shape_order_and_elements),
          cmocka_unit_test(one_axis_has_no_order));
