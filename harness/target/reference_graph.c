#include "target/reference_graph.h"

#include "codec/graph_stream.h"
#include "target/reference_array.h"

#define STREAM_BYTES_MAX (UINT64_C(1) << 31)

enum ndp_plugin_result ndp_reference_graph_encode(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                                  ndp_plugin_write *write, void *sink,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_buffer bytes;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    (void)entry;
    ndp_buffer_init(&bytes, STREAM_BYTES_MAX);
    enum ndp_status status = ndp_graph_stream_add(&bytes, graph);
    if (status == NDP_OK && !write(sink, bytes.data, (size_t)bytes.size_bytes)) status = NDP_LIMIT;
    ndp_buffer_clear(&bytes);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_refuse(status, &error, refusal);
}

enum ndp_plugin_result ndp_reference_graph_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    (void)entry;
    const enum ndp_status status = ndp_graph_stream_read(arena, (struct ndp_bytes){bytes, size_bytes}, out, &error);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_refuse(status, &error, refusal);
}

const struct ndp_plugin_entry ndp_reference_graph_entries[] = {
    {"graph", "memory", true, true},
    {NULL, NULL, false, false},
};

const struct ndp_plugin_graph ndp_reference_graph = {
    .entries = ndp_reference_graph_entries, .encode = ndp_reference_graph_encode, .decode = ndp_reference_graph_decode};
