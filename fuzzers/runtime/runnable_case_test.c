/* A fault is kept only in the formats that have it; large arrays become small; a class that a target lacks is replaced
 * by its substitute (model/graph/graph.h), with its promises. */

#include "base/suite.h"
#include "model/graph/graph.h"
#include "runtime/runnable_case.h"

static const char *const npy_formats[] = {"npz", "npy", NULL};
static const char *const joblib_formats[] = {"joblib", NULL};
static const struct fuzz_cases of_npy = {.formats = npy_formats};
static const struct fuzz_cases of_joblib = {.formats = joblib_formats};
static const struct fuzz_cases of_all = {.formats = NULL};

static void read_text(struct ndp_arena *arena, const char *text, struct ndp_descriptor *out) {
    struct ndp_error error = {0};
    const struct ndp_bytes bytes = {(const uint8_t *)text, strlen(text)};
    if (ndp_descriptor_read(arena, bytes, &ndp_describe_default_limits, out, &error) != NDP_OK)
        fail_msg("%s: %s at %s", text, error.text, error.path);
    if (ndp_descriptor_check(arena, out, &error) != NDP_OK) fail_msg("%s: %s", text, error.text);
}

static void print_text(const struct ndp_descriptor *descriptor, char *out, size_t out_bytes) {
    struct ndp_buffer buffer = {.max_bytes = 1 << 16};
    assert_int_equal(ndp_descriptor_print(&buffer, descriptor), NDP_OK);
    snprintf(out, out_bytes, "%.*s", (int)buffer.size_bytes, (const char *)buffer.data);
    ndp_buffer_clear(&buffer);
}

#define VALUE(dtype)  "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"" dtype "\",\"shape\":[3]}}}"
#define FAULT(format) ",\"fault\":{\"name\":\"cut\",\"argument\":1},\"route\":{\"format\":\"" format "\"}}"

/* Source of the formats of each fault: describe/fault.h, which does not list joblib. */
static const struct {
    const struct fuzz_cases *cases;
    const char *text;
    bool is_changed;
} faults[] = {
    {&of_npy, VALUE("<i4") FAULT("npy"), false},
    {&of_all, VALUE("<i4") FAULT("raw"), false},
    {NULL, VALUE("<i4") FAULT("npy"), false},
    {&of_npy, VALUE("<i4") FAULT("raw"), true},
    {&of_joblib, VALUE("<i4") FAULT("npy"), true},
    /* A case without a fault is not changed. */
    {&of_joblib, VALUE("<i4") ",\"route\":{\"format\":\"npy\"}}", false},
    {&of_joblib, "{\"ndproof\":1,\"bytes\":\"93\",\"route\":{\"format\":\"npy\"}}", false},
    {&of_joblib, "{\"ndproof\":1,\"bytes\":\"93\"" FAULT("npy"), false},
};

static void test_a_fault_is_kept_in_its_formats_only(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(faults); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor;
        char before[1024], after[1024];
        read_text(&arena, faults[i].text, &descriptor);
        print_text(&descriptor, before, sizeof before);
        const bool is_changed = fuzz_remove_impossible_fault(&arena, faults[i].cases, &descriptor);
        print_text(&descriptor, after, sizeof after);
        if (is_changed != faults[i].is_changed) fail_msg("%s", faults[i].text);
        if (!is_changed) assert_string_equal(after, before);
        if (is_changed) assert_null(strstr(after, "fault"));
        if (is_changed) assert_null(strstr(after, "route"));
        if (is_changed) assert_int_equal(descriptor.kind, NDP_CASE_ROUND_TRIP);
        ndp_arena_clear(&arena);
    }
}

/* The expectation in the text is ignored. Source: describe/fault.h; bytes without a fault may be invalid. */
static void test_a_fault_has_the_expectation_of_its_row(void **state) {
#define SPOILT(name, argument, format, more)                                                                           \
    VALUE("<i4")                                                                                                       \
    ",\"fault\":{\"name\":\"" name "\",\"argument\":" argument "},\"route\":{\"format\":\"" format "\"}" more "}"
    static const struct {
        const char *text;
        enum ndp_expect expect;
    } rows[] = {
        {SPOILT("cut", "1", "npy", ""), NDP_EXPECT_REFUSE},
        {SPOILT("cut", "1", "npy", ",\"expect\":\"accept\""), NDP_EXPECT_REFUSE},
        {SPOILT("extra", "1", "raw", ""), NDP_EXPECT_ACCEPT},
        {SPOILT("tail-nothing", "0", "npy", ",\"expect\":\"refuse\""), NDP_EXPECT_OPEN},
        {VALUE("<i4") ",\"route\":{\"format\":\"npy\"}}", NDP_EXPECT_OPEN},
        {"{\"ndproof\":1,\"bytes\":\"93\",\"expect\":\"refuse\",\"route\":{\"format\":\"npy\"}}", NDP_EXPECT_OPEN},
        {"{\"ndproof\":1,\"bytes\":\"93\"" FAULT("npy"), NDP_EXPECT_OPEN},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor;
        read_text(&arena, rows[i].text, &descriptor);
        if (fuzz_expected_of(&descriptor) != rows[i].expect) fail_msg("%s", rows[i].text);
        ndp_arena_clear(&arena);
    }
}

/* Source: NumPy, whose raw files cannot contain objects. A mutation may replace numbers by objects. */
static void test_a_value_without_an_encoding_has_no_fault(void **state) {
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_descriptor descriptor, objects;
    read_text(&arena, VALUE("<i4") FAULT("npy"), &descriptor);
    read_text(&arena, VALUE("|O") "}", &objects);
    descriptor.value = objects.value;
    assert_true(fuzz_remove_impossible_fault(&arena, &of_npy, &descriptor));
    assert_int_equal(descriptor.kind, NDP_CASE_ROUND_TRIP);
    assert_string_equal(descriptor.fault.name, "");
    ndp_arena_clear(&arena);
}

