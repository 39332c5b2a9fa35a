#include "base/suite.h"
#include "target/protocol/wire_fixture.h"

static const struct ndp_target_info little = {.is_little_endian = true};

/* A program with a record of every kind. */
static struct ndp_program full_program(void) {
    struct ndp_program program = {.case_id = 5, .step_count = 8};
    program.steps[0] = step(NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, "", "", "", 0);
    program.steps[1] = step(NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, "", "", "", 0);
    program.steps[2] = step(NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "npy", "file", "", 0);
    program.steps[3] = step(NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED, "", "", "", 0);
    program.steps[4] = step(NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "npy", "mmap:r", "", 0);
    program.steps[5] = step(NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, "", "", "", 0);
    program.steps[6] = step(NDP_STEP_POKE, NDP_SLOT_RESULT, NDP_SLOT_POKED, "", "", "", 0);
    program.steps[7] = step(NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, "", "", "", 0);
    return program;
}

static const char end_json[] =
    "{\"slots\":{\"source\":{\"observation\":{\"class\":\"ndarray\",\"dtype\":\">i2\",\"shape\":[2,1],"
    "\"strides\":[-2,0],\"flags\":\"CWA\",\"elements\":[0,4],"
    "\"backing\":{\"class\":true,\"claims\":\"case\",\"mapped\":true,\"mode\":\"r+\",\"offset\":80,\"position\":82}}},"
    "\"encoded\":{\"bytes\":[4,3],\"buffers\":[[7,0],[7,2]]},"
    "\"result\":{\"refused\":{\"reason\":\"value\",\"type\":\"ValueError\",\"message\":\"no\"}},"
    "\"poked\":{\"unsupported\":{\"reason\":\"unsupported\",\"type\":\"\",\"message\":\"never\"}}}}";
static const char end_binary[] = "abcdefghi";

static void assert_is_end(const struct ndp_outcome *outcome) {
    const struct ndp_slot_record *slots = outcome->slots;
    const struct ndp_observation *source = &slots[NDP_SLOT_SOURCE].observation;
    assert_int_equal(outcome->ended, NDP_VERDICT_PASS);
    assert_int_equal(outcome->case_id, 5);
    assert_int_equal(slots[NDP_SLOT_SOURCE].state, NDP_SLOT_FILLED);
    assert_true(slots[NDP_SLOT_SOURCE].has_observation);
    assert_text(source->class_name, "ndarray");
    assert_int_equal(source->dtype->kind, NDP_KIND_INT);
    assert_int_equal(source->dtype->order, NDP_ORDER_BIG);
    assert_int_equal(source->ndim, 2);
    assert_int_equal(source->shape[0], 2);
    assert_int_equal(source->shape[1], 1);
    assert_int_equal(source->strides_bytes[0], -2);
    assert_int_equal(source->flags, NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED);
    assert_text(source->elements, "abcd");
    assert_true(source->backing.is_map_class && source->backing.is_mapped);
    assert_int_equal(source->backing.claims, NDP_BACKING_CASE);
    assert_int_equal(source->backing.mode, NDP_MAP_READ_WRITE);
    assert_true(source->backing.has_mode && source->backing.has_offset && source->backing.has_position);
    assert_int_equal(source->backing.offset_bytes, 80);
    assert_int_equal(source->backing.position_bytes, 82);
    assert_text(slots[NDP_SLOT_ENCODED].bytes, "efg");
    assert_int_equal(slots[NDP_SLOT_ENCODED].buffer_count, 2);
    assert_text(slots[NDP_SLOT_ENCODED].buffers[0], "");
    assert_text(slots[NDP_SLOT_ENCODED].buffers[1], "hi");
    assert_int_equal(slots[NDP_SLOT_RESULT].state, NDP_SLOT_REFUSED);
    assert_int_equal(slots[NDP_SLOT_RESULT].refusal.reason, NDP_REFUSAL_VALUE);
    assert_string_equal(slots[NDP_SLOT_RESULT].refusal.type, "ValueError");
    assert_string_equal(slots[NDP_SLOT_RESULT].refusal.message, "no");
    assert_int_equal(slots[NDP_SLOT_POKED].state, NDP_SLOT_UNSUPPORTED);
    assert_int_equal(slots[NDP_SLOT_RESULT_AFTER].state, NDP_SLOT_ABSENT);
}

