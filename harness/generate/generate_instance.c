/* generate_instance.c: generates an instance of a class, alone or in a list with one of its arguments, by the rows of
 * instance_recipes.h. Zeros give the first row whose library is there. */
#include <string.h>

#include "generate/generate_parts.h"
#include "generate/graph_draft.h"
#include "generate/instance_recipes.h"
#include "model/graph/import_path.h"

enum { MAX_EXTENT = 4, COMPILED_ONE_IN = 3 };

struct recipe {
    const char *import, *library, *arguments, *keep;
};

static const struct recipe recipes[] = {
#define ROW(import, library, arguments, keep) {import, library, arguments, keep},
    NDP_INSTANCE_LIST(ROW)
#undef ROW
};

/* The state that the arguments of one call share. */
struct call {
    struct ndp_graph_draft *d;
    uint32_t ndim; /* of the last array */
    const int64_t *shape;
    uint32_t number; /* of the first argument that has an identity, or NDP_GRAPH_UNSET */
};

/* ---- arrays ---- */

static const struct ndp_dtype numbers[] = {
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
    {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 16, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_INT, .itemsize_bytes = 8, .order = NDP_ORDER_LITTLE},
};

static void draw_data(struct ndp_graph_draft *d, struct ndp_base *base) {
    uint64_t size_bytes = 0;
    if (d->is_out_of_memory || !ndp_generate_base_size_fits(base, UINT32_MAX, &size_bytes)) return;
    if (ndp_generate_data(d->arena, d->choices, base->dtype, size_bytes, &base->data) != NDP_OK)
        d->is_out_of_memory = true;
    else
        ndp_generate_repaired_base(base);
}

/* Adds an array of `ndim` axes; each extent is 1 to MAX_EXTENT. */
static uint32_t add_array(struct call *call, const struct ndp_dtype *dtype, uint32_t ndim,
                          enum ndp_memory_order order) {
    struct ndp_graph_draft *d = call->d;
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, ndim);
    if (shape == NULL) d->is_out_of_memory = true;
    if (d->is_out_of_memory) return number;
    for (uint32_t i = 0; i < ndim; i++) shape[i] = MAX_EXTENT - (int64_t)ndp_choose(d->choices, MAX_EXTENT);
    struct ndp_base *base = &d->nodes[number].array.base;
    *base = (struct ndp_base){.dtype = dtype, .ndim = ndim, .shape = shape, .order = order};
    d->nodes[number].array.class_name = ndp_bytes_view("ndarray");
    draw_data(d, base);
    call->ndim = ndim;
    call->shape = shape;
    return number;
}

static enum ndp_memory_order draw_order(struct ndp_graph_draft *d) {
    return ndp_choose_rarely(d->choices, 2) ? NDP_MEMORY_F : NDP_MEMORY_C;
}

static uint32_t add_numbers(struct call *call, uint32_t ndim) {
    const struct ndp_dtype *dtype = &numbers[ndp_choose(call->d->choices, NDP_ARRAY_LEN(numbers))];
    return add_array(call, dtype, ndim, draw_order(call->d));
}

static uint32_t add_floats(struct call *call) {
    return add_array(call, &numbers[0], 1 + (uint32_t)ndp_choose(call->d->choices, 2), draw_order(call->d));
}

/* Truth values in the shape of the last array, some of them true. */
static uint32_t add_mask(struct call *call) {
    static const struct ndp_dtype truth = {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1};
    struct ndp_graph_draft *d = call->d;
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    uint64_t count = 1;
    for (uint32_t i = 0; i < call->ndim; i++) count *= (uint64_t)call->shape[i];
    uint8_t *bytes = ndp_arena_alloc(d->arena, count);
    if (bytes == NULL) d->is_out_of_memory = true;
    if (d->is_out_of_memory) return number;
    for (uint64_t i = 0; i < count; i++) bytes[i] = i % 2 == 0;
    bytes[0] = !ndp_choose_rarely(d->choices, 3);
    struct ndp_array_value *value = &d->nodes[number].array;
    value->base = (struct ndp_base){.dtype = &truth, .ndim = call->ndim, .shape = call->shape};
    value->base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, count}};
    value->class_name = ndp_bytes_view("ndarray");
    return number;
}

/* ---- containers ---- */

static uint32_t add_arrays(struct call *call, enum ndp_node_kind kind) {
    struct ndp_graph_draft *d = call->d;
    const uint32_t list = ndp_graph_draft_node(d, kind);
    const uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, 3), ndim = 1 + (uint32_t)ndp_choose(d->choices, 2);
    const struct ndp_dtype *dtype = &numbers[ndp_choose(d->choices, NDP_ARRAY_LEN(numbers))];
    const enum ndp_memory_order order = draw_order(d);
    for (uint32_t i = 0; i < count; i++)
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, add_array(call, dtype, ndim, order));
    return list;
}

