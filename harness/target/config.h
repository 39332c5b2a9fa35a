/* config.h: a configuration file, which names environments: what a run can put under test besides its own.
 *
 *     {"environments": {"old": "/opt/python3.8/bin/python3",
 *                       "mine": {"python": "venv/bin/python3"},
 *                       "board": {"command": ["./serve-it", "--fast"]}}}
 *
 * A text, or "python", is an interpreter that runs the Python testees; "command" is any testee by itself
 * (harness/testees/README.md), with its arguments. A word that names a file or a folder beside the configuration file
 * is taken from there. */
#ifndef NDP_CONFIG_H
#define NDP_CONFIG_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/status.h"
#include "describe/descriptor.h"

enum { NDP_MAX_ENVIRONMENTS = 16, NDP_MAX_COMMAND_WORDS = 32 };

struct ndp_environment {
    char name[NDP_WORD_BYTES];
    char *python;                             /* the interpreter, or NULL */
    char *command[NDP_MAX_COMMAND_WORDS + 1]; /* NULL-terminated; empty when there is an interpreter */
};

struct ndp_config {
    struct ndp_environment environments[NDP_MAX_ENVIRONMENTS];
    uint32_t count;
};

/* Fills *out from `text`, the contents of the file at `path`, which need not be there. Memory of words is of `arena`.
 * Errors: INVALID, LIMIT with the place, NOMEM. */
enum ndp_status ndp_config_read(struct ndp_arena *arena, const char *path, struct ndp_bytes text,
                                struct ndp_config *out, struct ndp_error *error) NDP_MUST_USE;

/* The environment of that name, or NULL. */
const struct ndp_environment *ndp_config_find(const struct ndp_config *config, const char *name);

#endif
