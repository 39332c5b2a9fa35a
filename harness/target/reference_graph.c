#include "target/reference_graph.h"

#include "codec/graph_stream.h"
#include "codec/pickle_graph.h"
#include "target/reference_array.h"
#include "target/reference_pickle.h"

#define STREAM_BYTES_MAX  (UINT64_C(1) << 31)
#define OBJECTS_BYTES_MAX (UINT64_C(1) << 28)

/* Hands what the pickler writes to the caller's function. */
struct outlet {
    ndp_plugin_write *write;
    void *sink;
};

static enum ndp_status write_out(void *sink, const void *bytes, uint64_t size_bytes) {
    const struct outlet *outlet = sink;
    if (size_bytes > SIZE_MAX) return NDP_LIMIT;
    return outlet->write(outlet->sink, bytes, (size_t)size_bytes) ? NDP_OK : NDP_LIMIT;
}

static enum ndp_status encode_stream(const struct ndp_graph *graph, struct outlet *outlet) {
    struct ndp_buffer bytes;
    ndp_buffer_init(&bytes, STREAM_BYTES_MAX);
    enum ndp_status status = ndp_graph_stream_add(&bytes, graph);
    if (status == NDP_OK) status = write_out(outlet, bytes.data, bytes.size_bytes);
    ndp_buffer_clear(&bytes);
    return status;
}

static enum ndp_status encode_pickle(int protocol, const char *entry, const struct ndp_graph *graph,
                                     struct outlet *outlet, struct ndp_error *error) {
    struct ndp_arena arena;
    ndp_arena_init(&arena, OBJECTS_BYTES_MAX);
    const enum ndp_status status = ndp_pickle_graph_encode(
        &arena, graph, (uint32_t)protocol, ndp_reference_pickle_release(entry), write_out, outlet, error);
    ndp_arena_clear(&arena);
    return status;
}

enum ndp_plugin_result ndp_reference_graph_encode(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                                  ndp_plugin_write *write, void *sink,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct outlet outlet = {write, sink};
    const int protocol = ndp_reference_pickle_protocol(entry->format);
    const enum ndp_status status =
        protocol >= 0 ? encode_pickle(protocol, entry->entry, graph, &outlet, &error) : encode_stream(graph, &outlet);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_refuse(status, &error, refusal);
}

enum ndp_plugin_result ndp_reference_graph_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const struct ndp_bytes input = {bytes, size_bytes};
    const enum ndp_status status = ndp_reference_pickle_protocol(entry->format) >= 0
                                       ? ndp_pickle_graph_decode(arena, input, out, &error)
                                       : ndp_graph_stream_read(arena, input, out, &error);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_refuse(status, &error, refusal);
}

const struct ndp_plugin_entry ndp_reference_graph_entries[] = {
    {"graph", "memory", true, true},
    NDP_PICKLE_ENTRIES,
    {NULL, NULL, false, false},
};

const struct ndp_plugin_graph ndp_reference_graph = {
    .entries = ndp_reference_graph_entries, .encode = ndp_reference_graph_encode, .decode = ndp_reference_graph_decode};
