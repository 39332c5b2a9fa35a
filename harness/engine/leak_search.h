/* leak_search.h: finds the case that makes a target of a sweep leak. Private to this folder. */
#ifndef NDP_LEAK_SEARCH_H
#define NDP_LEAK_SEARCH_H

#include "engine/confirm.h"
#include "engine/leak_watch.h"

/* Samples the targets of a finished batch; the result of its last supported case counts the comparisons. If a target is
 * suspected, one case per route is judged by repetition, and the first that leaks is confirmed and reported.
 * `make_idle` finishes the batches in flight. Errors: those of make_idle and ndp_batch_start. */
enum ndp_status ndp_leak_search_run(struct ndp_leak_watch *watch, const struct ndp_bench *bench,
                                    struct ndp_batch *batch, struct ndp_confirm *confirm,
                                    ndp_confirm_make_idle *make_idle, void *context,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
