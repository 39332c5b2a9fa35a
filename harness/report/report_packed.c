#include "report/report_packed.h"

#include <string.h>

#define ARENA_BYTES (UINT64_C(64) << 20)

/* The texts of a packed finding outside of its structs. */
enum { TEXTS = 6 };

static void list_texts(struct ndp_report_packed *packed, struct ndp_bytes *texts[TEXTS]) {
    texts[0] = &packed->finding.descriptor;
    texts[1] = &packed->finding.observations;
    texts[2] = &packed->finding.stderr_tail;
    texts[3] = &packed->script;
    texts[4] = &packed->no_script;
    texts[5] = &packed->evidence;
}

enum ndp_status ndp_report_pack(const struct ndp_finding *finding, uint64_t count, const struct ndp_report_texts *more,
                                struct ndp_buffer *out) {
    struct ndp_report_packed packed;
    struct ndp_bytes *texts[TEXTS];
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    memset(&packed, 0, sizeof packed);
    NDP_TRY(ndp_report_finding_fill(&arena, finding, "", &packed.finding));
    NDP_TRY(ndp_report_cause_fill(&arena, finding, &packed.cause));
    if (finding->generated != NULL) ndp_report_finding_print_route(finding->generated, packed.generated);
    packed.finding.count = count;
    packed.script = more->script;
    packed.no_script = more->no_script;
    packed.evidence = more->evidence;
    NDP_TRY(ndp_buffer_add(out, &packed, sizeof packed));
    list_texts(&packed, texts);
    for (int i = 0; i < TEXTS; i++) NDP_TRY(ndp_buffer_add(out, texts[i]->data, texts[i]->size_bytes));
    return NDP_OK;
}

enum ndp_status ndp_report_unpack(struct ndp_bytes packed, struct ndp_report_packed *out) {
    struct ndp_bytes *texts[TEXTS];
    struct ndp_cursor cursor = ndp_cursor_view(packed);
    if (packed.size_bytes < sizeof *out) return NDP_INVALID;
    memcpy(out, packed.data, sizeof *out);
    cursor.at_bytes = sizeof *out;
    list_texts(out, texts);
    for (int i = 0; i < TEXTS; i++) {
        if (texts[i]->size_bytes > ndp_cursor_left(&cursor)) return NDP_INVALID;
        texts[i]->data = packed.data + cursor.at_bytes;
        cursor.at_bytes += texts[i]->size_bytes;
    }
    return ndp_cursor_left(&cursor) == 0 ? NDP_OK : NDP_INVALID;
}

/* Copies the texts of a finding into the arena. */
static enum ndp_status keep_texts(struct ndp_arena *arena, struct ndp_report_finding *finding) {
    struct ndp_bytes *const texts[] = {&finding->descriptor, &finding->observations, &finding->stderr_tail,
                                       &finding->replay};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        texts[i]->data = ndp_arena_copy(arena, texts[i]->data, texts[i]->size_bytes);
        if (texts[i]->data == NULL) return NDP_NOMEM;
    }
    return NDP_OK;
}

enum ndp_status ndp_report_add_packed(struct ndp_report *report, const struct ndp_report_packed *packed,
                                      uint64_t after_ns) {
    struct ndp_report_finding kept = packed->finding;
    struct ndp_report_finding *known = ndp_report_findings_find(&report->findings, kept.signature);
    if (known != NULL) {
        known->count += kept.count;
        return NDP_OK;
    }
    kept.found_after_ns = after_ns;
    NDP_TRY(keep_texts(&report->arena, &kept));
    return ndp_report_keep_finding(report, &kept, &packed->cause, packed->generated);
}
