/* report_sample.h: a small sample run for the tests of this folder. */
#ifndef NDP_REPORT_SAMPLE_H
#define NDP_REPORT_SAMPLE_H

#include "base/suite.h"
#include "report/report_json.h"

/* 2026-01-31 23:59:59 UTC; `date -u -d @1769903999`. */
#define SAMPLE_STARTED_S INT64_C(1769903999)

#define SAMPLE_DESCRIPTOR                                                                                              \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[3]}}},\"route\":{\"format\":\"npy\"," \
    "\"encode\":\"file\",\"decode\":\"mmap:r\",\"encoder\":\"numpy\",\"decoder\":\"reference\"},\"properties\":["      \
    "\"values\"]}"

static inline struct ndp_route sample_route(const char *format) {
    struct ndp_route route = {.encode = "file", .decode = "mmap:r", .encoder = "numpy", .decoder = "reference"};
    snprintf(route.format, sizeof route.format, "%s", format);
    return route;
}

/* Property 0 makes `comparisons` comparisons; property 1 rejects. */
static inline void sample_result_on(struct ndp_report *report, struct ndp_route route, uint64_t comparisons) {
    struct ndp_result result = {.verdict = NDP_VERDICT_PASS, .comparisons = comparisons};
    result.by_property[0].is_judged = true;
    result.by_property[0].comparisons = comparisons;
    result.by_property[1].is_judged = true;
    result.by_property[1].verdict = NDP_VERDICT_REJECTS;
    assert_int_equal(ndp_report_add_result(report, &route, &result), NDP_OK);
}

static inline void sample_result(struct ndp_report *report, const char *format, uint64_t comparisons) {
    sample_result_on(report, sample_route(format), comparisons);
}

/* Adds a finding with this signature. */
static inline void sample_finding_on(struct ndp_report *report, struct ndp_route route, const char *signature,
                                     enum ndp_severity severity, uint32_t hits) {
    static const int64_t shape[] = {3};
    static const int64_t strides[] = {8};
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_BIG, .itemsize_bytes = 8};
    static const uint8_t elements[24] = {0x3f, 0xf0};
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES, .route = route};
    divergence.judgement = (struct ndp_judgement){.severity = severity, .field = "byte_order"};
    ndp_equality_add(&divergence.judgement.comparison, "[0]", "1.0", "3.0386e-319 \xff");
    ndp_signature_set_fuzzer(&divergence.signature, NDP_VERDICT_DIVERGES, signature);
    snprintf(divergence.signature.outlier, NDP_WORD_BYTES, "numpy");
    const struct ndp_observation observation = {.class_name = ndp_bytes_view("ndarray"),
                                                .dtype = &dtype,
                                                .ndim = 1,
                                                .shape = shape,
                                                .strides_bytes = strides,
                                                .flags = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_ALIGNED,
                                                .elements = {elements, sizeof elements}};
    struct ndp_result result = {.has_source = true, .source = observation, .has_result = true, .result = observation};
    result.result.backing = (struct ndp_backing){.is_map_class = true, .has_mode = true, .mode = NDP_MAP_READ};
    result.stderr_tail = ndp_bytes_view("warning \xc3\xa9 \xff\n");
    const struct ndp_finding found = {.divergence = &divergence,
                                      .descriptor = ndp_bytes_view(SAMPLE_DESCRIPTOR),
                                      .first_case = UINT64_C(1) << 40 | 17,
                                      .confirm_runs = 3,
                                      .confirm_hits = hits,
                                      .result = &result};
    assert_int_equal(ndp_report_add_finding(report, &found, 1, "build/ndproof replay \"a file.json\""), NDP_OK);
    if (report->findings.count > 0)
        report->findings.items[report->findings.count - 1].found_after_ns = UINT64_C(12340000000);
}

static inline void sample_finding(struct ndp_report *report, const char *signature, enum ndp_severity severity,
                                  uint32_t hits) {
    sample_finding_on(report, sample_route("npy"), signature, severity, hits);
}

static inline void sample_duplicate(struct ndp_report *report, const char *text) {
    struct ndp_signature signature;
    ndp_signature_set_fuzzer(&signature, NDP_VERDICT_DIVERGES, text);
    const struct ndp_route route = sample_route("npz");
    assert_int_equal(ndp_report_count_duplicate(report, &signature, &route), NDP_OK);
}

