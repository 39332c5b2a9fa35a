/* pickle_graph.h: converts between the objects of a pickle (codec/pickle/object.h) and graphs (model/graph/graph.h).
 *
 * The reader returns a live graph (target/plugin_graph.h): arrays have a model and their own memory, and an edge to
 * NDP_GRAPH_UNSET is a promised attribute that unpickling leaves unset. Nothing is executed: a class is identified
 * by its name and behaves as its definition says (pickle_class.c). Every other object (a function, a set, a scalar of
 * NumPy, an instance of another class) is UNSUPPORTED; the error names the global that the pickle looks up or calls for
 * it. The maker creates one object per node before it fills any, so that cycles need no special case. Source: NumPy
 * 1.19 to 2.4: multiarray/methods.c, ma/core.py; CPython's Lib/pickle.py.
 */
#ifndef NDP_PICKLE_GRAPH_H
#define NDP_PICKLE_GRAPH_H

#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "model/graph/graph.h"

/* Reads the graph of `root` into the arena of `objects`; `objects` may be cleared afterwards. Errors: INVALID (refused
 * by the classes), UNSUPPORTED (other objects; more nodes, edges or digits than a graph allows), NOMEM, with the offset
 * of the object. */
enum ndp_status ndp_pickle_graph_read(struct ndp_objects *objects, const struct ndp_object *root, struct ndp_graph *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* A completely mapped file, in which joblib's wrapped arrays may stay. */
struct ndp_graph_map {
    uint8_t *data;
    uint64_t size_bytes;
    enum ndp_map_mode mode;
};

/* The same for `objects` that were read from such a map, which outlives the graph: arrays whose wrapper allows it
 * become maps of the file, as joblib.load returns them with mmap_mode. */
enum ndp_status ndp_pickle_graph_read_mapped(struct ndp_objects *objects, const struct ndp_object *root,
                                             const struct ndp_graph_map *map, struct ndp_graph *out,
                                             struct ndp_error *error) NDP_MUST_USE;

/* How to pickle a graph. */
struct ndp_graph_form {
    uint32_t protocol;
    enum ndp_numpy_release release;
};

/* Makes the objects of a live graph (borrowed during use). Errors: UNSUPPORTED (functions and all nodes except array
 * classes, containers and scalars), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_graph_make(struct ndp_pickle_maker *maker, const struct ndp_graph *graph,
                                      const struct ndp_graph_form *form, struct ndp_object **out) NDP_MUST_USE;

/* Decode a pickle to a graph and encode it. The decoder ignores bytes after the pickle. Errors: as above,
 * ndp_pickle_read and ndp_pickle_write. */
enum ndp_status ndp_pickle_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                        struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_pickle_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
