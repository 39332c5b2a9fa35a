/* serve_test.c: the reference in this process and the reference as a testee must agree. This program is also the
 * testee: `serve_test serve`. */
#include "base/byteorder.h"
#include "base/checked.h"
#include "base/suite.h"
#include "generate/generate.h"
#include "model/equality.h"
#include "planted/plugins_fixture.h"
#include "target/protocol/serve.h"

enum { CASES = 120, ALL = 0xffffff };

#define ARENA_BYTES (UINT64_C(1) << 30)

/* Every step, with each kind of map. */
static const struct ndp_step steps[] = {
    {.op = NDP_STEP_BUILD, .to = NDP_SLOT_SOURCE},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_SOURCE, .to = NDP_SLOT_SOURCE},
    {.op = NDP_STEP_ENCODE, .from = NDP_SLOT_SOURCE, .to = NDP_SLOT_ENCODED, .format = "npy", .entry = "file"},
    {.op = NDP_STEP_FETCH, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_ENCODED},
    {.op = NDP_STEP_DECODE, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_RESULT, .format = "npy", .entry = "mmap:r+"},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT},
    {.op = NDP_STEP_DECODE, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_PEER0, .format = "npy", .entry = "memory"},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_PEER0, .to = NDP_SLOT_PEER0},
    {.op = NDP_STEP_DECODE, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_PEER1, .format = "npy", .entry = "mmap:c"},
    {.op = NDP_STEP_POKE, .from = NDP_SLOT_PEER1, .to = NDP_SLOT_PEER1},
    {.op = NDP_STEP_FETCH, .from = NDP_SLOT_PEER1, .to = NDP_SLOT_PEER2},
    {.op = NDP_STEP_POKE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_POKED},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT_AFTER},
    {.op = NDP_STEP_FLUSH, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_FLUSHED},
    {.op = NDP_STEP_FETCH, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_FILE_AFTER},
    {.op = NDP_STEP_ENCODE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_REENCODED, .format = "smoke", .entry = "c"},
    {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_SOURCE, .to = NDP_SLOT_SOURCE_AFTER},
};

struct fixture {
    struct ndp_arena arena;
    struct ndp_array models[CASES];
    struct ndp_program programs[CASES];
    struct ndp_outcome here[CASES];
    struct ndp_outcome there[CASES];
};

static void make_program(struct fixture *fixture, uint32_t i) {
    struct ndp_choices choices;
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_program *program = &fixture->programs[i];
    uint64_t count_elems, size_bytes;
    ndp_choices_init_seed(&choices, 1000 + i);
    assert_int_equal(ndp_generate_value(&fixture->arena, &choices, &(struct ndp_generate_limits){0}, &descriptor.value),
                     NDP_OK);
    struct ndp_array_value *value = ndp_arena_copy(&fixture->arena, &descriptor.value.array, sizeof *value);
    assert_non_null(value);
    assert_true(ndp_checked_extents_fit(value->base.shape, value->base.ndim, value->base.dtype->itemsize_bytes,
                                        &count_elems, &size_bytes));
    uint8_t *data = ndp_arena_alloc(&fixture->arena, size_bytes);
    assert_non_null(data);
    assert_int_equal(ndp_array_fill_data(&value->base.data, value->base.dtype, count_elems, data, size_bytes, NULL),
                     NDP_OK);
    *program = (struct ndp_program){.case_id = i, .step_count = NDP_ARRAY_LEN(steps), .value = value};
    program->base_bytes = (struct ndp_bytes){data, size_bytes};
    memcpy(program->steps, steps, sizeof steps);
    assert_int_equal(ndp_array_build(&fixture->arena, value, ndp_byteorder_host_is_little(), &fixture->models[i], NULL),
                     NDP_OK);
}

