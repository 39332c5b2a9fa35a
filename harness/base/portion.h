/* portion.h: size of the pieces in which large data is processed. NDP_SMALL_PORTIONS makes them small, so that the
 * small inputs of fuzzers cross the boundaries between pieces, too. */
#ifndef NDP_PORTION_H
#define NDP_PORTION_H

#ifdef NDP_SMALL_PORTIONS
#define NDP_PORTION_BYTES(usual_bytes) ((usual_bytes) >> 8)
#else
#define NDP_PORTION_BYTES(usual_bytes) (usual_bytes)
#endif

#endif
