#include "report/report_finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "describe/json_write.h"
#include "report/observation_json.h"

enum { MAX_STDERR_BYTES = 4096, MAX_OBSERVATIONS_BYTES = 1 << 20 };

const char *ndp_report_finding_status_word(enum ndp_finding_status status) {
    static const char *const words[] = {
#define STATUS_WORD(name, word, text) word,
        NDP_FINDING_STATUS_LIST(STATUS_WORD)};
    return status < NDP_FINDING_STATUS_COUNT ? words[status] : "?";
}

void ndp_report_finding_print_route(const struct ndp_route *route, char *out) {
    struct ndp_route named = *route;
    named.offset_bytes = 0;
    char text[NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(&named, text);
    const char *arrow = named.encoder[0] != '\0' ? ">" : "";
    snprintf(out, NDP_REPORT_ROUTE_TEXT_BYTES, "%s%s%s %s", named.encoder, arrow, named.decoder, text);
}

void ndp_report_finding_format(const char *route, char *format) {
    const char *space = strchr(route, ' ');
    const char *word = space != NULL ? space + 1 : route;
    size_t size = strcspn(word, ":>/+ ");
    while (size > 0 && word[size - 1] >= '0' && word[size - 1] <= '9') size--;
    snprintf(format, NDP_WORD_BYTES, "%.*s", (int)(size < NDP_WORD_BYTES ? size : NDP_WORD_BYTES - 1), word);
}

enum ndp_status ndp_report_finding_clean_text(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_bytes *out) {
    uint8_t *clean = ndp_arena_copy(arena, text.data, text.size_bytes);
    if (clean == NULL) return NDP_NOMEM;
    struct ndp_cursor cursor = ndp_cursor_view(text);
    while (ndp_cursor_left(&cursor) > 0) {
        uint64_t at_bytes = cursor.at_bytes;
        uint32_t code_point = 0;
        bool is_good = ndp_text_next(&cursor, &code_point) == NDP_OK;
        if (is_good && code_point != 0 && (code_point < 0xd800 || code_point > 0xdfff)) continue;
        if (!is_good) cursor.at_bytes = at_bytes + 1;
        memset(clean + at_bytes, '?', (size_t)(cursor.at_bytes - at_bytes));
    }
    *out = (struct ndp_bytes){clean, text.size_bytes};
    return NDP_OK;
}

/* Makes a NUL-terminated text, which may end inside a code point, valid UTF-8. */
enum ndp_status ndp_report_finding_clean_in_place(struct ndp_arena *arena, char *text) {
    struct ndp_bytes clean = {NULL, 0};
    NDP_TRY(ndp_report_finding_clean_text(arena, ndp_bytes_view(text), &clean));
    memcpy(text, clean.data, (size_t)clean.size_bytes);
    return NDP_OK;
}

static enum ndp_status fill_differences(struct ndp_arena *arena, const struct ndp_comparison *comparison,
                                        struct ndp_report_finding *out) {
    uint32_t count = comparison->count < NDP_MAX_DIFFERENCES ? comparison->count : NDP_MAX_DIFFERENCES;
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_difference *difference = &out->differences[i];
        *difference = comparison->list[i];
        NDP_TRY(ndp_report_finding_clean_in_place(arena, difference->path));
        NDP_TRY(ndp_report_finding_clean_in_place(arena, difference->expected));
        NDP_TRY(ndp_report_finding_clean_in_place(arena, difference->got));
    }
    out->difference_count = count;
    return NDP_OK;
}