static void run_both(struct ndp_target *target, struct fixture *fixture, struct ndp_outcome *outcomes) {
    struct ndp_error error = {.status = NDP_OK};
    assert_int_equal(target->ops->submit(target, fixture->programs, CASES, &error), NDP_OK);
    if (target->ops->collect(target, &fixture->arena, outcomes, CASES, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(target->counts.cases, CASES);
    assert_int_equal(target->counts.restarts, 0);
    ndp_target_close(target);
}

static int setup(void **state) {
    struct ndp_target *target;
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (!fixture) return -1;
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    for (uint32_t i = 0; i < CASES; i++) make_program(fixture, i);
    if (ndp_target_open_plugin(reference_plugin(), &target, NULL) != NDP_OK) return -1;
    run_both(target, fixture, fixture->here);
    char program[] = "/proc/self/exe", serve[] = "serve";
    char *argv[] = {program, serve, NULL};
    if (ndp_target_open_process("reference", "", argv, NULL, &target, NULL) != NDP_OK) return -1;
    run_both(target, fixture, fixture->there);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    ndp_arena_clear(&fixture->arena);
    free(fixture);
    return 0;
}

/* ---- comparing ---- */

static void compare_all(const struct ndp_observation *a, const struct ndp_observation *b,
                        struct ndp_comparison *comparison) {
    ndp_equality_compare_shape(a, b, comparison);
    ndp_equality_compare_dtype(a, b, ALL, comparison);
    ndp_equality_compare_strides(a, b, comparison);
    ndp_equality_compare_flags(a, b, ALL & ~(uint32_t)NDP_FLAG_OWNDATA, comparison);
    ndp_equality_compare_class(a, b, comparison);
    ndp_equality_compare_backing(a, b, comparison);
    ndp_equality_compare_values(a, b, NDP_MASK_NONE, comparison);
}

static void assert_same_observation(uint32_t case_id, const char *slot, const struct ndp_observation *a,
                                    const struct ndp_observation *b) {
    struct ndp_comparison comparison = {.count = 0};
    compare_all(a, b, &comparison);
    if (comparison.total > 0)
        fail_msg("case %u, %s: %s: %s, %s", case_id, slot, comparison.list[0].path, comparison.list[0].expected,
                 comparison.list[0].got);
}

static void assert_same_record(uint32_t case_id, const char *slot, const struct ndp_slot_record *a,
                               const struct ndp_slot_record *b) {
    if (a->state != b->state || a->has_observation != b->has_observation || a->has_bytes != b->has_bytes)
        fail_msg("case %u, %s: state %d, %d: %s %s", case_id, slot, (int)a->state, (int)b->state, a->refusal.message,
                 b->refusal.message);
    assert_int_equal(a->refusal.reason, b->refusal.reason);
    assert_string_equal(a->refusal.message, b->refusal.message);
    assert_true(ndp_bytes_is_equal(a->bytes, b->bytes));
    if (!a->has_observation) return;
    assert_same_observation(case_id, slot, &a->observation, &b->observation);
    assert_true(ndp_bytes_is_equal(a->observation.elements, b->observation.elements));
    assert_int_equal(a->observation.flags, b->observation.flags);
}

/* ---- the tests ---- */

static void reports_the_same_as_a_testee(void **state) {
    const struct fixture *fixture = *state;
    for (uint32_t i = 0; i < CASES; i++) {
        assert_int_equal(fixture->here[i].ended, NDP_VERDICT_PASS);
        if (fixture->there[i].ended != NDP_VERDICT_PASS) fail_msg("case %u: %s", i, fixture->there[i].fault);
        for (uint32_t slot = 0; slot < NDP_SLOT_COUNT; slot++)
            assert_same_record(i, ndp_slot_words[slot], &fixture->here[i].slots[slot], &fixture->there[i].slots[slot]);
    }
}

static void builds_the_array_of_the_model(void **state) {
    struct fixture *fixture = *state;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct ndp_slot_record *source = &fixture->here[i].slots[NDP_SLOT_SOURCE];
        struct ndp_observation expected;
        if (!source->has_observation) fail_msg("case %u: %s", i, source->refusal.message);
        assert_int_equal(ndp_array_observe(&fixture->arena, &fixture->models[i], &expected), NDP_OK);
        assert_same_observation(i, "source", &expected, &source->observation);
    }
}

/* A poke through a shared map reaches the file, one through a private map does not, and neither changes the bytes that
 * the file was created from. */
static void pokes_reach_shared_maps_only(void **state) {
    const struct fixture *fixture = *state;
    uint32_t poked = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct ndp_slot_record *slots = fixture->here[i].slots;
        const struct ndp_slot_record *result = &slots[NDP_SLOT_RESULT];
        if (slots[NDP_SLOT_POKED].state != NDP_SLOT_FILLED || !result->observation.backing.is_mapped) continue;
        const uint64_t itemsize = result->observation.dtype->itemsize_bytes;
        const struct ndp_bytes before = slots[NDP_SLOT_ENCODED].bytes, after = slots[NDP_SLOT_FILE_AFTER].bytes;
        if (itemsize == 0) continue;
        assert_int_equal(before.size_bytes, after.size_bytes);
        const uint64_t place = result->observation.backing.position_bytes;
        for (uint64_t at = 0; at < before.size_bytes; at++) {
            const bool is_element = at >= place && at < place + itemsize;
            assert_int_equal(after.data[at], is_element ? (uint8_t)~before.data[at] : before.data[at]);
        }
        if (slots[NDP_SLOT_PEER2].has_bytes) assert_true(ndp_bytes_is_equal(before, slots[NDP_SLOT_PEER2].bytes));
        poked++;
    }
    assert_true(poked > CASES / 10);
}

