#include "base/arena_fixture.h"
#include "base/rng.h"
#include "base/suite.h"
#include "describe/descriptor.h"
#include "describe/descriptor_cases.h"
#include "describe/json_fixture.h"

#include <cjson/cJSON.h>

static enum ndp_status read_within(struct ndp_arena *arena, const char *text, size_t size,
                                   const struct ndp_describe_limits *limits, struct ndp_descriptor *out,
                                   struct ndp_error *error) {
    /* Exact-size copy, so that a sanitizer detects overreads. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    enum ndp_status status = ndp_descriptor_read(arena, (struct ndp_bytes){copy, size}, limits, out, error);
    free(copy);
    return status;
}

static enum ndp_status read_text(struct ndp_arena *arena, const char *text, struct ndp_descriptor *out,
                                 struct ndp_error *error) {
    return read_within(arena, text, strlen(text), &ndp_describe_default_limits, out, error);
}

static void test_everything_named(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_descriptor d;
    assert_int_equal(read_text(arena, canonical_descriptors[4], &d, NULL), NDP_OK);
    const struct ndp_array_value *array = &d.value.array;
    assert_int_equal(d.kind, NDP_CASE_ROUND_TRIP);
    assert_int_equal(array->base.dtype->kind, NDP_KIND_COMPLEX);
    assert_int_equal(array->base.ndim, 2);
    assert_int_equal(array->base.data.pattern, NDP_PATTERN_SPECIAL);
    assert_int_equal(array->base.data.seed, 7);
    assert_true(array->base.has_map);
    assert_int_equal(array->base.map_mode, NDP_MAP_WRITE);
    assert_int_equal(array->base.map_offset_bytes, 4097);
    assert_int_equal(array->view_count, 9);
    assert_int_equal(array->views[0].op, NDP_VIEW_SLICE);
    assert_int_equal(array->views[0].ndim, 2);
    assert_int_equal(array->views[0].slices[0].start, 3);
    assert_int_equal(array->views[0].slices[0].step, -1);
    assert_int_equal(array->views[0].slices[0].count, 4);
    assert_int_equal(array->views[1].axis, 1);
    assert_int_equal(array->views[2].shape[1], 3);
    assert_int_equal(array->views[5].order, NDP_MEMORY_F);
    assert_int_equal(array->views[6].dtype->kind, NDP_KIND_VOID);
    assert_int_equal(array->views[7].strides_bytes[0], -8);
    assert_int_equal(array->views[7].offset_bytes, 16);
    assert_int_equal(array->views[8].ndim, 0);
    assert_false(array->is_readonly);
}

static void test_route_and_properties(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_descriptor d;
    assert_int_equal(read_text(arena, canonical_descriptors[1], &d, NULL), NDP_OK);
    assert_string_equal(d.route.format, "npy");
    assert_string_equal(d.route.encode, "file");
    assert_string_equal(d.route.decode, "mmap:r");
    assert_string_equal(d.route.encoder, "numpy");
    assert_string_equal(d.route.decoder, "reference");
    assert_int_equal(d.property_count, 3);
    assert_string_equal(d.properties[1], "byte_order");
    assert_true(d.value.array.is_readonly);
    assert_int_equal(read_text(arena, canonical_descriptors[2], &d, NULL), NDP_OK);
    assert_int_equal(d.route.protocol, 5);
    assert_string_equal(d.route.buffers, "out-of-band");
    assert_true(d.value.array.base.data.seed == UINT64_MAX);
    assert_int_equal(d.value.array.base.misalign_bytes, 15);
    assert_true(d.value.array.base.is_readonly);
    assert_int_equal(read_text(arena, canonical_descriptors[3], &d, NULL), NDP_OK);
    assert_int_equal(d.route.offset_bytes, UINT64_C(9007199254740991));
    assert_int_equal(d.value.array.base.data.bytes.size_bytes, 8);
    assert_int_equal(d.value.array.base.data.bytes.data[3], 0x7f);
}

static void test_decode_cases(void **state) {
    struct ndp_arena *arena = *state;
    struct ndp_descriptor d;
    assert_int_equal(read_text(arena, canonical_descriptors[7], &d, NULL), NDP_OK);
    assert_int_equal(d.kind, NDP_CASE_DECODE);
    assert_int_equal(d.bytes.size_bytes, 8);
    assert_int_equal(d.bytes.data[0], 0x93);
    assert_int_equal(d.expect, NDP_EXPECT_REFUSE);
    assert_int_equal(read_text(arena, canonical_descriptors[8], &d, NULL), NDP_OK);
    assert_string_equal(d.fault.name, "cut");
    assert_true(d.fault.argument == UINT64_C(9007199254740992));
    assert_int_equal(read_text(arena, canonical_descriptors[9], &d, NULL), NDP_OK);
    assert_string_equal(d.file, "npy/good/a..b.npy");
    assert_int_equal(d.expect, NDP_EXPECT_ACCEPT);
}

static enum ndp_status read_quoted(struct ndp_arena *arena, const char *text, struct ndp_descriptor *out,
                                   struct ndp_error *error) {
    const struct ndp_bytes quoted = ndp_json_quoted(arena, text);
    return read_within(arena, (const char *)quoted.data, quoted.size_bytes, &ndp_describe_default_limits, out, error);
}

/* Texts with ' for ". */
#define BASE(members) "{'value':{'array':{'base':{" members "}}}}"
#define VIEWS(views)  "{'value':{'array':{'views':[" views "]}}}"
#define IN_BASE       "/value/array/base"
#define IN_VIEWS      "/value/array/views"

/* Texts that are not canonical, with their canonical descriptors. */
static const struct {
    const char *text;
    uint32_t canonical; /* index of the equivalent descriptor */
} same[] = {
    {"{}", 0},
    {" {\n} ", 0},
    {"{'value':{}}", 0},
    {"{'value':{'array':{}}}", 0},
    {"{'value':{'array':{'base':{}}},'route':{},'properties':[]}", 0},
    {"{'value':{'array':{'base':{'data':{},'order':'C','misalign':0,'readonly':false},'views':[],'class':{'name':'"
     "ndarray'},'writeable':true}},'route':{'format':'','protocol':0,'offset':'0'}}",
     0},
    {"{'expect':'open','bytes':''}", 6},
};

static void test_defaults(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(same); i++) {
        struct ndp_descriptor d;
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        NDP_BUFFER_SCOPED(buffer, 1 << 20);
        if (read_quoted(&arena, same[i].text, &d, &error) != NDP_OK) fail_msg("%s: %s", same[i].text, error.text);
        assert_int_equal(ndp_descriptor_print(&buffer, &d), NDP_OK);
        assert_true(
            ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(canonical_descriptors[same[i].canonical])));
    }
}

