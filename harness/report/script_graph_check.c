/* script_graph_check.c: what the differences say of a graph, asked of the object that arrived: each node by a way to it
 * from the root. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/array_class.h"
#include "report/script_parts.h"

/* The ways to every node: the shortest, and another one where there is one. */
struct ways {
    const char *first[NDP_MAX_NODES];
    const char *second[NDP_MAX_NODES];
};

static const char *function_edge(const struct ndp_node *node) {
    if (node->kind == NDP_NODE_FROMPYFUNC) return "";
    if (node->kind == NDP_NODE_VECTORIZE) return ".pyfunc";
    return node->kind == NDP_NODE_PARTIAL ? ".func" : ".__func__";
}

/* What stands behind the expression of a node to follow its edge, "" when nobody can. */
static const char *edge_word(struct ndp_script *script, const struct ndp_node *node, const struct ndp_edge *edge,
                             unsigned ordinal) {
    const char *name = ndp_edge_is_named(edge->role) ? ndp_script_string(script, edge->name) : "";
    switch (edge->role) {
    case NDP_EDGE_ITEM:
        return ndp_script_text(script, node->kind == NDP_NODE_OBJECTS ? ".reshape(-1)[%u]" : "[%u]", ordinal);
    case NDP_EDGE_CONTENT:
        return ".cell_contents";
    case NDP_EDGE_FUNCTION:
        return function_edge(node);
    case NDP_EDGE_SELF:
        return ".__self__";
    case NDP_EDGE_ARGUMENT:
        return ndp_script_text(script, ".args[%u]", ordinal);
    case NDP_EDGE_KEYWORD:
        return ndp_script_text(script, ".keywords[%s]", name);
    case NDP_EDGE_CELL:
        return ndp_script_text(script, ".__closure__[%u]", ordinal);
    case NDP_EDGE_DEFAULT:
        return ndp_script_text(script, ".__defaults__[%u]", ordinal);
    case NDP_EDGE_KWDEFAULT:
        return ndp_script_text(script, ".__kwdefaults__[%s]", name);
    case NDP_EDGE_ATTRIBUTE:
        return ndp_script_text(script, ".%.*s", (int)edge->name.size_bytes, (const char *)edge->name.data);
    case NDP_EDGE_MASK:
        return "._mask";
    case NDP_EDGE_GLOBALS:
        return ".__globals__";
    case NDP_EDGE_ENTRY:
        return ndp_script_text(script, "[%s]", name);
    case NDP_EDGE_KEY:
    case NDP_EDGE_VALUE:
    case NDP_EDGE_OF:
    case NDP_EDGE_COUNT:
        break;
    }
    return "";
}

/* The way on over an edge, "" when there is none. The value of a dict is found by its place. */
static const char *follow(struct ndp_script *script, const char *way, const struct ndp_node *node, uint32_t index) {
    const struct ndp_edge *edge = &node->edges[index];
    unsigned ordinal = 0;
    for (uint32_t i = 0; i < index; i++) ordinal += node->edges[i].role == edge->role ? 1 : 0;
    if (edge->role == NDP_EDGE_VALUE) return ndp_script_text(script, "list(%s.values())[%u]", way, ordinal);
    const char *step = edge_word(script, node, edge, ordinal);
    return step[0] == '\0' ? "" : ndp_script_text(script, "%s%s", way, step);
}

static void find_ways(struct ndp_script *script, const struct ndp_graph *graph, struct ways *ways) {
    uint32_t queue[NDP_MAX_NODES], count = 1;
    queue[0] = graph->root;
    ways->first[graph->root] = "x";
    for (uint32_t at = 0; at < count; at++) {
        const struct ndp_node *node = &graph->nodes[queue[at]];
        for (uint32_t i = 0; i < node->edge_count; i++) {
            uint32_t to = node->edges[i].to;
            const char *way = follow(script, ways->first[queue[at]], node, i);
            if (way[0] == '\0') continue;
            if (ways->first[to] == NULL) {
                ways->first[to] = way;
                queue[count++] = to;
            } else if (ways->second[to] == NULL) {
                ways->second[to] = way;
            }
        }
    }
}

#define TELL                                                                                                           \
    "def tell(get):\n"                                                                                                 \
    "    try: x = get()\n"                                                                                             \
    "    except Exception as error: return f\"{type(error).__name__}: {error}\"\n"                                     \
    "    return repr(x) if isinstance(x, (type(None), bool, int, float, str, bytes)) else type(x).__name__"

