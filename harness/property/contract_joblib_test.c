#include "base/suite.h"
#include "property/property_fixture.h"

/* The byte order of the decoder decides whether the fields are foreign. Source: joblib's numpy_pickle_utils.py. */
static void foreign_byte_order_depends_on_the_decoder(void **state) {
    static const struct {
        uint64_t features;
        bool is_little_endian;
        enum ndp_promise promise;
    } rows[] = {
        {(uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, true, NDP_PROMISE_NATIVE},
        {(uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, false, NDP_PROMISE_SAME},
        {NDP_FEATURE_ALL_FIELDS_LITTLE, true, NDP_PROMISE_SAME},
        {NDP_FEATURE_ALL_FIELDS_LITTLE, false, NDP_PROMISE_NATIVE},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        FIXTURE(f, "<f8", "joblib", "file", "file", 4);
        f.other = f.target;
        f.other.is_little_endian = rows[i].is_little_endian;
        const uint64_t features = rows[i].features | (uint32_t)NDP_FEATURE_STRUCTURED;
        assert_int_equal(ndp_contract_find(NDP_FIELD_BYTE_ORDER, &f.route, &f.target, &f.other, features)->promise,
                         rows[i].promise);
    }
}

/* Expected: numpy.load and joblib.load themselves, joblib 1.1 to 1.6, and the documentation that the rows name. */
static void promises_match_joblib(void **state) {
    static const struct {
        const char *format, *encode, *decode;
        enum ndp_contract_field field;
        uint64_t features;
        enum ndp_promise promise;
    } rows[] = {
        {"joblib", "file", "file", NDP_FIELD_BYTE_ORDER, 0, NDP_PROMISE_NATIVE},
        {"joblib", "file", "mmap:r", NDP_FIELD_BYTE_ORDER, 0, NDP_PROMISE_SAME},
        {"joblib", "zlib", "mmap:r", NDP_FIELD_BYTE_ORDER, 0, NDP_PROMISE_ANY},
        {"joblib", "file", "file", NDP_FIELD_MEMORY_ORDER, 0, NDP_PROMISE_CONTIGUOUS},
        {"joblib.Parallel", "loky", "return", NDP_FIELD_BYTE_ORDER, NDP_FEATURE_AS_FILE, NDP_PROMISE_SAME},
        {"joblib.Parallel", "loky:return", "", NDP_FIELD_WRITEABLE, NDP_FEATURE_AS_FILE, NDP_PROMISE_MODE},
        {"joblib.Parallel", "loky:return", "", NDP_FIELD_CLASS, NDP_FEATURE_AS_FILE, NDP_PROMISE_NDARRAY},
        {"joblib.Parallel", "loky:return", "", NDP_FIELD_BACKING, 0, NDP_PROMISE_DETACHED},
        {"joblib.Parallel", "loky", "", NDP_FIELD_BACKING, NDP_FEATURE_AS_FILE, NDP_PROMISE_OWN_MAP},
        {"joblib.Parallel", "loky", "", NDP_FIELD_FILES, 0, NDP_PROMISE_ANY},
        {"joblib.Parallel", "loky:once", "", NDP_FIELD_FILES, 0, NDP_PROMISE_SAME},
        {"joblib.Parallel", "threading:return", "", NDP_FIELD_WRITEABLE, 0, NDP_PROMISE_SAME},
        {"joblib.Parallel", "threading", "return", NDP_FIELD_MEMORY_ORDER, 0, NDP_PROMISE_SAME},
        {"multiprocessing", "fork:process", "return", NDP_FIELD_BYTE_ORDER, 0, NDP_PROMISE_SAME},
        {"joblib.Memory", "call", "call", NDP_FIELD_WRITEABLE, 0, NDP_PROMISE_SAME},
        {"joblib.Memory", "again", "again", NDP_FIELD_WRITEABLE, 0, NDP_PROMISE_TRUE},
        {"joblib.Memory", "mmap:r", "mmap:r", NDP_FIELD_WRITEABLE, 0, NDP_PROMISE_MODE},
        {"joblib.Memory", "mmap:c:decorator", "mmap:c:decorator", NDP_FIELD_CLASS, 0, NDP_PROMISE_MEMMAP},
        {"joblib.Memory", "mmap:r", "mmap:r", NDP_FIELD_BACKING, 0, NDP_PROMISE_OWN_MAP},
        {"shared_memory", "here:dropped", "here:dropped", NDP_FIELD_PROCESS, 0, NDP_PROMISE_SAME},
        {"shared_memory", "here:closed", "here:closed", NDP_FIELD_PROCESS, 0, NDP_PROMISE_HAZARD},
        {"buffer", "dlpack", "dlpack", NDP_FIELD_ACCEPTED, NDP_FEATURE_DLPACK_TYPE, NDP_PROMISE_SAME},
        {"buffer", "dlpack", "dlpack", NDP_FIELD_ACCEPTED, NDP_FEATURE_DLPACK_TYPE | NDP_FEATURE_UNEVEN_STRIDES,
         NDP_PROMISE_MAY_REFUSE},
        {"buffer", "memoryview", "memoryview", NDP_FIELD_ACCEPTED, NDP_FEATURE_NO_BUFFER_FORMAT,
         NDP_PROMISE_MAY_REFUSE},
        {"buffer", "memoryview", "memoryview", NDP_FIELD_ACCEPTED, NDP_FEATURE_STRUCTURED, NDP_PROMISE_SAME},
        {"buffer", "interface", "interface", NDP_FIELD_ACCEPTED, NDP_FEATURE_OBJECT, NDP_PROMISE_SAME},
        {"buffer", "frombuffer", "frombuffer", NDP_FIELD_ACCEPTED, NDP_FEATURE_REGISTERED | NDP_FEATURE_C_CONTIGUOUS,
         NDP_PROMISE_SAME},
        {"joblib.Memory", "again", "again", NDP_FIELD_ACCEPTED, (uint32_t)NDP_FEATURE_TEXT, NDP_PROMISE_SAME},
        {"joblib.Memory", "again", "again", NDP_FIELD_ACCEPTED, NDP_FEATURE_NO_REPR, NDP_PROMISE_MAY_REFUSE},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        FIXTURE(f, "<f8", rows[i].format, rows[i].encode, rows[i].decode, 0);
        assert_int_equal(ndp_contract_find(rows[i].field, &f.route, &f.target, &f.target, rows[i].features)->promise,
                         rows[i].promise);
    }
}

/* Expected: joblib.load itself, joblib 0.17 and 1.1.1. */
static void byte_order_is_native_since_1_1(void **state) {
    static const struct {
        const char *version;
        enum ndp_promise promise;
        uint32_t features;
    } rows[] = {{"0.17.0", NDP_PROMISE_SAME, 0},
                {"1.0.1", NDP_PROMISE_SAME, 0},
                {"1.1.1", NDP_PROMISE_NATIVE, 0},
                {"0.17.0", NDP_PROMISE_SAME, NDP_FEATURE_SUBCLASS | NDP_FEATURE_MAP},
                {"1.1.1", NDP_PROMISE_NATIVE, NDP_FEATURE_SUBCLASS | NDP_FEATURE_MAP}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        FIXTURE(f, ">f8", "joblib", "file", "file", 4);
        struct ndp_library *joblib = &f.target.libraries[f.target.library_count++];
        *joblib = (struct ndp_library){.name = "joblib"};
        snprintf(joblib->version, sizeof joblib->version, "%s", rows[i].version);
        for (int k = 0; k < 2; k++) snprintf(f.target.entries[k].library, NDP_WORD_BYTES, "joblib");
        assert_int_equal(
            ndp_contract_find(NDP_FIELD_BYTE_ORDER, &f.route, &f.target, &f.target, rows[i].features)->promise,
            rows[i].promise);
    }
}

/* plugin.h has no class for an array alone: only joblib on both sides and arrays in graphs keep it. */
static void a_class_needs_joblib_on_both_sides(void **state) {
    static const struct {
        const char *encoder, *decoder;
        uint64_t features;
        enum ndp_promise promise;
    } rows[] = {{"joblib", "joblib", NDP_FEATURE_SUBCLASS, NDP_PROMISE_SAME},
                {"reference", "reference", NDP_FEATURE_SUBCLASS, NDP_PROMISE_NDARRAY},
                {"reference", "joblib", NDP_FEATURE_SUBCLASS, NDP_PROMISE_NDARRAY},
                {"joblib", "reference", NDP_FEATURE_SUBCLASS, NDP_PROMISE_NDARRAY},
                {"reference", "reference", NDP_FEATURE_IN_GRAPH | NDP_FEATURE_SUBCLASS, NDP_PROMISE_SAME}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        FIXTURE(f, "<f8", "joblib", "file", "file", 4);
        snprintf(f.target.entries[0].library, NDP_WORD_BYTES, "%s", rows[i].encoder);
        snprintf(f.target.entries[1].library, NDP_WORD_BYTES, "%s", rows[i].decoder);
        assert_int_equal(ndp_contract_find(NDP_FIELD_CLASS, &f.route, &f.target, &f.target, rows[i].features)->promise,
                         rows[i].promise);
    }
}

NDP_SUITE(contract_joblib_test, NDP_TEST(foreign_byte_order_depends_on_the_decoder), NDP_TEST(promises_match_joblib),
          NDP_TEST(byte_order_is_native_since_1_1), NDP_TEST(a_class_needs_joblib_on_both_sides));
