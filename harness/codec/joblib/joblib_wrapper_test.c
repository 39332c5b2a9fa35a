/* joblib_wrapper_test.c: wrappers in handmade pickles of protocol 0, modelled on joblib 0.10 to 1.5. */
#include "base/suite.h"
#include "codec/joblib/joblib_sample.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/pickle_read_fixture.h"

#define I2                     "cnumpy\ndtype\n(Vi2\nI00\nI01\ntR(V<\nNNI-1\nI-1\ntb"
#define O8                     "cnumpy\ndtype\n(VO8\nI00\nI01\ntR(I3\nV|\nNNNI-1\nI-1\nI63\ntb"
#define INSTANCE(module, name) "ccopy_reg\n_reconstructor\n(c" module "\n" name "\nc__builtin__\nobject\nNtR"
#define WRAPPER                INSTANCE("joblib.numpy_pickle", "NumpyArrayWrapper")
#define SUBCLASS               "Vsubclass\ncnumpy\nndarray\n"

static void wrappers_are_recognised_by_class(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        enum ndp_joblib_wrapper_kind kind;
    } rows[] = {
        {BYTES(WRAPPER "(db."), NDP_JOBLIB_ARRAY},
        {BYTES(INSTANCE("joblib.numpy_pickle", "NDArrayWrapper") "(db."), NDP_JOBLIB_OLD},
        {BYTES(INSTANCE("joblib.numpy_pickle_compat", "ZNDArrayWrapper") "(db."), NDP_JOBLIB_OLD},
        {BYTES(INSTANCE("sklearn.externals.joblib.numpy_pickle", "NumpyArrayWrapper") "(db."), NDP_JOBLIB_ARRAY},
        {BYTES("\x80\x02"
               "cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81}b."),
         NDP_JOBLIB_ARRAY},
        {BYTES("(ijoblib.numpy_pickle\nNDArrayWrapper\n(db."), NDP_JOBLIB_OLD},
        {BYTES(INSTANCE("notjoblib.numpy_pickle", "NumpyArrayWrapper") "(db."), NDP_JOBLIB_OTHER},
        {BYTES(INSTANCE("joblib.numpy_pickle", "NumpyArrayWrapper2") "(db."), NDP_JOBLIB_OTHER},
        {BYTES(INSTANCE("numpy_pickle", "NumpyArrayWrapper") "(db."), NDP_JOBLIB_OTHER},
        {BYTES(WRAPPER "."), NDP_JOBLIB_OTHER},
        {BYTES(WRAPPER "(tb."), NDP_JOBLIB_OTHER},
        {BYTES("cjoblib.numpy_pickle\nNumpyArrayWrapper\n(tR(db."), NDP_JOBLIB_OTHER},
        {BYTES("N."), NDP_JOBLIB_OTHER},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading reading;
        reading_start(&reading, rows[i].pickle, NULL);
        assert_int_equal(reading.status, NDP_OK);
        if (ndp_joblib_wrapper_kind(reading.pickle.root) != rows[i].kind) fail_msg("row %zu", i);
        reading_end(&reading);
    }
    assert_int_equal(ndp_joblib_wrapper_kind(NULL), NDP_JOBLIB_OTHER);
}

/* The rest of the row of a wrapper that is refused. */
#define REFUSED NDP_INVALID, {.ndim = 0}, false, false, false

