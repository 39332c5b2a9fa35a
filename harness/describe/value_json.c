#include "describe/value_json.h"

#include <string.h>

#include "base/checked.h"
#include "describe/dict_json.h"
#include "describe/graph_json.h"
#include "describe/json_write.h"

enum { MAX_MISALIGN_BYTES = 15 };

static const char *const pattern_words[] = {
#define PATTERN_WORD(name, word, text) [NDP_PATTERN_##name] = word,
    NDP_PATTERN_LIST(PATTERN_WORD)};

static const struct ndp_dtype smallest_dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};

static const char default_class[] = "ndarray";

/* Reads a word of a table and fills its index. */
static enum ndp_status read_choice(struct ndp_json_reader *reader, const cJSON *item, const char *const *words,
                                   uint32_t count, uint32_t *out) {
    for (uint32_t i = 0; cJSON_IsString(item) && i < count; i++) {
        if (!ndp_bytes_word_is(item->valuestring, words[i])) continue;
        *out = i;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "expected one of the %u words from \"%s\" to \"%s\"", count,
                          words[0], words[count - 1]);
}

/* Reads the pattern of the data. Only some patterns take bytes or a seed. */
static enum ndp_status read_pattern(struct ndp_json_reader *reader, const cJSON *pattern, bool has_hex,
                                    enum ndp_pattern *out) {
    uint32_t choice = has_hex ? NDP_PATTERN_HEX : NDP_PATTERN_ZEROS;
    if (pattern != NULL) NDP_TRY(read_choice(reader, pattern, pattern_words, NDP_PATTERN_COUNT, &choice));
    if ((choice == NDP_PATTERN_HEX) != has_hex) {
        return ndp_json_blame(reader, pattern, NDP_INVALID,
                              "\"hex\" is required for the pattern \"hex\" and not allowed for others");
    }
    *out = (enum ndp_pattern)choice;
    return NDP_OK;
}

