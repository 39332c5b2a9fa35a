#include "base/suite.h"
#include "model/view_cases.h"

enum { MEMORY_BYTES = 1 << 20 };

/* The value of a row. Its bytes are in `arena`. */
static struct ndp_array_value value_of(struct ndp_arena *arena, const struct view_case *row) {
    uint64_t size_bytes = row->dtype->itemsize_bytes;
    for (uint32_t i = 0; i < row->base_ndim; i++) size_bytes *= (uint64_t)row->base_shape[i];
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    assert_non_null(bytes);
    for (uint64_t i = 0; i < size_bytes; i++) bytes[i] = (uint8_t)(7 * i + 3);
    return (struct ndp_array_value){
        .base = {.dtype = row->dtype,
                 .ndim = row->base_ndim,
                 .shape = row->base_shape,
                 .order = row->order,
                 .data = {.pattern = NDP_PATTERN_HEX, .bytes = {bytes, size_bytes}},
                 .misalign_bytes = row->misalign_bytes,
                 .is_readonly = row->is_base_readonly,
                 .has_map = row->has_map,
                 .map_mode = row->mode,
                 .map_offset_bytes = row->map_offset_bytes},
        .views = row->views,
        .view_count = row->view_count,
        .is_readonly = row->is_readonly,
    };
}

static uint32_t flags_of(const char *letters) {
    uint32_t flags = 0;
#define ADD_FLAG(name, letter, word)                                                                                   \
    if (strchr(letters, letter)) flags |= NDP_FLAG_##name;
    NDP_FLAG_LIST(ADD_FLAG)
#undef ADD_FLAG
    return flags;
}

static void check_layout(const struct view_case *row, const struct ndp_array *array,
                         const struct ndp_observation *seen) {
    const int64_t start_bytes = row->has_map ? (int64_t)row->map_offset_bytes : 0;
    if (seen->flags != flags_of(row->flags)) fail_msg("%s: flags are %x", row->what, seen->flags);
    if (seen->ndim != row->ndim) fail_msg("%s: %u axes", row->what, seen->ndim);
    for (uint32_t i = 0; i < row->ndim; i++) {
        if (seen->shape[i] != row->shape[i]) fail_msg("%s: extent %u", row->what, i);
        if (row->shape[i] > 1 && seen->strides_bytes[i] != row->strides_bytes[i])
            fail_msg("%s: stride %u is %ld", row->what, i, (long)seen->strides_bytes[i]);
    }
    if (seen->dtype->itemsize_bytes != row->itemsize_bytes) fail_msg("%s: itemsize", row->what);
    if (row->place_bytes == ANYWHERE) return;
    if ((array->copy_count > 0) != (row->place_bytes == DETACHED)) fail_msg("%s: shares or copies", row->what);
    if (array->copy_count == 0 && array->layout.offset_bytes - start_bytes != row->place_bytes)
        fail_msg("%s: element 0 is at %ld", row->what, (long)array->layout.offset_bytes);
}

static void check_elements(struct ndp_arena *arena, const struct view_case *row, const struct ndp_observation *seen) {
    struct ndp_bytes elements = {NULL, 0};
    if (row->elements) assert_int_equal(ndp_hex_read(arena, row->elements, &elements, NULL), NDP_OK);
    if (!row->is_all_zero) {
        if (!ndp_bytes_is_equal(seen->elements, elements)) fail_msg("%s: elements", row->what);
        return;
    }
    assert_true(seen->elements.size_bytes > 0);
    for (uint64_t i = 0; i < seen->elements.size_bytes; i++)
        if (seen->elements.data[i] != 0) fail_msg("%s: byte %lu is not zero", row->what, (unsigned long)i);
}

static void check_backing(const struct view_case *row, const struct ndp_observation *seen) {
    const char *class_name = row->class_name ? row->class_name : "ndarray";
    const struct ndp_backing *backing = &seen->backing;
    const bool is_mapped = row->has_map && row->place_bytes != ANYWHERE && row->place_bytes != DETACHED;
    if (!ndp_bytes_is_equal(seen->class_name, ndp_bytes_view(class_name))) fail_msg("%s: class", row->what);
    if (backing->is_map_class != (row->class_name != NULL)) fail_msg("%s: is a map class", row->what);
    if ((backing->claims == NDP_BACKING_CASE) != row->has_attributes) fail_msg("%s: claims", row->what);
    if (backing->has_mode != row->has_attributes || backing->has_offset != row->has_attributes)
        fail_msg("%s: has mode and offset", row->what);
    if (row->has_attributes && (backing->mode != row->mode || backing->offset_bytes != row->map_offset_bytes))
        fail_msg("%s: mode or offset", row->what);
    if (backing->is_mapped != is_mapped || backing->has_position != is_mapped) fail_msg("%s: mapped", row->what);
    if (is_mapped && backing->position_bytes != row->map_offset_bytes + (uint64_t)row->place_bytes)
        fail_msg("%s: position is %lu", row->what, (unsigned long)backing->position_bytes);
}

