/* plugin_graph.h: for a codec of more than arrays: objects that refer to each other (model/graph.h).
 *
 * A plugin that takes graphs points at one of these in its struct ndp_plugin. Here, unlike in plugin.h, ndproof's own
 * structs are met; nothing of them needs to be kept.
 *
 * The graph that is handed over is live: its nodes are those of a recipe, but for these.
 * - An array, view or not, is an ARRAY with `model`: its type, layout, class, flags and memory. Arrays share memory
 * when their `model.buffer` is the same, and only then.
 * - A function, vectorize or frompyfunc tells in `calls` how often it was called.
 * The graph that comes back is live in the same way. An edge to NDP_GRAPH_NOWHERE is an attribute that the class
 * promises and that was never set: using the object raises.
 */
#ifndef NDP_PLUGIN_GRAPH_H
#define NDP_PLUGIN_GRAPH_H

#include "model/graph.h"
#include "target/plugin.h"

struct ndp_plugin_graph {
    const struct ndp_plugin_entry *entries; /* as in struct ndp_plugin; what stands in both takes arrays, too */

    /* Encodes `graph` by `entry`. */
    enum ndp_plugin_result (*encode)(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal);

    /* Fills *out with memory of `arena`; it may borrow `bytes`. */
    enum ndp_plugin_result (*decode)(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     struct ndp_arena *arena, struct ndp_graph *out,
                                     struct ndp_plugin_refusal *refusal);

    /* For entries "mmap:..."; NULL where there are none. The same for the file at `path`, which arrays may stay in;
     * *token, which may be NULL, is handed to `release` when nobody uses the graph any more, before the file goes. */
    enum ndp_plugin_result (*decode_file)(const struct ndp_plugin_entry *entry, const char *path,
                                          struct ndp_arena *arena, struct ndp_graph *out, void **token,
                                          struct ndp_plugin_refusal *refusal);
    void (*release)(void *token);
};

#endif
