#include "base/suite.h"
#include "target/decoded_array.h"

#define ARENA_BYTES (UINT64_C(1) << 20)

static const int64_t two_by_three[] = {2, 3}, negative[] = {2, -3}, huge[] = {INT64_MAX, 2}, empty[] = {0, 3};
static const int64_t c_strides[] = {6, 2}, f_strides[] = {2, 4};

/* Valid and invalid arrays. The reason is NULL for a valid one. */
static const struct {
    const char *dtype;
    uint64_t itemsize_bytes;
    uint32_t ndim;
    const int64_t *shape;
    bool has_data;
    const char *says;
} arrays[] = {
    {"\"<i2\"", 2, 2, two_by_three, true, NULL},
    {"\"=i2\"", 2, 2, two_by_three, true, NULL},
    {"\"<i2\"", 2, 2, empty, false, NULL},
    {"\"<i2\"", 2, 0, NULL, true, NULL},
    {NULL, 2, 2, two_by_three, true, "no dtype"},
    {"<i2", 2, 2, two_by_three, true, "cannot be parsed"},
    {"\"<i3\"", 3, 2, two_by_three, true, "cannot be parsed"},
    {"{\"fields\":[]", 0, 2, two_by_three, true, "cannot be parsed"},
    {"\"<i2\"", 4, 2, two_by_three, true, "itemsize"},
    {"\"<i2\"", 2, 65, two_by_three, true, "too many dimensions"},
    {"\"<i2\"", 2, 2, NULL, true, "no shape"},
    {"\"<i2\"", 2, 2, negative, true, "larger than memory"},
    {"\"<i2\"", 2, 2, huge, true, "larger than memory"},
    {"\"<i2\"", 2, 2, two_by_three, false, "data is NULL"},
};

static void invalid_arrays_are_refused(void **state) {
    static const uint8_t data[12];
    for (size_t i = 0; i < NDP_ARRAY_LEN(arrays); i++) {
        struct ndp_decoded_array decoded = {.array = {.dtype_json = arrays[i].dtype,
                                                      .itemsize_bytes = arrays[i].itemsize_bytes,
                                                      .ndim = arrays[i].ndim,
                                                      .shape = arrays[i].shape,
                                                      .strides_bytes = c_strides,
                                                      .data = arrays[i].has_data ? data : NULL}};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const char *why = ndp_decoded_array_check(&arena, &decoded);
        if ((why == NULL) != (arrays[i].says == NULL) || (why && !strstr(why, arrays[i].says)))
            fail_msg("array %zu: %s", i, why ? why : "accepted");
    }
}

/* Plugins made from parts of ndproof return a tree, which is checked like text. */
static void a_tree_is_checked_like_text(void **state) {
    static const uint8_t data[12], no_text[] = {0xff};
    static const struct ndp_dtype two = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    static const struct ndp_dtype three = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 3};
    static const struct ndp_field named = {.name = {no_text, 1}, .dtype = &two};
    static const struct ndp_field titled = {.has_title = true, .title = {no_text, 1}, .dtype = &two};
    const struct ndp_dtype of_named = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &named, .field_count = 1};
    const struct ndp_dtype of_titled = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &titled, .field_count = 1};
    const struct {
        const struct ndp_dtype *dtype;
        bool can_be;
    } rows[] = {{&two, true}, {&three, false}, {&of_named, false}, {&of_titled, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_decoded_array decoded = {.array = {.dtype = rows[i].dtype,
                                                      .itemsize_bytes = rows[i].dtype->itemsize_bytes,
                                                      .ndim = 2,
                                                      .shape = two_by_three,
                                                      .strides_bytes = c_strides,
                                                      .data = data}};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const char *why = ndp_decoded_array_check(&arena, &decoded);
        if ((why == NULL) != rows[i].can_be || (why && !strstr(why, "cannot be parsed")))
            fail_msg("tree %zu: %s", i, why ? why : "accepted");
        /* The dtype outlives the plugin's. */
        if (rows[i].can_be) assert_ptr_not_equal(decoded.dtype, rows[i].dtype);
    }
}

/* 0 1 2 / 3 4 5 in F order. Expected flags: NumPy's for numpy.asfortranarray of it. */
static void observes_in_c_order(void **state) {
    static const uint8_t data[] = {0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0};
    static const uint8_t elements[] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
    struct ndp_observation seen;
    struct ndp_decoded_array decoded = {.entry = "memory",
                                        .array = {.dtype_json = "\"<i2\"",
                                                  .itemsize_bytes = 2,
                                                  .ndim = 2,
                                                  .shape = two_by_three,
                                                  .strides_bytes = f_strides,
                                                  .data = data,
                                                  .is_writeable = true}};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_null(ndp_decoded_array_check(&arena, &decoded));
    assert_int_equal(ndp_decoded_array_observe(&arena, &decoded, &seen), NDP_OK);
    assert_true(ndp_bytes_is_equal(seen.elements, (struct ndp_bytes){elements, sizeof elements}));
    assert_int_equal(seen.flags & ~(uint32_t)NDP_FLAG_ALIGNED,
                     NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_OWNDATA);
    assert_true(ndp_bytes_is_equal(seen.class_name, ndp_bytes_view("ndarray")));
    assert_false(seen.backing.is_map_class);
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_decoded_array_observe(&arena, &decoded, &seen), NDP_NOMEM);
}

/* A plugin that reports a map although its memory is none is detected. */
static void false_claims_of_maps_are_detected(void **state) {
    static const uint8_t data[12];
    struct ndp_case_folder folder = {.path = ""};
    struct ndp_observation seen;
    struct ndp_decoded_array decoded = {.entry = "mmap:r+",
                                        .array = {.dtype_json = "\"<i2\"",
                                                  .itemsize_bytes = 2,
                                                  .ndim = 2,
                                                  .shape = two_by_three,
                                                  .strides_bytes = c_strides,
                                                  .data = data,
                                                  .is_mapped = true,
                                                  .file_position_bytes = 80}};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_case_file_make(&folder, 1, ndp_bytes_view("bytes"), &decoded.file), NDP_OK);
    assert_null(ndp_decoded_array_check(&arena, &decoded));
    assert_int_equal(ndp_decoded_array_observe(&arena, &decoded, &seen), NDP_OK);
    assert_true(seen.backing.is_map_class && seen.backing.has_mode && seen.backing.has_offset);
    assert_int_equal(seen.backing.mode, NDP_MAP_READ_WRITE);
    assert_int_equal(seen.backing.offset_bytes, 80);
    assert_false(seen.backing.is_mapped);
    assert_false(seen.backing.has_position);
    ndp_case_file_remove(&decoded.file);
    ndp_case_file_remove_folder(&folder);
}

NDP_SUITE(decoded_array_test, NDP_TEST(invalid_arrays_are_refused), NDP_TEST(a_tree_is_checked_like_text),
          NDP_TEST(observes_in_c_order), NDP_TEST(false_claims_of_maps_are_detected));
