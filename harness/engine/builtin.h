/* builtin.h: the bench of all codecs that are linked into this process. */
#ifndef NDP_BUILTIN_H
#define NDP_BUILTIN_H

#include "engine/bench.h"

/* Fills *out with a target for every linked plugin; the reference is also the oracle. A crash of a plugin ends this
 * process. Errors: those of ndp_target_open_plugin, LIMIT (over NDP_MAX_TARGETS). */
enum ndp_status ndp_builtin_open(struct ndp_bench *out, struct ndp_error *error) NDP_MUST_USE;

/* Closes the targets of ndp_builtin_open. */
void ndp_builtin_close(struct ndp_bench *bench);

#endif
