/* program_test.c: the words are those of harness/testees/README.md. */
#include "target/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void every_slot_and_reason_has_its_own_word(void **state) {
    (void)state;
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
    (void)state;
    static const char *const words[NDP_VERDICT_COUNT] = {"PASS",    "DIVERGES", "REJECTS", "UNSUPPORTED", "CRASH",
                                                         "TIMEOUT", "OOM",      "FLAKY",   "FAULT"};
    for (int i = 0; i < NDP_VERDICT_COUNT; i++) assert_string_equal(ndp_verdict_word((enum ndp_verdict)i), words[i]);
    assert_string_equal(ndp_verdict_word(NDP_VERDICT_COUNT), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slot_and_reason_has_its_own_word),
        cmocka_unit_test(every_verdict_has_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
