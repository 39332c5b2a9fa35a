/* fit.h: makes of a case that no route of a target can take one that some does. What becomes of it is a descriptor like
 * any other: whoever runs it instead says so, by filing it instead. */
#ifndef NDP_FUZZ_FIT_H
#define NDP_FUZZ_FIT_H

#include "generate/generate.h"
#include "runtime/cases.h"

/* A fault is put into the encoding of the value, in a format that has such a fault. Where the value has no such
 * encoding, or the target no such format, the value goes the ordinary way instead. `cases` may be NULL: every format.
 * Whether that changed the descriptor. */
bool fuzz_fit_fault(struct ndp_arena *arena, const struct fuzz_cases *cases, struct ndp_descriptor *descriptor);

/* What a decode case leads to: what the row of its fault says, where one is put into the encoding of a value, and it is
 * open otherwise: what its text expects may be wrong, and does not count. */
enum ndp_expect fuzz_fit_expect(const struct ndp_descriptor *descriptor);

/* An array that takes long to go its way, because there is much of it, becomes a small one: what a codec does with a
 * page it does with a hundred. One in a few inputs, as `pick` says, keeps its size, and so does one that its
 * fault needs as it is. Sets *is_changed. Errors: NOMEM. */
enum ndp_status fuzz_fit_size(struct ndp_arena *arena, uint64_t pick, struct ndp_descriptor *descriptor,
                              bool *is_changed) NDP_MUST_USE;

/* An array of a class whose library no target of the bench has becomes one of the class that stands in (model/graph.h),
 * or a plain one. Sets *is_changed. Errors: NOMEM. */
enum ndp_status fuzz_fit_classes(struct ndp_arena *arena, const struct ndp_bench *bench,
                                 struct ndp_descriptor *descriptor, bool *is_changed) NDP_MUST_USE;

#endif
