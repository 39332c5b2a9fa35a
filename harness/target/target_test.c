#include "target/target.h"

#include <string.h>

#include "base/suite.h"

/* What it claims: a way in and out of one row, or of two; graphs in place of arrays, or beside them. */
static const struct ndp_target_info info = {
    .libraries = {{.name = "numpy", .version = "2.4.6"}, {.name = "joblib", .version = "1.5"}},
    .library_count = 2,
    .entries =
        {{.format = "npy", .entry = "memory", .encodes = true},
         {.format = "npy", .entry = "memory", .decodes = true},
         {.format = "npy", .entry = "mapped", .encodes = true},
         {.format = "pickle", .entry = "c", .protocol = 4, .encodes = true, .decodes = true},
         {.format = "pickle", .entry = "c", .protocol = 5, .buffers = "in-band", .encodes = true, .takes_graphs = true},
         {.format = "graph",
          .entry = "own",
          .encodes = true,
          .decodes = true,
          .takes_graphs = true,
          .takes_no_arrays = true},
         {.format = "dict", .entry = "thread", .transports = true, .takes_dicts = true}},
    .entry_count = 7,
};

static void a_claim_is_of_all_its_words(void **state) {
    (void)state;
    static const struct {
        const char *format, *entry, *buffers;
        int32_t protocol;
        bool encodes, decodes, takes_graphs;
    } rows[] = {
        {"npy", "memory", "", 0, true, true, false},   {"npy", "mapped", "", 0, true, false, false},
        {"npy", "file", "", 0, false, false, false},   {"npz", "memory", "", 0, false, false, false},
        {"npy", "memory", "", 1, false, false, false}, {"npy", "memory", "in-band", 0, false, false, false},
        {"pickle", "c", "", 4, true, true, false},     {"pickle", "c", "in-band", 5, true, false, true},
        {"pickle", "c", "", 5, false, false, false},   {"graph", "own", "", 0, true, true, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        assert_int_equal(
            ndp_target_has_entry(&info, rows[i].format, rows[i].entry, rows[i].buffers, rows[i].protocol, true),
            rows[i].encodes);
        assert_int_equal(
            ndp_target_has_entry(&info, rows[i].format, rows[i].entry, rows[i].buffers, rows[i].protocol, false),
            rows[i].decodes);
        assert_int_equal(
            ndp_target_takes_graphs(&info, rows[i].format, rows[i].entry, rows[i].buffers, rows[i].protocol),
            rows[i].takes_graphs);
    }
}

/* numpy and joblib are there, astropy and cudf are not. */
static void classes_are_lacked_with_their_library(void **state) {
    (void)state;
    assert_true(ndp_target_lacks_class(&info, NDP_CLASS_CUDF));
    assert_true(ndp_target_lacks_class(&info, NDP_CLASS_QUANTITY));
    assert_false(ndp_target_lacks_class(&info, NDP_CLASS_PROXY));
    assert_false(ndp_target_lacks_class(&info, NDP_CLASS_NDARRAY));
    struct ndp_target_info other = info;
    strcpy(other.libraries[1].name, "cudf");
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
    other = info;
    other.entry_count = 4; /* no graphs */
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
    other = info;
    other.library_count = 1;
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
}

/* What is not there is refused for that, and not because it takes no arrays. */
static void arrays_are_taken_unless_it_says_no(void **state) {
    (void)state;
    assert_true(ndp_target_takes_arrays(&info, "npy", "memory"));
    assert_true(ndp_target_takes_arrays(&info, "pickle", "c"));
    assert_false(ndp_target_takes_arrays(&info, "graph", "own"));
    assert_true(ndp_target_takes_arrays(&info, "graph", "another"));
    assert_true(ndp_target_takes_arrays(&info, "npz", "memory"));
}

static void dicts_are_taken_where_it_says_so(void **state) {
    (void)state;
    assert_true(ndp_target_takes_dicts(&info, "dict", "thread"));
    assert_false(ndp_target_takes_dicts(&info, "dict", "process"));
    assert_false(ndp_target_takes_dicts(&info, "graph", "own"));
}

static void a_library_has_its_version(void **state) {
    (void)state;
    assert_string_equal(ndp_target_library_version(&info, "numpy"), "2.4.6");
    assert_string_equal(ndp_target_library_version(&info, "joblib"), "1.5");
    assert_null(ndp_target_library_version(&info, "num"));
    assert_null(ndp_target_library_version(&info, ""));
}

/* The words of reports (the design's list of verdicts). */
static void close_and_count(struct ndp_target *target) {
    target->counts.cases++;
}

static void closing_nothing_is_nothing(void **state) {
    (void)state;
    static const struct ndp_target_ops ops = {.close = close_and_count};
    struct ndp_target target = {.ops = &ops};
    ndp_target_close(NULL);
    ndp_target_close(&target);
    assert_int_equal(target.counts.cases, 1);
}

NDP_SUITE(target_test, cmocka_unit_test(classes_are_lacked_with_their_library),
          cmocka_unit_test(a_claim_is_of_all_its_words), cmocka_unit_test(arrays_are_taken_unless_it_says_no),
          cmocka_unit_test(dicts_are_taken_where_it_says_so), cmocka_unit_test(a_library_has_its_version),
          cmocka_unit_test(closing_nothing_is_nothing));
