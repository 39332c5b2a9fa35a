/* pickle_graph.h: between the objects of a pickle (codec/pickle/object.h) and graphs (model/graph.h), both ways.
 *
 * A graph that is read is live (target/plugin_graph.h): arrays have a model and memory of their own, and an edge to
 * NDP_PICKLE_NOWHERE is an attribute that the class promises and that unpickling leaves unset. Nothing is executed: a
 * class is known by its name, and what it does when it is unpickled by its definition (pickle_class.c). What a graph
 * has no words for is kept as a pickle of its own where its type is sure (pickle_other.h), else it is UNSUPPORTED. A
 * graph that is made has one object for each node from the start, filled afterwards, so that cycles are no matter.
 * Source: NumPy 1.19 to 2.4: multiarray/methods.c, ma/core.py; CPython's Lib/pickle.py.
 */
#ifndef NDP_PICKLE_GRAPH_H
#define NDP_PICKLE_GRAPH_H

#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_function_notes.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "model/graph.h"

#define NDP_PICKLE_NOWHERE UINT32_MAX

/* Gives the graph of `root`; all memory is of the arena of `objects`, which may be cleared. Errors: INVALID (what the
 * classes would refuse), LIMIT (nodes, edges, digits), UNSUPPORTED (what has no words), NOMEM; with the offset
 * of the object. */
enum ndp_status ndp_pickle_graph_read(struct ndp_objects *objects, const struct ndp_object *root, struct ndp_graph *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* A file that is mapped as a whole: arrays that joblib wraps may stay in it. */
struct ndp_graph_map {
    uint8_t *data;
    uint64_t size_bytes;
    enum ndp_map_mode mode;
};

/* The same where `objects` were read out of such a map, which outlives the graph: arrays whose wrapper allows it are
 * maps of the file, as joblib.load gives them with a mode. */
enum ndp_status ndp_pickle_graph_read_mapped(struct ndp_objects *objects, const struct ndp_object *root,
                                             const struct ndp_graph_map *map, struct ndp_graph *out,
                                             struct ndp_error *error) NDP_MUST_USE;

/* How a graph is to be pickled. */
struct ndp_graph_form {
    uint32_t protocol;
    enum ndp_numpy_release release;
    enum ndp_function_form library; /* whose pickle it is: OTHER is pickle itself */
};

/* Gives the objects of a live graph (borrowed while they are used) as pickling it gives them. Errors: UNSUPPORTED
 * (functions that no module has and whose body is not there or not for this library, what is OTHER), LIMIT, NOMEM. */
enum ndp_status ndp_pickle_graph_make(struct ndp_pickle_maker *maker, const struct ndp_graph *graph,
                                      const struct ndp_graph_form *form, struct ndp_object **out) NDP_MUST_USE;

/* The whole way from a pickle, and to one; bytes behind it are somebody else's. Errors: as above, ndp_pickle_read and
 * ndp_pickle_write. */
enum ndp_status ndp_pickle_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                        struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_pickle_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) NDP_MUST_USE;

#endif
