/* plugin_sink.h: passes the output of ndproof's codecs to the write function of a plugin's caller. */
#ifndef NDP_PLUGIN_SINK_H
#define NDP_PLUGIN_SINK_H

#include "base/status.h"
#include "target/plugin.h"

/* Both members are borrowed. */
struct ndp_plugin_sink {
    ndp_plugin_write *write;
    void *sink;
};

/* An ndp_write_bytes (codec/strided.h) whose sink is a struct ndp_plugin_sink. Errors: LIMIT. */
static inline enum ndp_status ndp_plugin_sink_write(void *sink, const void *bytes, uint64_t size_bytes) {
    const struct ndp_plugin_sink *outlet = sink;
    if (size_bytes > SIZE_MAX) return NDP_LIMIT;
    return outlet->write(outlet->sink, bytes, (size_t)size_bytes) ? NDP_OK : NDP_LIMIT;
}

#endif
