/* npy_graph.h: object arrays in NPY: a header with dtype `|O` or a structure with objects, followed by a pickle of the
 * whole array with its class and items.
 *
 * The header repeats properties of the pickle. NumPy does not compare them; this reader requires equal dtype and shape.
 * An array without objects is UNSUPPORTED, because it is not a graph. So is an array that only its class can rebuild,
 * because it cannot be compared with the header. Source: numpy/lib/_format_impl.py, read_array and write_array.
 */
#ifndef NDP_NPY_GRAPH_H
#define NDP_NPY_GRAPH_H

#include "codec/npy/npy_header.h"
#include "codec/pickle/pickle_graph.h"

/* Reads the array at the start of `bytes`; the graph is live, like that of a pickle (pickle_graph.h), and outlives
 * them. Ignores bytes after it. `options` may be NULL. Errors: as ndp_npy_header_read and ndp_pickle_graph_decode, with
 * offsets from the start of the NPY bytes; INVALID when pickle and header differ. */
enum ndp_status ndp_npy_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                     const struct ndp_npy_options *options, struct ndp_graph *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Writes a graph whose root is an object array. `form` is that of NumPy's pickle: protocol 4 since 2.0, 3 before.
 * Errors: as ndp_npy_header_add and ndp_pickle_graph_encode; UNSUPPORTED (another root). Writes nothing before the
 * header is complete. */
enum ndp_status ndp_npy_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                     struct ndp_error *error) NDP_MUST_USE;

#endif
