/* leak_search.h: finds the case that makes a target of a sweep grow. For the files of this folder only. */
#ifndef NDP_LEAK_SEARCH_H
#define NDP_LEAK_SEARCH_H

#include "engine/confirm.h"
#include "engine/leak_watch.h"

/* Samples the targets of a finished batch; the last case of the batch gets the comparisons in its result. When a target
 * is suspected, one case of each of its routes is judged by repetition, and the first that shows a leak is confirmed
 * and reported. Nothing else is in flight but what `make_idle` finishes. Errors: of make_idle; as ndp_batch_start. */
enum ndp_status ndp_leak_search_run(struct ndp_leak_watch *watch, const struct ndp_bench *bench,
                                    struct ndp_batch *batch, struct ndp_confirm *confirm, ndp_make_idle *make_idle,
                                    void *context, struct ndp_error *error) NDP_MUST_USE;

#endif
