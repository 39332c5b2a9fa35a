#include "base/suite.h"
#include "cmd/evidence.h"
#include "cmd/printed_fixture.h"

#include <signal.h>

static const struct ndp_property values = {.name = "values", .statement = "Values stay."};
static const struct ndp_contract_row row = {
    .field = NDP_FIELD_VALUES, .promise = NDP_PROMISE_SAME, .source = "the manual"};

static struct ndp_divergence wrong(void) {
    return (struct ndp_divergence){
        .verdict = NDP_VERDICT_DIVERGES,
        .property = &values,
        .judgement = {.row = &row},
        .route = {.format = "npy", .encode = "memory", .decode = "file", .encoder = "a", .decoder = "a"},
        .signature = {.outlier = "numpy"},
    };
}

static void expect(const struct ndp_divergence *divergence, int indent, const char *expected) {
    struct printed printed;
    ndp_evidence_print(printed_open(&printed), divergence, indent);
    printed_expect(&printed, expected);
}

static void a_broken_promise_is_told(void **state) {
    struct ndp_divergence divergence = wrong();
    ndp_comparison_add(&divergence.judgement.comparison, "[1]", "1", "2");
    ndp_comparison_add(&divergence.judgement.comparison, "[2]", "3", "4");
    expect(&divergence, 2,
           "  values of numpy on npy:memory>file, a\n"
           "    the property: Values stay.\n"
           "    the promise: values is as in the source (the manual)\n"
           "    [1]: expected 1, got 2\n"
           "    [2]: expected 3, got 4\n");
    divergence.judgement.comparison.count = 1;
    divergence.judgement.comparison.total = 7;
    divergence.judgement.row = NULL;
    expect(&divergence, 0,
           "values of numpy on npy:memory>file, a\n"
           "  the property: Values stay.\n"
           "  [1]: expected 1, got 2\n"
           "  and 6 more\n");
}

/* Who takes part is named once, or each. */
static void the_ends_are_named(void **state) {
    struct ndp_divergence divergence = wrong();
    divergence.judgement.row = NULL;
    snprintf(divergence.route.decoder, NDP_WORD_BYTES, "b");
    expect(&divergence, 0, "values of numpy on npy:memory>file, a to b\n  the property: Values stay.\n");
    divergence.route.encoder[0] = '\0';
    divergence.route.encode[0] = '\0';
    expect(&divergence, 0, "values of numpy on npy>file, b\n  the property: Values stay.\n");
}

static void a_death_is_told(void **state) {
    char killed[256];
    snprintf(killed, sizeof killed, "  killed by signal %d (%s) in decode\n", SIGSEGV, strsignal(SIGSEGV));
    const struct {
        enum ndp_verdict verdict;
        struct ndp_death death;
        const char *line;
    } rows[] = {
        {NDP_VERDICT_CRASH, {.signal = SIGSEGV, .frame = "decode"}, killed},
        {NDP_VERDICT_CRASH, {.exit_code = 3}, "  exited with 3\n"},
        {NDP_VERDICT_TIMEOUT, {.signal = SIGKILL}, "  it did not answer before the deadline\n"},
        {NDP_VERDICT_OOM, {.signal = SIGKILL}, "  it went past the memory limit\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char expected[512];
        struct ndp_divergence divergence = wrong();
        divergence.property = NULL;
        divergence.judgement.row = NULL;
        divergence.verdict = rows[i].verdict;
        divergence.death = rows[i].death;
        snprintf(expected, sizeof expected, "the process of numpy on npy:memory>file, a\n%s", rows[i].line);
        expect(&divergence, 0, expected);
    }
}

NDP_SUITE(evidence_test, cmocka_unit_test(a_broken_promise_is_told), cmocka_unit_test(the_ends_are_named),
          cmocka_unit_test(a_death_is_told));
