#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_transcode;

static const struct ndp_route second = {.format = "npz", .encode = "memory", .decode = "file"};

/* A trip of a big-endian array by npy, whose result took a correct trip by npz. */
static struct ndp_observation *travel(struct fixture *f) {
    fixture_init(f, ">i4", "npy", "memory", "memory", 0);
    const struct ndp_observation *result = fixture_trip(f);
    f->trial.second = &second;
    fixture_bytes(f, NDP_SLOT_TRANSCODED, result->elements);
    fixture_bytes(f, NDP_SLOT_DIRECT, result->elements);
    fixture_observe(f, NDP_SLOT_DIRECT_RESULT, result);
    return fixture_observe(f, NDP_SLOT_TRANSCODED_RESULT, result);
}

static void an_equal_array_passes(void **state) {
    struct fixture f;
    (void)travel(&f);
    expect_pass(&f, &ndp_property_transcode);
    fixture_clear(&f);
}

/* The field contains the second format, the path its entry points. */
static void a_loss_in_the_second_trip_only_is_reported(void **state) {
    struct fixture f;
    (void)travel(&f);
    fixture_elements(&f, NDP_SLOT_TRANSCODED_RESULT)[5] ^= 0xff;
    expect_broken(&f, &ndp_property_transcode, "values.npz");
    assert_memory_equal(f.judgement.comparison.list[0].path, "npz:memory>file: ", 17);
    fixture_clear(&f);
    (void)travel(&f);
    fixture_refuse(&f, NDP_SLOT_TRANSCODED);
    fixture_refuse(&f, NDP_SLOT_TRANSCODED_RESULT);
    expect_broken(&f, &ndp_property_transcode, "accepted.npz");
    assert_string_equal(f.judgement.comparison.list[0].got, "ValueError: no");
    fixture_clear(&f);
}

/* The properties of the second format report its defects. */
static void a_defect_of_the_second_format_is_not_reported(void **state) {
    struct fixture f;
    (void)travel(&f);
    fixture_elements(&f, NDP_SLOT_TRANSCODED_RESULT)[5] ^= 0xff;
    fixture_elements(&f, NDP_SLOT_DIRECT_RESULT)[5] ^= 0xff;
    expect_nothing(&f, &ndp_property_transcode);
    fixture_clear(&f);
}

/* The source of the second trip is the result of the first, right or wrong. */
static void the_first_trip_is_not_judged(void **state) {
    struct fixture f;
    (void)travel(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[5] ^= 0xff;
    fixture_elements(&f, NDP_SLOT_TRANSCODED_RESULT)[5] ^= 0xff;
    expect_pass(&f, &ndp_property_transcode);
    fixture_clear(&f);
}

static void without_a_second_trip_nothing_is_judged(void **state) {
    struct fixture f;
    (void)travel(&f);
    f.trial.second = NULL;
    expect_nothing(&f, &ndp_property_transcode);
    f.trial.second = &second;
    f.outcome.slots[NDP_SLOT_TRANSCODED_RESULT].state = NDP_SLOT_UNSUPPORTED;
    expect_nothing(&f, &ndp_property_transcode);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_nothing(&f, &ndp_property_transcode);
    fixture_clear(&f);
}

NDP_SUITE(property_transcode_test, NDP_TEST(an_equal_array_passes),
          NDP_TEST(a_loss_in_the_second_trip_only_is_reported), NDP_TEST(a_defect_of_the_second_format_is_not_reported),
          NDP_TEST(the_first_trip_is_not_judged), NDP_TEST(without_a_second_trip_nothing_is_judged));
