/* Frames written by hand from harness/testees/README.md, not by our own writer; then both directions together. */
#include "target/wire.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

enum { OUT_BYTES = 1 << 22 };

#define ARENA_BYTES (UINT64_C(1) << 26)

static struct ndp_frame frame_of(enum ndp_frame_type type, const char *json, const char *binary) {
    return (struct ndp_frame){.type = type, .json = ndp_bytes_view(json), .binary = ndp_bytes_view(binary)};
}

/* Takes the one frame in `out` apart with the parser. */
static struct ndp_frame written_frame(const struct ndp_buffer *out, struct ndp_frame_parser *parser) {
    struct ndp_frame frame = {.index = 0};
    bool is_ready = false;
    ndp_frame_parser_init(parser, OUT_BYTES);
    assert_int_equal(ndp_frame_parser_add(parser, ndp_buffer_view(out)), NDP_OK);
    assert_int_equal(ndp_frame_parser_next(parser, &frame, &is_ready, NULL), NDP_OK);
    assert_true(is_ready);
    assert_int_equal(ndp_frame_parser_waiting(parser), 0);
    return frame;
}

static void assert_json(struct ndp_bytes got, const char *expected) {
    cJSON *a = cJSON_ParseWithLength((const char *)got.data, (size_t)got.size_bytes);
    cJSON *b = cJSON_Parse(expected);
    assert_non_null(a);
    assert_non_null(b);
    if (!cJSON_Compare(a, b, true))
        fail_msg("got      %.*s\nexpected %s", (int)got.size_bytes, (const char *)got.data, expected);
    cJSON_Delete(a);
    cJSON_Delete(b);
}

static void assert_text(struct ndp_bytes got, const char *expected) {
    if (!ndp_bytes_is_equal(got, ndp_bytes_view(expected)))
        fail_msg("got %.*s, expected %s", (int)got.size_bytes, (const char *)got.data, expected);
}

/* ---- BATCH ---- */

static struct ndp_step step(enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to, const char *format,
                            const char *entry, const char *buffers, int32_t protocol) {
    struct ndp_step out = {.op = op, .from = from, .to = to, .protocol = protocol};
    snprintf(out.format, sizeof out.format, "%s", format);
    snprintf(out.entry, sizeof out.entry, "%s", entry);
    snprintf(out.buffers, sizeof out.buffers, "%s", buffers);
    return out;
}

static const struct ndp_dtype two_bytes = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
static const int64_t shape_of_two[] = {2};

/* Two cases with the same steps, and one with others that are all written out. */
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
    (void)state;
    struct ndp_program programs[3];
    struct ndp_array_value value;
    struct ndp_array as;
    struct ndp_buffer out;
    struct ndp_frame_parser parser;
    fill_batch(programs, &value, &as);
    ndp_buffer_init(&out, OUT_BYTES);
    assert_int_equal(ndp_wire_add_batch(&out, 7, programs, 3), NDP_OK);
    const struct ndp_frame frame = written_frame(&out, &parser);
    assert_int_equal(frame.type, NDP_FRAME_BATCH);
    assert_int_equal(frame.sequence, 7);
    assert_json(frame.json, batch_json);
    assert_text(frame.binary, batch_binary);
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
}

static void reads_a_batch(void **state) {
    (void)state;
    struct ndp_program expected[3], *programs;
    struct ndp_array_value value;
    struct ndp_array as;
    struct ndp_arena arena;
    struct ndp_error error = {.status = NDP_OK};
    uint32_t count;
    const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, batch_json, batch_binary);
    fill_batch(expected, &value, &as);
    ndp_arena_init(&arena, ARENA_BYTES);
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
    ndp_arena_clear(&arena);
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
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad_batches); i++) {
        struct ndp_program *programs;
        struct ndp_arena arena;
        uint32_t count;
        const struct ndp_frame frame = frame_of(NDP_FRAME_BATCH, bad_batches[i], "abc");
        ndp_arena_init(&arena, ARENA_BYTES);
        if (ndp_wire_read_batch(&arena, &frame, &programs, &count, NULL) == NDP_OK) fail_msg("%s", bad_batches[i]);
        ndp_arena_clear(&arena);
    }
}

/* ---- HELLO ---- */

