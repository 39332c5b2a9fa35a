/* repeat.h: runs a case repeatedly and samples the resources of its targets in between, for properties that are judged
 * by repetition. For the files of this folder only. */
#ifndef NDP_REPEAT_H
#define NDP_REPEAT_H

#include "engine/case.h"

/* Whether one of the properties of `item` needs it. */
bool ndp_case_is_repeated(const struct ndp_case *item);

/* Fills item->left when the case can be run again and its targets can be sampled; else it stays NULL. To be called when
 * the case has its outcomes and nothing is in flight. Errors: GONE, NOMEM, FAULT. */
enum ndp_status ndp_case_repeat(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) NDP_MUST_USE;

#endif