/* `at` is the text whose first occurrence is the expected error position. */
static const struct {
    const char *text;
    enum ndp_status status;
    const char *path;
    const char *at;
} bad[] = {
    {"[]", NDP_INVALID, "", "[]"},
    {"{'ndproof':0}", NDP_INVALID, "/ndproof", "0"},
    {"{'ndproof':'x'}", NDP_INVALID, "/ndproof", "'x'"},
    {"{'new':1,'ndproof':2}", NDP_UNSUPPORTED, "/ndproof", "2"},
    {"{'Ndproof':1}", NDP_INVALID, "/Ndproof", "'N"},
    {"{'x':1}", NDP_INVALID, "/x", "'x'"},
    {"{'value':{},'value':{}}", NDP_INVALID, "/value", "'value':{}}"},
    {"{'value':[]}", NDP_INVALID, "/value", "[]"},
    {"{'value':{'list':[]}}", NDP_INVALID, "/value/list", "'list"},
    {"{'value':{'array':{'bases':{}}}}", NDP_INVALID, "/value/array/bases", "'bases"},
    {BASE("'dtype':'<x8'"), NDP_INVALID, IN_BASE "/dtype", "x8"},
    {BASE("'shape':[-1]"), NDP_INVALID, IN_BASE "/shape/0", "-1"},
    {BASE("'shape':[1,2.5]"), NDP_INVALID, IN_BASE "/shape/1", "2.5"},
    {BASE("'shape':[9007199254740993]"), NDP_INVALID, IN_BASE "/shape/0", "9007"},
    {BASE("'shape':['9223372036854775807',3]"), NDP_LIMIT, IN_BASE, "{'shape"},
    {BASE("'shape':[1073741825]"), NDP_LIMIT, IN_BASE, "{'shape"},
    {BASE("'order':'A'"), NDP_INVALID, IN_BASE "/order", "'A'"},
    {BASE("'data':{'pattern':'ones'}"), NDP_INVALID, IN_BASE "/data/pattern", "'ones"},
    {BASE("'data':{'pattern':'index','seed':1}"), NDP_INVALID, IN_BASE "/data/seed", "1"},
    {BASE("'data':{'pattern':'hex'}"), NDP_INVALID, IN_BASE "/data/pattern", "'hex"},
    {BASE("'data':{'pattern':'index','hex':'00'}"), NDP_INVALID, IN_BASE "/data/pattern", "'index"},
    {BASE("'data':{'hex':'0g'}"), NDP_INVALID, IN_BASE "/data/hex", "g"},
    {BASE("'data':{'hex':'000'}"), NDP_INVALID, IN_BASE "/data/hex", "'}}"},
    {BASE("'data':{'hex':'0000'}"), NDP_INVALID, IN_BASE "/data", "{'hex"},
    {BASE("'memmap':{'mode':'w'}"), NDP_INVALID, IN_BASE "/memmap/mode", "'w'"},
    {BASE("'misalign':16"), NDP_INVALID, IN_BASE "/misalign", "16"},
    {BASE("'memmap':{},'misalign':1"), NDP_INVALID, IN_BASE "/misalign", "1"},
    {BASE("'readonly':0"), NDP_INVALID, IN_BASE "/readonly", "0"},
    {"{'value':{'array':{'views':{}}}}", NDP_INVALID, "/value/array/views", "{}"},
    {VIEWS("{}"), NDP_INVALID, IN_VIEWS "/0", "{}"},
    {VIEWS("1"), NDP_INVALID, IN_VIEWS "/0", "1"},
    {VIEWS("{'real':true},{'real':false}"), NDP_INVALID, IN_VIEWS "/1/real", "false"},
    {VIEWS("{'transpose':[0,0]}"), NDP_INVALID, IN_VIEWS "/0/transpose", "[0"},
    {VIEWS("{'transpose':[0,2]}"), NDP_INVALID, IN_VIEWS "/0/transpose", "[0"},
    {VIEWS("{'transpose':[0,1],'order':'C'}"), NDP_INVALID, IN_VIEWS "/0/order", "'order"},
    {VIEWS("{'transpose':[0],'real':true}"), NDP_INVALID, IN_VIEWS "/0/real", "'real"},
    {VIEWS("{'slice':[[0,0,1]]}"), NDP_INVALID, IN_VIEWS "/0/slice/0", "[0,0"},
    {VIEWS("{'slice':[[0,1,-1]]}"), NDP_INVALID, IN_VIEWS "/0/slice/0", "[0,1"},
    {VIEWS("{'slice':[[0,1]]}"), NDP_INVALID, IN_VIEWS "/0/slice/0", "[0,1"},
    {VIEWS("{'newaxis':64}"), NDP_INVALID, IN_VIEWS "/0/newaxis", "64"},
    {VIEWS("{'strided':[1]}"), NDP_INVALID, IN_VIEWS "/0/strided", "[1]"},
    {VIEWS("{'strided':[1],'strides':[]}"), NDP_INVALID, IN_VIEWS "/0/strides", "[]"},
    {VIEWS("{'field':7}"), NDP_INVALID, IN_VIEWS "/0/field", "7"},
    {VIEWS("{'as_dtype':'<x4'}"), NDP_INVALID, IN_VIEWS "/0/as_dtype", "x4"},
    {"{'value':{'array':{'class':{}}}}", NDP_INVALID, "/value/array/class", "{}"},
    {"{'value':{'array':{'class':{'name':''}}}}", NDP_INVALID, "/value/array/class/name", "''"},
    {"{'value':{'array':{'writeable':1}}}", NDP_INVALID, "/value/array/writeable", "1"},
    {"{'bytes':'0x'}", NDP_INVALID, "/bytes", "x"},
    {"{'bytes':7}", NDP_INVALID, "/bytes", "7"},
    {"{'bytes':'00','file':'a'}", NDP_INVALID, "/file", "'a'"},
    {"{'bytes':'','fault':{'name':'cut'}}", NDP_INVALID, "/bytes", "''"},
    {"{'file':'/etc/passwd'}", NDP_INVALID, "/file", "'/etc"},
    {"{'file':'a/../../b'}", NDP_INVALID, "/file", "'a/"},
    {"{'file':'..'}", NDP_INVALID, "/file", "'..'"},
    {"{'file':''}", NDP_INVALID, "/file", "''"},
    {"{'fault':{}}", NDP_INVALID, "/fault", "{}"},
    {"{'fault':{'name':'a b'}}", NDP_INVALID, "/fault/name", "'a b"},
    {"{'fault':{'name':'a','argument':-1}}", NDP_INVALID, "/fault/argument", "-1"},
    {"{'expect':'accept'}", NDP_INVALID, "/expect", "'accept"},
    {"{'bytes':'','expect':'pass'}", NDP_INVALID, "/expect", "'pass"},
    {"{'route':{'format':'npy','transport':'copy'}}", NDP_INVALID, "/route/transport", "'copy"},
    {"{'route':{'encode':'file','backend':'copy'}}", NDP_INVALID, "/route/backend", "'copy"},
    {"{'route':{'max_nbytes':1}}", NDP_INVALID, "/route/max_nbytes", "1}"},
    {"{'route':{'transport':'a','max_nbytes':-2}}", NDP_INVALID, "/route/max_nbytes", "-2"},
    {"{'route':{'transport':'a','mmap_mode':'w+'}}", NDP_INVALID, "/route/mmap_mode", "'w+"},
    {"{'route':{'format':'npy','history':'again'}}", NDP_INVALID, "/route/history", "'again"},
    {"{'route':{'format':'npy','history':''}}", NDP_INVALID, "/route/history", "''"},
    /* Routes through a third target, which older versions of ndproof wrote. */
    {"{'route':{'format':'npy','via':{'target':'numpy','format':'npz'}}}", NDP_INVALID, "/route/via", "{'target"},
    {"{'route':{'format':'n p y'}}", NDP_INVALID, "/route/format", "'n p"},
    {"{'route':{'protocol':256}}", NDP_INVALID, "/route/protocol", "256"},
    {"{'route':{'offset':'18446744073709551616'}}", NDP_INVALID, "/route/offset", "'184"},
    {"{'properties':['values','values']}", NDP_INVALID, "/properties/1", "'values']"},
    {"{'properties':['']}", NDP_INVALID, "/properties/0", "''"},
    {"{'properties':'values'}", NDP_INVALID, "/properties", "'values"},
};

