#include "base/suite.h"
#include "report/baseline.h"
#include "report/report_sample.h"

#define ENTRY(pattern, more) "{\"pattern\":\"" pattern "\",\"reason\":\"r\",\"link\":\"l\"" more "}"
#define CAUSE(id, more)      "{\"cause\":\"" id "\",\"reason\":\"r\"" more "}"
#define DESCRIPTOR           ",\"descriptor\":" SAMPLE_DESCRIPTOR
#define EXPIRES(day)         ",\"expires\":\"" day "\""
#define ENTRIES(list)        "{\"schema\":2,\"entries\":[" list "]}"

static void test_states(void **state) {
    const char *text = ENTRIES(ENTRY("seen", DESCRIPTOR)                                       //
                               "," ENTRY("fixed", DESCRIPTOR)                                  //
                               "," ENTRY("seen but*", EXPIRES("2026-05-31") DESCRIPTOR)        //
                               "," ENTRY("good until today", EXPIRES("2026-06-01") DESCRIPTOR) //
                               "," ENTRY("not replayed", DESCRIPTOR)                           //
                               "," ENTRY("shown by replay", ""));
    static const enum ndp_baseline_state expected[] = {
        NDP_BASELINE_MATCHED, NDP_BASELINE_STALE,    NDP_BASELINE_EXPIRED,
        NDP_BASELINE_MATCHED, NDP_BASELINE_UNTESTED, NDP_BASELINE_MATCHED,
    };
    struct ndp_report report;
    struct ndp_baseline baseline;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    sample_report(&report);
    sample_finding(&report, "seen", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "seen but old", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "good until today", NDP_SEVERITY_DEFECT, 2);
    sample_finding(&report, "unknown", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "unsteady", NDP_SEVERITY_DEFECT, 1);
    sample_finding(&report, "late once", NDP_SEVERITY_DEFECT, 0);
    report.findings.items[5].kind = NDP_VERDICT_TIMEOUT;
    report.findings.items[5].confirm_runs = 0;
    assert_int_equal(ndp_baseline_read(&arena, "reports/baseline.json", ndp_bytes_view(text), &baseline, NULL), NDP_OK);
    assert_string_equal(baseline.file, "reports/baseline.json");
    assert_int_equal(baseline.count, NDP_ARRAY_LEN(expected));
    baseline.entries[0].is_replayed = baseline.entries[1].is_replayed = baseline.entries[5].is_replayed = true;
    baseline.entries[5].is_shown_by_replay = true;
    ndp_baseline_apply(&baseline, &report, "2026-06-01");
    for (size_t i = 0; i < NDP_ARRAY_LEN(expected); i++)
        if (baseline.entries[i].state != expected[i]) fail_msg("wrong state: %s", baseline.entries[i].pattern);
    const struct ndp_report_finding *findings = report.findings.items;
    assert_int_equal(findings[0].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[1].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[2].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[3].status, NDP_FINDING_NEW);
    assert_int_equal(findings[4].status, NDP_FINDING_FLAKY);
    assert_int_equal(findings[5].status, NDP_FINDING_FLAKY);
    ndp_report_clear(&report);
}

/* An entry accepts by the id of the key, whatever the route. */
static void test_causes(void **state) {
    char text[600];
    struct ndp_report report;
    struct ndp_baseline baseline;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    sample_report(&report);
    sample_finding(&report, "accepted", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "other", NDP_SEVERITY_DEFECT, 3);
    snprintf(text, sizeof text, ENTRIES(CAUSE("%s", DESCRIPTOR)), report.causes.items[0].cause.id);
    assert_int_equal(ndp_baseline_read(&arena, "b", ndp_bytes_view(text), &baseline, NULL), NDP_OK);
    ndp_baseline_apply(&baseline, &report, "2026-06-01");
    assert_int_equal(report.findings.items[0].status, NDP_FINDING_KNOWN);
    assert_int_equal(report.findings.items[1].status, NDP_FINDING_NEW);
    ndp_report_clear(&report);
}

static void test_print(void **state) {
    const char *text = ENTRIES(ENTRY("a|*", EXPIRES("2026-05-31")) "," CAUSE("0123abcd", DESCRIPTOR));
    struct ndp_baseline baseline, again;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    NDP_BUFFER_SCOPED(first, 1 << 20);
    NDP_BUFFER_SCOPED(second, 1 << 20);
    assert_int_equal(ndp_baseline_read(&arena, "b", ndp_bytes_view(text), &baseline, NULL), NDP_OK);
    assert_int_equal(ndp_baseline_print(&first, &baseline), NDP_OK);
    assert_int_equal(ndp_baseline_read(&arena, "b", ndp_buffer_view(&first), &again, NULL), NDP_OK);
    assert_int_equal(again.count, 2);
    assert_string_equal(again.entries[0].pattern, "a|*");
    assert_string_equal(again.entries[0].expires, "2026-05-31");
    assert_null(again.entries[0].descriptor);
    assert_string_equal(again.entries[1].cause, "0123abcd");
    assert_int_equal(again.entries[1].link.size_bytes, 0);
    assert_int_equal(ndp_baseline_print(&second, &again), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&second)));
}

