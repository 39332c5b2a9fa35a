/* snippet.h: Python snippets on the command line of `ndproof replay`: their last value becomes a descriptor. */
#ifndef NDP_SNIPPET_H
#define NDP_SNIPPET_H

#include "cmd/open_targets.h"

/* Whether the file is a snippet: its name ends in ".py". */
bool ndp_snippet_is(const char *path);

/* Runs the snippet under the first interpreter of `opened` and fills *out with the descriptor of its last value
 * (arena). The output of the snippet goes to standard error. Errors, with the reason: INVALID (it fails or has no
 * value), UNSUPPORTED (a descriptor cannot express the value), GONE (no interpreter with NumPy), LIMIT, IO, NOMEM. */
enum ndp_status ndp_snippet_describe(struct ndp_arena *arena, const struct ndp_opened *opened, const char *path,
                                     struct ndp_bytes *out, struct ndp_error *error) NDP_MUST_USE;

#endif
