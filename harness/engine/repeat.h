/* repeat.h: repeats a case and samples the resources of its targets, for properties that are judged by repetition.
 * Private to this folder. */
#ifndef NDP_REPEAT_H
#define NDP_REPEAT_H

#include "engine/case.h"

/* Whether a property of the case is judged by repetition. */
bool ndp_repeat_is_needed(const struct ndp_case *item);

/* Fills item->left; it stays NULL if the case did not end normally. To be called when the case has its outcomes and no
 * batch is in flight. Errors: GONE, NOMEM, FAULT. */
enum ndp_status ndp_repeat_case(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) NDP_MUST_USE;

#endif
