/* npy_text.h: strings of a header in all the ways in which Python lets one be written. */
#ifndef NDP_FUZZ_NPY_TEXT_H
#define NDP_FUZZ_NPY_TEXT_H

#include "base/arena.h"
#include "base/bytes.h"

/* Appends a text of a few characters to `text`, as UTF-8, and to `spelt` a Python literal of it: one string or several
 * side by side, raw or not, in any quotes, each character as itself or by any escape, all as `pick` says. Printable
 * ASCII and line ends alone stand in it. Errors: LIMIT, NOMEM. Source: Python 3.13, reference 2.4.1. */
enum ndp_status fuzz_npy_spell_text(uint64_t pick, struct ndp_buffer *text, struct ndp_buffer *spelt);

/* Files it when a field of such a name, in a file of NPY, is not read under that name; and when our table of what is
 * printed answers otherwise than Python's in some block, by `pick`. */
void fuzz_npy_text(struct ndp_arena *arena, uint64_t pick);

#endif
