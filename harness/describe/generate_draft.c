#include "describe/generate_draft.h"

enum { MAX_EDGES = 12 };

uint32_t ndp_draft_node(struct ndp_draft *d, enum ndp_node_kind kind) {
    if (d->count == NDP_DRAFT_NODES) {
        d->is_out_of_memory = true;
        return d->count - 1;
    }
    struct ndp_node *node = &d->nodes[d->count];
    *node = (struct ndp_node){.kind = kind};
    node->edges = NDP_ARENA_ITEMS(d->arena, struct ndp_edge, MAX_EDGES);
    if (node->edges == NULL) d->is_out_of_memory = true;
    return d->count++;
}

void ndp_draft_edge(struct ndp_draft *d, uint32_t from, enum ndp_edge_role role, const char *name, uint32_t to) {
    struct ndp_node *node = &d->nodes[from];
    struct ndp_edge edges[MAX_EDGES];
    if (d->is_out_of_memory || node->edge_count == MAX_EDGES) return;
    /* Edges stand in the order of their roles, as the reader of JSON puts them. */
    uint32_t at = 0;
    while (at < node->edge_count && (node->edges[at].role <= role || node->kind == NDP_NODE_DICT)) at++;
    for (uint32_t i = 0; i < at; i++) edges[i] = node->edges[i];
    edges[at] = (struct ndp_edge){.role = role, .to = to};
    if (name != NULL) edges[at].name = ndp_bytes_view(name);
    for (uint32_t i = at; i < node->edge_count; i++) edges[i + 1] = node->edges[i];
    const uint32_t count = node->edge_count + 1;
    node->edges = ndp_arena_copy(d->arena, edges, count * sizeof *edges);
    node->edge_count = count;
    if (node->edges == NULL) d->is_out_of_memory = true;
}

uint32_t ndp_draft_int(struct ndp_draft *d) {
    static const char *const digits[] = {"0", "1", "2", "7", "-1", "9223372036854775808"};
    uint32_t number = ndp_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

uint32_t ndp_draft_text(struct ndp_draft *d, const char *text) {
    uint32_t number = ndp_draft_node(d, NDP_NODE_TEXT);
    d->nodes[number].text = ndp_bytes_view(text);
    return number;
}

uint32_t ndp_draft_scalar(struct ndp_draft *d) {
    static const uint8_t half[] = {0x3f, 0xe0, 0, 0, 0, 0, 0, 0};
    uint32_t number;
    switch (ndp_choose(d->choices, 6)) {
    case 1:
        return ndp_draft_text(d, ndp_choose_rarely(d->choices, 4) ? "" : "metre");
    case 2:
        number = ndp_draft_node(d, NDP_NODE_FLOAT);
        d->nodes[number].text = (struct ndp_bytes){half, sizeof half};
        return number;
    case 3:
        number = ndp_draft_node(d, NDP_NODE_BOOL);
        d->nodes[number].truth = !ndp_choose_rarely(d->choices, 3);
        return number;
    case 4:
        return ndp_draft_node(d, NDP_NODE_NONE);
    case 5:
        number = ndp_draft_node(d, NDP_NODE_BYTES);
        d->nodes[number].text = (struct ndp_bytes){half, 2};
        return number;
    default:
        return ndp_draft_int(d);
    }
}
