/* pickle_array_make_test.c: expected: view.__reduce_ex__(5) of NumPy 2.4.6 and 1.26.4 with a = numpy.arange(24,
 * dtype="<i2").reshape(2, 3, 4). */
#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/data_memory.h"
#include "codec/pickle/pickle_array.h"
#include "describe/dtype_json.h"

enum { ARENA_BYTES = 1 << 20 };

static const struct ndp_dtype i2 = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};

struct fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_pickle_maker maker;
    struct ndp_error error;
    uint8_t data[48];
    struct ndp_object *object;
    struct ndp_blob blob;
};

static void set_up(struct fixture *fixture, enum ndp_numpy_release release) {
    *fixture = (struct fixture){.error = {0}};
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    ndp_objects_init(&fixture->objects, &fixture->arena);
    fixture->maker =
        (struct ndp_pickle_maker){.objects = &fixture->objects, .release = release, .error = &fixture->error};
    for (uint8_t i = 0; i < 24; i++) fixture->data[2 * i] = i;
}

static void tear_down(struct fixture *fixture) {
    ndp_data_free(fixture->blob.owned);
    ndp_objects_clear(&fixture->objects);
    ndp_arena_clear(&fixture->arena);
}

static enum ndp_status make_array(struct fixture *fixture, const struct ndp_dtype *dtype,
                                  const struct ndp_layout *layout, const struct ndp_array_form *form) {
    const struct ndp_elements elements = {dtype, layout, fixture->data};
    return ndp_pickle_array_make(&fixture->maker, &elements, form, &fixture->object, &fixture->blob);
}

static void check_numbers(const struct ndp_object *tuple, const char *expected) {
    assert_true(ndp_object_is(tuple, NDP_OBJECT_TUPLE));
    assert_int_equal(tuple->list.count, strlen(expected));
    for (uint64_t i = 0; i < tuple->list.count; i++)
        assert_int_equal(ndp_object_integer(tuple->list.items[i]), expected[i] - '0');
}

/* order: argument of _frombuffer in 2.4.6; "": _reconstruct. NumPy 1.26.4 uses _reconstruct in C order for K. */
static const struct {
    const char *view;
    struct ndp_layout layout;
    const char *order;
    const char *shape; /* extents in the pickle, one digit each */
    const char *axes;
    uint8_t first[4]; /* elements */
} views[] = {
    {"a", {3, {2, 3, 4}, {24, 8, 2}, 0}, "C", "234", NULL, {0, 1, 2, 3}},
    {"a.T", {3, {4, 3, 2}, {2, 8, 24}, 0}, "F", "432", NULL, {0, 1, 2, 3}},
    {"a.transpose(1, 2, 0)", {3, {3, 4, 2}, {8, 2, 24}, 0}, "K", "234", "120", {0, 1, 2, 3}},
    {"a.transpose(2, 0, 1)", {3, {4, 2, 3}, {2, 24, 8}, 0}, "K", "234", "201", {0, 1, 2, 3}},
    {"a[::-1]", {3, {2, 3, 4}, {-24, 8, 2}, 24}, "", "234", NULL, {12, 13, 14, 15}},
    {"a[:, ::2]", {3, {2, 2, 4}, {24, 16, 2}, 0}, "", "224", NULL, {0, 1, 2, 3}},
    {"a[:, 3:]", {3, {2, 0, 4}, {24, 8, 2}, 24}, "C", "204", NULL, {0}},
    {"a[0, 0, 0]", {0, {0}, {0}, 0}, "C", "", NULL, {0}},
    {"a[:, :1].transpose(1, 0, 2)", {3, {1, 2, 4}, {8, 24, 2}, 0}, "", "124", NULL, {0, 1, 2, 3}},
    {"broadcast_to(a[0, 0], (2, 4))", {2, {2, 4}, {0, 2}, 0}, "", "24", NULL, {0, 1, 2, 3}},
    {"a.transpose(1, 0, 2)[::-1]", {3, {3, 2, 4}, {-8, 24, 2}, 16}, "", "324", NULL, {8, 9, 10, 11}},
    {"as_strided(a, (3, 4, 2, 1), (8, 2, 24, -2**62))[..., ::2]",
     {4, {3, 4, 2, 1}, {8, 2, 24, INT64_MIN}, 0},
     "K",
     "2341",
     "1203",
     {0, 1, 2, 3}},
    {"as_strided(a, (3, 4, 2, 1), (8, 2, 24, -2**62))",
     {4, {3, 4, 2, 1}, {8, 2, 24, INT64_MIN / 2}, 0},
     "K",
     "1234",
     "2310",
     {0, 1, 2, 3}},
};