static void views_are_those_of_numpy(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        struct ndp_array array;
        struct ndp_observation seen;
        struct ndp_error error;
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        const struct ndp_array_value value = value_of(&arena, &cases[i]);
        if (ndp_array_build(&arena, &value, true, &array, &error) != NDP_OK)
            fail_msg("%s: %s: %s", cases[i].what, error.path, error.text);
        assert_int_equal(ndp_array_observe(&arena, &array, &seen), NDP_OK);
        check_layout(&cases[i], &array, &seen);
        check_elements(&arena, &cases[i], &seen);
        check_backing(&cases[i], &seen);
    }
}

/* Every allocation fails once; earlier results stay intact. */
static void every_failed_allocation_is_an_error(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_array array;
            struct ndp_observation seen = {.ndim = 99};
            struct ndp_error error = {.status = NDP_OK};
            NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
            const struct ndp_array_value value = value_of(&arena, &cases[i]);
            ndp_arena_fail_at(&arena, call);
            status = ndp_array_build(&arena, &value, true, &array, &error);
            if (status != NDP_OK) assert_int_equal(error.status, NDP_NOMEM);
            if (status == NDP_OK) status = ndp_array_observe(&arena, &array, &seen);
            if (status != NDP_OK) {
                assert_int_equal(status, NDP_NOMEM);
                assert_int_equal(seen.ndim, 99);
                assert_true(call < 64);
            }
        }
    }
}

struct refusal {
    const char *what;
    const struct ndp_dtype *dtype;
    uint32_t base_ndim;
    int64_t base_shape[2];
    const char *path;
    uint32_t view_count;
    struct ndp_view views[MAX_VIEWS];
};

#define VIEW(number) "/value/array/views/" #number

/* {"names": ["o", "n"], "formats": ["O", "<i4"]} */
static const struct ndp_dtype sample_held = {
    .kind = NDP_KIND_STRUCT,
    .itemsize_bytes = 12,
    .fields = FIELDS({.name = TEXT("o"), .offset_bytes = 0, .dtype = &sample_O},
                     {.name = TEXT("n"), .offset_bytes = 8, .dtype = &sample_i4}),
    .field_count = 2,
};