struct asked {
    struct ndp_script *script;
    const struct ndp_graph *graph;
    struct ways ways;
    const char *text;
    bool has_tell;
};

static void ask(struct asked *asked, const char *name, const char *expression) {
    struct ndp_script *script = asked->script;
    const char *key = ndp_script_text(script, "%s: ", ndp_script_string(script, ndp_bytes_view(name)));
    if (strstr(asked->text, key) != NULL) return;
    asked->text = ndp_script_text(script, "%s%s%s%s", asked->text, asked->text[0] != '\0' ? ", " : "", key, expression);
}

/* Asks for a value in words, or for the exception that stands in its place. */
static void ask_told(struct asked *asked, const char *name, const char *expression) {
    if (!asked->has_tell) ndp_script_define(asked->script, TELL);
    asked->has_tell = true;
    ask(asked, name, ndp_script_text(asked->script, "tell(lambda: %s)", expression));
}

static const char *way_to(struct asked *asked, unsigned long node) {
    if (node < asked->graph->count && asked->ways.first[node] != NULL) return asked->ways.first[node];
    ndp_script_refuse(asked->script, "no way leads to the object that differs");
    return "x";
}

/* Whether what the class promises is there, of the object and of a part and a copy of it. */
static void ask_whole(struct asked *asked, const char *path, unsigned long number) {
    struct ndp_script *script = asked->script;
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    const struct ndp_node *node = &asked->graph->nodes[number];
    if (node->kind == NDP_NODE_ARRAY) (void)ndp_class_find(node->array.class_name, &class);
    const char *promised = ndp_class_promised(class);
    const char *way = way_to(asked, number);
    const char *part = ndp_script_text(script, "%s[(slice(0, 1),) * %s.ndim + (...,)]", way, way);
    if (class == NDP_CLASS_MASKED || class == NDP_CLASS_QUANTITY) {
        const char *own = class == NDP_CLASS_MASKED ? "hardmask" : "unit";
        ask_told(asked, path, ndp_script_text(script, "%s.%s and %s.copy().size", way, own, part));
    } else if (promised[0] == '\0') {
        ask_told(asked, path, ndp_script_text(script, "%s.copy().size", part));
    } else {
        ask_told(asked, path,
                 ndp_script_text(script, "len([o.%s for o in (%s, %s, %s.copy())])", promised, way, part, part));
    }
}

/* Another way to the same object still leads to it; two objects do not become one. */
static void ask_identity(struct asked *asked, const char *path, unsigned long number, bool is_merged) {
    struct ndp_script *script = asked->script;
    const char *second = asked->ways.second[number];
    if (!is_merged) {
        if (second == NULL) ndp_script_refuse(script, "one way alone leads to the object");
        ask(asked, path, ndp_script_text(script, "%s is %s", way_to(asked, number), second != NULL ? second : ""));
        return;
    }
    const char *all = "";
    for (uint32_t i = 0; i < asked->graph->count; i++) {
        if (asked->ways.first[i] == NULL || !ndp_node_has_identity(asked->graph->nodes[i].kind)) continue;
        all = ndp_script_text(script, "%s%s, ", all, asked->ways.first[i]);
    }
    ask(asked, path, ndp_script_text(script, "len(set(map(id, (%s))))", all));
}

static void ask_aliasing(struct asked *asked, const char *path, unsigned long first, unsigned long second) {
    const char *a = way_to(asked, first), *b = way_to(asked, second);
    ask(asked, path,
        ndp_script_text(asked->script,
                        "np.shares_memory(%s, %s) and %s.__array_interface__[\"data\"][0] - "
                        "%s.__array_interface__[\"data\"][0]",
                        a, b, b, a));
}

static void ask_results(struct asked *asked, const char *path, unsigned long number) {
    enum ndp_node_kind kind = asked->graph->nodes[number].kind;
    bool takes_arrays = kind == NDP_NODE_VECTORIZE || kind == NDP_NODE_FROMPYFUNC;
    ask_told(
        asked, path,
        ndp_script_text(asked->script, "repr(%s(%s))", way_to(asked, number), takes_arrays ? "np.array([2, 3])" : "2"));
}

