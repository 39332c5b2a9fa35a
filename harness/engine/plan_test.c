#include "base/suite.h"
#include "engine/plan.h"

static void add_entry(struct ndp_target_info *info, const char *entry, bool encodes, bool decodes) {
    struct ndp_entry *out = &info->entries[info->entry_count++];
    snprintf(out->format, sizeof out->format, "npy");
    snprintf(out->entry, sizeof out->entry, "%s", entry);
    out->encodes = encodes;
    out->decodes = decodes;
}

static struct ndp_route a_route(void) {
    struct ndp_route route = {0};
    snprintf(route.format, sizeof route.format, "npy");
    snprintf(route.encode, sizeof route.encode, "memory");
    snprintf(route.decode, sizeof route.decode, "file");
    return route;
}

/* Checks that every step reads a filled slot. Returns the mask of filled slots. */
static uint32_t check_order(const struct ndp_program *program, uint32_t filled) {
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct ndp_step *step = &program->steps[i];
        if (step->op != NDP_STEP_BUILD && step->op != NDP_STEP_SUPPLY) assert_true((filled & 1u << step->from) != 0);
        filled |= 1u << step->to;
    }
    return filled;
}

static bool has_step(const struct ndp_program *program, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to) {
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct ndp_step *step = &program->steps[i];
        if (step->op == op && step->from == from && step->to == to) return true;
    }
    return false;
}

static void peers_are_the_other_entries_of_the_format(void **state) {
    static struct ndp_target_info info;
    memset(&info, 0, sizeof info);
    add_entry(&info, "memory", true, true);
    add_entry(&info, "file", true, true);
    add_entry(&info, "mapped", true, false);
    add_entry(&info, "mmap:r", false, true);
    struct ndp_route route = a_route();
    struct ndp_peers peers;
    ndp_plan_peers(&route, &info, &info, &peers);
    assert_string_equal(peers.decode[0], "memory");
    assert_string_equal(peers.decode[1], "mmap:r");
    assert_null(peers.decode[2]);
    assert_string_equal(peers.encode, "mapped");
    snprintf(route.decode, sizeof route.decode, "memory");
    ndp_plan_peers(&route, &info, &info, &peers);
    assert_string_equal(peers.encode, "file");
}

/* A variant has the peers of an ordinary entry point, and is none. */
static void variants_are_no_peers_and_no_second_format(void **state) {
    static struct ndp_target_info info;
    memset(&info, 0, sizeof info);
    add_entry(&info, "gzip", true, true);
    info.entries[0].is_variant = true;
    add_entry(&info, "memory", true, true);
    add_entry(&info, "file", true, true);
    struct ndp_route route = a_route();
    struct ndp_peers peers;
    ndp_plan_peers(&route, &info, &info, &peers);
    assert_string_equal(peers.decode[0], "memory");
    assert_null(peers.decode[1]);
    assert_string_equal(peers.encode, "file");
    snprintf(route.encode, sizeof route.encode, "gzip");
    snprintf(route.decode, sizeof route.decode, "gzip");
    ndp_plan_peers(&route, &info, &info, &peers);
    assert_string_equal(peers.decode[0], "memory");
    assert_string_equal(peers.decode[1], "file");
    assert_string_equal(peers.encode, "memory");
    snprintf(info.entries[0].format, sizeof info.entries[0].format, "pickle");
    ndp_plan_second(&route, &info, NDP_VALUE_ARRAY, &peers);
    assert_false(peers.has_second);
    info.entries[0].is_variant = false;
    ndp_plan_second(&route, &info, NDP_VALUE_ARRAY, &peers);
    assert_true(peers.has_second);
}

