#include "target/decoded_array.h"

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "describe/dtype_json.h"

#include <string.h>

/* Whether the field names are stored as text, as they are in a dtype that was parsed. */
static bool has_texts(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_texts(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (!ndp_text_is_valid(field->name) || !has_texts(field->dtype)) return false;
        if (field->has_title && !ndp_text_is_valid(field->title)) return false;
    }
    return true;
}

/* Copies the dtype into `arena`, from its text or its tree. */
static enum ndp_status copy_dtype(struct ndp_arena *arena, const struct ndp_plugin_array *array,
                                  const struct ndp_dtype **out) {
    if (!array->dtype)
        return ndp_dtype_parse(arena, ndp_bytes_view(array->dtype_json), &ndp_describe_default_limits, out, NULL);
    NDP_TRY(ndp_dtype_check(array->dtype, NULL));
    return has_texts(array->dtype) ? ndp_dtype_copy(arena, array->dtype, out) : NDP_INVALID;
}

const char *ndp_decoded_array_check(struct ndp_arena *arena, struct ndp_decoded_array *decoded) {
    const struct ndp_plugin_array *array = &decoded->array;
    uint64_t count_elems, size_bytes;
    if ((!array->dtype_json && !array->dtype) || array->ndim > NDP_MAX_NDIM) return "no dtype, or too many dimensions";
    if (array->ndim > 0 && (!array->shape || !array->strides_bytes)) return "no shape or no strides";
    if (copy_dtype(arena, array, &decoded->dtype) != NDP_OK) return "the dtype cannot be parsed";
    if (ndp_dtype_resolve(arena, decoded->dtype, ndp_byteorder_host_is_little(), &decoded->dtype) != NDP_OK)
        return "the dtype cannot be resolved";
    if (decoded->dtype->itemsize_bytes != array->itemsize_bytes)
        return "itemsize_bytes differs from the itemsize of the dtype";
    if (!ndp_checked_extents_fit(array->shape, array->ndim, array->itemsize_bytes, &count_elems, &size_bytes))
        return "the shape is larger than memory";
    return size_bytes > 0 && !array->data ? "data is NULL, but there are elements" : NULL;
}

void ndp_decoded_array_view(const struct ndp_decoded_array *decoded, struct ndp_array *out) {
    const struct ndp_plugin_array *array = &decoded->array;
    *out = (struct ndp_array){.dtype = decoded->dtype, .is_writeable = array->is_writeable};
    out->layout.ndim = array->ndim;
    for (uint32_t i = 0; i < array->ndim; i++) {
        out->layout.shape[i] = array->shape[i];
        out->layout.strides_bytes[i] = array->strides_bytes[i];
    }
    out->buffer = (uint8_t *)(uintptr_t)array->data;
}

static uint32_t flags_of(const struct ndp_array *array, bool is_mapped) {
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    /* The model measures alignment from a 64-byte boundary, and treats an array without elements as aligned. */
    struct ndp_array placed = *array;
    placed.misalign_bytes = (uint32_t)((uintptr_t)array->buffer % 64);
    uint32_t flags = 0;
    if (ndp_layout_is_c_contiguous(&array->layout, itemsize_bytes)) flags |= NDP_FLAG_C_CONTIGUOUS;
    if (ndp_layout_is_f_contiguous(&array->layout, itemsize_bytes)) flags |= NDP_FLAG_F_CONTIGUOUS;
    if (array->is_writeable) flags |= NDP_FLAG_WRITEABLE;
    if (ndp_array_is_aligned(&placed)) flags |= NDP_FLAG_ALIGNED;
    if (!is_mapped) flags |= NDP_FLAG_OWNDATA;
    return flags;
}

/* Records the plugin's claim about the file behind the array, and the actual mappings of this process. */
static void observe_backing(const struct ndp_decoded_array *decoded, uint64_t size_bytes, struct ndp_backing *out) {
    const struct ndp_plugin_array *array = &decoded->array;
    if (!array->is_mapped) return;
    out->is_map_class = true;
    out->claims = NDP_BACKING_CASE;
    out->has_offset = true;
    out->offset_bytes = array->file_position_bytes;
    out->has_mode = strncmp(decoded->entry, "mmap:", 5) == 0 && ndp_value_find_map_mode(decoded->entry + 5, &out->mode);
    /* An array of zero bytes has no address to look up. */
    out->position_bytes = array->file_position_bytes;
    out->is_mapped = size_bytes == 0 || ndp_case_file_maps(&decoded->file, array->data, &out->position_bytes);
    out->has_position = out->is_mapped;
}

enum ndp_status ndp_decoded_array_observe(struct ndp_arena *arena, const struct ndp_decoded_array *decoded,
                                          struct ndp_observation *out) {
    struct ndp_array array;
    ndp_decoded_array_view(decoded, &array);
    const uint32_t ndim = array.layout.ndim;
    const uint64_t size_bytes = ndp_layout_count(&array.layout) * decoded->dtype->itemsize_bytes;
    int64_t *extents = NDP_ARENA_ITEMS(arena, int64_t, UINT64_C(2) * ndim);
    uint8_t *elements = ndp_arena_alloc(arena, size_bytes);
    if (!extents || !elements) return NDP_NOMEM;
    if (ndim > 0) {
        memcpy(extents, array.layout.shape, ndim * sizeof *extents);
        memcpy(extents + ndim, array.layout.strides_bytes, ndim * sizeof *extents);
    }
    if (size_bytes > 0) ndp_array_gather(&array, NDP_MEMORY_C, elements);
    *out = (struct ndp_observation){.class_name = ndp_bytes_view(decoded->array.is_mapped ? "memmap" : "ndarray"),
                                    .dtype = decoded->dtype,
                                    .ndim = ndim,
                                    .shape = extents,
                                    .strides_bytes = extents + ndim,
                                    .flags = flags_of(&array, decoded->array.is_mapped),
                                    .elements = {elements, size_bytes}};
    observe_backing(decoded, size_bytes, &out->backing);
    return NDP_OK;
}