/* The edge that a path names: "items[2]", "attributes.note". Gives its index; edge_count when there is none. */
static uint32_t find_edge(const struct ndp_node *node, const char *word) {
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        const char *role = ndp_edge_word(edge->role);
        size_t length = strlen(role);
        if (strncmp(word, role, length) != 0) continue;
        if (ndp_edge_is_named(edge->role)) {
            if (word[length] == '.' && ndp_bytes_is_equal(edge->name, ndp_bytes_view(word + length + 1))) return i;
        } else if (word[length] == '[') {
            unsigned long ordinal = strtoul(word + length + 1, NULL, 10);
            if (ndp_node_edge(node, edge->role, (uint32_t)ordinal) == edge) return i;
        }
    }
    return node->edge_count;
}

/* What a node is by itself. */
static void ask_own(struct asked *asked, const char *path, unsigned long number, const char *word) {
    static const char *const members[][2] = {
        {"hard_mask", "hardmask"}, {"fill_value", "fill_value"}, {"otypes", "otypes"}, {"signature", "signature"},
        {"excluded", "excluded"},  {"name", "__name__"},         {"shape", "shape"},   {"order", "flags.fnc"},
    };
    const char *way = way_to(asked, number);
    if (strncmp(word, "attributes.", 11) == 0) {
        ask_told(asked, path, ndp_script_text(asked->script, "%s.%s", way, word + 11));
        return;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(members); i++) {
        if (strcmp(word, members[i][0]) != 0) continue;
        ask_told(asked, path, ndp_script_text(asked->script, "repr(%s.%s)", way, members[i][1]));
        return;
    }
    if (strcmp(word, "code") == 0) {
        ask_results(asked, path, number);
    } else {
        ask_told(asked, path, way);
    }
}

/* An array among other objects, whatever its byte order. */
static void ask_array(struct asked *asked, unsigned long number) {
    const char *way = way_to(asked, number);
    const char *little = ndp_script_text(asked->script, "%s.dtype.newbyteorder(\"<\")", way);
    ask(asked, ndp_script_text(asked->script, "nodes[%lu]", number),
        ndp_script_text(asked->script, "(type(%s).__name__, %s.shape, %s.str, %s.astype(%s).tobytes())", way, way,
                        little, way, little));
}

static void ask_node(struct asked *asked, const struct ndp_difference *difference, unsigned long number,
                     const char *rest) {
    const struct ndp_node *node = &asked->graph->nodes[number];
    const char *path = difference->path;
    bool is_merged = strcmp(difference->got, "one object") == 0;
    bool is_split = strcmp(difference->got, "two objects") == 0;
    if (strncmp(rest, " and nodes[", 11) == 0) {
        ask_aliasing(asked, path, number, strtoul(rest + 11, NULL, 10));
    } else if (strncmp(rest, ": ", 2) == 0) {
        ask_array(asked, number);
    } else if (is_merged || is_split) {
        ask_identity(asked, path, number, is_merged);
    } else if (rest[0] == '\0') {
        ask_told(asked, path, way_to(asked, number));
    } else if (strcmp(rest, ".whole") == 0) {
        ask_whole(asked, path, number);
    } else if (strncmp(rest, ".results[", 9) == 0) {
        ask_results(asked, path, number);
    } else {
        uint32_t edge = find_edge(node, rest + 1);
        if (edge == node->edge_count) {
            ask_own(asked, path, number, rest + 1);
        } else {
            ask_told(asked, path, follow(asked->script, way_to(asked, number), node, edge));
        }
    }
}

static void ask_path(struct asked *asked, const struct ndp_difference *difference) {
    char *end = NULL;
    unsigned long number = asked->graph->count;
    if (strncmp(difference->path, "nodes[", 6) == 0) number = strtoul(difference->path + 6, &end, 10);
    if (number >= asked->graph->count || *end != ']') {
        ndp_script_refuse(asked->script, "no script knows how to ask for this difference");
        return;
    }
    ask_node(asked, difference, number, end + 1);
}

void ndp_script_look_at_graph(struct ndp_script *script, const struct ndp_graph *graph) {
    struct asked *asked = NDP_ARENA_NEW(script->arena, struct asked);
    if (asked == NULL) {
        if (script->status == NDP_OK) script->status = NDP_NOMEM;
        return;
    }
    asked->script = script;
    asked->graph = graph;
    asked->text = "";
    find_ways(script, graph, &asked->ways);
    const struct ndp_comparison *comparison = &script->about->divergence->judgement.comparison;
    for (uint32_t i = 0; i < comparison->count; i++) ask_path(asked, &comparison->list[i]);
    ndp_script_define(script, ndp_script_text(script, "def look(x): return {%s}", asked->text));
}