static const char hello_json[] =
    "{\"protocol\":1,\"implementation\":\"numpy\",\"version\":\"2.4.6\",\"language\":\"CPython 3.11.2\","
    "\"endian\":\"little\",\"kinds\":\"biufcSUVMmORA\",\"max_ndim\":64,\"max_value_bytes\":1073741824,"
    "\"tells_peak\":false,\"libraries\":{\"numpy\":\"2.4.6\",\"python\":\"3.11.2\"},"
    "\"entries\":[{\"format\":\"npy\",\"library\":\"numpy\",\"encode\":[\"memory\",\"file\"],"
    "\"decode\":[\"memory\",\"mmap:r\"]},"
    "{\"format\":\"pickle\",\"library\":\"python\",\"protocol\":5,\"buffers\":\"out-of-band\","
    "\"encode\":[\"c\",\"python\"],\"decode\":[\"c\"]}]}";

static void assert_is_hello(const struct ndp_target_info *info) {
    assert_string_equal(info->implementation, "numpy");
    assert_string_equal(info->version, "2.4.6");
    assert_string_equal(info->language, "CPython 3.11.2");
    assert_string_equal(info->kinds, "biufcSUVMmORA");
    assert_true(info->is_little_endian);
    assert_false(info->tells_peak);
    assert_int_equal(info->max_ndim, 64);
    assert_int_equal(info->max_value_bytes, 1073741824);
    assert_string_equal(ndp_target_library_version(info, "python"), "3.11.2");
    assert_null(ndp_target_library_version(info, "joblib"));
    assert_int_equal(info->entry_count, 5);
    assert_true(ndp_target_has_entry(info, "npy", "memory", "", 0, true));
    assert_true(ndp_target_has_entry(info, "npy", "memory", "", 0, false));
    assert_false(ndp_target_has_entry(info, "npy", "file", "", 0, false));
    assert_false(ndp_target_has_entry(info, "npy", "mmap:r", "", 0, true));
    assert_true(ndp_target_has_entry(info, "pickle", "python", "out-of-band", 5, true));
    assert_false(ndp_target_has_entry(info, "pickle", "python", "in-band", 5, true));
    assert_false(ndp_target_has_entry(info, "pickle", "python", "out-of-band", 4, true));
}