/* The peer returns the value in the same way; a transport with a process per value has none. */
static void the_peer_of_a_transport_is_the_next_one(void **state) {
    static struct ndp_target_info info;
    static const char *const names[] = {"a:pool", "b:pool", "a:process", "c:pool", "d"};
    static const char *const peers[] = {"b:pool", "c:pool", NULL, "a:pool", NULL};
    memset(&info, 0, sizeof info);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        struct ndp_entry *entry = &info.entries[info.entry_count++];
        snprintf(entry->format, sizeof entry->format, "pools");
        snprintf(entry->entry, sizeof entry->entry, "%s", names[i]);
        entry->transports = true;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        struct ndp_route route = {.format = "pools"};
        struct ndp_peers out;
        snprintf(route.encode, sizeof route.encode, "%s", names[i]);
        ndp_plan_transport_peer(&route, &info, &out);
        if (peers[i] == NULL) assert_null(out.transport);
        if (peers[i] != NULL) assert_string_equal(out.transport, peers[i]);
    }
    struct ndp_route route = {.format = "pools", .encode = "a:pool"};
    struct ndp_peers out;
    info.entries[1].takes_settings = true;
    ndp_plan_transport_peer(&route, &info, &out);
    assert_string_equal(out.transport, "c:pool");
    route.max_nbytes = -1;
    ndp_plan_transport_peer(&route, &info, &out);
    assert_string_equal(out.transport, "b:pool");
    static struct ndp_program program;
    memset(&program, 0, sizeof program);
    const struct ndp_peers next = {.transport = "b:pool"};
    assert_int_equal(ndp_plan_round_trip(&route, true, &next, 1u << NDP_SLOT_PEER0, &program, NULL), NDP_OK);
    assert_true(has_step(&program, NDP_STEP_TRANSPORT, NDP_SLOT_SOURCE, NDP_SLOT_PEER0));
}

static void one_target_fills_every_slot_in_order(void **state) {
    static struct ndp_program program;
    memset(&program, 0, sizeof program);
    struct ndp_route route = a_route();
    const struct ndp_peers peers = {.decode = {"memory", "mmap:r", "mmap:r+", "mmap:c"},
                                    .encode = "mapped",
                                    .has_second = true,
                                    .second = {.format = "npz", .encode = "memory", .decode = "file"}};
    /* All but NONE and PEAK; only decode cases measure the peak. */
    const uint32_t every = ((1u << NDP_SLOT_COUNT) - 2) & ~(1u << NDP_SLOT_PEAK);
    assert_int_equal(ndp_plan_round_trip(&route, false, &peers, every, &program, NULL), NDP_OK);
    assert_int_equal(check_order(&program, 0), every);
    assert_true(has_step(&program, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED));
    assert_true(has_step(&program, NDP_STEP_FETCH, NDP_SLOT_RESULT, NDP_SLOT_FILE_AFTER));
}

/* The source changes after all other steps, which need it as it was. */
static void a_changed_source_is_sent_last(void **state) {
    static struct ndp_program program;
    const struct ndp_peers peers = {.decode = {"memory"}, .encode = "mapped"};
    const uint32_t every = ((1u << NDP_SLOT_COUNT) - 2) & ~(1u << NDP_SLOT_PEAK);
    struct ndp_route route = a_route();
    for (int is_transport = 0; is_transport < 2; is_transport++) {
        memset(&program, 0, sizeof program);
        assert_int_equal(ndp_plan_round_trip(&route, is_transport, &peers, every, &program, NULL), NDP_OK);
        uint32_t poked_at = 0;
        for (uint32_t i = 0; i < program.step_count; i++)
            if (program.steps[i].to == NDP_SLOT_TOUCHED) poked_at = i;
        assert_true(poked_at > 0);
        assert_int_equal(program.steps[poked_at].op, NDP_STEP_POKE);
        assert_int_equal(program.steps[poked_at].from, NDP_SLOT_SOURCE);
        for (uint32_t i = poked_at; i < program.step_count; i++) assert_true(program.steps[i].to >= NDP_SLOT_TOUCHED);
        assert_int_equal(program.steps[program.step_count - 1].to, NDP_SLOT_TOUCHED_RESULT);
    }
}

static void unneeded_slots_add_no_steps(void **state) {
    static struct ndp_program program;
    memset(&program, 0, sizeof program);
    struct ndp_route route = a_route();
    const struct ndp_peers peers = {.decode = {"memory"}, .encode = "mapped"};
    assert_int_equal(
        ndp_plan_round_trip(&route, false, &peers, 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_RESULT, &program, NULL),
        NDP_OK);
    assert_int_equal(program.step_count, 5);
    assert_false(has_step(&program, NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED));
}

