/* decoded.h: an array that a plugin decoded: whether it can be, and what is to be said of it. */
#ifndef NDP_DECODED_H
#define NDP_DECODED_H

#include "model/array.h"
#include "target/case_file.h"
#include "target/plugin.h"

struct ndp_decoded {
    struct ndp_plugin_array array; /* as the plugin filled it */
    const struct ndp_dtype *dtype; /* that of `array`, by ndp_decoded_check */
    const char *entry;             /* the word of the entry point; borrowed */
    struct ndp_case_file file;     /* the file that was given to the plugin, if any */
};

/* Takes the dtype into memory of `arena`. Gives NULL, or why no array can be like this: a plugin is somebody's code
 * under test. */
const char *ndp_decoded_check(struct ndp_arena *arena, struct ndp_decoded *decoded) NDP_MUST_USE;

/* Fills *out with the array in the terms of the model; it shares the plugin's memory. */
void ndp_decoded_view(const struct ndp_decoded *decoded, struct ndp_array *out);

/* Fills *out with what is observed; memory of `arena`. Whether the array lies in a mapping of the file is asked of
 * the kernel. Errors: NOMEM. */
enum ndp_status ndp_decoded_observe(struct ndp_arena *arena, const struct ndp_decoded *decoded,
                                    struct ndp_observation *out) NDP_MUST_USE;

#endif
