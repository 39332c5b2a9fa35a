/* leak_watch.h: detects targets of a sweep whose resources grow. Private to this folder.
 *
 * An idle target is sampled before and after every batch. Growth may come from a cache or a pool; growth in several
 * batches in a row of one group of routes is suspect. Then, for a while, cases of a batch in which the target has grown
 * are repeated (engine/repeat.h) until one leaks. That divergence is minimised and confirmed like any other.
 */
#ifndef NDP_LEAK_WATCH_H
#define NDP_LEAK_WATCH_H

#include "engine/batch.h"

/* The samples of one target in batches of one group; empty when zeroed. */
struct ndp_leak_watch_target {
    uint64_t restarts; /* of the target, before the batch */
    uint64_t deaths;   /* of its processes, before the batch */
    bool has_before;
    struct ndp_resource_snapshot before; /* the batch */
    uint32_t growths;                    /* batches in a row with growth */
    uint32_t patience;                   /* growths that start a close watch; doubles with each */
    uint32_t close;                      /* remaining batches of the close watch */
    uint32_t searches;                   /* of this close watch, without success */
};

struct ndp_leak_watch {
    struct ndp_leak_watch_target targets[NDP_MAX_TARGETS];
};

/* Samples the targets of the batch before it is started. */
void ndp_leak_watch_begin(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch);

/* Samples the targets of a finished batch. *compared counts the comparisons. *is_suspect: a target under close watch
 * grew in a resource that the route promises to release, so the cases of the batch must be searched. */
void ndp_leak_watch_sample(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch,
                           uint64_t *compared, bool *is_suspect);

/* Ends the close watch of the batch's targets after a leak was found. */
void ndp_leak_watch_relax(struct ndp_leak_watch *watch, const struct ndp_bench *bench, const struct ndp_batch *batch);

#endif