static void reads_and_writes_end(void **state) {
    struct ndp_outcome outcome;
    struct ndp_arena arena, second;
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_buffer out;
    struct ndp_frame_parser parser;
    const struct ndp_program program = full_program();
    struct ndp_frame frame = frame_of(NDP_FRAME_END, end_json, end_binary);
    ndp_arena_init(&arena, ARENA_BYTES);
    ndp_arena_init(&second, ARENA_BYTES);
    if (ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, &error) != NDP_OK)
        fail_msg("%s %s", error.path, error.text);
    assert_is_end(&outcome);
    ndp_buffer_init(&out, OUT_BYTES);
    assert_int_equal(ndp_wire_add_end(&out, 9, 3, &outcome), NDP_OK);
    frame = written_frame(&out, &parser);
    assert_int_equal(frame.sequence, 9);
    assert_int_equal(frame.index, 3);
    assert_json(frame.json, end_json);
    assert_text(frame.binary, end_binary);
    assert_int_equal(ndp_wire_read_end(&second, &frame, &little, &program, &outcome, &error), NDP_OK);
    ndp_frame_parser_clear(&parser); /* an outcome does not borrow from its frame */
    ndp_buffer_clear(&out);
    assert_is_end(&outcome);
    ndp_arena_clear(&arena);
    ndp_arena_clear(&second);
}

static const struct {
    const char *old;
    const char *new;
    const char *path;
} bad_ends[] = {
    {"{\"slots\":", "{\"slot\":", "/slot"},
    {"\"source\":{\"obs", "\"sauce\":{\"obs", "/slots/sauce"},
    {"\"poked\":{", "\"\":{", "/slots/"},
    {"\"poked\":{", "\"peer0\":{", "/slots/peer0"},
    {"\"poked\":{", "\"source\":{", "/slots/source"},
    {"\"encoded\":{\"bytes\"", "\"encoded\":{\"peak\":1,\"bytes\"", "/slots/encoded"},
    {"\"result\":{\"refused\"", "\"result\":{\"bytes\":[0,0],\"refused\"", "/slots/result"},
    {"\"encoded\":{\"bytes\":[4,3],", "\"encoded\":{\"bytes\":[4,3],\"refused\":{},", "/slots/encoded"},
    {"\"bytes\":[4,3],", "", "/slots/encoded"},
    {"[4,3]", "[4,6]", "/slots/encoded/bytes"},
    {"[4,3]", "[\"18446744073709551615\",3]", "/slots/encoded/bytes"},
    {"[4,3]", "[4]", "/slots/encoded/bytes"},
    {"[4,3]", "[-4,3]", "/slots/encoded/bytes/0"},
    {"[[7,0],[7,2]]", "[[7,0],[7,3]]", "/slots/encoded/buffers/1"},
    {"[[7,0],[7,2]]", "7", "/slots/encoded/buffers"},
    {"\"class\":\"ndarray\"", "\"class\":\"\"", "/slots/source/observation/class"},
    {"\"class\":\"ndarray\",", "", "/slots/source/observation"},
    {"\">i2\"", "\">i3\"", "/slots/source/observation/dtype"},
    {"\">i2\"", "\">i4\"", "/slots/source/observation/elements"},
    {"\"shape\":[2,1]", "\"shape\":[3,1]", "/slots/source/observation/elements"},
    {"\"shape\":[2,1]", "\"shape\":[2,-1]", "/slots/source/observation/shape/1"},
    {"\"shape\":[2,1]", "\"shape\":[2]", "/slots/source/observation/strides"},
    {"\"shape\":[2,1]", "\"shape\":[\"9223372036854775807\",4]", "/slots/source/observation/elements"},
    {"\"flags\":\"CWA\"", "\"flags\":\"CWC\"", "/slots/source/observation/flags"},
    {"\"flags\":\"CWA\"", "\"flags\":\"X\"", "/slots/source/observation/flags"},
    {"\"elements\":[0,4]", "\"elements\":[0,3]", "/slots/source/observation/elements"},
    {"\"elements\":[0,4]", "\"elements\":[7,4]", "/slots/source/observation/elements"},
    {"\"claims\":\"case\"", "\"claims\":\"mine\"", "/slots/source/observation/backing/claims"},
    {"\"mapped\":true,", "\"mapped\":false,", "/slots/source/observation/backing/position"},
    {"\"mode\":\"r+\"", "\"mode\":\"rw\"", "/slots/source/observation/backing/mode"},
    {"\"offset\":80", "\"offset\":-80", "/slots/source/observation/backing/offset"},
    {"\"reason\":\"value\"", "\"reason\":\"whim\"", "/slots/result/refused/reason"},
    {"\"type\":\"ValueError\",", "", "/slots/result/refused"},
    {"\"message\":\"no\"", "\"message\":null", "/slots/result/refused/message"},
    /* silently omitted */
    {",\"poked\":{\"unsupported\":{\"reason\":\"unsupported\",\"type\":\"\",\"message\":\"never\"}}", "", NULL},
    {"\"result\":{\"refused\":{\"reason\":\"value\",\"type\":\"ValueError\",\"message\":\"no\"}}", "\"result\":{}",
     "/slots"},
    {"\"encoded\":{\"bytes\":[4,3],\"buffers\":[[7,0],[7,2]]},", "", "/slots"},
};

