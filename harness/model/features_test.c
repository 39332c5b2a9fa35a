#include "model/array.h"
#include "model/dtype_samples.h"

#include "base/suite.h"

#include <stdio.h>

enum { MEMORY_BYTES = 1 << 22 };

#define F(name) NDP_FEATURE_##name
#define PLAIN   (F(NATIVE_ORDER) | F(C_CONTIGUOUS) | F(F_CONTIGUOUS))

static const struct ndp_dtype titled = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 10,
    .fields = FIELDS({.name = TEXT("\xce\xb1"), .title = TEXT("T"), .has_title = true, .dtype = &sample_bigi8},
                     {.name = TEXT("b"), .offset_bytes = 8, .dtype = &sample_bigi2}),
    .field_count = 2,
};
static const struct ndp_dtype noted = {
    .kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8, .metadata = TEXT("{}")};
static const struct ndp_dtype latin = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 8,
    .fields = FIELDS({.name = TEXT("\xc3\xa9"), .dtype = &sample_O}),
    .field_count = 1,
};

struct features_case {
    const char *what;
    const struct ndp_dtype *dtype;
    uint32_t ndim;
    int64_t shape[3];
    enum ndp_memory_order order;
    bool is_map;
    bool is_readonly;
    uint32_t misalign_bytes;
    uint32_t view_count;
    struct ndp_view views[3];
    uint32_t features;
};

#define RESHAPE(count, ...)                                                                                            \
    { .op = NDP_VIEW_RESHAPE, .ndim = (count), .shape = I64(__VA_ARGS__) }
#define TRANSPOSE(count, ...)                                                                                          \
    { .op = NDP_VIEW_TRANSPOSE, .ndim = (count), .axes = U32(__VA_ARGS__) }

/* Expected: the definition of each feature in array.h; contiguity as in NumPy's flags of the same array. */
static const struct features_case cases[] = {
    {.what = "1-d", .dtype = &sample_i8, .ndim = 1, .shape = {3}, .features = PLAIN},
    {.what = "C", .dtype = &sample_i8, .ndim = 2, .shape = {2, 3}, .features = F(NATIVE_ORDER) | F(C_CONTIGUOUS)},
    {.what = "F",
     .dtype = &sample_i8,
     .ndim = 2,
     .shape = {2, 3},
     .order = NDP_MEMORY_F,
     .features = F(NATIVE_ORDER) | F(F_CONTIGUOUS)},
    {.what = "0-d", .dtype = &sample_i8, .features = PLAIN | F(ZERO_DIM)},
    {.what = "zero", .dtype = &sample_i8, .ndim = 2, .shape = {0, 3}, .features = PLAIN | F(ZERO_SIZE)},
    {.what = "permuted",
     .dtype = &sample_i8,
     .ndim = 3,
     .shape = {2, 3, 4},
     .view_count = 1,
     .views = {TRANSPOSE(3, 1, 0, 2)},
     .features = F(NATIVE_ORDER) | F(PERMUTED)},
    {.what = "gap",
     .dtype = &sample_i8,
     .ndim = 1,
     .shape = {4},
     .view_count = 1,
     .views = {{.op = NDP_VIEW_SLICE, .ndim = 1, .slices = (const struct ndp_slice[]){{0, 2, 2}}}},
     .features = F(NATIVE_ORDER)},
    {.what = "1-d base seen as 2-d",
     .dtype = &sample_i8,
     .ndim = 1,
     .shape = {6},
     .view_count = 1,
     .views = {RESHAPE(2, 2, 3)},
     .features = F(NATIVE_ORDER) | F(C_CONTIGUOUS) | F(BASE_1D)},
    {.what = "copied by a view",
     .dtype = &sample_i8,
     .ndim = 2,
     .shape = {2, 3},
     .view_count = 2,
     .views = {TRANSPOSE(2, 1, 0), RESHAPE(1, 6)},
     .features = PLAIN | F(DETACHED)},
    {.what = "readonly",
     .dtype = &sample_i8,
     .ndim = 1,
     .shape = {2},
     .is_readonly = true,
     .features = PLAIN | F(READONLY)},
    {.what = "unaligned",
     .dtype = &sample_i8,
     .ndim = 1,
     .shape = {2},
     .misalign_bytes = 4,
     .features = PLAIN | F(UNALIGNED)},
    {.what = "map",
     .dtype = &sample_i8,
     .ndim = 1,
     .shape = {2},
     .is_map = true,
     .features = PLAIN | F(MAP) | F(SUBCLASS) | F(READONLY)},
    {.what = "big", .dtype = &sample_bigf8, .ndim = 1, .shape = {2}, .features = (PLAIN & ~F(NATIVE_ORDER)) | F(BIG)},
    {.what = "long double", .dtype = &sample_f16, .ndim = 1, .shape = {2}, .features = PLAIN | F(LONGDOUBLE)},
    {.what = "time", .dtype = &sample_time, .ndim = 1, .shape = {2}, .features = PLAIN | F(TIME)},
    {.what = "text", .dtype = &sample_U2, .ndim = 1, .shape = {2}, .features = PLAIN | F(TEXT)},
    {.what = "V0", .dtype = &sample_V0, .ndim = 1, .shape = {2}, .features = PLAIN | F(VOID) | F(ITEMSIZE_ZERO)},
    {.what = "metadata", .dtype = &noted, .ndim = 1, .shape = {2}, .features = PLAIN | F(METADATA)},
    {.what = "latin-1 name of an object",
     .dtype = &latin,
     .ndim = 1,
     .shape = {2},
     .features = PLAIN | F(STRUCTURED) | F(OBJECT)},
    {.what = "all fields big",
     .dtype = &titled,
     .ndim = 1,
     .shape = {2},
     .features =
         (PLAIN & ~F(NATIVE_ORDER)) | F(STRUCTURED) | F(BIG) | F(ALL_FIELDS_BIG) | F(TITLES) | F(NON_LATIN_NAMES)},
    {.what = "aligned structure",
     .dtype = &sample_aligned,
     .ndim = 1,
     .shape = {2},
     .features = PLAIN | F(STRUCTURED) | F(ALIGNED_STRUCT) | F(PADDING)},
    {.what = "structure of all sorts",
     .dtype = &sample_pack,
     .ndim = 1,
     .shape = {2},
     .features = (PLAIN & ~F(NATIVE_ORDER)) | F(STRUCTURED) | F(SUBARRAY) | F(BIG) | F(VOID) | F(PADDING) | F(OVERLAP)},
};

