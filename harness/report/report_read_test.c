#include "base/suite.h"
#include "report/report_json.h"

#include <cjson/cJSON.h>

#include "base/rng.h"
#include "describe/json_fixture.h"
#include "report/report_sample.h"

/* A path inside /work. */
#define IN_WORK(place)                                                                                                 \
    "/"                                                                                                                \
    "work"                                                                                                             \
    "/" place

static enum ndp_status read_copy(const uint8_t *data, size_t size, struct ndp_error *error) {
    /* An exact-size copy, so that a sanitizer sees a read past the end. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    struct ndp_report report;
    assert_non_null(copy);
    if (size > 0) memcpy(copy, data, size);
    enum ndp_status status = ndp_report_read((struct ndp_bytes){copy, size}, &report, error);
    ndp_report_clear(&report);
    free(copy);
    return status;
}

#define FUZZED                                                                                                         \
    "{\"target\":\"fuzz_npy\",\"engine\":\"libfuzzer\",\"executions\":7,\"executions_per_second\":1,"                  \
    "\"executions_per_cpu_second\":1,\"valid_percent\":50.0,\"valid_by_form_percent\":null,\"covered_edges\":1,"       \
    "\"covered_percent\":0.1,\"stability_percent\":null,\"comparisons\":2,\"findings\":0,\"corpus_files\":3"

/* The nightly job adds a row for each fuzz target. */
static void test_fuzzing_rows(void **state) {
    struct ndp_buffer text, night;
    struct ndp_error error = {.status = NDP_OK};
    sample_print(&text);
    ndp_buffer_init(&night, 1 << 20);
    assert_int_equal(text.data[0], '{');
    assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
    assert_int_equal(ndp_buffer_printf(&night, "{\"fuzzing\":[" FUZZED "}," FUZZED ",\"feedback_counters\":null}],%s",
                                       (const char *)text.data + 1),
                     NDP_OK);
    if (read_copy(night.data, (size_t)night.size_bytes, &error) != NDP_OK) fail_msg("%s: %s", error.path, error.text);
    ndp_buffer_clear(&night);
    ndp_buffer_clear(&text);
}

static void test_damaged(void **state) {
    struct ndp_buffer text;
    struct ndp_rng rng;
    uint32_t refused = 0;
    sample_print(&text);
    ndp_rng_init(&rng, 2);
    for (size_t size = 0; size + 2 < text.size_bytes; size += 1 + size / 50) {
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        assert_int_equal(read_copy(text.data, size, &error), NDP_INVALID);
        assert_true(error.offset_bytes <= size);
    }
    for (int round = 0; round < 500; round++) {
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        uint64_t at = ndp_rng_next(&rng) % text.size_bytes;
        uint8_t kept = text.data[at];
        text.data[at] = (uint8_t)(kept ^ (1u << ndp_rng_next(&rng) % 8));
        if (read_copy(text.data, (size_t)text.size_bytes, &error) != NDP_OK) {
            refused++;
            assert_true(error.offset_bytes <= text.size_bytes);
            assert_true(error.text[0] != '\0');
        }
        text.data[at] = kept;
    }
    assert_true(refused > 100);
    ndp_buffer_clear(&text);
}

/* The first place of `part` in the section that the path names: a finding, or anything. */
static char *find_in_section(char *text, const char *path, const char *part) {
    char *start = strncmp(path, "/findings", 9) == 0 ? strstr(text, "\"findings\":\t[{") : text;
    char *place = strstr(start, part);
    if (place == NULL) fail_msg("no %s in the sample", part);
    return place;
}

static void test_untested(void **state) {
    struct ndp_buffer text;
    struct ndp_report report;
    sample_print(&text);
    assert_int_equal(ndp_report_read(ndp_buffer_view(&text), &report, NULL), NDP_OK);
    assert_int_equal(report.untested.count, 1);
    const struct ndp_untested *item = &report.untested.items[0];
    assert_int_equal(item->kind, NDP_UNTESTED_LIBRARY);
    assert_string_equal(item->name, "cudf@old");
    assert_string_equal(item->reason, "its list omits it");
    assert_true(!item->is_expected && !item->is_allowed);
    assert_int_equal(report.targets[1].comparisons, 200);
    ndp_report_clear(&report);
    ndp_buffer_clear(&text);
}

/* Each row damages the sample at one place. */
static void test_refused(void **state) {
    static const struct {
        const char *from;
        const char *to;
        enum ndp_status status;
        const char *path;
    } rows[] = {
        {"\"schema\":\t2", "\"schema\":\t1", NDP_UNSUPPORTED, "/schema"},
        {"\"schema\"", "\"fuzzing\":\t7, \"schema\"", NDP_INVALID, "/fuzzing"},
        {"\"schema\"", "\"fuzzing\":\t[" FUZZED "}, {\"target\":\"\"}], \"schema\"", NDP_INVALID, "/fuzzing/1"},
        {"\"ndproof\",", "\"other\",", NDP_INVALID, "/tool/name"},
        {"\"stop_reason\":\t\"cases\"", "\"stop_reason\":\t\"unknown\"", NDP_INVALID, "/run/stop_reason"},
        {"\"restarts\":\t3", "\"restarts\":\t-3", NDP_INVALID, "/targets/0/restarts"},
        {"\"kind\":\t\"DIVERGES\"", "\"kind\":\t\"diverges\"", NDP_INVALID, "/findings/0/kind"},
        {"npy|2", "npy|1", NDP_INVALID, "/findings/1"},
        {"\"dtype\":\">f8\"", "\"dtype\":\">f9\"", NDP_INVALID, "/findings/0/descriptor/value/array/base/dtype"},
        {"\"hits\":\t3", "\"hits\":\t4", NDP_INVALID, "/findings/0/confirmed/hits"},
        {"\"replay\"", "\"reply\"", NDP_INVALID, "/findings/0/reply"},
        {"\"cause\":\t\"", "\"cause\":\t\"x", NDP_INVALID, "/findings/0/cause"},
        {"\"library\":\t", "\"library\":\t1, \"x\":\t", NDP_INVALID, "/causes/0/x"},
        {"\"key\":\t\"", "\"key\":\t1, \"x\":\t\"", NDP_INVALID, "/causes/0/x"},
        {"\"work\"", "\"labour\"", NDP_INVALID, "/labour"},
        {"\"floors\"", "\"flooors\"", NDP_INVALID, IN_WORK("flooors")},
        {"\"least\"", "\"last\"", NDP_INVALID, IN_WORK("floors/0/last")},
        {"\"kind\":\t\"cases\"", "\"kind\":\t\"case\"", NDP_INVALID, IN_WORK("floors/0/kind")},
        {"\"rejects\"", "\"reject\"", NDP_INVALID, IN_WORK("cells/0/reject")},
        {"\"cells\":\t[", "\"cells\":\t7, \"x\":\t[", NDP_INVALID, IN_WORK("x")},
        {"\"stderr_tail\":\t\"", "\"stderr_tail\":\t1, \"x\":\t\"", NDP_INVALID, "/findings/0/x"},
        {"\"exit_code\"", "\"exit\"", NDP_INVALID, "/gate/exit"},
        {"\"commit\":\t\"", "\"commit\":\t\"0123456789012345678901234567890123456789012345678901234567890123456789",
         NDP_INVALID, "/tool/commit"},
        {"\"stale\":\t[]", "\"stale\":\t{}", NDP_INVALID, "/baseline/stale"},
        {"\"kind\":\t\"library\"", "\"kind\":\t\"book\"", NDP_INVALID, "/untested/0/kind"},
        {"\"expected\":\tfalse", "\"expected\":\t0", NDP_INVALID, "/untested/0/expected"},
        {"\"comparisons\":\t200", "\"comparisons\":\t-1", NDP_INVALID, "/targets/0/comparisons"},
        {"\"jobs\":\t2", "\"jobs\":\t-2", NDP_INVALID, "/run/jobs"},
        {"\"shard\":\t\"2/4\"", "\"shard\":\t\"5/4\"", NDP_INVALID, "/run/shard"},
        {"\"shard\":\t\"2/4\"", "\"shard\":\t\"2/4x\"", NDP_INVALID, "/run/shard"},
        {"\"shard\":\t\"2/4\"", "\"shard\":\t\"02/4\"", NDP_INVALID, "/run/shard"},
        {"\"pair_bits\"", "\"pairs\"", NDP_INVALID, IN_WORK("coverage/1/bits/pairs")},
        {"\"bytes\":\t2", "\"bytes\":\t3", NDP_INVALID, IN_WORK("coverage/1/bits/zlib")},
        {"\"possible_triples\":\t9", "\"possible_triples\":\t\"\"", NDP_INVALID,
         IN_WORK("coverage/0/possible_triples")},
        {"\"repeated\":\ttrue", "\"repeated\":\t1", NDP_INVALID, IN_WORK("lost_workers/0/repeated")},
        {"\"found_after_s\":\t12.3", "\"found_after_s\":\t-12.3", NDP_INVALID, "/findings/0/found_after_s"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_buffer text;
        struct ndp_error error = {.status = NDP_OK};
        sample_print(&text);
        NDP_BUFFER_SCOPED(changed, 1 << 20);
        assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
        const char *start = (const char *)text.data;
        const char *place = find_in_section((char *)text.data, rows[i].path, rows[i].from);
        assert_int_equal(ndp_buffer_add(&changed, start, (uint64_t)(place - start)), NDP_OK);
        assert_int_equal(ndp_buffer_printf(&changed, "%s%s", rows[i].to, place + strlen(rows[i].from)), NDP_OK);
        enum ndp_status status = read_copy(changed.data, (size_t)changed.size_bytes, &error);
        if (status != rows[i].status || strcmp(error.path, rows[i].path) != 0)
            fail_msg("%s: %s at \"%s\": %s", rows[i].to, ndp_status_name(status), error.path, error.text);
        assert_true(error.offset_bytes < changed.size_bytes);
        ndp_buffer_clear(&text);
    }
}

/* Removes one member; the JSON stays valid because another key follows. */
static void test_missing(void **state) {
    static const struct {
        const char *key;
        const char *path;
    } rows[] = {{"\"cases\":\t20,", "/work"},
                {"\"seed\":\t\"18446744073709551615\",", "/run"},
                {"\"severity\":\t\"defect\",", "/findings/0"},
                {"\"schema\":\t2,", ""}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_buffer text;
        struct ndp_error error = {.status = NDP_OK};
        sample_print(&text);
        assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
        char *place = find_in_section((char *)text.data, rows[i].path, rows[i].key);
        memset(place, ' ', strlen(rows[i].key));
        const enum ndp_status status = read_copy(text.data, (size_t)text.size_bytes - 1, &error);
        if (status != NDP_INVALID || strcmp(error.path, rows[i].path) != 0)
            fail_msg("%s: %s at \"%s\": %s", rows[i].key, ndp_status_name(status), error.path, error.text);
        ndp_buffer_clear(&text);
    }
}

static void test_fail_nth_allocation(void **state) {
    struct ndp_buffer text;
    sample_print(&text);
    enum ndp_status status = NDP_NOMEM;
    uint64_t calls = 0;
    for (; status != NDP_OK && calls < 5000; calls++) {
        struct ndp_report report;
        ndp_json_allow(calls);
        status = ndp_report_read(ndp_buffer_view(&text), &report, NULL);
        if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
        ndp_report_clear(&report);
    }
    ndp_json_allow_all();
    assert_int_equal(status, NDP_OK);
    assert_true(calls > 100);
    ndp_buffer_clear(&text);
}

/* Reports of earlier versions lack jobs, coverage, lost workers, and group and time of a finding. */
static void test_older(void **state) {
    static const char *const parts[] = {"\"jobs\":\t2,", "\"shard\":\t\"2/4\",",
                                        "\"first_group\":\t\"numpy>reference npy\",", "\"found_after_s\":\t12.3,"};
    struct ndp_buffer text;
    struct ndp_report report;
    struct ndp_error error = {.status = NDP_OK};
    sample_print(&text);
    assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++) {
        char *place = strstr((char *)text.data, parts[i]);
        assert_non_null(place);
        for (; place != NULL; place = strstr(place, parts[i])) memset(place, ' ', strlen(parts[i]));
    }
    char *from = strstr((char *)text.data, "\"coverage\""), *to = strstr(from, "\"causes\"");
    while (*from != ',') from--;
    while (*to != '}') to--;
    memset(from, ' ', (size_t)(to - from));
    if (ndp_report_read((struct ndp_bytes){text.data, text.size_bytes - 1}, &report, &error) != NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    assert_int_equal(report.coverage.count, 0);
    assert_int_equal(report.shard_count, 0);
    assert_string_equal(report.findings.items[0].first_group, "");
    assert_int_equal(report.findings.items[0].found_after_ns, 0);
    ndp_report_clear(&report);
    ndp_buffer_clear(&text);
}

NDP_SUITE(report_read_test, NDP_TEST(test_older), NDP_TEST(test_fuzzing_rows), NDP_TEST(test_untested),
          NDP_TEST(test_damaged), NDP_TEST(test_refused), NDP_TEST(test_missing), NDP_TEST(test_fail_nth_allocation));
