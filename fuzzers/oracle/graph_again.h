/* graph_again.h: graphs in the three containers that hold some, read, and written and read again. */
#ifndef NDP_FUZZ_GRAPH_AGAIN_H
#define NDP_FUZZ_GRAPH_AGAIN_H

#include "base/status.h"
#include "model/graph.h"

/* A pickle, a dump of joblib that is not packed, an NPY file of objects. */
enum fuzz_container { FUZZ_PICKLE, FUZZ_DUMP, FUZZ_NPY };

/* Forms of a graph, counted: protocols, releases of NumPy, libraries that pickle functions. */
enum { FUZZ_GRAPH_FORMS = 6 * 2 * 3 };

/* Gives the graph in these bytes (borrowed); fills `error` (may be NULL) unless OK. Errors: as the decoder of the
 * container; UNSUPPORTED (what is packed). */
enum ndp_status fuzz_graph_decode(struct ndp_arena *arena, enum fuzz_container in, struct ndp_bytes bytes,
                                  struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;

/* Whether no name of another release than NumPy 1 (`is_old`), or than 2.0 and later, stands in what was written of a
 * graph (live) that does not hold it itself: numpy.core is numpy._core since 2.0. Source: its release notes. */
bool fuzz_graph_is_of_release(const struct ndp_graph *graph, struct ndp_bytes pickle, bool is_old);

/* Files what differs when a graph (live) is written in this form and read: the graph, but of a dump; and, where
 * `is_told`, what another reader sees in a pickle, else what is written of it again, byte for byte where a form keeps
 * what it goes by. What has no words in a form is not written. */
void fuzz_graph_again(struct ndp_arena *arena, const struct ndp_graph *graph, enum fuzz_container in, uint32_t number,
                      bool is_told);

/* Whether the header of an NPY file of a graph (borrowed) is spelled as NumPy spells it, has the shape of the object
 * array that the graph is, and says Fortran order just where the items lie so and not in C order, too. Source: NumPy
 * 2.4, lib/_format_impl.py, header_data_from_array_1_0. */
bool fuzz_graph_is_announced(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_graph *graph);

/* Whether a stream of a graph is refused when it ends there, before its end. */
bool fuzz_graph_is_cut(struct ndp_arena *arena, struct ndp_bytes stream, uint64_t at);

/* Whether a graph (live) that our own stream of graphs takes comes out of it as the same, so that the stream of it is
 * the same again: all that it holds of an array, its flags too, which no route promises. A part of the stream is
 * refused. */
bool fuzz_graph_is_streamed(struct ndp_arena *arena, const struct ndp_graph *graph);

#endif