/* Two groups; the second has all pairs and 3 of 8 triples. */
static inline void sample_coverage(struct ndp_report *report) {
    static const uint8_t bits[] = {0x0f, 0x07};
    const struct ndp_coverage_counts none = {0, 5, 0, 9};
    const struct ndp_coverage_counts counts = {4, 4, 3, 8};
    const struct ndp_bytes empty = {NULL, 0}, some = {bits, sizeof bits};
    assert_int_equal(ndp_report_set_coverage(report, "numpy>numpy npy", &none, empty, 0), NDP_OK);
    assert_int_equal(ndp_report_set_coverage(report, "numpy>reference npy", &counts, some, 8), NDP_OK);
}

/* A finished run of 20 cases without findings, which meets its floors. */
static inline void sample_report(struct ndp_report *report) {
    char words[4][16] = {"build/ndproof", "sweep", "--seed", "7"};
    char *const argv[] = {words[0], words[1], words[2], words[3]};
    const struct ndp_report_run run = {.version = "0.1.0",
                                       .commit = "0123456789ab",
                                       .seed = UINT64_MAX,
                                       .jobs = 2,
                                       .shard = 1,
                                       .shard_count = 4,
                                       .argc = 4,
                                       .argv = argv,
                                       .started_s = SAMPLE_STARTED_S};
    assert_int_equal(ndp_report_init(report, &run), NDP_OK);
    static const char *const names[] = {"reference", "numpy"};
    for (size_t i = 0; i < 2; i++) {
        struct ndp_target target = {.counts = {.restarts = 3, .crashes = 2, .timeouts = 1}};
        snprintf(target.info.name, sizeof target.info.name, "%s", names[i]);
        snprintf(target.info.implementation, sizeof target.info.implementation, "%s", names[i]);
        snprintf(target.info.version, sizeof target.info.version, "2.4.6");
        target.info.libraries[0] = (struct ndp_library){.name = "numpy", .version = "2.4.6"};
        target.info.libraries[1] = (struct ndp_library){.name = "astropy", .version = "8.0.2"};
        target.info.library_count = 2;
        target.info.entries[0] = (struct ndp_entry){.format = "pickle", .entry = "c", .takes_graphs = i == 0};
        target.info.entry_count = 1;
        ndp_report_target(report, &target);
    }
    ndp_report_add_missing_target(report, "numpy@old", "no such interpreter");
    const struct ndp_untested library = {NDP_UNTESTED_LIBRARY, "cudf@old", "", "its list omits it", false, false};
    assert_int_equal(ndp_untested_add(&report->untested, &library), NDP_OK);
    sample_coverage(report);
    assert_int_equal(ndp_report_add_lost_worker(report, "worker 1", "numpy>numpy npy 64..127", "signal 9"), NDP_OK);
    ndp_report_repeat_unit(report, "numpy>numpy npy 64..127");
    ndp_report_add_floor(report, NDP_FLOOR_CASES, "", 20);
    ndp_report_add_floor(report, NDP_FLOOR_FORMAT, "npy", 100);
    ndp_report_add_floor(report, NDP_FLOOR_PROPERTY, report->properties[0], 200);
    for (int i = 0; i < 10; i++) {
        sample_result(report, "npy", 10);
        sample_result(report, "raw", 10);
    }
    ndp_report_fill_floors(report);
    ndp_report_stop(report, NDP_REPORT_STOP_CASES, SAMPLE_STARTED_S + 1);
}

/* Prints a report with a finding of each status. */
static inline void sample_print(struct ndp_buffer *text) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    sample_finding(&report, "DIVERGES|values|npy|1", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "DIVERGES|values|npy|2", NDP_SEVERITY_DOCUMENTED_LOSS, 2);
    sample_finding(&report, "DIVERGES|values|npy|1", NDP_SEVERITY_DEFECT, 3);
    sample_duplicate(&report, "DIVERGES|values|npy|1");
    sample_duplicate(&report, "unknown");
    ndp_gate_judge(&report, NULL, &gate);
    ndp_buffer_init(text, 1 << 20);
    assert_int_equal(ndp_report_print(text, &report, NULL, &gate), NDP_OK);
    ndp_report_clear(&report);
}

#endif
