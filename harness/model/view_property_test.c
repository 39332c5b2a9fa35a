/* view_property_test.c: where the elements of views lie, calculated a second time: from the index of an element
 * backwards through the views to a byte of the base, without strides. The model goes forwards and uses strides alone.
 */
#include "base/suite.h"
#include "generate/generate.h"
#include "model/array.h"

enum { SEEDS = 20000, LEAST_VALUES = 3000, SAMPLES = 8 };
enum { BASE_BYTES = 4096, ELEMENTS = 1 << 16 };

/* An array after some of its views. */
struct stage {
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    const struct ndp_dtype *dtype;
};

/* One byte of an element. */
struct spot {
    int64_t index[NDP_MAX_NDIM];
    int64_t byte;
};

static int64_t count_of(const struct stage *stage) {
    int64_t count = 1;
    for (uint32_t i = 0; i < stage->ndim; i++) count *= stage->shape[i];
    return count;
}

/* Whether every axis and their product are small. */
static bool is_small(const struct stage *stage) {
    int64_t count = 1;
    for (uint32_t i = 0; i < stage->ndim; i++) {
        if (stage->shape[i] > ELEMENTS || count > ELEMENTS) return false;
        if (stage->shape[i] > 0) count *= stage->shape[i];
    }
    return count <= ELEMENTS;
}

static void set_shape(struct stage *stage, const int64_t *shape, uint32_t ndim) {
    stage->ndim = ndim;
    for (uint32_t i = 0; i < ndim; i++) stage->shape[i] = shape[i];
}

/* The axes of a sub-array come last; the dtype is that of its elements. */
static bool set_type(struct stage *stage, const struct ndp_dtype *dtype) {
    for (; dtype->kind == NDP_KIND_SUBARRAY; dtype = dtype->base) {
        if (stage->ndim + dtype->ndim > NDP_MAX_NDIM) return false;
        for (uint32_t i = 0; i < dtype->ndim; i++) stage->shape[stage->ndim++] = dtype->shape[i];
    }
    stage->dtype = dtype;
    return true;
}

static const struct ndp_field *field_of(const struct ndp_dtype *dtype, struct ndp_bytes name) {
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (ndp_bytes_is_equal(dtype->fields[i].name, name)) return &dtype->fields[i];
    return NULL;
}

static bool set_view(struct stage *stage, const struct ndp_view *view, uint64_t new_bytes) {
    const int64_t old = (int64_t)stage->dtype->itemsize_bytes, new = (int64_t)new_bytes;
    if (new != old && (stage->ndim == 0 || new == 0)) return false;
    if (new != old) stage->shape[stage->ndim - 1] = stage->shape[stage->ndim - 1] * old / new;
    return set_type(stage, view->dtype);
}

/* A dtype that is not complex has no imaginary part in the base. */
static bool set_part(struct stage *stage, enum ndp_view_op op) {
    static const struct ndp_dtype halves[] = {{.kind = NDP_KIND_FLOAT, .itemsize_bytes = 4},
                                              {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8},
                                              {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 16}};
    if (stage->dtype->kind != NDP_KIND_COMPLEX) return op == NDP_VIEW_REAL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(halves); i++) {
        if (2 * halves[i].itemsize_bytes != stage->dtype->itemsize_bytes) continue;
        stage->dtype = &halves[i];
        return true;
    }
    return false;
}

/* Applies one view; false if this test does not know its result. */
static bool go_on(struct stage *stage, const struct ndp_view *view) {
    const struct stage from = *stage;
    const struct ndp_field *field;
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
    case NDP_VIEW_BROADCAST:
    case NDP_VIEW_STRIDED:
        set_shape(stage, view->shape, view->ndim);
        return count_of(&from) > 0;
    case NDP_VIEW_TRANSPOSE:
        for (uint32_t i = 0; i < from.ndim; i++) stage->shape[i] = from.shape[view->axes[i]];
        return true;
    case NDP_VIEW_SLICE:
        for (uint32_t i = 0; i < from.ndim; i++) stage->shape[i] = view->slices[i].count;
        return true;
    case NDP_VIEW_NEWAXIS:
        for (uint32_t i = stage->ndim++; i > view->axis; i--) stage->shape[i] = from.shape[i - 1];
        stage->shape[view->axis] = 1;
        return true;
    case NDP_VIEW_FIELD:
        field = field_of(stage->dtype, view->name);
        return field != NULL && set_type(stage, field->dtype);
    case NDP_VIEW_AS_DTYPE:
        return set_view(stage, view, view->dtype->itemsize_bytes);
    case NDP_VIEW_REAL:
    case NDP_VIEW_IMAG:
        return set_part(stage, view->op);
    case NDP_VIEW_COUNT:
        break;
    }
    return false;
}

