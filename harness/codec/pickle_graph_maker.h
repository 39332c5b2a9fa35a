/* pickle_graph_maker.h: what the files of the maker of graphs share; nobody else includes it.
 *
 * pickle_graph_make.c makes scalars and containers and fills them; pickle_graph_make_array.c arrays of every class;
 * pickle_function_make.c what can be called.
 */
#ifndef NDP_PICKLE_GRAPH_MAKER_H
#define NDP_PICKLE_GRAPH_MAKER_H

#include "codec/pickle_graph.h"

struct ndp_graph_maker {
    struct ndp_pickle_maker *pickle;
    const struct ndp_graph *graph;
    uint32_t protocol;
    enum ndp_function_form library;  /* OTHER is pickle */
    struct ndp_object **objects;     /* of each node; NULL where it is not made yet */
    struct ndp_object **attributes;  /* DICT that takes the attributes of an array's node; else NULL */
    struct ndp_object *masked_shape; /* (0,), made when needed */
};

/* Sets the error at a node. */
enum ndp_status ndp_graph_maker_fail(const struct ndp_graph_maker *m, enum ndp_status status, uint32_t node,
                                     const char *text);

/* The object of a node: made, and perhaps not filled yet. */
struct ndp_object *ndp_graph_maker_object(const struct ndp_graph_maker *m, uint32_t node);

/* A text; NULL without memory. */
struct ndp_object *ndp_graph_maker_text(const struct ndp_graph_maker *m, struct ndp_bytes text) NDP_MUST_USE;

/* module.name; NULL without memory. */
struct ndp_object *ndp_graph_maker_global(const struct ndp_graph_maker *m, const char *module,
                                          const char *name) NDP_MUST_USE;

/* Makes the object of an ARRAY node; its attributes, where the class pickles them, go into m->attributes later. */
enum ndp_status ndp_graph_make_array(struct ndp_graph_maker *m, uint32_t node, struct ndp_object **out) NDP_MUST_USE;

/* Makes the object of an OBJECTS node, whose items are filled later. */
enum ndp_status ndp_graph_make_objects(struct ndp_graph_maker *m, uint32_t node, struct ndp_object **out) NDP_MUST_USE;

/* Makes the object of what can be called, or belongs to it, and fills it once all objects are there. */
enum ndp_status ndp_pickle_function_make(struct ndp_graph_maker *m, uint32_t node,
                                         struct ndp_object **out) NDP_MUST_USE;
enum ndp_status ndp_pickle_function_fill(struct ndp_graph_maker *m, uint32_t node) NDP_MUST_USE;

#endif
