/* script_graph.c: a graph of objects as Python: first what can be made from nothing, then what needs others, then the
 * contents. Classes and functions that a pickle names are in a module of their own, so that another process finds them.
 */
#include <stdio.h>
#include <string.h>

#include "model/array_class.h"
#include "report/script_parts.h"

#define GETATTR                                                                                                        \
    "class finalize_getattr(np.ndarray):\n"                                                                            \
    "    def __array_finalize__(self, other):\n"                                                                       \
    "        if isinstance(other, type(self)): self.__dict__.update(other.__dict__)\n"                                 \
    "        self.__dict__.setdefault(\"extra\", None)\n"
#define REBUILD "def rebuild(kind, array, own): made = array.view(kind); made.__dict__.update(own); return made\n"

/* The pieces that a class is made of. */
static const struct class_row {
    enum ndp_array_class class;
    const char *pieces[3];
} classes[] = {
    {NDP_CLASS_PLAIN, {"class plain(np.ndarray): pass\n"}},
    {NDP_CLASS_FINALIZE_NONE,
     {"class finalize_none(np.ndarray):\n"
      "    def __array_finalize__(self, other):\n"
      "        if other is None: return\n"
      "        if isinstance(other, type(self)): self.__dict__.update(other.__dict__)\n"
      "        self.__dict__.setdefault(\"extra\", None)\n"}},
    {NDP_CLASS_FINALIZE_GETATTR, {GETATTR}},
    {NDP_CLASS_REDUCE_SETSTATE,
     {GETATTR, "class reduce_setstate(finalize_getattr):\n"
               "    def __reduce__(self): f, a, s = super().__reduce__(); return f, a, s + (self.__dict__,)\n"
               "    def __setstate__(self, s): self.__dict__.update(s[-1]); super().__setstate__(s[:-1])\n"}},
    {NDP_CLASS_REDUCE_PAIR,
     {GETATTR, "class reduce_pair(finalize_getattr):\n"
               "    def __reduce__(self): f, a, s = super().__reduce__(); return f, a, (s, self.__dict__)\n"
               "    def __setstate__(self, s): super().__setstate__(s[0]); self.__dict__.update(s[1])\n"}},
    {NDP_CLASS_REDUCE_ONLY,
     {GETATTR, REBUILD,
      "class reduce_only(finalize_getattr):\n"
      "    def __reduce__(self): return rebuild, (type(self), np.asarray(self), self.__dict__)\n"}},
    {NDP_CLASS_REDUCE_EX,
     {GETATTR, REBUILD,
      "class reduce_ex(finalize_getattr):\n"
      "    def __reduce_ex__(self, protocol): return rebuild, (type(self), np.asarray(self), self.__dict__)\n"}},
    {NDP_CLASS_SLOTS,
     {"class slots(np.ndarray):\n"
      "    __slots__ = (\"extra\", \"note\", \"unit\")\n"
      "    def __array_finalize__(self, other):\n"
      "        for n in self.__slots__:\n"
      "            if hasattr(other, n): setattr(self, n, getattr(other, n))\n"}},
    {NDP_CLASS_PROXY,
     {"def rebuild_proxy(kind, wrapped): return wrapped.view(kind)\n"
      "class Wrapping:\n"
      "    def __reduce__(self): return rebuild_proxy, (type(self), self.wrapped)\n"
      "class proxy(np.ndarray, Wrapping):\n"
      "    def __array_finalize__(self, other):\n"
      "        if other is not None: self.wrapped = getattr(other, \"wrapped\", other)\n"}},
};

#define DECORATED                                                                                                      \
    "def hidden(x): return x\nhidden.__name__ = hidden.__qualname__ = \"decorated\"\n"                                 \
    "@functools.wraps(hidden)\ndef decorated(x): return hidden(x)\n"

/* Functions of a module that can be imported: by code and name. */
static const struct function_row {
    enum ndp_code code;
    const char *name;
    const char *text;
    const char *found; /* under this name in the module */
} functions[] = {
    {NDP_CODE_CONST, "const", "def const(x): return 0\n", "const"},
    {NDP_CODE_ADD, "add", "def add(x): return x\n", "add"},
    {NDP_CODE_IDENTITY, "identity", "def identity(x): return x\n", "identity"},
    {NDP_CODE_CALL, "decorated", DECORATED, "decorated"},
    {NDP_CODE_IDENTITY, "decorated", DECORATED, "hidden"},
};

