#include "describe/dtype_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "describe/json_write.h"

enum { MAX_METADATA_BYTES = 65536, MAX_METADATA_MEMBERS = 256 };

static enum ndp_status read_dtype(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth,
                                  const struct ndp_dtype **out);

static enum ndp_status no_memory(struct ndp_json_reader *reader, const cJSON *item) {
    return ndp_json_blame(reader, item, NDP_NOMEM, "no memory for a dtype");
}

/* Checks that the keys of one object are distinct. The check compares all pairs, so it also limits their number. */
static enum ndp_status check_keys(struct ndp_json_reader *reader, const cJSON *object) {
    if (cJSON_GetArraySize(object) > MAX_METADATA_MEMBERS)
        return ndp_json_blame(reader, object, NDP_LIMIT, "more than %d keys of metadata", (int)MAX_METADATA_MEMBERS);
    for (const cJSON *a = object->child; a != NULL; a = a->next) {
        for (const cJSON *b = object->child; b != a; b = b->next) {
            if (strcmp(a->string, b->string) != 0) continue;
            reader->at_key = true;
            return ndp_json_blame(reader, a, NDP_INVALID, "duplicate key \"%.80s\"", a->string);
        }
    }
    return NDP_OK;
}

static enum ndp_status check_metadata(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth) {
    if (depth > NDP_MAX_METADATA_DEPTH) return ndp_json_blame(reader, item, NDP_LIMIT, "metadata is nested too deeply");
    if (cJSON_IsObject(item)) NDP_TRY(check_keys(reader, item));
    for (const cJSON *child = item->child; child != NULL; child = child->next)
        NDP_TRY(check_metadata(reader, child, depth + 1));
    return NDP_OK;
}

/* Metadata stays JSON text in a canonical form, so that equal objects have equal texts. */
static enum ndp_status read_metadata(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    if (item == NULL) return NDP_OK;
    if (!cJSON_IsObject(item)) return ndp_json_blame(reader, item, NDP_INVALID, "metadata must be an object {...}");
    NDP_TRY(check_metadata(reader, item, 0));
    char *text = ndp_json_print_exact(item);
    if (text == NULL) return no_memory(reader, item);
    size_t size = strlen(text);
    const uint8_t *copy = size > MAX_METADATA_BYTES ? NULL : ndp_arena_copy(reader->arena, text, size);
    cJSON_free(text);
    if (size > MAX_METADATA_BYTES) return ndp_json_blame(reader, item, NDP_LIMIT, "metadata exceeds 64 KiB");
    if (copy == NULL) return no_memory(reader, item);
    *out = (struct ndp_bytes){copy, size};
    return NDP_OK;
}

