/* builtin.h: the bench of a process of its own: every codec that is built in, in this process. */
#ifndef NDP_BUILTIN_H
#define NDP_BUILTIN_H

#include "engine/bench.h"

/* Fills *out with every plugin that is linked in; the reference is the oracle, too. Nothing protects the process
 * from them. Errors: those of ndp_target_open_plugin, LIMIT (over NDP_MAX_TARGETS). */
enum ndp_status ndp_builtin_open(struct ndp_bench *out, struct ndp_error *error) NDP_MUST_USE;

/* Ends what ndp_builtin_open opened. */
void ndp_builtin_close(struct ndp_bench *bench);

#endif
