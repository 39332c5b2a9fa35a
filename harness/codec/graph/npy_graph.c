#include "codec/graph/npy_graph.h"

#include <string.h>

/* Limit of a header: 64 extents of 20 digits, padding, and a structure's fields, whose names may be long. */
enum { HEADER_BYTES_MAX = 1 << 20 };

/* Properties of a dtype that an NPY header cannot represent. */
enum { LOST_BY_HEADER = NDP_DTYPE_ALIGNED | NDP_DTYPE_METADATA };

/* Reads the object array of `root`. The result of an unknown function cannot be determined without a call. */
static enum ndp_status read_root_array(struct ndp_objects *objects, const struct ndp_object *root,
                                       struct ndp_pickled_array *out, struct ndp_error *error) {
    struct ndp_array_reader reader = {.dtypes = {.arena = objects->arena, .objects = objects, .error = error}};
    if (!ndp_pickle_array_is_array(root) || ndp_pickle_array_is_scalar(root))
        return ndp_error_set(error, NDP_UNSUPPORTED, root->offset_bytes, "npy: cannot determine whether %s is an array",
                             root->kind == NDP_OBJECT_CALL ? "the result of a function" : ndp_object_word(root->kind));
    NDP_TRY(ndp_pickle_array_read(&reader, root, out));
    if (out->items != NULL) return NDP_OK;
    return ndp_error_set(error, NDP_UNSUPPORTED, root->offset_bytes, "npy: expected an array of objects in the pickle");
}

/* Whether the root has the dtype and shape of the header. */
static bool matches_header(const struct ndp_pickled_array *read, const struct ndp_npy_header *header) {
    if (read->layout.ndim != header->ndim) return false;
    for (uint32_t i = 0; i < header->ndim; i++)
        if (read->layout.shape[i] != header->shape[i]) return false;
    return (ndp_dtype_compare(header->dtype, read->dtype, NULL) & ~(uint32_t)LOST_BY_HEADER) == 0;
}

/* Whether the array's type is the result of another function than numpy.dtype. NumPy writes arrays of its StringDType
 * and of types of packages as objects. Source: _format_impl.py, dtype_to_descr: "Custom dtypes are saved as python
 * objects using the pickle protocol". */
static bool has_custom_dtype(const struct ndp_object *root) {
    enum { STATE_ITEMS = 5, DTYPE = 2 };
    if (!ndp_pickle_array_is_array(root) || ndp_pickle_array_is_scalar(root)) return false;
    const struct ndp_object *state = root->call->state;
    if (state == NULL || !ndp_object_is(state, NDP_OBJECT_TUPLE) || state->list.count != STATE_ITEMS) return false;
    const struct ndp_object *dtype = state->list.items[DTYPE];
    return ndp_object_is(dtype, NDP_OBJECT_CALL) && !ndp_object_is_global(dtype->call->callable, "numpy", "dtype");
}

static enum ndp_status decode_pickle(struct ndp_objects *objects, struct ndp_bytes bytes,
                                     const struct ndp_npy_header *header, struct ndp_graph *out,
                                     struct ndp_error *error) {
    struct ndp_source source = ndp_source_memory(bytes);
    struct ndp_pickle pickle;
    struct ndp_pickled_array read;
    NDP_TRY(ndp_pickle_read(objects, &source, NULL, &pickle, error));
    const bool is_unknown = (pickle.root->kind == NDP_OBJECT_CALL && !ndp_pickle_array_is_array(pickle.root)) ||
                            has_custom_dtype(pickle.root);
    enum ndp_status status = read_root_array(objects, pickle.root, &read, error);
    if (status == NDP_UNSUPPORTED ? !is_unknown : status == NDP_OK && !matches_header(&read, header))
        return ndp_error_set(error, NDP_INVALID, 0, "npy: pickle differs from the header in dtype or shape");
    return status == NDP_OK ? ndp_pickle_graph_read(objects, pickle.root, out, error) : status;
}

enum ndp_status ndp_npy_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes,
                                     const struct ndp_npy_options *options, struct ndp_graph *out,
                                     struct ndp_error *error) {
    struct ndp_npy_header header;
    struct ndp_objects objects;
    NDP_TRY(ndp_npy_header_read(arena, bytes, options, &header, error));
    const uint64_t at_bytes = header.data_offset_bytes;
    if (!ndp_dtype_has_object(header.dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, at_bytes, "npy: array without objects is not a graph");
    const struct ndp_bytes pickle = {bytes.data + at_bytes, bytes.size_bytes - at_bytes};
    ndp_objects_init(&objects, arena);
    const enum ndp_status status = decode_pickle(&objects, pickle, &header, out, error);
    ndp_objects_clear(&objects);
    if (status != NDP_OK && error != NULL && error->offset_bytes != NDP_NO_OFFSET) error->offset_bytes += at_bytes;
    return status;
}

/* The order in the header is numpy.save's, but no reader uses it: the pickle states it again and lists the items in C
 * order. */
static enum ndp_status write_header(struct ndp_objects *objects, const struct ndp_object *root, ndp_write_bytes *write,
                                    void *sink, struct ndp_error *error) {
    struct ndp_pickled_array read;
    NDP_TRY(read_root_array(objects, root, &read, error));
    NDP_BUFFER_SCOPED(header, HEADER_BYTES_MAX);
    const uint64_t itemsize = read.dtype->itemsize_bytes;
    const bool is_fortran =
        ndp_layout_is_f_contiguous(&read.layout, itemsize) && !ndp_layout_is_c_contiguous(&read.layout, itemsize);
    enum ndp_status status =
        ndp_npy_header_add(&header, read.dtype, is_fortran, read.layout.shape, read.layout.ndim, 0, error);
    if (status == NDP_OK) status = write(sink, header.data, header.size_bytes);
    return status;
}

enum ndp_status ndp_npy_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                     struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = form->release, .error = error};
    const struct ndp_pickle_form pickle = {.protocol = form->protocol};
    enum ndp_status status = ndp_pickle_graph_make(&maker, graph, form, &root);
    if (status == NDP_OK) status = write_header(&objects, root, write, sink, error);
    if (status == NDP_OK) status = ndp_pickle_write(&objects, root, &pickle, write, sink, error);
    ndp_objects_clear(&objects);
    return status;
}
