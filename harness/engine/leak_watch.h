/* leak_watch.h: which targets of a sweep hold more and more. For the files of this folder only.
 *
 * After every few batches a target is counted while it is idle. One that holds more than ever before has filled a
 * cache, or started a pool; one that does so again and again may be losing something. Then it is counted after every
 * batch for a while, and cases of a batch that made it grow are run again and again (engine/repeat.h) until one is
 * found that shows it. What is found there is a finding like any other: it is confirmed, made minimal, and can be
 * replayed.
 */
#ifndef NDP_LEAK_WATCH_H
#define NDP_LEAK_WATCH_H

#include "engine/batch.h"

/* What is known of one target. Zeroed: nothing. */
struct ndp_watched {
    uint64_t restarts; /* of the process that was counted */
    bool has_most;
    struct ndp_census most; /* the most that was ever held, by resource */
    uint32_t batches;       /* since it was counted */
    uint32_t growths;       /* how often it held more than before */
    uint32_t patience;      /* growths that call for close watch; doubles each time that nothing was found */
    uint32_t close;         /* batches of close watch that are left */
    uint32_t searches;      /* under this close watch, of which none found a case */
};

struct ndp_leak_watch {
    struct ndp_watched targets[NDP_MAX_TARGETS];
};

/* Whether a target of the batch is to be counted when it is done: nothing may be in flight then. */
bool ndp_leak_watch_is_due(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch);

/* Counts the targets of a finished batch. *compared is how many counts were compared, *is_suspect whether a target
 * under close watch grew by what its route promises to give back, and the cases of the batch are worth a search. */
void ndp_leak_watch_sample(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch,
                           uint64_t *compared, bool *is_suspect);

/* Ends the close watch of the batch's targets: a case was found. */
void ndp_leak_watch_rest(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch);

#endif
