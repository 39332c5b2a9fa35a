#include "base/suite.h"
#include "target/protocol/wire_fixture.h"

static const char hello_json[] =
    "{\"protocol\":1,\"implementation\":\"numpy\",\"version\":\"2.4.6\",\"language\":\"CPython 3.11.2\","
    "\"endian\":\"little\",\"kinds\":\"biufcSUVMmORA\",\"max_ndim\":64,\"max_value_bytes\":1073741824,"
    "\"forks\":true,\"tells_peak\":false,\"libraries\":{\"numpy\":\"2.4.6\",\"python\":\"3.11.2\"},"
    "\"entries\":[{\"format\":\"npy\",\"library\":\"numpy\",\"encode\":[\"memory\",\"file\"],"
    "\"decode\":[\"memory\",\"mmap:r\"]},"
    "{\"format\":\"pickle\",\"library\":\"python\",\"protocol\":5,\"buffers\":\"out-of-band\",\"local\":true,"
    "\"variant\":true,"
    "\"histories\":[\"failed\",\"threads\"],\"encode\":[\"c\",\"python\"],\"decode\":[\"c\"]}]}";

static bool claims(const struct ndp_target_info *info, const char *format, const char *entry, const char *buffers,
                   int32_t protocol, enum ndp_end end) {
    struct ndp_route route = {.protocol = protocol};
    snprintf(route.format, NDP_WORD_BYTES, "%s", format);
    snprintf(route.encode, NDP_WORD_BYTES, "%s", entry);
    snprintf(route.decode, NDP_WORD_BYTES, "%s", entry);
    snprintf(route.buffers, NDP_WORD_BYTES, "%s", buffers);
    return ndp_entry_find(info, &route, end) != NULL;
}

static void assert_is_hello(const struct ndp_target_info *info) {
    assert_string_equal(info->implementation, "numpy");
    assert_string_equal(info->version, "2.4.6");
    assert_string_equal(info->language, "CPython 3.11.2");
    assert_string_equal(info->kinds, "biufcSUVMmORA");
    assert_true(info->is_little_endian);
    assert_false(info->tells_peak);
    assert_true(info->forks);
    assert_int_equal(info->max_ndim, 64);
    assert_int_equal(info->max_value_bytes, 1073741824);
    assert_string_equal(ndp_target_library_version(info, "python"), "3.11.2");
    assert_null(ndp_target_library_version(info, "joblib"));
    assert_int_equal(info->entry_count, 5);
    assert_false(info->entries[0].is_local);
    assert_true(info->entries[4].is_local);
    assert_int_equal(info->entries[0].histories, 0);
    assert_int_equal(info->entries[4].histories,
                     NDP_HISTORY_BIT(NDP_HISTORY_FAILED) | NDP_HISTORY_BIT(NDP_HISTORY_THREADS));
    assert_false(info->entries[0].is_variant);
    assert_true(info->entries[4].is_variant);
    assert_true(claims(info, "npy", "memory", "", 0, NDP_END_ENCODER));
    assert_true(claims(info, "npy", "memory", "", 0, NDP_END_DECODER));
    assert_false(claims(info, "npy", "file", "", 0, NDP_END_DECODER));
    assert_false(claims(info, "npy", "mmap:r", "", 0, NDP_END_ENCODER));
    assert_true(claims(info, "pickle", "python", "out-of-band", 5, NDP_END_ENCODER));
    assert_false(claims(info, "pickle", "python", "in-band", 5, NDP_END_ENCODER));
    assert_false(claims(info, "pickle", "python", "out-of-band", 4, NDP_END_ENCODER));
}

