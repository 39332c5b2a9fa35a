/* out_of_band.h: a pickle whose byte arrays are handed over beside it. */
#ifndef NDP_FUZZ_OUT_OF_BAND_H
#define NDP_FUZZ_OUT_OF_BAND_H

#include "codec/pickle/pickle_codec.h"

enum { FUZZ_MAX_BUFFERS = 4 };

struct fuzz_out_of_band {
    struct ndp_bytes pickle;                            /* in the arena */
    struct ndp_pickle_buffer buffers[FUZZ_MAX_BUFFERS]; /* borrow the pickle that they were taken from, or the arena */
    uint32_t count;
};

/* Whether both have one type, one shape and the same elements, in whatever order their axes are in memory. */
bool fuzz_same_pickled(const struct ndp_pickle_array *a, const struct ndp_pickle_array *b);

/* Takes byte arrays (BYTEARRAY8) out of a pickle (borrowed): in place of each stands NEXT_BUFFER, of which a
 * read-only copy is made and dropped. The first buffer is another one, which the pickle drops. False when there is no
 * byte array, or memory is short. Source: PEP 574. */
bool fuzz_take_out(struct ndp_arena *arena, struct ndp_bytes pickle, struct fuzz_out_of_band *out);

/* Files it where the pickle (borrowed) that gave `array` does not give it, writeable, once its byte arrays are out; or
 * gives one that can be written to out of buffers that cannot. */
void fuzz_check_out_of_band(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_pickle_array *array);

#endif
