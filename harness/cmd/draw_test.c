#include "base/suite.h"
#include "cmd/draw.h"
#include "cmd/printed_fixture.h"

/* Prints the array of a descriptor. */
static void draw_descriptor(struct printed *printed, const char *text) {
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    struct ndp_array array;
    struct ndp_observation observation;
    NDP_ARENA_SCOPED(arena, 1 << 22);
    if (ndp_descriptor_read(&arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) != NDP_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ndp_array_build(&arena, &descriptor.value.array, true, &array, &error), NDP_OK);
    assert_int_equal(ndp_array_observe(&arena, &array, &observation), NDP_OK);
    ndp_draw_array(printed_open(printed), &array, &observation);
    assert_non_null(printed_text(printed));
}

static void expect_line(struct printed *printed, const char *line) {
    if (strstr(printed_text(printed), line) == NULL) fail_msg("no %s in\n%s", line, printed_text(printed));
}

/* Every element has its index, its offset in memory and its bytes. */
static void elements_have_index_offset_and_bytes(void **state) {
    struct printed printed;
    draw_descriptor(
        &printed,
        "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i2\",\"shape\":[2,2],\"data\":{\"pattern\":\"index\"}},"
        "\"views\":[{\"transpose\":[1,0]}]}}}");
    expect_line(&printed, "class    ndarray\ndtype    >i2, 2 bytes per item\nshape    (2, 2)\nstrides  (2, 4)\n"
                          "memory   8 bytes, element 0 at 0\nflags    c_contiguous=no f_contiguous=yes writeable=yes ");
    expect_line(&printed, "elements: index, offset in memory, bytes\n"
                          "  [0,0] @0      0000\n"
                          "  [0,1] @4      0002\n"
                          "  [1,0] @2      0001\n"
                          "  [1,1] @6      0003\n");
    printed_close(&printed);
}

static void long_output_is_cut(void **state) {
    struct printed printed;
    draw_descriptor(&printed, "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|S40\",\"shape\":[25]}}}}");
    uint32_t lines = 0;
    for (const char *at = printed_text(&printed); (at = strstr(at, "\n  [")) != NULL; at++) lines++;
    assert_int_equal(lines, 24);
    expect_line(&printed, "  ... 25 in all\n");
    char item[80] = "";
    for (int i = 0; i < 32; i++) strcat(item, "00");
    strcat(item, "...\n");
    expect_line(&printed, item);
    printed_close(&printed);
    draw_descriptor(&printed, "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[0]}}}}");
    expect_line(&printed, "\nno elements\n");
    printed_close(&printed);
}

static void structures_and_maps_are_printed(void **state) {
    struct printed printed;
    draw_descriptor(
        &printed,
        "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":\"a\",\"dtype\":\"<i4\"},{\"name\":"
        "\"b\",\"dtype\":\">f8\"}]},\"shape\":[1],\"memmap\":{\"mode\":\"r\",\"offset\":7}}}}}");
    expect_line(&printed, "class    memmap, a map of a file, mode r, offset 7\n");
    expect_line(&printed, "  leaves: offset, type, path\n    0      <i4      a\n    4      >f8      b\n");
    printed_close(&printed);
}

static void bytes_are_rows_of_sixteen(void **state) {
    struct printed printed;
    uint8_t bytes[40];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i + 0x70);
    ndp_draw_bytes(printed_open(&printed), (struct ndp_bytes){bytes, 18}, 9);
    printed_expect(&printed, "  000000  70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f  pqrstuvwxyz{|}~.\n"
                             "  000010  80 81                                            ..\n");
    ndp_draw_bytes(printed_open(&printed), (struct ndp_bytes){bytes, 40}, 1);
    printed_expect(&printed, "  000000  70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f  pqrstuvwxyz{|}~.\n"
                             "  ... 40 bytes in all\n");
    ndp_draw_bytes(printed_open(&printed), (struct ndp_bytes){bytes, 0}, 1);
    printed_expect(&printed, "");
}

/* Only fields that the route may change are printed, with their source; nothing for unknown targets. */
static void only_promises_of_changes_are_printed(void **state) {
    static struct ndp_target target;
    static const struct ndp_bench bench = {.targets = {&target}, .count = 1};
    struct printed printed;
    struct ndp_route route = {.format = "npy", .encode = "memory", .decode = "mmap:r", .encoder = "a", .decoder = "a"};
    snprintf(target.info.name, NDP_WORD_BYTES, "a");
    snprintf(target.info.implementation, NDP_WORD_BYTES, "numpy");
    snprintf(target.info.version, NDP_WORD_BYTES, "2.4.6");
    ndp_draw_promises(printed_open(&printed), &bench, &route, 0);
    expect_line(&printed, "npy:memory>mmap:r, a to a\n");
    uint32_t lines = 0;
    for (int field = 0; field < NDP_FIELD_ATTRIBUTES; field++) {
        const struct ndp_contract_row *row =
            ndp_contract_find((enum ndp_contract_field)field, &route, &target.info, &target.info, 0);
        if (row->promise == NDP_PROMISE_SAME) continue;
        lines++;
        expect_line(&printed, row->source);
    }
    assert_true(lines > 0);
    for (const char *at = printed_text(&printed); (at = strchr(at, '\n')) != NULL; at++) lines--;
    assert_int_equal(lines + 1, 0);
    printed_close(&printed);
    snprintf(route.decoder, NDP_WORD_BYTES, "nobody");
    ndp_draw_promises(printed_open(&printed), &bench, &route, 0);
    printed_expect(&printed, "");
}

