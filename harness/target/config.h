/* config.h: a configuration file that names environments, which a run tests beside the default ones.
 *
 *     {"environments": {"old": "/opt/python3.8/bin/python3", "mine": {"python": "venv/bin/python3"},
 *     "board": {"command": ["./serve-it", "--fast"]}}}
 *
 * A string, or "python", is an interpreter that runs the Python testees; "codecs" beside "python" is a list of codecs
 * by import path (target/codec_name.h), which the NumPy testee also tests. "command" is a testee of any kind
 * (harness/testees/README.md) with its arguments. A word that names a file or a folder relative to the configuration
 * file is made absolute.
 */
#ifndef NDP_CONFIG_H
#define NDP_CONFIG_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/status.h"
#include "describe/descriptor.h"

enum { NDP_MAX_ENVIRONMENTS = 16, NDP_MAX_COMMAND_WORDS = 32, NDP_MAX_CODECS = 8 };

struct ndp_environment {
    char name[NDP_WORD_BYTES];
    char *python;                             /* the interpreter, or NULL */
    char *command[NDP_MAX_COMMAND_WORDS + 1]; /* NULL-terminated; empty when `python` is set */
    char *codecs[NDP_MAX_CODECS + 1];         /* NULL-terminated */
};

struct ndp_config {
    struct ndp_environment environments[NDP_MAX_ENVIRONMENTS];
    uint32_t count;
};

/* Fills *out from `text`, the content of the file at `path`, which need not exist. The strings are in `arena`. Errors:
 * INVALID and LIMIT with the place, NOMEM. */
enum ndp_status ndp_config_read(struct ndp_arena *arena, const char *path, struct ndp_bytes text,
                                struct ndp_config *out, struct ndp_error *error) NDP_MUST_USE;

/* The environment with that name, or NULL. */
const struct ndp_environment *ndp_config_find(const struct ndp_config *config, const char *name);

#endif
