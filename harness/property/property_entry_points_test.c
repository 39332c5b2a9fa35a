#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_entry_points;

static void make_trial(struct fixture *f, const char *entry) {
    struct ndp_observation peer = *fixture_trip(f);
    struct ndp_route route = f->route;
    snprintf(route.decode, NDP_WORD_BYTES, "%s", entry);
    f->trial.peer_entries[0] = entry;
    f->target.entries[2] = f->target.entries[1];
    snprintf(f->target.entries[2].entry, NDP_WORD_BYTES, "%s", entry);
    f->target.entry_count = 3;
    assert_int_equal(ndp_contract_expect(&f->arena, &f->model, &route, &f->target, &f->target, &peer), NDP_OK);
    fixture_observe(f, NDP_SLOT_PEER0, &peer);
}

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, "mmap:r");
    assert_true(f.outcome.slots[NDP_SLOT_PEER0].observation.flags !=
                f.outcome.slots[NDP_SLOT_RESULT].observation.flags);
    expect_pass(&f, &ndp_property_entry_points);
}

static void a_different_value_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, "mmap:r");
    fixture_elements(&f, NDP_SLOT_PEER0)[47] ^= 0x80;
    expect_broken(&f, &ndp_property_entry_points, "values");
    assert_string_equal(f.judgement.comparison.list[0].path, "mmap:r: [1,2]");
}

static void a_different_promised_flag_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, "file");
    f.outcome.slots[NDP_SLOT_PEER0].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_entry_points, "flags.writeable");
}

static void one_refusal_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, "file");
    fixture_refuse(&f, NDP_SLOT_PEER0);
    expect_broken(&f, &ndp_property_entry_points, "accepted");
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_pass(&f, &ndp_property_entry_points);
}

static void bare_bytes_are_compared(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, "file");
    f.trial.model = NULL;
    f.trial.features = 0;
    expect_pass(&f, &ndp_property_entry_points);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_broken(&f, &ndp_property_entry_points, "accepted");
}

/* A pickle with one very high memo index: _pickle.c (CPython 3.8 to 3.14) allocates a memo of that length. */
static void lack_of_memory_is_not_compared(void **state) {
    static const enum ndp_slot slots[] = {NDP_SLOT_RESULT, NDP_SLOT_PEER0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(slots); i++) {
        FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
        make_trial(&f, "file");
        f.descriptor.kind = NDP_CASE_DECODE;
        f.trial.model = NULL;
        f.trial.features = 0;
        fixture_refuse(&f, slots[i]);
        expect_broken(&f, &ndp_property_entry_points, "accepted");
        f.outcome.slots[slots[i]].refusal.reason = NDP_REFUSAL_MEMORY;
        expect_nothing(&f, &ndp_property_entry_points);
        f.descriptor.kind = NDP_CASE_ROUND_TRIP;
        expect_broken(&f, &ndp_property_entry_points, "accepted");
    }
}

static void different_encodings_are_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.peer_encode_entry = "file";
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes);
    expect_pass(&f, &ndp_property_entry_points);
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes)[5] ^= 1;
    expect_broken(&f, &ndp_property_entry_points, "encoded");
    fixture_refuse(&f, NDP_SLOT_PEER_ENCODED);
    expect_broken(&f, &ndp_property_entry_points, "encoder.accepted");
}

static void compressed_encodings_may_differ(void **state) {
    FIXTURE(f, "<f8", "npz", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.peer_encode_entry = "compressed";
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, ndp_bytes_view("smaller"));
    expect_pass(&f, &ndp_property_entry_points);
}

static void without_peers_nothing_is_judged(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_nothing(&f, &ndp_property_entry_points);
}

NDP_SUITE(property_entry_points_test, NDP_TEST(a_correct_result_passes), NDP_TEST(a_different_value_is_reported),
          NDP_TEST(a_different_promised_flag_is_reported), NDP_TEST(one_refusal_is_reported),
          NDP_TEST(bare_bytes_are_compared), NDP_TEST(lack_of_memory_is_not_compared),
          NDP_TEST(different_encodings_are_reported), NDP_TEST(compressed_encodings_may_differ),
          NDP_TEST(without_peers_nothing_is_judged));
