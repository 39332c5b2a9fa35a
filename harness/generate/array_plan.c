/* array_plan.c: generates arrays with wished features, and names the features of any array.
 *
 * Method. The result comes first: its dtype, then its extents, then the views that lead to it and the base below them,
 * then memory and elements. No wish can therefore spoil an earlier one. The features of a value are found from its
 * descriptor and layout alone, so a wish that failed is not counted as covered.
 */
#include "generate/array_plan.h"

#include <string.h>

#include "generate/array_plan_parts.h"

enum { PAGE_BYTES = 4096 };

#define VALUE_WORD(name, word) word,
static const char *const element_words[] = {NDP_PLAN_ELEMENT_LIST(VALUE_WORD)};
static const char *const item_words[] = {NDP_PLAN_ITEM_LIST(VALUE_WORD)};
static const char *const order_words[] = {NDP_PLAN_ORDER_LIST(VALUE_WORD)};
static const char *const notes_words[] = {NDP_PLAN_NOTES_LIST(VALUE_WORD)};
static const char *const axes_words[] = {NDP_PLAN_AXES_LIST(VALUE_WORD)};
static const char *const layout_words[] = {NDP_PLAN_LAYOUT_LIST(VALUE_WORD)};
static const char *const memory_words[] = {NDP_PLAN_MEMORY_LIST(VALUE_WORD)};
static const char *const offset_words[] = {NDP_PLAN_OFFSET_LIST(VALUE_WORD)};
static const char *const content_words[] = {NDP_PLAN_CONTENT_LIST(VALUE_WORD)};
static const char *const size_words[] = {NDP_PLAN_SIZE_LIST(VALUE_WORD)};
static const char *const side_words[] = {NDP_PLAN_SIDE_LIST(VALUE_WORD)};

static const struct {
    const char *name;
    const char *const *words;
    uint32_t count;
} parameters[NDP_PLAN_PARAMETERS] = {
    [NDP_PLAN_ELEMENT] = {"element", element_words, NDP_ELEMENT_COUNT},
    [NDP_PLAN_ITEM] = {"itemsize", item_words, NDP_ITEM_COUNT},
    [NDP_PLAN_ORDER] = {"byte-order", order_words, NDP_LEAVES_COUNT},
    [NDP_PLAN_NOTES] = {"dtype-notes", notes_words, NDP_NOTES_COUNT},
    [NDP_PLAN_AXES] = {"axes", axes_words, NDP_AXES_COUNT},
    [NDP_PLAN_LAYOUT] = {"layout", layout_words, NDP_LAYOUT_COUNT},
    [NDP_PLAN_MEMORY] = {"memory", memory_words, NDP_PLACE_COUNT},
    [NDP_PLAN_OFFSET] = {"map-offset", offset_words, NDP_OFFSET_COUNT},
    [NDP_PLAN_CONTENT] = {"content", content_words, NDP_CONTENT_COUNT},
    [NDP_PLAN_SIZE] = {"size", size_words, NDP_SIZE_COUNT},
    [NDP_PLAN_SIDE] = {"side", side_words, NDP_SIDE_COUNT},
};

void ndp_array_plan_add_parameters(struct ndp_covering_model *model) {
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++) {
        struct ndp_covering_parameter *parameter = &model->parameters[model->count++];
        *parameter = (struct ndp_covering_parameter){
            .name = parameters[p].name, .values = parameters[p].words, .count = parameters[p].count};
        if (p == NDP_PLAN_SIZE) parameter->costly_from = NDP_SIZE_256K;
        if (p == NDP_PLAN_AXES) parameter->costly_from = NDP_AXES_HUGE;
    }
}

/* ---- generation ---- */

static void take_map(struct ndp_choices *choices, const struct ndp_covering_row *row, enum ndp_map_mode mode,
                     struct ndp_base *base) {
    static const uint64_t odd[] = {1, 3, 63, PAGE_BYTES - 1, PAGE_BYTES + 1};
    const uint8_t offset = row->values[NDP_PLAN_OFFSET];
    base->has_map = true;
    base->map_mode = mode;
    if (offset == NDP_OFFSET_ALIGNED)
        base->map_offset_bytes =
            64 * ndp_choose_between(choices, 1, PAGE_BYTES / 64 - 1) + (ndp_choose_rarely(choices, 4) ? PAGE_BYTES : 0);
    if (offset == NDP_OFFSET_PAGE) base->map_offset_bytes = PAGE_BYTES * ndp_choose_between(choices, 1, 2);
    if (offset == NDP_OFFSET_ODD) base->map_offset_bytes = odd[ndp_choose(choices, NDP_ARRAY_LEN(odd))];
}

static void take_memory(struct ndp_choices *choices, const struct ndp_covering_row *row,
                        struct ndp_array_value *value) {
    struct ndp_base *base = &value->base;
    switch ((enum ndp_plan_memory)row->values[NDP_PLAN_MEMORY]) {
    case NDP_PLACE_MISALIGNED:
        base->misalign_bytes = (uint32_t)ndp_choose_between(choices, 1, 15);
        return;
    case NDP_PLACE_READONLY_BASE:
        base->is_readonly = true;
        return;
    case NDP_PLACE_READONLY_FLAG:
        value->is_readonly = true;
        return;
    case NDP_PLACE_MAP_READ:
        take_map(choices, row, NDP_MAP_READ, base);
        return;
    case NDP_PLACE_MAP_READ_WRITE:
        take_map(choices, row, NDP_MAP_READ_WRITE, base);
        return;
    case NDP_PLACE_MAP_WRITE:
        take_map(choices, row, NDP_MAP_WRITE, base);
        return;
    case NDP_PLACE_MAP_COPY:
        take_map(choices, row, NDP_MAP_COPY, base);
        return;
    case NDP_PLACE_PLAIN:
    case NDP_PLACE_COUNT:
        return;
    }
}

