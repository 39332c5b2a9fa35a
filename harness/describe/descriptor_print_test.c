#include "base/suite.h"
#include "describe/descriptor.h"
#include "describe/descriptor_cases.h"
#include "describe/json_fixture.h"

#include <cjson/cJSON.h>

static void test_canonical(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(canonical_descriptors); i++) {
        struct ndp_bytes text = ndp_bytes_view(canonical_descriptors[i]);
        struct ndp_descriptor d;
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        NDP_BUFFER_SCOPED(buffer, 1 << 20);
        if (ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &d, &error) != NDP_OK)
            fail_msg("%s: %s %s", canonical_descriptors[i], error.path, error.text);
        assert_int_equal(ndp_descriptor_print(&buffer, &d), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), text)) {
            fail_msg("%s\nprints as\n%.*s", canonical_descriptors[i], (int)buffer.size_bytes,
                     (const char *)buffer.data);
        }
    }
}

/* A zeroed struct is the smallest descriptor. */
static void test_zeroed(void **state) {
    struct ndp_descriptor d = {.kind = NDP_CASE_ROUND_TRIP};
    NDP_BUFFER_SCOPED(buffer, 1000);
    assert_int_equal(ndp_descriptor_print(&buffer, &d), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(canonical_descriptors[0])));
}

static void test_buffer_limit(void **state) {
    struct ndp_descriptor d = {.kind = NDP_CASE_ROUND_TRIP};
    NDP_BUFFER_SCOPED(buffer, strlen(canonical_descriptors[0]) - 1);
    assert_int_equal(ndp_descriptor_print(&buffer, &d), NDP_LIMIT);
    assert_int_equal(buffer.size_bytes, 0);
}

static void test_fail_nth_allocation(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(canonical_descriptors); i++) {
        struct ndp_descriptor d;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_json_allow(UINT64_MAX);
        assert_int_equal(ndp_descriptor_read(&arena, ndp_bytes_view(canonical_descriptors[i]),
                                             &ndp_describe_default_limits, &d, NULL),
                         NDP_OK);
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t calls = 0; status != NDP_OK; calls++) {
            NDP_BUFFER_SCOPED(buffer, 1 << 20);
            ndp_json_allow(calls);
            status = ndp_descriptor_print(&buffer, &d);
            if (status != NDP_OK) {
                assert_int_equal(status, NDP_NOMEM);
                assert_int_equal(buffer.size_bytes, 0);
            }
            assert_true(calls < 1000);
            assert_true(status != NDP_OK || calls > 3);
        }
    }
    ndp_json_allow_all();
}

NDP_SUITE(descriptor_print_test, NDP_TEST(test_canonical), NDP_TEST(test_zeroed), NDP_TEST(test_buffer_limit),
          NDP_TEST(test_fail_nth_allocation));