#define SCOPE "{\"__name__\": \"dynamic\", \"__builtins__\": builtins}"
#define FUNC                                                                                                           \
    "def func(name, source, scope, cells):\n"                                                                          \
    "    exec(source, t := {}); code = t[\"make\"](*[None] * len(cells)).__code__.replace(co_name=name)\n"             \
    "    f = types.FunctionType(code, scope, name, None, tuple(cells) or None)\n"                                      \
    "    f.__qualname__ = \"make.<locals>.\" + name; return f"

static const char *var(struct ndp_script *script, uint32_t number) {
    return ndp_script_text(script, "n%u", (unsigned)number);
}

static const struct function_row *function_of(const struct ndp_node *node) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(functions); i++) {
        bool is_named = ndp_bytes_is_equal(node->name, ndp_bytes_view(functions[i].name));
        if (functions[i].code == node->code && is_named) return &functions[i];
    }
    return NULL;
}

static enum ndp_array_class class_of(const struct ndp_node *node) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    (void)ndp_class_find(node->array.class_name, &class);
    return class;
}

/* Adds a piece to the module's text, once. */
static const char *with_piece(struct ndp_script *script, const char *text, const char *piece) {
    if (piece == NULL || strstr(text, piece) != NULL) return text;
    return ndp_script_text(script, "%s%s", text, piece);
}

static const char *module_text(struct ndp_script *script, const struct ndp_graph *graph) {
    const char *text = "";
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        for (size_t k = 0; node->kind == NDP_NODE_ARRAY && k < NDP_ARRAY_LEN(classes); k++) {
            if (classes[k].class != class_of(node)) continue;
            for (size_t p = 0; p < NDP_ARRAY_LEN(classes[k].pieces); p++)
                text = with_piece(script, text, classes[k].pieces[p]);
        }
        if (node->kind != NDP_NODE_FUNCTION || !node->is_importable) continue;
        const struct function_row *row = function_of(node);
        if (row == NULL) ndp_script_refuse(script, "no script knows this importable function");
        if (row != NULL) text = with_piece(script, text, row->text);
    }
    return text;
}

static void write_module(struct ndp_script *script, const char *text) {
    if (text[0] == '\0') return;
    ndp_script_define(script, ndp_script_text(script, "KIT = '''import functools, numpy as np\n%s'''", text));
    ndp_script_do(script, "with open(\"kit.py\", \"w\") as f: f.write(KIT)\n"
                          "sys.path.insert(0, home.name); os.environ[\"PYTHONPATH\"] = home.name; import kit");
    /* What C wrote names the modules of the classes and functions that it knows. */
    if (strcmp(script->about->encoder->language, "C") == 0)
        ndp_script_do(script,
                      "for n in (\"\", \".graph_classes\", \".graph_functions\"): sys.modules[\"numpy_testee\" + n] = "
                      "kit");
}

/* The variables of all edges of a role, with commas. */
static const char *vars(struct ndp_script *script, const struct ndp_node *node, enum ndp_edge_role role) {
    const char *text = "";
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role == role) text = ndp_script_text(script, "%s%s, ", text, var(script, node->edges[i].to));
    }
    return text;
}

static const char *named_vars(struct ndp_script *script, const struct ndp_node *node, enum ndp_edge_role role) {
    const char *text = "";
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role != role) continue;
        text = ndp_script_text(script, "%s%s: %s, ", text, ndp_script_string(script, node->edges[i].name),
                               var(script, node->edges[i].to));
    }
    return text;
}

static const char *only(struct ndp_script *script, const struct ndp_node *node, enum ndp_edge_role role) {
    const struct ndp_edge *edge = ndp_node_edge(node, role, 0);
    return edge != NULL ? var(script, edge->to) : "None";
}