static enum ndp_status read_typestr(struct ndp_json_reader *reader, const cJSON *item, struct ndp_dtype *dtype) {
    if (!cJSON_IsString(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected a typestr like \"<f8\"");
    return ndp_json_at(reader, item, ndp_dtype_read_typestr(ndp_bytes_view(item->valuestring), dtype, reader->error));
}

/* The bytes of a type become the type of a package. */
static enum ndp_status read_registered(struct ndp_json_reader *reader, const cJSON *item, struct ndp_dtype *dtype) {
    const struct ndp_bytes path = ndp_bytes_view(cJSON_IsString(item) ? item->valuestring : "");
    if (!ndp_dtype_is_path(path))
        return ndp_json_blame(reader, item, NDP_INVALID, "expected an import path like \"package.module:name\"");
    if (dtype->kind != NDP_KIND_VOID)
        return ndp_json_blame(reader, item, NDP_INVALID, "a registered type has a \"type\" like \"|V2\"");
    dtype->kind = NDP_KIND_REGISTERED;
    dtype->registered = (struct ndp_bytes){ndp_arena_copy(reader->arena, path.data, path.size_bytes), path.size_bytes};
    return dtype->registered.data == NULL ? no_memory(reader, item) : NDP_OK;
}

static enum ndp_status read_leaf(struct ndp_json_reader *reader, const cJSON *item, struct ndp_dtype *dtype) {
    static const char *const keys[] = {"type", "metadata", "registered"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    NDP_TRY(read_typestr(reader, members[0], dtype));
    if (members[2] != NULL) NDP_TRY(read_registered(reader, members[2], dtype));
    return read_metadata(reader, members[1], &dtype->metadata);
}

static enum ndp_status read_subarray(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth,
                                     struct ndp_dtype *dtype) {
    static const char *const keys[] = {"base", "shape", "metadata"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    if (members[1] == NULL) return ndp_json_blame(reader, item, NDP_INVALID, "a sub-array needs \"shape\"");
    dtype->kind = NDP_KIND_SUBARRAY;
    NDP_TRY(read_dtype(reader, members[0], depth + 1, &dtype->base));
    NDP_TRY(ndp_json_extents(reader, members[1], 0, NDP_MAX_NDIM, &dtype->shape, &dtype->ndim));
    uint64_t count = 0;
    if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, dtype->base->itemsize_bytes, &count,
                                   &dtype->itemsize_bytes))
        return ndp_json_blame(reader, members[1], NDP_LIMIT, "the sub-array is too large");
    return read_metadata(reader, members[2], &dtype->metadata);
}

/* Cannot overflow: itemsizes are limited far below 2^63. */
static uint64_t align_up(uint64_t bytes, uint64_t alignment_bytes) {
    return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
}

/* Reads one field. `*end_bytes` is the end of the previous field, and becomes the end of this one. */
static enum ndp_status read_field(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth, bool is_aligned,
                                  uint64_t *end_bytes, struct ndp_field *field) {
    static const char *const keys[] = {"name", "title", "offset", "dtype"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    if (members[0] == NULL) return ndp_json_blame(reader, item, NDP_INVALID, "a field needs \"name\"");
    NDP_TRY(ndp_json_at(reader, members[0], ndp_json_text(reader->arena, members[0], &field->name, reader->error)));
    field->has_title = members[1] != NULL;
    if (field->has_title) {
        NDP_TRY(
            ndp_json_at(reader, members[1], ndp_json_text(reader->arena, members[1], &field->title, reader->error)));
    }
    if (members[3] == NULL) return ndp_json_blame(reader, item, NDP_INVALID, "a field needs \"dtype\"");
    NDP_TRY(read_dtype(reader, members[3], depth + 1, &field->dtype));
    if (members[2] != NULL) {
        NDP_TRY(ndp_json_at(reader, members[2], ndp_json_u64(members[2], &field->offset_bytes, reader->error)));
    } else {
        field->offset_bytes = is_aligned ? align_up(*end_bytes, ndp_dtype_alignment(field->dtype)) : *end_bytes;
    }
    if (field->offset_bytes > NDP_MAX_ITEMSIZE_BYTES ||
        field->dtype->itemsize_bytes > NDP_MAX_ITEMSIZE_BYTES - field->offset_bytes) {
        return ndp_json_blame(reader, item, NDP_LIMIT, "the field ends past 2^31-1 bytes");
    }
    *end_bytes = field->offset_bytes + field->dtype->itemsize_bytes;
    return NDP_OK;
}

/* Fills the fields and `*end_bytes`, the largest end of any field. */
static enum ndp_status read_fields(struct ndp_json_reader *reader, const cJSON *list, uint32_t depth,
                                   struct ndp_dtype *dtype, uint64_t *end_bytes) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "\"fields\" must be an array");
    uint64_t count = (uint64_t)cJSON_GetArraySize(list);
    if (count > NDP_MAX_FIELDS) return ndp_json_blame(reader, list, NDP_LIMIT, "over 65536 fields");
    struct ndp_field *fields = NDP_ARENA_ITEMS(reader->arena, struct ndp_field, count);
    if (fields == NULL) return no_memory(reader, list);
    uint64_t last_bytes = 0;
    uint64_t most_bytes = 0;
    uint64_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        NDP_TRY(read_field(reader, item, depth, dtype->is_aligned, &last_bytes, &fields[i]));
        if (last_bytes > most_bytes) most_bytes = last_bytes;
    }
    dtype->fields = fields;
    dtype->field_count = count;
    *end_bytes = most_bytes;
    return NDP_OK;
}

