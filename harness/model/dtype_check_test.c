#include "base/suite.h"
#include "model/dtype_samples.h"

#define NODE(...) (&(const struct ndp_dtype)__VA_ARGS__)

static void samples_obey_every_rule(void **state) {
    for (size_t i = 0; sample_at(i); i++) {
        struct ndp_error error;
        if (ndp_dtype_check(sample_at(i), &error) != NDP_OK) fail_msg("sample %zu: %s", i, error.text);
    }
}

struct broken {
    const char *what;
    struct ndp_dtype dtype;
    enum ndp_status status;
    const char *path;
};

static const struct ndp_dtype subarray_of_nothing = SUBARRAY(0, &sample_V0, 2);

/* numpy.dtype 1.26.4 and 2.4.6 refuse each of them, except wrong byte orders and units, which it cannot express, and
 * the aligned structure without a field, which crashes 1.26.4. */
static const struct broken broken[] = {
    {"f3", LEAF(FLOAT, LITTLE, 3), NDP_INVALID, ""},
    {"i16", LEAF(INT, LITTLE, 16), NDP_INVALID, ""},
    {"U of 5 bytes", LEAF(TEXT, LITTLE, 5), NDP_INVALID, ""},
    {"b1 with an order", LEAF(BOOL, LITTLE, 1), NDP_INVALID, ""},
    {"i1 with an order", LEAF(INT, BIG, 1), NDP_INVALID, ""},
    {"i4 without an order", LEAF(INT, NONE, 4), NDP_INVALID, ""},
    {"S over 2^31 - 1", LEAF(BYTES, NONE, UINT64_C(1) << 31), NDP_LIMIT, ""},
    {"time without a multiple", LEAF(DATETIME, LITTLE, 8), NDP_INVALID, ""},
    {"number with a unit",
     {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8, .unit = NDP_UNIT_DAY},
     NDP_INVALID,
     ""},
    {"field past the item", STRUCT(4, AT("a", 1, &sample_i4)), NDP_INVALID, "/fields/0"},
    {"offset that overflows", STRUCT(4, AT("a", UINT64_MAX, &sample_i4)), NDP_INVALID, "/fields/0"},
    {"same name twice", STRUCT(8, AT("a", 0, &sample_i4), AT("a", 0, &sample_i4)), NDP_INVALID, ""},
    {"title that is a name", STRUCT(8, AT("a", 0, &sample_i4), TITLED("b", "a", 0, &sample_i4)), NDP_INVALID, ""},
    {"object overlapped", STRUCT(8, AT("a", 0, &sample_O), AT("b", 7, &sample_u1)), NDP_INVALID, ""},
    {"nested fault",
     STRUCT(8, AT("a", 0, &sample_u1), {.name = TEXT("b"), .dtype = NODE(STRUCT(4, AT("x", 3, &sample_i2)))}),
     NDP_INVALID, "/fields/1/dtype/fields/0"},
    {"aligned offset", ALIGNED_STRUCT(8, AT("a", 2, &sample_i4)), NDP_INVALID, "/fields/0"},
    {"aligned itemsize", ALIGNED_STRUCT(6, AT("a", 0, &sample_i4)), NDP_INVALID, ""},
    {"aligned and empty", {.kind = NDP_KIND_STRUCT, .is_aligned = true}, NDP_INVALID, ""},
    {"negative extent", SUBARRAY(0, &sample_i2, -1), NDP_INVALID, ""},
    {"extent over 2^31 - 1", SUBARRAY(0, &sample_i2, 0, INT64_C(1) << 31), NDP_INVALID, ""},
    {"sub-array over 2^31 - 1 bytes", SUBARRAY(UINT64_C(1) << 32, &sample_i2, 65536, 32768), NDP_LIMIT, ""},
    {"sub-array of 2^32 items without a byte", SUBARRAY(0, &sample_empty, 65536, 65536), NDP_LIMIT, ""},
    {"sub-array without an item between large extents", SUBARRAY(0, &sample_i2, INT32_MAX, 0, INT32_MAX, INT32_MAX),
     NDP_OK, ""},
    {"sub-array of another itemsize", SUBARRAY(5, &sample_i2, 2), NDP_INVALID, ""},
    {"sub-array of V0", SUBARRAY(0, &sample_V0, 2), NDP_INVALID, ""},
    {"field that is such a one", STRUCT(0, AT("a", 0, &subarray_of_nothing)), NDP_INVALID, "/fields/0/dtype"},
};

static void invalid_dtypes_are_refused_with_their_place(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(broken); i++) {
        struct ndp_error error = {.status = NDP_OK};
        const enum ndp_status status = ndp_dtype_check(&broken[i].dtype, &error);
        if (status != broken[i].status || error.status != status) fail_msg("%s: %d", broken[i].what, (int)status);
        if (strcmp(error.path, broken[i].path) != 0) fail_msg("%s: path %s", broken[i].what, error.path);
    }
}

/* Fills `count` one-byte fields with unique names at growing offsets. */
static struct ndp_dtype wide_struct(struct ndp_field *fields, char (*names)[8], uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "f%lu", (unsigned long)i);
        fields[i] = (struct ndp_field){.name = ndp_bytes_view(names[i]), .offset_bytes = i, .dtype = &sample_u1};
    }
    return (struct ndp_dtype){.kind = NDP_KIND_STRUCT, .itemsize_bytes = count, .fields = fields, .field_count = count};
}

static void names_are_compared_among_many_fields(void **state) {
    NDP_ARENA_SCOPED(arena, UINT64_C(64) << 20);
    const uint64_t count = NDP_MAX_FIELDS;
    struct ndp_field *fields = NDP_ARENA_ITEMS(&arena, struct ndp_field, count + 1);
    char(*names)[8] = ndp_arena_alloc_items(&arena, count + 1, sizeof *names);
    assert_true(fields && names);
    struct ndp_dtype dtype = wide_struct(fields, names, count);
    assert_int_equal(ndp_dtype_check(&dtype, NULL), NDP_OK);
    fields[count - 1].name = ndp_bytes_view("f7");
    assert_int_equal(ndp_dtype_check(&dtype, NULL), NDP_INVALID);
    dtype = wide_struct(fields, names, count + 1);
    assert_int_equal(ndp_dtype_check(&dtype, NULL), NDP_LIMIT);
}

static void depth_has_a_limit(void **state) {
    struct ndp_field fields[NDP_MAX_DTYPE_DEPTH];
    struct ndp_dtype nodes[NDP_MAX_DTYPE_DEPTH + 1];
    nodes[0] = sample_u1;
    for (int i = 0; i < NDP_MAX_DTYPE_DEPTH; i++) {
        fields[i] = (struct ndp_field){.name = TEXT("a"), .dtype = &nodes[i]};
        nodes[i + 1] =
            (struct ndp_dtype){.kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = &fields[i], .field_count = 1};
    }
    assert_int_equal(ndp_dtype_check(&nodes[NDP_MAX_DTYPE_DEPTH - 1], NULL), NDP_OK);
    assert_int_equal(ndp_dtype_check(&nodes[NDP_MAX_DTYPE_DEPTH], NULL), NDP_LIMIT);
}

NDP_SUITE(dtype_check_test, NDP_TEST(samples_obey_every_rule), NDP_TEST(invalid_dtypes_are_refused_with_their_place),
          NDP_TEST(names_are_compared_among_many_fields), NDP_TEST(depth_has_a_limit));