static void views_are_reduced_as_numpy_does(void **state) {
    const struct ndp_array_form form = {.protocol = 5};
    for (size_t i = 0; i < NDP_ARRAY_LEN(views); i++) {
        struct fixture fixture;
        set_up(&fixture, NDP_NUMPY_2_3);
        assert_int_equal(make_array(&fixture, &i2, &views[i].layout, &form), NDP_OK);
        const struct ndp_call *call = fixture.object->call;
        const struct ndp_object_list *list = &call->args->list;
        const bool is_buffer = ndp_object_is_global(call->callable, "numpy._core.numeric", "_frombuffer");
        if (is_buffer != (views[i].order[0] != '\0')) fail_msg("%s: another function", views[i].view);
        if (is_buffer) {
            assert_true(ndp_object_is(list->items[0], NDP_OBJECT_BYTEARRAY));
            check_numbers(list->items[2], views[i].shape);
            assert_true(ndp_object_is_text(list->items[3], views[i].order));
            assert_int_equal(list->count, views[i].axes == NULL ? 4 : 5);
            if (views[i].axes != NULL) check_numbers(list->items[4], views[i].axes);
        } else {
            assert_true(ndp_object_is_global(call->callable, "numpy._core.multiarray", "_reconstruct"));
            assert_true(ndp_object_is_global(list->items[0], "numpy", "ndarray"));
            check_numbers(call->state->list.items[1], views[i].shape);
            assert_int_equal(ndp_object_integer(call->state->list.items[3]), 0);
            assert_true(ndp_bytes_is_equal(call->state->list.items[4]->bytes, fixture.blob.bytes));
        }
        assert_int_equal(fixture.blob.bytes.size_bytes, ndp_layout_count(&views[i].layout) * 2);
        for (uint64_t k = 0; k < 4 && 2 * k < fixture.blob.bytes.size_bytes; k++)
            if (fixture.blob.bytes.data[2 * k] != views[i].first[k]) fail_msg("%s: element %d", views[i].view, (int)k);
        /* Contiguous elements are borrowed. */
        if (is_buffer && fixture.blob.bytes.size_bytes > 0) assert_ptr_equal(fixture.blob.bytes.data, fixture.data);
        tear_down(&fixture);
    }
}

static void releases_and_protocols_differ(void **state) {
    struct fixture fixture;
    const struct ndp_array_form forms[] = {
        {.protocol = 5},
        {.protocol = 4},
        {.protocol = 5, .is_readonly = true},
        {.protocol = 5, .is_out_of_band = true, .is_readonly = true},
        {.protocol = 5, .class_module = "numpy", .class_name = "matrix"},
    };
    set_up(&fixture, NDP_NUMPY_1);
    assert_int_equal(make_array(&fixture, &i2, &views[2].layout, &forms[0]), NDP_OK);
    assert_true(ndp_object_is_global(fixture.object->call->callable, "numpy.core.multiarray", "_reconstruct"));
    assert_int_equal(fixture.blob.bytes.data[2], 12); /* gathered in C order */
    assert_non_null(fixture.blob.owned);
    tear_down(&fixture);
    for (size_t i = 1; i < NDP_ARRAY_LEN(forms); i++) {
        set_up(&fixture, NDP_NUMPY_1);
        assert_int_equal(make_array(&fixture, &i2, &views[1].layout, &forms[i]), NDP_OK);
        const struct ndp_call *call = fixture.object->call;
        const bool is_buffer = ndp_object_is_global(call->callable, "numpy.core.numeric", "_frombuffer");
        assert_int_equal(is_buffer, i == 2 || i == 3);
        if (i == 1) assert_true(call->state->list.items[3]->truth); /* F order */
        if (i == 2) assert_true(ndp_object_is(call->args->list.items[0], NDP_OBJECT_BYTES));
        if (i == 3) assert_true(ndp_object_is(call->args->list.items[0], NDP_OBJECT_BUFFER));
        if (i == 3) assert_true(call->args->list.items[0]->is_readonly);
        if (i == 4) assert_true(ndp_object_is_global(call->args->list.items[0], "numpy", "matrix"));
        tear_down(&fixture);
    }
}

