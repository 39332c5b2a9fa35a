/* shrink_idiom.c: the smallest example of each kind of layout, with the dtype, data and memory of the value.
 *
 * Small steps end in an arbitrary example of a layout. These candidates are the examples that a person would write.
 */
#include "base/checked.h"
#include "generate/shrink_parts.h"

enum idiom_view { NO_VIEW, REVERSED, EVERY_OTHER, FROM_1, REPEATED, TRANSPOSED, FIRST_OF_2, TO_2_2, TO_2_2_F, WINDOWS };

static const struct idiom {
    uint8_t ndim;
    uint8_t shape[3];
    enum ndp_memory_order order;
    enum idiom_view view;
} idioms[] = {
    {1, {0}, NDP_MEMORY_C, NO_VIEW},          {1, {1}, NDP_MEMORY_C, NO_VIEW},
    {1, {2}, NDP_MEMORY_C, NO_VIEW},          {2, {2, 1}, NDP_MEMORY_C, NO_VIEW},
    {2, {1, 2}, NDP_MEMORY_C, NO_VIEW},       {2, {2, 2}, NDP_MEMORY_C, NO_VIEW},
    {2, {2, 2}, NDP_MEMORY_F, NO_VIEW},       {1, {2}, NDP_MEMORY_C, REVERSED},
    {1, {2}, NDP_MEMORY_C, FROM_1},           {1, {3}, NDP_MEMORY_C, EVERY_OTHER},
    {1, {1}, NDP_MEMORY_C, REPEATED},         {2, {2, 2}, NDP_MEMORY_C, TRANSPOSED},
    {2, {2, 2}, NDP_MEMORY_C, FIRST_OF_2},    {1, {4}, NDP_MEMORY_C, TO_2_2},
    {1, {4}, NDP_MEMORY_C, TO_2_2_F},         {1, {3}, NDP_MEMORY_C, WINDOWS},
    {3, {2, 2, 2}, NDP_MEMORY_C, NO_VIEW},    {3, {2, 2, 2}, NDP_MEMORY_F, NO_VIEW},
    {3, {2, 2, 2}, NDP_MEMORY_C, TRANSPOSED},
};

static const int64_t two_by_two[] = {2, 2};
static const struct ndp_slice reversed_axis[] = {{1, -1, 2}};
static const struct ndp_slice every_other[] = {{0, 2, 2}};
static const struct ndp_slice from_1[] = {{1, 1, 1}};
static const struct ndp_slice first_of_2[] = {{0, 1, 2}, {0, 1, 1}};
static const uint32_t swapped[] = {1, 0, 2};

/* Fills the view; `strides` has room for two. */
static void fill_view(const struct idiom *idiom, uint64_t itemsize_bytes, struct ndp_view *view, int64_t *strides) {
    *view = (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = 1};
    switch (idiom->view) {
    case REVERSED:
        view->slices = reversed_axis;
        break;
    case EVERY_OTHER:
        view->slices = every_other;
        break;
    case FROM_1:
        view->slices = from_1;
        break;
    case REPEATED:
        *view = (struct ndp_view){.op = NDP_VIEW_BROADCAST, .ndim = 1, .shape = two_by_two};
        break;
    case TRANSPOSED:
        *view = (struct ndp_view){.op = NDP_VIEW_TRANSPOSE, .ndim = idiom->ndim, .axes = swapped};
        break;
    case FIRST_OF_2:
        *view = (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = 2, .slices = first_of_2};
        break;
    case TO_2_2_F:
        *view = (struct ndp_view){.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = two_by_two, .order = NDP_MEMORY_F};
        break;
    case WINDOWS:
        strides[0] = (int64_t)itemsize_bytes;
        strides[1] = (int64_t)itemsize_bytes;
        *view = (struct ndp_view){.op = NDP_VIEW_STRIDED, .ndim = 2, .shape = two_by_two, .strides_bytes = strides};
        break;
    case TO_2_2:
    case NO_VIEW:
    default:
        *view = (struct ndp_view){.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = two_by_two};
        break;
    }
}

/* Each idiom with the smallest dtype, then with the value's dtype. */
static uint32_t count_idioms(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL ? 2 * NDP_ARRAY_LEN(idioms) : 0;
}

static enum ndp_status make_idiom(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    static const struct ndp_dtype smallest = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const struct idiom *idiom = &idioms[index % NDP_ARRAY_LEN(idioms)];
    struct ndp_array_value *value = &out->value.array;
    int64_t *shape = NDP_ARENA_ITEMS(shrink->arena, int64_t, idiom->ndim);
    int64_t *strides = NDP_ARENA_ITEMS(shrink->arena, int64_t, 2);
    struct ndp_view *view = NDP_ARENA_NEW(shrink->arena, struct ndp_view);
    if (shape == NULL || strides == NULL || view == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < idiom->ndim; i++) shape[i] = idiom->shape[i];
    if (index < NDP_ARRAY_LEN(idioms)) value->base.dtype = &smallest;
    value->base.ndim = idiom->ndim;
    value->base.shape = shape;
    value->base.order = idiom->order;
    fill_view(idiom, value->base.dtype->itemsize_bytes, view, strides);
    value->views = view;
    value->view_count = idiom->view != NO_VIEW;
    return NDP_OK;
}

/* The shape of the result: as a reshaped single axis, in C order and in F order, and as a plain base. */
static uint32_t count_results(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL && from->value.array.view_count > 0 ? 3 : 0;
}

static enum ndp_status make_result(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    struct ndp_array array;
    uint64_t count = 0;
    uint64_t size = 0;
    NDP_TRY(ndp_array_build_layout(shrink->scratch, value, true, &array, NULL));
    const struct ndp_layout *layout = &array.layout;
    int64_t *shape = ndp_arena_copy(shrink->arena, layout->shape, layout->ndim * sizeof *shape);
    int64_t *flat = NDP_ARENA_NEW(shrink->arena, int64_t);
    struct ndp_view *view = NDP_ARENA_NEW(shrink->arena, struct ndp_view);
    if (shape == NULL || flat == NULL || view == NULL) return NDP_NOMEM;
    if (!ndp_checked_extents_fit(shape, layout->ndim, value->base.dtype->itemsize_bytes, &count, &size))
        return NDP_INVALID;
    flat[0] = (int64_t)count;
    value->view_count = 0;
    value->base.shape = shape;
    value->base.ndim = layout->ndim;
    if (index == 2) return NDP_OK;
    *view = (struct ndp_view){.op = NDP_VIEW_RESHAPE, .ndim = layout->ndim, .shape = shape};
    if (index == 1) view->order = NDP_MEMORY_F;
    value->base.shape = flat;
    value->base.ndim = 1;
    value->views = view;
    value->view_count = 1;
    return NDP_OK;
}

const struct ndp_shrink_family ndp_shrink_idiom_families[] = {
    {count_results, make_result}, {count_idioms, make_idiom}, {NULL, NULL}};
