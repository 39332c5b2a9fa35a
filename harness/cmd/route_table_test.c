#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/route_table.h"

#include <signal.h>
#include <string.h>

static const struct ndp_property strictness = {.name = "strictness"}, entry_points = {.name = "entry_points"},
                                 byte_order = {.name = "byte_order"};
static const struct ndp_dtype big = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_BIG, .itemsize_bytes = 8};
static const int64_t shape[] = {3, 4};
static const int64_t strides[] = {8, 24};

/* A run of a decode case on one target, whose result is an array in Fortran order. */
struct run {
    struct ndp_target target;
    struct ndp_bench bench;
    struct ndp_descriptor descriptor;
    struct ndp_slot_record encoding, decoding, oracle;
    struct ndp_result result;
};

static void prepare(struct run *run) {
    memset(run, 0, sizeof *run);
    run->target.info = (struct ndp_target_info){.name = "lib", .implementation = "lib", .version = "1.2"};
    run->bench = (struct ndp_bench){.targets = {&run->target}, .count = 1};
    run->descriptor.kind = NDP_CASE_DECODE;
    run->descriptor.route = (struct ndp_route){.format = "npy", .decode = "file", .encoder = "lib", .decoder = "lib"};
    run->decoding = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .has_observation = true};
    run->decoding.observation = (struct ndp_observation){.class_name = ndp_bytes_view("ndarray"),
                                                         .dtype = &big,
                                                         .ndim = 2,
                                                         .shape = shape,
                                                         .strides_bytes = strides,
                                                         .flags = NDP_FLAG_F_CONTIGUOUS};
    run->oracle = run->decoding;
    run->result = (struct ndp_result){
        .comparisons = 1, .encoding = &run->encoding, .decoding = &run->decoding, .oracle = &run->oracle};
}

static void refuse(struct ndp_slot_record *slot, const char *message) {
    *slot = (struct ndp_slot_record){.state = NDP_SLOT_REFUSED};
    snprintf(slot->refusal.type, sizeof slot->refusal.type, "ValueError");
    snprintf(slot->refusal.message, sizeof slot->refusal.message, "%s", message);
}

/* The last row of a table with one run. */
static struct ndp_table_row row_of(const struct run *run) {
    struct ndp_route_table table = {.count = 0};
    assert_int_equal(ndp_route_table_add(&table, &run->bench, &run->descriptor, &run->result), NDP_OK);
    const struct ndp_table_row row = table.rows[0];
    ndp_route_table_clear(&table);
    return row;
}

static void diverge(struct run *run, const struct ndp_property *property, enum ndp_severity severity, const char *path,
                    const char *expected) {
    struct ndp_divergence *divergence = &run->result.divergences[run->result.divergence_count++];
    divergence->verdict = NDP_VERDICT_DIVERGES;
    divergence->property = property;
    divergence->judgement.severity = severity;
    snprintf(divergence->judgement.field, NDP_WORD_BYTES, "%s", path);
    ndp_equality_add(&divergence->judgement.comparison, path, expected, "other");
}

static void the_table_is_aligned(void **state) {
    struct run run;
    struct printed printed;
    struct ndp_route_table table = {.count = 0};
    prepare(&run);
    assert_int_equal(ndp_route_table_add(&table, &run.bench, &run.descriptor, &run.result), NDP_OK);
    refuse(&run.decoding, "no\nline\x1b end");
    snprintf(run.descriptor.route.decode, NDP_WORD_BYTES, "mmap:r");
    diverge(&run, &strictness, NDP_SEVERITY_DEFECT, "accepted", "accepted");
    assert_int_equal(ndp_route_table_add(&table, &run.bench, &run.descriptor, &run.result), NDP_OK);
    ndp_route_table_print(printed_open(&printed), &table);
    printed_expect(&printed, "  specification: accepted, (3, 4) >f8 F\n"
                             "  library  route       result    value or error            against the specification\n"
                             "  lib 1.2  npy>file    accepted  (3, 4) >f8 F              as specified\n"
                             "  lib 1.2  npy>mmap:r  refused   ValueError: no line  end  refused, must be accepted\n");
    ndp_route_table_clear(&table);
}