/* Expected: whether numpy.zeros(2, dtype).__reduce_ex__(5) of 2.4.6 uses _frombuffer. It does for dtypes with a buffer
 * format, which long doubles have in native order only. */
static void dtypes_without_a_buffer_format_use_reconstruct(void **state) {
    const bool is_little = ndp_byteorder_host_is_little();
    const struct {
        const char *json;
        bool is_buffer;
    } rows[] = {
        {"\"<f16\"", is_little},
        {"\"|V3\"", true},
        {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":{\"base\":\"<i2\",\"shape\":[2]}}],\"itemsize\":4}",
         true},
        {"\">f16\"", !is_little},
        {"\"<M8[s]\"", false},
        {"{\"fields\":[{\"name\":\"a:b\",\"offset\":0,\"dtype\":\"<i2\"}],\"itemsize\":2}", false},
        {"{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i2\"},{\"name\":\"b\",\"offset\":2,\"dtype\":\"<M8[s]"
         "\"}],"
         "\"itemsize\":10}",
         false},
        {"{\"fields\":[{\"name\":\"a\",\"offset\":2,\"dtype\":\"<i2\"},{\"name\":\"b\",\"offset\":0,\"dtype\":\"<i2\"}]"
         ","
         "\"itemsize\":4}",
         false},
    };
    const struct ndp_array_form form = {.protocol = 5};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture fixture;
        struct ndp_layout layout;
        const int64_t shape[] = {2};
        const struct ndp_dtype *dtype = NULL;
        set_up(&fixture, NDP_NUMPY_2_3);
        assert_int_equal(
            ndp_dtype_parse(&fixture.arena, ndp_bytes_view(rows[i].json), &ndp_describe_default_limits, &dtype, NULL),
            NDP_OK);
        assert_int_equal(ndp_layout_contiguous(&layout, shape, 1, dtype->itemsize_bytes, NDP_MEMORY_C, 0), NDP_OK);
        assert_int_equal(make_array(&fixture, dtype, &layout, &form), NDP_OK);
        const struct ndp_object *callable = fixture.object->call->callable;
        if (ndp_object_is_global(callable, "numpy._core.numeric", "_frombuffer") != rows[i].is_buffer)
            fail_msg("%s", rows[i].json);
        tear_down(&fixture);
    }
}

static void errors_are_reported(void **state) {
    const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    const struct ndp_layout huge = {.ndim = 2, .shape = {INT64_C(1) << 32, INT64_C(1) << 32}};
    struct fixture fixture;
    for (int i = 0; i < 2; i++) {
        const struct ndp_array_form form = {.protocol = 5};
        set_up(&fixture, NDP_NUMPY_2_3);
        assert_int_equal(make_array(&fixture, i == 0 ? &object : &i2, i == 0 ? &views[0].layout : &huge, &form),
                         i == 0 ? NDP_UNSUPPORTED : NDP_LIMIT);
        assert_true(fixture.error.text[0] != '\0');
        assert_null(fixture.object);
        tear_down(&fixture);
    }
    for (uint32_t protocol = 4; protocol <= 5; protocol++) {
        const struct ndp_array_form form = {.protocol = protocol};
        uint64_t call = 0;
        for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
            set_up(&fixture, NDP_NUMPY_2_3);
            ndp_arena_fail_at(&fixture.arena, ++call);
            status = make_array(&fixture, &i2, &views[2].layout, &form);
            assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
            if (status != NDP_OK) assert_null(fixture.blob.owned);
            tear_down(&fixture);
        }
        assert_true(call > 20);
    }
}

NDP_SUITE(pickle_array_make_test, NDP_TEST(views_are_reduced_as_numpy_does), NDP_TEST(releases_and_protocols_differ),
          NDP_TEST(dtypes_without_a_buffer_format_use_reconstruct), NDP_TEST(errors_are_reported));
