/* decoded_array.h: an array that a plugin decoded: checks and observes it. */
#ifndef NDP_DECODED_ARRAY_H
#define NDP_DECODED_ARRAY_H

#include "model/array.h"
#include "target/case_file.h"
#include "target/plugin.h"

struct ndp_decoded_array {
    struct ndp_plugin_array array; /* as the plugin filled it */
    const struct ndp_dtype *dtype; /* the dtype of `array`, set by ndp_decoded_array_check */
    const char *entry;             /* the word of the entry point; borrowed */
    struct ndp_case_file file;     /* the input file of the plugin, if any */
};

/* Copies the dtype into `arena`. Returns NULL, or the reason why the array is invalid. The plugin is code under test,
 * so nothing in it is trusted. */
const char *ndp_decoded_array_check(struct ndp_arena *arena, struct ndp_decoded_array *decoded) NDP_MUST_USE;

/* Fills *out with the array in the model's form. It borrows the plugin's memory. */
void ndp_decoded_array_view(const struct ndp_decoded_array *decoded, struct ndp_array *out);

/* Fills *out with the observation, in memory of `arena`. The kernel is asked whether the array is in a mapping of the
 * file. Errors: NOMEM. */
enum ndp_status ndp_decoded_array_observe(struct ndp_arena *arena, const struct ndp_decoded_array *decoded,
                                          struct ndp_observation *out) NDP_MUST_USE;

#endif
