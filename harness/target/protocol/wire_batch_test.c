#include "base/suite.h"
#include "target/protocol/wire_fixture.h"

static const struct ndp_dtype two_bytes = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
static const int64_t shape_of_two[] = {2};

/* Two cases with the same steps, and one with other steps. */
static void fill_batch(struct ndp_program *programs, struct ndp_array_value *value, struct ndp_array *as) {
    memset(programs, 0, 3 * sizeof *programs);
    *value = (struct ndp_array_value){.base = {.dtype = &two_bytes, .ndim = 1, .shape = shape_of_two},
                                      .class_name = ndp_bytes_view("ndarray")};
    *as = (struct ndp_array){.dtype = &two_bytes, .layout = {.ndim = 1, .shape = {3}, .strides_bytes = {2}}};
    for (int i = 0; i < 2; i++) {
        programs[i].case_id = i == 0 ? 17 : UINT64_MAX;
        programs[i].steps[0] = step(NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, "", "", "", 0);
        programs[i].steps[1] = step(NDP_STEP_OBSERVE, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE, "", "", "", 0);
        programs[i].steps[2] = step(NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, "pickle", "c", "in-band", 5);
        programs[i].step_count = 3;
        programs[i].value = value;
        programs[i].base_bytes = ndp_bytes_view(i == 0 ? "abcd" : "efgh");
    }
    programs[2].case_id = 1;
    programs[2].steps[0] = step(NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, "", "", "", 0);
    programs[2].steps[1] = step(NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, "raw", "mmap:r+", "", 0);
    programs[2].steps[1].offset_bytes = 3;
    programs[2].steps[2] = step(NDP_STEP_TRANSPORT, NDP_SLOT_RESULT, NDP_SLOT_AGAIN, "a", "b", "", 0);
    programs[2].steps[2].max_nbytes = -1;
    programs[2].steps[3] = step(NDP_STEP_TRANSPORT, NDP_SLOT_RESULT, NDP_SLOT_AGAIN, "a", "b", "", 0);
    programs[2].steps[3].map_mode[0] = 'c';
    programs[2].step_count = 4;
    programs[2].supplied = ndp_bytes_view("ijk");
    programs[2].supplied_buffers[0] = ndp_bytes_view("");
    programs[2].supplied_buffers[1] = ndp_bytes_view("lm");
    programs[2].supplied_buffer_count = 2;
    programs[2].as = as;
    programs[2].as_order = NDP_MEMORY_F;
    programs[2].allows_objects = true;
}

static const char batch_json[] =
    "{\"programs\":[[[\"build\",\"\",\"source\"],[\"observe\",\"source\",\"source\"],"
    "[\"encode\",\"source\",\"encoded\",\"pickle\",\"c\",\"in-band\",5]],"
    "[[\"supply\",\"\",\"encoded\"],[\"decode\",\"encoded\",\"result\",\"raw\",\"mmap:r+\",\"\",0,3],"
    "[\"transport\",\"result\",\"again\",\"a\",\"b\",\"\",0,0,-1],"
    "[\"transport\",\"result\",\"again\",\"a\",\"b\",\"\",0,0,0,\"c\"]]],"
    "\"cases\":[{\"id\":17,\"program\":0,\"value\":{\"array\":{\"base\":{\"dtype\":\"<i2\",\"shape\":[2]}}},"
    "\"data\":[0,4]},"
    "{\"id\":\"18446744073709551615\",\"program\":0,"
    "\"value\":{\"array\":{\"base\":{\"dtype\":\"<i2\",\"shape\":[2]}}},\"data\":[4,4]},"
    "{\"id\":1,\"program\":1,\"supplied\":[8,3],\"supplied_buffers\":[[11,0],[11,2]],"
    "\"as\":{\"dtype\":\"<i2\",\"shape\":[3],\"order\":\"F\"},\"objects\":true}]}";
static const char batch_binary[] = "abcdefghijklm";

static void writes_a_batch(void **state) {
    struct ndp_program programs[3];
    struct ndp_array_value value;
    struct ndp_array as;
    struct ndp_frame_parser parser;
    fill_batch(programs, &value, &as);
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    assert_int_equal(ndp_wire_add_batch(&out, 7, programs, 3), NDP_OK);
    const struct ndp_frame frame = written_frame(&out, &parser);
    assert_int_equal(frame.type, NDP_FRAME_BATCH);
    assert_int_equal(frame.sequence, 7);
    assert_json(frame.json, batch_json);
    assert_text(frame.binary, batch_binary);
    ndp_frame_parser_clear(&parser);
}

