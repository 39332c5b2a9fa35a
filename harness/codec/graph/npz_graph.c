#include "codec/graph/npz_graph.h"

enum ndp_status ndp_npz_graph_read(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index,
                                   const struct ndp_npy_options *options, struct ndp_graph *out,
                                   struct ndp_error *error) {
    NDP_BUFFER_SCOPED(content, INT64_MAX);
    enum ndp_status status = ndp_npz_read(npz, index, &content, error);
    if (status == NDP_OK) status = ndp_npy_graph_decode(arena, ndp_buffer_view(&content), options, out, error);
    return status;
}

enum ndp_status ndp_npz_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_bytes key,
                                     bool is_deflated, const struct ndp_graph_form *form, ndp_write_bytes *write,
                                     void *sink, struct ndp_error *error) {
    NDP_BUFFER_SCOPED(content, INT64_MAX);
    enum ndp_status status = ndp_npy_graph_encode(arena, graph, form, ndp_write_to_buffer, &content, error);
    if (status == NDP_OK) {
        const struct ndp_npz_item item = {.key = key, .npy = ndp_buffer_view(&content)};
        status = ndp_npz_encode(&item, 1, is_deflated, write, sink, error);
    }
    return status;
}
