#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "describe/dtype_json.h"
#include "property/contract.h"

/* An array of one axis of 3 elements, on a little-endian machine, on a route of `format`. */
static uint64_t features_of(const char *json, int64_t stride_bytes, uint8_t *data, const char *format) {
    struct ndp_arena arena;
    const struct ndp_dtype *dtype = NULL;
    struct ndp_route route = {.protocol = 0};
    ndp_arena_init(&arena, 1 << 16);
    snprintf(route.format, sizeof route.format, "%s", format);
    if (ndp_dtype_parse(&arena, ndp_bytes_view(json), &ndp_describe_default_limits, &dtype, NULL) != NDP_OK)
        fail_msg("%s", json);
    const struct ndp_array model = {
        .dtype = dtype,
        .layout = {.ndim = 1, .shape = {3}, .strides_bytes = {stride_bytes}},
        .buffer = data,
        .host_is_little_endian = true,
        .class_name = ndp_bytes_view("ndarray"),
    };
    const uint64_t features = ndp_contract_features(&model, &route);
    ndp_arena_clear(&arena);
    return features;
}

#define NAMED(name, offset, dtype) "{\"name\":" name ",\"offset\":" #offset ",\"dtype\":" dtype "}"
#define FIELD(name, offset, dtype) NAMED("\"" name "\"", offset, dtype)
#define STRUCT(size, fields)       "{\"fields\":[" fields "],\"itemsize\":" #size "}"

/* Expected: NumPy 2.4.6. Whether memoryview(numpy.zeros(3, dtype)) is refused, whether numpy.from_dlpack of it is not,
 * and the names. */
static void features_of_dtypes_match_numpy(void **state) {
    enum { NO_BUFFER = 1, DLPACK = 2, NUL = 4, EMPTY = 8 };
    static const struct {
        const char *json;
        int expected;
    } rows[] = {
        {"\"|b1\"", DLPACK},
        {"\"<f8\"", DLPACK},
        {"\">f8\"", 0},
        {"\"<c16\"", DLPACK},
        {"\"<f16\"", 0},
        {"\">f16\"", NO_BUFFER},
        {"\"<M8[s]\"", NO_BUFFER},
        {"\"<m8\"", NO_BUFFER},
        {"\"|S2\"", 0},
        {"\"<U2\"", 0},
        {"\"|V2\"", 0},
        {"\"|O\"", 0},
        {"{\"type\":\"|V2\",\"registered\":\"ml_dtypes:bfloat16\"}", NO_BUFFER},
        {STRUCT(7, FIELD("a", 0, "\"<i4\"")), 0},
        {STRUCT(20, FIELD("a", 0, "\"<f16\"") "," FIELD("b", 16, "\">i4\"")), 0},
        {STRUCT(20, FIELD("a", 0, "\">f16\"") "," FIELD("b", 16, "\"<i4\"")), NO_BUFFER},
        {STRUCT(8, FIELD("a", 4, "\"<i4\"") "," FIELD("b", 0, "\"<i4\"")), NO_BUFFER},
        {STRUCT(6, FIELD("a", 0, "\"<i4\"") "," FIELD("b", 2, "\"<i4\"")), NO_BUFFER},
        {STRUCT(4, FIELD("a:b", 0, "\"<i4\"")), NO_BUFFER},
        {STRUCT(4, FIELD("\\u6f22", 0, "\"<i4\"")), 0},
        {STRUCT(4, NAMED("{\"codepoints\":[97,0,98]}", 0, "\"<i4\"")), NUL},
        {STRUCT(4, NAMED("{\"codepoints\":[55296]}", 0, "\"<i4\"")), NO_BUFFER},
        {STRUCT(4, FIELD("", 0, "\"<i4\"")), EMPTY},
        /* Padding behind the last field of the inner structure belongs to no field. */
        {STRUCT(8, FIELD("a", 0, STRUCT(8, FIELD("x", 0, "\"<i4\""))) "," FIELD("b", 4, "\"<i4\"")), 0},
        {STRUCT(8, FIELD("a", 0, "{\"base\":\"<M8[s]\",\"shape\":[0]}") "," FIELD("b", 0, "\"<i8\"")), NO_BUFFER},
    };
    uint8_t data[96] = {0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const uint64_t found = features_of(rows[i].json, 32, data, "buffer");
        const int got = ((found & NDP_FEATURE_NO_BUFFER_FORMAT) != 0 ? NO_BUFFER : 0) |
                        ((found & NDP_FEATURE_DLPACK_TYPE) != 0 ? DLPACK : 0) |
                        ((found & NDP_FEATURE_NUL_NAME) != 0 ? NUL : 0) |
                        ((found & NDP_FEATURE_EMPTY_NAME) != 0 ? EMPTY : 0);
        if (got != rows[i].expected) fail_msg("%s: %d", rows[i].json, got);
    }
}

/* Expected: NumPy 2.4.6, numpy.from_dlpack of as_strided arrays. */
static void strides_are_multiples_of_the_itemsize(void **state) {
    uint8_t data[96] = {0};
    assert_true(features_of("\"<i4\"", 6, data, "buffer") & NDP_FEATURE_UNEVEN_STRIDES);
    assert_false(features_of("\"<i4\"", -8, data + 16, "buffer") & NDP_FEATURE_UNEVEN_STRIDES);
    assert_false(features_of("\"<i4\"", 0, data, "buffer") & NDP_FEATURE_UNEVEN_STRIDES);
    assert_false(features_of("\"|V0\"", 1, data, "buffer") & NDP_FEATURE_UNEVEN_STRIDES);
}

/* Expected: repr of NumPy 2.4.6, which joblib.Memory calls. */
static void only_odd_elements_have_no_repr(void **state) {
    static const struct {
        const char *json;
        uint8_t last[4]; /* of the last of three code points */
        bool has_repr;
    } rows[] = {
        {"\"<U1\"", {0xff, 0xff, 0x10, 0}, true},
        {"\"<U1\"", {0, 0, 0x11, 0}, false},
        {"\">U1\"", {0, 0x10, 0xff, 0xff}, true},
        {"\">U1\"", {0, 0x11, 0, 0}, false},
        {"\"<U1\"", {0, 0xd8, 0, 0}, true},
        {"\"<M8\"", {0}, false},
        {"\"<M8[s]\"", {0}, true},
        {"\"<m8\"", {0}, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint8_t data[24] = {0};
        memcpy(data + 16, rows[i].last, 4);
        const bool found = (features_of(rows[i].json, 8, data, "joblib.Memory") & NDP_FEATURE_NO_REPR) == 0;
        if (found != rows[i].has_repr) fail_msg("row %zu", i);
        assert_false(features_of(rows[i].json, 8, data, "joblib") & NDP_FEATURE_NO_REPR);
    }
}

NDP_SUITE(contract_features_test, NDP_TEST(features_of_dtypes_match_numpy),
          NDP_TEST(strides_are_multiples_of_the_itemsize), NDP_TEST(only_odd_elements_have_no_repr));