static void differences_have_words(void **state) {
    static const struct {
        const struct ndp_property *property;
        enum ndp_severity severity;
        const char *path, *expected, *words;
    } rows[] = {
        {&strictness, NDP_SEVERITY_DEFECT, "accepted", "refused", "accepted, must be refused"},
        {&strictness, NDP_SEVERITY_DEFECT, "accepted", "accepted", "refused, must be accepted"},
        {&strictness, NDP_SEVERITY_DOCUMENTED_LOSS, "accepted", "refused",
         "documented loss: accepted, must be refused"},
        {&byte_order, NDP_SEVERITY_DEFECT, "dtype.order", "big", "differs: dtype.order"},
        {&byte_order, NDP_SEVERITY_HAZARD, "dtype.order", "big", "documented hazard: differs: dtype.order"},
        {&entry_points, NDP_SEVERITY_DEFECT, "mmap:r: accepted", "refused",
         "as specified; another entry point differs"},
        {NULL, NDP_SEVERITY_DEFECT, "process", "", "the process ended"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct run run;
        prepare(&run);
        diverge(&run, rows[i].property, rows[i].severity, rows[i].path, rows[i].expected);
        assert_string_equal(row_of(&run).against, rows[i].words);
    }
}

/* The expectation of a descriptor precedes the result of the reference. */
static void the_specification_is_one_line(void **state) {
    static const struct {
        enum ndp_expect expect;
        enum ndp_slot_state oracle;
        const char *line;
    } rows[] = {
        {NDP_EXPECT_OPEN, NDP_SLOT_FILLED, "  specification: accepted, (3, 4) >f8 F\n"},
        {NDP_EXPECT_OPEN, NDP_SLOT_REFUSED, "  specification: refused, ValueError: no\n"},
        {NDP_EXPECT_OPEN, NDP_SLOT_UNSUPPORTED, "  library"},
        {NDP_EXPECT_ACCEPT, NDP_SLOT_FILLED, "  specification: accepted, (3, 4) >f8 F\n"},
        {NDP_EXPECT_ACCEPT, NDP_SLOT_REFUSED, "  specification: accepted\n"},
        {NDP_EXPECT_ACCEPT, NDP_SLOT_UNSUPPORTED, "  specification: accepted\n"},
        {NDP_EXPECT_REFUSE, NDP_SLOT_FILLED, "  specification: refused\n"},
        {NDP_EXPECT_REFUSE, NDP_SLOT_REFUSED, "  specification: refused, ValueError: no\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct run run;
        struct printed printed;
        struct ndp_route_table table = {.count = 0};
        prepare(&run);
        run.descriptor.expect = rows[i].expect;
        if (rows[i].oracle != NDP_SLOT_FILLED) refuse(&run.oracle, "no");
        run.oracle.state = rows[i].oracle;
        assert_int_equal(ndp_route_table_add(&table, &run.bench, &run.descriptor, &run.result), NDP_OK);
        ndp_route_table_print(printed_open(&printed), &table);
        const char *text = printed_text(&printed);
        if (strncmp(text, rows[i].line, strlen(rows[i].line)) != 0) fail_msg("row %zu: %s", i, text);
        printed_close(&printed);
        ndp_route_table_clear(&table);
    }
}

/* Without a result of the reference there is nothing to compare with, except other entry points. */
static void unspecified_results_are_not_called_specified(void **state) {
    struct run run;
    prepare(&run);
    run.oracle.state = NDP_SLOT_UNSUPPORTED;
    assert_string_equal(row_of(&run).against, "not specified; entry points agree");
    run.result.comparisons = 0;
    assert_string_equal(row_of(&run).against, "not comparable");
    run.result.verdict = NDP_VERDICT_UNSUPPORTED;
    snprintf(run.result.detail, sizeof run.result.detail, "lib does not claim it");
    assert_string_equal(row_of(&run).outcome, "unsupported");
    assert_string_equal(row_of(&run).value, "lib does not claim it");
    run.result.verdict = NDP_VERDICT_PASS;
    run.descriptor.expect = NDP_EXPECT_REFUSE;
    run.result.comparisons = 1;
    assert_string_equal(row_of(&run).against, "as specified");
}

static void a_process_death_is_a_result(void **state) {
    struct run run;
    prepare(&run);
    diverge(&run, NULL, NDP_SEVERITY_DEFECT, "process", "");
    run.result.divergences[0].verdict = NDP_VERDICT_CRASH;
    run.result.divergences[0].death = (struct ndp_death){.signal = SIGSEGV, .frame = "decode"};
    char expected[128];
    snprintf(expected, sizeof expected, "%s decode", strsignal(SIGSEGV));
    assert_string_equal(row_of(&run).outcome, "CRASH");
    assert_string_equal(row_of(&run).value, expected);
}

/* An error of the encoder is that of the route; a library of an entry point has its own version. */
static void the_ends_of_a_round_trip_are_named(void **state) {
    struct run run;
    prepare(&run);
    run.descriptor.kind = NDP_CASE_ROUND_TRIP;
    struct ndp_target other = {.info = {.name = "b", .implementation = "b", .version = "3", .entry_count = 1}};
    other.info.entries[0] = (struct ndp_entry){.format = "npy", .entry = "memory", .library = "part", .encodes = true};
    other.info.libraries[0] = (struct ndp_library){"part", "4.5"};
    other.info.library_count = 1;
    run.bench.targets[run.bench.count++] = &other;
    snprintf(run.descriptor.route.encode, NDP_WORD_BYTES, "memory");
    snprintf(run.descriptor.route.encoder, NDP_WORD_BYTES, "b");
    refuse(&run.encoding, "cannot");
    const struct ndp_table_row row = row_of(&run);
    assert_string_equal(row.library, "part 4.5 in b to lib 1.2");
    assert_string_equal(row.route, "npy:memory>file");
    assert_string_equal(row.outcome, "refused");
    assert_string_equal(row.value, "ValueError: cannot");
}

/* Cells are bounded, and a cut never splits a character. */
static void long_texts_are_cut(void **state) {
    struct run run;
    char message[192] = "";
    prepare(&run);
    for (int i = 0; i < 90; i++) snprintf(message + 2 * i, sizeof message - 2 * (size_t)i, "\xc3\xa9");
    refuse(&run.decoding, message);
    const struct ndp_table_row row = row_of(&run);
    assert_true(strlen(row.value) < NDP_TABLE_TEXT_BYTES);
    const char *end = strstr(row.value, "...");
    assert_non_null(end);
    assert_int_equal((unsigned char)end[-1], 0xa9);
}

/* A snippet takes hundreds of routes; those of one format that differ in nothing share a row. */
static void many_rows_are_joined(void **state) {
    struct run run;
    struct printed printed;
    struct ndp_route_table table = {.count = 0};
    prepare(&run);
    run.result.oracle = NULL;
    run.descriptor.kind = NDP_CASE_ROUND_TRIP;
    snprintf(run.descriptor.route.encode, NDP_WORD_BYTES, "memory");
    for (int i = 0; i <= NDP_TABLE_MAX_ROWS; i++) {
        snprintf(run.descriptor.route.format, NDP_WORD_BYTES, "%s", i == 7 ? "npz" : "npy");
        if (i == NDP_TABLE_MAX_ROWS) refuse(&run.decoding, "no");
        assert_int_equal(ndp_route_table_add(&table, &run.bench, &run.descriptor, &run.result), NDP_OK);
    }
    ndp_route_table_print(printed_open(&printed), &table);
    printed_expect(&printed, "  library  route            result    value or error  against the specification\n"
                             "  lib 1.2  npy: 39 routes   accepted  (3, 4) >f8 F    as specified\n"
                             "  lib 1.2  npz:memory>file  accepted  (3, 4) >f8 F    as specified\n"
                             "  lib 1.2  npy:memory>file  refused   ValueError: no  as specified\n");
    ndp_route_table_clear(&table);
}

NDP_SUITE(route_table_test, NDP_TEST(many_rows_are_joined), NDP_TEST(the_specification_is_one_line),
          NDP_TEST(the_table_is_aligned), NDP_TEST(differences_have_words),
          NDP_TEST(unspecified_results_are_not_called_specified), NDP_TEST(a_process_death_is_a_result),
          NDP_TEST(the_ends_of_a_round_trip_are_named), NDP_TEST(long_texts_are_cut));
