/* reference_array.h: converts between a plugin's array and the arrays of the codecs: parses dtypes, fills layouts. */
#ifndef NDP_REFERENCE_ARRAY_H
#define NDP_REFERENCE_ARRAY_H

#include "codec/npy/npy_decode.h"
#include "codec/strided.h"
#include "target/plugin.h"

/* The entry points of the reference; planted defects claim the same. */
extern const struct ndp_plugin_entry ndp_reference_array_entries[];

/* The memory of one call: zeroed, then initialised by ndp_reference_array_init. */
struct ndp_reference_scratch {
    struct ndp_arena arena;
    struct ndp_layout layout;
    struct ndp_elements elements; /* points into the two above */
};

void ndp_reference_array_init(struct ndp_reference_scratch *scratch);
void ndp_reference_array_clear(struct ndp_reference_scratch *scratch);

/* Fills scratch->elements from the array of a plugin call. Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_reference_array_read(struct ndp_reference_scratch *scratch, const struct ndp_plugin_array *array,
                                         struct ndp_error *error) NDP_MUST_USE;

/* The token of an array that the reference decoded. */
struct ndp_reference_token {
    struct ndp_reference_scratch scratch;
    struct ndp_npy_array array;
    struct ndp_buffer dtype_text;
    bool is_readonly; /* the decoder returned read-only memory */
};

/* Fills `out` from token->array; it borrows from the token. */
void ndp_reference_array_to_plugin(const struct ndp_reference_token *token, struct ndp_plugin_array *out);

/* Replaces the dtype tree of an array that ndp_reference_array_to_plugin filled by text, which the token owns, so that
 * a planted defect can change it. Once per token. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_reference_array_print_dtype(struct ndp_reference_token *token,
                                                struct ndp_plugin_array *out) NDP_MUST_USE;

/* Fills `refusal` (may be NULL) and returns the result for a failed status; UNSUPPORTED stays UNSUPPORTED. */
enum ndp_plugin_result ndp_reference_array_refuse(enum ndp_status status, const struct ndp_error *error,
                                                  struct ndp_plugin_refusal *refusal);

#endif
