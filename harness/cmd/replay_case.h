/* replay_case.h: runs one case of `ndproof replay` on every route that it names. */
#ifndef NDP_REPLAY_CASE_H
#define NDP_REPLAY_CASE_H

#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "engine/routes.h"

/* enum name, word, exit code. The last of several results of one case counts. */
#define NDP_REPLAY_LIST(X)                                                                                             \
    X(UNSUPPORTED, "UNSUPPORTED", NDP_EXIT_VACUOUS) /* nothing was compared */                                         \
    X(HOLDS, "HOLDS", NDP_EXIT_CLEAN)               /* no defect, and no record reports one */                         \
    X(FIXED, "FIXED", NDP_EXIT_CLEAN)               /* no defect, but a record reports one */                          \
    X(DIVERGES, "DIVERGES", NDP_EXIT_DIVERGES)      /* the recorded defect, or any without a record */                 \
    X(CHANGED, "CHANGED", NDP_EXIT_DIVERGES)        /* another defect than the recorded one */                         \
    X(ERROR, "ERROR", NDP_EXIT_FAULT)               /* ndproof or a testee could not do its work */

#define NDP_REPLAY_ENUM(name, word, code) NDP_REPLAY_##name,
enum ndp_replay_result { NDP_REPLAY_LIST(NDP_REPLAY_ENUM) NDP_REPLAY_RESULTS };

struct ndp_replay {
    const struct ndp_opened *opened;
    struct ndp_route_list routes;
    struct ndp_batch *batch;
    const char *script;    /* the file for a script; NULL if none was requested or it is written */
    bool is_script_failed; /* a script was requested, but there is none */
    bool has_no_route;     /* no target here offers a route of the last case */
};

/* Runs the case on every route that it names, prints a table of the routes if there are several or the case is that of
 * a native file, then each divergence, and returns the result. A documented loss or hazard is no defect, whether it is
 * recorded or not. Gives UNSUPPORTED if the targets offer no such route or none of them compared anything, FIXED
 * instead of HOLDS if `is_recorded`, and ERROR if the time ran out before a divergence. */
enum ndp_replay_result ndp_replay_case(struct ndp_replay *replay, const struct ndp_loaded_case *item, bool is_recorded);

/* "FIXED". Never NULL. */
const char *ndp_replay_word(enum ndp_replay_result result);

/* The exit code of `count` files or cases with the results in `seen`: the first of 3, 1, 5, 0. */
enum ndp_exit ndp_replay_exit(const bool seen[NDP_REPLAY_RESULTS]);

#endif