/* "c0, c1" */
static const char *list(struct ndp_script *script, char letter, uint32_t count) {
    const char *text = "";
    for (uint32_t i = 0; i < count; i++)
        text = ndp_script_text(script, "%s%s%c%u", text, i > 0 ? ", " : "", letter, (unsigned)i);
    return text;
}

/* " + c1 + c2", from number `first` on */
static const char *sum(struct ndp_script *script, char letter, uint32_t first, uint32_t count) {
    const char *text = "";
    for (uint32_t i = first; i < count; i++) text = ndp_script_text(script, "%s + %c%u", text, letter, (unsigned)i);
    return text;
}

/* The body of a code template; `all` is what is added to the argument. */
static const char *body_of(struct ndp_script *script, const struct ndp_node *node, const char *all) {
    uint32_t cells = ndp_node_edges(node, NDP_EDGE_CELL);
    switch (node->code) {
    case NDP_CODE_CONST:
        return ndp_script_text(script, "return 0%s", sum(script, 'c', 0, cells));
    case NDP_CODE_ADD:
        return ndp_script_text(script, "return x%s", all);
    case NDP_CODE_COUNTER:
        return "nonlocal c0; c0 = c0 + 1; return c0";
    case NDP_CODE_RECURSE:
        return ndp_script_text(script, "return x if x <= 0 else c0(x - 1) + 1%s", sum(script, 'c', 1, cells));
    case NDP_CODE_MUTUAL:
        return "return x if x <= 0 else 2 * c0(x - 1) + 1";
    case NDP_CODE_LATE:
        return "return x + late";
    case NDP_CODE_DEEP:
        return "return (lambda: x + late)()";
    case NDP_CODE_CALL:
        return "return c0(x)";
    case NDP_CODE_NESTED:
        return ndp_script_text(script, "return (lambda: x%s)()", sum(script, 'c', 0, cells));
    case NDP_CODE_IDENTITY:
    case NDP_CODE_COUNT:
        break;
    }
    return "return x";
}

static const char *function_word(struct ndp_script *script, const struct ndp_node *node) {
    if (node->is_importable) {
        const struct function_row *row = function_of(node);
        return ndp_script_text(script, "kit.%s", row != NULL ? row->found : "");
    }
    uint32_t cells = ndp_node_edges(node, NDP_EDGE_CELL), defaults = ndp_node_edges(node, NDP_EDGE_DEFAULT);
    const char *free = list(script, 'c', cells);
    const char *given = defaults > 0 ? ndp_script_text(script, ", %s", list(script, 'd', defaults)) : "";
    const char *all = ndp_script_text(script, "%s%s", sum(script, 'c', 0, cells), sum(script, 'd', 0, defaults));
    bool has_star = false;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role != NDP_EDGE_KWDEFAULT) continue;
        struct ndp_bytes name = node->edges[i].name;
        all = ndp_script_text(script, "%s + %.*s", all, (int)name.size_bytes, (const char *)name.data);
        given = ndp_script_text(script, "%s%s, %.*s", given, has_star ? "" : ", *", (int)name.size_bytes,
                                (const char *)name.data);
        has_star = true;
    }
    bool has_scope = ndp_node_edge(node, NDP_EDGE_GLOBALS, 0) != NULL;
    return ndp_script_text(
        script, "func(%s, \"def make(%s):\\n def made(x%s):\\n  %s\\n  if 0: %s\\n return made\", %s, [%s])",
        ndp_script_string(script, node->name), free, given, body_of(script, node, all), cells > 0 ? free : "0",
        has_scope ? only(script, node, NDP_EDGE_GLOBALS) : SCOPE, vars(script, node, NDP_EDGE_CELL));
}

static const char *vectorize_word(struct ndp_script *script, const struct ndp_node *node) {
    const char *text = ndp_script_text(script, "np.vectorize(%s", only(script, node, NDP_EDGE_FUNCTION));
    if (node->has_otypes)
        text = ndp_script_text(script, "%s, otypes=%s", text, ndp_script_string(script, node->otypes));
    if (node->has_signature)
        text = ndp_script_text(script, "%s, signature=%s", text, ndp_script_string(script, node->signature));
    for (uint32_t i = 0; i < node->excluded_count; i++)
        text = ndp_script_text(script, "%s%s%u%s", text, i == 0 ? ", excluded={" : ", ", (unsigned)node->excluded[i],
                               i + 1 == node->excluded_count ? "}" : "");
    return ndp_script_text(script, "%s)", text);
}

