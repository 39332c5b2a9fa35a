#include "base/suite.h"
#include "codec/pickle/pickle_array.h"
#include "codec/pickle/pickle_read_fixture.h"

/* Parts of handmade pickles, modelled on NumPy's in protocols 0 and 5. */
#define NDARRAY "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntVb\ntR"
#define MATRIX  "cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nmatrix\n(I0\ntVb\ntR"
#define BUFFER  "cnumpy.core.numeric\n_frombuffer\n("
#define SCALAR  "cnumpy.core.multiarray\nscalar\n("
#define MASKED  "cnumpy.ma.core\n_mareconstruct\n(cnumpy.ma.core\nMaskedArray\ncnumpy\nndarray\n(I0\ntVb\ntR"
#define I2      "cnumpy\ndtype\n(Vi2\nI00\nI01\ntR(V<\nNNI-1\nI-1\ntb"
#define OBJECT  "cnumpy\ndtype\n(VO8\nI00\nI01\ntR(I3\nV|\nNNNI-1\nI-1\nI63\ntb"
#define FOUR                                                                                                           \
    "C\x04"                                                                                                            \
    "abcd"

static const struct ndp_pickle_buffer buffers[] = {{BYTES("abcd"), false}, {BYTES("abcd"), true}};

/* A pickle and its array; '@' marks the opcode of an error. */
struct array_reading {
    struct reading reading;
    struct ndp_buffer pickle;
    uint64_t fault_bytes;
    struct ndp_pickled_array array;
    struct ndp_error error;
    enum ndp_status status;
};

static void read_array(struct array_reading *run, struct ndp_bytes marked, uint64_t fail_at) {
    *run = (struct array_reading){.fault_bytes = NDP_NO_OFFSET};
    ndp_buffer_init(&run->pickle, 1 << 16);
    for (uint64_t i = 0; i < marked.size_bytes; i++) {
        if (marked.data[i] == '@') run->fault_bytes = run->pickle.size_bytes;
        if (marked.data[i] != '@') assert_int_equal(ndp_buffer_add(&run->pickle, &marked.data[i], 1), NDP_OK);
    }
    reading_start(&run->reading, ndp_buffer_view(&run->pickle), NULL);
    assert_int_equal(run->reading.status, NDP_OK);
    struct ndp_array_reader reader = {
        .dtypes = {.arena = &run->reading.arena, .objects = &run->reading.objects, .error = &run->error},
        .buffers = buffers,
        .buffer_count = NDP_ARRAY_LEN(buffers)};
    ndp_arena_fail_at(&run->reading.arena, fail_at);
    run->status = ndp_pickle_array_read(&reader, run->reading.pickle.root, &run->array);
}

static void end_array(struct array_reading *run) {
    reading_end(&run->reading);
    ndp_buffer_clear(&run->pickle);
}