/* The number of an element in an order, and back. */
static int64_t number_of(const struct stage *stage, const int64_t *index, enum ndp_memory_order order) {
    int64_t number = 0;
    for (uint32_t i = 0; i < stage->ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_C ? i : stage->ndim - 1 - i;
        number = number * stage->shape[axis] + index[axis];
    }
    return number;
}

static void index_of(const struct stage *stage, int64_t number, enum ndp_memory_order order, int64_t *index) {
    for (uint32_t i = 0; i < stage->ndim; i++) {
        const uint32_t axis = order == NDP_MEMORY_C ? stage->ndim - 1 - i : i;
        index[axis] = number % stage->shape[axis];
        number /= stage->shape[axis];
    }
}

/* The last axes of `to` are those of a sub-array, whose elements lie side by side. */
static void leave_subarray(const struct stage *from, const struct stage *to, struct spot *spot) {
    int64_t number = 0;
    for (uint32_t i = from->ndim; i < to->ndim; i++) number = number * to->shape[i] + spot->index[i];
    spot->byte += number * (int64_t)to->dtype->itemsize_bytes;
}

static void back_as_dtype(const struct stage *from, const struct ndp_view *view, struct spot *spot) {
    const int64_t old = (int64_t)from->dtype->itemsize_bytes, new = (int64_t)view->dtype->itemsize_bytes;
    if (old == new) return;
    const int64_t at = spot->index[from->ndim - 1] * new + spot->byte;
    spot->index[from->ndim - 1] = at / old;
    spot->byte = at % old;
}

/* Moves `spot` to the same byte in the array before the view. STRIDED has no index there: *jump_bytes is the distance
 * from its element 0. */
static void go_back(const struct stage *from, const struct stage *to, const struct ndp_view *view, struct spot *spot,
                    int64_t *jump_bytes) {
    const struct spot at = *spot;
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
        index_of(from, number_of(to, at.index, view->order), view->order, spot->index);
        break;
    case NDP_VIEW_TRANSPOSE:
        for (uint32_t i = 0; i < from->ndim; i++) spot->index[view->axes[i]] = at.index[i];
        break;
    case NDP_VIEW_SLICE:
        for (uint32_t i = 0; i < from->ndim; i++)
            spot->index[i] = view->slices[i].start + at.index[i] * view->slices[i].step;
        break;
    case NDP_VIEW_NEWAXIS:
        for (uint32_t i = view->axis; i < from->ndim; i++) spot->index[i] = at.index[i + 1];
        break;
    case NDP_VIEW_BROADCAST:
        for (uint32_t i = 0; i < from->ndim; i++)
            spot->index[i] = from->shape[i] == 1 ? 0 : at.index[i + to->ndim - from->ndim];
        break;
    case NDP_VIEW_STRIDED:
        *jump_bytes += view->offset_bytes + at.byte;
        for (uint32_t i = 0; i < to->ndim; i++) *jump_bytes += at.index[i] * view->strides_bytes[i];
        *spot = (struct spot){.byte = 0};
        break;
    case NDP_VIEW_FIELD:
        leave_subarray(from, to, spot);
        spot->byte += (int64_t)field_of(from->dtype, view->name)->offset_bytes;
        break;
    case NDP_VIEW_AS_DTYPE:
        leave_subarray(from, to, spot);
        back_as_dtype(from, view, spot);
        break;
    case NDP_VIEW_IMAG:
        spot->byte += (int64_t)to->dtype->itemsize_bytes;
        break;
    case NDP_VIEW_REAL:
    case NDP_VIEW_COUNT:
        break;
    }
}

static uint8_t byte_at(int64_t place) {
    return (uint8_t)ndp_rng_mix(0x76696577, (uint64_t)place);
}

