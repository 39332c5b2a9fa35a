/* render_script.h: a divergence as a standalone Python script.
 *
 * The renderer is Python (harness/testees/python/replay_script): it reads the case as frames of the testee protocol and
 * prints a script. The script builds the value, follows the route, prints the expected and the actual result, and exits
 * with 1 while the defect exists and with 0 once it is fixed. It needs only the library of the route.
 */
#ifndef NDP_RENDER_SCRIPT_H
#define NDP_RENDER_SCRIPT_H

#include "cmd/open_targets.h"

/* Appends the script of `divergence` to `out`. Borrows all. `descriptor` has the complete route of `result`; `opened`
 * has the targets of the route. Runs the interpreter of a Python target of the route, else python3. After an error
 * `out` is as before. Errors: UNSUPPORTED if no script can reproduce the divergence, with the reason; INVALID if the
 * value cannot be built or the route names no target; GONE if there is no interpreter or the renderer fails; NOMEM,
 * LIMIT. */
enum ndp_status ndp_render_script(const struct ndp_opened *opened, const struct ndp_descriptor *descriptor,
                                  const struct ndp_divergence *divergence, const struct ndp_result *result,
                                  struct ndp_buffer *out, struct ndp_error *error) NDP_MUST_USE;

#endif
