#include "engine/experiment.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"

static const struct ndp_contract_row accepted = {.field = NDP_FIELD_ACCEPTED, .promise = NDP_PROMISE_SAME};
static const struct ndp_contract_row values = {.field = NDP_FIELD_VALUES, .promise = NDP_PROMISE_SAME};

/* A failure whose first difference is `got`. */
static struct ndp_divergence failure(const struct ndp_contract_row *row, const char *field, const char *got) {
    struct ndp_divergence made = {.verdict = NDP_VERDICT_DIVERGES, .property = ndp_property_find("values")};
    made.judgement.row = row;
    made.judgement.operation = "decode";
    made.judgement.comparison.count = 1;
    snprintf(made.judgement.field, NDP_WORD_BYTES, "%s", field);
    snprintf(made.judgement.comparison.list[0].got, NDP_DIFFERENCE_TEXT_BYTES, "%s", got);
    snprintf(made.judgement.comparison.list[0].expected, NDP_DIFFERENCE_TEXT_BYTES, "%s",
             strcmp(got, "accepted") == 0 ? "refused" : "accepted");
    ndp_failure_fill(&made.judgement, NULL, "", made.failure);
    return made;
}

#define LONG                                                                                                           \
    "ValueError: a text that is much longer than the ninety-five characters that one difference of a case stores,"

static void errors_are_compared_without_names_and_numbers(void **state) {
    static const struct {
        const char *a;
        const char *b;
        bool is_same;
    } rows[] = {
        {"ValueError: at 12", "ValueError: at 7", true},
        {"ValueError: at 12", "TypeError: at 12", false},
        {"KeyError: 'a b'", "KeyError: \"c\"", true},
        {"KeyError: 'a", "KeyError: 'c", true},
        {"Error: can't do it", "Error: can't do that", false},
        {"Error: can't pickle 'f (v)': no f (v) there", "Error: can't pickle 'gg': no gg there", true},
        {"Error: can't pickle 'f': no form there", "Error: can't pickle 'g': no form there", true},
        {"Error: can't pickle 'f': no form there", "Error: can't pickle 'g': no garden there", true},
        {"Error: 'f' has no form", "Error: 'g' has no garden", false},
        {"Error: one", "Error: one more", false},
        {LONG " one", LONG " two", true},
        {"accepted", "ValueError: no", false},
        {"accepted", "accepted", true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_divergence a = failure(&accepted, "accepted", rows[i].a);
        const struct ndp_divergence b = failure(&accepted, "accepted", rows[i].b);
        assert_int_equal(ndp_experiment_is_same(&a, &b), rows[i].is_same);
        assert_int_equal(ndp_experiment_is_same(&b, &a), rows[i].is_same);
    }
}

static void set_transport(struct ndp_divergence *failure, const char *format) {
    snprintf(failure->route.format, NDP_WORD_BYTES, "%s", format);
    failure->route.is_transport = true;
    failure->judgement.operation = "transport";
}

/* joblib.Parallel wraps errors of cloudpickle in its own; it has nothing to do with those of dill. */
static void errors_of_transports_are_those_of_what_they_carry(void **state) {
    static const struct {
        const char *format;
        const char *field;
        const char *got;
        bool is_same;
    } rows[] = {{"cloudpickle", "accepted.TypeError", "TypeError: no", true},
                {"pickle", "accepted", "ValueError: no", true},
                {"dill", "accepted.TypeError", "TypeError: no", false},
                {"dill", "accepted.PicklingError", "PicklingError: could not pickle the task", true},
                {"cloudpickle", "accepted", "accepted", false},
                {"cloudpickle", "history", "TypeError: no", false}};
    struct ndp_divergence a = failure(&accepted, "accepted.PicklingError", "PicklingError: could not pickle the task");
    set_transport(&a, "joblib.Parallel");
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_divergence b = failure(&accepted, rows[i].field, rows[i].got);
        snprintf(b.route.format, NDP_WORD_BYTES, "%s", rows[i].format);
        assert_int_equal(ndp_experiment_is_same(&a, &b), rows[i].is_same);
        assert_int_equal(ndp_experiment_is_same(&b, &a), rows[i].is_same);
    }
}

static void wrong_values_are_compared_by_field(void **state) {
    const struct ndp_divergence a = failure(&values, "values", "1");
    struct ndp_divergence b = failure(&values, "values", "2");
    assert_true(ndp_experiment_is_same(&a, &b));
    b.judgement.severity = NDP_SEVERITY_DOCUMENTED_LOSS;
    assert_false(ndp_experiment_is_same(&a, &b));
    b = failure(&values, "values", "2");
    b.judgement.operation = "encode";
    assert_false(ndp_experiment_is_same(&a, &b));
    b = failure(&values, "shape", "1");
    assert_false(ndp_experiment_is_same(&a, &b));
    b = failure(&values, "values", "1");
    b.property = ndp_property_find("shape");
    assert_false(ndp_experiment_is_same(&a, &b));
}

static void crashes_are_compared_by_their_frame(void **state) {
    struct ndp_divergence a = {.verdict = NDP_VERDICT_CRASH, .death = {.signal = 11, .frame = "write_array"}};
    struct ndp_divergence b = a;
    assert_true(ndp_experiment_is_same(&a, &b));
    snprintf(b.death.frame, sizeof b.death.frame, "read_array");
    assert_false(ndp_experiment_is_same(&a, &b));
    b = a;
    b.death.signal = 6;
    assert_false(ndp_experiment_is_same(&a, &b));
    b = a;
    b.verdict = NDP_VERDICT_TIMEOUT;
    assert_false(ndp_experiment_is_same(&a, &b));
}

NDP_SUITE(experiment_test, NDP_TEST(errors_are_compared_without_names_and_numbers),
          NDP_TEST(errors_of_transports_are_those_of_what_they_carry), NDP_TEST(wrong_values_are_compared_by_field),
          NDP_TEST(crashes_are_compared_by_their_frame));