static void test_bad(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        struct ndp_descriptor d = {.property_count = 99};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        enum ndp_status status = read_quoted(&arena, bad[i].text, &d, &error);
        size_t at = (size_t)(strstr(bad[i].text, bad[i].at) - bad[i].text);
        if (status != bad[i].status || strcmp(error.path, bad[i].path) != 0 || error.offset_bytes != at) {
            fail_msg("%s: %s at \"%s\", byte %d, not %d: %s", bad[i].text, ndp_status_name(status), error.path,
                     (int)error.offset_bytes, (int)at, error.text);
        }
        assert_int_equal(error.status, status);
        assert_int_equal(d.property_count, 99);
    }
}

static void test_too_many(void **state) {
    const struct {
        const char *before;
        const char *item;
        int count;
        const char *after;
        enum ndp_status status;
    } rows[] = {
        {"{\"value\":{\"array\":{\"views\":[{\"real\":true}", ",{\"real\":true}", NDP_MAX_VIEWS - 1, "]}}}", NDP_OK},
        {"{\"value\":{\"array\":{\"views\":[{\"real\":true}", ",{\"real\":true}", NDP_MAX_VIEWS, "]}}}", NDP_LIMIT},
        {"{\"value\":{\"array\":{\"base\":{\"shape\":[1", ",1", NDP_MAX_NDIM - 1, "]}}}}", NDP_OK},
        {"{\"value\":{\"array\":{\"base\":{\"shape\":[1", ",1", NDP_MAX_NDIM, "]}}}}", NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor d;
        char text[2000];
        NDP_ARENA_SCOPED(arena, 1 << 20);
        strcpy(text, rows[i].before);
        for (int k = 0; k < rows[i].count; k++) strcat(text, rows[i].item);
        strcat(text, rows[i].after);
        assert_int_equal(read_text(&arena, text, &d, NULL), rows[i].status);
    }
}

static void test_limits(void **state) {
    const char *text = "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]}}}}";
    const struct {
        struct ndp_describe_limits limits;
        enum ndp_status status;
    } rows[] = {
        {{.text_bytes = strlen(text), .value_bytes = 24, .depth = 5}, NDP_OK},
        {{.text_bytes = strlen(text) - 1, .value_bytes = 24, .depth = 5}, NDP_LIMIT},
        {{.text_bytes = strlen(text), .value_bytes = 23, .depth = 5}, NDP_LIMIT},
        {{.text_bytes = strlen(text), .value_bytes = 24, .depth = 4}, NDP_LIMIT},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor d;
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        assert_int_equal(read_within(&arena, text, strlen(text), &rows[i].limits, &d, &error), rows[i].status);
        assert_true(rows[i].status == NDP_OK || error.offset_bytes <= strlen(text));
    }
}

/* No proper prefix of an object is an object, so each is refused with a position inside it. */
static void test_truncated(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(canonical_descriptors); i++) {
        for (size_t size = 0; size < strlen(canonical_descriptors[i]); size++) {
            struct ndp_descriptor d;
            struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
            NDP_ARENA_SCOPED(arena, 1 << 20);
            assert_int_equal(
                read_within(&arena, canonical_descriptors[i], size, &ndp_describe_default_limits, &d, &error),
                NDP_INVALID);
            assert_true(error.offset_bytes <= size);
        }
    }
}

