/* told_atom.h: what an opcode pushes by itself, read by other code than the decoder's. */
#ifndef NDP_FUZZ_TOLD_ATOM_H
#define NDP_FUZZ_TOLD_ATOM_H

#include "reader/told.h"

/* Whether the opcode pushes what its argument says: a number, text or bytes, or nothing more than itself. */
bool fuzz_is_atom(uint8_t opcode);

/* Reads such an opcode with its argument. False where nobody can say. Integers of any length are known by their rest
 * after division by a prime, texts and bytes by their code points; of a NaN a text says no more than that. */
bool fuzz_read_atom(struct ndp_bytes op, struct fuzz_told *out);

bool fuzz_is_told_nan(const struct fuzz_told *told);

/* What a text in UTF-8 is known by, or bytes, each of which is a code point. */
uint64_t fuzz_bits_of_text(struct ndp_bytes text);
uint64_t fuzz_bits_of_bytes(struct ndp_bytes bytes);

#endif
