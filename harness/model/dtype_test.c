#include "base/suite.h"
#include "model/dtype.h"
#include "model/dtype_samples.h"

enum { MEMORY_BYTES = 1 << 16 };

static bool sees_native(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    (void)offset_bytes;
    (void)path;
    *(bool *)context |= leaf->order == NDP_ORDER_NATIVE;
    return true;
}

static void resolving_leaves_no_native_order(void **state) {
    const struct ndp_dtype *little, *big;
    bool is_native = false;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    assert_int_equal(ndp_dtype_resolve(&arena, &sample_native, true, &little), NDP_OK);
    assert_int_equal(ndp_dtype_resolve(&arena, &sample_native, false, &big), NDP_OK);
    ndp_dtype_visit(little, sees_native, &is_native);
    assert_false(is_native);
    assert_int_equal(little->fields[0].dtype->order, NDP_ORDER_NONE);
    assert_int_equal(little->fields[1].dtype->order, NDP_ORDER_LITTLE);
    assert_int_equal(big->fields[1].dtype->order, NDP_ORDER_BIG);
    assert_int_equal(sample_native.fields[1].dtype->order, NDP_ORDER_NATIVE);
    assert_int_equal(ndp_dtype_compare(little, big, NULL), NDP_DTYPE_ORDER);
}

static void nothing_to_resolve_gives_the_same_tree(void **state) {
    const struct ndp_dtype *out;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    assert_int_equal(ndp_dtype_resolve(&arena, &sample_pack, true, &out), NDP_OK);
    assert_ptr_equal(out, &sample_pack);
    assert_int_equal(arena.allocations, 0);
}

/* numpy.dtype.newbyteorder('>'): every leaf of several bytes, sub-arrays and nested structures included. */
static void every_wide_leaf_takes_the_order(void **state) {
    const struct ndp_dtype *out;
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    assert_int_equal(ndp_dtype_with_order(&arena, &sample_pack, NDP_ORDER_BIG, &out), NDP_OK);
    assert_int_equal(out->fields[0].dtype->order, NDP_ORDER_BIG);
    assert_ptr_equal(out->fields[1].dtype, &sample_sub23);
    assert_int_equal(out->fields[2].dtype->fields[0].dtype->order, NDP_ORDER_BIG);
    assert_int_equal(out->fields[2].dtype->fields[1].dtype->order, NDP_ORDER_NONE);
    assert_int_equal(ndp_dtype_compare(&sample_pack, out, NULL), NDP_DTYPE_ORDER);
}

static void every_failed_allocation_is_an_error(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 1;
    for (; status != NDP_OK; call++) {
        const struct ndp_dtype *out = NULL;
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        ndp_arena_fail_at(&arena, call);
        status = ndp_dtype_with_order(&arena, &sample_pack, NDP_ORDER_BIG, &out);
        if (status != NDP_OK) {
            assert_int_equal(status, NDP_NOMEM);
            assert_null(out);
        }
    }
    assert_true(call > 6);
}

/* A copy shares no node or text, including sub-arrays, titles and metadata. */
static void a_copy_shares_nothing(void **state) {
    struct ndp_dtype units = sample_sub23, whole = sample_pack;
    struct ndp_field fields[3];
    const struct ndp_dtype *out = NULL;
    struct ndp_arena arena;
    assert_in_range(sample_pack.field_count, 2, NDP_ARRAY_LEN(fields));
    memcpy(fields, sample_pack.fields, sample_pack.field_count * sizeof *fields);
    units.metadata = ndp_bytes_view("{\"unit\":\"m\"}");
    fields[1].dtype = &units;
    fields[1].title = ndp_bytes_view("a title");
    fields[1].has_title = true;
    whole.fields = fields;
    assert_int_equal(ndp_dtype_check(&whole, NULL), NDP_OK);
    enum ndp_status status = NDP_NOMEM;
    for (uint64_t call = 1; status != NDP_OK; call++) {
        ndp_arena_init(&arena, MEMORY_BYTES);
        ndp_arena_fail_at(&arena, call);
        status = ndp_dtype_copy(&arena, &whole, &out);
        if (status == NDP_OK) break;
        assert_int_equal(status, NDP_NOMEM);
        assert_null(out);
        ndp_arena_clear(&arena);
    }
    assert_int_equal(ndp_dtype_compare(&whole, out, NULL), 0);
    assert_ptr_not_equal(out->fields, fields);
    assert_ptr_not_equal(out->fields[0].dtype, fields[0].dtype);
    assert_ptr_not_equal(out->fields[0].name.data, fields[0].name.data);
    assert_ptr_not_equal(out->fields[1].title.data, fields[1].title.data);
    assert_ptr_not_equal(out->fields[1].dtype->base, units.base);
    assert_ptr_not_equal(out->fields[1].dtype->shape, units.shape);
    assert_ptr_not_equal(out->fields[1].dtype->metadata.data, units.metadata.data);
    ndp_arena_clear(&arena);
}

struct alignment_case {
    const char *typestr;
    uint64_t alignment_bytes;
};

/* numpy.dtype(typestr).alignment of NumPy 1.26.4 and 2.4.6 on x86-64 Linux. */
static const struct alignment_case alignments[] = {
    {"|b1", 1}, {"|i1", 1},  {"<i2", 2},   {">i4", 4}, {"<u8", 8}, {"<f2", 2}, {"<f4", 4},     {"<f8", 8}, {"<f16", 16},
    {"<c8", 4}, {"<c16", 8}, {"<c32", 16}, {"|S3", 1}, {"<U3", 4}, {"|V5", 1}, {"<M8[ns]", 8}, {"|O", 8},
};

static void alignments_are_those_of_numpy(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(alignments); i++) {
        struct ndp_dtype dtype;
        assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(alignments[i].typestr), &dtype, NULL), NDP_OK);
        if (ndp_dtype_alignment(&dtype) != alignments[i].alignment_bytes) fail_msg("%s", alignments[i].typestr);
    }
    /* numpy.dtype(...).alignment on s390x. */
    static const struct ndp_dtype longdouble = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_BIG, .itemsize_bytes = 16};
    static const struct ndp_dtype clongdouble = {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 32};
    static const struct ndp_dtype complex128 = {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 16};
    assert_int_equal(ndp_dtype_alignment_on(&longdouble, 8), 8);
    assert_int_equal(ndp_dtype_alignment_on(&clongdouble, 8), 8);
    assert_int_equal(ndp_dtype_alignment_on(&complex128, 8), 8);
    assert_int_equal(ndp_dtype_alignment_on(&longdouble, 0), 16);
    assert_int_equal(ndp_dtype_alignment(&sample_pack), 1);
    assert_int_equal(ndp_dtype_alignment(&sample_aligned), 8);
    assert_int_equal(ndp_dtype_alignment(&sample_sub23), 2);
}

NDP_SUITE(dtype_test, NDP_TEST(resolving_leaves_no_native_order), NDP_TEST(nothing_to_resolve_gives_the_same_tree),
          NDP_TEST(every_wide_leaf_takes_the_order), NDP_TEST(every_failed_allocation_is_an_error),
          NDP_TEST(a_copy_shares_nothing), NDP_TEST(alignments_are_those_of_numpy));
