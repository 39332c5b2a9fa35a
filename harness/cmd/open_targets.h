/* open_targets.h: the targets of a run: what the machine has, what the user named, and what is missing. */
#ifndef NDP_OPEN_TARGETS_H
#define NDP_OPEN_TARGETS_H

#include <stdio.h>

#include "cmd/settings.h"
#include "engine/batch.h"
#include "report/gate.h"

/* A target that cannot be had, and why: reported, never passed over in silence. */
struct ndp_missing {
    char name[NDP_WORD_BYTES];
    char reason[240];
};

enum { NDP_MAX_MISSING = 16, NDP_INTERPRETER_BYTES = 4160 };
struct ndp_opened {
    struct ndp_bench bench;
    char interpreters[NDP_MAX_TARGETS][NDP_INTERPRETER_BYTES]; /* of each target of the bench; "" where it has none */
    struct ndp_missing missing[NDP_MAX_MISSING];
    uint32_t missing_count;
    char corpus[1024];
};

/* Opens the C reference and every other codec that is built in, as testees of their own (or in this process), and what
 * the settings name: environments of the project and of the configuration file, interpreters by their path. A library
 * that an environment lacks is in `missing`. Gives CLEAN; or tells on standard error why not and gives FAULT when the
 * reference, an interpreter or a command that was asked for does not start, USAGE when the configuration is wrong or a
 * target that was named is neither here nor missing. */
enum ndp_exit ndp_targets_open(const struct ndp_settings *settings, struct ndp_opened *out) NDP_MUST_USE;
void ndp_targets_close(struct ndp_opened *opened);

/* Fills `path` with the path of a file of the source tree that this program was built in. Whether the file exists. */
bool ndp_tree_file(const char *name, char *path, size_t path_bytes);

/* Prints a line for each target, and one for each that is missing. */
void ndp_targets_print(const struct ndp_opened *opened, FILE *out);

#endif
