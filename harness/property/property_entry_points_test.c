#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_entry_points;

static void start(struct fixture *f, const char *entry) {
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

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f, "mmap:r");
    assert_true(f.outcome.slots[NDP_SLOT_PEER0].observation.flags !=
                f.outcome.slots[NDP_SLOT_RESULT].observation.flags);
    expect_pass(&f, &ndp_property_entry_points);
    fixture_clear(&f);
}

static void a_value_that_differs_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f, "mmap:r");
    fixture_elements(&f, NDP_SLOT_PEER0)[47] ^= 0x80;
    expect_broken(&f, &ndp_property_entry_points, "values");
    assert_string_equal(f.judgement.comparison.list[0].path, "mmap:r: [1,2]");
    fixture_clear(&f);
}

static void a_flag_that_both_promise_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f, "file");
    f.outcome.slots[NDP_SLOT_PEER0].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_entry_points, "flags.writeable");
    fixture_clear(&f);
}

static void one_door_that_refuses_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f, "file");
    fixture_refuse(&f, NDP_SLOT_PEER0);
    expect_broken(&f, &ndp_property_entry_points, "accepted");
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_pass(&f, &ndp_property_entry_points);
    fixture_clear(&f);
}

static void bare_bytes_are_compared_too(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f, "file");
    f.trial.model = NULL;
    f.trial.features = 0;
    expect_pass(&f, &ndp_property_entry_points);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_broken(&f, &ndp_property_entry_points, "accepted");
    fixture_clear(&f);
}

/* Pickles of one index of the memo far beyond the others: _pickle.c (CPython 3.8 to 3.14) asks for a memo as long. */
static void how_much_memory_bytes_need_is_not_promised(void **state) {
    static const enum ndp_slot slots[] = {NDP_SLOT_RESULT, NDP_SLOT_PEER0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(slots); i++) {
        struct fixture f;
        fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
        start(&f, "file");
        f.descriptor.kind = NDP_CASE_DECODE;
        f.trial.model = NULL;
        f.trial.features = 0;
        fixture_refuse(&f, slots[i]);
        expect_broken(&f, &ndp_property_entry_points, "accepted");
        f.outcome.slots[slots[i]].refusal.reason = NDP_REFUSAL_MEMORY;
        expect_nothing(&f, &ndp_property_entry_points);
        f.descriptor.kind = NDP_CASE_ROUND_TRIP;
        expect_broken(&f, &ndp_property_entry_points, "accepted");
        fixture_clear(&f);
    }
}

static void another_encoder_writes_the_same_bytes(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.peer_encode_entry = "file";
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes);
    expect_pass(&f, &ndp_property_entry_points);
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes)[5] ^= 1;
    expect_broken(&f, &ndp_property_entry_points, "encoded");
    fixture_refuse(&f, NDP_SLOT_PEER_ENCODED);
    expect_broken(&f, &ndp_property_entry_points, "encoder.accepted");
    fixture_clear(&f);
}

static void compressed_bytes_are_others(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npz", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.peer_encode_entry = "compressed";
    fixture_bytes(&f, NDP_SLOT_PEER_ENCODED, ndp_bytes_view("smaller"));
    expect_pass(&f, &ndp_property_entry_points);
    fixture_clear(&f);
}

static void without_peers_there_is_nothing_to_say(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_nothing(&f, &ndp_property_entry_points);
    fixture_clear(&f);
}

NDP_SUITE(property_entry_points_test, cmocka_unit_test(kept), cmocka_unit_test(a_value_that_differs_is_seen),
          cmocka_unit_test(a_flag_that_both_promise_is_seen), cmocka_unit_test(one_door_that_refuses_is_seen),
          cmocka_unit_test(bare_bytes_are_compared_too), cmocka_unit_test(how_much_memory_bytes_need_is_not_promised),
          cmocka_unit_test(another_encoder_writes_the_same_bytes), cmocka_unit_test(compressed_bytes_are_others),
          cmocka_unit_test(without_peers_there_is_nothing_to_say));
