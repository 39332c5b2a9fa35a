/* open_targets.h: starts the targets of a run and lists those that are not available. */
#ifndef NDP_OPEN_TARGETS_H
#define NDP_OPEN_TARGETS_H

#include <stdio.h>

#include "cmd/settings.h"
#include "engine/batch.h"
#include "report/gate.h"

/* A target that is not available, with the reason; always reported. */
struct ndp_missing {
    char name[NDP_WORD_BYTES]; /* "numba@current" */
    char library[NDP_WORD_BYTES];
    char environment[NDP_WORD_BYTES]; /* "" for an interpreter that was named by its path */
    bool is_main;                     /* every environment of its kind has this testee; others need a library more */
    char reason[240];
};

enum {
    NDP_MAX_MISSING = 64,
    NDP_MAX_OWN = 32,
    NDP_INTERPRETER_BYTES = 4160,
    NDP_MAX_OPENED_CODECS = 32,
    NDP_CODEC_BYTES = 192
};
struct ndp_opened {
    struct ndp_bench bench;
    char interpreters[NDP_MAX_TARGETS][NDP_INTERPRETER_BYTES]; /* for each target of the bench; "" if it has none */
    struct ndp_missing missing[NDP_MAX_MISSING];
    uint32_t missing_count;
    char own[NDP_MAX_OWN][NDP_WORD_BYTES]; /* the environments of this tree among those of the run */
    uint32_t own_count;
    char codecs[NDP_MAX_OPENED_CODECS][NDP_CODEC_BYTES]; /* by import path, of any target; long names are left out */
    uint32_t codec_count;
    bool is_untested; /* a requested environment does not start */
    char corpus[1024];
};

/* Opens every built-in plugin, as a testee process or in this process, and the environments and interpreters that the
 * settings name. Libraries that an environment lacks are in `missing`. Returns CLEAN; or prints the reason on standard
 * error and returns FAULT if the reference or an interpreter that was named by its path does not start, VACUOUS if a
 * requested environment does not start and is not among the settings' allowed_missing, USAGE if the configuration is
 * invalid or a requested target is unknown. */
enum ndp_exit ndp_open_targets(const struct ndp_settings *settings, struct ndp_opened *out) NDP_MUST_USE;
void ndp_open_targets_close(struct ndp_opened *opened);

/* Fills `path` with the path of a file in the source tree of this program, and returns whether it exists. */
bool ndp_open_targets_tree_file(const char *name, char *path, size_t path_bytes);

/* Prints a line for each target, also for each missing one. */
void ndp_open_targets_print(const struct ndp_opened *opened, FILE *out);

#endif
