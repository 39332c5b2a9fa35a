#include "base/suite.h"
#include "engine/signature.h"
#include "model/graph/graph_features.h"

/* From reports of version 0.1.0: sweeps with NumPy 2.4.6, and fuzz targets. */
static const char *const recorded[] = {
    "CRASH|-|npy|process|signal 11 write_array|numpy|npy:file>memory|f|<|strided|3+|subclass|memmap",
    "CRASH|-|npy|process|signal 11 write_array|numpy|npy:file>memory|u|||strided|3+",
    "CRASH|-|raw|process|signal 11 |numpy|raw:memory>mmap:r|u|||strided|3+",
    "DIVERGES|class|cloudpickle|attributes|reference",
    "DIVERGES|class|multiprocessing|hard_mask.MaskedArray|python|multiprocessing4:fork:pool|own-pickling-class|masked|"
    "mask",
    "DIVERGES|class|npy|whole.proxy|numpy|npy:memory>memory|object-array|attributes|own-pickling-class",
    "DIVERGES|dtype|pickle|dtype.aligned|numpy|pickle5:python>c/out-of-band|R|||any|0|structured",
    "DIVERGES|entry_points|npy|shape|numpy|npy>memory|u|||any|0",
    "DIVERGES|picklability|copy|accepted.RecursionError|numpy|copy:deepcopy|object-array|cycle",
    "DIVERGES|picklability|pickle|history|numpy|pickle0:c>c|function|vectorize",
    "DIVERGES|values|npz|values|numpy|npz:memory>memory|R|<|any|0|structured",
    /* From a version with routes through a third target. */
    "DIVERGES|picklability|relayed pickle|accepted.TypeError|numpy|pickle0:c>c then "
    "pickle0:c>c|own-pickling-class|masked",
    "DIVERGES|flags|joblib|flags.aligned|numpy|joblib:file>mmap:r|-|-|-|-",
    "DIVERGES|values|npy|values|numpy|npy:memory>file|i|mixed|C|2|structured|subclass|memmap|1-d-base|zero-size",
    "HAZARD|-|dict|process|numba",
    "TIMEOUT|-|npy|process|numpy|npy:memory>file|c|>|F|2",
    "OOM|-|npy|process|numpy|npy>memory",
    "CRASH|-|npy|process|exit 3 |numpy|npy>memory",
    "DIVERGES|fuzz_npy|accepted by memory, refused by file|0x12",
    "CRASH|fuzz_npy|heap-buffer-overflow|ndp_npy_decode",
    "TIMEOUT|fuzz_pickle",
    "FAULT|fuzz_npy|no memory",
};

static void parsing_and_printing_are_inverse(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(recorded); i++) {
        struct ndp_signature signature, again;
        char text[NDP_SIGNATURE_BYTES];
        if (ndp_signature_parse(recorded[i], &signature) != NDP_OK) fail_msg("not parsed: %s", recorded[i]);
        ndp_signature_print(&signature, text);
        assert_string_equal(text, recorded[i]);
        assert_true(ndp_signature_is_text(&signature, recorded[i]));
        assert_int_equal(ndp_signature_parse(text, &again), NDP_OK);
        assert_memory_equal(&again, &signature, sizeof again);
        assert_true(ndp_signature_is_same(&again, &signature));
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(ndp_signature_parse(recorded[k], &again), NDP_OK);
            assert_false(ndp_signature_is_same(&again, &signature));
        }
    }
}

static void parsing_fills_the_members(void **state) {
    struct ndp_signature signature;
    assert_int_equal(ndp_signature_parse(recorded[0], &signature), NDP_OK);
    assert_int_equal(signature.verdict, NDP_VERDICT_CRASH);
    assert_string_equal(signature.property, "");
    assert_string_equal(signature.format, "npy");
    assert_string_equal(signature.field, "process");
    assert_int_equal(signature.death.signal, 11);
    assert_string_equal(signature.death.frame, "write_array");
    assert_string_equal(signature.outlier, "numpy");
    assert_string_equal(signature.route, "npy:file>memory");
    assert_int_equal(signature.value, NDP_SIGNATURE_ARRAY);
    assert_int_equal(signature.kind, 'f');
    assert_int_equal(signature.ndim, 3);
    assert_int_equal(ndp_signature_parse("DIVERGES|fuzz_npy|a|b", &signature), NDP_OK);
    assert_true(signature.is_of_fuzzer);
    assert_string_equal(signature.property, "fuzz_npy");
    assert_string_equal(signature.detail, "|a|b");
}