static enum ndp_status read_struct(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth,
                                   struct ndp_dtype *dtype) {
    static const char *const keys[] = {"fields", "itemsize", "aligned", "metadata"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    dtype->kind = NDP_KIND_STRUCT;
    if (members[2] != NULL)
        NDP_TRY(ndp_json_at(reader, members[2], ndp_json_bool(members[2], &dtype->is_aligned, reader->error)));
    uint64_t end_bytes = 0;
    NDP_TRY(read_fields(reader, members[0], depth, dtype, &end_bytes));
    if (members[1] != NULL) {
        NDP_TRY(ndp_json_at(reader, members[1], ndp_json_u64(members[1], &dtype->itemsize_bytes, reader->error)));
    } else {
        dtype->itemsize_bytes = dtype->is_aligned ? align_up(end_bytes, ndp_dtype_alignment(dtype)) : end_bytes;
    }
    return read_metadata(reader, members[3], &dtype->metadata);
}

static enum ndp_status read_dtype(struct ndp_json_reader *reader, const cJSON *item, uint32_t depth,
                                  const struct ndp_dtype **out) {
    if (depth >= NDP_MAX_DTYPE_DEPTH) return ndp_json_blame(reader, item, NDP_LIMIT, "the dtype is nested too deeply");
    struct ndp_dtype *dtype = NDP_ARENA_NEW(reader->arena, struct ndp_dtype);
    if (dtype == NULL) return no_memory(reader, item);
    if (!cJSON_IsObject(item)) {
        NDP_TRY(read_typestr(reader, item, dtype));
    } else if (cJSON_GetObjectItemCaseSensitive(item, "fields") != NULL) {
        NDP_TRY(read_struct(reader, item, depth, dtype));
    } else if (cJSON_GetObjectItemCaseSensitive(item, "base") != NULL) {
        NDP_TRY(read_subarray(reader, item, depth, dtype));
    } else if (cJSON_GetObjectItemCaseSensitive(item, "type") != NULL) {
        NDP_TRY(read_leaf(reader, item, dtype));
    } else {
        return ndp_json_blame(reader, item, NDP_INVALID, "a dtype needs one of \"fields\", \"base\", \"type\"");
    }
    *out = dtype;
    return NDP_OK;
}

/* ndp_dtype_check reports a path within the dtype; this prepends the path of `item`. */
static enum ndp_status check_dtype(struct ndp_json_reader *reader, const cJSON *item, const struct ndp_dtype *dtype) {
    struct ndp_error error = {.status = NDP_OK};
    enum ndp_status status = ndp_dtype_check(dtype, &error);
    if (status == NDP_OK) return NDP_OK;
    return ndp_json_blame(reader, item, status, "%s%s%s", error.path, error.path[0] != '\0' ? ": " : "", error.text);
}

enum ndp_status ndp_dtype_read_json(struct ndp_json_reader *reader, const cJSON *item, const struct ndp_dtype **out) {
    const struct ndp_dtype *dtype = NULL;
    NDP_TRY(read_dtype(reader, item, 0, &dtype));
    NDP_TRY(check_dtype(reader, item, dtype));
    *out = dtype;
    return NDP_OK;
}

enum ndp_status ndp_dtype_from_json(struct ndp_arena *arena, const cJSON *item,
                                    const struct ndp_describe_limits *limits, const struct ndp_dtype **out,
                                    struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = limits, .error = error};
    enum ndp_status status = ndp_dtype_read_json(&reader, item, out);
    if (status != NDP_OK) ndp_json_locate(&reader, item, (struct ndp_bytes){NULL, 0});
    return status;
}

static cJSON *leaf_to_json(const struct ndp_dtype *dtype) {
    struct ndp_buffer text;
    ndp_buffer_init(&text, 256);
    cJSON *item = NULL;
    if (ndp_dtype_add_typestr(&text, dtype) == NDP_OK && ndp_buffer_add(&text, "", 1) == NDP_OK)
        item = cJSON_CreateString((const char *)text.data);
    ndp_buffer_clear(&text);
    return item;
}

static cJSON *field_to_json(const struct ndp_field *field) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object,
                           ndp_json_put(object, "name", ndp_json_from_text(field->name)) &&
                               (!field->has_title || ndp_json_put(object, "title", ndp_json_from_text(field->title))) &&
                               ndp_json_put(object, "offset", ndp_json_from_u64(field->offset_bytes)) &&
                               ndp_json_put(object, "dtype", ndp_dtype_to_json(field->dtype)));
}

static bool put_struct(cJSON *object, const struct ndp_dtype *dtype) {
    cJSON *fields = cJSON_CreateArray();
    if (!ndp_json_put(object, "fields", fields)) return false;
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (!ndp_json_push(fields, field_to_json(&dtype->fields[i]))) return false;
    return ndp_json_put(object, "itemsize", ndp_json_from_u64(dtype->itemsize_bytes)) &&
           (!dtype->is_aligned || ndp_json_put(object, "aligned", cJSON_CreateTrue()));
}

static bool put_metadata(cJSON *object, struct ndp_bytes metadata) {
    if (metadata.size_bytes == 0) return true;
    cJSON *tree = cJSON_ParseWithLength((const char *)metadata.data, (size_t)metadata.size_bytes);
    return ndp_json_put(object, "metadata", tree) && ndp_json_exact_numbers(tree);
}

/* The depth of the dtype was checked on construction, which bounds the recursion through fields and bases. */
cJSON *ndp_dtype_to_json(const struct ndp_dtype *dtype) {
    bool is_leaf = dtype->kind != NDP_KIND_STRUCT && dtype->kind != NDP_KIND_SUBARRAY;
    const bool is_registered = dtype->kind == NDP_KIND_REGISTERED;
    if (is_leaf && dtype->metadata.size_bytes == 0 && !is_registered) return leaf_to_json(dtype);
    cJSON *object = cJSON_CreateObject();
    bool is_whole = false;
    if (dtype->kind == NDP_KIND_STRUCT) {
        is_whole = put_struct(object, dtype);
    } else if (dtype->kind == NDP_KIND_SUBARRAY) {
        is_whole = ndp_json_put(object, "base", ndp_dtype_to_json(dtype->base)) &&
                   ndp_json_put(object, "shape", ndp_json_from_extents(dtype->shape, dtype->ndim));
    } else {
        is_whole = ndp_json_put(object, "type", leaf_to_json(dtype)) &&
                   (!is_registered || ndp_json_put(object, "registered", ndp_json_from_text(dtype->registered)));
    }
    return ndp_json_finish(object, is_whole && put_metadata(object, dtype->metadata));
}