static uint32_t add_matrices(struct call *call) {
    struct ndp_graph_draft *d = call->d;
    const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST), count = 1 + (uint32_t)ndp_choose(d->choices, 3);
    const enum ndp_memory_order order = draw_order(d);
    for (uint32_t i = 0; i < count; i++)
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, add_array(call, &numbers[0], 2, order));
    return list;
}

/* An array of one axis, whose items are lists of one array. */
static uint32_t add_objects(struct call *call) {
    struct ndp_graph_draft *d = call->d;
    const uint32_t objects = ndp_graph_draft_node(d, NDP_NODE_OBJECTS), count = 1 + (uint32_t)ndp_choose(d->choices, 3);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, 1);
    if (shape == NULL) d->is_out_of_memory = true;
    if (d->is_out_of_memory) return objects;
    *shape = count;
    d->nodes[objects].ndim = 1;
    d->nodes[objects].shape = shape;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, add_numbers(call, 1));
        ndp_graph_draft_edge(d, objects, NDP_EDGE_ITEM, NULL, list);
    }
    call->ndim = 1;
    call->shape = shape;
    return objects;
}

static uint32_t add_small_int(struct ndp_graph_draft *d) {
    static const char *const digits[] = {"1", "0", "-1", "255", "65536"};
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

static uint32_t add_count(struct ndp_graph_draft *d) {
    static const char *const digits[] = {"4", "3", "16"};
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

static uint32_t add_list(struct ndp_graph_draft *d, uint32_t (*add)(struct ndp_graph_draft *)) {
    const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST), count = 1 + (uint32_t)ndp_choose(d->choices, 3);
    for (uint32_t i = 0; i < count; i++) ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, add(d));
    return list;
}

static uint32_t add_pairs(struct ndp_graph_draft *d) {
    static const char *const keys[] = {"b", "a", "c"};
    const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
    const uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, NDP_ARRAY_LEN(keys));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t pair = ndp_graph_draft_node(d, NDP_NODE_TUPLE);
        ndp_graph_draft_edge(d, pair, NDP_EDGE_ITEM, NULL, ndp_graph_draft_text(d, keys[i]));
        ndp_graph_draft_edge(d, pair, NDP_EDGE_ITEM, NULL, ndp_graph_draft_int(d));
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, pair);
    }
    return list;
}

/* ---- words ---- */

/* Texts of one kind; a row ends at the first NULL. */
static const struct {
    const char *word;
    const char *texts[6];
} texts[] = {
    {"unit", {"m", "km", "kg m / s2", ""}},
    {"text", {"metre", "", "\xc3\xa9"}},
    {"decimal", {"1.10", "0", "-0", "1E+30", "NaN", "0.1"}},
    {"fraction", {"1/3", "0", "-22/7"}},
    {"uuid", {"12345678-1234-5678-1234-567812345678", "00000000-0000-0000-0000-000000000000"}},
    {"date", {"2024-02-29", "0001-01-01", "9999-12-31"}},
    {"time", {"2024-02-29T12:30:01.000001", "2024-02-29T12:30:01+05:30", "0001-01-01T00:00:00"}},
};

static const char *find_text(struct ndp_graph_draft *d, const char *word) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        uint32_t count = 0;
        while (count < NDP_ARRAY_LEN(texts[i].texts) && texts[i].texts[count] != NULL) count++;
        if (strcmp(texts[i].word, word) == 0) return texts[i].texts[ndp_choose(d->choices, count)];
    }
    return NULL;
}

static void set_call(struct ndp_graph_draft *d, uint32_t number, const char *import, const char *keep) {
    struct ndp_bytes names[NDP_MAX_KEPT];
    uint32_t count = 0;
    struct ndp_node *node = &d->nodes[number];
    for (size_t size; count < NDP_MAX_KEPT && (size = strcspn(keep, " ")) > 0; count++) {
        names[count] = (struct ndp_bytes){(const uint8_t *)keep, size};
        keep += size + strspn(keep + size, " ");
    }
    node->import = ndp_bytes_view(import);
    node->keep = ndp_arena_copy(d->arena, names, count * sizeof *names);
    node->keep_count = count;
    if (node->keep == NULL) d->is_out_of_memory = true;
}

static uint32_t add_quantity(struct call *call) {
    struct ndp_graph_draft *d = call->d;
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_INSTANCE);
    set_call(d, number, "astropy.units:Quantity", "value unit.to_string()");
    ndp_graph_draft_edge(d, number, NDP_EDGE_ARGUMENT, NULL, add_floats(call));
    ndp_graph_draft_edge(d, number, NDP_EDGE_KEYWORD, "unit", ndp_graph_draft_text(d, find_text(d, "unit")));
    return number;
}

static uint32_t add_word(struct ndp_graph_draft *d) {
    return ndp_graph_draft_text(d, find_text(d, "text"));
}

