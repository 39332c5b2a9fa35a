/* pickle_graph_maker.h: internals shared by the files of the graph maker. pickle_graph_make.c makes and fills scalars
 * and containers; pickle_graph_make_array.c makes arrays of every class. */
#ifndef NDP_PICKLE_GRAPH_MAKER_H
#define NDP_PICKLE_GRAPH_MAKER_H

#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/pickle_graph.h"

struct ndp_pickle_graph_maker {
    struct ndp_pickle_maker *pickle;
    const struct ndp_graph *graph;
    uint32_t protocol;
    struct ndp_object **objects;          /* by node; NULL until made */
    struct ndp_object **attributes;       /* DICT for the attributes of an array's node; else NULL */
    const struct ndp_joblib_form *joblib; /* wrappers replace arrays; NULL for a plain pickle */
    struct ndp_object **nested;           /* joblib: root of the nested pickle of each node; made on demand */
    struct ndp_object *masked_shape;      /* (0,), made on demand */
};

/* Sets the error at a node. */
enum ndp_status ndp_pickle_graph_maker_fail(const struct ndp_pickle_graph_maker *m, enum ndp_status status,
                                            uint32_t node, const char *text);

/* Makes and fills the objects of all nodes. All members after the first four start as zero. */
enum ndp_status ndp_pickle_graph_maker_make_all(struct ndp_pickle_graph_maker *m) NDP_MUST_USE;

/* The object of a node for one edge; perhaps not filled yet. joblib wraps an array anew for each edge, hence NULL when
 * out of memory. */
struct ndp_object *ndp_pickle_graph_maker_object(const struct ndp_pickle_graph_maker *m, uint32_t node);

/* A text; NULL when out of memory. */
struct ndp_object *ndp_pickle_graph_maker_text(const struct ndp_pickle_graph_maker *m,
                                               struct ndp_bytes text) NDP_MUST_USE;

/* module.name; NULL when out of memory. */
struct ndp_object *ndp_pickle_graph_maker_global(const struct ndp_pickle_graph_maker *m, const char *module,
                                                 const char *name) NDP_MUST_USE;

/* Makes the object of an ARRAY node. m->attributes receives its attributes later if the class pickles them. */
enum ndp_status ndp_pickle_graph_maker_array(struct ndp_pickle_graph_maker *m, uint32_t number,
                                             struct ndp_object **out) NDP_MUST_USE;

/* Makes the object of an OBJECTS node, to be filled later. */
enum ndp_status ndp_pickle_graph_maker_objects(struct ndp_pickle_graph_maker *m, uint32_t number,
                                               struct ndp_object **out) NDP_MUST_USE;

/* joblib (joblib_graph.c): makes the wrapper of an array or of an OBJECTS node, and another wrapper of the same array
 * (NULL when out of memory). */
enum ndp_status ndp_pickle_graph_maker_wrapper(struct ndp_pickle_graph_maker *m, const struct ndp_array *array,
                                               const char *class_name, struct ndp_object **out) NDP_MUST_USE;
enum ndp_status ndp_pickle_graph_maker_wrapped_objects(struct ndp_pickle_graph_maker *m, uint32_t number,
                                                       struct ndp_object **out) NDP_MUST_USE;
struct ndp_object *ndp_pickle_graph_maker_rewrap(const struct ndp_pickle_graph_maker *m,
                                                 const struct ndp_object *object) NDP_MUST_USE;

#endif
