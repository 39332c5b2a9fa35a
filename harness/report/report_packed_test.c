#include "base/suite.h"
#include "report/report_packed.h"
#include "report/report_sample.h"

/* Packs a finding of group 1 whose first case took another route. */
static void pack(struct ndp_buffer *out) {
    const struct ndp_route generated = sample_route("npz");
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES, .route = sample_route("npy")};
    const struct ndp_result result = {.stderr_tail = ndp_bytes_view("the end")};
    divergence.judgement.severity = NDP_SEVERITY_DEFECT;
    ndp_signature_set_fuzzer(&divergence.signature, NDP_VERDICT_DIVERGES, "s");
    const struct ndp_finding finding = {.divergence = &divergence,
                                        .descriptor = ndp_bytes_view(SAMPLE_DESCRIPTOR),
                                        .first_case = UINT64_C(1) << 40 | 5,
                                        .confirm_runs = 3,
                                        .confirm_hits = 3,
                                        .result = &result,
                                        .generated = &generated};
    ndp_buffer_init(out, 1 << 20);
    const struct ndp_report_texts texts = {.script = ndp_bytes_view("import numpy"),
                                           .no_script = ndp_bytes_view(""),
                                           .evidence = ndp_bytes_view("evidence")};
    assert_int_equal(ndp_report_pack(&finding, 2, &texts, out), NDP_OK);
}

static void a_packed_finding_reaches_the_report(void **state) {
    struct ndp_buffer bytes;
    struct ndp_report report;
    struct ndp_report_packed packed;
    pack(&bytes);
    sample_report(&report);
    assert_int_equal(ndp_report_unpack(ndp_buffer_view(&bytes), &packed), NDP_OK);
    assert_true(ndp_bytes_is_equal(packed.script, ndp_bytes_view("import numpy")));
    assert_true(ndp_bytes_is_equal(packed.evidence, ndp_bytes_view("evidence")));
    assert_int_equal(ndp_report_add_packed(&report, &packed, 7000000000), NDP_OK);
    assert_int_equal(ndp_report_add_packed(&report, &packed, 9000000000), NDP_OK);
    ndp_buffer_clear(&bytes);
    assert_int_equal(report.findings.count, 1);
    const struct ndp_report_finding *finding = &report.findings.items[0];
    assert_int_equal(finding->count, 4);
    assert_int_equal(finding->found_after_ns, 7000000000);
    assert_string_equal(finding->first_group, "numpy>reference npy");
    assert_int_equal(finding->first_case, 5);
    assert_memory_equal(finding->stderr_tail.data, "the end", finding->stderr_tail.size_bytes);
    const struct ndp_report_cause *cause = &report.causes.items[finding->cause];
    assert_int_equal(cause->route_count, 2);
    assert_string_equal(cause->routes->next->text, "numpy>reference npz:file>mmap:r");
    ndp_report_clear(&report);
}

static void damaged_bytes_are_refused(void **state) {
    struct ndp_buffer bytes;
    struct ndp_report_packed packed;
    pack(&bytes);
    const struct ndp_bytes cut = {bytes.data, bytes.size_bytes - 1}, none = {bytes.data, 7};
    assert_int_equal(ndp_report_unpack(cut, &packed), NDP_INVALID);
    assert_int_equal(ndp_report_unpack(none, &packed), NDP_INVALID);
    assert_int_equal(ndp_buffer_add(&bytes, "x", 1), NDP_OK);
    assert_int_equal(ndp_report_unpack(ndp_buffer_view(&bytes), &packed), NDP_INVALID);
    ndp_buffer_clear(&bytes);
}

NDP_SUITE(report_packed_test, NDP_TEST(a_packed_finding_reaches_the_report), NDP_TEST(damaged_bytes_are_refused));
