#include "base/suite.h"
#include "generate/generate_parts.h"

enum { DRAWS = 3000 };

/* Every seed gives a leaf that NumPy has, within the size limit, without unwanted objects. */
static void leaves_are_as_wished(void **state) {
    uint32_t kinds = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        const struct ndp_dtype_wish wish = {.max_itemsize_bytes = seed % 40, .without_objects = seed % 2 == 0};
        const struct ndp_dtype *leaf = NULL, *repeated = NULL;
        struct ndp_choices choices;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_leaf(&arena, &choices, wish, &leaf), NDP_OK);
        assert_int_equal(ndp_dtype_check(leaf, NULL), NDP_OK);
        assert_true(leaf->kind != NDP_KIND_STRUCT && leaf->kind != NDP_KIND_SUBARRAY);
        assert_true(leaf->itemsize_bytes <= wish.max_itemsize_bytes || leaf->itemsize_bytes <= 1);
        assert_false(wish.without_objects && leaf->kind == NDP_KIND_OBJECT);
        kinds |= UINT32_C(1) << leaf->kind;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_leaf(&arena, &choices, wish, &repeated), NDP_OK);
        assert_int_equal(ndp_dtype_compare(leaf, repeated, NULL), 0);
    }
    /* Every kind of a leaf that each library has occurs. */
    for (uint32_t kind = 0; kind < NDP_KIND_COUNT; kind++)
        if (kind < NDP_KIND_STRUCT) assert_true((kinds >> kind & 1) != 0);
}

/* numpy.dtype(...).byteorder is "
 * " for leaves without a byte order.
 */
static void only_multibyte_leaves_have_an_order(void **state) {
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_INT, 1, NDP_ORDER_BIG), NDP_ORDER_NONE);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_BOOL, 1, NDP_ORDER_BIG), NDP_ORDER_NONE);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_INT, 2, NDP_ORDER_BIG), NDP_ORDER_BIG);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_TEXT, 8, NDP_ORDER_LITTLE), NDP_ORDER_LITTLE);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_BYTES, 8, NDP_ORDER_LITTLE), NDP_ORDER_NONE);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_VOID, 8, NDP_ORDER_BIG), NDP_ORDER_NONE);
    assert_int_equal(ndp_generate_leaf_order(NDP_KIND_OBJECT, 8, NDP_ORDER_BIG), NDP_ORDER_NONE);
}

NDP_SUITE(generate_leaf_test, NDP_TEST(leaves_are_as_wished), NDP_TEST(only_multibyte_leaves_have_an_order));