static enum ndp_status read_data(struct ndp_json_reader *reader, const cJSON *item, struct ndp_data *data) {
    static const char *const keys[] = {"pattern", "seed", "hex"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    const cJSON *seed = members[1];
    const cJSON *hex = members[2];
    NDP_TRY(read_pattern(reader, members[0], hex != NULL, &data->pattern));
    if (seed != NULL) {
        if (data->pattern != NDP_PATTERN_RANDOM && data->pattern != NDP_PATTERN_SPECIAL)
            return ndp_json_blame(reader, seed, NDP_INVALID, "this pattern has no seed");
        NDP_TRY(ndp_json_at(reader, seed, ndp_json_u64(seed, &data->seed, reader->error)));
    }
    if (hex == NULL) return NDP_OK;
    if (!cJSON_IsString(hex)) return ndp_json_blame(reader, hex, NDP_INVALID, "expected hexadecimal digits");
    return ndp_json_at(reader, hex, ndp_hex_read(reader->arena, hex->valuestring, &data->bytes, reader->error));
}

static enum ndp_status read_map(struct ndp_json_reader *reader, const cJSON *item, struct ndp_base *base) {
    static const char *const keys[] = {"mode", "offset"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    uint32_t mode = NDP_MAP_READ;
    if (members[0] != NULL) NDP_TRY(read_choice(reader, members[0], ndp_map_mode_words, NDP_MAP_MODE_COUNT, &mode));
    if (members[1] != NULL)
        NDP_TRY(ndp_json_at(reader, members[1], ndp_json_u64(members[1], &base->map_offset_bytes, reader->error)));
    base->has_map = true;
    base->map_mode = (enum ndp_map_mode)mode;
    return NDP_OK;
}

/* The size follows from dtype and shape, so an excess is refused before the value is built. */
static enum ndp_status check_base_size(struct ndp_json_reader *reader, const cJSON *item, const cJSON *data,
                                       const struct ndp_base *base) {
    uint64_t count = 0;
    uint64_t size_bytes = 0;
    if (!ndp_checked_extents_fit(base->shape, base->ndim, base->dtype->itemsize_bytes, &count, &size_bytes))
        return ndp_json_blame(reader, item, NDP_LIMIT, "the size of the base does not fit in 64 bits");
    if (size_bytes > reader->limits->value_bytes) {
        return ndp_json_blame(reader, item, NDP_LIMIT, "a base of %llu bytes; at most %llu are allowed",
                              (unsigned long long)size_bytes, (unsigned long long)reader->limits->value_bytes);
    }
    if (base->data.pattern == NDP_PATTERN_HEX && base->data.bytes.size_bytes != size_bytes) {
        return ndp_json_blame(reader, data, NDP_INVALID, "%llu bytes of data for a base of %llu bytes",
                              (unsigned long long)base->data.bytes.size_bytes, (unsigned long long)size_bytes);
    }
    return NDP_OK;
}

enum base_key { DTYPE, SHAPE, ORDER, DATA, MEMMAP, MISALIGN, READONLY, BASE_KEY_COUNT };

static enum ndp_status read_memory(struct ndp_json_reader *reader, const cJSON *const *members, struct ndp_base *base) {
    const cJSON *misalign = members[MISALIGN];
    const cJSON *readonly = members[READONLY];
    if (members[MEMMAP] != NULL) NDP_TRY(read_map(reader, members[MEMMAP], base));
    if (misalign != NULL) {
        enum ndp_status status = ndp_json_u32(misalign, MAX_MISALIGN_BYTES, &base->misalign_bytes, reader->error);
        NDP_TRY(ndp_json_at(reader, misalign, status));
        if (base->has_map && base->misalign_bytes != 0)
            return ndp_json_blame(reader, misalign, NDP_INVALID, "a memory map takes \"offset\", not \"misalign\"");
    }
    if (readonly == NULL) return NDP_OK;
    return ndp_json_at(reader, readonly, ndp_json_bool(readonly, &base->is_readonly, reader->error));
}

static enum ndp_status read_base(struct ndp_json_reader *reader, const cJSON *item, struct ndp_base *base) {
    static const char *const keys[] = {"dtype", "shape", "order", "data", "memmap", "misalign", "readonly"};
    const cJSON *members[BASE_KEY_COUNT];
    NDP_TRY(ndp_json_members(reader, item, keys, BASE_KEY_COUNT, members));
    if (members[DTYPE] != NULL) NDP_TRY(ndp_dtype_read_json(reader, members[DTYPE], &base->dtype));
    if (members[SHAPE] != NULL)
        NDP_TRY(ndp_json_extents(reader, members[SHAPE], 0, NDP_MAX_NDIM, &base->shape, &base->ndim));
    if (members[ORDER] != NULL) NDP_TRY(ndp_value_memory_order_read_json(reader, members[ORDER], &base->order));
    if (members[DATA] != NULL) NDP_TRY(read_data(reader, members[DATA], &base->data));
    NDP_TRY(read_memory(reader, members, base));
    return check_base_size(reader, item, members[DATA], base);
}

enum ndp_status ndp_value_views_read_json(struct ndp_json_reader *reader, const cJSON *list,
                                          struct ndp_array_value *array) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "\"views\" must be an array");
    int count = cJSON_GetArraySize(list);
    if (count > NDP_MAX_VIEWS) return ndp_json_blame(reader, list, NDP_LIMIT, "over %d views", (int)NDP_MAX_VIEWS);
    struct ndp_view *views = NDP_ARENA_ITEMS(reader->arena, struct ndp_view, (uint64_t)count);
    if (views == NULL) return ndp_json_blame(reader, list, NDP_NOMEM, "no memory for views");
    uint32_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next)
        NDP_TRY(ndp_value_view_read_json(reader, item, &views[i++]));
    array->views = views;
    array->view_count = i;
    return NDP_OK;
}

