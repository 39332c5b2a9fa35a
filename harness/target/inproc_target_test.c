#include "base/suite.h"
#include "planted/plugins_fixture.h"
#include "target/target.h"

#include <fcntl.h>

enum { COUNT = 3 };

static struct ndp_target *open_reference(void) {
    struct ndp_target *target = NULL;
    struct ndp_error error = {0};
    assert_int_equal(ndp_target_open_plugin(reference_plugin(), &target, &error), NDP_OK);
    return target;
}

/* Programs that fetch the bytes supplied to them, each another number. */
static void fill(struct ndp_program programs[COUNT], uint8_t numbers[COUNT], uint8_t first) {
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = (uint8_t)(first + i);
        programs[i] = (struct ndp_program){.case_id = numbers[i], .step_count = 2, .supplied = {&numbers[i], 1}};
        programs[i].steps[0] = (struct ndp_step){.op = NDP_STEP_SUPPLY, .to = NDP_SLOT_ENCODED};
        programs[i].steps[1] =
            (struct ndp_step){.op = NDP_STEP_FETCH, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_ENCODED};
    }
}

static void batches_are_collected_in_order(void **state) {
    static struct ndp_program programs[NDP_BATCHES_IN_FLIGHT][COUNT];
    static struct ndp_outcome outcomes[COUNT];
    uint8_t numbers[NDP_BATCHES_IN_FLIGHT][COUNT];
    struct ndp_error error = {0};
    struct ndp_target *target = open_reference();
    NDP_ARENA_SCOPED(arena, 1 << 20);
    for (uint32_t i = 0; i < NDP_BATCHES_IN_FLIGHT; i++) {
        fill(programs[i], numbers[i], (uint8_t)(10 * i));
        assert_int_equal(target->ops->submit(target, programs[i], COUNT, &error), NDP_OK);
    }
    /* One more than the documented maximum. */
    assert_int_equal(target->ops->submit(target, programs[0], COUNT, &error), NDP_FAULT);
    for (uint32_t i = 0; i < NDP_BATCHES_IN_FLIGHT; i++) {
        /* Another size than was submitted. */
        assert_int_equal(target->ops->collect(target, &arena, outcomes, COUNT - 1, &error), NDP_FAULT);
        assert_int_equal(target->ops->collect(target, &arena, outcomes, COUNT, &error), NDP_OK);
        for (uint32_t k = 0; k < COUNT; k++) {
            assert_int_equal(outcomes[k].case_id, 10 * i + k);
            assert_int_equal(outcomes[k].ended, NDP_VERDICT_PASS);
            assert_int_equal(outcomes[k].slots[NDP_SLOT_ENCODED].bytes.size_bytes, 1);
            assert_int_equal(outcomes[k].slots[NDP_SLOT_ENCODED].bytes.data[0], 10 * i + k);
        }
    }
    assert_int_equal(target->ops->collect(target, &arena, outcomes, COUNT, &error), NDP_FAULT);
    assert_int_equal(target->counts.cases, NDP_BATCHES_IN_FLIGHT * COUNT);
    assert_int_equal(target->counts.faults, 0);
    ndp_target_close(target);
}

/* Running out of memory in ndproof is a FAULT of that case only. */
static void a_fault_is_counted(void **state) {
    static struct ndp_program programs[COUNT];
    static struct ndp_outcome outcomes[COUNT];
    uint8_t numbers[COUNT];
    struct ndp_error error = {0};
    struct ndp_target *target = open_reference();
    NDP_ARENA_SCOPED(arena, 1 << 20);
    fill(programs, numbers, 1);
    assert_int_equal(target->ops->submit(target, programs, COUNT, &error), NDP_OK);
    ndp_arena_fail_at(&arena, 2);
    assert_int_equal(target->ops->collect(target, &arena, outcomes, COUNT, &error), NDP_OK);
    for (int i = 0; i < COUNT; i++) assert_int_equal(outcomes[i].ended == NDP_VERDICT_FAULT, i == 1);
    assert_string_equal(outcomes[1].fault, "step 0: out of memory");
    assert_int_equal(target->counts.faults, 1);
    assert_int_equal(target->counts.cases, COUNT);
    ndp_target_close(target);
}

/* The counted process is this one. */
static void resources_are_counted(void **state) {
    struct ndp_resource_snapshot before, after;
    struct ndp_target *target = open_reference();
    assert_int_equal(target->ops->census(target, &before), NDP_OK);
    const int fds[] = {open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY)};
    assert_true(fds[0] >= 0 && fds[1] >= 0);
    assert_int_equal(target->ops->census(target, &after), NDP_OK);
    assert_int_equal(after.counts[NDP_RESOURCE_DESCRIPTORS], before.counts[NDP_RESOURCE_DESCRIPTORS] + 2);
    (void)close(fds[0]);
    (void)close(fds[1]);
    assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
    ndp_target_close(target);
}

static void an_invalid_plugin_is_refused(void **state) {
    struct ndp_plugin bad = *reference_plugin();
    struct ndp_target *target = NULL;
    struct ndp_error error = {0};
    bad.abi++;
    assert_int_equal(ndp_target_open_plugin(&bad, &target, &error), NDP_INVALID);
    bad = *reference_plugin();
    bad.name = NULL;
    assert_int_equal(ndp_target_open_plugin(&bad, &target, &error), NDP_INVALID);
    assert_null(target);
    target = open_reference();
    assert_string_equal(target->info.name, "reference");
    assert_true(target->info.entry_count > 0);
    ndp_target_close(target);
}

NDP_SUITE(inproc_target_test, NDP_TEST(batches_are_collected_in_order), NDP_TEST(a_fault_is_counted),
          NDP_TEST(resources_are_counted), NDP_TEST(an_invalid_plugin_is_refused));
