/* program_test.c: the words are those of harness/testees/README.md. */
#include "base/suite.h"
#include "target/program.h"

static void every_slot_and_reason_has_its_own_word(void **state) {
    assert_string_equal(ndp_slot_words[NDP_SLOT_SOURCE], "source");
    assert_string_equal(ndp_slot_words[NDP_SLOT_ENCODED], "encoded");
    assert_string_equal(ndp_slot_words[NDP_SLOT_RESULT], "result");
    assert_string_equal(ndp_refusal_words[NDP_REFUSAL_VALUE], "value");
    assert_string_equal(ndp_refusal_words[NDP_REFUSAL_OTHER], "other");
    for (int i = 0; i < NDP_SLOT_COUNT; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(ndp_slot_words[i], ndp_slot_words[k]);
    for (int i = 0; i < NDP_REFUSAL_COUNT; i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(ndp_refusal_words[i], ndp_refusal_words[k]);
}

static void every_verdict_has_its_word(void **state) {
    static const char *const words[NDP_VERDICT_COUNT] = {"PASS",    "DIVERGES", "REJECTS", "UNSUPPORTED", "CRASH",
                                                         "TIMEOUT", "OOM",      "FLAKY",   "FAULT"};
    for (int i = 0; i < NDP_VERDICT_COUNT; i++)
        assert_string_equal(ndp_program_verdict_word((enum ndp_verdict)i), words[i]);
    assert_string_equal(ndp_program_verdict_word(NDP_VERDICT_COUNT), "?");
}

/* Clearing empties every text and every count. */
static void clearing_empties_all(void **state) {
    static const struct ndp_observation nothing;
    static const struct ndp_death alive;
    static struct ndp_program program;
    static struct ndp_outcome outcome;
    memset(&program, 0x5a, sizeof program);
    memset(&outcome, 0x5a, sizeof outcome);
    ndp_program_clear(&program);
    assert_true(program.case_id == 0 && program.step_count == 0 && program.supplied_buffer_count == 0);
    assert_true(program.value == NULL && program.graph == NULL && program.dict == NULL && program.as == NULL);
    assert_true(program.base_bytes.data == NULL && program.supplied.data == NULL && program.supplied.size_bytes == 0);
    assert_true(program.base_bytes.size_bytes == 0 && program.as_order == 0 && !program.allows_objects);
    ndp_program_outcome_clear(&outcome);
    assert_true(outcome.case_id == 0 && outcome.ended == NDP_VERDICT_PASS && outcome.stderr_tail.data == NULL);
    assert_true(outcome.stderr_tail.size_bytes == 0 && outcome.fault[0] == '\0');
    assert_memory_equal(&outcome.death, &alive, sizeof alive);
    for (int i = 0; i < NDP_SLOT_COUNT; i++) {
        const struct ndp_slot_record *record = &outcome.slots[i];
        assert_true(record->state == NDP_SLOT_ABSENT && record->refusal.reason == 0);
        assert_true(record->refusal.type[0] == '\0' && record->refusal.message[0] == '\0');
        assert_true(!record->has_observation && !record->has_bytes && !record->has_peak && record->peak_bytes == 0);
        assert_true(record->graph == NULL && record->dict == NULL && record->buffer_count == 0);
        assert_true(record->bytes.data == NULL && record->bytes.size_bytes == 0);
        assert_true(record->observation.dtype == nothing.dtype && record->observation.flags == nothing.flags);
        assert_true(record->observation.elements.data == NULL && record->observation.ndim == 0);
    }
}

NDP_SUITE(program_test, NDP_TEST(clearing_empties_all), NDP_TEST(every_slot_and_reason_has_its_own_word),
          NDP_TEST(every_verdict_has_its_word));
