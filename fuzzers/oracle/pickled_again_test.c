/* What is pickled again is what was unpickled, and the oracle sees when it is told of something else. */
#include "oracle/pickled_again.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

/* How often the oracle finds fault with an array of other elements, in any protocol. */
static uint64_t hits(const uint8_t *elements, int64_t columns) {
    static uint8_t data[] = {1, 2, 3, 4, 5, 6};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_pickle_array array = {.dtype = &byte, .data = data, .size_bytes = sizeof data, .is_writeable = true};
    struct ndp_layout layout;
    const int64_t shape[] = {2, 3}, other[] = {2, columns};
    assert_int_equal(ndp_layout_contiguous(&array.layout, shape, 2, 1, NDP_MEMORY_C, 0), NDP_OK);
    assert_int_equal(ndp_layout_contiguous(&layout, other, 2, 1, NDP_MEMORY_C, 0), NDP_OK);
    const struct ndp_elements said = {&byte, &layout, elements};
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    for (uint32_t protocol = 0; protocol < 6; protocol++) fuzz_pickled_again(&arena, &array, &said, protocol);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void arrays_come_out_as_they_went_in(void **state) {
    (void)state;
    static const uint8_t same[] = {1, 2, 3, 4, 5, 6}, other[] = {1, 2, 3, 4, 5, 7};
    enum { ONE_EACH = 7 }; /* and two in protocol 5 */
    assert_int_equal(hits(same, 3), 0);
    assert_int_equal(hits(other, 3), ONE_EACH);
    assert_int_equal(hits(same, 2), ONE_EACH);
}

static void names_are_those_of_a_release(void **state) {
    (void)state;
    static const struct {
        const char *pickle;
        bool is_of_1, is_of_2;
    } rows[] = {{"cnumpy.core.multiarray\n_reconstruct\n", true, false},
                {"\x80\x02"
                 "cnumpy._core.multiarray\n_reconstruct\n",
                 false, true},
                {"0123456789012345678901234567890numpy.core.", true, false},
                {"01234567890123456789012345678901numpy.core.", false, false},
                {"cnumpy.core", false, false},
                {"", false, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_int_equal(fuzz_is_of_release(ndp_bytes_view(rows[i].pickle), true), rows[i].is_of_1);
        assert_int_equal(fuzz_is_of_release(ndp_bytes_view(rows[i].pickle), false), rows[i].is_of_2);
    }
}

NDP_SUITE(pickled_again_test, cmocka_unit_test(arrays_come_out_as_they_went_in),
          cmocka_unit_test(names_are_those_of_a_release));