static void refuses_bad_ends(void **state) {
    const struct ndp_program program = full_program();
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad_ends); i++) {
        char json[2048];
        struct ndp_outcome outcome;
        struct ndp_arena arena;
        struct ndp_error error = {.status = NDP_OK};
        replace(end_json, bad_ends[i].old, bad_ends[i].new, json, sizeof json);
        const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, end_binary);
        ndp_arena_init(&arena, ARENA_BYTES);
        const enum ndp_status status = ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, &error);
        /* There is nothing to poke without a result, so that record may be omitted. */
        if (status != (bad_ends[i].path ? NDP_INVALID : NDP_OK)) fail_msg("%s: %s", json, error.text);
        if (bad_ends[i].path && strcmp(error.path, bad_ends[i].path) != 0)
            fail_msg("%s: %s, at %s", bad_ends[i].new, error.text, error.path);
        ndp_arena_clear(&arena);
    }
}

/* A decoder may refuse its result, but not its supplied input, where no comparison would notice. */
static void refuses_refusals_of_supplied_bytes(void **state) {
    static const char *const states[] = {"refused", "unsupported"};
    struct ndp_program program = {.step_count = 3};
    program.steps[0] = step(NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, "", "", "", 0);
    program.steps[1] = step(NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "npy", "memory", "", 0);
    program.steps[2] = step(NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, "", "", "", 0);
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(states); i++) {
        const bool is_bytes = i % 2 == 0;
        char json[256];
        struct ndp_outcome outcome;
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        snprintf(json, sizeof json, "{\"slots\":{\"%s\":{\"%s\":{\"reason\":\"%s\",\"type\":\"\",\"message\":\"\"}}}}",
                 is_bytes ? "encoded" : "result", states[i / 2], i / 2 == 0 ? "memory" : "unsupported");
        const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, "");
        assert_int_equal(ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL),
                         is_bytes ? NDP_INVALID : NDP_OK);
        ndp_arena_clear(&arena);
    }
}

/* "=" is the byte order of the testee's machine. */
static void resolves_native_order(void **state) {
    const struct ndp_target_info big = {.is_little_endian = false};
    const struct ndp_program program = full_program();
    char json[2048];
    replace(end_json, "\">i2\"", "\"=i2\"", json, sizeof json);
    const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, end_binary);
    for (int i = 0; i < 2; i++) {
        struct ndp_outcome outcome;
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_wire_read_end(&arena, &frame, i ? &big : &little, &program, &outcome, NULL), NDP_OK);
        assert_int_equal(outcome.slots[NDP_SLOT_SOURCE].observation.dtype->order, i ? NDP_ORDER_BIG : NDP_ORDER_LITTLE);
        ndp_arena_clear(&arena);
    }
}

