#include "codec/npy_graph.h"

#include <string.h>

/* No header is longer: 32 axes of 20 digits each, and the padding. */
enum { HEADER_BYTES_MAX = 4096 };

static const struct ndp_dtype object_type = {.kind = NDP_KIND_OBJECT, .order = NDP_ORDER_NONE, .itemsize_bytes = 8};

/* Whether the root is the array that the header speaks of. */
static bool is_announced(const struct ndp_graph *graph, const struct ndp_npy_header *header) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    if (root->kind != NDP_NODE_OBJECTS || root->ndim != header->ndim) return false;
    for (uint32_t i = 0; i < root->ndim; i++) {
        if (root->shape[i] != header->shape[i]) return false;
    }
    return true;
}

enum ndp_status ndp_npy_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                     const struct ndp_npy_options *options, struct ndp_graph *out,
                                     struct ndp_error *error) {
    struct ndp_npy_header header;
    struct ndp_graph graph;
    NDP_TRY(ndp_npy_header_read(arena, bytes, options, &header, error));
    const uint64_t at_bytes = header.data_offset_bytes;
    if (header.dtype->kind != NDP_KIND_OBJECT)
        return ndp_error_set(error, NDP_UNSUPPORTED, at_bytes, "npy: elements that are not objects are no graph");
    const struct ndp_bytes pickle = {bytes.data + at_bytes, bytes.size_bytes - at_bytes};
    const enum ndp_status status = ndp_pickle_graph_decode(arena, pickle, &graph, error);
    if (status != NDP_OK && error != NULL && error->offset_bytes != NDP_NO_OFFSET) error->offset_bytes += at_bytes;
    NDP_TRY(status);
    if (!is_announced(&graph, &header))
        return ndp_error_set(error, NDP_INVALID, at_bytes, "npy: the pickle holds another array than the header says");
    *out = graph;
    return NDP_OK;
}

enum ndp_status ndp_npy_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                     struct ndp_error *error) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    struct ndp_buffer header;
    if (root->kind != NDP_NODE_OBJECTS)
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "npy: the graph is no array of objects");
    ndp_buffer_init(&header, HEADER_BYTES_MAX);
    enum ndp_status status = ndp_npy_header_add(&header, &object_type, false, root->shape, root->ndim, 0, error);
    if (status == NDP_OK) status = write(sink, header.data, header.size_bytes);
    ndp_buffer_clear(&header);
    return status == NDP_OK ? ndp_pickle_graph_encode(arena, graph, form, write, sink, error) : status;
}
