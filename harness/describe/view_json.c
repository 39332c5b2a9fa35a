#include <string.h>

#include "describe/json_write.h"
#include "describe/value_json.h"

static const char *const view_words[] = {
#define VIEW_WORD(name, key) [NDP_VIEW_##name] = key,
    NDP_VIEW_LIST(VIEW_WORD)};

const char *ndp_value_memory_order_word(enum ndp_memory_order order) {
    return order == NDP_MEMORY_F ? "F" : "C";
}

enum ndp_status ndp_value_memory_order_read_json(struct ndp_json_reader *reader, const cJSON *item,
                                                 enum ndp_memory_order *out) {
    const char *word = cJSON_IsString(item) ? item->valuestring : "";
    if (strcmp(word, "C") != 0 && strcmp(word, "F") != 0)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected \"C\" or \"F\"");
    *out = word[0] == 'F' ? NDP_MEMORY_F : NDP_MEMORY_C;
    return NDP_OK;
}

/* The members of a view: its own key and the additional ones. */
struct members {
    const cJSON *own;
    const cJSON *order;
    const cJSON *strides;
    const cJSON *offset;
};

static enum ndp_status read_axes(struct ndp_json_reader *reader, const cJSON *list, struct ndp_view *view) {
    const int64_t *numbers = NULL;
    uint32_t count = 0;
    NDP_TRY(ndp_json_extents(reader, list, 0, NDP_MAX_NDIM, &numbers, &count));
    uint32_t *axes = NDP_ARENA_ITEMS(reader->arena, uint32_t, count);
    if (axes == NULL) return ndp_json_blame(reader, list, NDP_NOMEM, "no memory for a view");
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] >= count || (seen >> numbers[i] & 1) != 0)
            return ndp_json_blame(reader, list, NDP_INVALID, "expected a permutation of 0..%u", count - 1);
        seen |= UINT64_C(1) << numbers[i];
        axes[i] = (uint32_t)numbers[i];
    }
    view->axes = axes;
    view->ndim = count;
    return NDP_OK;
}

static enum ndp_status read_slices(struct ndp_json_reader *reader, const cJSON *list, struct ndp_view *view) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "expected an array of slices");
    int count = cJSON_GetArraySize(list);
    if (count > NDP_MAX_NDIM) return ndp_json_blame(reader, list, NDP_LIMIT, "over %d axes", (int)NDP_MAX_NDIM);
    struct ndp_slice *slices = NDP_ARENA_ITEMS(reader->arena, struct ndp_slice, (uint64_t)count);
    if (slices == NULL) return ndp_json_blame(reader, list, NDP_NOMEM, "no memory for a view");
    uint32_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        const int64_t *numbers = NULL;
        uint32_t size = 0;
        NDP_TRY(ndp_json_extents(reader, item, INT64_MIN, 3, &numbers, &size));
        if (size != 3 || numbers[1] == 0 || numbers[2] < 0) {
            return ndp_json_blame(reader, item, NDP_INVALID,
                                  "expected [start, step, count] with step != 0 and count >= 0");
        }
        slices[i] = (struct ndp_slice){numbers[0], numbers[1], numbers[2]};
    }
    view->slices = slices;
    view->ndim = i;
    return NDP_OK;
}

static enum ndp_status read_strided(struct ndp_json_reader *reader, const struct members *members,
                                    struct ndp_view *view) {
    uint32_t count = 0;
    NDP_TRY(ndp_json_extents(reader, members->own, 0, NDP_MAX_NDIM, &view->shape, &view->ndim));
    if (members->strides == NULL)
        return ndp_json_blame(reader, members->own, NDP_INVALID, "\"strided\" needs \"strides\"");
    NDP_TRY(ndp_json_extents(reader, members->strides, INT64_MIN, NDP_MAX_NDIM, &view->strides_bytes, &count));
    if (count != view->ndim)
        return ndp_json_blame(reader, members->strides, NDP_INVALID, "%u strides for %u axes", count, view->ndim);
    if (members->offset == NULL) return NDP_OK;
    return ndp_json_at(reader, members->offset, ndp_json_i64(members->offset, &view->offset_bytes, reader->error));
}

static enum ndp_status read_true(struct ndp_json_reader *reader, const cJSON *item) {
    if (cJSON_IsTrue(item)) return NDP_OK;
    return ndp_json_blame(reader, item, NDP_INVALID, "expected true");
}

