#include "engine/retell.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "generate/generate.h"

/* What the middle got of `text`, told as a value; the whole is printed with the route of the second leg. */
static bool retell(struct fixture *fixture, const char *text, struct ndp_buffer *out) {
    struct ndp_descriptor descriptor = fixture_read(fixture, text);
    const struct ndp_result *result = fixture_run(fixture, text);
    if (result->verdict != NDP_VERDICT_PASS) fail_msg("%s: %s", text, result->detail);
    struct ndp_value value;
    out->size_bytes = 0;
    if (!ndp_retell(&fixture->arena, &descriptor, result, &value)) return false;
    struct ndp_descriptor told = {.value = value};
    assert_int_equal(ndp_descriptor_print(out, &told), NDP_OK);
    assert_int_equal(ndp_descriptor_check(&fixture->arena, &told, NULL), NDP_OK);
    assert_int_equal(ndp_buffer_add(out, "", 1), NDP_OK);
    return true;
}

#define RELAY(middle, way)                                                                                             \
    ",\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"via\":{\"target\":\"two\",\"decode\":\"" middle            \
    "\",\"format\":\"" way "\",\"encode\":\"memory\"},\"decode\":\"memory\",\"encoder\":\"one\",\"decoder\":\"one\"}}"
#define ARRAY(base, views) "{\"value\":{\"array\":{\"base\":{" base "}" views "}}"

/* The elements are what NumPy has of such arrays, row by row in the order of memory: hex(a.tobytes("A")). */
static void an_array_is_told_as_it_arrived(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *parts[5]; /* each in what is told */
        const char *without;
    } rows[] = {
        {ARRAY("\"dtype\":\">i2\",\"shape\":[2,2],\"data\":{\"pattern\":\"index\"}", "") RELAY("memory", "raw"),
         {"\">i2\"", "[2,2]", "0000000100020003"},
         "views"},
        {ARRAY("\"dtype\":\"<i2\",\"shape\":[2,2],\"order\":\"F\",\"data\":{\"hex\":\"0100020003000400\"}", "")
             RELAY("memory", "npy"),
         {"\"order\":\"F\"", "0100020003000400"},
         "views"},
        {ARRAY("\"dtype\":\"|u1\",\"shape\":[4],\"data\":{\"hex\":\"01020304\"}", ",\"views\":[{\"slice\":[[3,-1,4]]}]")
             RELAY("memory", "raw"),
         {"04030201"},
         "views"},
        {ARRAY("\"dtype\":\"|u1\",\"shape\":[4],\"data\":{\"hex\":\"01020304\"}", "") RELAY("mmap:r", "raw"),
         {"\"memmap\"", "01020304"},
         "views"},
    };
    struct fixture fixture;
    struct ndp_buffer told;
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    ndp_buffer_init(&told, 1 << 20);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_true(retell(&fixture, rows[i].text, &told));
        for (int k = 0; rows[i].parts[k] != NULL; k++) {
            if (strstr((const char *)told.data, rows[i].parts[k]) == NULL)
                fail_msg("%s: no %s in %s", rows[i].text, rows[i].parts[k], (const char *)told.data);
        }
        assert_null(strstr((const char *)told.data, rows[i].without));
    }
    ndp_buffer_clear(&told);
    fixture_close(&fixture);
}

static void what_did_not_arrive_cannot_be_told(void **state) {
    (void)state;
    struct fixture fixture;
    struct ndp_value value;
    fixture_open(&fixture, reference_plugin(), NULL);
    struct ndp_descriptor descriptor = fixture_read(&fixture, INTEGERS("[2]", ""));
    assert_false(ndp_retell(&fixture.arena, &descriptor, NULL, &value));
    const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ""));
    assert_true(result->has_result);
    assert_false(ndp_retell(&fixture.arena, &descriptor, result, &value));
    descriptor.value.kind = NDP_VALUE_DICT;
    assert_false(ndp_retell(&fixture.arena, &descriptor, result, &value));
    descriptor.value.kind = NDP_VALUE_GRAPH;
    assert_false(ndp_retell(&fixture.arena, &descriptor, result, &value));
    fixture_close(&fixture);
}

