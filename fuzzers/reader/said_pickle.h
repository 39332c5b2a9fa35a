/* said_pickle.h: what a pickle or a dump of joblib says of the array that it holds, read by other code than the
 * decoder's: types, units, byte orders, names, titles and places of fields, order of axes, shape, elements. Only
 * spellings that writers use are read. */
#ifndef NDP_FUZZ_SAID_PICKLE_H
#define NDP_FUZZ_SAID_PICKLE_H

#include "base/arena.h"
#include "codec/npy/npy_decode.h"
#include "reader/told.h"

/* Whether a pickle (up to its STOP) says that its array has this type, and these elements of `data` in this layout.
 * True for other forms than NumPy's own, and for objects. Source: NumPy 2.4, arraydescr_reduce, array_reduce,
 * _frombuffer. */
bool fuzz_pickle_says(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_dtype *dtype,
                      const struct ndp_layout *layout, const uint8_t *data);

/* Whether a pickle of an array of this type, as our own writer makes it, has what NumPy's own pickles have of each of
 * its parts and readers do without, or make up: titles as keys beside the names, sizes, alignments and flags. True
 * where nobody can say. Source: there, arraydescr_reduce. */
bool fuzz_is_numpys_type(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_dtype *dtype);

/* Whether a pickle of an array of the class ndarray without objects, whose elements lie beside each other, goes over
 * the buffer of its memory where NumPy's own does, and nowhere else: from protocol 5 on, of elements with a format.
 * True where nobody can say. Source: NumPy 2.4, methods.c, array_reduce_ex; buffer.c, _buffer_format_string. */
bool fuzz_is_numpys_form(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol,
                         const struct ndp_dtype *dtype);

/* What fuzz_pickle_says() says, of what a pickle builds somewhere inside, which is read already. */
bool fuzz_told_says(const struct fuzz_told *told, const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                    const uint8_t *data);

/* The same of what joblib.dump wrote and did not pack: an array of no class but those that add nothing to it, in a
 * wrapper of joblib. Source: joblib 1.6.0, numpy_pickle.py, NumpyArrayWrapper. */
bool fuzz_dump_says(struct ndp_arena *arena, struct ndp_bytes dump, const struct ndp_npy_array *array);

/* Whether joblib.load with a mode maps that array, as far as the wrapper says: `is_mapped`, or not. True where nobody
 * can say. Source: joblib 1.6.0, numpy_pickle.py, NumpyArrayWrapper.read. */
bool fuzz_dump_is_mapped(struct ndp_arena *arena, struct ndp_bytes dump, bool is_mapped);

/* Whether that place of a plain dump is a multiple of the alignment and behind padding as joblib writes it: a byte that
 * says how many follow, at least one and no more than the alignment, which all are 0xff. Source: there,
 * NumpyArrayWrapper.write_array. */
bool fuzz_is_padded(struct ndp_bytes dump, uint64_t offset_bytes, uint32_t alignment_bytes);

/* Whether elements lie beside each other in the order of axes that the header has. */
bool fuzz_is_in_order(const struct ndp_npy_array *array);

#endif
