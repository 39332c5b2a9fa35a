/* plugin_graph.h: for a codec of object graphs: objects that refer to each other (model/graph/graph.h).
 *
 * A plugin that takes graphs sets the member `graph` of struct ndp_plugin. Unlike plugin.h, this header uses structs of
 * ndproof, which are borrowed during the call.
 *
 * Graphs are live here: nodes are those of a recipe with these exceptions.
 * - Every array, also a view, is an ARRAY node with `model`: its dtype, layout, class, flags and memory. Arrays share
 *   memory if and only if their `model.buffer` is the same.
 * - `calls` of a function, vectorize or frompyfunc counts the calls so far.
 * - An edge to NDP_GRAPH_UNSET is an attribute of the class that was never set: using the object raises.
 */
#ifndef NDP_PLUGIN_GRAPH_H
#define NDP_PLUGIN_GRAPH_H

#include "model/graph/graph.h"
#include "target/plugin.h"

struct ndp_plugin_graph {
    const struct ndp_plugin_entry
        *entries; /* as in struct ndp_plugin; an entry in both lists takes arrays and graphs */

    /* Encodes `graph` (borrowed) through `entry` with calls of write(sink, ...). May be NULL when no entry encodes. */
    enum ndp_plugin_result (*encode)(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal);

    /* Fills *out from `bytes`, which stay valid as long as `arena`, so *out may borrow them. All new memory is of
     * `arena`. May be NULL when no entry decodes. */
    enum ndp_plugin_result (*decode)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     struct ndp_arena *arena, struct ndp_graph *out,
                                     struct ndp_plugin_refusal *refusal);

    /* decode for the entry points "mmap:...": reads the file at `path`, and arrays may be maps of it. May be NULL when
     * there are none. A *token that is not NULL goes to `release` after the last use of the graph, before the file is
     * removed. */
    enum ndp_plugin_result (*decode_file)(const struct ndp_plugin_entry *entry, const char *path,
                                          struct ndp_arena *arena, struct ndp_graph *out, void **token,
                                          struct ndp_plugin_refusal *refusal);
    void (*release)(void *token); /* may be NULL when decode_file is */

    /* Whether `entry` takes graphs with functions. May be NULL when every entry does. */
    bool (*takes_functions)(const struct ndp_plugin_entry *entry);

    /* Whether `entry` takes graphs with instances. In C an instance is the record of a call: import path, arguments and
     * keywords; it keeps those keywords that its node names. May be NULL when no entry does. */
    bool (*takes_instances)(const struct ndp_plugin_entry *entry);
};

#endif
