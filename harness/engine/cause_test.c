#include "engine/cause.h"

#include "base/suite.h"

static struct ndp_cause cause_of(struct ndp_divergence *divergence, const char *library, const char *format) {
    struct ndp_result result = {.has_result = false};
    struct ndp_finding finding = {.divergence = divergence, .result = &result};
    struct ndp_cause cause;
    snprintf(finding.blame.library, NDP_WORD_BYTES, "%s", library);
    snprintf(finding.blame.format, NDP_WORD_BYTES, "%s", format);
    ndp_cause_of_finding(&finding, &cause);
    return cause;
}

/* A divergence of `property` in `field` on a route of numpy. */
static struct ndp_divergence diverge(const char *property, const char *field, const char *failure, const char *route) {
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES, .property = ndp_property_find(property)};
    assert_non_null(divergence.property);
    snprintf(divergence.judgement.field, NDP_WORD_BYTES, "%s", field);
    snprintf(divergence.failure, NDP_FAILURE_BYTES, "%s", failure);
    snprintf(divergence.route.format, NDP_WORD_BYTES, "%s", route);
    ndp_result_sign_divergence(&divergence, "numpy", NULL, 0);
    return divergence;
}

static void the_key_has_kind_property_format_failure_and_library(void **state) {
    (void)state;
    struct ndp_divergence lost = diverge("class", "hard_mask.MaskedArray", "", "joblib");
    const struct ndp_cause field = cause_of(&lost, "numpy", "pickle");
    assert_string_equal(field.key, "DIVERGES|class|pickle|hard_mask.MaskedArray|numpy");
    assert_string_equal(field.title, "MaskedArray comes back with another hard_mask");
    struct ndp_divergence refused =
        diverge("values", "accepted", "encoder refuses: TypeError: cannot pickle ? object", "dill");
    const struct ndp_cause error = cause_of(&refused, "dill", "dill");
    assert_string_equal(error.key, "DIVERGES|accepted|*|encoder refuses: TypeError: cannot pickle ? object|dill");
    assert_string_equal(error.title, "Encoding fails: TypeError: cannot pickle ? object");
    assert_string_equal(error.direction, "encoder refuses");
}

static void a_refusal_of_a_graph_and_of_an_array_is_one_cause(void **state) {
    const char *failure = "encoder refuses: ZeroDivisionError: modulo by zero";
    (void)state;
    struct ndp_divergence array = diverge("values", "accepted", failure, "joblib");
    struct ndp_divergence graph = diverge("picklability", "accepted.ZeroDivisionError", failure, "cloudpickle");
    assert_string_equal(cause_of(&array, "x", "joblib").id, cause_of(&graph, "x", "cloudpickle").id);
    struct ndp_divergence other =
        diverge("values", "accepted", "encoder refuses: ValueError: modulo by zero", "joblib");
    assert_string_not_equal(cause_of(&array, "x", "joblib").id, cause_of(&other, "x", "joblib").id);
}

static void an_error_without_a_message_leaves_doubt(void **state) {
    (void)state;
    struct ndp_divergence bare = diverge("values", "accepted", "encoder refuses: AssertionError:", "pickle");
    assert_string_equal(cause_of(&bare, "CPython", "pickle").key,
                        "DIVERGES|accepted|pickle|encoder refuses: AssertionError:|CPython");
    struct ndp_divergence accepted = diverge("strictness", "accepted", "decoder accepts: bad magic", "npy");
    assert_string_equal(cause_of(&accepted, "npyio", "npy").key,
                        "DIVERGES|strictness|*|decoder accepts: bad magic|npyio");
}

static void a_crash_is_named_by_signal_and_frame(void **state) {
    struct ndp_divergence crash = {.verdict = NDP_VERDICT_CRASH, .death = {.signal = 11, .frame = "write_array"}};
    (void)state;
    snprintf(crash.route.format, NDP_WORD_BYTES, "npy");
    ndp_result_sign_divergence(&crash, "numpy", NULL, 0);
    struct ndp_cause cause = cause_of(&crash, "numpy", "npy");
    assert_string_equal(cause.key, "CRASH|-|*|signal 11 in write_array|numpy");
    assert_string_equal(cause.title, "The process ends with signal 11 in write_array");
    crash.death.frame[0] = '\0';
    assert_string_equal(cause_of(&crash, "numpy", "npy").key, "CRASH|-|npy|signal 11|numpy");
}

static void patterns_match_with_stars(void **state) {
    const char *key = "CRASH|-|*|signal 11 in write_array|numpy";
    (void)state;
    assert_true(ndp_cause_matches(key, key));
    assert_true(ndp_cause_matches(key, "CRASH|*|numpy"));
    assert_true(ndp_cause_matches(key, "*write_array*"));
    assert_false(ndp_cause_matches(key, "CRASH|*|joblib"));
    assert_false(ndp_cause_matches(key, "CRASH"));
    assert_false(ndp_cause_matches("", "?"));
    assert_true(ndp_cause_matches("", "*"));
}

NDP_SUITE(cause_test, NDP_TEST(the_key_has_kind_property_format_failure_and_library),
          NDP_TEST(a_refusal_of_a_graph_and_of_an_array_is_one_cause),
          NDP_TEST(an_error_without_a_message_leaves_doubt), NDP_TEST(a_crash_is_named_by_signal_and_frame),
          NDP_TEST(patterns_match_with_stars));