static bool has_op(const struct ndp_array_value *value, enum ndp_view_op op) {
    for (uint32_t i = 0; i < value->view_count; i++)
        if (value->views[i].op == op) return true;
    return false;
}

/* The byte of the base that the model must show at `spot` of the last stage. */
static int64_t place_of(const struct ndp_array_value *value, const struct stage *stages, const struct spot *spot) {
    struct spot at = *spot;
    int64_t jump = 0;
    for (uint32_t i = value->view_count; i-- > 0;) go_back(&stages[i], &stages[i + 1], &value->views[i], &at, &jump);
    const int64_t number = number_of(&stages[0], at.index, value->base.order);
    return number * (int64_t)stages[0].dtype->itemsize_bytes + at.byte + jump;
}

/* Returns how many bytes were compared. */
static uint64_t compare_samples(const struct ndp_array *array, const struct ndp_array_value *value,
                                const struct stage *stages, uint64_t seed) {
    const struct stage *last = &stages[value->view_count];
    struct ndp_rng rng;
    assert_int_equal(array->layout.ndim, last->ndim);
    for (uint32_t i = 0; i < last->ndim; i++) assert_int_equal(array->layout.shape[i], last->shape[i]);
    if (count_of(last) == 0 || last->dtype->itemsize_bytes == 0) return 0;
    ndp_rng_init(&rng, seed);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        struct spot spot = {.byte = (int64_t)(ndp_rng_next(&rng) % last->dtype->itemsize_bytes)};
        index_of(last, (int64_t)(ndp_rng_next(&rng) % (uint64_t)count_of(last)), NDP_MEMORY_C, spot.index);
        const uint8_t got = array->buffer[ndp_layout_at(&array->layout, spot.index) + spot.byte];
        if (got != byte_at(place_of(value, stages, &spot))) fail_msg("seed %d, sample %d", (int)seed, (int)i);
    }
    return SAMPLES;
}

/* Fills every stage; false if one is unknown or large. */
static bool walk(const struct ndp_array_value *value, struct stage *stages) {
    set_shape(&stages[0], value->base.shape, value->base.ndim);
    stages[0].dtype = value->base.dtype;
    if (!is_small(&stages[0])) return false;
    for (uint32_t i = 0; i < value->view_count; i++) {
        stages[i + 1] = stages[i];
        if (!go_on(&stages[i + 1], &value->views[i]) || !is_small(&stages[i + 1])) return false;
    }
    return true;
}

/* Builds the value over bytes that follow from their places, and compares. Returns how many bytes were compared. */
static uint64_t check_value(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t seed) {
    struct stage stages[NDP_MAX_VIEWS + 1];
    struct ndp_array_value marked = *value;
    struct ndp_array array;
    const struct ndp_dtype *dtype = value->base.dtype;
    if (!dtype || value->view_count == 0 || dtype->kind == NDP_KIND_SUBARRAY || ndp_dtype_has_object(dtype) ||
        !walk(value, stages))
        return 0;
    const int64_t size = count_of(&stages[0]) * (int64_t)dtype->itemsize_bytes;
    uint8_t *bytes = size <= BASE_BYTES ? ndp_arena_alloc(arena, (uint64_t)size) : NULL;
    if (!bytes) return 0;
    for (int64_t i = 0; i < size; i++) bytes[i] = byte_at(i);
    marked.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, (uint64_t)size}};
    if (ndp_array_build(arena, &marked, true, &array, NULL) != NDP_OK) return 0;
    /* A copy defines neither the padding of a structure nor what as_strided reaches outside of it. */
    if (array.copy_count > 0 && (dtype->kind == NDP_KIND_STRUCT || has_op(value, NDP_VIEW_STRIDED))) return 0;
    return compare_samples(&array, &marked, stages, seed);
}

static void elements_of_views_are_those_of_the_base(void **state) {
    static const struct ndp_generate_limits limits = {.value_bytes = BASE_BYTES, .without_objects = true};
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
    uint64_t values = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_choices choices;
        struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        values += value.kind == NDP_VALUE_ARRAY && check_value(&arena, &value.array, seed) > 0;
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
    assert_true(values >= LEAST_VALUES);
}

NDP_SUITE(view_property_test, NDP_TEST(elements_of_views_are_those_of_the_base));