static void each_feature_is_seen(void **state) {
    uint32_t seen = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct features_case *row = &cases[i];
        struct ndp_arena arena;
        struct ndp_array array;
        ndp_arena_init(&arena, MEMORY_BYTES);
        const struct ndp_array_value value = {
            .base = {.dtype = row->dtype,
                     .ndim = row->ndim,
                     .shape = row->shape,
                     .order = row->order,
                     .has_map = row->is_map,
                     .misalign_bytes = row->misalign_bytes},
            .views = row->views,
            .view_count = row->view_count,
            .is_readonly = row->is_readonly,
        };
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, NULL), NDP_OK);
        if (ndp_array_features(&array) != row->features) fail_msg("%s: %x", row->what, ndp_array_features(&array));
        seen |= row->features;
        ndp_arena_clear(&arena);
    }
    /* Tested separately below. */
    seen |= F(OVER_32_DIMS) | F(LONG_HEADER) | F(PADDING_NAME);
    assert_int_equal(seen, (UINT64_C(1) << NDP_FEATURE_COUNT) - 1);
}

static void more_than_32_axes(void **state) {
    struct ndp_array array = {.dtype = &sample_i8};
    array.layout.ndim = 33;
    for (uint32_t i = 0; i < 33; i++) array.layout.shape[i] = 1;
    assert_true(ndp_array_features(&array) & F(OVER_32_DIMS));
    array.layout.ndim = 32;
    assert_false(ndp_array_features(&array) & F(OVER_32_DIMS));
}

/* numpy.lib.format writes ('', '|Vn') for padding, so a void field without a name reads back as padding. */
static void void_without_a_name_looks_like_padding(void **state) {
    struct ndp_field field = {.name = TEXT(""), .dtype = &sample_V3};
    const struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 3, .fields = &field, .field_count = 1};
    const struct ndp_array array = {.dtype = &dtype};
    assert_true(ndp_array_features(&array) & F(PADDING_NAME));
    field.name = ndp_bytes_view("v");
    assert_false(ndp_array_features(&array) & F(PADDING_NAME));
}

/* repr(dtype.descr) of fields ('fNNNN', '|u1') takes 18 characters per field; numpy.load refuses headers over 10000 by
 * default. */
static void a_long_header(void **state) {
    static struct ndp_field fields[600];
    static char names[600][8];
    struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT, .fields = fields};
    const struct ndp_array array = {.dtype = &dtype};
    for (uint64_t i = 0; i < 600; i++) {
        snprintf(names[i], sizeof names[i], "f%04lu", (unsigned long)i);
        fields[i] = (struct ndp_field){.name = ndp_bytes_view(names[i]), .offset_bytes = i, .dtype = &sample_u1};
    }
    dtype.field_count = dtype.itemsize_bytes = 600;
    assert_true(ndp_array_features(&array) & F(LONG_HEADER));
    dtype.field_count = dtype.itemsize_bytes = 500;
    assert_false(ndp_array_features(&array) & F(LONG_HEADER));
}

NDP_SUITE(features_test, cmocka_unit_test(each_feature_is_seen), cmocka_unit_test(more_than_32_axes),
          cmocka_unit_test(void_without_a_name_looks_like_padding), cmocka_unit_test(a_long_header));
