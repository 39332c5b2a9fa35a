#include "report/compare.h"

#include <stdlib.h>

const char *ndp_compare_change_word(enum ndp_change change) {
    static const char *const words[] = {
#define CHANGE_WORD(name, word, text) word,
        NDP_CHANGE_LIST(CHANGE_WORD)};
    return change < NDP_CHANGE_COUNT ? words[change] : "?";
}

/* Adds the causes of `from` that are in `other` as `if_there`, and those that are not as `if_missing`;
 * NDP_CHANGE_COUNT leaves them out. */
static void add_causes(struct ndp_compare *compare, const struct ndp_report *from, const struct ndp_report *other,
                       enum ndp_change if_there, enum ndp_change if_missing) {
    for (uint32_t i = 0; i < from->causes.count; i++) {
        const char *id = from->causes.items[i].cause.id;
        const bool is_there = ndp_report_causes_find(&other->causes, id) < other->causes.count;
        const enum ndp_change change = is_there ? if_there : if_missing;
        if (change == NDP_CHANGE_COUNT) continue;
        struct ndp_compared *item = &compare->items[compare->count++];
        item->change = change;
        ndp_report_cause_view(&from->causes, &from->findings, i, &item->view);
    }
}

enum ndp_status ndp_compare_reports(const struct ndp_report *old_report, const struct ndp_report *new_report,
                                    struct ndp_compare *out) {
    struct ndp_compare compare = {.count = 0};
    const size_t most = (size_t)old_report->causes.count + new_report->causes.count;
    compare.items = calloc(most > 0 ? most : 1, sizeof *compare.items);
    if (compare.items == NULL) return NDP_NOMEM;
    add_causes(&compare, new_report, old_report, NDP_CHANGE_COUNT, NDP_CHANGE_NEW);
    add_causes(&compare, new_report, old_report, NDP_CHANGE_STILL, NDP_CHANGE_COUNT);
    add_causes(&compare, old_report, new_report, NDP_CHANGE_COUNT, NDP_CHANGE_NOT_GENERATED);
    *out = compare;
    return NDP_OK;
}

void ndp_compare_clear(struct ndp_compare *compare) {
    free(compare->items);
    *compare = (struct ndp_compare){.count = 0};
}