static const char *view_word(struct ndp_script *script, const struct ndp_graph *graph, const struct ndp_node *node,
                             const char *name) {
    const struct ndp_edge *edge = ndp_node_edge(node, NDP_EDGE_OF, 0);
    const struct ndp_node *of = edge != NULL ? &graph->nodes[edge->to] : node;
    enum ndp_array_class class = class_of(of);
    bool is_plain = of->kind == NDP_NODE_VIEW || class == NDP_CLASS_NDARRAY || class == NDP_CLASS_MEMMAP;
    const char *expression =
        ndp_script_text(script, is_plain ? "%s.view()" : "%s.view(np.ndarray)", only(script, node, NDP_EDGE_OF));
    return ndp_script_views(script, &node->array, expression, name);
}

static const char *masked_word(struct ndp_script *script, const struct ndp_node *node, const char *plain) {
    bool has_mask = ndp_node_edge(node, NDP_EDGE_MASK, 0) != NULL;
    const char *fill = "";
    if (node->fill_value.size_bytes > 0)
        fill = ndp_script_text(script, ", fill_value=np.frombuffer(%s, t.dtype.newbyteorder(\"<\"))[0]",
                               ndp_script_bytes(script, node->fill_value));
    ndp_script_do(script, ndp_script_text(script, "t = %s", plain));
    return ndp_script_text(script, "np.ma.MaskedArray(t, %s, copy=False, keep_mask=False%s)",
                           has_mask ? only(script, node, NDP_EDGE_MASK) : "np.ma.nomask", fill);
}

static const char *array_word(struct ndp_script *script, const struct ndp_node *node, const char *name) {
    enum ndp_array_class class = class_of(node);
    const char *plain = ndp_script_plain(script, &node->array, name);
    if (class == NDP_CLASS_NDARRAY || class == NDP_CLASS_MEMMAP) return plain;
    if (class == NDP_CLASS_MASKED) return masked_word(script, node, plain);
    if (class == NDP_CLASS_QUANTITY) {
        return ndp_script_text(script, "astropy.units.Quantity(%s, %s, copy=False, subok=True)", plain,
                               only(script, node, NDP_EDGE_ATTRIBUTE));
    }
    bool is_numpys = class == NDP_CLASS_MATRIX || class == NDP_CLASS_RECARRAY;
    return ndp_script_text(script, "%s.view(%s.%s)", plain, is_numpys ? "np" : "kit", ndp_class_word(class));
}

/* What makes the node, from nodes that are there. */
static const char *node_word(struct ndp_script *script, const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_node *node = &graph->nodes[number];
    const char *name = var(script, number);
    switch (node->kind) {
    case NDP_NODE_NONE:
    case NDP_NODE_OTHER:
    case NDP_NODE_COUNT:
        break;
    case NDP_NODE_BOOL:
        return node->truth ? "True" : "False";
    case NDP_NODE_INT:
        return ndp_script_text(script, "%.*s", (int)node->text.size_bytes, (const char *)node->text.data);
    case NDP_NODE_FLOAT:
        return ndp_script_text(script, "struct.unpack(\">d\", %s)[0]", ndp_script_bytes(script, node->text));
    case NDP_NODE_TEXT:
        return ndp_script_string(script, node->text);
    case NDP_NODE_BYTES:
        return ndp_script_bytes(script, node->text);
    case NDP_NODE_TUPLE:
        return ndp_script_text(script, "(%s)", vars(script, node, NDP_EDGE_ITEM));
    case NDP_NODE_LIST:
        return "[]";
    case NDP_NODE_DICT:
        return "{}";
    case NDP_NODE_ARRAY:
        return array_word(script, node, name);
    case NDP_NODE_VIEW:
        return view_word(script, graph, node, name);
    case NDP_NODE_OBJECTS:
        return ndp_script_text(script, "np.empty(%s, object%s)", ndp_script_tuple(script, node->shape, node->ndim),
                               ndp_node_is_fortran(node) ? ", order=\"F\"" : "");
    case NDP_NODE_FUNCTION:
        return function_word(script, node);
    case NDP_NODE_CELL:
        return "types.CellType()";
    case NDP_NODE_GLOBALS:
        return SCOPE;
    case NDP_NODE_METHOD:
        return ndp_script_text(script, "types.MethodType(%s, %s)", only(script, node, NDP_EDGE_FUNCTION),
                               only(script, node, NDP_EDGE_SELF));
    case NDP_NODE_PARTIAL:
        return ndp_script_text(script, "functools.partial(%s, %s**{%s})", only(script, node, NDP_EDGE_FUNCTION),
                               vars(script, node, NDP_EDGE_ARGUMENT), named_vars(script, node, NDP_EDGE_KEYWORD));
    case NDP_NODE_VECTORIZE:
        return vectorize_word(script, node);
    case NDP_NODE_FROMPYFUNC:
        return ndp_script_text(script, "np.frompyfunc(%s, 1, 1)", only(script, node, NDP_EDGE_FUNCTION));
    }
    return "None";
}

