/* runnable_case.h: rewrites a case that no route of a target can take into one that some route takes. The result is a
 * descriptor like any other; the caller files it in place of the input. */
#ifndef NDP_FUZZ_RUNNABLE_CASE_H
#define NDP_FUZZ_RUNNABLE_CASE_H

#include "generate/generate.h"
#include "runtime/cases.h"

/* Removes a fault that cannot be put into the encoding of the value, because the value has no such encoding or the
 * target has no such format; the value then makes a round trip. `cases` may be NULL: every format. Returns whether the
 * descriptor was changed. */
bool fuzz_remove_impossible_fault(struct ndp_arena *arena, const struct fuzz_cases *cases,
                                  struct ndp_descriptor *descriptor);

/* The expectation of a decode case: that of its fault's row if the fault is in the encoding of a value, otherwise OPEN,
 * because the expectation in the text of the case may be wrong. */
enum ndp_expect fuzz_expected_of(const struct ndp_descriptor *descriptor);

/* Makes a large array small, unless its fault needs it as it is: fuzzers work in small portions (base/portion.h), so a
 * codec does with a page what it does with a hundred. Sets *is_changed. Errors: NOMEM. */
enum ndp_status fuzz_make_smaller(struct ndp_arena *arena, struct ndp_descriptor *descriptor,
                                  bool *is_changed) NDP_MUST_USE;

/* Replaces an array of a class whose library no target of the bench has by one of the class that stands in for it
 * (model/graph/graph.h), or by a plain one. Sets *is_changed. Errors: NOMEM. */
enum ndp_status fuzz_replace_missing_classes(struct ndp_arena *arena, const struct ndp_bench *bench,
                                             struct ndp_descriptor *descriptor, bool *is_changed) NDP_MUST_USE;

#endif
