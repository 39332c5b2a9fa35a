/* claims.h: what a plugin says that it can do: checked, told as any target tells it, and looked up for a step. */
#ifndef NDP_CLAIMS_H
#define NDP_CLAIMS_H

#include "target/plugin.h"
#include "target/target.h"

/* Whether everything is there and fits. Errors: INVALID (another ABI, a field is missing, too many entries). */
enum ndp_status ndp_claims_check(const struct ndp_plugin *plugin, struct ndp_error *error) NDP_MUST_USE;

/* Fills what a plugin that was checked claims; `environment` is "". Borrows nothing. */
void ndp_claims_tell(const struct ndp_plugin *plugin, struct ndp_target_info *out);

/* The entry of the list that does what the step asks for, or NULL. */
const struct ndp_plugin_entry *ndp_claims_find(const struct ndp_plugin_entry *entries, const struct ndp_step *step,
                                               bool to_encode);

#endif
