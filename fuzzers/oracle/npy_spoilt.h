/* npy_spoilt.h: NPY files that nobody may read. A decoder that takes more than Python does gives no other array for
 * it, so that no comparison shows it. */
#ifndef NDP_FUZZ_NPY_SPOILT_H
#define NDP_FUZZ_NPY_SPOILT_H

#include "codec/npy/npy_decode.h"

/* Appends the file to `out` with one token of its header spoilt, something behind them, a version that there is none
 * of, or its end cut off; `pick` says which and how. The file is as our own encoder writes it. Nothing when there is
 * nothing to spoil so, or too much. Errors: NOMEM, LIMIT (of `out`). Source: CPython 3.11,
 * Doc/reference/lexical_analysis.rst, expressions.rst; NumPy 2.4, lib/_format_impl.py, _read_array_header, which
 * refuses each of them but titles that are no text. */
enum ndp_status fuzz_npy_spoil(struct ndp_arena *arena, struct ndp_bytes file, uint64_t pick,
                               struct ndp_buffer *out) NDP_MUST_USE;

/* Files what is taken of one array in four, written in any version and spoilt: in memory or from a stream. */
void fuzz_npy_spoilt(struct ndp_arena *arena, const struct ndp_npy_array *array, uint64_t pick);

#endif
