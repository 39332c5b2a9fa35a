/* same_array.h: whether two ways in give the same array. */
#ifndef NDP_FUZZ_SAME_ARRAY_H
#define NDP_FUZZ_SAME_ARRAY_H

#include "codec/npy/npy_decode.h"
#include "codec/strided.h"

/* Whether two arrays of one type and shape have the same elements, in whatever order their axes are in memory. */
bool fuzz_same_elements(const struct ndp_elements *a, const struct ndp_elements *b);

/* Files what differs when `b`, which is cleared, did not come out as `a` did: status, type, shape, order, elements.
 * `how` is the way of `b`, `want` the status of `a`. */
void fuzz_same_array(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                     struct ndp_npy_array *b);

/* The same of one file by two ways in: its elements stand at one place, and it ends at one place. */
void fuzz_same_file(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                    struct ndp_npy_array *b);

/* Which mode an input's map has, by its hash: one that reads, or writes to the file, or to itself. */
enum ndp_map_mode fuzz_mode_of(uint64_t hash);

/* As fuzz_same_file() for a map of the file that fuzz_path() gave. What is written to it is in the file, or is not, as
 * its mode says; afterwards the file is as it was. */
void fuzz_same_map(enum ndp_map_mode mode, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                   struct ndp_npy_array *b);

#endif
