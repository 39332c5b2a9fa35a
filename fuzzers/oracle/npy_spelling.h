/* npy_spelling.h: the header of an NPY file in other words that Python reads alike. What writers of NPY use is a few of
 * them; a reader takes them all, and a mistake in what few files hold shows here. */
#ifndef NDP_FUZZ_NPY_SPELLING_H
#define NDP_FUZZ_NPY_SPELLING_H

#include "codec/npy/npy_decode.h"
#include "form/tokens.h"

/* Appends the file to `out` with one token of its header spelled in another way, or with blanks, a comment or brackets
 * beside it; `pick` says which and how. The file is as our own encoder writes it. Nothing when the header is too long
 * for its version then, or for the tokens that there is room for. Errors: NOMEM, LIMIT (of `out`). Source:
 * CPython 3.11, Doc/reference/lexical_analysis.rst; NumPy 2.4, lib/_format_impl.py, _filter_header. */
enum ndp_status fuzz_npy_respell(struct ndp_arena *arena, struct ndp_bytes file, uint64_t pick,
                                 struct ndp_buffer *out) NDP_MUST_USE;

/* Whether the token is the name of a field that has no title: the first of a tuple behind a bracket or another tuple.
 * Without letters it may be none. Source: NumPy 2.4, lib/_format_impl.py, descr_to_dtype. */
bool fuzz_is_field_name(const struct fuzz_tokens *tokens, uint64_t at);

/* Files what differs when the file (borrowed; our own encoder's, of this array), or in a third of all picks one of the
 * array as a field with a name of other signs, spelled in another way does not give the same in the lenient mode. */
void fuzz_npy_spelling(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_npy_array *array,
                       uint64_t pick);

#endif
