#include "base/suite.h"
#include "engine/result.h"

static const struct ndp_contract_row hazard = {.promise = NDP_PROMISE_HAZARD, .source = "documentation"};
static const struct ndp_contract_row promise = {.promise = NDP_PROMISE_SAME, .source = "documentation"};

static struct ndp_divergence wrong(const char *property, const char *field) {
    struct ndp_divergence out = {
        .verdict = NDP_VERDICT_DIVERGES,
        .property = ndp_property_find(property),
        .judgement = {.verdict = NDP_VERDICT_DIVERGES, .severity = NDP_SEVERITY_DEFECT, .row = &promise},
        .route = {.format = "npy", .encode = "memory", .decode = "file", .encoder = "a-1.0", .decoder = "b-2.0"},
    };
    assert_non_null(out.property);
    snprintf(out.judgement.field, sizeof out.judgement.field, "%s", field);
    return out;
}

static struct ndp_divergence dead(enum ndp_verdict verdict, struct ndp_death death) {
    struct ndp_divergence out = wrong("values", "process");
    out.verdict = verdict;
    out.property = NULL;
    out.death = death;
    return out;
}

static void expect_signature(const struct ndp_divergence *divergence, const char *text) {
    char printed[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&divergence->signature, printed);
    assert_string_equal(printed, text);
}

static void expect_core(const struct ndp_divergence *divergence, const char *text) {
    char printed[NDP_SIGNATURE_BYTES];
    ndp_signature_print_core(&divergence->signature, printed);
    assert_string_equal(printed, text);
}