static void reads_a_batch(void **state) {
    struct ndp_program expected[3], *programs;
    struct ndp_array_value value;
    struct ndp_array as;
    struct ndp_error error = {.status = NDP_OK};
    uint32_t count;
    const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, batch_json, batch_binary);
    fill_batch(expected, &value, &as);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    if (ndp_wire_read_batch(&arena, &frame, &programs, &count, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(programs[i].case_id, expected[i].case_id);
        assert_int_equal(programs[i].step_count, expected[i].step_count);
        assert_memory_equal(programs[i].steps, expected[i].steps, sizeof programs[i].steps);
        assert_true(ndp_bytes_is_equal(programs[i].supplied, expected[i].supplied));
        assert_true(ndp_bytes_is_equal(programs[i].base_bytes, expected[i].base_bytes));
        assert_int_equal(programs[i].value != NULL, i < 2);
        assert_int_equal(programs[i].allows_objects, i == 2);
    }
    assert_int_equal(programs[1].value->base.dtype->kind, NDP_KIND_INT);
    assert_int_equal(programs[1].value->base.shape[0], 2);
    assert_int_equal(programs[2].supplied_buffer_count, 2);
    assert_text(programs[2].supplied_buffers[1], "lm");
    assert_int_equal(programs[2].as_order, NDP_MEMORY_F);
    assert_int_equal(programs[2].as->layout.shape[0], 3);
    assert_int_equal(programs[2].as->layout.strides_bytes[0], 2);
}

/* A list of an array and a view of it. */
static const char graph_json[] =
    "{\"programs\":[[[\"build\",\"\",\"source\"]],[[\"decode\",\"encoded\",\"result\",\"graph\",\"memory\"]]],"
    "\"cases\":[{\"id\":1,\"program\":0,\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1,2]},"
    "{\"array\":{\"base\":{\"dtype\":\"<i2\",\"shape\":[2]}},\"data\":[1,4],\"attributes\":{}},"
    "{\"view\":{\"of\":1}}]}}},"
    "{\"id\":2,\"program\":1,\"graph\":true},{\"id\":3,\"program\":1,\"graph\":false}]}";

static void reads_graphs(void **state) {
    struct ndp_program *programs;
    struct ndp_error error = {.status = NDP_OK};
    uint32_t count;
    const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, graph_json, "abcdef");
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    if (ndp_wire_read_batch(&arena, &frame, &programs, &count, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(count, 3);
    assert_non_null(programs[0].graph);
    assert_null(programs[0].value);
    assert_int_equal(programs[0].graph->count, 3);
    assert_int_equal(programs[0].graph->nodes[2].kind, NDP_NODE_VIEW);
    assert_text(programs[0].graph->nodes[1].data, "bcde");
    assert_int_equal(programs[0].graph->nodes[1].array.base.data.pattern, NDP_PATTERN_HEX);
    assert_text(programs[0].graph->nodes[1].array.base.data.bytes, "bcde");
    /* A case that builds nothing can be a graph case. */
    assert_non_null(programs[1].graph);
    assert_int_equal(programs[1].graph->count, 0);
    assert_null(programs[2].graph);
}

static const struct {
    const char *old;
    const char *new;
    const char *path;
} bad_graphs[] = {
    {"\"data\":[1,4]", "\"data\":[3,4]", "/cases/0/value/graph/nodes/1/data"},
    {",\"data\":[1,4]", "", "/cases/0/value/graph/nodes/1"},
    {"\"list\":[1,2]", "\"list\":[1,3]", "/cases/0/value/graph/nodes/0/list/1"},
    {"{\"list\":[1,2]}", "{\"other\":\"a.b\"}", "/cases/0/value/graph/nodes/0"},
    {"\"root\":0", "\"root\":3", "/cases/0/value/graph/root"},
    {"{\"of\":1}", "{\"of\":0}", "/cases/0/value/graph"},
    {"\"graph\":true", "\"graph\":1", "/cases/1/graph"},
};

static void refuses_bad_graphs(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad_graphs); i++) {
        char json[1024];
        struct ndp_program *programs;
        struct ndp_error error = {.status = NDP_OK};
        uint32_t count;
        replace(graph_json, bad_graphs[i].old, bad_graphs[i].new, json, sizeof json);
        const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, json, "abcdef");
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_wire_read_batch(&arena, &frame, &programs, &count, &error) == NDP_OK) fail_msg("%s", json);
        if (strcmp(error.path, bad_graphs[i].path) != 0) fail_msg("%s: %s, at %s", json, error.text, error.path);
    }
}

