/* same_graph.h: whether a graph that was written and read again is the graph that it was. */
#ifndef NDP_FUZZ_SAME_GRAPH_H
#define NDP_FUZZ_SAME_GRAPH_H

#include "model/graph.h"

/* Whether nothing differs: what a node is or leads to, what is shared, types, shapes and elements of arrays, and, where
 * the second comes of a pickle of protocol 5, whether those may be written that go by buffers. Both are live: as a
 * codec read them. In protocol 0 numbers were texts between them, which say of a NaN no more than that it is one. What
 * is opaque is the same as what is opaque, whatever it is called; what was told does not become opaque, unless it was
 * an instance of a class of which no more is known, which __newobj_ex__ makes another call below protocol 4. An
 * attribute that nothing has set is not set. The arena is for the comparison. */
bool fuzz_is_same_graph(struct ndp_arena *arena, uint32_t protocol, const struct ndp_graph *first,
                        const struct ndp_graph *next);

/* Whether what is opaque of the second, which was written in protocol 4 or later and read again, is made as it was:
 * there every name has one meaning. What a function is made of is not looked at, which a library adds to. True where
 * the two are not the same node by node. The arena is for the comparison. */
bool fuzz_keeps_opaque(struct ndp_arena *arena, const struct ndp_graph *first, const struct ndp_graph *next);

/* Whether a graph (live) is not all told: an attribute that a class promises and that nothing has set leads nowhere,
 * and what is opaque has no certain name. */
bool fuzz_has_unknowns(const struct ndp_graph *graph);

/* Whether the strides of some array are not what they were once it has been through NumPy's order "K" of protocol 5,
 * which sorts axes by them: those of axes of extent 1 are made up anew, and then sort otherwise. Live, too. */
bool fuzz_has_loose_axes(const struct ndp_graph *graph);

/* Whether some array is a numpy.memmap: joblib writes the class, and loads an array of none (1.6, numpy_pickle.py,
 * NumpyArrayWrapper.read), which it then writes otherwise. */
bool fuzz_has_maps(const struct ndp_graph *graph);

/* Whether there is nothing in a graph (live) that a form cannot say: kinds and classes that have words, what is kept as
 * a codec keeps it where every name has the same meaning (protocol 4 on), and functions where a library has a form for
 * them. An array of others is left out where arrays are wrapped anew: a dump may have to hold it inside of itself. */
bool fuzz_must_be_written(const struct ndp_graph *graph, uint32_t protocol, bool has_library, bool is_dump);

/* Whether an array stands in a tuple that leads back to itself (live): pickle writes what such a tuple holds twice, and
 * a dump, which wraps an array anew each time, would have its elements twice (codec/joblib/joblib_graph.h refuses
 * that). True where there is no memory to look. */
bool fuzz_has_array_twice(struct ndp_arena *arena, const struct ndp_graph *graph);

/* Whether an encoder that gave this status has made something of a graph; counts it as written. Holds that what must be
 * written was, that nothing was refused for want of memory or as no graph, that a pickle has CPython's opcodes, that
 * the arrays of a dump, which was asked to align them so, stand where they should, and that a dump of objects is none
 * to map (joblib 1.6, numpy_pickle.py, NumpyPickler._create_array_wrapper). */
enum { FUZZ_ALIGNMENT = 16 };
bool fuzz_is_encoded(struct ndp_arena *arena, enum ndp_status status, const struct ndp_graph *graph,
                     const struct ndp_buffer *made, bool is_pickle, uint32_t protocol, uint32_t library);

/* Whether the bytes name joblib, as its dumps do that hold arrays: without them, what the decoder of pickles refuses
 * that of dumps refuses. */
bool fuzz_is_dump(struct ndp_bytes bytes);

#endif
