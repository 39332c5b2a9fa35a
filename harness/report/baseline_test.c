#include "base/suite.h"
#include "report/baseline.h"
#include "report/report_sample.h"

#define ENTRY(signature, more) "{\"signature\":\"" signature "\",\"reason\":\"r\",\"link\":\"l\"" more "}"
#define DESCRIPTOR             ",\"descriptor\":" SAMPLE_DESCRIPTOR
#define EXPIRES(day)           ",\"expires\":\"" day "\""
#define ON(format, more)       ",\"descriptor\":{\"route\":{\"format\":\"" format "\"" more "}}"
#define ENTRIES(list)          "{\"schema\":1,\"entries\":[" list "]}"

static void test_states(void **state) {
    const char *text = ENTRIES(ENTRY("seen", DESCRIPTOR)                                               //
                               "," ENTRY("gone", DESCRIPTOR)                                           //
                               "," ENTRY("seen but old", EXPIRES("2026-05-31") DESCRIPTOR)             //
                               "," ENTRY("good until today", EXPIRES("2026-06-01") DESCRIPTOR)         //
                               "," ENTRY("no such target", ON("npy", ",\"decoder\":\"other\""))        //
                               "," ENTRY("target is missing", ON("npy", ",\"decoder\":\"numpy@old\"")) //
                               "," ENTRY("no such format", ON("npz", "")));
    static const enum ndp_baseline_state expected[] = {
        NDP_BASELINE_MATCHED,  NDP_BASELINE_STALE,    NDP_BASELINE_EXPIRED,  NDP_BASELINE_MATCHED,
        NDP_BASELINE_UNTESTED, NDP_BASELINE_UNTESTED, NDP_BASELINE_UNTESTED,
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
    assert_int_equal(ndp_baseline_read(&arena, "reports/baseline.json", ndp_bytes_view(text), &baseline, NULL), NDP_OK);
    assert_string_equal(baseline.file, "reports/baseline.json");
    assert_int_equal(baseline.count, NDP_ARRAY_LEN(expected));
    ndp_baseline_apply(&baseline, &report, "2026-06-01");
    for (size_t i = 0; i < NDP_ARRAY_LEN(expected); i++)
        if (baseline.entries[i].state != expected[i]) fail_msg("wrong state: %s", baseline.entries[i].signature);
    const struct ndp_report_finding *findings = report.findings.items;
    assert_int_equal(findings[0].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[1].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[2].status, NDP_FINDING_KNOWN);
    assert_int_equal(findings[3].status, NDP_FINDING_NEW);
    assert_int_equal(findings[4].status, NDP_FINDING_FLAKY);
    ndp_report_clear(&report);
}

/* The error is at the last occurrence of `at` in the text. */
static const struct {
    const char *text;
    enum ndp_status status;
    const char *path;
    const char *at;
} bad[] = {
    {"[]", NDP_INVALID, "", "["},
    {"{\"schema\":1}", NDP_INVALID, "", "{"},
    {"{\"schema\":2,\"entries\":[]}", NDP_UNSUPPORTED, "/schema", "2"},
    {"{\"schema\":1,\"entries\":{}}", NDP_INVALID, "/entries", "{}"},
    {"{\"schema\":1,\"entries\":[],\"x\":1}", NDP_INVALID, "/x", "\"x\""},
    {"{\"schema\":1,\"entries\":[", NDP_INVALID, "", ""},
    {ENTRIES("{\"signature\":\"s\"}"), NDP_INVALID, "/entries/0", "{"},
    {ENTRIES(ENTRY("", DESCRIPTOR)), NDP_INVALID, "/entries/0/signature", "\"\""},
    {ENTRIES(ENTRY("s", DESCRIPTOR ",\"expires\":\"2026-13-01\"")), NDP_INVALID, "/entries/0/expires", "\"2026"},
    {ENTRIES(ENTRY("s", DESCRIPTOR ",\"expires\":\"2026-1-1\"")), NDP_INVALID, "/entries/0/expires", "\"2026"},
    {ENTRIES(ENTRY("s", ",\"descriptor\":{\"x\":1}")), NDP_INVALID, "/entries/0/descriptor", "{\"x\""},
    {ENTRIES(ENTRY("s", ",\"descriptor\":[]")), NDP_INVALID, "/entries/0/descriptor", "[]"},
    {ENTRIES("{\"signature\":\"s\",\"reason\":\"\",\"link\":\"l\"" DESCRIPTOR "}"), NDP_INVALID, "/entries/0/reason",
     "\"\""},
    {ENTRIES(ENTRY("s", DESCRIPTOR) "," ENTRY("s", DESCRIPTOR)), NDP_INVALID, "/entries/1", "{\"signature"},
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

NDP_SUITE(baseline_test, NDP_TEST(test_states), NDP_TEST(test_bad), NDP_TEST(test_fail_nth_allocation));