/* Chooses values for the parameters that the row leaves free. False if it finds none. */
static bool complete_row(struct ndp_choices *choices, const struct ndp_array_plan *plan,
                         const struct ndp_covering_row *row, struct ndp_covering_row *out) {
    enum { MAX_TRIES = 16 };
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        uint32_t p = 0;
        *out = *row;
        for (; p < NDP_PLAN_PARAMETERS; p++) {
            const uint32_t count = parameters[p].count;
            if (row->values[p] != NDP_COVERING_FREE) continue;
            const uint64_t from = ndp_choose(choices, p == NDP_PLAN_SIZE ? NDP_SIZE_64K : count);
            uint32_t k = 0;
            for (; k < count; k++) {
                out->values[p] = (uint8_t)((from + k) % count);
                if (ndp_array_plan_permits(plan, out)) break;
            }
            if (k == count) break;
        }
        if (p == NDP_PLAN_PARAMETERS) return true;
    }
    return false;
}

static bool has_wish(const struct ndp_covering_row *row) {
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++)
        if (row->values[p] != NDP_COVERING_FREE) return true;
    return false;
}

enum ndp_status ndp_generate_array_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_array_plan *plan, const struct ndp_covering_row *row,
                                           struct ndp_value *out) {
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    struct ndp_covering_row full;
    const struct ndp_dtype *dtype = NULL;
    int64_t shape[NDP_MAX_NDIM] = {0};
    uint32_t ndim = 0;
    if (!has_wish(row) || !complete_row(choices, plan, row, &full))
        return ndp_generate_value(arena, choices, &plan->limits, out);
    value.array.class_name = ndp_bytes_view("ndarray");
    NDP_TRY(ndp_plan_dtype(arena, choices, &full, &dtype));
    ndp_plan_shape(choices, &full, dtype->itemsize_bytes, &ndim, shape);
    NDP_TRY(ndp_plan_layout(arena, choices, &full, dtype, ndim, shape, &value.array));
    take_memory(choices, &full, &value.array);
    ndp_plan_data(choices, &full, &value.array.base);
    ndp_generate_repaired_base(&value.array.base);
    *out = value;
    return NDP_OK;
}

/* ---- features ---- */

static enum ndp_plan_memory memory_of(const struct ndp_array_value *value) {
    static const enum ndp_plan_memory by_mode[NDP_MAP_MODE_COUNT] = {
        [NDP_MAP_READ] = NDP_PLACE_MAP_READ,
        [NDP_MAP_READ_WRITE] = NDP_PLACE_MAP_READ_WRITE,
        [NDP_MAP_WRITE] = NDP_PLACE_MAP_WRITE,
        [NDP_MAP_COPY] = NDP_PLACE_MAP_COPY,
    };
    if (value->base.has_map) return by_mode[value->base.map_mode];
    if (value->base.misalign_bytes > 0) return NDP_PLACE_MISALIGNED;
    if (value->base.is_readonly) return NDP_PLACE_READONLY_BASE;
    return value->is_readonly ? NDP_PLACE_READONLY_FLAG : NDP_PLACE_PLAIN;
}

static enum ndp_plan_offset offset_of(const struct ndp_base *base) {
    const uint64_t offset = base->map_offset_bytes;
    if (!base->has_map) return NDP_OFFSET_NONE;
    if (offset == 0) return NDP_OFFSET_START;
    if (offset % PAGE_BYTES == 0) return NDP_OFFSET_PAGE;
    return offset % 64 == 0 ? NDP_OFFSET_ALIGNED : NDP_OFFSET_ODD;
}

static void set_features(const struct ndp_array_value *value, const struct ndp_array *array, uint8_t *out) {
    const struct ndp_layout *layout = &array->layout;
    out[NDP_PLAN_ELEMENT] = (uint8_t)ndp_plan_element_of(array->dtype);
    out[NDP_PLAN_ITEM] = (uint8_t)ndp_plan_item_of(array->dtype->itemsize_bytes);
    out[NDP_PLAN_ORDER] = (uint8_t)ndp_plan_order_of(array->dtype);
    out[NDP_PLAN_NOTES] = (uint8_t)ndp_plan_notes_of(array->dtype);
    out[NDP_PLAN_AXES] = (uint8_t)ndp_plan_axes_of(layout->ndim, layout->shape);
    out[NDP_PLAN_LAYOUT] = (uint8_t)ndp_plan_layout_of(value, array);
    out[NDP_PLAN_MEMORY] = (uint8_t)memory_of(value);
    out[NDP_PLAN_OFFSET] = (uint8_t)offset_of(&value->base);
    out[NDP_PLAN_CONTENT] = (uint8_t)ndp_plan_content_of(&value->base, array->dtype);
    ndp_plan_size_of(ndp_layout_count(layout), array->dtype->itemsize_bytes, &out[NDP_PLAN_SIZE], &out[NDP_PLAN_SIDE]);
}

enum ndp_status ndp_array_plan_features(const struct ndp_array_value *value, struct ndp_covering_row *out,
                                        uint64_t *size_bytes) {
    struct ndp_generate_limits limits = {.value_bytes = UINT64_C(1) << 27};
    struct ndp_arena scratch;
    struct ndp_array array;
    ndp_generate_scratch_init(&scratch, &limits);
    const enum ndp_status status = ndp_array_build_layout(&scratch, value, true, &array, NULL);
    if (status == NDP_OK) {
        set_features(value, &array, out->values);
        *size_bytes = ndp_layout_count(&array.layout) * array.dtype->itemsize_bytes;
    }
    ndp_arena_clear(&scratch);
    return status == NDP_NOMEM ? status : NDP_OK;
}
