/* Expected: numpy.ma.make_mask_descr of NumPy 1.26.4 and 2.4.6. */

#include "base/suite.h"
#include "model/dtype_samples.h"
#include "model/masked.h"

static const struct ndp_dtype truth = LEAF(BOOL, NONE, 1);
static const struct ndp_dtype truths = SUBARRAY(6, &truth, 2, 3);
static const struct ndp_dtype shorts = SUBARRAY(12, &sample_i2, 2, 3);

/* {"names": ["a", "b"], "formats": ["<i2", "<f4"], "offsets": [4, 0], "itemsize": 9} */
static const struct ndp_dtype turned = STRUCT(9, AT("a", 4, &sample_i2), AT("b", 0, &sample_f4));
static const struct ndp_dtype packed = STRUCT(2, AT("a", 0, &truth), AT("b", 1, &truth));

/* [(("t", "a"), "<i2", (2, 3))] */
static const struct ndp_dtype titled =
    STRUCT(12, {.name = TEXT("a"), .has_title = true, .title = TEXT("t"), .dtype = &shorts});
static const struct ndp_dtype titled_mask =
    STRUCT(6, {.name = TEXT("a"), .has_title = true, .title = TEXT("t"), .dtype = &truths});

static const struct {
    const struct ndp_dtype *dtype, *mask;
} rows[] = {
    {&sample_f8, &truth}, {&sample_bigU2, &truth}, {&sample_time, &truth}, {&turned, &packed}, {&titled, &titled_mask},
};

static void a_mask_has_a_truth_value_for_each_leaf(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_dtype *mask = NULL;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        assert_int_equal(ndp_masked_dtype(&arena, rows[i].dtype, &mask), NDP_OK);
        if (ndp_dtype_compare(mask, rows[i].mask, NULL) != 0) fail_msg("row %zu", i);
        assert_int_equal(ndp_dtype_check(mask, NULL), NDP_OK);
    }
}

static void every_failed_allocation_is_an_error(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        const struct ndp_dtype *mask = NULL;
        NDP_ARENA_SCOPED(other, 1 << 20);
        ndp_arena_fail_at(&other, ++call);
        status = ndp_masked_dtype(&other, rows[4].dtype, &mask);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 3);
}

/* numpy.array(1 + 2j, ">c8").tobytes() and numpy.array(1 + 2j, "<c8").tobytes(): each part is swapped separately. */
static void fill_values_are_converted_leaf_by_leaf(void **state) {
    static const uint8_t big[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}, little[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    uint8_t item[8], whole[16] = {0x3f, 0x80, 0, 0, 0x40};
    NDP_ARENA_SCOPED(arena, 1 << 10);
    memcpy(item, big, sizeof item);
    assert_int_equal(ndp_masked_swap_fill_value(&arena, &sample_bigc8, item), NDP_OK);
    assert_memory_equal(item, little, sizeof item);
    assert_int_equal(ndp_masked_swap_fill_value(&arena, &sample_bigc8, item), NDP_OK);
    assert_memory_equal(item, big, sizeof item);
    assert_int_equal(ndp_masked_swap_fill_value(&arena, &sample_c16, whole), NDP_OK);
    assert_memory_equal(whole, big, sizeof big);
    assert_int_equal(arena.used_bytes, 0);
}

/* Two fields of an item: the offset of the second, and whether each is big-endian. */
static void overlapping_fields_are_converted_when_reversible(void **state) {
    static const struct {
        uint64_t first, second;
        bool is_big_first, is_big_second;
        enum ndp_status status;
        uint8_t turned[5];
    } pairs[] = {
        {0, 2, true, true, NDP_OK, {2, 1, 4, 3, 5}},           {2, 0, true, false, NDP_OK, {1, 2, 4, 3, 5}},
        {0, 1, false, false, NDP_OK, {1, 2, 3, 4, 5}},         {0, 1, true, false, NDP_UNSUPPORTED, {1, 2, 3, 4, 5}},
        {0, 1, false, true, NDP_UNSUPPORTED, {1, 2, 3, 4, 5}}, {3, 3, true, true, NDP_UNSUPPORTED, {1, 2, 3, 4, 5}},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(pairs); i++) {
        const struct ndp_dtype little = {.kind = NDP_KIND_INT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE};
        const struct ndp_dtype big = {.kind = NDP_KIND_INT, .itemsize_bytes = 2, .order = NDP_ORDER_BIG};
        const struct ndp_field fields[] = {
            {.name = {(const uint8_t *)"a", 1},
             .dtype = pairs[i].is_big_first ? &big : &little,
             .offset_bytes = pairs[i].first},
            {.name = {(const uint8_t *)"b", 1},
             .dtype = pairs[i].is_big_second ? &big : &little,
             .offset_bytes = pairs[i].second},
        };
        const struct ndp_dtype both = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = 5, .fields = fields, .field_count = 2};
        uint8_t item[] = {1, 2, 3, 4, 5};
        NDP_ARENA_SCOPED(arena, 1 << 10);
        if (ndp_masked_swap_fill_value(&arena, &both, item) != pairs[i].status) fail_msg("row %zu", i);
        assert_memory_equal(item, pairs[i].turned, sizeof item);
        ndp_arena_fail_at(&arena, 1);
        const enum ndp_status status = ndp_masked_swap_fill_value(&arena, &both, item);
        if (status != NDP_OK && status != NDP_NOMEM) fail_msg("row %zu: without memory", i);
    }
}

NDP_SUITE(masked_test, NDP_TEST(a_mask_has_a_truth_value_for_each_leaf), NDP_TEST(every_failed_allocation_is_an_error),
          NDP_TEST(fill_values_are_converted_leaf_by_leaf), NDP_TEST(overlapping_fields_are_converted_when_reversible));