static enum ndp_status copy_text(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_bytes *out) {
    const uint8_t *copy = ndp_arena_copy(arena, text.data, text.size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    *out = (struct ndp_bytes){copy, text.size_bytes};
    return NDP_OK;
}

static enum ndp_status fill_texts(struct ndp_arena *arena, const struct ndp_finding *finding, const char *replay,
                                  struct ndp_report_finding *out) {
    struct ndp_bytes tail = finding->result->stderr_tail;
    if (tail.size_bytes > MAX_STDERR_BYTES) {
        tail.data += tail.size_bytes - MAX_STDERR_BYTES;
        tail.size_bytes = MAX_STDERR_BYTES;
    }
    NDP_TRY(ndp_report_finding_clean_text(arena, tail, &out->stderr_tail));
    NDP_TRY(ndp_report_finding_clean_text(arena, ndp_bytes_view(replay), &out->replay));
    NDP_TRY(copy_text(arena, finding->descriptor, &out->descriptor));
    NDP_BUFFER_SCOPED(buffer, MAX_OBSERVATIONS_BYTES);
    enum ndp_status status =
        ndp_json_print(&buffer, ndp_observation_json_evidence(finding->divergence, finding->result));
    /* Observations beyond the limit are left out; the descriptor has the dtype. */
    if (status == NDP_LIMIT) status = ndp_buffer_add(&buffer, "{}", 2);
    if (status == NDP_OK) status = copy_text(arena, ndp_buffer_view(&buffer), &out->observations);
    return status;
}

bool ndp_report_finding_is_flaky(const struct ndp_report_finding *finding) {
    return finding->confirm_hits < finding->confirm_runs ||
           (finding->kind == NDP_VERDICT_TIMEOUT && finding->confirm_runs == 0);
}

enum ndp_status ndp_report_finding_fill(struct ndp_arena *arena, const struct ndp_finding *finding, const char *replay,
                                        struct ndp_report_finding *out) {
    const struct ndp_divergence *divergence = finding->divergence;
    struct ndp_report_finding kept = {
        .kind = divergence->verdict,
        .severity = divergence->judgement.severity,
        .count = 1,
        .first_case = finding->first_case,
        .confirm_runs = finding->confirm_runs,
        .confirm_hits = finding->confirm_hits,
    };
    kept.status = ndp_report_finding_is_flaky(&kept) ? NDP_FINDING_FLAKY : NDP_FINDING_NEW;
    ndp_signature_print(&divergence->signature, kept.signature);
    memcpy(kept.outlier, divergence->signature.outlier, sizeof kept.outlier);
    memcpy(kept.field, divergence->judgement.field, sizeof kept.field);
    memcpy(kept.failure, divergence->failure, sizeof kept.failure);
    memcpy(kept.error, divergence->error, sizeof kept.error);
    kept.blame = finding->blame;
    if (divergence->property != NULL) snprintf(kept.property, NDP_WORD_BYTES, "%s", divergence->property->name);
    ndp_report_finding_print_route(&divergence->route, kept.route);
    NDP_TRY(ndp_report_finding_clean_in_place(arena, kept.signature));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, kept.outlier));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, kept.field));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, kept.failure));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, kept.error));
    NDP_TRY(fill_differences(arena, &divergence->judgement.comparison, &kept));
    NDP_TRY(fill_texts(arena, finding, replay, &kept));
    *out = kept;
    return NDP_OK;
}

void ndp_report_findings_clear(struct ndp_report_findings *findings) {
    free(findings->items);
    *findings = (struct ndp_report_findings){.items = NULL};
}

struct ndp_report_finding *ndp_report_findings_find(const struct ndp_report_findings *findings, const char *signature) {
    for (uint32_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].signature, signature) == 0) return &findings->items[i];
    return NULL;
}

static enum ndp_status grow_findings(struct ndp_report_findings *findings) {
    if (findings->count < findings->capacity) return NDP_OK;
    uint32_t capacity = findings->capacity > 0 ? 2 * findings->capacity : 16;
    struct ndp_report_finding *items = realloc(findings->items, capacity * sizeof *items);
    if (items == NULL) return NDP_NOMEM;
    findings->items = items;
    findings->capacity = capacity;
    return NDP_OK;
}

enum ndp_status ndp_report_findings_add(struct ndp_report_findings *findings,
                                        const struct ndp_report_finding *finding) {
    if (ndp_report_findings_find(findings, finding->signature) != NULL) return NDP_INVALID;
    if (findings->count >= NDP_MAX_FINDINGS) {
        findings->dropped++;
        return NDP_OK;
    }
    NDP_TRY(grow_findings(findings));
    findings->items[findings->count++] = *finding;
    return NDP_OK;
}
