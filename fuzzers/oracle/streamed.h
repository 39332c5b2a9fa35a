/* streamed.h: arrays by a stream in small pieces, and what is told of a stream or a sink that fails. */
#ifndef NDP_FUZZ_STREAMED_H
#define NDP_FUZZ_STREAMED_H

#include "codec/joblib/joblib_read.h"

/* Files what differs when NPY bytes by a stream do not give what they gave from memory: `want`, and the array `first`
 * where that is NDP_OK; and, for one in several by `pick`, when a decoder does not say that its stream failed, or an
 * encoder that its sink did. */
void fuzz_npy_streamed(struct ndp_arena *arena, struct ndp_bytes bytes, enum ndp_status want,
                       const struct ndp_npy_array *first, uint64_t pick);

/* The same of joblib's dumps, where `first` has its axes in an order that a dump can say. */
void fuzz_joblib_streamed(struct ndp_arena *arena, struct ndp_bytes bytes, const struct ndp_joblib_options *options,
                          enum ndp_status want, const struct ndp_npy_array *first, uint64_t pick);

/* Of a pickle that was read, and made this in a protocol: whoever reads it from a stream, or writes it to a sink, that
 * fails says so. Empties the arena. */
void fuzz_check_pickle_breaks(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, uint64_t made_bytes,
                              uint64_t pick);

#endif
