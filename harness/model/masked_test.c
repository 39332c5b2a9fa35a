/* Expected: numpy.ma.make_mask_descr of NumPy 1.26.4 and 2.4.6, as it is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/dtype_samples.h"
#include "model/masked.h"

static const struct ndp_dtype truth = LEAF(BOOL, NONE, 1);
static const struct ndp_dtype truths = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 6, .base = &truth, .shape = I64(2, 3), .ndim = 2};
static const struct ndp_dtype shorts = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 12, .base = &sample_i2, .shape = I64(2, 3), .ndim = 2};

/* {"names": ["a", "b"], "formats": ["<i2", "<f4"], "offsets": [4, 0], "itemsize": 9} */
static const struct ndp_dtype turned = {.kind = NDP_KIND_STRUCT,
                                        .itemsize_bytes = 9,
                                        .fields = FIELDS({.name = TEXT("a"), .offset_bytes = 4, .dtype = &sample_i2},
                                                         {.name = TEXT("b"), .dtype = &sample_f4}),
                                        .field_count = 2};
static const struct ndp_dtype packed = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 2,
    .fields = FIELDS({.name = TEXT("a"), .dtype = &truth}, {.name = TEXT("b"), .offset_bytes = 1, .dtype = &truth}),
    .field_count = 2};

/* [(("t", "a"), "<i2", (2, 3))] */
static const struct ndp_dtype titled = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 12,
    .fields = FIELDS({.name = TEXT("a"), .has_title = true, .title = TEXT("t"), .dtype = &shorts}),
    .field_count = 1};
static const struct ndp_dtype titled_mask = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 6,
    .fields = FIELDS({.name = TEXT("a"), .has_title = true, .title = TEXT("t"), .dtype = &truths}),
    .field_count = 1};

static const struct {
    const struct ndp_dtype *dtype, *mask;
} rows[] = {
    {&sample_f8, &truth}, {&sample_bigU2, &truth}, {&sample_time, &truth}, {&turned, &packed}, {&titled, &titled_mask},
};

static void a_mask_has_a_truth_value_for_each_leaf(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        const struct ndp_dtype *mask = NULL;
        ndp_arena_init(&arena, 1 << 20);
        assert_int_equal(ndp_mask_dtype(&arena, rows[i].dtype, &mask), NDP_OK);
        if (ndp_dtype_compare(mask, rows[i].mask, NULL) != 0) fail_msg("row %zu", i);
        assert_int_equal(ndp_dtype_check(mask, NULL), NDP_OK);
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        struct ndp_arena other;
        const struct ndp_dtype *mask = NULL;
        ndp_arena_init(&other, 1 << 20);
        ndp_arena_fail_at(&other, ++call);
        status = ndp_mask_dtype(&other, rows[4].dtype, &mask);
        ndp_arena_clear(&other);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 3);
}

/* numpy.array(1 + 2j, ">c8").tobytes() and numpy.array(1 + 2j, "<c8").tobytes(): each part by itself. */
static void fill_values_turn_leaf_by_leaf(void **state) {
    (void)state;
    static const uint8_t big[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}, little[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    uint8_t item[8], whole[16] = {0x3f, 0x80, 0, 0, 0x40};
    memcpy(item, big, sizeof item);
    ndp_fill_value_turn(&sample_bigc8, item);
    assert_memory_equal(item, little, sizeof item);
    ndp_fill_value_turn(&sample_bigc8, item);
    assert_memory_equal(item, big, sizeof item);
    ndp_fill_value_turn(&sample_c16, whole);
    assert_memory_equal(whole, big, sizeof big);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_has_a_truth_value_for_each_leaf),
        cmocka_unit_test(every_lack_of_memory_is_told),
        cmocka_unit_test(fill_values_turn_leaf_by_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
