/* interpret_history.h: the call histories of a plugin (describe/history.h). Shared by interpret*.c. */
#ifndef NDP_INTERPRET_HISTORY_H
#define NDP_INTERPRET_HISTORY_H

#include "base/bytes.h"
#include "describe/history.h"
#include "target/plugin.h"
#include "target/plugin_graph.h"

/* A call of an encoder. All borrowed. */
struct ndp_history_call {
    const struct ndp_plugin *plugin;
    const struct ndp_plugin_entry *entry;
    struct ndp_plugin_array array; /* unless `graph` is set */
    struct ndp_bytes memory;       /* the whole memory that the elements of `array` lie in */
    const struct ndp_graph *graph; /* or NULL */
    bool is_out_of_band;
};

/* Makes the calls before and around that of an encoder. True when the call itself was one of them: then its encoding
 * was appended to `encoded`, and *result is its result. Otherwise the caller makes it. */
bool ndp_history_encode(enum ndp_history history, const struct ndp_history_call *call, struct ndp_buffer *encoded,
                        enum ndp_plugin_result *result);

#endif