static void reads_and_writes_hello(void **state) {
    (void)state;
    struct ndp_target_info info;
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_buffer out;
    struct ndp_frame_parser parser;
    struct ndp_frame frame = frame_of(NDP_FRAME_HELLO, hello_json, "");
    if (ndp_wire_read_hello(&frame, &info, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    assert_is_hello(&info);
    ndp_buffer_init(&out, OUT_BYTES);
    assert_int_equal(ndp_wire_add_hello(&out, &info), NDP_OK);
    frame = written_frame(&out, &parser);
    memset(&info, 0xff, sizeof info);
    if (ndp_wire_read_hello(&frame, &info, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    assert_is_hello(&info);
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
}

/* What stands in hello_json, what is put in its place, and the path of the error. */
static const struct {
    const char *old;
    const char *new;
    const char *path;
} bad_hellos[] = {
    {"\"protocol\":1", "\"protocol\":2", "/protocol"},
    {"\"protocol\":1", "\"protocol\":\"one\"", "/protocol"},
    {"\"implementation\":\"numpy\"", "\"implementation\":\"\"", "/implementation"},
    {"\"implementation\":\"numpy\"", "\"implementation\":\"a b\"", "/implementation"},
    {"\"implementation\":\"numpy\"", "\"implementation\":\"abcdefghijklmnopqrstuvwxyzabcdefgh\"", "/implementation"},
    {"\"version\":\"2.4.6\"", "\"version\":2", "/version"},
    {"\"version\":\"2.4.6\"", "\"version\":\"\\n\"", "/version"},
    {"\"endian\":\"little\"", "\"endian\":\"middle\"", "/endian"},
    {"\"endian\":\"little\",", "", ""},
    {"biufcSUVMmORA", "biufz", "/kinds"},
    {"biufcSUVMmORA", "bib", "/kinds"},
    {"\"max_ndim\":64", "\"max_ndim\":-1", "/max_ndim"},
    {"\"max_value_bytes\":1073741824", "\"max_value_bytes\":1.5", "/max_value_bytes"},
    {"\"tells_peak\":false", "\"tells_peak\":0", "/tells_peak"},
    {"\"tells_peak\":false", "\"tells_more\":0", "/tells_more"},
    {"\"libraries\":{", "\"libraries\":{\"numpy\":\"1\",", "/libraries/numpy"},
    {"\"library\":\"python\"", "\"library\":\"joblib\"", "/entries/1"},
    {"\"memory\",\"file\"]", "\"memory\",\"memory\"]", "/entries/0/encode/1"},
    {"\"memory\",\"file\"]", "\"memory\",\"\"]", "/entries/0/encode/1"},
    {"\"format\":\"npy\"", "\"format\":\"\"", "/entries/0/format"},
    {"\"format\":\"npy\",", "", "/entries/0"},
    {"\"protocol\":5", "\"protocol\":999", "/entries/1/protocol"},
};

static void replace(const char *text, const char *old, const char *new, char *out, size_t out_bytes) {
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(out, out_bytes, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void refuses_bad_hellos(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad_hellos); i++) {
        char json[2048];
        struct ndp_target_info info;
        struct ndp_error error = {.status = NDP_OK};
        replace(hello_json, bad_hellos[i].old, bad_hellos[i].new, json, sizeof json);
        const struct ndp_frame frame = frame_of(NDP_FRAME_HELLO, json, "");
        if (ndp_wire_read_hello(&frame, &info, &error) == NDP_OK) fail_msg("%s", json);
        if (strcmp(error.path, bad_hellos[i].path) != 0)
            fail_msg("%s: %s, at %s", bad_hellos[i].new, error.text, error.path);
    }
    struct ndp_target_info info;
    struct ndp_frame frame = frame_of(NDP_FRAME_HELLO, hello_json, "binary");
    assert_int_equal(ndp_wire_read_hello(&frame, &info, NULL), NDP_INVALID);
    frame = frame_of(NDP_FRAME_END, hello_json, "");
    assert_int_equal(ndp_wire_read_hello(&frame, &info, NULL), NDP_INVALID);
}

/* ---- END ---- */

static const struct ndp_target_info little = {.is_little_endian = true};

/* A program that asks for a record of every kind. */
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
    (void)state;
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
    ndp_frame_parser_clear(&parser); /* an outcome borrows nothing of its frame */
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
    /* left out in silence */
    {",\"poked\":{\"unsupported\":{\"reason\":\"unsupported\",\"type\":\"\",\"message\":\"never\"}}", "", NULL},
    {"\"result\":{\"refused\":{\"reason\":\"value\",\"type\":\"ValueError\",\"message\":\"no\"}}", "\"result\":{}",
     "/slots"},
    {"\"encoded\":{\"bytes\":[4,3],\"buffers\":[[7,0],[7,2]]},", "", "/slots"},
};

static void refuses_bad_ends(void **state) {
    (void)state;
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
        /* Without a result there is nothing to poke: that one may be left out. */
        if (status != (bad_ends[i].path ? NDP_INVALID : NDP_OK)) fail_msg("%s: %s", json, error.text);
        if (bad_ends[i].path && strcmp(error.path, bad_ends[i].path) != 0)
            fail_msg("%s: %s, at %s", bad_ends[i].new, error.text, error.path);
        ndp_arena_clear(&arena);
    }
}

/* "=" is the order of the machine that the testee runs on. */
static void resolves_native_order(void **state) {
    (void)state;
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

/* A long message is cut between two code points, and what a terminal would obey is gone. */
static void cuts_messages(void **state) {
    (void)state;
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

/* ---- all of them ---- */

/* Fails the n-th allocation of a reader until it succeeds. */
static void survives_failing_allocations(void **state) {
    (void)state;
    const struct ndp_program program = full_program();
    const struct ndp_frame end = frame_of(NDP_FRAME_END, end_json, end_binary);
    const struct ndp_frame batch = frame_of(NDP_FRAME_BATCH, batch_json, batch_binary);
    for (int reader = 0; reader < 2; reader++) {
        enum ndp_status status = NDP_NOMEM;
        uint64_t call = 0;
        while (status != NDP_OK) {
            struct ndp_outcome outcome;
            struct ndp_program *programs;
            struct ndp_arena arena;
            uint32_t count;
            ndp_arena_init(&arena, ARENA_BYTES);
            ndp_arena_fail_at(&arena, ++call);
            status = reader == 0 ? ndp_wire_read_end(&arena, &end, &little, &program, &outcome, NULL)
                                 : ndp_wire_read_batch(&arena, &batch, &programs, &count, NULL);
            ndp_arena_clear(&arena);
            assert_true(status == NDP_OK || status == NDP_NOMEM);
        }
        assert_true(call > 5);
    }
}

/* A frame that does not fit leaves the buffer as it was, wherever the maximum lies. */
static void writes_whole_frames_or_none(void **state) {
    (void)state;
    struct ndp_program programs[3];
    struct ndp_array_value value;
    struct ndp_array as;
    enum ndp_status status = NDP_LIMIT;
    fill_batch(programs, &value, &as);
    for (uint64_t max_bytes = 3; status != NDP_OK; max_bytes++) {
        struct ndp_buffer out;
        ndp_buffer_init(&out, max_bytes);
        assert_int_equal(ndp_buffer_add(&out, "abc", 3), NDP_OK);
        status = ndp_wire_add_batch(&out, 1, programs, 3);
        assert_true(status == NDP_OK || status == NDP_LIMIT);
        if (status != NDP_OK) assert_int_equal(out.size_bytes, 3);
        ndp_buffer_clear(&out);
    }
}

/* Spoils right frames at random: nothing is read out of bounds, and what is accepted is consistent. */
static void survives_mutations(void **state) {
    (void)state;
    enum { ROUNDS = 6000 };
    const char *texts[] = {end_json, batch_json, hello_json};
    static const char spice[] = "0123456789[]{}\",:-\\CWA<>=|";
    const struct ndp_program program = full_program();
    struct ndp_rng rng;
    uint64_t accepted = 0, refused = 0;
    ndp_rng_init(&rng, 7);
    for (int round = 0; round < ROUNDS; round++) {
        struct ndp_arena arena;
        struct ndp_outcome outcome;
        struct ndp_program *programs;
        struct ndp_target_info info;
        uint32_t count;
        const int which = round % 3;
        const size_t size = strlen(texts[which]);
        /* Exact copies, so that a sanitizer sees the first byte behind them. */
        char *json = malloc(size), *binary = malloc(sizeof batch_binary);
        assert_true(json && binary);
        memcpy(json, texts[which], size);
        memcpy(binary, batch_binary, sizeof batch_binary);
        for (uint64_t i = ndp_rng_next(&rng) % 3; i < 3; i++)
            json[ndp_rng_next(&rng) % size] = spice[ndp_rng_next(&rng) % (sizeof spice - 1)];
        struct ndp_frame frame = {.json = {(const uint8_t *)json, size},
                                  .binary = {(const uint8_t *)binary, which == 0   ? 9
                                                                      : which == 1 ? 13
                                                                                   : 0}};
        frame.type = which == 0 ? NDP_FRAME_END : which == 1 ? NDP_FRAME_BATCH : NDP_FRAME_HELLO;
        ndp_arena_init(&arena, ARENA_BYTES);
        const enum ndp_status status = which == 0 ? ndp_wire_read_end(&arena, &frame, &little, &program, &outcome, NULL)
                                       : which == 1 ? ndp_wire_read_batch(&arena, &frame, &programs, &count, NULL)
                                                    : ndp_wire_read_hello(&frame, &info, NULL);
        if (status == NDP_OK) accepted++;
        if (status != NDP_OK) refused++;
        ndp_arena_clear(&arena);
        free(json);
        free(binary);
    }
    assert_true(accepted > ROUNDS / 100);
    assert_true(refused > ROUNDS / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_a_batch),
        cmocka_unit_test(reads_a_batch),
        cmocka_unit_test(refuses_bad_batches),
        cmocka_unit_test(reads_and_writes_hello),
        cmocka_unit_test(refuses_bad_hellos),
        cmocka_unit_test(reads_and_writes_end),
        cmocka_unit_test(refuses_bad_ends),
        cmocka_unit_test(resolves_native_order),
        cmocka_unit_test(cuts_messages),
        cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(writes_whole_frames_or_none),
        cmocka_unit_test(survives_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
