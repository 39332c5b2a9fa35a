/* replay_cause.h: replays stored descriptors of causes. Only a replay that was compared shows that a cause is fixed. */
#ifndef NDP_REPLAY_CAUSE_H
#define NDP_REPLAY_CAUSE_H

#include "engine/cause.h"
#include "engine/routes.h"
#include "engine/sweep.h"
#include "report/baseline.h"

enum ndp_replayed { NDP_REPLAYED_SHOWS, NDP_REPLAYED_GONE, NDP_REPLAYED_NOT_COMPARED };

struct ndp_replay_cause {
    const struct ndp_bench *bench; /* borrowed */
    struct ndp_route_list routes;
    struct ndp_batch *batch;
    struct ndp_batch *blame;
};

/* Errors: NOMEM (nothing to clear). */
enum ndp_status ndp_replay_cause_init(struct ndp_replay_cause *replay, const struct ndp_bench *bench) NDP_MUST_USE;
void ndp_replay_cause_clear(struct ndp_replay_cause *replay);

/* A cause to look for, and what to do with a finding that shows it. Borrowed. */
struct ndp_wanted_cause {
    void *context;
    bool (*is_wanted)(const void *context, const struct ndp_cause *cause);
    void (*on_finding)(void *context, const struct ndp_finding *finding); /* NULL: nothing */
    uint64_t case_number;
};

/* Runs the descriptor in `text` on its routes, several times if it does not show the cause. Errors: those of
 * ndp_batch_start. */
enum ndp_status ndp_replay_cause_run(struct ndp_replay_cause *replay, struct ndp_bytes text,
                                     const struct ndp_wanted_cause *wanted, enum ndp_replayed *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Replays every entry that is not seen, sets its `is_replayed`, and gives findings that show it to the event handlers.
 * `case_number` is that of the first case. Errors: as above. */
enum ndp_status ndp_replay_cause_baseline(const struct ndp_bench *bench, const struct ndp_baseline *baseline,
                                          const struct ndp_sweep_events *events, uint64_t case_number,
                                          struct ndp_error *error) NDP_MUST_USE;

#endif
