/* replay_case.h: runs one case of `ndproof replay` on every route that it names. */
#ifndef NDP_REPLAY_CASE_H
#define NDP_REPLAY_CASE_H

#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "engine/routes.h"

/* From good to bad: of several results, the greatest counts. */
enum ndp_replay_result { NDP_REPLAY_FIXED, NDP_REPLAY_DIVERGES, NDP_REPLAY_CHANGED, NDP_REPLAY_ERROR };
enum { NDP_REPLAY_RESULTS = NDP_REPLAY_ERROR + 1 };

struct ndp_replay {
    const struct ndp_opened *opened;
    struct ndp_route_list routes;
    struct ndp_batch *batch;
    const char *script;    /* the file for a script; NULL if none was requested or it is written */
    bool is_script_failed; /* a script was requested, but there is none */
    bool has_run;          /* a target ran the case and supports it */
    bool has_no_route;     /* no target here offers a route of the case */
    uint32_t timeouts;     /* routes on which the case timed out */
};

/* Runs the case on every route that it names, prints each divergence, and returns the worst result. Gives ERROR if the
 * targets offer no such route, if none of them supports the case, or if the time ran out before a divergence. */
enum ndp_replay_result ndp_replay_case(struct ndp_replay *replay, const struct ndp_loaded_case *item);

#endif
