/* Expected observations are dtype.str and flags from NumPy 1.23.5 to 2.4.6 on x86-64, after an array of `dtype` in the
 * given order took the route. Raw data begin at offset 1; if no row promises the alignment, A is that of the source. */
#include "base/suite.h"
#include "model/graph/graph_features.h"
#include "property/contract.h"
#include "property/property_fixture.h"

static void the_library_is_that_of_the_entry_point(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 5);
    assert_int_equal(
        ndp_contract_find(NDP_FIELD_WRITEABLE, &f.route, &f.target, &f.target, NDP_FEATURE_C_CONTIGUOUS)->promise,
        NDP_PROMISE_SAME);
    snprintf(f.target.entries[1].library, NDP_WORD_BYTES, "somebody");
    snprintf(f.target.libraries[0].name, NDP_WORD_BYTES, "somebody");
    assert_int_equal(
        ndp_contract_find(NDP_FIELD_WRITEABLE, &f.route, &f.target, &f.target, NDP_FEATURE_C_CONTIGUOUS)->promise,
        NDP_PROMISE_ANY);
}

enum { READONLY = 1, PERMUTED = 2, BIG_MACHINE = 4 };

static const struct {
    const char *version;
    const char *dtype;
    int32_t protocol;
    enum ndp_memory_order order;
    int how;
    const char *format;
    const char *decode;
    const char *expected_dtype;
    const char *expected_flags; /* "-": not contiguous */
} trips[] = {
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, 0, "npy", "memory", ">f8", "CWA"},
    {"1.23.5", ">f8", 0, NDP_MEMORY_F, READONLY, "npy", "file", ">f8", "FWA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, 0, "npy", "mmap:r", ">f8", "CA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_F, READONLY, "npy", "mmap:r+", ">f8", "FWA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, 0, "npy", "mmap:r:numpy", ">f8", "CA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, READONLY, "npy", "mmap:c:keyword", ">f8", "CWA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, PERMUTED, "npz", "memory", ">f8", "CWA"},
    {"2.4.6", "<f8", 0, NDP_MEMORY_C, 0, "raw", "memory", "<f8", "CA"},
    {"2.4.6", "<f8", 0, NDP_MEMORY_C, 0, "raw", "mmap:c", "<f8", "CW"},
    {"2.4.6", ">f8", 4, NDP_MEMORY_C, READONLY, "pickle", "c", "<f8", "CWA"},
    {"1.23.5", ">U2", 0, NDP_MEMORY_F, 0, "pickle", "c", "<U2", "FWA"},
    {"2.4.6", ">f8", 5, NDP_MEMORY_C, READONLY, "pickle", "c", ">f8", "CA"},
    {"1.23.5", ">f8", 5, NDP_MEMORY_F, 0, "pickle", "c", ">f8", "FWA"},
    {"2.4.6", ">M8[s]", 5, NDP_MEMORY_C, READONLY, "pickle", "c", "<M8[s]", "CWA"},
    {"2.4.6", ">c32", 5, NDP_MEMORY_C, READONLY, "pickle", "c", "<c32", "CWA"},
    {"2.2.6", ">f8", 5, NDP_MEMORY_C, PERMUTED | READONLY, "pickle", "c", "<f8", "CWA"},
    {"2.4.6", ">f8", 5, NDP_MEMORY_C, PERMUTED | READONLY, "pickle", "c", ">f8", "-A"},
    /* Results of Debian's NumPy 1.24.2 on s390x. */
    {"1.24.2", "<f8", 4, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">f8", "CWA"},
    {"1.24.2", ">f8", 4, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">f8", "CWA"},
    {"1.24.2", "<f8", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", "<f8", "CA"},
    {"1.24.2", "<M8[s]", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">M8[s]", "CWA"},
    {"1.24.2", "<c32", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">c32", "CWA"},
    {"1.24.2", ">c32", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">c32", "CA"},
};

static void check_flags(const struct ndp_observation *got, const char *expected) {
    static const char letters[] = {'C', 'F', 'W', 'A'};
    static const uint32_t flags[] = {NDP_FLAG_C_CONTIGUOUS, NDP_FLAG_F_CONTIGUOUS, NDP_FLAG_WRITEABLE,
                                     NDP_FLAG_ALIGNED};
    for (size_t i = 0; i < NDP_ARRAY_LEN(flags); i++)
        assert_int_equal((got->flags & flags[i]) != 0, strchr(expected, letters[i]) != NULL);
}

static void promises_match_numpy(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(trips); i++) {
        FIXTURE(f, trips[i].dtype, trips[i].format, trips[i].protocol == 0 ? "memory" : "c", trips[i].decode,
                trips[i].protocol);
        snprintf(f.target.version, NDP_WORD_BYTES, "%s", trips[i].version);
        snprintf(f.target.libraries[0].version, NDP_WORD_BYTES, "%s", trips[i].version);
        f.route.offset_bytes = strcmp(trips[i].format, "raw") == 0 ? 1 : 0;
        f.value.base.order = trips[i].order;
        f.value.is_readonly = (trips[i].how & READONLY) != 0;
        if (trips[i].how & PERMUTED) fixture_permute(&f);
        f.target.is_little_endian = (trips[i].how & BIG_MACHINE) == 0;
        fixture_build(&f);
        struct ndp_dtype dtype;
        struct ndp_comparison comparison = {0};
        struct ndp_observation expected = f.trial.promised;
        assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(trips[i].expected_dtype), &dtype, NULL), NDP_OK);
        expected.dtype = &dtype;
        ndp_equality_compare_dtype(&expected, &f.trial.promised, UINT32_MAX, &comparison);
        assert_int_equal(comparison.total, 0);
        check_flags(&f.trial.promised, trips[i].expected_flags);
        ndp_equality_compare_values(&f.trial.expected, &f.trial.promised, 0, &comparison);
        assert_int_equal(comparison.total, 0);
    }
}

