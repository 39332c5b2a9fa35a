/* npz_write.h: NPZ archives from arrays, through libzip. Source: APPNOTE.TXT 6.3; numpy/lib/_npyio_impl.py.
 *
 * One member per array in the given order, named key and ".npy", stored or deflated (zlib's level 6), dated 1980-01-01
 * like NumPy's. The bytes differ from CPython's zipfile, whose local headers always reserve room for ZIP64; here they
 * do so only if sizes require it. The output is deterministic.
 *
 * Additions to libzip: it removes an archive without members, so the 22 bytes of an empty archive are written here; it
 * ends names at a NUL, so these are refused.
 */
#ifndef NDP_NPZ_WRITE_H
#define NDP_NPZ_WRITE_H

#include "codec/npy/npy_encode.h"

/* Borrows everything. */
struct ndp_npz_item {
    struct ndp_bytes key; /* UTF-8; ".npy" is added */
    struct ndp_elements elements;
    struct ndp_bytes npy; /* content of the member instead of `elements`; empty for none */
};

/* Writes the complete archive through `write`. Archive and members are assembled in memory first. Errors: INVALID (a
 * key with a NUL, with invalid UTF-8, a duplicate, or over 65531 bytes), NOMEM, as ndp_npy_encode, those of `write`. */
enum ndp_status ndp_npz_encode(const struct ndp_npz_item *items, uint64_t count, bool is_deflated,
                               ndp_write_bytes *write, void *sink, struct ndp_error *error) NDP_MUST_USE;

#endif