static enum ndp_status read_class(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *name) {
    static const char *const keys[] = {"name"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    if (members[0] == NULL) return ndp_json_blame(reader, item, NDP_INVALID, "a class needs \"name\"");
    NDP_TRY(ndp_json_at(reader, members[0], ndp_json_text(reader->arena, members[0], name, reader->error)));
    if (name->size_bytes > 0) return NDP_OK;
    return ndp_json_blame(reader, members[0], NDP_INVALID, "the name of a class is empty");
}

static enum ndp_status read_array(struct ndp_json_reader *reader, const cJSON *item, struct ndp_array_value *array) {
    static const char *const keys[] = {"base", "views", "class", "writeable"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    if (members[0] != NULL) NDP_TRY(read_base(reader, members[0], &array->base));
    if (members[1] != NULL) NDP_TRY(ndp_value_views_read_json(reader, members[1], array));
    if (members[2] != NULL) NDP_TRY(read_class(reader, members[2], &array->class_name));
    if (members[3] == NULL) return NDP_OK;
    bool is_writeable = true;
    NDP_TRY(ndp_json_at(reader, members[3], ndp_json_bool(members[3], &is_writeable, reader->error)));
    array->is_readonly = !is_writeable;
    return NDP_OK;
}

enum ndp_status ndp_value_array_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                          struct ndp_array_value *out) {
    struct ndp_array_value array = {.class_name = ndp_bytes_view(default_class)};
    array.base.dtype = ndp_arena_copy(reader->arena, &smallest_dtype, sizeof smallest_dtype);
    array.base.shape = NDP_ARENA_ITEMS(reader->arena, int64_t, 0);
    if (array.base.dtype == NULL || array.base.shape == NULL)
        return ndp_json_blame(reader, item, NDP_NOMEM, "no memory for a value");
    if (item != NULL) NDP_TRY(read_array(reader, item, &array));
    *out = array;
    return NDP_OK;
}

static enum ndp_status read_graph(struct ndp_json_reader *reader, const cJSON *item, struct ndp_value *value) {
    struct ndp_graph *graph = NDP_ARENA_NEW(reader->arena, struct ndp_graph);
    if (graph == NULL) return ndp_json_blame(reader, item, NDP_NOMEM, "no memory for a graph");
    value->kind = NDP_VALUE_GRAPH;
    value->graph = graph;
    return ndp_graph_read_json(reader, item, NULL, graph);
}

/* A dict excludes all members of arrays. */
static enum ndp_status read_dict(struct ndp_json_reader *reader, const cJSON *item, struct ndp_value *out) {
    struct ndp_value value = {.kind = NDP_VALUE_DICT};
    if (item->next != NULL || item->prev != item)
        return ndp_json_blame(reader, item, NDP_INVALID, "a value is a dict or something else, not both");
    NDP_TRY(ndp_dict_read_json(reader, item, &value.dict));
    *out = value;
    return NDP_OK;
}

enum ndp_status ndp_value_read_json(struct ndp_json_reader *reader, const cJSON *item, struct ndp_value *out) {
    static const char *const keys[] = {"array", "graph", "dict"};
    const cJSON *members[NDP_ARRAY_LEN(keys)] = {NULL};
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    if (item != NULL) NDP_TRY(ndp_json_members(reader, item, keys, NDP_ARRAY_LEN(keys), members));
    if (members[2] != NULL) return read_dict(reader, members[2], out);
    if (members[0] != NULL && members[1] != NULL)
        return ndp_json_blame(reader, members[1], NDP_INVALID, "a value is an array or a graph, not both");
    NDP_TRY(ndp_value_array_read_json(reader, members[0], &value.array));
    if (members[1] != NULL) NDP_TRY(read_graph(reader, members[1], &value));
    *out = value;
    return NDP_OK;
}

static cJSON *data_to_json(const struct ndp_data *data) {
    cJSON *object = cJSON_CreateObject();
    bool has_seed = data->pattern == NDP_PATTERN_RANDOM || data->pattern == NDP_PATTERN_SPECIAL;
    bool is_whole = ndp_json_put(object, "pattern", cJSON_CreateString(pattern_words[data->pattern])) &&
                    (!has_seed || data->seed == 0 || ndp_json_put(object, "seed", ndp_json_from_u64(data->seed))) &&
                    (data->pattern != NDP_PATTERN_HEX || ndp_json_put(object, "hex", ndp_json_from_hex(data->bytes)));
    return ndp_json_finish(object, is_whole);
}

static cJSON *map_to_json(const struct ndp_base *base) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(
        object,
        ndp_json_put(object, "mode", cJSON_CreateString(ndp_map_mode_words[base->map_mode])) &&
            (base->map_offset_bytes == 0 || ndp_json_put(object, "offset", ndp_json_from_u64(base->map_offset_bytes))));
}

