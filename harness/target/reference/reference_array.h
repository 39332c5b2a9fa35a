/* reference_array.h: between a plugin's array and the codecs' own: dtypes read where they come as text, layouts filled.
 */
#ifndef NDP_REFERENCE_ARRAY_H
#define NDP_REFERENCE_ARRAY_H

#include "codec/npy/npy_decode.h"
#include "codec/strided.h"
#include "target/plugin.h"

/* What the reference claims; planted defects claim the same. */
extern const struct ndp_plugin_entry ndp_reference_entries[];

/* Memory of one call; zeroed and then initialised by ndp_reference_init. */
struct ndp_reference_scratch {
    struct ndp_arena arena;
    struct ndp_layout layout;
    struct ndp_elements elements; /* points into the two above */
};

void ndp_reference_init(struct ndp_reference_scratch *scratch);
void ndp_reference_clear(struct ndp_reference_scratch *scratch);

/* Fills scratch->elements from what a plugin is given. Errors: INVALID, LIMIT, NOMEM. */
enum ndp_status ndp_reference_read(struct ndp_reference_scratch *scratch, const struct ndp_plugin_array *array,
                                   struct ndp_error *error) NDP_MUST_USE;

/* What a decoder of the reference hands out as its token. */
struct ndp_reference_token {
    struct ndp_reference_scratch scratch;
    struct ndp_npy_array array;
    struct ndp_buffer dtype_text;
    bool is_readonly; /* the decoder gave memory that must not be written, map or not */
};

/* Fills `out` from token->array, borrowing from the token. */
void ndp_reference_show(const struct ndp_reference_token *token, struct ndp_plugin_array *out);

/* Says the dtype of what ndp_reference_show filled as text of the token in the place of the tree, for who changes it.
 * Once for a token. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_reference_spell(struct ndp_reference_token *token, struct ndp_plugin_array *out) NDP_MUST_USE;

/* Fills `refusal` (may be NULL) and gives the result for a failure: UNSUPPORTED stays that. */
enum ndp_plugin_result ndp_reference_refuse(enum ndp_status status, const struct ndp_error *error,
                                            struct ndp_plugin_refusal *refusal);

#endif