static void a_graph_is_a_line_for_each_node(void **state) {
    const struct ndp_edge edges[] = {{.role = NDP_EDGE_ITEM, .to = 1},
                                     {.role = NDP_EDGE_ATTRIBUTE, .name = ndp_bytes_view("note"), .to = 2}};
    const struct ndp_node nodes[] = {
        {.kind = NDP_NODE_ARRAY, .array = {.class_name = ndp_bytes_view("plain")}, .edges = edges + 1, .edge_count = 1},
        {.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 1},
        {.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_ADD},
    };
    const struct ndp_graph graph = {1, 3, nodes};
    struct printed printed;
    ndp_draw_graph(printed_open(&printed), &graph);
    printed_expect(&printed, "   0 array plain  attributes.note -> 2\n"
                             "*  1 list  items -> 1\n"
                             "   2 function add\n");
}

/* Draws the value of a descriptor and compares the drawing, or its beginning. */
static void expect_drawing(const char *text, const char *expected, bool is_beginning) {
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    struct printed printed;
    NDP_ARENA_SCOPED(arena, 1 << 22);
    if (ndp_descriptor_read(&arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) != NDP_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ndp_draw_descriptor(printed_open(&printed), &arena, &descriptor, &error), NDP_OK);
    if (is_beginning) {
        if (strncmp(printed_text(&printed), expected, strlen(expected)) != 0)
            fail_msg("expected:\n%s\ngot:\n%s", expected, printed_text(&printed));
        printed_close(&printed);
    } else {
        printed_expect(&printed, expected);
    }
}

static void descriptors_of_every_kind_are_drawn(void **state) {
    expect_drawing("{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}}}",
                   "class    ndarray\ndtype    |u1, 1 bytes per item\nshape    (2)\n", true);
    expect_drawing("{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[0]}]}}}", "*  0 list  items -> 0\n", false);
    expect_drawing("{\"bytes\":\"934e\",\"route\":{\"format\":\"npy\"}}",
                   "2 bytes to decode\n  000000  93 4e                                            .N\n", false);
    expect_drawing("{\"file\":\"npy/accept/f8_c.npy\",\"route\":{\"format\":\"npy\"}}",
                   "corpus file npy/accept/f8_c.npy\n", false);
}

static void a_dict_is_a_line_for_each_thread(void **state) {
    const struct ndp_dict_value dict = {
        .key = NDP_DICT_UNICODE,
        .item = NDP_DICT_FLOAT64,
        .initial = 3,
        .rounds = 2,
        .threads = {{.blocks = {{NDP_DICT_OP_SET, 0, 4}, {NDP_DICT_OP_ITERATE, 0, 0}}, .block_count = 2},
                    {.blocks = {{NDP_DICT_OP_DELETE, 1, 2}}, .block_count = 1}},
        .thread_count = 2,
    };
    struct printed printed;
    ndp_draw_dict(printed_open(&printed), &dict);
    printed_expect(&printed, "dict of unicode to float64: 3 items at the start, 2 rounds of 2 threads\n"
                             "  thread 0: set 4 keys from 0, iterate\n"
                             "  thread 1: delete 2 keys from 1\n");
}

static void a_large_graph_is_cut(void **state) {
    static struct ndp_node nodes[100];
    static struct ndp_edge edges[40];
    for (size_t i = 0; i < NDP_ARRAY_LEN(nodes); i++) nodes[i].kind = NDP_NODE_LIST;
    nodes[0].edges = edges;
    nodes[0].edge_count = NDP_ARRAY_LEN(edges);
    const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
    struct printed printed;
    ndp_draw_graph(printed_open(&printed), &graph);
    expect_line(&printed, "-> 0  ... 40 edges in all\n");
    expect_line(&printed, "\n  63 list\n  ... 100 nodes in all\n");
    printed_close(&printed);
}

NDP_SUITE(draw_test, NDP_TEST(elements_have_index_offset_and_bytes), NDP_TEST(long_output_is_cut),
          NDP_TEST(structures_and_maps_are_printed), NDP_TEST(bytes_are_rows_of_sixteen),
          NDP_TEST(only_promises_of_changes_are_printed), NDP_TEST(a_graph_is_a_line_for_each_node),
          NDP_TEST(descriptors_of_every_kind_are_drawn), NDP_TEST(a_dict_is_a_line_for_each_thread),
          NDP_TEST(a_large_graph_is_cut));
