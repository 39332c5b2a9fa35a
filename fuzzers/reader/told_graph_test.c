/* What a pickle builds is said by CPython 3.11's pickle.dumps, and by its dict. */
#include "reader/told_graph.h"

#include "base/checked.h"
#include "base/suite.h"
#include "fuzz.h"

#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* [None, -5, "é", b"a\0", (), {"k": True}] and itself, in protocol 2. */
static const struct ndp_bytes pickle = TEXT("\x80\x02]q\0(NJ\xfb\xff\xff\xffX\x02\0\0\0\xc3\xa9"
                                            "C\x02"
                                            "a\0)}q\1X\x01\0\0\0k\x88sh\0e.");
/* {"k": 1, "l": 2, "k": 3} as it is written, which is {"k": 3, "l": 2}. */
static const struct ndp_bytes twice = TEXT("}(X\x01\0\0\0kK\x01X\x01\0\0\0lK\x02X\x01\0\0\0kK\x03u.");

static bool is_told(struct ndp_bytes bytes, const struct ndp_graph *graph) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const bool is_so = fuzz_graph_is_told(&arena, bytes, graph);
    ndp_arena_clear(&arena);
    return is_so;
}

static void every_part_is_what_is_told(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct ndp_edge items[] = {{NDP_EDGE_ITEM, TEXT(""), 1}, {NDP_EDGE_ITEM, TEXT(""), 2},
                                   {NDP_EDGE_ITEM, TEXT(""), 3}, {NDP_EDGE_ITEM, TEXT(""), 4},
                                   {NDP_EDGE_ITEM, TEXT(""), 5}, {NDP_EDGE_ITEM, TEXT(""), 6},
                                   {NDP_EDGE_ITEM, TEXT(""), 0}};
        const struct ndp_edge pair[] = {{NDP_EDGE_KEY, TEXT(""), 7}, {NDP_EDGE_VALUE, TEXT(""), 8}};
        struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = items, .edge_count = 7},
                                   {.kind = NDP_NODE_NONE},
                                   {.kind = NDP_NODE_INT, .text = TEXT("-5")},
                                   {.kind = NDP_NODE_TEXT, .text = TEXT("\xc3\xa9")},
                                   {.kind = NDP_NODE_BYTES, .text = TEXT("a\0")},
                                   {.kind = NDP_NODE_TUPLE},
                                   {.kind = NDP_NODE_DICT, .edges = pair, .edge_count = 2},
                                   {.kind = NDP_NODE_TEXT, .text = TEXT("k")},
                                   {.kind = NDP_NODE_BOOL, .truth = true}};
        const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
        if (i == 1) nodes[2].text = (struct ndp_bytes)TEXT("5");
        if (i == 2) nodes[3].text = (struct ndp_bytes)TEXT("e");
        if (i == 3) nodes[4].text = (struct ndp_bytes)TEXT("a");
        if (i == 4) nodes[5].kind = NDP_NODE_LIST;
        if (i == 5) nodes[8].truth = false;
        if (i == 6) nodes[0].edge_count = 6;
        if (i == 7) items[6].to = 5;
        if (i == 8) nodes[1].kind = NDP_NODE_LIST;
        if (i == 9) nodes[6].edge_count = 0;
        if (is_told(pickle, &graph) != (i == 0)) fail_msg("row %d", i);
    }
}

static void of_equal_keys_the_last_counts(void **state) {
    (void)state;
    const struct ndp_edge edges[] = {{NDP_EDGE_KEY, TEXT(""), 1},
                                     {NDP_EDGE_KEY, TEXT(""), 2},
                                     {NDP_EDGE_VALUE, TEXT(""), 3},
                                     {NDP_EDGE_VALUE, TEXT(""), 4}};
    struct ndp_node nodes[] = {{.kind = NDP_NODE_DICT, .edges = edges, .edge_count = 4},
                               {.kind = NDP_NODE_TEXT, .text = TEXT("k")},
                               {.kind = NDP_NODE_TEXT, .text = TEXT("l")},
                               {.kind = NDP_NODE_INT, .text = TEXT("3")},
                               {.kind = NDP_NODE_INT, .text = TEXT("2")}};
    const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
    assert_true(is_told(twice, &graph));
    nodes[3].text = (struct ndp_bytes)TEXT("1");
    assert_false(is_told(twice, &graph));
}

/* {0.0: 1, -0.0: 2, 1: 3, True: 4, None: 5} as it is written, which is {0.0: 2, 1: 4, None: 5}. */
static const struct ndp_bytes numbers = TEXT("}(G\0\0\0\0\0\0\0\0K\1G\x80\0\0\0\0\0\0\0K\2K\1K\3\x88K\4NK\5u.");

