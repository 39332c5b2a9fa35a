/* failure.h: what went wrong in a divergence, in words that are equal for all values, names and numbers.
 *
 *     "encoder refuses: TypeError: cannot pickle ? object"     a refusal that breaks a promise
 *     "decoder accepts: header length # exceeds the file"      crafted bytes; the clause in the reference's words
 *     ""                                                       the result differs; the field says where
 *
 * Two divergences with different failures are never one finding, and never one cause.
 */
#ifndef NDP_FAILURE_H
#define NDP_FAILURE_H

#include "property/property.h"

enum { NDP_FAILURE_BYTES = 96, NDP_FAILURE_TEXT_BYTES = 60 };

/* Fills `out` with the failure of a broken promise. `error` is the whole text of the error; NULL: that of the first
 * difference, which may be cut. `clause` is the reason why the reference refused the input, or the named fault of the
 * input; "" if there is none. Borrows for the call. */
void ndp_failure_fill(const struct ndp_judgement *judgement, const char *error, const char *clause,
                      char out[NDP_FAILURE_BYTES]);

/* Copies an error text without values, names and numbers: quoted texts and the names in them become '?', words with
 * digits '#'. Cut
 * after a word that ends within NDP_FAILURE_TEXT_BYTES - 1 bytes. */
void ndp_failure_normalise(const char *text, char out[NDP_FAILURE_TEXT_BYTES]);

/* "encoder refuses", "decoder accepts", "transport refuses", ...: the words before the first ": "; "" for none. */
void ndp_failure_direction(const char *failure, char out[NDP_WORD_BYTES]);

/* How the got elements relate to the expected ones: "byte-swapped" or "". Borrows. */
const char *ndp_failure_symptom(const struct ndp_observation *expected, const struct ndp_observation *got);

#endif
