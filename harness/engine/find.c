/* find.c: turns a divergence into a finding.
 *
 * Problem. A divergence of a sweep may depend on state that earlier cases left in a process. A finding must show in
 * fresh processes, with a small case.
 *
 * Method. The case is minimised. If the minimal case has the signature of a known finding, nothing else is done.
 * Otherwise it is confirmed: run again, each time in fresh processes. If it does not reproduce every time, the
 * generated case is confirmed instead. The finding is reported under the signature of the confirmed case. Hazards
 * happen by chance: they are confirmed first, and minimised only if they reproduce every time.
 *
 *     Example: seed 1 generates a [3,4] view of a big-endian array that diverges in dtype.order. Minimised, it is a
 *     scalar with the signature "DIVERGES|byte_order|npy|dtype.order|numpy|npy:memory>memory|i|>|any|0", which three
 *     fresh processes reproduce: a finding, confirmed in 3 of 3.
 *
 * Cost. At most MINIMISE_RUNS cases, then three fresh processes, then the experiments of blame.c.
 *
 * Limits. A divergence that needs the state of earlier cases is reported as flaky: fewer hits than runs.
 */
#include "engine/find.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/minimise.h"

enum { MINIMISE_RUNS = 600, MINIMISE_RUNS_WHEN_FATAL = 80 };
#define MOST_MINIMISE_NS      (UINT64_C(10) * 1000000000) /* only slow targets reach it */
#define ARENA_BYTES           (UINT64_C(512) << 20)
#define DESCRIPTOR_TEXT_BYTES (UINT64_C(16) << 20)

enum ndp_status ndp_find_init(struct ndp_find *find, const struct ndp_bench *bench) {
    *find = (struct ndp_find){.stop = NULL};
    ndp_buffer_init(&find->text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&find->generated, DESCRIPTOR_TEXT_BYTES);
    enum ndp_status status = ndp_batch_new(bench, ARENA_BYTES, &find->scratch);
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &find->fresh);
    if (status != NDP_OK) ndp_find_clear(find);
    return status;
}

void ndp_find_clear(struct ndp_find *find) {
    ndp_batch_free(find->scratch);
    ndp_batch_free(find->fresh);
    ndp_buffer_clear(&find->text);
    ndp_buffer_clear(&find->generated);
    *find = (struct ndp_find){.stop = NULL};
}

static enum ndp_status set_text(struct ndp_buffer *to, const struct ndp_buffer *from) {
    to->size_bytes = 0;
    return ndp_buffer_add(to, from->data, from->size_bytes);
}

static bool is_stopped(const struct ndp_find *find) {
    return find->stop != NULL && *find->stop != 0;
}

/* Whether there is no time for more than one confirmation. */
static bool is_hurried(const struct ndp_find *find, const struct ndp_find_request *request) {
    return is_stopped(find) || (request->until_ns != 0 && request->until_ns <= find->start_ns);
}

/* ---- single steps ---- */

/* The properties are that of the divergence, or for a process death all that judged the case. A dict is judged by all
 * properties of dicts, because races show in any of them. */
enum ndp_status ndp_find_print(struct ndp_find *find, const struct ndp_find_request *request) {
    const bool is_dict = request->descriptor->value.kind == NDP_VALUE_DICT;
    const struct ndp_property *property = request->divergence->property;
    struct ndp_property_set properties = request->properties;
    struct ndp_descriptor single = *request->descriptor;
    single.property_count = 0;
    if (is_dict) properties = ndp_property_set_all(false);
    if (!is_dict && property != NULL) properties = ndp_property_set_of(property);
    for (uint32_t at = 0; (property = ndp_property_set_next(properties, &at)) != NULL; at++) {
        if (is_dict && (property->values & NDP_VALUE_BIT(DICT)) == 0) continue;
        snprintf(single.properties[single.property_count++], NDP_WORD_BYTES, "%s", property->name);
    }
    find->text.size_bytes = 0;
    return ndp_descriptor_print(&find->text, &single);
}

/* Replaces the text by the smallest descriptor that keeps the core. */
static enum ndp_status minimise_text(struct ndp_find *find, const struct ndp_find_request *request,
                                     struct ndp_error *error) {
    const struct ndp_divergence *divergence = request->divergence;
    const bool is_fatal = divergence->verdict != NDP_VERDICT_DIVERGES;
    const struct ndp_minimise_limits patience = {
        .stop = find->stop, .until_ns = request->until_ns != 0 ? request->until_ns : ndp_clock_ns() + MOST_MINIMISE_NS};
    uint32_t runs;
    return ndp_minimise(find->scratch, &find->text, &divergence->signature,
                        is_fatal ? MINIMISE_RUNS_WHEN_FATAL : MINIMISE_RUNS, &patience, &runs, error);
}

/* Runs the text and fills the finding with its divergence, or with that of the request if it does not reproduce. */
static enum ndp_status run_text(struct ndp_find *find, const struct ndp_find_request *request,
                                struct ndp_finding *finding, bool *is_shown, struct ndp_error *error) {
    finding->descriptor = ndp_buffer_view(&find->text);
    NDP_TRY(
        ndp_batch_run_text(find->scratch, finding->first_case, finding->descriptor, false, &finding->result, error));
    const struct ndp_divergence *shown = ndp_result_find(finding->result, &request->divergence->signature);
    finding->divergence = shown != NULL ? shown : request->divergence;
    *is_shown = shown != NULL;
    return NDP_OK;
}

