/* The oracle accepts the text of a descriptor and finds the text of another one. */
#include "base/suite.h"
#include "oracle/descriptor_text.h"
#include "runtime/hits_fixture.h"

#define ARRAY(type) "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"" type "\",\"shape\":[2]}}}}"

/* Counts the findings if a descriptor is checked with the text of another one. */
static uint64_t hits(const char *from, const char *printed, enum ndp_status built) {
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_descriptor descriptor;
    const struct ndp_bytes text = ndp_bytes_view(from);
    assert_int_equal(ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &descriptor, NULL), NDP_OK);
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_check_descriptor_text(&descriptor, ndp_bytes_view(printed), built);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void test_a_text_reads_as_its_descriptor(void **state) {
    assert_int_equal(hits(ARRAY("<f8"), ARRAY("<f8"), NDP_OK), 0);
    assert_int_equal(hits(ARRAY("<f8"), ARRAY("<f8"), NDP_INVALID), 1);
    assert_int_equal(hits(ARRAY("<f8"), ARRAY("<f4"), NDP_OK), 1);
    assert_int_equal(hits(ARRAY("<f8"), " " ARRAY("<f8"), NDP_OK), 1);
    assert_int_equal(hits(ARRAY("<f8"), "{", NDP_OK), 1);
}

NDP_SUITE(descriptor_text_test, NDP_TEST(test_a_text_reads_as_its_descriptor));