/* Reads a corrupted text. An error must have a position; an accepted text must print to a text that reads and prints
 * identically. */
static bool read_corrupted(const char *text, size_t size) {
    struct ndp_descriptor d;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    NDP_BUFFER_SCOPED(once, 1 << 20);
    NDP_BUFFER_SCOPED(twice, 1 << 20);
    bool is_taken = read_within(&arena, text, size, &ndp_describe_default_limits, &d, &error) == NDP_OK;
    if (is_taken) {
        assert_int_equal(ndp_descriptor_print(&once, &d), NDP_OK);
        assert_int_equal(ndp_descriptor_read(&arena, ndp_buffer_view(&once), &ndp_describe_default_limits, &d, &error),
                         NDP_OK);
        assert_int_equal(ndp_descriptor_print(&twice, &d), NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&once), ndp_buffer_view(&twice)));
    } else {
        assert_true(error.offset_bytes <= size);
        assert_true(error.text[0] != '\0');
    }
    return is_taken;
}

static void test_corrupted(void **state) {
    struct ndp_rng rng;
    uint32_t taken = 0;
    uint32_t refused = 0;
    ndp_rng_init(&rng, 1);
    for (int round = 0; round < 4000; round++) {
        char text[1000];
        const char *from = canonical_descriptors[ndp_rng_next(&rng) % NDP_ARRAY_LEN(canonical_descriptors)];
        size_t size = strlen(from);
        assert_true(size < sizeof text);
        memcpy(text, from, size);
        uint64_t changes = 1 + ndp_rng_next(&rng) % 3;
        for (uint64_t k = 0; k < changes; k++) {
            static const char likely[] = "0123456789-,:[]{}\"\\eu<>|fbSVM\0\x80\xff";
            uint64_t draw = ndp_rng_next(&rng);
            text[ndp_rng_next(&rng) % size] =
                draw % 4 == 0 ? (char)(draw >> 8) : likely[(draw >> 8) % (sizeof likely - 1)];
        }
        if (read_corrupted(text, size)) {
            taken++;
        } else {
            refused++;
        }
    }
    assert_true(taken > 50);
    assert_true(refused > 1000);
}