static void the_decoder_gets_the_encoding_as_input(void **state) {
    static struct ndp_program halves[2];
    memset(halves, 0, sizeof halves);
    struct ndp_route route = a_route();
    const struct ndp_peers peers = {.decode = {"memory"}};
    assert_int_equal(ndp_plan_round_trip(&route, false, &peers, 1u << NDP_SLOT_PEER0, &halves[0], &halves[1]), NDP_OK);
    assert_true(has_step(&halves[0], NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED));
    assert_int_equal(halves[1].steps[0].op, NDP_STEP_SUPPLY);
    uint32_t filled = check_order(&halves[1], 0);
    assert_true((filled & 1u << NDP_SLOT_RESULT) != 0);
    assert_true((filled & 1u << NDP_SLOT_PEER0) != 0);
}

/* The second format depends on the route alone, differs from its format, and takes the value. */
static void the_second_format_differs_from_the_first(void **state) {
    static struct ndp_target_info info;
    static const struct ndp_entry entries[] = {
        {.format = "npy", .entry = "memory", .encodes = true, .decodes = true},
        {.format = "raw", .entry = "memory", .encodes = true, .decodes = true},
        {.format = "pickle", .protocol = 4, .entry = "c", .encodes = true, .decodes = true, .takes_graphs = true},
        {.format = "pickle", .protocol = 2, .entry = "c", .encodes = true, .decodes = true, .takes_graphs = true},
        {.format = "blind", .entry = "c", .encodes = true},
        {.format = "copy", .entry = "copy", .encodes = true, .decodes = true, .is_local = true},
    };
    memcpy(info.entries, entries, sizeof entries);
    info.entry_count = NDP_ARRAY_LEN(entries);
    uint32_t seen[3] = {0};
    for (int32_t i = 0; i < 64; i++) {
        struct ndp_route route = {
            .format = "raw", .encode = "memory", .decode = "memory", .decoder = "one", .protocol = i};
        struct ndp_peers peers = {.has_second = false}, again = peers;
        ndp_plan_second(&route, &info, NDP_VALUE_ARRAY, &peers);
        ndp_plan_second(&route, &info, NDP_VALUE_ARRAY, &again);
        assert_true(peers.has_second);
        assert_memory_equal(&peers.second, &again.second, sizeof again.second);
        assert_string_equal(peers.second.decoder, "one");
        assert_string_equal(peers.second.encoder, "one");
        if (strcmp(peers.second.format, "npy") == 0) seen[0]++;
        if (strcmp(peers.second.format, "pickle") == 0) seen[peers.second.protocol == 4 ? 1 : 2]++;
    }
    assert_int_equal(seen[0] + seen[1] + seen[2], 64);
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    struct ndp_route route = {.format = "pickle", .protocol = 4, .encode = "c", .decode = "c"};
    struct ndp_peers peers = {.has_second = false};
    ndp_plan_second(&route, &info, NDP_VALUE_GRAPH, &peers);
    assert_true(peers.has_second);
    assert_string_equal(peers.second.format, "pickle");
    assert_int_equal(peers.second.protocol, 2);
    /* A route that decodes to a map has no second format. */
    peers.has_second = false;
    snprintf(route.decode, sizeof route.decode, "mmap:r");
    ndp_plan_second(&route, &info, NDP_VALUE_ARRAY, &peers);
    assert_false(peers.has_second);
}

NDP_SUITE(plan_test, NDP_TEST(the_second_format_differs_from_the_first),
          NDP_TEST(peers_are_the_other_entries_of_the_format), NDP_TEST(variants_are_no_peers_and_no_second_format),
          NDP_TEST(the_peer_of_a_transport_is_the_next_one), NDP_TEST(one_target_fills_every_slot_in_order),
          NDP_TEST(a_changed_source_is_sent_last), NDP_TEST(unneeded_slots_add_no_steps),
          NDP_TEST(the_decoder_gets_the_encoding_as_input));