/* Arrays in cloudpickle and dill are NumPy's pickles, which convert to native order below protocol 5. The reference has
 * no NumPy and encodes them itself. */
static void a_target_without_numpy_encodes_arrays_itself(void **state) {
    for (int has_numpy = 0; has_numpy < 2; has_numpy++) {
        FIXTURE(f, ">f8", "cloudpickle", "dumps", "here", 4);
        struct ndp_target_info reference = {.name = "reference", .implementation = "reference", .version = "0"};
        const struct ndp_target_info *decoder = has_numpy ? &f.target : &reference;
        assert_int_equal(ndp_contract_find(NDP_FIELD_BYTE_ORDER, &f.route, decoder, decoder, 0)->promise,
                         has_numpy ? NDP_PROMISE_NATIVE : NDP_PROMISE_SAME);
    }
}

/* NumPy 2.3 and later keeps permuted axes of an ndarray in protocol 5. The reference writes pickles that every release
 * of NumPy reads, so it does not. */
static void permuted_axes_are_kept_by_who_writes_as_numpy_2_3(void **state) {
    static const struct {
        const char *format, *entry;
        bool is_reference, is_subclass;
        enum ndp_promise promise;
    } ways[] = {
        {"pickle", "c", true, false, NDP_PROMISE_PERMUTED},
        {"pickle", "c", true, true, NDP_PROMISE_CONTIGUOUS},
        {"pickle", "c", false, false, NDP_PROMISE_PERMUTED},
        {"pickle", "c", false, true, NDP_PROMISE_CONTIGUOUS},
        {"pickle", "python", true, false, NDP_PROMISE_CONTIGUOUS},
        {"cloudpickle", "dumps", true, false, NDP_PROMISE_CONTIGUOUS},
        {"cloudpickle", "dumps", true, true, NDP_PROMISE_CONTIGUOUS},
        {"cloudpickle", "dumps", false, false, NDP_PROMISE_PERMUTED},
        {"dill", "dumps", true, false, NDP_PROMISE_CONTIGUOUS},
    };
    const struct ndp_target_info reference = {.name = "reference", .implementation = "reference", .version = "0"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ways); i++) {
        FIXTURE(f, ">f8", ways[i].format, ways[i].entry, "c", 5);
        const struct ndp_target_info *encoder = ways[i].is_reference ? &reference : &f.target;
        uint64_t features = NDP_FEATURE_IN_GRAPH | (uint32_t)NDP_FEATURE_PERMUTED;
        if (ways[i].is_subclass) features |= (uint32_t)NDP_FEATURE_SUBCLASS;
        const struct ndp_target_info *decoders[] = {&reference, &f.target};
        for (size_t d = 0; d < NDP_ARRAY_LEN(decoders); d++) {
            const enum ndp_promise promise =
                ndp_contract_find(NDP_FIELD_MEMORY_ORDER, &f.route, encoder, decoders[d], features)->promise;
            if (promise != ways[i].promise) fail_msg("row %zu, decoder %zu: promise %d", i, d, (int)promise);
        }
    }
}

