/* dict_schedule.h: a schedule of operations (model/dict.h) run on a plugin's dict by threads. */
#ifndef NDP_DICT_SCHEDULE_H
#define NDP_DICT_SCHEDULE_H

#include "base/arena.h"
#include "model/dict.h"
#include "target/plugin_dict.h"

/* Runs every round of `value` (borrowed) on a dict of its own and fills *out, in memory of `arena`. All threads of a
 * round start together. Errors: UNSUPPORTED (the plugin has no dict of these types), IO (no threads), NOMEM. */
enum ndp_status ndp_dict_schedule_run(struct ndp_arena *arena, const struct ndp_plugin_dict *plugin,
                                      const struct ndp_dict_value *value,
                                      struct ndp_dict_observation *out) NDP_MUST_USE;

#endif