/* Expected: shape, strides, writeability, elements and mask in NumPy 2.4.6. */
static void arrays_equal_numpys(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        struct ndp_layout layout;
        bool is_writeable;
        const char *bytes;
        const char *class;
    } rows[] = {
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "I00\n" FOUR "tb."), {1, {2}, {2}, 0}, true, "abcd", NULL},
        {BYTES(NDARRAY "(I1\n(I1\nI2\nt" I2 "I01\n" FOUR "tb."), {2, {1, 2}, {2, 2}, 0}, true, "abcd", NULL},
        {BYTES(NDARRAY "((I2\nI1\nt" I2 "I0\n" FOUR "tb."), {2, {2, 1}, {2, 2}, 0}, true, "abcd", NULL},
        {BYTES(NDARRAY "(I0\n(I2\nt" I2 "I0\nS'abcd'\ntb."), {1, {2}, {2}, 0}, true, "abcd", NULL},
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "I00\nVab\xe9\xff\ntb."), {1, {2}, {2}, 0}, true, "ab\xe9\xff", NULL},
        {BYTES(NDARRAY "(I1\n(I0\nt" I2 "I00\nC\x00tb."), {1, {0}, {2}, 0}, true, "", NULL},
        {BYTES(MATRIX "(I1\n(I1\nI2\nt" I2 "I00\n" FOUR "tb."), {2, {1, 2}, {4, 2}, 0}, true, "abcd", "matrix"},
        {BYTES(MATRIX "(I1\n(I2\nt" I2 "I00\n" FOUR "Ntb."), {1, {2}, {2}, 0}, true, "abcd", "matrix"},
        {BYTES(MATRIX "((I1\n(I2\nt" I2 "I00\n" FOUR "t}tb."), {1, {2}, {2}, 0}, true, "abcd", "matrix"},
        {BYTES(BUFFER FOUR I2 "(I2\ntVC\ntR."), {1, {2}, {2}, 0}, false, "abcd", NULL},
        {BYTES(BUFFER "\x96\x04\x00\x00\x00\x00\x00\x00\x00"
                      "abcd" I2 "(I1\nI2\ntVF\ntR."),
         {2, {1, 2}, {2, 2}, 0},
         true,
         "abcd",
         NULL},
        {BYTES(BUFFER FOUR I2 "(I1\nI2\ntVK\n(I1\nI0\nttR."), {2, {2, 1}, {2, 4}, 0}, false, "abcd", NULL},
        {BYTES(SCALAR I2 "C\x02"
                         "abtR."),
         {0, {0}, {0}, 0},
         true,
         "ab",
         NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct array_reading run;
        read_array(&run, rows[i].pickle, 0);
        if (run.status != NDP_OK) fail_msg("row %zu: %s", i, run.error.text);
        assert_true(ndp_pickle_array_is_array(run.reading.pickle.root));
        assert_int_equal(run.array.dtype->itemsize_bytes, 2);
        assert_int_equal(run.array.layout.ndim, rows[i].layout.ndim);
        for (uint32_t k = 0; k < rows[i].layout.ndim; k++) {
            if (run.array.layout.shape[k] != rows[i].layout.shape[k] ||
                run.array.layout.strides_bytes[k] != rows[i].layout.strides_bytes[k])
                fail_msg("row %zu, axis %u", i, k);
        }
        if (i + 1 < NDP_ARRAY_LEN(rows)) assert_int_equal(run.array.is_writeable, rows[i].is_writeable);
        assert_int_equal(run.array.is_scalar, i + 1 == NDP_ARRAY_LEN(rows));
        assert_true(ndp_bytes_is_equal(run.array.bytes, ndp_bytes_view(rows[i].bytes)));
        if ((run.array.class != NULL) != (rows[i].class != NULL)) fail_msg("row %zu: its class", i);
        if (rows[i].class != NULL) assert_true(ndp_object_is_global(run.array.class, "numpy", rows[i].class));
        end_array(&run);
    }
}

static void masks_objects_and_subclass_states_are_read(void **state) {
    struct array_reading run;
    read_array(&run, (struct ndp_bytes)BYTES(MASKED "(I1\n(I2\nt" I2 "I00\n" FOUR "C\x02\x00\x01I7\ntb."), 0);
    assert_int_equal(run.status, NDP_OK);
    assert_true(run.array.is_masked);
    assert_memory_equal(run.array.mask.data, "\0\1", 2);
    assert_int_equal(ndp_object_integer(run.array.fill_value), 7);
    end_array(&run);
    read_array(&run, (struct ndp_bytes)BYTES(NDARRAY "(I1\n(I2\nt" OBJECT "I00\n(NI5\nltb."), 0);
    assert_int_equal(run.status, NDP_OK);
    assert_int_equal(run.array.items->list.count, 2);
    assert_int_equal(run.array.bytes.size_bytes, 0);
    end_array(&run);
    read_array(&run, (struct ndp_bytes)BYTES(MATRIX "(I1\n(I2\nt" I2 "I00\n" FOUR "NI5\ntb."), 0);
    assert_int_equal(run.status, NDP_OK);
    assert_false(run.array.is_pair);
    assert_int_equal(run.array.extra->list.count, 2);
    assert_int_equal(ndp_object_integer(run.array.extra->list.items[1]), 5);
    end_array(&run);
    read_array(&run, (struct ndp_bytes)BYTES(MATRIX "((I1\n(I2\nt" I2 "I00\n" FOUR "t}tb."), 0);
    assert_true(run.array.is_pair);
    assert_int_equal(run.array.extra->kind, NDP_OBJECT_DICT);
    end_array(&run);
}

static void buffers_are_borrowed(void **state) {
    static const struct ndp_bytes pickle = BYTES(BUFFER "\x97" I2 "(I2\ntVC\ntR.");
    for (uint64_t index = 0; index < 3; index++) {
        const struct ndp_pickle_options options = {.buffer_count = 1};
        struct reading reading;
        struct ndp_pickled_array array;
        struct ndp_error error = {0};
        reading_start(&reading, pickle, &options);
        assert_int_equal(reading.status, NDP_OK);
        reading.pickle.root->call->args->list.items[0]->index = index;
        struct ndp_array_reader reader = {
            .dtypes = {.arena = &reading.arena, .objects = &reading.objects, .error = &error},
            .buffers = buffers,
            .buffer_count = NDP_ARRAY_LEN(buffers)};
        const enum ndp_status status = ndp_pickle_array_read(&reader, reading.pickle.root, &array);
        assert_int_equal(status, index < 2 ? NDP_OK : NDP_INVALID);
        if (status == NDP_OK) assert_ptr_equal(array.bytes.data, buffers[index].bytes.data);
        if (status == NDP_OK) assert_int_equal(array.is_writeable, index == 0);
        if (status == NDP_OK) assert_int_equal(array.buffer->index, index);
        reading_end(&reading);
    }
}

