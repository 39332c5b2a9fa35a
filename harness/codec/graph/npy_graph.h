/* npy_graph.h: arrays of objects in NPY: a header that says `|O`, or a structure with objects inside, and behind it a
 * pickle of the whole array, of its class and with what it holds.
 *
 * The header only repeats what the pickle says. NumPy does not look whether they agree; here type and shape must.
 * What holds no objects is UNSUPPORTED: such an array is no graph. So is an array that only a function of its class
 * could tell of, where the header cannot be held against it.
 * Source: numpy/lib/_format_impl.py, read_array and write_array.
 */
#ifndef NDP_NPY_GRAPH_H
#define NDP_NPY_GRAPH_H

#include "codec/npy/npy_header.h"
#include "codec/pickle/pickle_graph.h"

/* Reads the array at the start of `bytes`; the graph is live, as that of a pickle (pickle_graph.h), and outlives them.
 * Bytes behind it are somebody else's. `options` may be NULL. Errors: as ndp_npy_header_read and
 * ndp_pickle_graph_decode, with offsets from the start of the NPY bytes; INVALID when the pickle holds something else
 * than the header says. */
enum ndp_status ndp_npy_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                     const struct ndp_npy_options *options, struct ndp_graph *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Writes a graph whose root is an array of objects, in nodes or as a pickle of its own (pickle_opaque.h). `form` is
 * that of NumPy's pickle: protocol 4 since 2.0, 3 before; its library is NDP_FUNCTION_OTHER. Errors: as
 * ndp_npy_header_add and ndp_pickle_graph_encode; UNSUPPORTED (another root). Nothing is written before the header is
 * made. */
enum ndp_status ndp_npy_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
