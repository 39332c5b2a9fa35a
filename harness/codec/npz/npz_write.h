/* npz_write.h: arrays into an NPZ archive, by libzip. Source: APPNOTE.TXT 6.3; numpy/lib/_npyio_impl.py.
 *
 * One member per array, in the order given, named key and ".npy", stored or deflated (zlib's level 6), dated
 * 1980-01-01 as NumPy does. The bytes are not those of CPython's zipfile, whose local headers always hold room for
 * zip64: here they do only when sizes need it. The same arrays always give the same bytes.
 *
 * What libzip does not do: it removes an archive without members, so those 22 bytes are written here; and it takes
 * names that end at a NUL, so those are refused.
 */
#ifndef NDP_NPZ_WRITE_H
#define NDP_NPZ_WRITE_H

#include "codec/npy/npy_encode.h"

/* All borrowed. */
struct ndp_npz_item {
    struct ndp_bytes key; /* UTF-8; ".npy" is added */
    struct ndp_elements elements;
    struct ndp_bytes npy; /* the member's content as it is, in place of `elements`; no bytes are none */
};

/* Writes the archive through `write` when all of it is made: the archive stands in memory first, beside its members.
 * Errors: INVALID (a key with a NUL, no UTF-8, twice, over 65531 bytes), NOMEM, as ndp_npy_encode, what `write` gives.
 */
enum ndp_status ndp_npz_encode(const struct ndp_npz_item *items, uint64_t count, bool is_deflated,
                               ndp_write_bytes *write, void *sink, struct ndp_error *error) NDP_MUST_USE;

#endif