static void reads_and_writes_hello(void **state) {
    struct ndp_target_info info;
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_frame_parser parser;
    struct ndp_frame frame = frame_of(NDP_FRAME_HELLO, hello_json, "");
    if (ndp_wire_read_hello(&frame, &info, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    assert_is_hello(&info);
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    assert_int_equal(ndp_wire_add_hello(&out, &info), NDP_OK);
    frame = written_frame(&out, &parser);
    memset(&info, 0xff, sizeof info);
    if (ndp_wire_read_hello(&frame, &info, &error) != NDP_OK) fail_msg("%s %s", error.path, error.text);
    assert_is_hello(&info);
    ndp_frame_parser_clear(&parser);
}

/* The kinds of values of an entry. The default is arrays. */
static void entries_have_kinds_of_values(void **state) {
    static const struct {
        const char *values;
        bool takes_graphs, takes_no_arrays, takes_dicts, lacks_functions, takes_scalars;
    } rows[] = {
        {"", false, false, false, false, false},
        {"\"values\":[\"array\"],", false, false, false, false, false},
        {"\"values\":[\"array\",\"graph\"],", true, false, false, false, false},
        {"\"values\":[\"graph\"],\"functions\":true,", true, true, false, false, false},
        {"\"values\":[\"graph\"],\"functions\":false,", true, true, false, true, false},
        {"\"values\":[\"dict\"],", false, false, true, false, false},
        {"\"values\":[\"scalars\"],", true, true, false, true, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char json[2048], text[128];
        struct ndp_target_info info;
        struct ndp_frame_parser parser;
        snprintf(text, sizeof text, "{%s\"format\":\"npy\"", rows[i].values);
        replace(hello_json, "{\"format\":\"npy\"", text, json, sizeof json);
        struct ndp_frame frame = frame_of(NDP_FRAME_HELLO, json, "");
        NDP_BUFFER_SCOPED(out, OUT_BYTES);
        assert_int_equal(ndp_wire_read_hello(&frame, &info, NULL), NDP_OK);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(info.entries[0].takes_graphs, rows[i].takes_graphs);
            assert_int_equal(info.entries[0].takes_no_arrays, rows[i].takes_no_arrays);
            assert_int_equal(info.entries[0].takes_dicts, rows[i].takes_dicts);
            assert_int_equal(info.entries[0].lacks_functions, rows[i].lacks_functions);
            assert_int_equal(info.entries[0].takes_scalars, rows[i].takes_scalars);
            if (round == 1) break;
            assert_int_equal(ndp_wire_add_hello(&out, &info), NDP_OK);
            frame = written_frame(&out, &parser);
            assert_int_equal(ndp_wire_read_hello(&frame, &info, NULL), NDP_OK);
            ndp_frame_parser_clear(&parser);
        }
    }
}

/* The text to replace in hello_json, its replacement, and the path of the error. */
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
    {"\"tells_peak\":false", "\"forks\":0", "/forks"},
    {"\"local\":true", "\"local\":1", "/entries/1/local"},
    {"\"local\":true", "\"functions\":0", "/entries/1/functions"},
    {"\"variant\":true", "\"variant\":1", "/entries/1/variant"},
    {"\"libraries\":{", "\"libraries\":{\"numpy\":\"1\",", "/libraries/numpy"},
    {"\"library\":\"python\"", "\"library\":\"joblib\"", "/entries/1"},
    {"\"memory\",\"file\"]", "\"memory\",\"memory\"]", "/entries/0/encode/1"},
    {"\"memory\",\"file\"]", "\"memory\",\"\"]", "/entries/0/encode/1"},
    {"\"format\":\"npy\"", "\"format\":\"\"", "/entries/0/format"},
    {"\"format\":\"npy\",", "", "/entries/0"},
    {"{\"format\":\"npy\",", "{\"values\":[],\"format\":\"npy\",", "/entries/0/values"},
    {"{\"format\":\"npy\",", "{\"values\":[\"graph\",\"dict\"],\"format\":\"npy\",", "/entries/0/values"},
    {"{\"format\":\"npy\",", "{\"values\":[\"graph\",\"scalars\"],\"format\":\"npy\",", "/entries/0/values"},
    {"\"protocol\":5", "\"protocol\":999", "/entries/1/protocol"},
};

static void refuses_bad_hellos(void **state) {
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

/* Corrupts a valid frame at random: no read is out of bounds. */
static void survives_mutations(void **state) {
    struct ndp_rng rng;
    uint64_t accepted = 0;
    ndp_rng_init(&rng, 7);
    for (int round = 0; round < SPOILT_ROUNDS; round++) {
        struct ndp_target_info info;
        struct ndp_frame frame = wire_spoil(&rng, NDP_FRAME_HELLO, hello_json, "");
        if (ndp_wire_read_hello(&frame, &info, NULL) == NDP_OK) accepted++;
        wire_free(&frame);
    }
    expect_mixed(accepted, SPOILT_ROUNDS);
}

NDP_SUITE(wire_hello_test, NDP_TEST(reads_and_writes_hello), NDP_TEST(entries_have_kinds_of_values),
          NDP_TEST(refuses_bad_hellos), NDP_TEST(survives_mutations));