/* Long messages are cut between code points, and control characters are removed. */
static void cuts_messages(void **state) {
    const struct ndp_program program = full_program();
    char json[2048], message[600] = "\"message\":\"a\\u001b";
    for (int i = 0; i < 150; i++) strcat(message, "\xc3\xa9");
    strcat(message, "\"");
    struct ndp_outcome outcome;
    struct ndp_arena arena;
    replace(end_json, "\"message\":\"no\"", message, json, sizeof json);
    const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, end_binary);
    ndp_arena_init(&arena, ARENA_BYTES);
    assert_int_equal(ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL), NDP_OK);
    const char *got = outcome.slots[NDP_SLOT_RESULT].refusal.message;
    assert_int_equal(strlen(got), 190); /* "a?" and 94 characters of two bytes; 191 would cut one in half */
    assert_memory_equal(got, "a?\xc3\xa9", 4);
    ndp_arena_clear(&arena);
}

/* An array with an attribute, broken and masked, and a function that was called, as in the README. */
static const char graph_json[] =
    "{\"slots\":{\"result\":{\"observation\":{\"graph\":{\"nodes\":["
    "{\"tuple\":[1,3,4],\"sent\":true},"
    "{\"array\":{\"class\":\"MaskedArray\",\"dtype\":\"<i2\",\"shape\":[1],\"strides\":[2],\"flags\":\"CFWA\","
    "\"elements\":[0,2]},\"class\":\"MaskedArray\",\"attributes\":{\"extra\":3},\"mask\":2,\"fill_value\":\"0100\","
    "\"hard_mask\":true,\"whole\":\"AttributeError: extra\",\"memory\":[0,-2]},"
    "{\"array\":{\"class\":\"ndarray\",\"dtype\":\"|b1\",\"shape\":[1],\"strides\":[1],\"flags\":\"CFWA\","
    "\"elements\":[2,1]},\"class\":\"ndarray\",\"whole\":true,\"memory\":[1,0],\"sent\":true},"
    "{\"int\":\"7\"},"
    "{\"frompyfunc\":{\"name\":\"f\"},\"results\":[\"3\",\"NameError\"]}]}}}}}";

static struct ndp_program graph_program(void) {
    static const struct ndp_graph none = {.count = 0};
    struct ndp_program program = {.step_count = 2, .graph = &none};
    program.steps[0] = step(NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "graph", "memory", "", 0);
    program.steps[1] = step(NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, "", "", "", 0);
    return program;
}

static void reads_and_writes_graphs(void **state) {
    const struct ndp_program program = graph_program();
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_frame frame = frame_of(NDP_FRAME_END, graph_json, "abc");
    struct ndp_outcome outcome;
    struct ndp_buffer out;
    struct ndp_arena arena;
    struct ndp_frame_parser parser;
    ndp_arena_init(&arena, ARENA_BYTES);
    ndp_buffer_init(&out, OUT_BYTES);
    if (ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, &error) != NDP_OK)
        fail_msg("%s %s", error.path, error.text);
    const struct ndp_graph *graph = outcome.slots[NDP_SLOT_RESULT].graph;
    assert_non_null(graph);
    assert_int_equal(graph->count, 5);
    assert_text(graph->nodes[1].trouble, "AttributeError: extra");
    assert_int_equal(graph->nodes[1].memory_offset_bytes, -2);
    assert_true(graph->nodes[1].has_hard_mask);
    assert_text(graph->nodes[1].observation.elements, "ab");
    assert_text(graph->nodes[4].results[1], "NameError");
    assert_int_equal(ndp_wire_add_end(&out, 3, 1, &outcome), NDP_OK);
    frame = written_frame(&out, &parser);
    assert_json(frame.json, graph_json);
    assert_text(frame.binary, "abc");
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
}