enum ndp_status ndp_find_confirm(struct ndp_batch *batch, struct ndp_bytes text, const struct ndp_signature *wanted,
                                 uint32_t runs, uint32_t *hits, struct ndp_error *error) {
    uint32_t shown = 0;
    for (uint32_t run = 0; run < runs; run++) {
        const struct ndp_result *result;
        NDP_TRY(ndp_batch_run_text(batch, 0, text, true, &result, error));
        if (ndp_result_find(result, wanted) != NULL) shown++;
    }
    *hits = shown;
    return NDP_OK;
}

static enum ndp_status confirm_text(struct ndp_find *find, const struct ndp_find_request *request,
                                    struct ndp_finding *finding, struct ndp_error *error) {
    return ndp_find_confirm(find->fresh, ndp_buffer_view(&find->text), &request->divergence->signature,
                            finding->confirm_runs, &finding->confirm_hits, error);
}

static bool is_known(const struct ndp_find_request *request, const struct ndp_finding *finding) {
    char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print(&finding->divergence->signature, text);
    const uint64_t hash = ndp_hash_bytes(text, strlen(text), NDP_HASH_START);
    for (uint32_t i = 0; i < request->known_count; i++)
        if (request->known[i] == hash) return true;
    return false;
}

/* A find in a hurry makes no experiments. */
static enum ndp_status blame_finding(struct ndp_find *find, const struct ndp_find_request *request,
                                     struct ndp_finding *finding, struct ndp_error *error) {
    if (is_hurried(find, request)) {
        ndp_blame_assume(finding->divergence, &finding->blame);
        return NDP_OK;
    }
    return ndp_blame_find(find->fresh, ndp_batch_descriptor(find->scratch, 0), finding->divergence, &finding->blame,
                          error);
}

/* ---- the two kinds ---- */

/* A documented loss is expected, and some finds are in a hurry: one run confirms them. */
static uint32_t confirm_runs(const struct ndp_find *find, const struct ndp_find_request *request) {
    const struct ndp_divergence *divergence = request->divergence;
    const bool is_defect = divergence->verdict != NDP_VERDICT_DIVERGES || ndp_result_is_defect(divergence);
    return is_defect && !is_hurried(find, request) ? NDP_CONFIRM_RUNS : 1;
}

/* A divergence that does not depend on chance. */
static enum ndp_status find_steady(struct ndp_find *find, const struct ndp_find_request *request,
                                   struct ndp_finding *finding, enum ndp_find_outcome *outcome,
                                   struct ndp_error *error) {
    bool is_shown, is_still_shown;
    NDP_TRY(set_text(&find->generated, &find->text));
    NDP_TRY(run_text(find, request, finding, &is_shown, error));
    if (is_shown) {
        NDP_TRY(minimise_text(find, request, error));
        NDP_TRY(run_text(find, request, finding, &is_still_shown, error));
    }
    *outcome = NDP_FIND_KNOWN;
    if (is_known(request, finding)) return NDP_OK;
    finding->confirm_runs = confirm_runs(find, request);
    NDP_TRY(confirm_text(find, request, finding, error));
    if (finding->confirm_hits < finding->confirm_runs && is_shown) {
        NDP_TRY(set_text(&find->text, &find->generated));
        NDP_TRY(confirm_text(find, request, finding, error));
        NDP_TRY(run_text(find, request, finding, &is_still_shown, error));
    }
    *outcome = NDP_FIND_FINDING;
    return blame_finding(find, request, finding, error);
}

/* If it does not reproduce every time, nothing is reported. */
static enum ndp_status find_hazard(struct ndp_find *find, const struct ndp_find_request *request,
                                   struct ndp_finding *finding, enum ndp_find_outcome *outcome,
                                   struct ndp_error *error) {
    bool is_shown;
    *outcome = NDP_FIND_NOTHING;
    finding->confirm_runs = NDP_CONFIRM_RUNS;
    NDP_TRY(confirm_text(find, request, finding, error));
    if (finding->confirm_hits < finding->confirm_runs) return NDP_OK;
    NDP_TRY(minimise_text(find, request, error));
    NDP_TRY(run_text(find, request, finding, &is_shown, error));
    *outcome = NDP_FIND_KNOWN;
    if (is_known(request, finding)) return NDP_OK;
    *outcome = NDP_FIND_FINDING;
    return blame_finding(find, request, finding, error);
}

enum ndp_status ndp_find_run(struct ndp_find *find, const struct ndp_find_request *request, struct ndp_finding *out,
                             enum ndp_find_outcome *outcome, struct ndp_error *error) {
    *out = (struct ndp_finding){.first_case = request->case_id, .generated = &request->divergence->route};
    find->start_ns = ndp_clock_ns();
    NDP_TRY(ndp_find_print(find, request));
    return request->divergence->signature.is_hazard ? find_hazard(find, request, out, outcome, error)
                                                    : find_steady(find, request, out, outcome, error);
}