/* Whether a node cannot be made before the one that the edge leads to. */
static bool is_needed_first(const struct ndp_node *node, const struct ndp_edge *edge) {
    switch (edge->role) {
    case NDP_EDGE_ITEM:
        return node->kind == NDP_NODE_TUPLE;
    case NDP_EDGE_OF:
    case NDP_EDGE_FUNCTION:
    case NDP_EDGE_SELF:
    case NDP_EDGE_ARGUMENT:
    case NDP_EDGE_KEYWORD:
    case NDP_EDGE_CELL:
    case NDP_EDGE_MASK:
    case NDP_EDGE_GLOBALS:
        return true;
    case NDP_EDGE_ATTRIBUTE:
        return node->kind == NDP_NODE_ARRAY && class_of(node) == NDP_CLASS_QUANTITY;
    case NDP_EDGE_KEY:
    case NDP_EDGE_VALUE:
    case NDP_EDGE_CONTENT:
    case NDP_EDGE_DEFAULT:
    case NDP_EDGE_KWDEFAULT:
    case NDP_EDGE_ENTRY:
    case NDP_EDGE_COUNT:
        break;
    }
    return false;
}

static bool is_ready(const struct ndp_node *node, const bool *is_made) {
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (is_needed_first(node, &node->edges[i]) && !is_made[node->edges[i].to]) return false;
    }
    return true;
}

/* Makes all nodes, each after those that it needs: as many rounds as the longest chain. */
static void make_nodes(struct ndp_script *script, const struct ndp_graph *graph) {
    bool is_made[NDP_MAX_NODES] = {false};
    for (uint32_t made = 0, before = UINT32_MAX; made < graph->count && made != before;) {
        before = made;
        for (uint32_t i = 0; i < graph->count; i++) {
            if (is_made[i] || !is_ready(&graph->nodes[i], is_made)) continue;
            const char *word = node_word(script, graph, i);
            if (strcmp(word, var(script, i)) != 0)
                ndp_script_do(script, ndp_script_text(script, "%s = %s", var(script, i), word));
            is_made[i] = true;
            made++;
        }
    }
}

static const char *pairs(struct ndp_script *script, const struct ndp_node *node) {
    const char *text = "";
    for (uint32_t i = 0; i < ndp_node_edges(node, NDP_EDGE_KEY); i++) {
        text = ndp_script_text(script, "%s(%s, %s), ", text, var(script, ndp_node_edge(node, NDP_EDGE_KEY, i)->to),
                               var(script, ndp_node_edge(node, NDP_EDGE_VALUE, i)->to));
    }
    return text;
}

static void fill_attributes(struct ndp_script *script, const struct ndp_node *node, const char *name) {
    bool is_built_in = node->kind == NDP_NODE_ARRAY && class_of(node) == NDP_CLASS_QUANTITY;
    for (uint32_t i = 0; i < node->edge_count && !is_built_in; i++) {
        if (node->edges[i].role != NDP_EDGE_ATTRIBUTE) continue;
        const char *key = ndp_script_string(script, node->edges[i].name);
        const char *value = var(script, node->edges[i].to);
        ndp_script_do(script, ndp_script_text(script, "setattr(%s, %s, %s)", name, key, value));
    }
}

