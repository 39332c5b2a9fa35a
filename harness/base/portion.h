/* portion.h: how much is worked on at once where there may be much of it. Inputs of fuzzers are small: what happens
 * between two portions happens in them, too, where NDP_SMALL_PORTIONS is set. */
#ifndef NDP_PORTION_H
#define NDP_PORTION_H

#ifdef NDP_SMALL_PORTIONS
#define NDP_PORTION_BYTES(usual_bytes) ((usual_bytes) >> 8)
#else
#define NDP_PORTION_BYTES(usual_bytes) (usual_bytes)
#endif

#endif
