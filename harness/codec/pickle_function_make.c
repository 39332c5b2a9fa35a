/* pickle_function_make.c: what can be called, as pickle writes it: by the name that a module has for it. */
#include "codec/pickle_function.h"
#include "codec/pickle_graph_maker.h"

enum ndp_status ndp_pickle_function_make(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    const struct ndp_named_function *named =
        node->kind == NDP_NODE_FUNCTION && node->is_importable ? ndp_function_named(node->name, node->code) : NULL;
    if (named == NULL)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a function that no module has under its name");
    *out = ndp_graph_maker_global(m, ndp_function_module, named->name);
    return *out != NULL ? NDP_OK : ndp_graph_maker_fail(m, NDP_NOMEM, number, "no memory");
}

/* A name has nothing to be filled. */
enum ndp_status ndp_pickle_function_fill(struct ndp_graph_maker *m, uint32_t number) {
    (void)m;
    (void)number;
    return NDP_OK;
}