static void test_fail_nth_allocation(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(canonical_descriptors); i++) {
        enum ndp_status status = NDP_NOMEM;
        uint64_t failures = 0;
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_descriptor d;
            struct ndp_error error = {.status = NDP_OK};
            NDP_ARENA_SCOPED(arena, 1 << 20);
            ndp_arena_fail_at(&arena, call);
            status = read_text(&arena, canonical_descriptors[i], &d, &error);
            if (status != NDP_OK) {
                failures++;
                assert_int_equal(status, NDP_NOMEM);
                assert_int_equal(error.status, NDP_NOMEM);
            }
            assert_true(call < 1000);
        }
        assert_true(failures > 0);
    }
}

static uint64_t calls_left;

static void *failing_malloc(size_t size) {
    if (calls_left == 0) return NULL;
    calls_left--;
    return malloc(size);
}

/* The hooks of cJSON are process-wide; no other test runs in this program. */
static void test_fail_nth_allocation_of_cjson(void **state) {
    cJSON_Hooks hooks = {.malloc_fn = failing_malloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
    for (size_t i = 0; i < NDP_ARRAY_LEN(canonical_descriptors); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t calls = 0; status != NDP_OK; calls++) {
            struct ndp_descriptor d;
            struct ndp_error error = {.status = NDP_OK};
            NDP_ARENA_SCOPED(arena, 1 << 20);
            calls_left = calls;
            status = read_text(&arena, canonical_descriptors[i], &d, &error);
            if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
            assert_true(calls < 1000);
            assert_true(status != NDP_OK || calls > 2);
        }
    }
    cJSON_InitHooks(NULL);
}

NDP_SUITE_FIXTURE(descriptor_read_test, make_arena, clear_arena, NDP_TEST(test_everything_named),
                  NDP_TEST(test_route_and_properties), NDP_TEST(test_decode_cases), NDP_TEST(test_defaults),
                  NDP_TEST(test_bad), NDP_TEST(test_too_many), NDP_TEST(test_limits), NDP_TEST(test_truncated),
                  NDP_TEST(test_corrupted), NDP_TEST(test_fail_nth_allocation),
                  NDP_TEST(test_fail_nth_allocation_of_cjson));