static void states_of_wrappers_are_read(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        enum ndp_status status;
        struct ndp_layout layout;
        bool has_padding;
        bool allow_mmap;
        bool has_objects;
    } rows[] = {
        {BYTES(WRAPPER "(" SUBCLASS "Vshape\n(I2\nI3\ntVorder\nVC\nVdtype\n" I2 "Vallow_mmap\nI01\ndb."),
         NDP_OK,
         {2, {2, 3}, {6, 2}, 0},
         false,
         true,
         false},
        {BYTES(WRAPPER "(" SUBCLASS "Vshape\n(I2\nI3\ntVorder\nVF\nVdtype\n" I2
                       "Vallow_mmap\nI00\nVnumpy_array_alignment_bytes\nI16\ndb."),
         NDP_OK,
         {2, {2, 3}, {2, 4}, 0},
         true,
         false,
         false},
        {BYTES(WRAPPER "(Vshape\n(tVorder\nS'C'\nVdtype\n" O8 "Vnumpy_array_alignment_bytes\nNdb."),
         NDP_OK,
         {0, {0}, {0}, 0},
         false,
         false,
         true},
        {BYTES(WRAPPER "(Vshape\n(tVorder\nVC\ndb."), REFUSED},
        {BYTES(WRAPPER "(Vshape\nI2\nVorder\nVC\nVdtype\n" I2 "db."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(I-1\ntVorder\nVC\nVdtype\n" I2 "db."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(tVdtype\n" I2 "db."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(tVorder\nI1\nVdtype\n" I2 "db."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(tVorder\nVC\nVdtype\nVi2\ndb."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(I4611686018427387904\ntVorder\nVC\nVdtype\n" I2 "db."), REFUSED},
        {BYTES(WRAPPER "(Vshape\n(tVorder\nVC\nVdtype\n" I2 "Vnumpy_array_alignment_bytes\nVx\ndb."), REFUSED},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading reading;
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        struct ndp_joblib_wrapper wrapper = {.count_elems = 77};
        reading_start(&reading, rows[i].pickle, NULL);
        struct ndp_pickle_dtype_reader reader = {.arena = &reading.arena, .objects = &reading.objects, .error = &error};
        const enum ndp_status status = ndp_joblib_wrapper_read(&reader, reading.pickle.root, &wrapper);
        if (status != rows[i].status) fail_msg("row %zu: %s, %s", i, ndp_status_name(status), error.text);
        if (status != NDP_OK) {
            assert_int_equal(wrapper.count_elems, 77);
            if (error.offset_bytes == NDP_NO_OFFSET) fail_msg("row %zu: no place", i);
        } else {
            assert_int_equal(wrapper.layout.ndim, rows[i].layout.ndim);
            for (uint32_t k = 0; k < rows[i].layout.ndim; k++)
                assert_int_equal(wrapper.layout.strides_bytes[k], rows[i].layout.strides_bytes[k]);
            assert_int_equal(wrapper.has_padding, rows[i].has_padding);
            assert_int_equal(wrapper.allow_mmap, rows[i].allow_mmap);
            assert_int_equal(wrapper.has_objects, rows[i].has_objects);
        }
        reading_end(&reading);
    }
}

static void raw_objects_are_arrays(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        struct ndp_bytes bytes;
        enum ndp_status status;
    } rows[] = {
        {BYTES(WRAPPER "(" SUBCLASS "Vshape\n(I2\ntVorder\nVC\nVdtype\n" I2 "db."), BYTES("abcd"), NDP_OK},
        {BYTES(WRAPPER "(Vshape\n(I2\ntVorder\nVC\nVdtype\n" O8 "db."), BYTES("abcd"), NDP_UNSUPPORTED},
        {BYTES("N."), BYTES("abcd"), NDP_UNSUPPORTED},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading reading;
        struct ndp_error error = {0};
        struct ndp_pickled_array array = {.object = NULL};
        reading_start(&reading, rows[i].pickle, NULL);
        struct ndp_raw raw = {.wrapper = reading.pickle.root, .bytes = rows[i].bytes};
        const struct ndp_object object = {.kind = NDP_OBJECT_RAW, .raw = &raw};
        struct ndp_array_reader reader = {
            .dtypes = {.arena = &reading.arena, .objects = &reading.objects, .error = &error}};
        struct ndp_joblib_wrapper parsed;
        if (ndp_joblib_wrapper_kind(raw.wrapper) == NDP_JOBLIB_ARRAY) {
            assert_int_equal(ndp_joblib_wrapper_read(&reader.dtypes, raw.wrapper, &parsed), NDP_OK);
            raw.parsed = &parsed;
        }
        const enum ndp_status status = ndp_joblib_wrapper_read_array(&reader, &object, &array);
        if (status != rows[i].status) fail_msg("row %zu: %s, %s", i, ndp_status_name(status), error.text);
        assert_int_equal(array.object != NULL, status == NDP_OK);
        if (status == NDP_OK) {
            assert_true(ndp_bytes_is_equal(array.bytes, ndp_bytes_view("abcd")));
            assert_int_equal(array.count_elems, 2);
            assert_int_equal(array.layout.strides_bytes[0], 2);
            assert_true(array.is_writeable);
            assert_true(ndp_object_is_global(array.class, "numpy", "ndarray"));
        }
        reading_end(&reading);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    uint64_t call = 0;
    SAMPLE(sample, &npy_vectors[6]);
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
        const struct ndp_joblib_form form = {.protocol = 0, .alignment_bytes = 16, .class_name = "matrix"};
        struct ndp_objects objects;
        struct ndp_object *object = NULL;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_objects_init(&objects, &arena);
        struct ndp_pickle_maker maker = {.objects = &objects, .release = NDP_NUMPY_2_3};
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_joblib_wrapper_make(&maker, &sample.elements, &form, &object);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        if (status == NDP_OK) {
            const struct ndp_object *made = object->raw->wrapper->call->state;
            assert_int_equal(ndp_joblib_wrapper_kind(object->raw->wrapper), NDP_JOBLIB_ARRAY);
            assert_true(ndp_object_is_global(ndp_object_lookup(made, "subclass"), "numpy", "matrix"));
            assert_int_equal(ndp_object_integer(ndp_object_lookup(made, "numpy_array_alignment_bytes")), 16);
            assert_ptr_equal(object->raw->elements, &sample.elements);
        }
    }
    assert_true(call > 40);
}

NDP_SUITE(joblib_wrapper_test, NDP_TEST(wrappers_are_recognised_by_class), NDP_TEST(states_of_wrappers_are_read),
          NDP_TEST(raw_objects_are_arrays), NDP_TEST(every_failing_allocation_is_reported));