static const char *const bad_batches[] = {
    "",
    "[]",
    "{}",
    "{\"programs\":[]}",
    "{\"programs\":[],\"cases\":[],\"more\":1}",
    "{\"programs\":1,\"cases\":[]}",
    "{\"programs\":[[[\"fly\",\"\",\"source\"]]],\"cases\":[]}",
    "{\"programs\":[[[\"build\",\"\"]]],\"cases\":[]}",
    "{\"programs\":[[[\"build\",\"\",\"nowhere\"]]],\"cases\":[]}",
    "{\"programs\":[[[\"decode\",\"encoded\",\"result\",\"npy\",\"c\",\"\",0,0,0,\"\",0,0]]],\"cases\":[]}",
    "{\"programs\":[[[\"encode\",\"source\",\"encoded\",\"npy\",\"c\",\"\",0,0,0,\"\",10]]],\"cases\":[]}",
    "{\"programs\":[[[\"decode\",\"encoded\",\"result\",\"npy\",\"c\",\"\",0,-1]]],\"cases\":[]}",
    "{\"programs\":[[[\"decode\",\"encoded\",\"result\",\"n y\"]]],\"cases\":[]}",
    "{\"programs\":[[]],\"cases\":[{\"program\":0}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":1}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":-1}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"value\":{\"array\":{}}}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"supplied\":[0,4]}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"supplied\":[\"18446744073709551615\",2]}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"supplied\":[0]}]}",
    "{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"as\":{\"dtype\":\"<i2\",\"shape\":[3]}}]}",
    ("{\"programs\":[[]],\"cases\":[{\"id\":1,\"program\":0,\"as\":"
     "{\"dtype\":\"<i2\",\"shape\":[\"9223372036854775807\"],\"order\":\"C\"}}]}"),
};

static void refuses_bad_batches(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad_batches); i++) {
        struct ndp_program *programs;
        uint32_t count;
        const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, bad_batches[i], "abc");
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_wire_read_batch(&arena, &frame, &programs, &count, NULL) == NDP_OK) fail_msg("%s", bad_batches[i]);
    }
}

/* Makes the n-th allocation fail, for each n, until the operation succeeds. */
static void every_failed_allocation_is_an_error(void **state) {
    const struct ndp_frame batch = frame_of(NDP_FRAME_BATCH, batch_json, batch_binary);
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        struct ndp_program *programs;
        uint32_t count;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_wire_read_batch(&arena, &batch, &programs, &count, NULL);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 5);
}

/* A frame that does not fit leaves the buffer unchanged, for every maximum. */
static void writes_whole_frames_or_none(void **state) {
    struct ndp_program programs[3];
    struct ndp_array_value value;
    struct ndp_array as;
    enum ndp_status status = NDP_LIMIT;
    fill_batch(programs, &value, &as);
    for (uint64_t max_bytes = 3; status != NDP_OK; max_bytes++) {
        NDP_BUFFER_SCOPED(out, max_bytes);
        assert_int_equal(ndp_buffer_add(&out, "abc", 3), NDP_OK);
        status = ndp_wire_add_batch(&out, 1, programs, 3);
        assert_true(status == NDP_OK || status == NDP_LIMIT);
        if (status != NDP_OK) assert_int_equal(out.size_bytes, 3);
    }
}

/* Corrupts a valid frame at random: no read is out of bounds. */
static void survives_mutations(void **state) {
    struct ndp_rng rng;
    uint64_t accepted = 0;
    ndp_rng_init(&rng, 7);
    for (int round = 0; round < SPOILT_ROUNDS; round++) {
        struct ndp_program *programs;
        uint32_t count;
        struct ndp_frame frame = wire_spoil(&rng, NDP_FRAME_BATCH, batch_json, batch_binary);
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_wire_read_batch(&arena, &frame, &programs, &count, NULL) == NDP_OK) accepted++;
        wire_free(&frame);
    }
    expect_mixed(accepted, SPOILT_ROUNDS);
}

NDP_SUITE(wire_batch_test, NDP_TEST(writes_a_batch), NDP_TEST(reads_a_batch), NDP_TEST(refuses_bad_batches),
          NDP_TEST(reads_graphs), NDP_TEST(refuses_bad_graphs), NDP_TEST(every_failed_allocation_is_an_error),
          NDP_TEST(writes_whole_frames_or_none), NDP_TEST(survives_mutations));
