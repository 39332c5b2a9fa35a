#include "report/compare.h"

#include <stdlib.h>

#define ARENA_BYTES (UINT64_C(1) << 30)

const char *ndp_compare_change_word(enum ndp_change change) {
    static const char *const words[] = {
#define CHANGE_WORD(name, word, text) word,
        NDP_CHANGE_LIST(CHANGE_WORD)};
    return change < NDP_CHANGE_COUNT ? words[change] : "?";
}

/* Classifies a finding of the old report. A missing finding is fixed only if the new run covers its route; an
 * unreadable descriptor counts as untested. */
static enum ndp_change classify_old_finding(const struct ndp_report_finding *finding,
                                            const struct ndp_report *new_report) {
    if (ndp_report_findings_find(&new_report->findings, finding->signature) != NULL) return NDP_CHANGE_STILL;
    struct ndp_descriptor descriptor;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    bool is_covered =
        ndp_descriptor_read(&arena, finding->descriptor, &ndp_describe_default_limits, &descriptor, NULL) == NDP_OK &&
        ndp_report_covers(new_report, &descriptor.route, finding->property);
    return is_covered ? NDP_CHANGE_FIXED : NDP_CHANGE_UNTESTED;
}

static void add_finding(struct ndp_compare *compare, enum ndp_change change, const struct ndp_report_finding *finding) {
    compare->items[compare->count++] = (struct ndp_compared){change, finding};
    compare->counts[change]++;
}

/* Adds all findings of one change; one call per change groups the list without sorting. */
static void add_findings_of_change(struct ndp_compare *compare, enum ndp_change change,
                                   const struct ndp_report *old_report, const struct ndp_report *new_report) {
    bool is_of_new = change == NDP_CHANGE_NEW || change == NDP_CHANGE_STILL;
    const struct ndp_report_findings *findings = is_of_new ? &new_report->findings : &old_report->findings;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct ndp_report_finding *finding = &findings->items[i];
        bool is_old = ndp_report_findings_find(&old_report->findings, finding->signature) != NULL;
        bool is_of_change =
            is_of_new ? is_old == (change == NDP_CHANGE_STILL) : classify_old_finding(finding, new_report) == change;
        if (is_of_change) add_finding(compare, change, finding);
    }
}

enum ndp_status ndp_compare_reports(const struct ndp_report *old_report, const struct ndp_report *new_report,
                                    struct ndp_compare *out) {
    struct ndp_compare compare = {.count = 0};
    size_t most = (size_t)old_report->findings.count + new_report->findings.count;
    compare.items = calloc(most > 0 ? most : 1, sizeof *compare.items);
    if (compare.items == NULL) return NDP_NOMEM;
    for (int change = 0; change < NDP_CHANGE_COUNT; change++)
        add_findings_of_change(&compare, (enum ndp_change)change, old_report, new_report);
    *out = compare;
    return NDP_OK;
}

void ndp_compare_clear(struct ndp_compare *compare) {
    free(compare->items);
    *compare = (struct ndp_compare){.count = 0};
}
