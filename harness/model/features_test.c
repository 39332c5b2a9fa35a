#include "base/suite.h"
#include "model/array.h"
#include "model/dtype_samples.h"

enum { MEMORY_BYTES = 1 << 22, MAX_VIEWS = 3 };

#define F(name) NDP_FEATURE_##name
#define PLAIN   (F(NATIVE_ORDER) | F(C_CONTIGUOUS) | F(F_CONTIGUOUS))

static const struct ndp_dtype titled = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 10,
    .fields = FIELDS(TITLED("\xce\xb1", "T", 0, &sample_bigi8), AT("b", 8, &sample_bigi2)),
    .field_count = 2,
};
static const struct ndp_dtype noted = {
    .kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8, .metadata = TEXT("{}")};
static const struct ndp_dtype latin = STRUCT(8, AT("\xc3\xa9", 0, &sample_O));

struct features_case {
    const char *what;
    const struct ndp_dtype *dtype;
    uint32_t ndim;
    int64_t shape[3];
    uint32_t features;
    uint32_t view_count;
    struct ndp_view views[MAX_VIEWS];
    enum ndp_memory_order order;
    bool is_map;
    bool is_readonly;
    uint32_t misalign_bytes;
};

/* Expected: the definition of each feature in array.h; contiguity as in NumPy's flags of the same array. */
static const struct features_case cases[] = {
    {"1-d", &sample_i8, 1, {3}, PLAIN, NO_VIEWS},
    {"C", &sample_i8, 2, {2, 3}, F(NATIVE_ORDER) | F(C_CONTIGUOUS), NO_VIEWS},
    {"F", &sample_i8, 2, {2, 3}, F(NATIVE_ORDER) | F(F_CONTIGUOUS), NO_VIEWS, .order = NDP_MEMORY_F},
    {"0-d", &sample_i8, 0, {0}, PLAIN | F(ZERO_DIM), NO_VIEWS},
    {"zero", &sample_i8, 2, {0, 3}, PLAIN | F(ZERO_SIZE), NO_VIEWS},
    {"permuted", &sample_i8, 3, {2, 3, 4}, F(NATIVE_ORDER) | F(PERMUTED), VIEW_LIST(1, TRANSPOSE(3, 1, 0, 2))},
    {"gap", &sample_i8, 1, {4}, F(NATIVE_ORDER), VIEW_LIST(1, SLICE(0, 2, 2))},
    {"1-d base seen as 2-d",
     &sample_i8,
     1,
     {6},
     F(NATIVE_ORDER) | F(C_CONTIGUOUS) | F(BASE_1D),
     VIEW_LIST(1, RESHAPE(2, 3))},
    {"copied by a view", &sample_i8, 2, {2, 3}, PLAIN | F(DETACHED), VIEW_LIST(2, TRANSPOSE(2, 1, 0), RESHAPE(6))},
    {"readonly", &sample_i8, 1, {2}, PLAIN | F(READONLY), NO_VIEWS, .is_readonly = true},
    {"unaligned", &sample_i8, 1, {2}, PLAIN | F(UNALIGNED), NO_VIEWS, .misalign_bytes = 4},
    {"map", &sample_i8, 1, {2}, PLAIN | F(MAP) | F(SUBCLASS) | F(READONLY), NO_VIEWS, .is_map = true},
    {"big", &sample_bigf8, 1, {2}, (PLAIN & ~F(NATIVE_ORDER)) | F(BIG), NO_VIEWS},
    {"long double", &sample_f16, 1, {2}, PLAIN | F(LONGDOUBLE), NO_VIEWS},
    {"time", &sample_time, 1, {2}, PLAIN | F(TIME), NO_VIEWS},
    {"text", &sample_U2, 1, {2}, PLAIN | F(TEXT), NO_VIEWS},
    {"V0", &sample_V0, 1, {2}, PLAIN | F(VOID) | F(ITEMSIZE_ZERO), NO_VIEWS},
    {"metadata", &noted, 1, {2}, PLAIN | F(METADATA), NO_VIEWS},
    {"latin-1 name of an object", &latin, 1, {2}, PLAIN | F(STRUCTURED) | F(OBJECT), NO_VIEWS},
    {"all fields big",
     &titled,
     1,
     {2},
     (PLAIN & ~F(NATIVE_ORDER)) | F(STRUCTURED) | F(BIG) | F(ALL_FIELDS_BIG) | F(TITLES) | F(NON_LATIN_NAMES),
     NO_VIEWS},
    {"aligned structure", &sample_aligned, 1, {2}, PLAIN | F(STRUCTURED) | F(ALIGNED_STRUCT) | F(PADDING), NO_VIEWS},
    {"structure of all sorts",
     &sample_pack,
     1,
     {2},
     (PLAIN & ~F(NATIVE_ORDER)) | F(STRUCTURED) | F(SUBARRAY) | F(BIG) | F(VOID) | F(PADDING) | F(OVERLAP),
     NO_VIEWS},
};

static void each_feature_is_seen(void **state) {
    uint32_t seen = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct features_case *row = &cases[i];
        struct ndp_array array;
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
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
    struct ndp_field field = AT("", 0, &sample_V3);
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

NDP_SUITE(features_test, NDP_TEST(each_feature_is_seen), NDP_TEST(more_than_32_axes),
          NDP_TEST(void_without_a_name_looks_like_padding), NDP_TEST(a_long_header));