static enum ndp_status read_operands(struct ndp_json_reader *reader, const struct members *members,
                                     struct ndp_view *view) {
    const cJSON *own = members->own;
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
        NDP_TRY(ndp_json_extents(reader, own, 0, NDP_MAX_NDIM, &view->shape, &view->ndim));
        return members->order == NULL ? NDP_OK : ndp_value_memory_order_read_json(reader, members->order, &view->order);
    case NDP_VIEW_TRANSPOSE:
        return read_axes(reader, own, view);
    case NDP_VIEW_SLICE:
        return read_slices(reader, own, view);
    case NDP_VIEW_NEWAXIS:
        return ndp_json_at(reader, own, ndp_json_u32(own, NDP_MAX_NDIM - 1, &view->axis, reader->error));
    case NDP_VIEW_BROADCAST:
        return ndp_json_extents(reader, own, 0, NDP_MAX_NDIM, &view->shape, &view->ndim);
    case NDP_VIEW_FIELD:
        return ndp_json_at(reader, own, ndp_json_text(reader->arena, own, &view->name, reader->error));
    case NDP_VIEW_AS_DTYPE:
        return ndp_dtype_read_json(reader, own, &view->dtype);
    case NDP_VIEW_REAL:
    case NDP_VIEW_IMAG:
        return read_true(reader, own);
    case NDP_VIEW_STRIDED:
        return read_strided(reader, members, view);
    case NDP_VIEW_COUNT:
        break;
    }
    return ndp_json_blame(reader, own, NDP_FAULT, "unknown view operation");
}

/* The keys that are allowed next to the key of a view. */
static uint32_t operand_keys(enum ndp_view_op op, const char *const **keys) {
    static const char *const reshape[] = {"order"};
    static const char *const strided[] = {"strides", "offset"};
    *keys = op == NDP_VIEW_RESHAPE ? reshape : strided;
    return op == NDP_VIEW_RESHAPE ? 1 : op == NDP_VIEW_STRIDED ? 2 : 0;
}

enum ndp_status ndp_value_view_read_json(struct ndp_json_reader *reader, const cJSON *item, struct ndp_view *out) {
    struct ndp_view view = {.op = NDP_VIEW_COUNT};
    for (uint32_t op = 0; cJSON_IsObject(item) && op < NDP_VIEW_COUNT && view.op == NDP_VIEW_COUNT; op++)
        if (cJSON_GetObjectItemCaseSensitive(item, view_words[op]) != NULL) view.op = (enum ndp_view_op)op;
    if (view.op == NDP_VIEW_COUNT)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a view operation like {\"transpose\": [1, 0]}");
    const char *const *beside = NULL;
    uint32_t count = operand_keys(view.op, &beside);
    const char *keys[3] = {view_words[view.op]};
    for (uint32_t i = 0; i < count; i++) keys[i + 1] = beside[i];
    const cJSON *found[3] = {NULL, NULL, NULL};
    NDP_TRY(ndp_json_members(reader, item, keys, count + 1, found));
    struct members members = {.own = found[0]};
    if (view.op == NDP_VIEW_RESHAPE) members.order = found[1];
    if (view.op == NDP_VIEW_STRIDED) {
        members.strides = found[1];
        members.offset = found[2];
    }
    NDP_TRY(read_operands(reader, &members, &view));
    *out = view;
    return NDP_OK;
}

static cJSON *axes_to_json(const struct ndp_view *view) {
    cJSON *array = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < view->ndim; i++)
        is_whole = ndp_json_push(array, ndp_json_from_u64(view->axes[i]));
    return ndp_json_finish(array, is_whole);
}

static cJSON *slices_to_json(const struct ndp_view *view) {
    cJSON *array = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < view->ndim; i++) {
        const struct ndp_slice *slice = &view->slices[i];
        const int64_t numbers[3] = {slice->start, slice->step, slice->count};
        is_whole = ndp_json_push(array, ndp_json_from_extents(numbers, 3));
    }
    return ndp_json_finish(array, is_whole);
}

static cJSON *operand_to_json(const struct ndp_view *view) {
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
    case NDP_VIEW_BROADCAST:
    case NDP_VIEW_STRIDED:
        return ndp_json_from_extents(view->shape, view->ndim);
    case NDP_VIEW_TRANSPOSE:
        return axes_to_json(view);
    case NDP_VIEW_SLICE:
        return slices_to_json(view);
    case NDP_VIEW_NEWAXIS:
        return ndp_json_from_u64(view->axis);
    case NDP_VIEW_FIELD:
        return ndp_json_from_text(view->name);
    case NDP_VIEW_AS_DTYPE:
        return ndp_dtype_to_json(view->dtype);
    case NDP_VIEW_REAL:
    case NDP_VIEW_IMAG:
        return cJSON_CreateTrue();
    case NDP_VIEW_COUNT:
        break;
    }
    return NULL;
}

cJSON *ndp_value_view_to_json(const struct ndp_view *view) {
    cJSON *object = cJSON_CreateObject();
    bool is_whole = view->op < NDP_VIEW_COUNT && ndp_json_put(object, view_words[view->op], operand_to_json(view));
    if (is_whole && view->op == NDP_VIEW_RESHAPE && view->order != NDP_MEMORY_C)
        is_whole = ndp_json_put(object, "order", cJSON_CreateString(ndp_value_memory_order_word(view->order)));
    if (is_whole && view->op == NDP_VIEW_STRIDED) {
        is_whole = ndp_json_put(object, "strides", ndp_json_from_extents(view->strides_bytes, view->ndim)) &&
                   (view->offset_bytes == 0 || ndp_json_put(object, "offset", ndp_json_from_i64(view->offset_bytes)));
    }
    return ndp_json_finish(object, is_whole);
}