static void reports_what_it_does_not_support(void **state) {
    const struct fixture *fixture = *state;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        const struct ndp_slot_record *record = &fixture->here[i].slots[NDP_SLOT_REENCODED];
        assert_true(record->state == NDP_SLOT_UNSUPPORTED || record->state == NDP_SLOT_ABSENT);
        asked += record->state == NDP_SLOT_UNSUPPORTED;
    }
    assert_true(asked > 0);
}

/* With one thread, results do not depend on scheduling. */
static void a_dict_is_the_same_in_both(void **state) {
    static const struct ndp_dict_value value = {
        .key = NDP_DICT_TUPLE,
        .initial = 40,
        .rounds = 3,
        .thread_count = 1,
        .threads = {{.blocks = {{NDP_DICT_OP_SET, 20, 60}, {NDP_DICT_OP_DELETE, 0, 10}, {NDP_DICT_OP_ITERATE, 0, 0}},
                     .block_count = 3}}};
    const struct ndp_program program = {
        .case_id = 7,
        .dict = &value,
        .step_count = 3,
        .steps = {{.op = NDP_STEP_BUILD, .to = NDP_SLOT_SOURCE},
                  {.op = NDP_STEP_TRANSPORT,
                   .from = NDP_SLOT_SOURCE,
                   .to = NDP_SLOT_RESULT,
                   .format = "dict",
                   .entry = "locked"},
                  {.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT}}};
    struct fixture *fixture = *state;
    struct ndp_outcome outcomes[2];
    char self[] = "/proc/self/exe", serve[] = "serve";
    char *argv[] = {self, serve, NULL};
    struct ndp_target *targets[2];
    assert_int_equal(ndp_target_open_plugin(reference_plugin(), &targets[0], NULL), NDP_OK);
    assert_int_equal(ndp_target_open_process("reference", "", argv, NULL, &targets[1], NULL), NDP_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(targets[i]->ops->submit(targets[i], &program, 1, NULL), NDP_OK);
        assert_int_equal(targets[i]->ops->collect(targets[i], &fixture->arena, &outcomes[i], 1, NULL), NDP_OK);
        assert_int_equal(outcomes[i].ended, NDP_VERDICT_PASS);
        assert_non_null(outcomes[i].slots[NDP_SLOT_RESULT].dict);
        ndp_target_close(targets[i]);
    }
    const struct ndp_dict_observation *here = outcomes[0].slots[NDP_SLOT_RESULT].dict;
    const struct ndp_dict_observation *there = outcomes[1].slots[NDP_SLOT_RESULT].dict;
    assert_int_equal(here->round_count, value.rounds);
    assert_int_equal(there->round_count, value.rounds);
    for (uint32_t i = 0; i < value.rounds; i++) {
        struct ndp_dict_complaint complaint;
        assert_true(ndp_bytes_is_equal(here->rounds[i], there->rounds[i]));
        assert_true(ndp_dict_round_is_allowed(&value, there->rounds[i], &complaint));
    }
}

static int play_role(int argc, char **argv) {
    struct ndp_error error = {.status = NDP_OK};
    if (argc == 2 && strcmp(argv[1], "serve") == 0) {
        const enum ndp_status status = ndp_serve(reference_plugin(), NDP_TESTEE_READ_FD, NDP_TESTEE_WRITE_FD, &error);
        if (status != NDP_OK) fprintf(stderr, "%s %s\n", error.path, error.text);
        return status == NDP_OK ? 0 : 1;
    }
    return -1;
}

NDP_SUITE_WITH(serve_test, play_role, setup, teardown, NDP_TEST(a_dict_is_the_same_in_both),
               NDP_TEST(reports_the_same_as_a_testee), NDP_TEST(builds_the_array_of_the_model),
               NDP_TEST(pokes_reach_shared_maps_only), NDP_TEST(reports_what_it_does_not_support));
