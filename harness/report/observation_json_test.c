#include "base/suite.h"
#include "describe/json_fixture.h"
#include "report/observation_json.h"

static const struct ndp_dtype dtype = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};

static void test_small(void **state) {
    static const int64_t shape[] = {0, INT64_MAX};
    static const int64_t strides[] = {-8, 0};
    const struct ndp_observation observation = {
        .class_name = {(const uint8_t *)"a\0b", 3},
        .dtype = &dtype,
        .ndim = 2,
        .shape = shape,
        .strides_bytes = strides,
        .flags = NDP_FLAG_WRITEABLE | NDP_FLAG_OWNDATA,
        .backing = {.claims = NDP_BACKING_OTHER, .has_offset = true, .offset_bytes = 3},
    };
    ndp_json_check_text(
        ndp_observation_json_of(&observation),
        "{\"class\":{\"codepoints\":[97,0,98]},\"dtype\":\"<i8\",\"shape\":[0,\"9223372036854775807\"],"
        "\"strides\":[-8,0],\"flags\":[\"writeable\",\"owndata\"],\"elements\":\"\",\"elements_bytes\":0,"
        "\"backing\":{\"class\":false,\"claims\":\"other\",\"mapped\":false,\"offset\":3}}");
}

static void test_elements_are_bounded(void **state) {
    static const uint8_t elements[NDP_REPORT_ELEMENT_BYTES + 1] = {0xab};
    const struct ndp_observation observation = {.dtype = &dtype, .elements = {elements, sizeof elements}};
    cJSON *tree = ndp_observation_json_of(&observation);
    assert_int_equal(strlen(cJSON_GetObjectItemCaseSensitive(tree, "elements")->valuestring),
                     2 * NDP_REPORT_ELEMENT_BYTES);
    cJSON_Delete(tree);
}

static void test_evidence(void **state) {
    const struct ndp_contract_row row = {
        .field = NDP_FIELD_BYTE_ORDER, .promise = NDP_PROMISE_SAME, .source = "the manual"};
    const struct ndp_result result = {.has_source = false};
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES, .judgement = {.row = &row}};
    ndp_json_check_text(ndp_observation_json_evidence(&divergence, &result),
                        "{\"promised\":\"byte_order is as in the source (the manual)\"}");
    divergence = (struct ndp_divergence){.verdict = NDP_VERDICT_CRASH, .death = {.signal = 11, .frame = "memcpy"}};
    ndp_json_check_text(ndp_observation_json_evidence(&divergence, &result),
                        "{\"death\":{\"signal\":11,\"exit_code\":0,\"frame\":\"memcpy\"}}");
    divergence = (struct ndp_divergence){.verdict = NDP_VERDICT_TIMEOUT};
    ndp_json_check_text(ndp_observation_json_evidence(&divergence, &result), "{}");
}

static void test_fail_nth_allocation(void **state) {
    const struct ndp_contract_row row = {.source = "s"};
    const struct ndp_result result = {.has_source = true, .source = {.dtype = &dtype, .flags = NDP_FLAG_ALIGNED}};
    const struct ndp_divergence divergence = {.verdict = NDP_VERDICT_CRASH, .judgement = {.row = &row}};
    cJSON *tree = NULL;
    uint64_t calls = 0;
    for (; tree == NULL && calls < 200; calls++) {
        ndp_json_allow(calls);
        tree = ndp_observation_json_evidence(&divergence, &result);
    }
    assert_non_null(tree);
    assert_true(calls > 20);
    cJSON_Delete(tree);
    ndp_json_allow_all();
}

NDP_SUITE(observation_json_test, NDP_TEST(test_small), NDP_TEST(test_elements_are_bounded), NDP_TEST(test_evidence),
          NDP_TEST(test_fail_nth_allocation));
