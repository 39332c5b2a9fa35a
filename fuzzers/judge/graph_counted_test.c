#include "judge/graph_counted.h"

#include "base/suite.h"

#define EDGE(r, n)                                                                                                     \
    { .role = NDP_EDGE_##r, .to = (n) }
#define EDGES(list) .edges = (list), .edge_count = (uint32_t)NDP_ARRAY_LEN(list)
#define WORD(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static const struct ndp_edge itself[] = {EDGE(ITEM, 0)};
static const struct ndp_edge once[] = {EDGE(ITEM, 1)};
static const struct ndp_edge twice[] = {EDGE(ITEM, 1), EDGE(ITEM, 1)};
static const struct ndp_edge of[] = {EDGE(OF, 1)};
static const struct ndp_edge mask[] = {EDGE(MASK, 1)};
static const struct ndp_edge cells[] = {EDGE(CELL, 1), EDGE(CELL, 1)};
static const struct ndp_edge attribute[] = {{.role = NDP_EDGE_ATTRIBUTE, .name = WORD("extra"), .to = 1}};
static const struct ndp_edge function[] = {EDGE(FUNCTION, 1)};

/* What the comments of model/graph.h say of each feature. */
static const struct {
    struct ndp_node nodes[2];
    uint64_t features, of_second;
} rows[] = {
    {{{.kind = NDP_NODE_LIST, EDGES(itself)}}, NDP_GRAPH_CYCLE, 0},
    {{{.kind = NDP_NODE_LIST, EDGES(once)}, {.kind = NDP_NODE_LIST}}, 0, 0},
    {{{.kind = NDP_NODE_LIST, EDGES(twice)}, {.kind = NDP_NODE_LIST}}, NDP_GRAPH_SHARED, 0},
    {{{.kind = NDP_NODE_LIST, EDGES(twice)}, {.kind = NDP_NODE_INT}}, 0, 0},
    {{{.kind = NDP_NODE_VIEW, EDGES(of)}, {.kind = NDP_NODE_ARRAY}}, NDP_GRAPH_VIEWS, 0},
    {{{.kind = NDP_NODE_ARRAY, .array = {.class_name = WORD("MaskedArray")}, EDGES(mask)}, {.kind = NDP_NODE_ARRAY}},
     NDP_GRAPH_OWN_PICKLING | NDP_GRAPH_MASKED | NDP_GRAPH_MASK,
     NDP_GRAPH_MASK},
    {{{.kind = NDP_NODE_ARRAY, .array = {.class_name = WORD("slots")}, EDGES(attribute)}, {.kind = NDP_NODE_NONE}},
     NDP_GRAPH_NO_PICKLING | NDP_GRAPH_ATTRIBUTES,
     0},
    {{{.kind = NDP_NODE_ARRAY, .array = {.class_name = WORD("memmap"), .base = {.has_map = true}}}}, NDP_GRAPH_MAPS, 0},
    {{{.kind = NDP_NODE_FUNCTION, .name = WORD("f"), EDGES(cells)}, {.kind = NDP_NODE_CELL}},
     NDP_GRAPH_FUNCTIONS | NDP_GRAPH_LOCAL_FUNCTION | NDP_GRAPH_CELLS | NDP_GRAPH_SHARED_CELL | NDP_GRAPH_EMPTY_CELL,
     NDP_GRAPH_EMPTY_CELL},
    {{{.kind = NDP_NODE_VECTORIZE, .calls = 1, EDGES(function)},
      {.kind = NDP_NODE_FUNCTION, .name = WORD("add"), .code = NDP_CODE_ADD, .is_importable = true}},
     NDP_GRAPH_VECTORIZE | NDP_GRAPH_CALLED | NDP_GRAPH_FUNCTIONS,
     NDP_GRAPH_FUNCTIONS},
    {{{.kind = NDP_NODE_FROMPYFUNC, EDGES(function)},
      {.kind = NDP_NODE_FUNCTION, .name = WORD("decorated"), .code = NDP_CODE_IDENTITY, .is_importable = true}},
     NDP_GRAPH_FROMPYFUNC | NDP_GRAPH_FUNCTIONS | NDP_GRAPH_LOCAL_FUNCTION,
     NDP_GRAPH_FUNCTIONS | NDP_GRAPH_LOCAL_FUNCTION},
    {{{.kind = NDP_NODE_METHOD}, {.kind = NDP_NODE_OBJECTS}}, NDP_GRAPH_METHOD | NDP_GRAPH_OBJECTS, NDP_GRAPH_OBJECTS},
};

static void features_are_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_graph graph = {0, 2, rows[i].nodes};
        const uint64_t whole = fuzz_count_graph(&graph), second = fuzz_count_node(&graph, 1);
        if (whole != (NDP_GRAPH_VALUE | rows[i].features) || second != (NDP_GRAPH_VALUE | rows[i].of_second))
            fail_msg("row %zu", i);
    }
}

NDP_SUITE(graph_counted_test, cmocka_unit_test(features_are_counted));
