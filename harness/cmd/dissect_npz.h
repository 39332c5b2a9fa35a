/* dissect_npz.h: prints the members of an NPZ archive and dissects each one that is an NPY file. Source: APPNOTE.TXT
 * 6.3; numpy/lib/_npyio_impl.py. */
#ifndef NDP_DISSECT_NPZ_H
#define NDP_DISSECT_NPZ_H

#include <stdio.h>

#include "base/bytes.h"

/* Prints name, method, sizes, CRC and offset of each member, its duplicates, and its NPY header. A member that an
 * archive without directory stores uncompressed is read in place. Memory comes from `arena`. Errors: NOMEM. */
enum ndp_status ndp_dissect_npz(FILE *out, uint32_t indent, struct ndp_arena *arena,
                                struct ndp_bytes bytes) NDP_MUST_USE;

#endif