/* Adds what a word of a recipe describes. */
static uint32_t add_argument(struct call *call, const char *word) {
    struct ndp_graph_draft *d = call->d;
    const char *text = find_text(d, word);
    if (text != NULL) return ndp_graph_draft_text(d, text);
    if (strcmp(word, "vector") == 0) return add_numbers(call, 1);
    if (strcmp(word, "matrix") == 0) return add_numbers(call, 2);
    if (strcmp(word, "cube") == 0) return add_numbers(call, 3);
    if (strcmp(word, "floats") == 0) return add_floats(call);
    if (strcmp(word, "mask") == 0) return add_mask(call);
    if (strcmp(word, "ints") == 0) return add_list(d, add_small_int);
    if (strcmp(word, "reals") == 0) return add_list(d, ndp_graph_draft_float);
    if (strcmp(word, "words") == 0) return add_list(d, add_word);
    if (strcmp(word, "arrays") == 0) return add_arrays(call, NDP_NODE_LIST);
    if (strcmp(word, "matrices") == 0) return add_matrices(call);
    if (strcmp(word, "several") == 0) return add_arrays(call, NDP_NODE_TUPLE);
    if (strcmp(word, "objects") == 0) return add_objects(call);
    if (strcmp(word, "pairs") == 0) return add_pairs(d);
    if (strcmp(word, "number") == 0) return add_count(d);
    if (strcmp(word, "quantity") == 0) return add_quantity(call);
    return ndp_graph_draft_node(d, NDP_NODE_NONE);
}

/* The name of a keyword from the recipe, which lives as long as the arena. */
static const char *copy_name(struct ndp_graph_draft *d, const char *from, size_t size) {
    char *copy = ndp_arena_alloc(d->arena, size + 1);
    if (copy == NULL) {
        d->is_out_of_memory = true;
        return "";
    }
    memcpy(copy, from, size);
    copy[size] = '\0';
    return copy;
}

static void add_arguments(struct call *call, uint32_t number, const char *arguments) {
    struct ndp_graph_draft *d = call->d;
    for (size_t size; (size = strcspn(arguments, " ")) > 0; arguments += size + strspn(arguments + size, " ")) {
        const char *equals = memchr(arguments, '=', size);
        const char *start = equals != NULL ? equals + 1 : arguments;
        const char *word = copy_name(d, start, size - (size_t)(start - arguments));
        const uint32_t to = add_argument(call, word);
        if (call->number == NDP_GRAPH_UNSET && d->nodes[to].kind == NDP_NODE_ARRAY) call->number = to;
        const char *name = equals != NULL ? copy_name(d, arguments, (size_t)(equals - arguments)) : NULL;
        ndp_graph_draft_edge(d, number, name != NULL ? NDP_EDGE_KEYWORD : NDP_EDGE_ARGUMENT, name, to);
    }
}

/* ---- the graph ---- */

/* A list of the instance, an argument of its call, and the instance again. */
static uint32_t add_company(struct ndp_graph_draft *d, uint32_t number, const struct call *call) {
    const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
    ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, number);
    if (call->number != NDP_GRAPH_UNSET) ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, call->number);
    if (ndp_choose_rarely(d->choices, 2)) ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, number);
    return list;
}

static bool is_there(const struct recipe *recipe, const struct ndp_generate_instances *wanted) {
    const bool is_any = wanted->module == NULL || wanted->module[0] == '\0';
    if (!is_any && !ndp_import_path_is_in(ndp_bytes_view(recipe->import), wanted->module)) return false;
    return recipe->library[0] == '\0' || wanted->has_library(wanted->context, recipe->library);
}

/* Returns a row whose library is there, or NULL. */
static const struct recipe *draw_recipe(struct ndp_choices *choices, const struct ndp_generate_instances *wanted) {
    const struct recipe *there[NDP_ARRAY_LEN(recipes)];
    uint32_t count = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(recipes); i++)
        if (is_there(&recipes[i], wanted)) there[count++] = &recipes[i];
    if (count == 0) return NULL;
    const struct recipe *drawn = there[ndp_choose(choices, count)];
    const bool is_compiled = strcmp(drawn->library, "numba") == 0;
    return is_compiled && !ndp_choose_rarely(choices, COMPILED_ONE_IN) ? there[0] : drawn;
}

enum ndp_status ndp_generate_instance(struct ndp_arena *arena, struct ndp_choices *choices,
                                      const struct ndp_generate_instances *wanted, struct ndp_value *out) {
    struct ndp_graph_draft d;
    struct call call = {.d = &d, .number = NDP_GRAPH_UNSET};
    NDP_TRY(ndp_graph_draft_start(&d, arena, choices));
    const struct recipe *recipe = draw_recipe(choices, wanted);
    if (recipe == NULL) return NDP_INVALID;
    const uint32_t number = ndp_graph_draft_node(&d, NDP_NODE_INSTANCE);
    set_call(&d, number, recipe->import, recipe->keep);
    add_arguments(&call, number, recipe->arguments);
    const bool is_alone = wanted->module != NULL && wanted->module[0] != '\0';
    uint32_t root = !is_alone && ndp_choose_rarely(choices, 2) ? add_company(&d, number, &call) : number;
    if (wanted->for_objects_only) root = ndp_graph_draft_wrap(&d, root);
    return ndp_graph_draft_finish(&d, root, out);
}
