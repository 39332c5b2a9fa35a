#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_flags;

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 5);
    f.value.is_readonly = true;
    fixture_trip(&f);
    assert_false(f.trial.promised.flags & NDP_FLAG_WRITEABLE);
    expect_pass(&f, &ndp_property_flags);
}

static void a_read_only_array_that_becomes_writeable_is_reported(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 5);
    f.value.is_readonly = true;
    fixture_trip(&f)->flags |= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_flags, "flags.writeable");
}

static void a_new_array_is_aligned(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    f.value.base.misalign_bytes = 1;
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_flags);
    result->flags &= ~(uint32_t)NDP_FLAG_ALIGNED;
    expect_broken(&f, &ndp_property_flags, "flags.aligned");
}

static void a_map_is_as_aligned_as_its_place(void **state) {
    FIXTURE(f, "<f8", "raw", "file", "mmap:r", 0);
    f.route.offset_bytes = 4;
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_flags);
    result->flags |= NDP_FLAG_ALIGNED;
    expect_broken(&f, &ndp_property_flags, "flags.aligned");
}

NDP_SUITE(property_flags_test, NDP_TEST(a_correct_result_passes),
          NDP_TEST(a_read_only_array_that_becomes_writeable_is_reported), NDP_TEST(a_new_array_is_aligned),
          NDP_TEST(a_map_is_as_aligned_as_its_place));
