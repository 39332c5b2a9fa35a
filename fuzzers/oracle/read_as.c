#include "oracle/read_as.h"

#include "base/rng.h"
#include "describe/dtype_json.h"
#include "fuzz.h"
#include "model/array.h"

enum { MEMBERS = 3 };
static struct ndp_error refusal;
static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

static uint64_t add_bytes(uint64_t hash, struct ndp_bytes bytes) {
    hash = ndp_hash_bytes(&bytes.size_bytes, sizeof bytes.size_bytes, hash);
    return bytes.size_bytes > 0 ? ndp_hash_bytes(bytes.data, bytes.size_bytes, hash) : hash;
}

static uint64_t add_number(uint64_t hash, uint64_t number) {
    return ndp_hash_bytes(&number, sizeof number, hash);
}

static uint64_t add_dtype(uint64_t hash, const struct ndp_dtype *dtype) {
    struct ndp_buffer text = {.max_bytes = UINT64_C(1) << 28};
    if (dtype && ndp_dtype_print(&text, dtype) == NDP_OK) hash = add_bytes(hash, ndp_buffer_view(&text));
    ndp_buffer_clear(&text);
    return hash;
}

static uint64_t add_axes(uint64_t hash, uint32_t ndim, const int64_t *shape, const int64_t *strides_bytes) {
    hash = add_number(hash, ndim);
    for (uint32_t i = 0; i < ndim; i++)
        hash = add_number(add_number(hash, (uint64_t)shape[i]), (uint64_t)strides_bytes[i]);
    return hash;
}

static uint64_t add_layout(uint64_t hash, const struct ndp_layout *layout) {
    hash = add_axes(hash, layout->ndim, layout->shape, layout->strides_bytes);
    return add_number(hash, (uint64_t)layout->offset_bytes);
}

static uint64_t add_observation(uint64_t hash, const struct ndp_observation *observation) {
    hash = add_bytes(add_dtype(hash, observation->dtype), observation->class_name);
    hash = add_axes(hash, observation->ndim, observation->shape, observation->strides_bytes);
    return add_bytes(add_number(hash, observation->flags), observation->elements);
}

static uint64_t hash_array(uint64_t hash, const struct ndp_npy_array *array) {
    hash = add_layout(add_dtype(hash, array->header.dtype), &array->layout);
    hash = add_number(add_number(hash, array->consumed_bytes), array->header.is_fortran_order);
    return add_bytes(hash, (struct ndp_bytes){array->data, array->header.size_bytes});
}

struct ndp_error *fuzz_refusal(void) {
    refusal = (struct ndp_error){.offset_bytes = NDP_NO_OFFSET};
    return fuzz_is_asked() ? &refusal : NULL;
}

void fuzz_says_error(enum ndp_status status, const struct ndp_error *error) {
    if (status == NDP_OK || !fuzz_is_asked()) return;
    fuzz_says(add_bytes(add_number(NDP_HASH_START, error->offset_bytes), ndp_bytes_view(error->path)));
}

void fuzz_says_refusal(enum ndp_status status) {
    fuzz_says_error(status, &refusal);
}

void fuzz_says_bytes(struct ndp_bytes bytes) {
    if (fuzz_is_asked()) fuzz_says(add_bytes(NDP_HASH_START, bytes));
}

void fuzz_says_array(const struct ndp_npy_array *array) {
    if (fuzz_is_asked()) fuzz_says(hash_array(NDP_HASH_START, array));
}

void fuzz_says_pickled(const struct ndp_pickle_array *array) {
    if (!fuzz_is_asked()) return;
    const uint64_t hash = add_layout(add_dtype(NDP_HASH_START, array->dtype), &array->layout);
    fuzz_says(add_bytes(add_number(add_number(hash, array->consumed_bytes), array->is_writeable),
                        (struct ndp_bytes){array->data, array->size_bytes}));
}