/* Minimising keeps the core, but may change entry points and the library. */
static void the_core_ignores_route_and_library(void **state) {
    const struct {
        struct ndp_divergence divergence;
        const char *core;
    } rows[] = {
        {wrong("values", "elements"), "DIVERGES|values|npy|elements"},
        {wrong("byte_order", "dtype.order"), "DIVERGES|byte_order|npy|dtype.order"},
        {dead(NDP_VERDICT_CRASH, (struct ndp_death){.signal = 11, .frame = "copy_items"}),
         "CRASH|-|npy|process|signal 11 copy_items"},
        {dead(NDP_VERDICT_CRASH, (struct ndp_death){.exit_code = 3}), "CRASH|-|npy|process|exit 3 "},
        {dead(NDP_VERDICT_TIMEOUT, (struct ndp_death){.signal = 9}), "TIMEOUT|-|npy|process"},
        {dead(NDP_VERDICT_OOM, (struct ndp_death){.signal = 9}), "OOM|-|npy|process"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_divergence divergence = rows[i].divergence;
        ndp_result_sign_divergence(&divergence, "numpy", NULL, 0);
        expect_core(&divergence, rows[i].core);
        snprintf(divergence.route.encode, NDP_WORD_BYTES, "mapped");
        ndp_result_sign_divergence(&divergence, "other", NULL, 0);
        expect_core(&divergence, rows[i].core);
    }
}

/* The route is printed without offsets, names of targets and settings of transports. */
static void the_way_adds_library_and_route(void **state) {
    struct ndp_divergence divergence = wrong("values", "elements");
    ndp_result_sign_divergence(&divergence, "numpy", NULL, 0);
    expect_signature(&divergence, "DIVERGES|values|npy|elements|numpy|npy:memory>file");
    divergence.route.offset_bytes = 4096;
    divergence.route.encoder[0] = 'z';
    divergence.route.max_nbytes = 64;
    ndp_result_sign_divergence(&divergence, "numpy", NULL, 0);
    expect_signature(&divergence, "DIVERGES|values|npy|elements|numpy|npy:memory>file");
    assert_int_equal(divergence.route.offset_bytes, 4096);
}

static void a_documented_loss_has_one_signature(void **state) {
    struct ndp_divergence divergence = wrong("class", "class");
    divergence.judgement.severity = NDP_SEVERITY_DOCUMENTED_LOSS;
    ndp_result_sign_divergence(&divergence, "numpy", NULL, NDP_GRAPH_FUNCTIONS);
    expect_signature(&divergence, "DIVERGES|class|npy|class|numpy");
    /* A process death is never a documented loss. */
    divergence.verdict = NDP_VERDICT_CRASH;
    ndp_result_sign_divergence(&divergence, "numpy", NULL, 0);
    assert_string_equal(divergence.signature.route, "npy:memory>file");
}

/* All outcomes of races on a dict share a signature. */
static void a_hazard_has_one_signature(void **state) {
    struct ndp_divergence divergences[] = {
        wrong("values", "elements"),
        wrong("shape", "shape"),
        dead(NDP_VERDICT_CRASH, (struct ndp_death){.signal = 6}),
        dead(NDP_VERDICT_TIMEOUT, (struct ndp_death){.signal = 9}),
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(divergences); i++) {
        struct ndp_divergence *one = &divergences[i];
        one->judgement.row = &hazard;
        ndp_result_sign_divergence(one, "numpy", NULL, 0);
        expect_core(one, "HAZARD|-|npy|process");
        expect_signature(one, "HAZARD|-|npy|process|numpy");
        assert_true(one->signature.is_hazard && ndp_signature_is_fatal(&one->signature));
    }
    struct ndp_divergence without = wrong("values", "HAZARD|");
    without.judgement.row = NULL;
    ndp_result_sign_divergence(&without, "numpy", NULL, 0);
    assert_false(without.signature.is_hazard || ndp_signature_is_fatal(&without.signature));
}

#define ARRAY(base)       "{\"value\":{\"array\":{\"base\":{" base "}}}}"
#define VIEW(base, views) "{\"value\":{\"array\":{\"base\":{" base "},\"views\":[" views "]}}}"
#define MAPPED            ",\"memmap\":{\"mode\":\"r\"}"

/* Words: dtype kind, byte order, memory order, ndim 0/1/2/3+, flags. As in NumPy, an array of one element or one
 * dimension is C- and F-contiguous: order "any". */
static void the_signature_describes_the_array(void **state) {
    static const struct {
        const char *text;
        const char *tail;
    } rows[] = {
        {ARRAY("\"dtype\":\">f8\",\"shape\":[]"), "|f|>|any|0"},
        {ARRAY("\"dtype\":\"<f8\",\"shape\":[3]"), "|f|<|any|1"},
        {ARRAY("\"dtype\":\"<c8\",\"shape\":[3,2]"), "|c|<|C|2"},
        {ARRAY("\"dtype\":\"|u1\",\"shape\":[3,2],\"order\":\"F\""), "|u|||F|2"},
        {ARRAY("\"dtype\":\"|b1\",\"shape\":[2,2,2]"), "|b|||C|3+"},
        {ARRAY("\"dtype\":\"|S3\",\"shape\":[2,2,2,2,2]"), "|S|||C|3+"},
        {VIEW("\"dtype\":\"<i4\",\"shape\":[6]", "{\"slice\":[[0,2,3]]}"), "|i|<|strided|1"},
        {VIEW("\"dtype\":\"<i4\",\"shape\":[3,2]", "{\"transpose\":[1,0]}"), "|i|<|F|2"},
        {ARRAY("\"dtype\":\"<i4\",\"shape\":[0,2]"), "|i|<|any|2|zero-size"},
        {ARRAY("\"dtype\":{\"fields\":[{\"name\":\"a\",\"dtype\":\"<i4\"},{\"name\":\"b\",\"dtype\":\">i2\"}]},"
               "\"shape\":[2,2]"),
         "|R|mixed|C|2|structured"},
        {ARRAY("\"dtype\":{\"fields\":[{\"name\":\"a\",\"dtype\":\">i4\"},{\"name\":\"b\",\"dtype\":\"|u1\"}]},"
               "\"shape\":[2,2]"),
         "|R|>|C|2|structured"},
        {ARRAY("\"dtype\":\"<i4\",\"shape\":[2,2]" MAPPED), "|i|<|C|2|subclass|memmap"},
        {VIEW("\"dtype\":\"<i4\",\"shape\":[4]" MAPPED, "{\"reshape\":[2,2]}"), "|i|<|C|2|subclass|memmap|1-d-base"},
        {VIEW("\"dtype\":\"<i4\",\"shape\":[2,2]" MAPPED, "{\"reshape\":[4]}"), "|i|<|any|1|subclass|memmap"},
        {"{\"value\":{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2,2]},\"class\":{\"name\":\"matrix\"}}}}",
         "|i|<|C|2|subclass"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {0};
        struct ndp_descriptor descriptor;
        struct ndp_array model;
        struct ndp_divergence divergence = wrong("values", "elements");
        NDP_ARENA_SCOPED(arena, UINT64_C(1) << 24);
        if (ndp_descriptor_read(&arena, ndp_bytes_view(rows[i].text), &ndp_describe_default_limits, &descriptor,
                                &error) != NDP_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        if (ndp_array_build(&arena, &descriptor.value.array, true, &model, &error) != NDP_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        ndp_result_sign_divergence(&divergence, "numpy", &model, 0);
        char expected[NDP_SIGNATURE_BYTES];
        snprintf(expected, sizeof expected, "DIVERGES|values|npy|elements|numpy|npy:memory>file%s", rows[i].tail);
        expect_signature(&divergence, expected);
    }
}

/* The length of the header decides the address of an element, not its type. */
static void a_signature_about_alignment_ignores_the_array(void **state) {
    static const char *const values[] = {ARRAY("\"dtype\":\">f8\",\"shape\":[]"),
                                         ARRAY("\"dtype\":\"<U1\",\"shape\":[3,2]")};
    for (int32_t i = 0; i < 2; i++) {
        struct ndp_error error = {0};
        struct ndp_descriptor descriptor;
        struct ndp_array model;
        struct ndp_divergence divergence = wrong("flags", "flags.aligned");
        NDP_ARENA_SCOPED(arena, UINT64_C(1) << 24);
        assert_int_equal(
            ndp_descriptor_read(&arena, ndp_bytes_view(values[i]), &ndp_describe_default_limits, &descriptor, &error),
            NDP_OK);
        assert_int_equal(ndp_array_build(&arena, &descriptor.value.array, true, &model, &error), NDP_OK);
        snprintf(divergence.route.format, NDP_WORD_BYTES, "joblib");
        divergence.route.protocol = i;
        ndp_result_sign_divergence(&divergence, "numpy", &model, 0);
        expect_signature(&divergence, "DIVERGES|flags|joblib|flags.aligned|numpy|joblib:memory>file|-|-|-|-");
    }
}

static void the_signature_of_a_graph_lists_its_features(void **state) {
    struct ndp_divergence divergence = wrong("closure", "cells");
    ndp_result_sign_divergence(&divergence, "numpy", NULL, NDP_GRAPH_VALUE | NDP_GRAPH_FUNCTIONS | NDP_GRAPH_CELLS);
    expect_signature(&divergence, "DIVERGES|closure|npy|cells|numpy|npy:memory>file|function|closure");
}

/* Words of maximum length and all features: the signature is cut after a whole word. */
static void a_long_signature_is_cut(void **state) {
    struct ndp_divergence divergence = wrong("values", "elements");
    struct ndp_route *route = &divergence.route;
    char *const words[] = {route->format, route->encode, route->decode, route->buffers, divergence.judgement.field};
    char text[NDP_SIGNATURE_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        memset(words[i], 'w', NDP_WORD_BYTES - 1);
        words[i][NDP_WORD_BYTES - 1] = '\0';
    }
    ndp_result_sign_divergence(&divergence, words[0], NULL, UINT64_MAX);
    ndp_signature_print(&divergence.signature, text);
    assert_true(memchr(text, '\0', sizeof text) != NULL);
    const char *last = strrchr(text, '|') + 1;
    bool is_word = false;
    for (uint32_t bit = 0; bit < NDP_GRAPH_FEATURE_COUNT; bit++)
        is_word = is_word || strcmp(last, ndp_graph_features_word(bit)) == 0;
    assert_true(is_word);
}

static void a_divergence_is_found_by_its_core(void **state) {
    static struct ndp_result result;
    memset(&result, 0, sizeof result);
    struct ndp_divergence other = wrong("shape", "shape"), values = wrong("values", "elements");
    ndp_result_sign_divergence(&other, "numpy", NULL, 0);
    ndp_result_sign_divergence(&values, "another", NULL, 0);
    assert_null(ndp_result_find(&result, &values.signature));
    result.divergences[result.divergence_count++] = wrong("memory_order", "strides");
    ndp_result_sign_divergence(&result.divergences[0], "numpy", NULL, 0);
    result.divergences[result.divergence_count++] = wrong("values", "elements");
    ndp_result_sign_divergence(&result.divergences[1], "numpy", NULL, 0);
    assert_ptr_equal(ndp_result_find(&result, &values.signature), &result.divergences[1]);
    assert_null(ndp_result_find(&result, &other.signature));
}

static void a_verdict_never_improves(void **state) {
    struct ndp_result result = {.verdict = NDP_VERDICT_PASS};
    ndp_result_worsen(&result, NDP_VERDICT_DIVERGES);
    ndp_result_worsen(&result, NDP_VERDICT_REJECTS);
    assert_int_equal(result.verdict, NDP_VERDICT_DIVERGES);
    assert_true(ndp_result_is_worse_verdict(NDP_VERDICT_FAULT, NDP_VERDICT_CRASH));
    assert_false(ndp_result_is_worse_verdict(NDP_VERDICT_PASS, NDP_VERDICT_PASS));
}

NDP_SUITE(result_test, NDP_TEST(the_core_ignores_route_and_library), NDP_TEST(the_way_adds_library_and_route),
          NDP_TEST(a_documented_loss_has_one_signature), NDP_TEST(a_hazard_has_one_signature),
          NDP_TEST(the_signature_describes_the_array), NDP_TEST(a_signature_about_alignment_ignores_the_array),
          NDP_TEST(the_signature_of_a_graph_lists_its_features), NDP_TEST(a_long_signature_is_cut),
          NDP_TEST(a_divergence_is_found_by_its_core), NDP_TEST(a_verdict_never_improves));
