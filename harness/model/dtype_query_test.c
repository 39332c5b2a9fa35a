#include "base/suite.h"
#include "model/dtype_samples.h"

/* Two fields of two bytes: their offsets in an item of `itemsize_bytes`. NumPy 2.4.6: fields overlap when dtype.descr
 * is undefined; there is padding when dtype.descr has a ('', '|Vn') entry, or for overlapping fields when no field
 * covers a byte. */
struct pair {
    uint64_t first_bytes;
    uint64_t second_bytes;
    uint64_t itemsize_bytes;
    bool has_overlap;
    bool has_padding;
};
static const struct pair pairs[] = {
    {0, 2, 4, false, false}, {0, 2, 5, false, true}, {1, 3, 5, false, true}, {0, 3, 5, false, true},
    {2, 0, 4, true, false},  {0, 1, 3, true, false}, {0, 0, 2, true, false}, {0, 0, 4, true, true},
    {3, 0, 5, true, true},   {1, 2, 4, true, true},
};

static void overlap_and_padding_are_found(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(pairs); i++) {
        const struct pair *row = &pairs[i];
        const struct ndp_field fields[] = {
            AT("a", row->first_bytes, &sample_i2),
            AT("b", row->second_bytes, &sample_i2),
        };
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = row->itemsize_bytes, .fields = fields, .field_count = 2};
        if (ndp_dtype_has_overlap(&dtype) != row->has_overlap) fail_msg("row %zu: overlap", i);
        if (ndp_dtype_has_padding(&dtype) != row->has_padding) fail_msg("row %zu: padding", i);
    }
}

static void padding_of_many_fields_in_any_order(void **state) {
    struct ndp_field fields[] = {
        {.offset_bytes = 4, .dtype = &sample_i2}, {.offset_bytes = 0, .dtype = &sample_i2},
        {.offset_bytes = 6, .dtype = &sample_i2}, {.offset_bytes = 2, .dtype = &sample_i2},
        {.offset_bytes = 3, .dtype = &sample_i4},
    };
    struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 8, .fields = fields, .field_count = 5};
    assert_false(ndp_dtype_has_padding(&dtype));
    fields[3].offset_bytes = 0;
    assert_true(ndp_dtype_has_padding(&dtype));
}

static void an_empty_structure_with_a_size_is_padding(void **state) {
    const struct ndp_dtype empty = {.kind = NDP_KIND_STRUCT};
    const struct ndp_dtype sized = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 4};
    assert_false(ndp_dtype_has_padding(&empty));
    assert_true(ndp_dtype_has_padding(&sized));
    assert_false(ndp_dtype_has_overlap(&sized));
}

static const struct ndp_dtype titled = STRUCT(8, TITLED("a", "T", 0, &sample_O));
static const struct ndp_dtype noted = {
    .kind = NDP_KIND_INT, .order = NDP_ORDER_BIG, .itemsize_bytes = 2, .metadata = TEXT("{}")};
static const struct ndp_dtype array = SUBARRAY(16, &titled, 2);
static const struct ndp_dtype outer = STRUCT(18, AT("x", 0, &array), AT("y", 16, &noted));

static const struct ndp_dtype bare = {.kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 2, .base = &noted};
static const struct ndp_dtype with_bare = STRUCT(2, AT("x", 0, &bare));

static void questions_look_at_the_whole_tree(void **state) {
    assert_true(ndp_dtype_has_object(&outer) && !ndp_dtype_has_object(&noted));
    assert_true(ndp_dtype_has_titles(&outer) && !ndp_dtype_has_titles(&sample_pack));
    assert_true(ndp_dtype_has_metadata(&outer) && !ndp_dtype_has_metadata(&array));
    assert_true(ndp_dtype_has_order(&outer, NDP_ORDER_BIG) && !ndp_dtype_has_order(&outer, NDP_ORDER_LITTLE));
    assert_true(ndp_dtype_has_order(&array, NDP_ORDER_NONE) && !ndp_dtype_has_order(&sample_sub, NDP_ORDER_NONE));
    assert_true(ndp_dtype_has_kind(&outer, NDP_KIND_SUBARRAY) && !ndp_dtype_has_kind(&outer, NDP_KIND_VOID));
    assert_true(ndp_dtype_has_padding(&sample_pack) && !ndp_dtype_has_padding(&outer));
    assert_true(ndp_dtype_has_overlap(&sample_pack) && !ndp_dtype_has_overlap(&outer));
    assert_true(ndp_dtype_has_bare_subarray(&with_bare) && !ndp_dtype_has_bare_subarray(&outer));
}

NDP_SUITE(dtype_query_test, NDP_TEST(overlap_and_padding_are_found), NDP_TEST(padding_of_many_fields_in_any_order),
          NDP_TEST(an_empty_structure_with_a_size_is_padding), NDP_TEST(questions_look_at_the_whole_tree));