void fuzz_says_archive(struct ndp_arena *arena, struct ndp_npz *npz) {
    uint64_t hash = NDP_HASH_START;
    if (!fuzz_is_asked()) return;
    for (uint64_t i = 0; i < ndp_npz_count(npz); i++) {
        struct ndp_npz_member member;
        ndp_npz_member(npz, i, &member);
        hash = add_number(add_number(add_bytes(hash, member.name), member.size_bytes), member.crc);
        struct ndp_npy_array array = {0};
        const enum ndp_status status =
            i < MEMBERS ? ndp_npz_read_array(npz, arena, i, &lenient, &array, NULL) : NDP_UNSUPPORTED;
        hash = status == NDP_OK ? hash_array(hash, &array) : add_number(hash, status);
        if (status == NDP_OK) ndp_npy_array_clear(&array);
    }
    fuzz_says(hash);
}

/* The first array that lies in the same memory; where there is no byte, nothing lies anywhere. */
static uint32_t memory_of(const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_array *model = &graph->nodes[number].model;
    for (uint32_t i = 0; i < number && model->buffer_bytes > 0; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->has_model && node->model.buffer_bytes > 0 && node->model.buffer == model->buffer) return i;
    }
    return number;
}

static uint64_t add_model(uint64_t hash, const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_array *model = &graph->nodes[number].model;
    const uint32_t memory = memory_of(graph, number);
    hash = add_number(add_layout(add_dtype(hash, model->dtype), &model->layout), memory);
    hash = add_number(add_number(add_bytes(hash, model->class_name), model->is_writeable), model->owns_data);
    return memory < number ? hash : add_bytes(hash, (struct ndp_bytes){model->buffer, model->buffer_bytes});
}

static uint64_t add_node(uint64_t hash, const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_node *node = &graph->nodes[number];
    const struct ndp_bytes texts[] = {node->text,   node->fill_value, node->body,   node->name,
                                      node->otypes, node->signature,  node->trouble};
    const uint64_t numbers[] = {node->kind,       node->truth,         node->has_hard_mask, node->ndim,
                                node->is_fortran, node->code,          node->is_opaque,     node->is_importable,
                                node->has_otypes, node->has_signature, node->edge_count,    node->excluded_count};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) hash = add_bytes(hash, texts[i]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(numbers); i++) hash = add_number(hash, numbers[i]);
    for (uint32_t i = 0; i < node->ndim && node->kind == NDP_NODE_OBJECTS; i++)
        hash = add_number(hash, (uint64_t)node->shape[i]);
    for (uint32_t i = 0; i < node->excluded_count; i++) hash = add_number(hash, node->excluded[i]);
    for (uint32_t i = 0; i < node->edge_count; i++)
        hash = add_bytes(add_number(add_number(hash, node->edges[i].role), node->edges[i].to), node->edges[i].name);
    return node->has_model ? add_model(hash, graph, number) : hash;
}

void fuzz_says_graph(const struct ndp_graph *graph) {
    uint64_t hash = add_number(NDP_HASH_START, graph->root);
    if (!fuzz_is_asked()) return;
    for (uint32_t i = 0; i < graph->count; i++) hash = add_node(hash, graph, i);
    fuzz_says(hash);
}

void fuzz_says_observation(const struct ndp_observation *observation) {
    if (fuzz_is_asked()) fuzz_says(add_observation(NDP_HASH_START, observation));
}

void fuzz_says_value(struct ndp_arena *arena, const struct ndp_value *value) {
    struct ndp_array array;
    struct ndp_observation seen;
    if (value->kind == NDP_VALUE_GRAPH) fuzz_says_graph(value->graph);
    if (!fuzz_is_asked() || value->kind != NDP_VALUE_ARRAY) return;
    if (ndp_array_build(arena, &value->array, true, &array, NULL) != NDP_OK) return;
    if (ndp_array_observe(arena, &array, &seen) == NDP_OK) fuzz_says_observation(&seen);
}
