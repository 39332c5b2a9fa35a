/* pickle_other.h: objects that have no words in a graph: they keep the name of their type and, as a body, a pickle of
 * their own, with which they are written back as they were. What they share with the rest of the graph they then have
 * for themselves.
 *
 * Taken are those whose type is sure from the pickle alone: scalars of NumPy, sets, byte arrays, instances that are
 * made by their class (NEWOBJ, copyreg), and what some classes of the standard library are called with. What else a
 * function gives when it is called, nobody knows who does not call it: opaque.
 * Source: CPython 3.8 to 3.13, the __reduce__ of these classes; NumPy 1.19 to 2.4, scalartypes.c.src (gentype_reduce).
 */
#ifndef NDP_PICKLE_OTHER_H
#define NDP_PICKLE_OTHER_H

#include "codec/pickle/pickle_graph_maker.h"
#include "codec/pickle/pickle_graph_reader.h"

enum { NDP_OTHER_PROTOCOL = 4 }; /* of bodies */

/* Reads one as an OTHER node, an opaque one (pickle_opaque.h) when its type is not sure. Errors: UNSUPPORTED (what a
 * pickle of its own cannot hold), LIMIT, NOMEM. */
enum ndp_status ndp_other_read(struct ndp_graph_reader *r, const struct ndp_object *object,
                               struct ndp_node *node) NDP_MUST_USE;

/* Gives "module.name" of a GLOBAL; LIMIT when it is long. */
enum ndp_status ndp_other_name(struct ndp_graph_reader *r, const struct ndp_object *global,
                               struct ndp_bytes *out) NDP_MUST_USE;

/* Gives the body of an object. Errors: as above. */
enum ndp_status ndp_other_take(struct ndp_graph_reader *r, const struct ndp_object *object,
                               struct ndp_bytes *out) NDP_MUST_USE;

/* Gives the object that a node's body holds. Errors: UNSUPPORTED (no body), as ndp_pickle_read. */
enum ndp_status ndp_other_make(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) NDP_MUST_USE;

#endif
