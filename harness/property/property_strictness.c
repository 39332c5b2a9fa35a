/* property_strictness.c: a decoder accepts valid input and refuses invalid input, without a partial array and within a
 * bounded peak of memory. */
#include "property/corpus_index.h"
#include "property/judgement.h"
#include "property/version_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The bound of the peak memory for `size` bytes of input: the array, a copy of it, and the parser's need for a header
 * of 64 KiB. Compressed archives have no such bound. */
#define PEAK_BASE_BYTES (UINT64_C(16) << 20)
#define PEAK_PER_BYTE   UINT64_C(4)

enum answer { ANSWER_UNKNOWN, ANSWER_ACCEPT, ANSWER_REFUSE };

/* Whether the itemsize is 0. Any extents fit then; decoders may refuse extents whose product overflows. */
static bool has_no_item_bytes(const struct ndp_observation *observation) {
    return observation->dtype != NULL && observation->dtype->itemsize_bytes == 0;
}

/* Whether the header of an NPY file begins with a space and the decoder's Python is older than 3.10, whose
 * ast.literal_eval reads that as indentation ("Changed in version 3.10: leading spaces and tabs are now stripped"). */
static bool is_indented_for_python(const struct ndp_trial *trial) {
    enum { HEADER_AT = 10, LONG_HEADER_AT = 12, MAJOR_AT = 6 };
    const char *python = ndp_target_library_version(trial->decoder, "python");
    const struct ndp_bytes file = trial->input;
    if (strcmp(trial->route->format, "npy") != 0 || file.size_bytes <= LONG_HEADER_AT) return false;
    const uint8_t first = file.data[file.data[MAJOR_AT] > 1 ? LONG_HEADER_AT : HEADER_AT];
    return (first == ' ' || first == '\t') && python != NULL && ndp_version_compare(python, "3.10") < 0;
}

/* The expectation of the corpus index for the decoder, if a library differs from the reference; or NULL. */
static const struct ndp_corpus_library *listed_library(const struct ndp_trial *trial) {
    if (strcmp(trial->decoder->implementation, "reference") == 0) return NULL;
    return ndp_corpus_index_find_library(trial->descriptor->file, trial->route->decode);
}

static enum answer expected_answer(enum ndp_expect expect) {
    switch (expect) {
    case NDP_EXPECT_ACCEPT:
        return ANSWER_ACCEPT;
    case NDP_EXPECT_REFUSE:
        return ANSWER_REFUSE;
    case NDP_EXPECT_OPEN:
        break;
    }
    return ANSWER_UNKNOWN;
}

/* The expected answer: that of the descriptor, else the corpus index, else the reference decoder. */
static enum answer find_expected_answer(const struct ndp_trial *trial) {
    if (trial->descriptor->expect != NDP_EXPECT_OPEN) return expected_answer(trial->descriptor->expect);
    const struct ndp_corpus_library *library = listed_library(trial);
    if (library != NULL) return expected_answer(library->expect);
    if (trial->oracle == NULL || is_indented_for_python(trial)) return ANSWER_UNKNOWN;
    switch (trial->oracle->state) {
    case NDP_SLOT_FILLED:
        return has_no_item_bytes(&trial->oracle->observation) ? ANSWER_UNKNOWN : ANSWER_ACCEPT;
    case NDP_SLOT_REFUSED:
        return ANSWER_REFUSE;
    case NDP_SLOT_ABSENT:
    case NDP_SLOT_UNSUPPORTED:
        break;
    }
    return ANSWER_UNKNOWN;
}

/* Invalid input must be refused. */
static void judge_invalid_input(const struct ndp_trial *trial, const struct ndp_slot_record *result,
                                struct ndp_judgement *out) {
    struct ndp_contract contract;
    ndp_judgement_peer_contract(trial, NULL, NULL, &contract);
    const struct ndp_contract_row *row = ndp_judgement_broken_acceptance(trial, result, &contract);
    if (row->promise == NDP_PROMISE_ANY) return;
    ndp_judgement_add_check(trial, row, "accepted", result->state == NDP_SLOT_REFUSED, "refused", "accepted", out);
}

bool ndp_property_judges_peak(const char *format) {
    return ndp_bytes_word_is(format, "npy");
}

static void judge_peak(const struct ndp_trial *trial, const struct ndp_contract_row *row, struct ndp_judgement *out) {
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, NDP_SLOT_PEAK);
    if (record == NULL || !record->has_peak || !ndp_property_judges_peak(trial->route->format)) return;
    uint64_t bound = PEAK_BASE_BYTES + PEAK_PER_BYTE * trial->input.size_bytes;
    char texts[2][40];
    snprintf(texts[0], sizeof texts[0], "at most %" PRIu64 " bytes", bound);
    snprintf(texts[1], sizeof texts[1], "%" PRIu64 " bytes", record->peak_bytes);
    bool is_first = out->verdict != NDP_VERDICT_DIVERGES;
    ndp_judgement_add_check(trial, row, "peak", record->peak_bytes <= bound, texts[0], texts[1], out);
    /* No library documents a bound, so this is a hazard for readers of foreign files, not a defect. */
    if (is_first && out->verdict == NDP_VERDICT_DIVERGES) out->severity = NDP_SEVERITY_HAZARD;
}

/* Compares the array with that of the reference, or with the promised one. */
static void judge_array(const struct ndp_trial *trial, const struct ndp_slot_record *result,
                        struct ndp_judgement *out) {
    static const uint32_t fields =
        NDP_FIELD_BIT(VALUES) | NDP_FIELD_BIT(SHAPE) | NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(BYTE_ORDER);
    const struct ndp_observation *right = NULL;
    if (trial->oracle != NULL && trial->oracle->has_observation) right = &trial->oracle->observation;
    if (right == NULL && trial->model != NULL) right = &trial->promised;
    if (right == NULL || !result->has_observation) return;
    ndp_judgement_compare_promised(trial, fields, right, &result->observation, out);
}

static void judge_strictness(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    if (result == NULL || result->state == NDP_SLOT_ABSENT) return;
    if (result->state == NDP_SLOT_UNSUPPORTED) {
        out->verdict = NDP_VERDICT_UNSUPPORTED;
        return;
    }
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    bool is_refused = result->state == NDP_SLOT_REFUSED;
    enum answer right = find_expected_answer(trial);
    if (right == ANSWER_ACCEPT && !ndp_judgement_may_refuse(row)) {
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        ndp_judgement_refusal_text(&result->refusal, text);
        ndp_judgement_add_check(trial, row, "accepted", !is_refused, "accepted", text, out);
    }
    if (right == ANSWER_REFUSE) judge_invalid_input(trial, result, out);
    if (is_refused)
        ndp_judgement_add_check(trial, row, "partial", !result->has_observation, "no array", "a partial array", out);
    judge_peak(trial, row, out);
    if (!is_refused && right == ANSWER_ACCEPT) judge_array(trial, result, out);
    if (is_refused && out->verdict == NDP_VERDICT_PASS) out->verdict = NDP_VERDICT_REJECTS;
}

const struct ndp_property ndp_property_strictness = {
    .name = "strictness",
    .statement = "A decoder accepts valid input, refuses invalid input without a partial array, and uses memory in "
                 "proportion to its input.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_decode = true,
    .judge = judge_strictness,
};
