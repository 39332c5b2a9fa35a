/* generate_members.c: generates the members of an archive: a dict of plain arrays under text keys, mostly 1 to 4. Zeros
 * give one small array under the name a.
 *
 * A member after the first is new, the same object as an earlier one, an equal array, or an array of the same type and
 * layout with other contents: a writer that finds members by one of these mistakes one for the other. The names of an
 * archive are of one kind or of two, and each kind is equally likely: words and names that numpy.savez gives itself,
 * names that resemble each other, or names that a writer could take for something else. Few archives have no member, or
 * so many that the order of their numbers is not that of their texts. */
#include <stdio.h>
#include <string.h>

#include "generate/generate_parts.h"
#include "generate/graph_draft.h"

enum { MAX_MEMBERS = 4, FEWEST_OF_MANY = 11, FIRST_NAMES = 63, MANY_ONE_IN = 12, NONE_ONE_IN = 24 };

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

/* Names of one kind, different from each other. */
struct names {
    const char *list[8];
    uint32_t count;
};
#define NAMES(...)                                                                                                     \
    { {__VA_ARGS__}, NDP_ARRAY_LEN(((const char *const[]){__VA_ARGS__})) }

static const struct names ordinary = NAMES("a", "b", "x", "data", "arr_0", "arr_1", "weights");
static const struct names unusual[] = {
    NAMES("a.npy", "a.b", "group/a", "with space", "_", "A", "a_name_that_is_longer_than_most_names_are_00"),
    NAMES("a", "A", "data", "Data", "DATA"),
    NAMES("", ".", "..", "a/b", "a/", "/a", "../a", "a\\b"),
    NAMES("a", "a.npy", ".npy", "a.b", "a.npz", "b.npy", "b"),
    NAMES("self", "args", "kwds", "compressed", "arr", "fid", "key", "file"),
    NAMES("f", "files", "zip", "allow_pickle", "max_header_size", "mmap_mode"),
    NAMES("like", "dtype", "order", "copy", "out", "axis", "where", "casting"),
    NAMES("\xc3\xa9", "e\xcc\x81", "\xc3\x9f", "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x98\x80", "e"),
    NAMES("arr_1", "arr_0", "arr_10", "arr_2", "arr_00"),
};

static const struct names *draw_names(struct ndp_choices *choices) {
    const uint64_t kind = ndp_choose(choices, NDP_ARRAY_LEN(unusual) + 1);
    return kind == 0 ? &ordinary : &unusual[kind - 1];
}

static void add_member(struct ndp_graph_draft *d, uint32_t root, const char *name, uint32_t array) {
    const uint32_t text = ndp_graph_draft_text(d, name);
    ndp_graph_draft_edge(d, root, NDP_EDGE_KEY, NULL, text);
    ndp_graph_draft_edge(d, root, NDP_EDGE_VALUE, NULL, array);
}

/* The name that numpy.savez gives member `i` of those without a name. */
static const char *print_position(struct ndp_graph_draft *d, uint64_t i) {
    char text[16];
    const int size = snprintf(text, sizeof text, "arr_%u", (unsigned)i);
    const char *copy = ndp_arena_copy(d->arena, text, (size_t)size + 1);
    if (copy == NULL) d->is_out_of_memory = true;
    return copy != NULL ? copy : "";
}

/* The number of members. Few archives have none or many. */
static uint64_t draw_count(struct ndp_choices *choices, bool *is_many) {
    *is_many = ndp_choose_rarely(choices, MANY_ONE_IN);
    if (*is_many) return FEWEST_OF_MANY + ndp_choose(choices, 3);
    if (ndp_choose_rarely(choices, NONE_ONE_IN)) return 0;
    return 1 + ndp_choose(choices, MAX_MEMBERS);
}

static bool has_name(const struct names *names, const char *name) {
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0) return true;
    return false;
}

/* Adds the members. `is_unnamed`: they have the names that numpy.savez gives. The others have names of one kind, and
 * half of the archives as many of a second kind. */
static void draw_members(struct ndp_graph_draft *d, uint32_t root, bool is_unnamed) {
    bool is_many;
    uint64_t count = draw_count(d->choices, &is_many);
    const uint64_t first = ndp_choose(d->choices, FIRST_NAMES);
    const struct names *names = draw_names(d->choices), *more = draw_names(d->choices);
    is_unnamed = is_unnamed || is_many;
    const bool has_more = !is_unnamed && more != names && ndp_choose_rarely(d->choices, 2);
    uint32_t array = 0;
    for (uint64_t i = 0; i < count; i++) {
        array = i == 0 ? add_array(d) : draw_member(d, array);
        add_member(d, root, is_unnamed ? print_position(d, i) : names->list[(first + i) % names->count], array);
        const char *other = more->list[(first + i) % more->count];
        if (has_more && !has_name(names, other)) add_member(d, root, other, array = draw_member(d, array));
    }
}

enum ndp_status ndp_generate_members(struct ndp_arena *arena, struct ndp_choices *choices, bool is_unnamed,
                                     struct ndp_value *out) {
    struct ndp_graph_draft d;
    NDP_TRY(ndp_graph_draft_start(&d, arena, choices));
    const uint32_t root = ndp_graph_draft_node(&d, NDP_NODE_DICT);
    draw_members(&d, root, is_unnamed);
    NDP_TRY(ndp_graph_draft_finish(&d, root, out));
    for (uint32_t i = 0; i < d.count; i++)
        if (d.nodes[i].kind == NDP_NODE_ARRAY) out->array.base.dtype = d.nodes[i].array.base.dtype;
    return NDP_OK;
}