static cJSON *base_to_json(const struct ndp_base *base, bool with_data) {
    const struct ndp_dtype *dtype = base->dtype != NULL ? base->dtype : &smallest_dtype;
    bool has_data = with_data && base->data.pattern != NDP_PATTERN_ZEROS;
    cJSON *object = cJSON_CreateObject();
    bool is_whole =
        ndp_json_put(object, "dtype", ndp_dtype_to_json(dtype)) &&
        ndp_json_put(object, "shape", ndp_json_from_extents(base->shape, base->ndim)) &&
        (base->order == NDP_MEMORY_C || ndp_json_put(object, "order", cJSON_CreateString("F"))) &&
        (!has_data || ndp_json_put(object, "data", data_to_json(&base->data))) &&
        (!base->has_map || ndp_json_put(object, "memmap", map_to_json(base))) &&
        (base->misalign_bytes == 0 || ndp_json_put(object, "misalign", ndp_json_from_u64(base->misalign_bytes))) &&
        (!base->is_readonly || ndp_json_put(object, "readonly", cJSON_CreateTrue()));
    return ndp_json_finish(object, is_whole);
}

bool ndp_value_views_put_json(cJSON *object, const struct ndp_array_value *array) {
    if (array->view_count == 0) return true;
    cJSON *views = cJSON_CreateArray();
    if (!ndp_json_put(object, "views", views)) return false;
    for (uint32_t i = 0; i < array->view_count; i++)
        if (!ndp_json_push(views, ndp_value_view_to_json(&array->views[i]))) return false;
    return true;
}

static bool put_class(cJSON *object, struct ndp_bytes name) {
    if (name.size_bytes == 0 || ndp_bytes_is_word(name, default_class)) return true;
    cJSON *class = cJSON_CreateObject();
    return ndp_json_put(object, "class", class) && ndp_json_put(class, "name", ndp_json_from_text(name));
}

static cJSON *dict_value_to_json(const struct ndp_dict_value *dict) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object, ndp_json_put(object, "dict", ndp_dict_to_json(dict)));
}

cJSON *ndp_value_array_to_json(const struct ndp_array_value *array, bool with_data) {
    cJSON *inner = cJSON_CreateObject();
    return ndp_json_finish(inner, ndp_json_put(inner, "base", base_to_json(&array->base, with_data)) &&
                                      ndp_value_views_put_json(inner, array) && put_class(inner, array->class_name) &&
                                      (!array->is_readonly || ndp_json_put(inner, "writeable", cJSON_CreateFalse())));
}

cJSON *ndp_value_to_json(const struct ndp_value *value, bool with_data) {
    if (value->kind == NDP_VALUE_DICT) return dict_value_to_json(value->dict);
    cJSON *object = cJSON_CreateObject();
    bool is_whole = value->kind == NDP_VALUE_GRAPH
                        ? ndp_json_put(object, "graph", ndp_graph_to_json(value->graph, NULL))
                        : ndp_json_put(object, "array", ndp_value_array_to_json(&value->array, with_data));
    return ndp_json_finish(object, is_whole);
}
