/* said.h: what an input says of its array, read by other code than the decoder's: a mistake that all ways of a decoder
 * make, or that it shares with its encoder, shows here. Only spellings that writers use are read. */
#ifndef NDP_FUZZ_SAID_H
#define NDP_FUZZ_SAID_H

#include "codec/npy/npy_decode.h"
#include "codec/raw/raw.h"

/* Whether the header of an NPY file says this: types, units, byte orders, names, titles and places of fields, order of
 * axes, shape; never objects, which are no elements. True for what NumPy does not write. The text of version 3 must be
 * UTF-8 whatever it says. Source: NEP 1; NumPy 2.4, lib/_format_impl.py, _write_array_header. */
bool fuzz_header_says(struct ndp_bytes file, const struct ndp_npy_header *header);

/* Whether an array that was read from the file is what its header says, with the bytes behind that for elements, each
 * where the order of axes has it, and none taken behind them. */
bool fuzz_file_says(struct ndp_bytes file, const struct ndp_npy_array *array);

/* Whether a default decoder may end so with what starts as an NPY file: a header that is longer than 10000 characters
 * can be is over the limit before a byte of it is read, and a shorter one that is cut is truncated. Other starts are
 * refused. Source: NumPy 2.4, lib/_format_impl.py, _read_array_header; NEP 1. */
bool fuzz_prefix_says(struct ndp_bytes file, enum ndp_status status);

/* Characters of the header's text: code points from version 3 on. */
uint64_t fuzz_header_chars(struct ndp_bytes file, const struct ndp_npy_header *header);

/* How many brackets of the text stand inside one another at most; 0 where comments, or more than plain strings, would
 * have to be read. */
uint32_t fuzz_header_depth(struct ndp_bytes file, const struct ndp_npy_header *header);

/* Whether a type has the byte order that a sign ("<>=|") before it says. */
bool fuzz_is_order(uint8_t order, const struct ndp_dtype *dtype);

/* Whether the strides are those of a contiguous array, as far as they matter. */
bool fuzz_is_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes, bool is_fortran);

/* Whether an array that was made of the form says of itself what the form does, and has its elements where the order of
 * axes says. */
bool fuzz_is_placed(const struct ndp_raw_form *form, const struct ndp_npy_array *array);

#endif