/* Computing with positions must not overflow: two parts of one memory are a number of bytes apart. */
static void refuses_impossible_positions(void **state) {
    static const struct {
        const char *memory;
        bool is_right;
    } rows[] = {
        {"\"memory\":[0,\"4611686018427387903\"]", true},
        {"\"memory\":[0,\"-4611686018427387903\"]", true},
        {"\"memory\":[0,\"9223372036854775807\"]", false},
        {"\"memory\":[0,\"-9223372036854775808\"]", false},
        {"\"memory\":[-1,0]", false},
        {"\"memory\":[\"4294967296\",0]", false},
        {"\"memory\":[0]", false},
        {"\"memory\":[0,0,0]", false},
    };
    const struct ndp_program program = graph_program();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char json[2048];
        struct ndp_outcome outcome;
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        replace(graph_json, "\"memory\":[0,-2]", rows[i].memory, json, sizeof json);
        const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, "abc");
        const enum ndp_status status = ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL);
        if ((status == NDP_OK) != rows[i].is_right) fail_msg("%s: %s", rows[i].memory, ndp_status_text(status));
        ndp_arena_clear(&arena);
    }
}

/* A value of hundreds of megabytes in all slots takes memory once. */
static void keeps_a_piece_once(void **state) {
    enum { BINARY_BYTES = 9 };
    const struct ndp_program program = full_program();
    char json[1024];
    struct ndp_outcome outcome;
    struct ndp_arena arena;
    ndp_arena_init(&arena, ARENA_BYTES);
    replace(end_json, "[[7,0],[7,2]]", "[[0,4],[4,3],[7,2],[7,1],[7,2]]", json, sizeof json);
    const struct ndp_frame frame = frame_of(NDP_FRAME_END, json, end_binary);
    assert_int_equal(ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL), NDP_OK);
    const struct ndp_observation *source = &outcome.slots[NDP_SLOT_SOURCE].observation;
    const struct ndp_slot_record *encoded = &outcome.slots[NDP_SLOT_ENCODED];
    assert_int_equal(encoded->buffer_count, 5);
    assert_ptr_equal(encoded->buffers[0].data, source->elements.data);
    assert_ptr_equal(encoded->buffers[1].data, encoded->bytes.data);
    assert_ptr_equal(encoded->buffers[4].data, encoded->buffers[2].data);
    assert_ptr_not_equal(encoded->buffers[3].data, encoded->buffers[2].data);
    assert_int_equal(encoded->buffers[3].size_bytes, 1);
    assert_memory_equal(encoded->buffers[4].data, end_binary + BINARY_BYTES - 2, 2);
    ndp_arena_clear(&arena);
}

/* Makes the n-th allocation fail, for each n, until the operation succeeds. */
static void every_failed_allocation_is_an_error(void **state) {
    const struct ndp_program program = full_program();
    const struct ndp_frame end = frame_of(NDP_FRAME_END, end_json, end_binary);
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        struct ndp_outcome outcome;
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_wire_read_end(&arena, &end, &little, &program, &outcome, NULL);
        ndp_arena_clear(&arena);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 5);
}

/* Corrupts a valid frame at random: no read is out of bounds. */
static void survives_mutations(void **state) {
    const struct ndp_program program = full_program();
    struct ndp_rng rng;
    uint64_t accepted = 0;
    ndp_rng_init(&rng, 7);
    for (int round = 0; round < SPOILT_ROUNDS; round++) {
        struct ndp_outcome outcome;
        struct ndp_frame frame = wire_spoil(&rng, NDP_FRAME_END, end_json, end_binary);
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        if (ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL) == NDP_OK) accepted++;
        ndp_arena_clear(&arena);
        wire_free(&frame);
    }
    expect_mixed(accepted, SPOILT_ROUNDS);
}

NDP_SUITE(wire_end_test, NDP_TEST(reads_and_writes_end), NDP_TEST(refuses_bad_ends), NDP_TEST(reads_and_writes_graphs),
          NDP_TEST(resolves_native_order), NDP_TEST(cuts_messages), NDP_TEST(keeps_a_piece_once),
          NDP_TEST(every_failed_allocation_is_an_error), NDP_TEST(refuses_impossible_positions),
          NDP_TEST(refuses_refusals_of_supplied_bytes), NDP_TEST(survives_mutations));