/* The error is at the last occurrence of `at` in the text. */
static const struct {
    const char *text;
    enum ndp_status status;
    const char *path;
    const char *at;
} bad[] = {
    {"[]", NDP_INVALID, "", "["},
    {"{\"schema\":2}", NDP_INVALID, "", "{"},
    {"{\"schema\":1,\"entries\":[]}", NDP_UNSUPPORTED, "/schema", "1"},
    {"{\"schema\":2,\"entries\":{}}", NDP_INVALID, "/entries", "{}"},
    {"{\"schema\":2,\"entries\":[],\"x\":1}", NDP_INVALID, "/x", "\"x\""},
    {"{\"schema\":2,\"entries\":[", NDP_INVALID, "", ""},
    {ENTRIES("{\"pattern\":\"s\"}"), NDP_INVALID, "/entries/0", "{"},
    {ENTRIES("{\"reason\":\"r\"}"), NDP_INVALID, "/entries/0", "{"},
    {ENTRIES(CAUSE("0123abcd", "")), NDP_INVALID, "/entries/0", "{"},
    {ENTRIES(CAUSE("0123abcd", ",\"pattern\":\"p\"")), NDP_INVALID, "/entries/0", "{"},
    {ENTRIES(CAUSE("0123ABCD", DESCRIPTOR)), NDP_INVALID, "/entries/0/cause", "\"0123"},
    {ENTRIES(ENTRY("", DESCRIPTOR)), NDP_INVALID, "/entries/0/pattern", "\"\""},
    {ENTRIES(ENTRY("s", DESCRIPTOR ",\"expires\":\"2026-13-01\"")), NDP_INVALID, "/entries/0/expires", "\"2026"},
    {ENTRIES(ENTRY("s", DESCRIPTOR ",\"expires\":\"2026-1-1\"")), NDP_INVALID, "/entries/0/expires", "\"2026"},
    {ENTRIES(ENTRY("s", ",\"descriptor\":{\"x\":1}")), NDP_INVALID, "/entries/0/descriptor", "{\"x\""},
    {ENTRIES(ENTRY("s", ",\"descriptor\":[]")), NDP_INVALID, "/entries/0/descriptor", "[]"},
    {ENTRIES("{\"pattern\":\"s\",\"reason\":\"\",\"link\":\"l\"" DESCRIPTOR "}"), NDP_INVALID, "/entries/0/reason",
     "\"\""},
    {ENTRIES(ENTRY("s", DESCRIPTOR) "," ENTRY("s", DESCRIPTOR)), NDP_INVALID, "/entries/1", "{\"pattern"},
};

static const char *last_occurrence(const char *text, const char *part) {
    const char *found = NULL;
    for (const char *p = strstr(text, part); part[0] != '\0' && p != NULL; p = strstr(p + 1, part)) found = p;
    return found != NULL ? found : text + strlen(text);
}

static void test_bad(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        struct ndp_baseline baseline = {.count = 99};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        enum ndp_status status = ndp_baseline_read(&arena, "b", ndp_bytes_view(bad[i].text), &baseline, &error);
        size_t at = (size_t)(last_occurrence(bad[i].text, bad[i].at) - bad[i].text);
        if (status != bad[i].status || strcmp(error.path, bad[i].path) != 0 || error.offset_bytes != at) {
            fail_msg("%s: %s at \"%s\", byte %d, not %d: %s", bad[i].text, ndp_status_name(status), error.path,
                     (int)error.offset_bytes, (int)at, error.text);
        }
        assert_int_equal(baseline.count, 99);
    }
}

static void test_fail_nth_allocation(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 1;
    for (; status != NDP_OK && call < 100; call++) {
        struct ndp_baseline baseline;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, call);
        status = ndp_baseline_read(&arena, "b", ndp_bytes_view(ENTRIES(ENTRY("s", DESCRIPTOR))), &baseline, NULL);
        if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
    }
    assert_int_equal(status, NDP_OK);
    assert_true(call > 5);
}

NDP_SUITE(baseline_test, NDP_TEST(test_states), NDP_TEST(test_causes), NDP_TEST(test_print), NDP_TEST(test_bad),
          NDP_TEST(test_fail_nth_allocation));