static void equal_numbers_are_one_key(void **state) {
    (void)state;
    const struct ndp_edge edges[] = {{NDP_EDGE_KEY, TEXT(""), 1},   {NDP_EDGE_KEY, TEXT(""), 2},
                                     {NDP_EDGE_KEY, TEXT(""), 3},   {NDP_EDGE_VALUE, TEXT(""), 4},
                                     {NDP_EDGE_VALUE, TEXT(""), 5}, {NDP_EDGE_VALUE, TEXT(""), 6}};
    struct ndp_node nodes[] = {{.kind = NDP_NODE_DICT, .edges = edges, .edge_count = 6},
                               {.kind = NDP_NODE_FLOAT, .text = TEXT("\0\0\0\0\0\0\0\0")},
                               {.kind = NDP_NODE_INT, .text = TEXT("1")},
                               {.kind = NDP_NODE_NONE},
                               {.kind = NDP_NODE_INT, .text = TEXT("2")},
                               {.kind = NDP_NODE_INT, .text = TEXT("4")},
                               {.kind = NDP_NODE_INT, .text = TEXT("5")}};
    const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
    assert_true(is_told(numbers, &graph));
    nodes[4].text = (struct ndp_bytes)TEXT("1");
    assert_false(is_told(numbers, &graph));
}

/* numpy.array([[1, 2]], object) with the order of axes that CPython calls True, in protocol 2; its type is left out. */
static const struct ndp_bytes objects = TEXT("\x80\x02"
                                             "cnumpy.core.multiarray\n_reconstruct\nN\x85R"
                                             "(K\x01K\x01K\x02\x86N\x88](K\x01K\x02"
                                             "etb.");

static void objects_of_an_array_are_what_is_told(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        int64_t shape[] = {1, 2};
        struct ndp_edge items[] = {{NDP_EDGE_ITEM, TEXT(""), 1}, {NDP_EDGE_ITEM, TEXT(""), 2}};
        struct ndp_node nodes[] = {
            {.kind = NDP_NODE_OBJECTS, .edges = items, .edge_count = 2, .ndim = 2, .shape = shape, .is_fortran = true},
            {.kind = NDP_NODE_INT, .text = TEXT("1")},
            {.kind = NDP_NODE_INT, .text = TEXT("2")}};
        const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
        if (i == 1) nodes[0].is_fortran = false;
        if (i == 2) shape[1] = 1;
        if (i == 3) items[0].to = 2;
        if (i == 4) nodes[0].edge_count = 1;
        if (is_told(objects, &graph) != (i == 0)) fail_msg("row %d", i);
    }
}

/* pickle.dumps of a set, a frozenset, a byte array, an object made by its class, and one that copyreg makes. */
static void classes_are_what_is_told(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle, name, other;
    } rows[] = {
        {TEXT("\x80\x04\x8f(K\x07\x90."), TEXT("builtins.set"), TEXT("builtins.frozenset")},
        {TEXT("\x80\x02"
              "c__builtin__\nset\n]K\x07"
              "a\x85R."),
         TEXT("builtins.set"), TEXT("__builtin__.set")},
        {TEXT("\x80\x04(K\x07\x91."), TEXT("builtins.frozenset"), TEXT("builtins.set")},
        {TEXT("\x80\x05\x96\x01\0\0\0\0\0\0\0a."), TEXT("builtins.bytearray"), TEXT("builtins.bytes")},
        {TEXT("\x80\x04"
              "cfractions\nFraction\n)\x81."),
         TEXT("fractions.Fraction"), TEXT("fractions.fraction")},
        {TEXT("ccopy_reg\n_reconstructor\n(cQueue\nQueue\nc__builtin__\nobject\nNtR."), TEXT("queue.Queue"),
         TEXT("copyreg._reconstructor")},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_node node = {.kind = NDP_NODE_OTHER, .text = rows[i].name};
        const struct ndp_graph graph = {0, 1, &node};
        if (!is_told(rows[i].pickle, &graph)) fail_msg("row %zu", i);
        node.text = rows[i].other;
        if (is_told(rows[i].pickle, &graph)) fail_msg("row %zu, the other name", i);
    }
}

NDP_SUITE(told_graph_test, cmocka_unit_test(every_part_is_what_is_told),
          cmocka_unit_test(of_equal_keys_the_last_counts), cmocka_unit_test(equal_numbers_are_one_key),
          cmocka_unit_test(classes_are_what_is_told), cmocka_unit_test(objects_of_an_array_are_what_is_told));
