#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/pickle/pickle_dtype_vectors.h"
#include "codec/pickle/pickle_read_fixture.h"
#include "describe/dtype_json.h"

/* Reads a pickle of a dtype and appends its JSON to `text`. */
static enum ndp_status read_dtype(struct ndp_bytes pickle, struct ndp_buffer *text, struct ndp_error *error) {
    struct reading reading;
    const struct ndp_dtype *dtype = NULL;
    reading_start(&reading, pickle, NULL);
    assert_int_equal(reading.status, NDP_OK);
    struct ndp_pickle_dtype_reader reader = {.arena = &reading.arena, .objects = &reading.objects, .error = error};
    const enum ndp_status status = ndp_pickle_dtype_read(&reader, reading.pickle.root, &dtype);
    text->size_bytes = 0;
    assert_int_equal(dtype == NULL, status != NDP_OK);
    if (status == NDP_OK) assert_int_equal(ndp_dtype_print(text, dtype), NDP_OK);
    reading_end(&reading);
    return status;
}

static void check_good(struct ndp_bytes pickle, const char *json) {
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(text, 1 << 16);
    if (read_dtype(pickle, &text, &error) != NDP_OK) fail_msg("%s: %s", json, error.text);
    if (!ndp_bytes_is_equal(ndp_buffer_view(&text), ndp_bytes_view(json)))
        fail_msg("%.*s, not %s", (int)text.size_bytes, (const char *)text.data, json);
}

static void dtypes_of_every_release_are_read(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickle_dtype_vectors) * 3; i++) {
        struct ndp_bytes bytes;
        NDP_ARENA_SCOPED(arena, 1 << 16);
        const char *hex = pickle_dtype_hex(i / 3, (enum ndp_numpy_release)(i % 3));
        assert_int_equal(ndp_hex_read(&arena, hex, &bytes, NULL), NDP_OK);
        check_good(bytes, pickle_dtype_vectors[i / 3].json);
    }
}

/* Handmade after arraydescr_setstate; NumPy 2.4.6 loads each as that dtype. */
static void older_states_are_read(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        const char *json;
    } rows[] = {
#define I4 "cnumpy\ndtype\n(Vi4\nI00\nI01\ntR"
#define V8 "cnumpy\ndtype\n(VV8\nI00\nI01\ntR"
        {BYTES(I4 "(V<\nNNI-1\nI-1\ntb."), "\"<i4\""},
        {BYTES(I4 "(I0\nV<\nNNI-1\nI-1\ntb."), "\"<i4\""},
        {BYTES(I4 "(I1\nV>\nNNI4\nI4\ntb."), "\">i4\""},
        {BYTES(I4 "(I2\nV<\nNNNI-1\nI-1\ntb."), "\"<i4\""},
        {BYTES(I4 "(I3\nS'>'\nNNNI-1\nI-1\nI0\ntb."), "\">i4\""},
        {BYTES(I4 "(I4\nV<\nNNNI-1\nI-1\nI0\nNtb."), "\"<i4\""},
        {BYTES(V8 "(V|\nN(I-1\n(Va\nVb\ntVa\n(" I4 "(V<\nNNI-1\nI-1\ntbI0\ntVb\n(" I4
                  "(V<\nNNI-1\nI-1\ntbI4\ntdI8\nI1\ntb."),
         "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"<i4\"},"
         "{\"name\":\"b\",\"offset\":4,\"dtype\":\"<i4\"}],\"itemsize\":8}"},
        {BYTES("cnumpy\ndtype\n(cnumpy\nrecord\nI00\nI01\ntR(I3\nV|\nNNNI5\nI1\nI0\ntb."), "\"|V5\""},
        {BYTES("cnumpy\ndtype\n(VV0\nI00\nI01\ntR(I3\nV|\nN(t(dI0\nI1\nI16\ntb."), "{\"fields\":[],\"itemsize\":0}"},
        /* No copy, but nothing to set. */
        {BYTES("cnumpy\ndtype\n(VV0\nI00\ntR(I3\nV|\nNNNI0\nI1\nI0\ntb."), "\"|V0\""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) check_good(rows[i].pickle, rows[i].json);
}

