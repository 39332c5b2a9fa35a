/* pickle_graph.h: between the objects of a pickle (codec/pickle/object.h) and graphs (model/graph.h), both ways.
 *
 * A graph that is read is live (target/plugin_graph.h): arrays have a model and memory of their own, and an edge to
 * NDP_GRAPH_NOWHERE is an attribute that the class promises and that unpickling leaves unset. Nothing is executed: a
 * class is known by its name, and what it does when it is unpickled by its definition (pickle_class.c). Every
 * other object (a function, a set, a scalar of NumPy, an instance of another class) is UNSUPPORTED; the error names the
 * global that the pickle looks up or calls for it. The maker creates one object for each node before it fills any, so
 * that cycles need no special case.
 * Source: NumPy 1.19 to 2.4: multiarray/methods.c, ma/core.py; CPython's Lib/pickle.py.
 */
#ifndef NDP_PICKLE_GRAPH_H
#define NDP_PICKLE_GRAPH_H

#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "model/graph.h"

/* Gives the graph of `root`; all memory is of the arena of `objects`, which may be cleared. Errors: INVALID (what the
 * classes would refuse), UNSUPPORTED (other objects; more nodes, edges or digits than a graph has), NOMEM; with the
 * offset of the object. */
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
};

/* Gives the objects of a live graph (borrowed while they are used) as pickling it gives them. Errors: UNSUPPORTED
 * (functions and everything else that a class of arrays or a container is not), LIMIT, NOMEM. */
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
