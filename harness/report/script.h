/* script.h: a divergence as a Python script of its own, for somebody who has the library and nothing else.
 *
 * The script builds the value, does the route's calls, prints what is expected and what is there, and exits with 1
 * while the defect exists and with 0 once it is gone. It needs the library behind the route and what that needs.
 */
#ifndef NDP_SCRIPT_H
#define NDP_SCRIPT_H

#include "engine/batch.h"

enum { NDP_SCRIPT_MAX_LINES = 30 };

/* What a script is made of. Borrowed; `result` is of the run that showed the divergence. */
struct ndp_script_case {
    const struct ndp_descriptor *descriptor; /* its route is complete */
    const struct ndp_divergence *divergence;
    const struct ndp_result *result;
    const struct ndp_target_info *encoder;
    const struct ndp_target_info *decoder;
};

/* Appends the script's text. `arena` holds what making it needs. Errors: UNSUPPORTED with the reason when no script
 * can tell the case (the outlier is no Python library, the lines do not suffice...); INVALID when the value cannot be
 * built; NOMEM, LIMIT. Then nothing is appended. */
enum ndp_status ndp_script_print(struct ndp_arena *arena, const struct ndp_script_case *about, struct ndp_buffer *out,
                                 struct ndp_error *error) NDP_MUST_USE;

#endif
