#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_dtype_vectors.h"
#include "codec/pickle/pickle_write.h"
#include "describe/dtype_json.h"

enum { ARENA_BYTES = 1 << 20 };

struct fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_error error;
};

static void set_up(struct fixture *fixture) {
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    ndp_objects_init(&fixture->objects, &fixture->arena);
    fixture->error = (struct ndp_error){0};
}

static const struct ndp_dtype *dtype_of(struct fixture *fixture, const char *json) {
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(ndp_dtype_parse(&fixture->arena, ndp_bytes_view(json), &ndp_describe_default_limits, &dtype, NULL),
                     NDP_OK);
    return dtype;
}

static struct ndp_pickle_maker maker_of(struct fixture *fixture, enum ndp_numpy_release release) {
    return (struct ndp_pickle_maker){.objects = &fixture->objects, .release = release, .error = &fixture->error};
}

/* The vectors are from a little-endian machine, where '<' dtypes are singletons. */
static void pickles_equal_numpys(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickle_dtype_vectors) * 3; i++) {
        const enum ndp_numpy_release release = (enum ndp_numpy_release)(i % 3);
        const struct ndp_pickle_form form = {.protocol = 2};
        struct fixture fixture;
        struct ndp_object *object = NULL;
        set_up(&fixture);
        NDP_BUFFER_SCOPED(out, ARENA_BYTES);
        NDP_BUFFER_SCOPED(digits, ARENA_BYTES);
        struct ndp_pickle_maker maker = maker_of(&fixture, release);
        const struct ndp_dtype *dtype = dtype_of(&fixture, pickle_dtype_vectors[i / 3].json);
        assert_int_equal(ndp_pickle_dtype_make(&maker, dtype, false, &object), NDP_OK);
        assert_int_equal(ndp_pickle_write(&fixture.objects, object, &form, ndp_write_to_buffer, &out, NULL), NDP_OK);
        assert_int_equal(ndp_hex_add(&digits, ndp_buffer_view(&out)), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&digits), ndp_bytes_view(pickle_dtype_hex(i / 3, release))))
            fail_msg("%s, release %zu: %.*s", pickle_dtype_vectors[i / 3].json, i % 3, (int)digits.size_bytes,
                     (const char *)digits.data);
        ndp_objects_clear(&fixture.objects);
        ndp_arena_clear(&fixture.arena);
    }
}

/* numpy.dtype("<i4") is a singleton, numpy.dtype("S3") is not; a record dtype differs from both. */
static void numpys_singletons_are_singletons(void **state) {
    struct fixture fixture;
    struct ndp_object *made[6] = {NULL};
    set_up(&fixture);
    struct ndp_pickle_maker maker = maker_of(&fixture, NDP_NUMPY_2_3);
    const struct ndp_dtype *text = dtype_of(&fixture, "\"|S3\"");
    assert_int_equal(ndp_pickle_dtype_make(&maker, dtype_of(&fixture, "\"|i1\""), false, &made[0]), NDP_OK);
    assert_int_equal(ndp_pickle_dtype_make(&maker, dtype_of(&fixture, "\"|i1\""), false, &made[1]), NDP_OK);
    assert_int_equal(ndp_pickle_dtype_make(&maker, text, false, &made[2]), NDP_OK);
    assert_int_equal(ndp_pickle_dtype_make(&maker, text, false, &made[3]), NDP_OK);
    assert_int_equal(ndp_pickle_dtype_make(&maker, dtype_of(&fixture, "\"|S3\""), false, &made[4]), NDP_OK);
    assert_int_equal(ndp_pickle_dtype_make(&maker, text, true, &made[5]), NDP_OK);
    assert_ptr_equal(made[0], made[1]);
    assert_ptr_equal(made[2], made[3]);
    assert_ptr_not_equal(made[2], made[4]);
    assert_ptr_not_equal(made[2], made[5]);
    assert_true(ndp_pickle_dtype_is_record(made[5]));
    assert_false(ndp_pickle_dtype_is_record(made[2]));
    ndp_arena_clear(&fixture.arena);
}

/* Dtypes beyond the sixty-four memoized ones are made anew, correctly. */
static void dtypes_beyond_the_memoized_ones_are_correct(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_pickle_maker maker = maker_of(&fixture, NDP_NUMPY_2_3);
    const struct ndp_dtype *dtype = dtype_of(&fixture, "\"|S3\"");
    for (uint32_t i = 0; i < 200; i++) {
        struct ndp_dtype *copy = ndp_arena_copy(&fixture.arena, dtype, sizeof(*dtype));
        struct ndp_object *object = NULL;
        char word[8];
        assert_non_null(copy);
        copy->itemsize_bytes = i + 1;
        (void)snprintf(word, sizeof(word), "S%u", i + 1);
        assert_int_equal(ndp_pickle_dtype_make(&maker, copy, false, &object), NDP_OK);
        assert_true(ndp_object_is_text(object->call->args->list.items[0], word));
    }
    ndp_arena_clear(&fixture.arena);
}

static void errors_are_reported(void **state) {
    struct fixture fixture;
    struct ndp_object *object = NULL;
    const struct ndp_dtype wrong = {
        .kind = NDP_KIND_BYTES, .itemsize_bytes = 1, .metadata = {(const uint8_t *)"[1]", 3}};
    set_up(&fixture);
    struct ndp_pickle_maker maker = maker_of(&fixture, NDP_NUMPY_2_3);
    assert_int_equal(ndp_pickle_dtype_make(&maker, &wrong, false, &object), NDP_UNSUPPORTED);
    assert_int_equal(fixture.error.status, NDP_UNSUPPORTED);
    ndp_arena_clear(&fixture.arena);
    uint64_t call = 0;
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
        set_up(&fixture);
        maker = maker_of(&fixture, NDP_NUMPY_2_3);
        const struct ndp_dtype *dtype = dtype_of(&fixture, pickle_dtype_vectors[11].json);
        ndp_arena_fail_at(&fixture.arena, ++call);
        status = ndp_pickle_dtype_make(&maker, dtype, false, &object);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        ndp_arena_clear(&fixture.arena);
    }
    assert_true(call > 50);
}

NDP_SUITE(pickle_dtype_make_test, NDP_TEST(pickles_equal_numpys), NDP_TEST(numpys_singletons_are_singletons),
          NDP_TEST(dtypes_beyond_the_memoized_ones_are_correct), NDP_TEST(errors_are_reported));