/* '@' precedes the opcode that made the faulty object; for a tuple that is its last opcode. */
static void inconsistent_arrays_are_refused_with_offset(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        enum ndp_status status;
    } rows[] = {
        {BYTES("cm\nf\n(t@R."), NDP_UNSUPPORTED},
        {BYTES("@N."), NDP_UNSUPPORTED},
        {BYTES("cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntVb\nt@R."), NDP_INVALID},
        {BYTES(NDARRAY "@Nb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "@tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I2\n(I2\nt" I2 "I00\n" FOUR "@tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "I00\n" FOUR "N@tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n@I2\n" I2 "I00\n" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I-2\n@t" I2 "I00\n" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I4611686018427387904\n@t" I2 "I00\n" FOUR "tb."), NDP_LIMIT},
        {BYTES(NDARRAY "(I1\n(I2\nt@NI00\n" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "@Vx\n" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I3\nt" I2 "I00\n@" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I1\nt" I2 "I00\n@" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" I2 "I00\n@]tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" OBJECT "I00\n@" FOUR "tb."), NDP_INVALID},
        {BYTES(NDARRAY "(I1\n(I2\nt" OBJECT "I00\n(N@ltb."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I2\nt@VA\ntR."), NDP_UNSUPPORTED},
        {BYTES(BUFFER FOUR I2 "(I2\nt@VX\ntR."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I2\nt@VK\ntR."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I2\nt@VC\n(I0\nttR."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I1\nI2\ntVK\n(I0\nI0\n@ttR."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I1\nI2\ntVK\n(I0\nI2\n@ttR."), NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I1\nI2\ntVK\n(I0\n@ttR."), NDP_INVALID},
        {BYTES(BUFFER "@N" I2 "(I2\ntVC\ntR."), NDP_INVALID},
        {BYTES(BUFFER "@" FOUR I2 "(I3\ntVC\ntR."), NDP_INVALID},
        {BYTES(BUFFER FOUR "cnumpy\ndtype\n(VO8\nI00\nI01\nt@R(I3\nV|\nNNNI-1\nI-1\nI63\ntb(I2\ntVC\ntR."),
         NDP_INVALID},
        {BYTES(BUFFER FOUR I2 "(I2\ntVC\ntR@]b."), NDP_INVALID},
        {BYTES(SCALAR I2 "@tR."), NDP_INVALID},
        {BYTES(SCALAR OBJECT "N@tR."), NDP_UNSUPPORTED},
        {BYTES(SCALAR I2 "@C\x01"
                         "atR."),
         NDP_INVALID},
        {BYTES(MASKED "(I1\n(I2\nt" I2 "I00\n" FOUR "@C\x01\x00Ntb."), NDP_INVALID},
        {BYTES(MASKED "(I1\n(I2\nt" I2 "I00\n" FOUR "C\x02\x00\x01@tb."), NDP_INVALID},
        {BYTES(MASKED "(@I2\n(I2\nt" I2 "I00\n" FOUR "C\x02\x00\x01Ntb."), NDP_INVALID},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct array_reading run;
        read_array(&run, rows[i].pickle, 0);
        if (run.status != rows[i].status || run.error.offset_bytes != run.fault_bytes)
            fail_msg("row %zu: %s at %d, not %d: %s", i, ndp_status_name(run.status), (int)run.error.offset_bytes,
                     (int)run.fault_bytes, run.error.text);
        assert_null(run.array.object);
        end_array(&run);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    static const struct ndp_bytes pickles[] = {BYTES(MATRIX "(I1\n(I2\nt" I2 "I00\nVab\xe9\xff\nNtb."),
                                               BYTES(MASKED "(I1\n(I2\nt" I2 "I00\n" FOUR "V\x80\xff\nNtb.")};
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        enum ndp_status status = NDP_NOMEM;
        uint64_t call = 0;
        while (status != NDP_OK) {
            struct array_reading run;
            read_array(&run, pickles[i], ++call);
            status = run.status;
            if (status != NDP_OK && status != NDP_NOMEM) fail_msg("row %zu, %d: %s", i, (int)call, run.error.text);
            end_array(&run);
        }
        assert_true(call > 4);
    }
}

NDP_SUITE(pickle_array_read_test, NDP_TEST(arrays_equal_numpys), NDP_TEST(masks_objects_and_subclass_states_are_read),
          NDP_TEST(buffers_are_borrowed), NDP_TEST(inconsistent_arrays_are_refused_with_offset),
          NDP_TEST(every_failing_allocation_is_reported));
