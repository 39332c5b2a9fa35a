/* replay_fuzz_target.h: the results of fuzz targets for `ndproof replay`. */
#ifndef NDP_REPLAY_FUZZ_TARGET_H
#define NDP_REPLAY_FUZZ_TARGET_H

#include "cmd/fuzz_target_case.h"
#include "cmd/replay_case.h"

/* The results of all fuzz targets for one file. */
struct ndp_replay_fuzz_target {
    enum ndp_replay_result result;
    bool is_fatal; /* one crashed or exceeded a limit; the file must not run in this process */
    bool is_fault; /* one failed internally; no result of another target replaces that */
};

/* Runs the fuzz targets `oracles` on the file at `path` and prints what they report. Gives ERROR if no target could
 * run, or if the target of the file is missing and no other one diverges; HOLDS for a file that is no artifact, or
 * whose fuzz target reports nothing. */
struct ndp_replay_fuzz_target ndp_replay_fuzz_target_file(struct ndp_arena *arena, const char *path,
                                                          const struct ndp_fuzz_target_list *oracles);

/* Whether only a fuzz target can run a file that was read as a case: no target takes frames. Otherwise sets the format
 * of bytes to the form of the fuzz target. */
bool ndp_replay_fuzz_target_only(const struct ndp_fuzz_target_list *oracles, struct ndp_loaded *loaded);

/* Runs fuzz target `fuzzer` on the descriptor of one of its findings and prints what it reports. */
enum ndp_replay_result ndp_replay_fuzz_target_finding(struct ndp_arena *arena, const char *fuzzer,
                                                      const struct ndp_loaded_case *item);

#endif