#define ARRAY(word)  "{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3]},\"class\":{\"name\":\"" word "\"}}"
#define GRAPH(nodes) "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[" nodes "]}}}"
#define QUANTITY     GRAPH(ARRAY("Quantity") ",\"attributes\":{\"unit\":1}},{\"text\":\"m\"}")
#define PAIR         GRAPH(ARRAY("reduce_pair") ",\"attributes\":{\"extra\":1}},{\"text\":\"m\"}")
#define COLUMN       GRAPH("{\"list\":[1]}," ARRAY("cudf.pandas") "}")
#define LISTED       GRAPH("{\"list\":[1]}," ARRAY("ndarray") "}")
#define PLAIN        GRAPH(ARRAY("plain") ",\"attributes\":{\"unit\":1}},{\"text\":\"m\"}")

static const struct {
    const char *library; /* a library that a target has besides NumPy */
    const char *text;
    const char *fitting;
} classes[] = {
    {"joblib", QUANTITY, PAIR}, {"astropy", QUANTITY, QUANTITY}, {"astropy", COLUMN, LISTED},
    {"cudf", COLUMN, COLUMN},   {"joblib", PLAIN, PLAIN},        {"joblib", VALUE("<i4") "}", VALUE("<i4") "}"},
};

/* The reference, which has no libraries, and a target with two. */
struct two {
    struct ndp_target reference;
    struct ndp_target target;
    struct ndp_bench bench;
};

static void have_libraries(const char *other, struct two *out) {
    memset(out, 0, sizeof *out);
    struct ndp_target_info *info = &out->target.info;
    info->library_count = 2;
    snprintf(info->libraries[0].name, sizeof info->libraries[0].name, "numpy");
    snprintf(info->libraries[1].name, sizeof info->libraries[1].name, "%s", other);
    out->bench.count = 2;
    out->bench.targets[0] = &out->reference;
    out->bench.targets[1] = &out->target;
}

static void test_a_missing_class_is_replaced(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(classes); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor, expected;
        static struct two targets;
        char fitted[1024], fitting[1024];
        bool is_changed;
        have_libraries(classes[i].library, &targets);
        read_text(&arena, classes[i].text, &descriptor);
        read_text(&arena, classes[i].fitting, &expected);
        assert_int_equal(fuzz_replace_missing_classes(&arena, &targets.bench, &descriptor, &is_changed), NDP_OK);
        assert_int_equal(is_changed, strcmp(classes[i].text, classes[i].fitting) != 0);
        print_text(&descriptor, fitted, sizeof fitted);
        print_text(&expected, fitting, sizeof fitting);
        assert_string_equal(fitted, fitting);
        assert_int_equal(ndp_descriptor_check(&arena, &descriptor, NULL), NDP_OK);
        ndp_arena_clear(&arena);
    }
}

static void test_without_memory_nothing_is_changed(void **state) {
    uint64_t fail_at = 0;
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK; fail_at++) {
        struct ndp_arena texts = {.limit_bytes = 1 << 20}, arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor;
        static struct two targets;
        bool is_changed;
        have_libraries("joblib", &targets);
        read_text(&texts, QUANTITY, &descriptor);
        const struct ndp_graph *graph = descriptor.value.graph;
        ndp_arena_fail_at(&arena, fail_at + 1);
        status = fuzz_replace_missing_classes(&arena, &targets.bench, &descriptor, &is_changed);
        if (status != NDP_OK) {
            assert_int_equal(status, NDP_NOMEM);
            assert_ptr_equal(descriptor.value.graph, graph);
        }
        ndp_arena_clear(&texts);
        ndp_arena_clear(&arena);
    }
    assert_true(fail_at > 1);
}

#define LARGE(rest)                                                                                                    \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[30,100]},\"views\":[{\"transpose\":[" \
    "1,0]}]" rest

/* Small values, bytes, and values whose fault needs their size keep it. */
static void test_a_large_value_becomes_small(void **state) {
    static const struct {
        const char *text, *after;
        bool is_changed;
    } rows[] = {
        {LARGE("}}}"), "[30,25]", true},
        {LARGE("}},\"fault\":{\"name\":\"cut\",\"argument\":1}}"), "[30,25]", true},
        /* A fault in the shape needs a shape, which only the view provides. */
        {"{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[]},\"views\":[{\"broadcast\":[1,"
         "1000]}]}},"
         "\"fault\":{\"name\":\"shape-plus\"},\"route\":{\"format\":\"npy\"}}",
         "[1,1000]", false},
        {VALUE("<i4") "}", "[3]", false},
        {"{\"ndproof\":1,\"bytes\":\"93\",\"route\":{\"format\":\"npy\"}}", "93", false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor;
        char after[1024];
        bool is_changed = true;
        read_text(&arena, rows[i].text, &descriptor);
        assert_int_equal(fuzz_make_smaller(&arena, &descriptor, &is_changed), NDP_OK);
        print_text(&descriptor, after, sizeof after);
        if (is_changed != rows[i].is_changed || !strstr(after, rows[i].after)) fail_msg("%s", after);
        assert_int_equal(ndp_descriptor_check(&arena, &descriptor, NULL), NDP_OK);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(runnable_case_test, NDP_TEST(test_a_fault_is_kept_in_its_formats_only),
          NDP_TEST(test_a_fault_has_the_expectation_of_its_row),
          NDP_TEST(test_a_value_without_an_encoding_has_no_fault), NDP_TEST(test_a_large_value_becomes_small),
          NDP_TEST(test_a_missing_class_is_replaced), NDP_TEST(test_without_memory_nothing_is_changed));
