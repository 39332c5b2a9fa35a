#include "generate/graph_draft.h"

enum { MAX_EDGES = 48 };

enum ndp_status ndp_graph_draft_start(struct ndp_graph_draft *d, struct ndp_arena *arena, struct ndp_choices *choices) {
    *d = (struct ndp_graph_draft){.arena = arena, .choices = choices};
    d->nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, NDP_GRAPH_DRAFT_NODES);
    return d->nodes == NULL ? NDP_NOMEM : NDP_OK;
}

enum ndp_status ndp_graph_draft_finish(struct ndp_graph_draft *d, uint32_t root, struct ndp_value *out) {
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    struct ndp_graph *graph = NDP_ARENA_NEW(d->arena, struct ndp_graph);
    if (graph == NULL || d->is_out_of_memory) return NDP_NOMEM;
    *graph = (struct ndp_graph){.root = root, .count = d->count, .nodes = d->nodes};
    *out = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = graph};
    out->array.base.dtype = &byte;
    out->array.class_name = ndp_bytes_view("ndarray");
    return NDP_OK;
}

uint32_t ndp_graph_draft_wrap(struct ndp_graph_draft *d, uint32_t item) {
    static const int64_t one[] = {1};
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_OBJECTS);
    d->nodes[number].ndim = 1;
    d->nodes[number].shape = one;
    ndp_graph_draft_edge(d, number, NDP_EDGE_ITEM, NULL, item);
    return number;
}

uint32_t ndp_graph_draft_node(struct ndp_graph_draft *d, enum ndp_node_kind kind) {
    if (d->count == NDP_GRAPH_DRAFT_NODES) {
        d->is_out_of_memory = true;
        return d->count - 1;
    }
    struct ndp_node *node = &d->nodes[d->count];
    *node = (struct ndp_node){.kind = kind};
    node->edges = NDP_ARENA_ITEMS(d->arena, struct ndp_edge, MAX_EDGES);
    if (node->edges == NULL) d->is_out_of_memory = true;
    return d->count++;
}

void ndp_graph_draft_named_edge(struct ndp_graph_draft *d, uint32_t from, struct ndp_edge edge) {
    struct ndp_node *node = &d->nodes[from];
    struct ndp_edge edges[MAX_EDGES];
    if (d->is_out_of_memory || node->edge_count == MAX_EDGES) return;
    /* Edges are sorted by role, as the JSON reader does. */
    uint32_t at = 0;
    while (at < node->edge_count && (node->edges[at].role <= edge.role || node->kind == NDP_NODE_DICT)) at++;
    for (uint32_t i = 0; i < at; i++) edges[i] = node->edges[i];
    edges[at] = edge;
    for (uint32_t i = at; i < node->edge_count; i++) edges[i + 1] = node->edges[i];
    const uint32_t count = node->edge_count + 1;
    struct ndp_edge *copy = ndp_arena_copy(d->arena, edges, count * sizeof *edges);
    if (copy == NULL) {
        d->is_out_of_memory = true;
        return;
    }
    node->edges = copy;
    node->edge_count = count;
}

void ndp_graph_draft_edge(struct ndp_graph_draft *d, uint32_t from, enum ndp_edge_role role, const char *name,
                          uint32_t to) {
    struct ndp_edge edge = {.role = role, .to = to};
    if (name != NULL) edge.name = ndp_bytes_view(name);
    ndp_graph_draft_named_edge(d, from, edge);
}

uint32_t ndp_graph_draft_int(struct ndp_graph_draft *d) {
    static const char *const digits[] = {"0", "1", "2", "7", "-1", "9223372036854775808"};
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

uint32_t ndp_graph_draft_text(struct ndp_graph_draft *d, const char *text) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_TEXT);
    d->nodes[number].text = ndp_bytes_view(text);
    return number;
}

/* Numbers at which encodings change width or gain a digit. */
uint32_t ndp_graph_draft_large_int(struct ndp_graph_draft *d) {
    static const char *const digits[] =
        NDP_ROWS("255", "256", "-129", "65536", "-2147483649", "4294967296", "549755813888", "-36028797018963968",
                 "18446744073709551616", "1000000000000000000000000000");
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

/* 0.5, -0.0, 0.1, 0.1 + 0.2, 1e16, the smallest, infinity, not a number. */
uint32_t ndp_graph_draft_float(struct ndp_graph_draft *d) {
    static const uint8_t floats[][8] = {{0x3f, 0xe0},
                                        {0x80},
                                        {0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a},
                                        {0x3f, 0xd3, 0x33, 0x33, 0x33, 0x33, 0x33, 0x34},
                                        {0x43, 0x41, 0xc3, 0x79, 0x37, 0xe0, 0x80},
                                        {0, 0, 0, 0, 0, 0, 0, 1},
                                        {0xff, 0xf0},
                                        {0x7f, 0xf8}};
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_FLOAT);
    d->nodes[number].text = (struct ndp_bytes){floats[ndp_choose(d->choices, NDP_ARRAY_LEN(floats))], 8};
    return number;
}

/* Text that some format must escape, or longer than a one-byte length. */
uint32_t ndp_graph_draft_any_text(struct ndp_graph_draft *d) {
    static const char *const texts[] = {"metre", "", "\\u0041", "one\n'two'\t\"\\",
                                        "\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e"};
    static const char long_text[] = "----------------------------------------------------------------"
                                    "----------------------------------------------------------------"
                                    "----------------------------------------------------------------"
                                    "----------------------------------------------------------------";
    const uint64_t choice = ndp_choose(d->choices, NDP_ARRAY_LEN(texts) + 1);
    return ndp_graph_draft_text(d, choice < NDP_ARRAY_LEN(texts) ? texts[choice] : long_text);
}

uint32_t ndp_graph_draft_bytes(struct ndp_graph_draft *d) {
    static const struct ndp_bytes rows[] = {{(const uint8_t *)"\x3f\xe0", 2},
                                            {(const uint8_t *)"", 0},
                                            {(const uint8_t *)"\xff", 1},
                                            {(const uint8_t *)"\n\0\\'\x80", 5}};
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_BYTES);
    d->nodes[number].text = rows[ndp_choose(d->choices, NDP_ARRAY_LEN(rows))];
    return number;
}

uint32_t ndp_graph_draft_scalar(struct ndp_graph_draft *d) {
    uint32_t number;
    const uint64_t choice = ndp_choose(d->choices, 7);
    if (choice == 0) return ndp_graph_draft_int(d);
    if (choice == 1) return ndp_graph_draft_any_text(d);
    if (choice == 2) return ndp_graph_draft_float(d);
    if (choice == 4) return ndp_graph_draft_node(d, NDP_NODE_NONE);
    if (choice == 5) return ndp_graph_draft_bytes(d);
    if (choice == 6) return ndp_graph_draft_large_int(d);
    number = ndp_graph_draft_node(d, NDP_NODE_BOOL);
    d->nodes[number].truth = !ndp_choose_rarely(d->choices, 3);
    return number;
}