static void fill_function(struct ndp_script *script, const struct ndp_node *node, const char *name) {
    const char *defaults = vars(script, node, NDP_EDGE_DEFAULT);
    const char *keywords = named_vars(script, node, NDP_EDGE_KWDEFAULT);
    if (defaults[0] != '\0') ndp_script_do(script, ndp_script_text(script, "%s.__defaults__ = (%s)", name, defaults));
    if (keywords[0] != '\0') ndp_script_do(script, ndp_script_text(script, "%s.__kwdefaults__ = {%s}", name, keywords));
}

/* What a node holds, once all nodes are there. */
static void fill_node(struct ndp_script *script, const struct ndp_node *node, const char *name) {
    if (node->kind == NDP_NODE_FUNCTION && node->is_importable) return;
    const char *items = vars(script, node, NDP_EDGE_ITEM);
    const char *text = "";
    if (node->kind == NDP_NODE_LIST && items[0] != '\0') text = ndp_script_text(script, "%s.extend([%s])", name, items);
    if (node->kind == NDP_NODE_OBJECTS && items[0] != '\0')
        text =
            ndp_node_is_fortran(node)
                ? ndp_script_text(script, "for i, v in zip(np.ndindex(%s.shape), [%s]): %s[i] = v", name, items, name)
                : ndp_script_text(script, "for i, v in enumerate([%s]): %s.reshape(-1)[i] = v", items, name);
    if (node->kind == NDP_NODE_DICT && node->edge_count > 0)
        text = ndp_script_text(script, "%s.update([%s])", name, pairs(script, node));
    if (node->kind == NDP_NODE_CELL && node->edge_count > 0)
        text = ndp_script_text(script, "%s.cell_contents = %s", name, only(script, node, NDP_EDGE_CONTENT));
    if (node->kind == NDP_NODE_GLOBALS && node->edge_count > 0)
        text = ndp_script_text(script, "%s.update({%s})", name, named_vars(script, node, NDP_EDGE_ENTRY));
    ndp_script_do(script, text);
    if (node->kind == NDP_NODE_ARRAY && node->has_hard_mask)
        ndp_script_do(script, ndp_script_text(script, "%s.harden_mask()", name));
    if (node->kind == NDP_NODE_ARRAY && node->array.is_readonly)
        ndp_script_do(script, ndp_script_text(script, "%s.flags.writeable = False", name));
    if (node->kind == NDP_NODE_FUNCTION) fill_function(script, node, name);
    fill_attributes(script, node, name);
}

void ndp_script_build_graph(struct ndp_script *script, const struct ndp_graph *graph) {
    bool has_functions = false;
    for (uint32_t i = 0; i < graph->count; i++)
        has_functions |= graph->nodes[i].kind == NDP_NODE_FUNCTION && !graph->nodes[i].is_importable;
    if (has_functions) ndp_script_define(script, FUNC);
    write_module(script, module_text(script, graph));
    make_nodes(script, graph);
    for (uint32_t i = 0; i < graph->count; i++) fill_node(script, &graph->nodes[i], var(script, i));
    for (uint32_t i = 0; i < graph->count; i++) {
        if (ndp_node_calls(&graph->nodes[i]) > 0)
            ndp_script_do(script, ndp_script_text(script, "with contextlib.suppress(Exception): %s(np.array([2, 3]))",
                                                  var(script, i)));
    }
    ndp_script_do(script, ndp_script_text(script, "a = %s", var(script, graph->root)));
}

void ndp_script_call_graph(struct ndp_script *script, const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        enum ndp_node_kind kind = graph->nodes[i].kind;
        bool takes_arrays = kind == NDP_NODE_VECTORIZE || kind == NDP_NODE_FROMPYFUNC;
        if (!ndp_node_is_callable(kind)) continue;
        ndp_script_do(script, ndp_script_text(script, "with contextlib.suppress(Exception): %s(%s)", var(script, i),
                                              takes_arrays ? "np.array([2, 3])" : "2"));
    }
}
