/* claims.h: the abilities that a plugin claims: checks them, converts them to the form of all targets, and finds the
 * entry for a step. */
#ifndef NDP_PLUGIN_CLAIMS_H
#define NDP_PLUGIN_CLAIMS_H

#include "target/plugin.h"
#include "target/target.h"

/* Whether all required members are present and fit. Errors: INVALID (another ABI, a missing member, too many
 * entries). */
enum ndp_status ndp_claims_check(const struct ndp_plugin *plugin, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with the claims of a checked plugin. `environment` is "". Borrows nothing. */
void ndp_claims_to_info(const struct ndp_plugin *plugin, struct ndp_target_info *out);

/* The entry of the list that can run the step, or NULL. */
const struct ndp_plugin_entry *ndp_claims_find(const struct ndp_plugin_entry *entries, const struct ndp_step *step,
                                               bool to_encode);

#endif
