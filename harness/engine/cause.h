/* cause.h: the key of a cause: a defect that a maintainer fixes once, on whatever routes it shows.
 *
 * A key is one line of words between bars:
 *
 *     DIVERGES|accepted|*|encoder refuses: TypeError: cannot pickle ? object|dill
 *     DIVERGES|strictness|*|decoder accepts: header length # exceeds the file|npyio
 *     DIVERGES|values|joblib|values, byte-swapped|joblib
 *     DIVERGES|class|pickle|hard_mask.MaskedArray|numpy
 *     CRASH|-|*|signal 11 in write_array|numpy
 *     HAZARD|-|typed.Dict|process|numba
 *
 * The words are: kind; property; format; failure, or field with its symptom; library. The key has no route, entry
 * point, protocol, element kind or feature. A failure with a text, a frame or a clause identifies the cause by itself:
 * its format is "*". A field alone leaves doubt, and an experiment decides (blame.h): the format is the simplest one on
 * which the minimal value shows the same failure, and so is the library. A transport's failure is that of the format
 * that it carries, if an experiment shows it there.
 */
#ifndef NDP_CAUSE_H
#define NDP_CAUSE_H

#include "engine/finding.h"

enum { NDP_CAUSE_KEY_BYTES = 256, NDP_CAUSE_ID_BYTES = 9, NDP_CAUSE_TITLE_BYTES = 160, NDP_CAUSE_ERROR_BYTES = 280 };

struct ndp_cause {
    char id[NDP_CAUSE_ID_BYTES]; /* hash of the key, 8 hexadecimal digits */
    char key[NDP_CAUSE_KEY_BYTES];
    char title[NDP_CAUSE_TITLE_BYTES]; /* for a maintainer of the library */
    char direction[NDP_WORD_BYTES];    /* "encoder refuses", ...; "" if the result differs */
    char error[NDP_CAUSE_ERROR_BYTES]; /* the original error, or the signal and frame; "" for none */
};

/* Fills *out from a finding (borrowed). */
void ndp_cause_of_finding(const struct ndp_finding *finding, struct ndp_cause *out);

/* Fills `out` with the id of a key. */
void ndp_cause_id(const char *key, char out[NDP_CAUSE_ID_BYTES]);

/* Whether the key matches a pattern, in which '*' stands for any text. */
bool ndp_cause_matches(const char *key, const char *pattern);

/* Fills `out` with a sentence about a divergence, without the library. */
void ndp_cause_title(const struct ndp_divergence *divergence, char out[NDP_CAUSE_TITLE_BYTES]);

#endif
