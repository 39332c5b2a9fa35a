/* pickle_graph_maker.h: what the files of the maker of graphs share; nobody else includes it.
 *
 * pickle_graph_make.c makes scalars and containers and fills them; pickle_graph_make_array.c arrays of every class.
 */
#ifndef NDP_PICKLE_GRAPH_MAKER_H
#define NDP_PICKLE_GRAPH_MAKER_H

#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/pickle_graph.h"

struct ndp_graph_maker {
    struct ndp_pickle_maker *pickle;
    const struct ndp_graph *graph;
    uint32_t protocol;
    struct ndp_object **objects;          /* of each node; NULL where it is not made yet */
    struct ndp_object **attributes;       /* DICT that takes the attributes of an array's node; else NULL */
    const struct ndp_joblib_form *joblib; /* wrappers take the place of arrays; NULL is a pickle */
    struct ndp_object **nested;           /* joblib: of each node, in a pickle of its own; made when needed */
    struct ndp_object *masked_shape;      /* (0,), made when needed */
};

/* Sets the error at a node. */
enum ndp_status ndp_graph_maker_fail(const struct ndp_graph_maker *m, enum ndp_status status, uint32_t node,
                                     const char *text);

/* Makes and fills the objects of all nodes. All but the first four members are zero before. */
enum ndp_status ndp_graph_maker_run(struct ndp_graph_maker *m) NDP_MUST_USE;

/* The object of a node, for one edge to it: made, and perhaps not filled yet. NULL only without memory, for arrays of
 * joblib, which are made anew for each edge. */
struct ndp_object *ndp_graph_maker_object(const struct ndp_graph_maker *m, uint32_t node);

/* A text; NULL without memory. */
struct ndp_object *ndp_graph_maker_text(const struct ndp_graph_maker *m, struct ndp_bytes text) NDP_MUST_USE;

/* module.name; NULL without memory. */
struct ndp_object *ndp_graph_maker_global(const struct ndp_graph_maker *m, const char *module,
                                          const char *name) NDP_MUST_USE;

/* Makes the object of an ARRAY node; its attributes, where the class pickles them, go into m->attributes later. */
enum ndp_status ndp_graph_make_array(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) NDP_MUST_USE;

/* Makes the object of an OBJECTS node, whose items are filled later. */
enum ndp_status ndp_graph_make_objects(struct ndp_graph_maker *m, uint32_t number,
                                       struct ndp_object **out) NDP_MUST_USE;

/* joblib (joblib_graph.c): makes the wrapper of an array of one of the classes that have them, or of an OBJECTS node;
 * and one more of the same array, NULL without memory. */
enum ndp_status ndp_graph_make_raw(struct ndp_graph_maker *m, const struct ndp_array *array, const char *class_name,
                                   struct ndp_object **out) NDP_MUST_USE;
enum ndp_status ndp_graph_make_raw_objects(struct ndp_graph_maker *m, uint32_t number,
                                           struct ndp_object **out) NDP_MUST_USE;
struct ndp_object *ndp_graph_raw_again(const struct ndp_graph_maker *m, const struct ndp_object *object) NDP_MUST_USE;

#endif