/* Without a copy NumPy 1.26 to 2.5 return the shared native dtype, regardless of the state. */
static void a_shared_type_keeps_no_order(void **state) {
    static const struct {
        struct ndp_bytes little, big;
        uint64_t offset_bytes;
    } rows[] = {
        {BYTES("cnumpy\ndtype\n(Vi4\nI00\ntR(I1\nV<\nNNI4\nI4\ntb."),
         BYTES("cnumpy\ndtype\n(Vi4\nI00\ntR(I1\nV>\nNNI4\nI4\ntb."), 22},
        {BYTES("cnumpy\ndtype\n(Vi4\nI00\nI00\ntR(I1\nV<\nNNI4\nI4\ntb."),
         BYTES("cnumpy\ndtype\n(Vi4\nI00\nI00\ntR(I1\nV>\nNNI4\nI4\ntb."), 26},
    };
    const bool is_little = ndp_byteorder_host_is_little();
    NDP_BUFFER_SCOPED(text, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        check_good(is_little ? rows[i].little : rows[i].big, is_little ? "\"<i4\"" : "\">i4\"");
        assert_int_equal(read_dtype(is_little ? rows[i].big : rows[i].little, &text, &error), NDP_UNSUPPORTED);
        assert_int_equal(error.offset_bytes, rows[i].offset_bytes);
    }
}

/* NumPy 2.5 swaps all fields of an array of a structure in foreign order, but not of a nested structure or one in
 * native order. */
static void a_structure_has_no_order_of_its_own(void **state) {
#define FIELD(order, dtype)                                                                                            \
    "cnumpy\ndtype\n(VV4\nI00\nI01\ntR(I3\nV" order "\nN(Va\nt(Va\n(" dtype "I0\ntdI4\nI1\nI16\ntb"
    static const struct ndp_bytes alone[] = {BYTES(FIELD("<", I4 "(I3\nV<\nNNNI-1\nI-1\nI0\ntb") "."),
                                             BYTES(FIELD(">", I4 "(I3\nV<\nNNNI-1\nI-1\nI0\ntb") ".")};
    static const struct ndp_bytes inside[] = {BYTES(FIELD("|", FIELD("<", I4 "(I3\nV<\nNNNI-1\nI-1\nI0\ntb")) "."),
                                              BYTES(FIELD("|", FIELD(">", I4 "(I3\nV<\nNNNI-1\nI-1\nI0\ntb")) ".")};
#undef FIELD
    const bool is_little = ndp_byteorder_host_is_little();
    struct ndp_error error = {0};
    NDP_BUFFER_SCOPED(text, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(alone); i++) {
        const enum ndp_status status = (i == 0) == is_little ? NDP_OK : NDP_UNSUPPORTED;
        assert_int_equal(read_dtype(alone[i], &text, &error), status);
        assert_int_equal(read_dtype(inside[i], &text, &error), NDP_OK);
    }
}

