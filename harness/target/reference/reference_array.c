#include "target/reference/reference_array.h"

#include <stdio.h>

#include "base/byteorder.h"
#include "base/text.h"
#include "describe/json_write.h"
#include "describe/value_json.h"

enum { ARENA_BYTES = 1 << 28, TEXT_BYTES_MAX = 1 << 26 };

void ndp_reference_array_init(struct ndp_reference_scratch *scratch) {
    ndp_arena_init(&scratch->arena, ARENA_BYTES);
}

void ndp_reference_array_clear(struct ndp_reference_scratch *scratch) {
    ndp_arena_clear(&scratch->arena);
}

static enum ndp_status read_dtype(struct ndp_arena *arena, const char *text, const struct ndp_dtype **out,
                                  struct ndp_error *error) {
    const struct ndp_dtype *dtype = NULL;
    NDP_TRY(ndp_dtype_parse(arena, ndp_bytes_view(text), &ndp_describe_default_limits, &dtype, error));
    return ndp_dtype_resolve(arena, dtype, ndp_byteorder_host_is_little(), out);
}

enum ndp_status ndp_reference_array_read(struct ndp_reference_scratch *scratch, const struct ndp_plugin_array *array,
                                         struct ndp_error *error) {
    struct ndp_layout *layout = &scratch->layout;
    if (array->ndim > NDP_MAX_NDIM) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "too many dimensions");
    scratch->elements.dtype = array->dtype;
    if (array->dtype == NULL) NDP_TRY(read_dtype(&scratch->arena, array->dtype_json, &scratch->elements.dtype, error));
    *layout = (struct ndp_layout){.ndim = array->ndim};
    for (uint32_t k = 0; k < array->ndim; k++) {
        layout->shape[k] = array->shape[k];
        layout->strides_bytes[k] = array->strides_bytes[k];
    }
    scratch->elements.layout = layout;
    scratch->elements.data = array->data;
    return NDP_OK;
}

enum ndp_status ndp_reference_array_print_dtype(struct ndp_reference_token *token, struct ndp_plugin_array *out) {
    token->dtype_text = (struct ndp_buffer){.max_bytes = TEXT_BYTES_MAX};
    NDP_TRY(ndp_dtype_print(&token->dtype_text, token->array.header.dtype));
    NDP_TRY(ndp_buffer_add(&token->dtype_text, "", 1));
    out->dtype_json = (const char *)token->dtype_text.data;
    out->dtype = NULL;
    return NDP_OK;
}

void ndp_reference_array_to_plugin(const struct ndp_reference_token *token, struct ndp_plugin_array *out) {
    const struct ndp_npy_array *array = &token->array;
    const bool is_mapped = array->map.is_open;
    *out = (struct ndp_plugin_array){
        .dtype = array->header.dtype,
        .itemsize_bytes = array->header.dtype->itemsize_bytes,
        .ndim = array->layout.ndim,
        .shape = array->layout.shape,
        .strides_bytes = array->layout.strides_bytes,
        .data = array->data,
        .is_writeable = is_mapped ? ndp_map_is_writeable(array->map.mode) : !token->is_readonly,
        .is_mapped = is_mapped,
        .file_position_bytes = is_mapped ? array->map.offset_bytes : 0,
    };
}

static const char *reason_word(enum ndp_status status) {
    switch (status) {
    case NDP_INVALID:
        return "value";
    case NDP_TRUNCATED:
        return "truncated";
    case NDP_LIMIT:
        return "limit";
    case NDP_UNSUPPORTED:
        return "unsupported";
    case NDP_NOMEM:
        return "memory";
    case NDP_IO:
        return "io";
    case NDP_OK:
    case NDP_GONE:
    case NDP_TIMEOUT:
    case NDP_FAULT:
    case NDP_STATUS_COUNT:
        break;
    }
    return "internal";
}

enum ndp_plugin_result ndp_reference_array_refuse(enum ndp_status status, const struct ndp_error *error,
                                                  struct ndp_plugin_refusal *refusal) {
    if (refusal != NULL) {
        ndp_text_cut(reason_word(status), refusal->reason, sizeof(refusal->reason));
        if (error->offset_bytes == NDP_NO_OFFSET || error->text[0] == '\0') {
            ndp_text_cut(error->text[0] != '\0' ? error->text : ndp_status_text(status), refusal->message,
                         sizeof(refusal->message));
        } else {
            (void)snprintf(refusal->message, sizeof(refusal->message), "at byte %llu: %.150s",
                           (unsigned long long)error->offset_bytes, error->text);
        }
    }
    return status == NDP_UNSUPPORTED ? NDP_PLUGIN_UNSUPPORTED : NDP_PLUGIN_REFUSED;
}
