#include "engine/failure.h"

#include "base/suite.h"

static void values_names_and_numbers_are_removed(void **state) {
    static const struct {
        const char *text, *normal;
    } rows[] = {
        {"ZeroDivisionError: integer division or modulo by zero",
         "ZeroDivisionError: integer division or modulo by zero"},
        {"TypeError: cannot pickle 'mmap.mmap' object", "TypeError: cannot pickle ? object"},
        {"ValueError: header length 1234 exceeds 0x40", "ValueError: header length # exceeds #"},
        {"Cannot convert fill_value ? to dtype timedelta64[25us]", "Cannot convert fill_value ? to dtype #"},
        {"PicklingError: Can't pickle <ufunc 'f (v)'>: lookup f (v) on x", "PicklingError: Can't pickle ?"},
        {"cannot reshape array of size 3 into shape (4, 5)", "cannot reshape array of size # into shape (#)"},
        {"Can't pickle <ufunc '<lambda> (v)'>: lookup <lambda> (v) on x", "Can't pickle ?"},
        {"a|b\nc", "a b c"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char out[NDP_FAILURE_TEXT_BYTES];
        ndp_failure_normalise(rows[i].text, out);
        assert_string_equal(out, rows[i].normal);
    }
}

static void a_long_text_is_cut(void **state) {
    char out[NDP_FAILURE_TEXT_BYTES], text[400];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ndp_failure_normalise(text, out);
    assert_int_equal(strlen(out), NDP_FAILURE_TEXT_BYTES / 2);
    ndp_failure_normalise("TypeError: a message of many words that is longer than the limit of a failure", out);
    assert_string_equal(out, "TypeError: a message of many words that is longer than the");
}

static void assert_failure(const char *operation, const char *expected, const char *got, const char *clause,
                           const char *failure, const char *direction) {
    struct ndp_judgement judgement = {.operation = operation};
    char out[NDP_FAILURE_BYTES], word[NDP_WORD_BYTES];
    ndp_equality_add(&judgement.comparison, "accepted", expected, got);
    ndp_failure_fill(&judgement, NULL, clause, out);
    assert_string_equal(out, failure);
    ndp_failure_direction(out, word);
    assert_string_equal(word, direction);
}

static void a_failure_names_side_and_direction(void **state) {
    (void)state;
    assert_failure("encode", "accepted", "TypeError: no 'x'", "", "encoder refuses: TypeError: no ?",
                   "encoder refuses");
    assert_failure("decode", "refused", "accepted", "magic at 0", "decoder accepts: magic at #", "decoder accepts");
    assert_failure("transport", "accepted", "refused", "", "transport refuses", "transport refuses");
    assert_failure("decode", "1.0", "2.0", "", "", "");
}

static void a_difference_without_a_refusal_has_no_failure(void **state) {
    struct ndp_judgement judgement = {.operation = "decode"};
    char out[NDP_FAILURE_BYTES];
    (void)state;
    ndp_failure_fill(&judgement, NULL, "clause", out);
    assert_string_equal(out, "");
}

static struct ndp_observation observe(const struct ndp_dtype *dtype, const char *elements, uint64_t size_bytes) {
    return (struct ndp_observation){.dtype = dtype, .elements = {(const uint8_t *)elements, size_bytes}};
}

static void a_symptom_names_swapped_elements(void **state) {
    static const struct ndp_dtype pair = {.kind = NDP_KIND_UINT, .itemsize_bytes = 2};
    (void)state;
    const struct ndp_observation expected = observe(&pair, "\x01\x02\x03\x04", 4);
    const struct ndp_observation swapped = observe(&pair, "\x02\x01\x04\x03", 4);
    const struct ndp_observation other = observe(&pair, "\x00\x00\x00\x00", 4);
    const struct ndp_observation shorter = observe(&pair, "\x01\x02", 2);
    assert_string_equal(ndp_failure_symptom(&expected, &swapped), "byte-swapped");
    assert_string_equal(ndp_failure_symptom(&expected, &other), "");
    assert_string_equal(ndp_failure_symptom(&expected, &expected), "");
    assert_string_equal(ndp_failure_symptom(&expected, &shorter), "");
}

NDP_SUITE(failure_test, NDP_TEST(values_names_and_numbers_are_removed), NDP_TEST(a_long_text_is_cut),
          NDP_TEST(a_failure_names_side_and_direction), NDP_TEST(a_difference_without_a_refusal_has_no_failure),
          NDP_TEST(a_symptom_names_swapped_elements));