static void other_texts_are_invalid(void **state) {
    static const char *const texts[] = {
        "",
        "DIVERGES",
        "PASS|values|npy|values|numpy",
        "HAZARDOUS|-|npy|process|numpy",
        "DIVERGES|values|npy|values",
        "CRASH|-|npy|process|died of it|numpy",
        "DIVERGES|values|npy|values|numpy|npy:memory>file|f|?|any|0",
        "DIVERGES|values|npy|values|numpy|npy:memory>file|f|<|any|4",
        "DIVERGES|values|npy|values|numpy|npy:memory>file|f|<|any|0|unheard-of",
        "DIVERGES|closure|npy|cells|numpy|npy:memory>file|unheard-of",
        "DIVERGES|values|a-format-with-a-name-that-is-far-too-long|values|numpy",
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        struct ndp_signature signature = {.ndim = 7};
        if (ndp_signature_parse(texts[i], &signature) != NDP_INVALID) fail_msg("parsed: %s", texts[i]);
        assert_int_equal(signature.ndim, 7);
    }
    /* Any text of a fuzz target's oracle is printed unchanged. */
    struct ndp_signature signature;
    ndp_signature_set_fuzzer(&signature, NDP_VERDICT_DIVERGES, "anything at all");
    assert_true(ndp_signature_is_text(&signature, "anything at all"));
    ndp_signature_set_fuzzer(&signature, NDP_VERDICT_DIVERGES, "FAULT|fuzz_npy|why");
    assert_int_equal(signature.verdict, NDP_VERDICT_FAULT);
}

static bool names(const char *text, const struct ndp_route *route) {
    struct ndp_signature signature;
    return ndp_signature_parse(text, &signature) == NDP_OK && ndp_signature_names(&signature, route);
}

static void a_signature_selects_its_routes(void **state) {
    static const struct {
        const char *signature;
        bool is_named;
    } rows[] = {
        {"DIVERGES|values|npy|elements|numpy|npy:memory>file", true},
        {"DIVERGES|values|npy|elements|numpy|npy:memory>file|u|<|any|0", true},
        {"DIVERGES|values|npy|elements|numpy|npy:memory>files", false},
        {"DIVERGES|values|npy|elements|numpy|npy:memory", false},
        {"DIVERGES|class|npy|class|numpy", true},
        {"DIVERGES|class|npz|class|numpy", false},
        {"DIVERGES|values|npz|elements|numpy|npy:memory>file", false},
        {"OOM|-|npy|process|numpy|npy:memory>file", true},
        {"OOM|-|npy|process|numpy|npy:file>file", false},
        {"CRASH|-|npy|process|signal 8 __new__|numpy|npy:memory>file", true},
        {"CRASH|-|npy|process|exit 1 |numpy|npy:file>file", false},
        {"DIVERGES", false},
        {"", false},
    };
    const struct ndp_route route = {.format = "npy", .encode = "memory", .decode = "file", .offset_bytes = 4096};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (names(rows[i].signature, &route) != rows[i].is_named) fail_msg("%s", rows[i].signature);
    /* A signature about alignment ignores the protocol of a joblib dump. */
    static const char *const fields[] = {"elements", "flags.aligned"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(fields); i++) {
        struct ndp_route dump = {.format = "joblib", .encode = "file", .decode = "file", .protocol = 3};
        struct ndp_signature signature = {.format = "joblib"};
        snprintf(signature.field, sizeof signature.field, "%s", fields[i]);
        ndp_signature_set_route(&signature, &dump);
        assert_true(ndp_signature_names(&signature, &dump));
        dump.protocol = 4;
        assert_int_equal(ndp_signature_names(&signature, &dump), i == 1);
    }
}

NDP_SUITE(signature_test, NDP_TEST(parsing_and_printing_are_inverse), NDP_TEST(parsing_fills_the_members),
          NDP_TEST(other_texts_are_invalid), NDP_TEST(a_signature_selects_its_routes));