/* Elements that do not lie side by side are more than a base can say. */
static void only_elements_side_by_side_can_be_told(void **state) {
    (void)state;
    static const int64_t shape[] = {2, 2};
    static const int64_t strides[][2] = {{2, 1}, {1, 2}, {4, 1}, {1, 0}, {-2, 1}};
    static const bool can_be_told[] = {true, true, false, false, false};
    static const uint8_t elements[] = {1, 2, 3, 4};
    struct fixture fixture;
    struct ndp_dtype dtype;
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_typestr_read(ndp_bytes_view("|u1"), &dtype, NULL), NDP_OK);
    struct ndp_descriptor descriptor = fixture_read(&fixture, INTEGERS("[2]", ""));
    for (size_t i = 0; i < NDP_ARRAY_LEN(strides); i++) {
        struct ndp_value value;
        struct ndp_result *result = NDP_ARENA_NEW(&fixture.arena, struct ndp_result);
        assert_non_null(result);
        memset(result, 0, sizeof *result);
        result->has_relayed = true;
        result->relayed = (struct ndp_observation){.class_name = ndp_bytes_view("ndarray"),
                                                   .dtype = &dtype,
                                                   .ndim = 2,
                                                   .shape = shape,
                                                   .strides_bytes = strides[i],
                                                   .elements = {elements, sizeof elements}};
        if (ndp_retell(&fixture.arena, &descriptor, result, &value) != can_be_told[i]) fail_msg("row %zu", i);
    }
    fixture_close(&fixture);
}

#define NODE(class)                                                                                                    \
    "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2],\"data\":{\"hex\":\"0102\"}},\"class\":{\"name\":\"" class  \
        "\"}}}"

/* The containers and who shares with whom are as they were sent; the arrays are those that arrived. */
static void a_graph_is_told_with_the_arrays_that_arrived(void **state) {
    (void)state;
    static const int64_t shape[] = {2}, strides[] = {1};
    static const uint8_t elements[] = {9, 8, 7};
    static const char *const classes[] = {"ndarray", "memmap", "recarray"};
    struct fixture fixture;
    struct ndp_dtype dtype;
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_typestr_read(ndp_bytes_view("|u1"), &dtype, NULL), NDP_OK);
    struct ndp_descriptor descriptor = fixture_read(
        &fixture,
        "{\"value\":{\"graph\":{\"root\":1,\"nodes\":[" NODE("ndarray") ",{\"list\":[0,0,2]}," NODE("ndarray") "]}}}");
    for (size_t i = 0; i < NDP_ARRAY_LEN(classes); i++) {
        const bool is_map = i == 1;
        const struct ndp_edge edges[] = {
            {.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 2}};
        const struct ndp_observation observation = {.class_name = ndp_bytes_view(classes[i]),
                                                    .dtype = &dtype,
                                                    .ndim = 1,
                                                    .shape = shape,
                                                    .strides_bytes = strides,
                                                    .backing = {.is_map_class = is_map, .is_mapped = is_map},
                                                    .elements = {elements, 2}};
        struct ndp_observation other = observation;
        other.class_name = ndp_bytes_view("ndarray");
        other.backing = (struct ndp_backing){.is_mapped = false};
        other.elements = (struct ndp_bytes){elements + 1, 2};
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 3},
                                         {.kind = NDP_NODE_ARRAY, .has_observation = true, .observation = observation},
                                         {.kind = NDP_NODE_ARRAY, .has_observation = true, .observation = other}};
        const struct ndp_graph got = {0, 3, nodes};
        struct ndp_result *result = NDP_ARENA_NEW(&fixture.arena, struct ndp_result);
        struct ndp_value value;
        assert_non_null(result);
        memset(result, 0, sizeof *result);
        result->relayed_graph = &got;
        assert_true(ndp_retell(&fixture.arena, &descriptor, result, &value));
        assert_int_equal(value.kind, NDP_VALUE_GRAPH);
        assert_int_equal(value.graph->root, 1);
        assert_int_equal(value.graph->count, 3);
        assert_int_equal(value.graph->nodes[1].edges[1].to, 0);
        const struct ndp_array_value *array = &value.graph->nodes[0].array;
        assert_int_equal(array->base.has_map, is_map);
        /* A class of its own is more than a plain array or a map can say: what was sent stays. */
        static const uint8_t sent[] = {1, 2};
        assert_memory_equal(array->base.data.bytes.data, i == 2 ? sent : elements, 2);
        assert_memory_equal(value.graph->nodes[2].array.base.data.bytes.data, elements + 1, 2);
        assert_true(ndp_bytes_is_equal(array->class_name, ndp_bytes_view(classes[i == 2 ? 0 : i])));
    }
    fixture_close(&fixture);
}

NDP_SUITE(retell_test, cmocka_unit_test(an_array_is_told_as_it_arrived),
          cmocka_unit_test(what_did_not_arrive_cannot_be_told),
          cmocka_unit_test(only_elements_side_by_side_can_be_told),
          cmocka_unit_test(a_graph_is_told_with_the_arrays_that_arrived));