/* Each has one error, at the offset of the opcode that made the faulty object. NumPy accepts some of them. */
static void inconsistent_states_are_refused_with_offset(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        enum ndp_status status;
        uint64_t offset_bytes;
    } rows[] = {
        {BYTES("N."), NDP_INVALID, 0},
        {BYTES("cm\nf\n(tR."), NDP_UNSUPPORTED, 7},
        /* NumPy 1.26 to 2.5 return the shared void: no fields, sub-array or size. */
        {BYTES("cnumpy\ndtype\n(VV0\nI00\ntR(I3\nV|\nN(t(dI0\nI1\nI16\ntb."), NDP_UNSUPPORTED, 22},
        {BYTES("cnumpy\ndtype\n(cnumpy\nvoid\nI00\ntR(I3\nV|\nNNNI5\nI1\nI0\ntb."), NDP_UNSUPPORTED, 30},
        {BYTES(I4 "."), NDP_INVALID, 27},
        {BYTES(I4 "Nb."), NDP_INVALID, 28},
        {BYTES(I4 "(V<\nNNI-1\ntb."), NDP_INVALID, 38},
        {BYTES(I4 "(I4\nV<\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 49},
        {BYTES(I4 "(I3\nV|\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 32},
        {BYTES(I4 "(I3\nV!\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 32},
        {BYTES(I4 "(I3\nV<>\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 32},
        {BYTES(I4 "(I3\nV<\nNNNI8\nI-1\nI0\ntb."), NDP_INVALID, 38},
        {BYTES(I4 "(I3\nV<\nNNNI-1\nI3\nI0\ntb."), NDP_INVALID, 42},
        {BYTES(I4 "(I3\nV<\nNNNI-1\nI-1\nI1\ntb."), NDP_INVALID, 46},
        {BYTES(I4 "(I3\nV<\nNNNI-1\nI-1\nI256\ntb."), NDP_INVALID, 46},
        {BYTES(I4 "(I3\nV<\nN(tNI-1\nI-1\nI0\ntb."), NDP_INVALID, 37},
        {BYTES(V8 "(I3\nV|\nN(tNI8\nI1\nI0\ntb."), NDP_INVALID, 37},
        {BYTES(V8 "(I3\nV|\nN(Va\nt(dI8\nI1\nI16\ntb."), NDP_INVALID, 37},
        {BYTES(V8 "(I3\nV|\nN(t(Va\nNdI8\nI1\nI16\ntb."), NDP_INVALID, 43},
        /* NumPy 1.23 to 2.5: non-tuple names in Numpy dtype unpickling. */
        {BYTES(V8 "(I3\nV|\nN(l(dI8\nI1\nI16\ntb."), NDP_INVALID, 39},
        {BYTES(V8 "(I3\nV|\n(NtNNI8\nI1\nI0\ntb."), NDP_INVALID, 37},
        {BYTES("cnumpy\ndtype\n(Vi3\nI00\nI01\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 14},
        /* NumPy 2.4: data type 'i4\x00' not understood. */
        {BYTES("cnumpy\ndtype\n(Vi4\0\nI00\nI01\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntb."), NDP_INVALID, 14},
        {BYTES("cnumpy\ndtype\n(cm\nT\nI00\nI01\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntb."), NDP_UNSUPPORTED, 14},
        {BYTES("cnumpy\ndtype\n(VM8\nI00\nI01\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntb."), NDP_UNSUPPORTED, 32},
        {BYTES("cnumpy\ndtype\n(VM8\nI00\nI01\ntR(I4\nV<\nNNNI-1\nI-1\nI0\n(N(Vq\nI1\nI1\nI1\ntttb."), NDP_INVALID, 64},
        /* A sub-array of itself, through the memo. */
        {BYTES("cnumpy\ndtype\n(VV8\nI00\nI01\ntRp0\n(I3\nV|\n(g0\n(I1\nttNNI8\nI1\nI0\ntb."), NDP_LIMIT, 27},
    };
    NDP_BUFFER_SCOPED(text, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        const enum ndp_status status = read_dtype(rows[i].pickle, &text, &error);
        if (status != rows[i].status || error.offset_bytes != rows[i].offset_bytes)
            fail_msg("row %zu: %s at %d: %s", i, ndp_status_name(status), (int)error.offset_bytes, error.text);
    }
}

static void records_are_recognised(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        bool is_record;
    } rows[] = {
        {BYTES("cnumpy\ndtype\n(cnumpy\nrecord\ntR."), true},
        {BYTES("cnumpy\ndtype\n(cnumpy.core.records\nrecord\ntR."), true},
        {BYTES("cnumpy\ndtype\n(cnumpy\nvoid\ntR."), false},
        {BYTES("cnumpy\ndtype\n(VV8\ntR."), false},
        {BYTES("cnumpy\ndtype\n(tR."), false},
        {BYTES("N."), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading reading;
        reading_start(&reading, rows[i].pickle, NULL);
        assert_int_equal(ndp_pickle_dtype_is_record(reading.pickle.root), rows[i].is_record);
        reading_end(&reading);
    }
    assert_false(ndp_pickle_dtype_is_record(NULL));
}

/* Row 11 has fields, a title and a sub-array; row 8 a unit of time; the last row metadata. */
static void every_failing_allocation_is_reported(void **state) {
    static const size_t numbers[] = {8, 11, NDP_ARRAY_LEN(pickle_dtype_vectors) - 1};
    for (size_t i = 0; i < NDP_ARRAY_LEN(numbers); i++) {
        struct reading reading;
        struct ndp_bytes bytes;
        uint64_t call = 0;
        enum ndp_status status = NDP_NOMEM;
        NDP_ARENA_SCOPED(arena, 1 << 16);
        assert_int_equal(ndp_hex_read(&arena, pickle_dtype_hex(numbers[i], NDP_NUMPY_2_3), &bytes, NULL), NDP_OK);
        reading_start(&reading, bytes, NULL);
        while (status != NDP_OK) {
            const struct ndp_dtype *dtype = NULL;
            struct ndp_error error = {0};
            struct ndp_pickle_dtype_reader reader = {
                .arena = &reading.arena, .objects = &reading.objects, .error = &error};
            ndp_arena_fail_at(&reading.arena, ++call);
            status = ndp_pickle_dtype_read(&reader, reading.pickle.root, &dtype);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("row %zu, allocation %d: %s", numbers[i], (int)call, error.text);
        }
        assert_true(call > 2);
        reading_end(&reading);
    }
}

NDP_SUITE(pickle_dtype_read_test, NDP_TEST(dtypes_of_every_release_are_read), NDP_TEST(older_states_are_read),
          NDP_TEST(a_shared_type_keeps_no_order), NDP_TEST(a_structure_has_no_order_of_its_own),
          NDP_TEST(inconsistent_states_are_refused_with_offset), NDP_TEST(records_are_recognised),
          NDP_TEST(every_failing_allocation_is_reported));