/* NumPy 1.26.4 and 2.4.6 refuse these, except the last four groups. */
/* clang-format off */
static const struct refusal refusals[] = {
    {"another count", &sample_i8, 1, {6}, VIEW(0), 1, {RESHAPE(2, 4)}},
    {"negative extent", &sample_i8, 1, {6}, VIEW(0), 1, {RESHAPE(-2, -3)}},
    {"zero and too large", &sample_i8, 1, {0}, VIEW(0), 1, {RESHAPE(0, INT64_MAX)}},
    {"no permutation", &sample_i8, 2, {2, 3}, VIEW(0), 1, {TRANSPOSE(2, 0, 0)}},
    {"no such axis", &sample_i8, 2, {2, 3}, VIEW(0), 1, {TRANSPOSE(2, 0, 2)}},
    {"too few axes", &sample_i8, 2, {2, 3}, VIEW(0), 1, {TRANSPOSE(1, 0)}},
    {"new axis too far", &sample_i8, 1, {2}, VIEW(0), 1, {{.op = NDP_VIEW_NEWAXIS, .axis = 2}}},
    {"broadcast of 2 to 3", &sample_i8, 1, {2}, VIEW(0), 1, {BROADCAST(3)}},
    {"broadcast to fewer axes", &sample_i8, 2, {1, 1}, VIEW(0), 1, {BROADCAST(1)}},
    {"broadcast to too many elements", &sample_i8, 1, {1}, VIEW(0), 1, {BROADCAST(INT64_MAX, 2)}},
    {"no such field", &sample_pack, 1, {2}, VIEW(0), 1, {FIELD("z")}},
    {"field of a number", &sample_i8, 1, {2}, VIEW(0), 1, {FIELD("a")}},
    {"field of a number, later", &sample_pack, 1, {2}, VIEW(1), 2, {FIELD("a"), FIELD("a")}},
    {"0-d of another size", &sample_i8, 0, {0}, VIEW(0), 1, {AS(f4)}},
    {"size that does not divide", &sample_i8, 1, {3}, VIEW(0), 1, {AS(V3)}},
    {"axis that does not divide", &sample_i8, 1, {3}, VIEW(0), 1, {AS(c16)}},
    {"last axis not contiguous", &sample_i8, 2, {2, 4}, VIEW(1), 2, {TRANSPOSE(2, 1, 0), AS(f4)}},
    {"to items without a byte", &sample_i8, 1, {2}, VIEW(0), 1, {AS(S0)}},
    {"sub-array of another size", &sample_i8, 1, {2}, VIEW(0), 1, {AS(sub)}},
    {"references as numbers", &sample_O, 1, {2}, VIEW(0), 1, {AS(i8)}},
    {"numbers as references", &sample_i8, 1, {2}, VIEW(0), 1, {AS(O)}},
    /* NumPy clips slices; a descriptor contains the clipped slice, which must be valid. */
    {"slice past the end", &sample_i8, 1, {3}, VIEW(0), 1, {SLICE(0, 2, 3)}},
    {"slice before the start", &sample_i8, 1, {3}, VIEW(0), 1, {SLICE(1, -1, 3)}},
    {"slice of step 0", &sample_i8, 1, {3}, VIEW(0), 1, {SLICE(0, 0, 1)}},
    {"slice whose last index overflows", &sample_i8, 1, {3}, VIEW(0), 1, {SLICE(2, INT64_MAX, 2)}},
    {"slice whose stride overflows", &sample_i8, 1, {3}, VIEW(0), 1, {SLICE(0, INT64_MAX, 1)}},
    /* numpy.lib.stride_tricks.as_strided does not check bounds. */
    {"window past the end", &sample_i8, 1, {3}, VIEW(0), 1, {WINDOW(2, 8, 9)}},
    {"window before the start", &sample_i8, 1, {3}, VIEW(0), 1, {WINDOW(2, -8, 7)}},
    {"window outside what a slice left", &sample_i8, 1, {3}, VIEW(1), 2, {SLICE(1, 1, 1), WINDOW(1, 8, -8)}},
    {"window of references that steps into one", &sample_O, 1, {4}, VIEW(0), 1, {WINDOW(5, 6, 0)}},
    {"window of references that begins in one", &sample_O, 1, {4}, VIEW(0), 1, {WINDOW(1, 8, 4)}},
    {"window that takes numbers for references", &sample_held, 1, {3}, VIEW(0), 1, {WINDOW(2, 20, 0)}},
    {"window whose address overflows", &sample_i8, 1, {3}, VIEW(0), 1, {WINDOW(3, INT64_MAX, 0)}},
    /* NumPy up to 2.4 returns the array itself and zeros; 2.5 returns new arrays with the result of each object. */
    {"real part of objects", &sample_O, 1, {2}, VIEW(0), 1, {{.op = NDP_VIEW_REAL}}},
    {"imaginary part of objects", &sample_O, 1, {2}, VIEW(0), 1, {{.op = NDP_VIEW_IMAG}}},
    /* The padding of a copy is undefined memory. */
    {"padding of a copy as elements", &sample_pack, 2, {2, 2}, VIEW(2), 3,
     {TRANSPOSE(2, 1, 0), RESHAPE(4), WINDOW(1, 1, 1)}},
    {"padding of a copy beside a field", &sample_pack, 2, {2, 2}, VIEW(3), 4,
     {TRANSPOSE(2, 1, 0), RESHAPE(4), FIELD("a"), WINDOW(1, 1, 1)}},
    {"references beside a field", &sample_held, 1, {2}, VIEW(2), 3, {FIELD("n"), SLICE(0, 1, 2), WINDOW(1, 1, 4)}},
};
/* clang-format on */

static void views_that_do_not_apply_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(refusals); i++) {
        const struct refusal *row = &refusals[i];
        struct ndp_array array = {.buffer_bytes = 77};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
        const struct ndp_array_value value = {
            .base = {.dtype = row->dtype, .ndim = row->base_ndim, .shape = row->base_shape},
            .views = row->views,
            .view_count = row->view_count,
        };
        const enum ndp_status status = ndp_array_build(&arena, &value, true, &array, &error);
        if (status != NDP_INVALID || error.status != NDP_INVALID)
            fail_msg("%s: %s", row->what, ndp_status_name(status));
        if (strcmp(error.path, row->path) != 0) fail_msg("%s: path %s", row->what, error.path);
        assert_int_equal(array.buffer_bytes, 77);
    }
}

static void there_are_at_most_64_axes(void **state) {
    struct ndp_array from = {.dtype = &sample_i8}, to;
    struct ndp_view view = {.op = NDP_VIEW_NEWAXIS};
    NDP_ARENA_SCOPED(arena, MEMORY_BYTES);
    for (int i = 0; i < NDP_MAX_NDIM; i++) {
        assert_int_equal(ndp_array_view(&arena, &from, &view, &to, NULL), NDP_OK);
        from = to;
    }
    assert_int_equal(from.layout.ndim, 64);
    assert_int_equal(ndp_array_view(&arena, &from, &view, &to, NULL), NDP_INVALID);
}

NDP_SUITE(view_test, NDP_TEST(views_are_those_of_numpy), NDP_TEST(every_failed_allocation_is_an_error),
          NDP_TEST(views_that_do_not_apply_are_refused), NDP_TEST(there_are_at_most_64_axes));
