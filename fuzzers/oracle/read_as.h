/* read_as.h: what a target read of an input that is committed, as a number to be kept beside it (fuzz_says): a codec
 * that reads something else some day is told so, also where no oracle knows what is right, and so is one that refuses
 * it at another place. Nothing is done for other inputs. */
#ifndef NDP_FUZZ_READ_AS_H
#define NDP_FUZZ_READ_AS_H

#include "codec/npy/npy_decode.h"
#include "codec/npz/npz_read.h"
#include "codec/pickle/pickle_codec.h"
#include "model/graph.h"
#include "model/observation.h"

/* For a decoder to say there where it refuses; NULL for inputs of which nothing is kept. There is one, made anew. */
struct ndp_error *fuzz_refusal(void);
/* Of what was refused the place and the path that fuzz_refusal() holds, or `error`, but no words. */
void fuzz_says_refusal(enum ndp_status status);
void fuzz_says_error(enum ndp_status status, const struct ndp_error *error);

void fuzz_says_bytes(struct ndp_bytes bytes);
void fuzz_says_array(const struct ndp_npy_array *array);
void fuzz_says_pickled(const struct ndp_pickle_array *array);
/* The members in their order: keys, sizes, and the arrays of the first few. */
void fuzz_says_archive(struct ndp_arena *arena, struct ndp_npz *npz);
void fuzz_says_graph(const struct ndp_graph *graph);
void fuzz_says_observation(const struct ndp_observation *observation);
/* The array that is built of a value, or its graph as it was read. */
void fuzz_says_value(struct ndp_arena *arena, const struct ndp_value *value);

#endif
