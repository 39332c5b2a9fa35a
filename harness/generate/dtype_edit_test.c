/* dtype_edit_test.c: structures keep their layout style. Expected offsets and sizes: numpy.dtype of NumPy 1.23.5 and
 * 2.4.6 for the same fields, packed and with align=True. */
#include "base/arena_fixture.h"
#include "base/suite.h"
#include "generate/dtype_edit.h"
#include "model/dtype_samples.h"

static const struct ndp_dtype u1 = LEAF(UINT, NONE, 1);
static const struct ndp_dtype i4 = LEAF(INT, LITTLE, 4);
static const struct ndp_dtype f8 = LEAF(FLOAT, BIG, 8);
static const struct ndp_dtype i4x3 = SUBARRAY(12, &i4, 3);

/* [('a', 'u1'), ('b', '<i4', (3,)), ('c', 'u1')] */
static const struct ndp_dtype packed = STRUCT(14, AT("a", 0, &u1), AT("b", 1, &i4x3), AT("c", 13, &u1));

/* [('a', 'u1'), ('b', '<i4')] with align=True, then the same offsets without the flag */
static const struct ndp_dtype aligned = ALIGNED_STRUCT(8, AT("a", 0, &u1), AT("b", 4, &i4));
static const struct ndp_dtype gapped = STRUCT(11, AT("a", 0, &u1), AT("b", 4, &i4));

static void nodes_are_numbered_in_preorder(void **state) {
    assert_int_equal(ndp_dtype_nodes(&packed), 5);
    assert_ptr_equal(ndp_dtype_node(&packed, 0), &packed);
    assert_ptr_equal(ndp_dtype_node(&packed, 1), &u1);
    assert_ptr_equal(ndp_dtype_node(&packed, 2), &i4x3);
    assert_ptr_equal(ndp_dtype_node(&packed, 3), &i4);
    assert_ptr_equal(ndp_dtype_node(&packed, 4), &u1);
    assert_null(ndp_dtype_node(&packed, 5));
}

static void a_packed_structure_stays_packed(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_int_equal(ndp_dtype_replace(*state, &packed, 3, &f8, &out), NDP_OK);
    assert_int_equal(out->fields[1].dtype->itemsize_bytes, 24);
    assert_int_equal(out->fields[1].offset_bytes, 1);
    assert_int_equal(out->fields[2].offset_bytes, 25);
    assert_int_equal(out->itemsize_bytes, 26);
    assert_int_equal(ndp_dtype_check(out, NULL), NDP_OK);
    assert_int_equal(packed.itemsize_bytes, 14); /* the source is unchanged */
}

static void an_aligned_structure_stays_aligned(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_int_equal(ndp_dtype_replace(*state, &aligned, 2, &f8, &out), NDP_OK);
    assert_true(out->is_aligned);
    assert_int_equal(out->fields[1].offset_bytes, 8);
    assert_int_equal(out->itemsize_bytes, 16);
    assert_int_equal(ndp_dtype_replace(*state, &aligned, 2, &u1, &out), NDP_OK);
    assert_int_equal(out->fields[1].offset_bytes, 1);
    assert_int_equal(out->itemsize_bytes, 2);
}

/* numpy.dtype({'names': 'ab', 'formats': ['u1', '<i4'], 'offsets': [0, 4], 'itemsize': 16}, align=True) is such a
 * dtype. */
static void a_longer_tail_stays_after_fields_of_the_same_size(void **state) {
    static const struct ndp_dtype f4 = {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE};
    const struct ndp_dtype *out = NULL;
    struct ndp_dtype longer = aligned;
    longer.itemsize_bytes = 16;
    assert_int_equal(ndp_dtype_replace(*state, &longer, 2, &f4, &out), NDP_OK);
    assert_int_equal(out->fields[1].offset_bytes, 4);
    assert_int_equal(out->itemsize_bytes, 16);
    assert_int_equal(ndp_dtype_replace(*state, &longer, 2, &f8, &out), NDP_OK);
    assert_int_equal(out->itemsize_bytes, 16);
    assert_int_equal(out->fields[1].offset_bytes, 8);
}

static void any_other_keeps_its_offsets_and_its_tail(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_int_equal(ndp_dtype_replace(*state, &gapped, 2, &f8, &out), NDP_OK);
    assert_int_equal(out->fields[1].offset_bytes, 4);
    assert_int_equal(out->itemsize_bytes, 15);
    assert_int_equal(ndp_dtype_check(out, NULL), NDP_OK);
}

static void fields_are_removed(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_int_equal(ndp_dtype_without_fields(*state, &packed, 1, 1, &out), NDP_OK);
    assert_int_equal(out->field_count, 2);
    assert_int_equal(out->fields[1].offset_bytes, 1);
    assert_int_equal(out->itemsize_bytes, 2);
    assert_int_equal(ndp_dtype_without_fields(*state, &aligned, 0, 2, &out), NDP_OK);
    assert_int_equal(out->field_count, 0);
    assert_int_equal(out->itemsize_bytes, 0);
    assert_false(out->is_aligned); /* NumPy has no aligned structure without fields */
}

static void a_structure_is_packed(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_true(ndp_dtype_is_packed(&packed));
    assert_false(ndp_dtype_is_packed(&aligned));
    assert_int_equal(ndp_dtype_packed(*state, &aligned, &out), NDP_OK);
    assert_false(out->is_aligned);
    assert_int_equal(out->fields[1].offset_bytes, 1);
    assert_int_equal(out->itemsize_bytes, 5);
}

static void the_root_and_missing_nodes(void **state) {
    const struct ndp_dtype *out = NULL;
    assert_int_equal(ndp_dtype_replace(*state, &packed, 0, &u1, &out), NDP_OK);
    assert_ptr_equal(out, &u1);
    out = NULL;
    assert_int_equal(ndp_dtype_replace(*state, &packed, 5, &u1, &out), NDP_INVALID);
    assert_null(out);
}

NDP_SUITE_FIXTURE(dtype_edit_test, make_arena, clear_arena, NDP_TEST(nodes_are_numbered_in_preorder),
                  NDP_TEST(a_packed_structure_stays_packed), NDP_TEST(an_aligned_structure_stays_aligned),
                  NDP_TEST(a_longer_tail_stays_after_fields_of_the_same_size),
                  NDP_TEST(any_other_keeps_its_offsets_and_its_tail), NDP_TEST(fields_are_removed),
                  NDP_TEST(a_structure_is_packed), NDP_TEST(the_root_and_missing_nodes));
