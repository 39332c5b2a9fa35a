/* written.h: how NumPy spells the header of an NPY file. Other spellings say the same, and every reader takes them:
 * only here it shows when our own encoder has one. */
#ifndef NDP_FUZZ_WRITTEN_H
#define NDP_FUZZ_WRITTEN_H

#include "codec/npy/npy_header.h"

/* Whether the header, which was read from the file, is spelled as NumPy >= 1.24 does: the three keys in their order,
 * room behind them for the axis that may grow, at least one space up to a multiple of 64, and the first version that
 * has the characters and the length; strings as repr() writes them. Else the words of the type are not looked at.
 * Source: NumPy 2.4, lib/_format_impl.py, _write_array_header, _wrap_header, _wrap_header_guess_version. */
bool fuzz_is_written(struct ndp_bytes file, const struct ndp_npy_header *header);

/* Whether the type of an array without fields is spelled in the file as a writer of any release does: a sign, which of
 * the kinds of one byte may be missing, a letter, a number, and a unit with no number but one above 1. True where the
 * text is not found. Source: NumPy 2.4, multiarray/descriptor.c, arraydescr_protocol_typestr_get; datetime.c,
 * metastr_to_unicode. */
bool fuzz_is_written_type(struct ndp_bytes file, const struct ndp_npy_header *header);

#endif
