/* generate_members.c: generates the members of an archive: a dict of 1 to 4 plain arrays under text keys. Zeros give
 * one small array under the name a.
 *
 * A member after the first is new, the same object as an earlier one, an equal array, or an array of the same type and
 * layout with other contents: a writer that finds members by one of these mistakes one for the other. Names are
 * ordinary: words, names that numpy.savez gives itself, and names with the characters of paths, of file endings and of
 * other scripts. */
#include "generate/generate_parts.h"
#include "generate/graph_draft.h"

enum { MAX_MEMBERS = 4, FIRST_NAMES = 63, UNUSUAL_ONE_IN = 8 };

/* Fills an array without objects, of class ndarray. */
static void draw_array(struct ndp_graph_draft *d, struct ndp_array_value *out) {
    static const uint64_t sizes_bytes[] = {256, 256, 256, 4096, 4096, 66000};
    const struct ndp_generate_limits limits = {
        .value_bytes = sizes_bytes[ndp_choose(d->choices, 6)], .without_objects = true, .without_maps = true};
    struct ndp_value value;
    if (ndp_generate_value(d->arena, d->choices, &limits, &value) != NDP_OK) {
        d->is_out_of_memory = true;
        return;
    }
    *out = value.array;
    out->class_name = ndp_bytes_view("ndarray");
}

static uint32_t add_array(struct ndp_graph_draft *d) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    draw_array(d, &d->nodes[number].array);
    return number;
}

/* Adds an array like `of`, with equal or with other contents. */
static uint32_t add_alike(struct ndp_graph_draft *d, uint32_t of, bool is_equal) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    struct ndp_array_value *value = &d->nodes[number].array;
    *value = d->nodes[of].array;
    if (!is_equal) value->base.data = (struct ndp_data){.pattern = NDP_PATTERN_RANDOM, .seed = number};
    return number;
}

static uint32_t draw_member(struct ndp_graph_draft *d, uint32_t of) {
    const uint64_t choice = ndp_choose(d->choices, 5);
    if (choice == 1) return of;
    if (choice == 2) return add_alike(d, of, true);
    return choice == 3 ? add_alike(d, of, false) : add_array(d);
}

/* The name of member `i` of at most MAX_MEMBERS, different for each. */
static const char *draw_name(struct ndp_choices *choices, uint64_t i) {
    static const char *const ordinary[] = {"a", "b", "x", "data", "arr_0", "arr_1", "weights"};
    static const char *const unusual[] = {"a.npy",      "a.b", "group/a",
                                          "with space", "",    "\xc3\xa9",
                                          "_",          "A",   "a_name_that_is_longer_than_most_names_are_00"};
    if (ndp_choose_rarely(choices, UNUSUAL_ONE_IN)) return unusual[(i * 2) % NDP_ARRAY_LEN(unusual)];
    return ordinary[i % NDP_ARRAY_LEN(ordinary)];
}

enum ndp_status ndp_generate_members(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    struct ndp_graph_draft d = {.arena = arena, .choices = choices};
    struct ndp_graph *graph = NDP_ARENA_NEW(arena, struct ndp_graph);
    d.nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, NDP_GRAPH_DRAFT_NODES);
    if (graph == NULL || d.nodes == NULL) return NDP_NOMEM;
    const uint32_t root = ndp_graph_draft_node(&d, NDP_NODE_DICT);
    const uint64_t count = 1 + ndp_choose(choices, MAX_MEMBERS), first = ndp_choose(choices, FIRST_NAMES);
    uint32_t array = 0;
    for (uint64_t i = 0; i < count; i++) {
        array = i == 0 ? add_array(&d) : draw_member(&d, array);
        const uint32_t name = ndp_graph_draft_text(&d, draw_name(choices, first + i));
        ndp_graph_draft_edge(&d, root, NDP_EDGE_KEY, NULL, name);
        ndp_graph_draft_edge(&d, root, NDP_EDGE_VALUE, NULL, array);
    }
    if (d.is_out_of_memory) return NDP_NOMEM;
    *graph = (struct ndp_graph){root, d.count, d.nodes};
    *out = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = graph};
    out->array.base.dtype = d.nodes[array].array.base.dtype;
    out->array.class_name = ndp_bytes_view("ndarray");
    return NDP_OK;
}
