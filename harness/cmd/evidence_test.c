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

static void a_broken_promise_is_printed(void **state) {
    struct ndp_divergence divergence = wrong();
    ndp_equality_add(&divergence.judgement.comparison, "[1]", "1", "2");
    ndp_equality_add(&divergence.judgement.comparison, "[2]", "3", "4");
    expect(&divergence, 2,
           "  values broken by numpy on npy:memory>file, a\n"
           "    property: Values stay.\n"
           "    promise: values is as in the source\n"
           "    source: the manual\n"
           "    [1]: expected 1, got 2\n"
           "    [2]: expected 3, got 4\n");
    divergence.judgement.comparison.count = 1;
    divergence.judgement.comparison.total = 7;
    divergence.judgement.row = NULL;
    expect(&divergence, 0,
           "values broken by numpy on npy:memory>file, a\n"
           "  property: Values stay.\n"
           "  [1]: expected 1, got 2\n"
           "  and 6 more\n");
}

/* A target that is both ends is named once. */
static void the_ends_are_printed(void **state) {
    struct ndp_divergence divergence = wrong();
    divergence.judgement.row = NULL;
    snprintf(divergence.route.decoder, NDP_WORD_BYTES, "b");
    expect(&divergence, 0, "values broken by numpy on npy:memory>file, a to b\n  property: Values stay.\n");
    divergence.route.encoder[0] = '\0';
    divergence.route.encode[0] = '\0';
    expect(&divergence, 0, "values broken by numpy on npy>file, b\n  property: Values stay.\n");
}

static void a_process_death_is_printed(void **state) {
    char killed[256];
    snprintf(killed, sizeof killed, "  expected an answer, got a process killed by signal %d (%s) in decode\n", SIGSEGV,
             strsignal(SIGSEGV));
    const struct {
        enum ndp_verdict verdict;
        struct ndp_death death;
        const char *line;
    } rows[] = {
        {NDP_VERDICT_CRASH, {.signal = SIGSEGV, .frame = "decode"}, killed},
        {NDP_VERDICT_CRASH, {.exit_code = 3}, "  expected an answer, got a process that exited with 3\n"},
        {NDP_VERDICT_TIMEOUT, {.signal = SIGKILL}, "  expected an answer, got none before the deadline\n"},
        {NDP_VERDICT_OOM,
         {.signal = SIGKILL},
         "  expected an answer, got a process over its limit of memory, processes or files\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char expected[512];
        struct ndp_divergence divergence = wrong();
        divergence.property = NULL;
        divergence.judgement.row = NULL;
        divergence.verdict = rows[i].verdict;
        divergence.death = rows[i].death;
        snprintf(expected, sizeof expected, "process ended by numpy on npy:memory>file, a\n%s", rows[i].line);
        expect(&divergence, 0, expected);
    }
}

/* The stored words of acceptance are printed as the operation and its outcome. */
static void acceptance_is_printed_as_an_operation(void **state) {
    static const struct {
        const char *path, *operation, *expected, *got, *line;
    } rows[] = {
        {"accepted", "encode", "accepted", "TypeError: no", "  encode: expected success, got TypeError: no\n"},
        {"accepted.TypeError", "transport", "accepted", "TypeError: no",
         "  transport: expected success, got TypeError: no\n"},
        {"mmap:r: accepted", "decode", "refused", "accepted", "  mmap:r: decode: expected an error, got success\n"},
        {"encoder.accepted", "decode", "accepted", "refused",
         "  encode through the other entry point: expected success, got an error\n"},
        {"poked", "decode", "refused", "written", "  write to the result: expected an error, got written\n"},
        {"accepted", NULL, "1", "2", "  accepted: expected 1, got 2\n"},
        {"a.accepted", "decode", "1", "2", "  a.accepted: expected 1, got 2\n"},
    };
    static const struct ndp_contract_row promise = {
        .field = NDP_FIELD_ACCEPTED, .promise = NDP_PROMISE_SAME, .source = "a rule"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char expected[512];
        struct ndp_divergence divergence = wrong();
        divergence.judgement.row = &promise;
        divergence.judgement.operation = rows[i].operation;
        ndp_equality_add(&divergence.judgement.comparison, rows[i].path, rows[i].expected, rows[i].got);
        snprintf(expected, sizeof expected,
                 "values broken by numpy on npy:memory>file, a\n  property: Values stay.\n"
                 "  promise: %s\n  source: a rule\n%s",
                 strcmp(rows[i].expected, "refused") == 0 ? "invalid input is refused"
                                                          : "encoding and decoding succeed",
                 rows[i].line);
        expect(&divergence, 0, expected);
    }
}

NDP_SUITE(evidence_test, NDP_TEST(acceptance_is_printed_as_an_operation), NDP_TEST(a_broken_promise_is_printed),
          NDP_TEST(the_ends_are_printed), NDP_TEST(a_process_death_is_printed));
