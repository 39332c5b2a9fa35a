/* dtype_text.c: a dtype as text and back without a tree in between, which most dtypes do not need: plugins meet every
 * array with one, and a tree is an allocation for every word. */
#include "describe/dtype_json.h"

#include <string.h>

#include "describe/json_write.h"

#define ADD_WORD(buffer, word) ndp_buffer_add((buffer), (word), sizeof(word) - 1)

static enum ndp_status add_leaf(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "\""));
    NDP_TRY(ndp_typestr_add(buffer, dtype));
    return ADD_WORD(buffer, "\"");
}

static enum ndp_status add_field(struct ndp_buffer *buffer, const struct ndp_field *field) {
    NDP_TRY(ADD_WORD(buffer, "{\"name\":"));
    NDP_TRY(ndp_json_add_text(buffer, field->name));
    if (field->has_title) {
        NDP_TRY(ADD_WORD(buffer, ",\"title\":"));
        NDP_TRY(ndp_json_add_text(buffer, field->title));
    }
    NDP_TRY(ADD_WORD(buffer, ",\"offset\":"));
    NDP_TRY(ndp_json_add_u64(buffer, field->offset_bytes));
    NDP_TRY(ADD_WORD(buffer, ",\"dtype\":"));
    NDP_TRY(ndp_dtype_print(buffer, field->dtype));
    return ADD_WORD(buffer, "}");
}

static enum ndp_status add_struct(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "{\"fields\":["));
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (i > 0) NDP_TRY(ADD_WORD(buffer, ","));
        NDP_TRY(add_field(buffer, &dtype->fields[i]));
    }
    NDP_TRY(ADD_WORD(buffer, "],\"itemsize\":"));
    NDP_TRY(ndp_json_add_u64(buffer, dtype->itemsize_bytes));
    return dtype->is_aligned ? ADD_WORD(buffer, ",\"aligned\":true") : NDP_OK;
}

static enum ndp_status add_subarray(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "{\"base\":"));
    NDP_TRY(ndp_dtype_print(buffer, dtype->base));
    NDP_TRY(ADD_WORD(buffer, ",\"shape\":["));
    for (uint32_t i = 0; i < dtype->ndim; i++) {
        if (i > 0) NDP_TRY(ADD_WORD(buffer, ","));
        NDP_TRY(ndp_json_add_i64(buffer, dtype->shape[i]));
    }
    return ADD_WORD(buffer, "]");
}

/* Depth is bounded as in ndp_dtype_to_json. */
enum ndp_status ndp_dtype_print(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_STRUCT) {
        NDP_TRY(add_struct(buffer, dtype));
    } else if (dtype->kind == NDP_KIND_SUBARRAY) {
        NDP_TRY(add_subarray(buffer, dtype));
    } else {
        if (dtype->metadata.size_bytes == 0) return add_leaf(buffer, dtype);
        NDP_TRY(ADD_WORD(buffer, "{\"type\":"));
        NDP_TRY(add_leaf(buffer, dtype));
    }
    if (dtype->metadata.size_bytes > 0) {
        NDP_TRY(ADD_WORD(buffer, ",\"metadata\":"));
        const char *text = (const char *)dtype->metadata.data;
        NDP_TRY(ndp_json_print(buffer, cJSON_ParseWithLength(text, (size_t)dtype->metadata.size_bytes)));
    }
    return ADD_WORD(buffer, "}");
}

/* Whether the text is one string that stands for itself; then `*inside` is what the quotes hold. */
static bool is_plain_string(struct ndp_bytes text, struct ndp_bytes *inside) {
    if (text.size_bytes < 2 || text.data[0] != '"' || text.data[text.size_bytes - 1] != '"') return false;
    for (uint64_t i = 1; i < text.size_bytes - 1; i++) {
        const uint8_t byte = text.data[i];
        if (byte < 0x20 || byte > 0x7e || byte == '"' || byte == '\\') return false;
    }
    *inside = (struct ndp_bytes){text.data + 1, text.size_bytes - 2};
    return true;
}

enum ndp_status ndp_dtype_parse(struct ndp_arena *arena, struct ndp_bytes text,
                                const struct ndp_describe_limits *limits, const struct ndp_dtype **out,
                                struct ndp_error *error) {
    struct ndp_bytes typestr;
    if (is_plain_string(text, &typestr)) {
        struct ndp_dtype *leaf = NDP_ARENA_NEW(arena, struct ndp_dtype);
        if (leaf == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for a dtype");
        NDP_TRY(ndp_typestr_read(typestr, leaf, error));
        *out = leaf;
        return NDP_OK;
    }
    cJSON *tree;
    NDP_TRY(ndp_json_parse(text, limits, &tree, error));
    const enum ndp_status status = ndp_dtype_from_json(arena, tree, limits, out, error);
    cJSON_Delete(tree);
    return status;
}
