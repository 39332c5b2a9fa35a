/* pickle_function_read.c: what can be called, by the names that a pickle has for it. */
#include "codec/pickle_function.h"
#include "codec/pickle_graph_reader.h"

bool ndp_pickle_is_function(const struct ndp_object *object) {
    return ndp_function_find(object) != NULL;
}

enum ndp_status ndp_pickle_function_read(struct ndp_graph_reader *r, const struct ndp_object *object,
                                         struct ndp_node *node) {
    const struct ndp_named_function *named = ndp_function_find(object);
    (void)r;
    node->kind = NDP_NODE_FUNCTION;
    node->is_importable = true;
    node->code = named->code;
    node->name = ndp_bytes_view(named->name);
    return NDP_OK;
}