/* Uses more routes than the cache has places, twice, with values of several kinds. */
static void cached_rows_equal_searched_rows(void **state) {
    static const char *const formats[] = {"npy", "npz", "raw", "pickle", "joblib", "cloudpickle", "joblib.Parallel"};
    static const char *const entries[] = {"memory", "file", "c", "python", "dumps", "mmap:r"};
    static const uint64_t features[] = {0,
                                        NDP_FEATURE_IN_GRAPH,
                                        NDP_GRAPH_VALUE,
                                        NDP_GRAPH_VALUE | NDP_GRAPH_FUNCTIONS,
                                        (uint32_t)NDP_FEATURE_TIME,
                                        (uint32_t)NDP_FEATURE_SUBCLASS};
    uint32_t counts[2], checked = 0;
    (void)ndp_contract_library_rows(&counts[0]);
    (void)ndp_contract_rows(&counts[1]);
    assert_true(counts[0] + counts[1] <= NDP_CONTRACT_CANDIDATES);
    struct ndp_contract_cache *memory = calloc(1, sizeof *memory);
    assert_non_null(memory);
    struct fixture f;
    fixture_init(&f, ">f8", "npy", "memory", "memory", 0);
    struct ndp_target_info reference = {.name = "reference", .implementation = "reference", .version = "0"};
    for (uint32_t i = 0; i < 2 * NDP_ARRAY_LEN(formats) * 6 * NDP_ARRAY_LEN(entries) * NDP_ARRAY_LEN(features); i++) {
        uint32_t left = i;
        struct ndp_contract known, found;
        const uint64_t what = features[left % NDP_ARRAY_LEN(features)];
        left /= NDP_ARRAY_LEN(features);
        struct ndp_route route = {.protocol = (int32_t)(left % 6)};
        left /= 6;
        snprintf(route.encode, sizeof route.encode, "%s", entries[left % NDP_ARRAY_LEN(entries)]);
        left /= NDP_ARRAY_LEN(entries);
        snprintf(route.format, sizeof route.format, "%s", formats[left % NDP_ARRAY_LEN(formats)]);
        snprintf(route.decode, sizeof route.decode, "%s", entries[i % NDP_ARRAY_LEN(entries)]);
        const struct ndp_target_info *decoder = i % 5 == 0 ? &reference : &f.target;
        ndp_contract_fill(&route, &f.target, decoder, what, &found);
        ndp_contract_fill_cached(memory, &route, &f.target, decoder, what, &known);
        for (uint32_t field = 0; field < NDP_FIELD_COUNT; field++, checked++) {
            assert_non_null(known.rows[field]);
            assert_ptr_equal(known.rows[field], found.rows[field]);
        }
        assert_ptr_equal(ndp_contract_find_cached(memory, NDP_FIELD_VALUES, &route, &f.target, decoder, what),
                         found.rows[NDP_FIELD_VALUES]);
    }
    assert_true(checked > 10000);
    fixture_clear(&f);
    free(memory);
}

static void every_failed_allocation_is_reported(void **state) {
    struct ndp_observation out;
    FIXTURE(f, ">f8", "pickle", "c", "c", 4);
    fixture_build(&f);
    uint64_t call = 1;
    for (;; call++) {
        ndp_arena_fail_at(&f.arena, call);
        enum ndp_status status = ndp_contract_expect(&f.arena, &f.model, &f.route, &f.target, &f.target, &out);
        if (status == NDP_OK) break;
        assert_int_equal(status, NDP_NOMEM);
        assert_true(call < 100);
    }
    assert_true(call > 3);
}

NDP_SUITE(contract_test, NDP_TEST(the_library_is_that_of_the_entry_point), NDP_TEST(promises_match_numpy),
          NDP_TEST(a_target_without_numpy_encodes_arrays_itself),
          NDP_TEST(permuted_axes_are_kept_by_who_writes_as_numpy_2_3), NDP_TEST(cached_rows_equal_searched_rows),
          NDP_TEST(every_failed_allocation_is_reported));
