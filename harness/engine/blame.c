/* blame.c: finds the library in which a maintainer would fix a finding.
 *
 * Problem. A finding shows on the route on which it was met. joblib pickles the objects that it does not know,
 * cloudpickle and dill extend CPython's pickler, and that calls NumPy: a defect of one shows on the routes of all, and
 * each time property/attribute.c blames the library behind the entry point.
 *
 * Method. Three experiments with the minimal value, each on the result of the one before:
 *   1. Formats with fewer layers (format_layers.h), between the same two targets. The first on which the same failure
 *      shows (experiment.h) is the format of the defect, and its library is to blame.
 *   2. Other readers of the same bytes (witness.h). They decide between writer and reader.
 *   3. CPython's other pickler, and the value without arrays (without_numpy.h).
 * The last experiment with a result gives the evidence. A class that is ndproof's stand-in is named as one.
 *
 *     Example: a hard mask is lost on joblib:file>file. The same value loses it on pickle0:c>c, so the format is pickle
 * and the library NumPy. Example: pickle5:python>c raises AssertionError and pickle5:c>c does not, so it is CPython's.
 *
 * Cost. At most one case per format before that of the finding, one per reader, and three for CPython.
 *
 * Limits. A value is sent once per experiment, so a failure that shows by chance may be missed; the finding then keeps
 * the library of its signature. Each format is tried on one route only.
 */
#include "engine/blame.h"

#include <stdio.h>
#include <string.h>

#include "engine/format_layers.h"
#include "engine/without_numpy.h"
#include "engine/witness.h"
#include "model/graph/array_class.h"
#include "property/judgement.h"

/* The simplest case that shows the failure, so far. */
struct lead {
    struct ndp_batch *batch;
    struct ndp_descriptor descriptor;
    struct ndp_divergence failure;
    struct ndp_blame blame;
};

static void set_word(char out[NDP_WORD_BYTES], const char *word) {
    snprintf(out, NDP_WORD_BYTES, "%s", word);
}

void ndp_blame_assume(const struct ndp_divergence *divergence, struct ndp_blame *out) {
    *out = (struct ndp_blame){.library = ""};
    set_word(out->library, divergence->signature.outlier);
    set_word(out->format, divergence->signature.format);
}

/* ---- formats with fewer layers ---- */

static void add_name(char *names, size_t names_bytes, const char *name) {
    const size_t length = strlen(names);
    snprintf(names + length, names_bytes - length, "%s%s", length > 0 ? ", " : "", name);
}

/* Makes the failure of the experiment the lead. */
static void follow(struct lead *lead, const struct ndp_descriptor *simpler, const struct ndp_divergence *failure) {
    snprintf(lead->blame.evidence, sizeof lead->blame.evidence,
             "The same value fails in the same way through %s alone, without %s.", simpler->route.format,
             lead->descriptor.route.format);
    set_word(lead->blame.format, simpler->route.format);
    set_word(lead->blame.library, failure->signature.outlier);
    lead->descriptor = *simpler;
    lead->failure = *failure;
}

static enum ndp_status try_formats(struct lead *lead, struct ndp_error *error) {
    const struct ndp_route *route = &lead->descriptor.route;
    const struct ndp_format_layer *own = ndp_format_layers_find(route->format);
    char kept[128] = "";
    uint32_t count;
    const struct ndp_format_layer *layers = ndp_format_layers(&count);
    for (uint32_t i = 0; own != NULL && &layers[i] != own; i++) {
        struct ndp_descriptor simpler = lead->descriptor;
        struct ndp_experiment seen;
        bool is_found;
        NDP_TRY(ndp_experiment_find_route(ndp_batch_bench(lead->batch), layers[i].format, route, route->encoder,
                                          route->decoder, simpler.value.kind, &simpler.route, &is_found));
        if (!is_found) continue;
        NDP_TRY(ndp_experiment_run(lead->batch, &simpler, &lead->failure, &seen, error));
        if (seen.end == NDP_EXPERIMENT_KEPT) add_name(kept, sizeof kept, layers[i].format);
        if (seen.end != NDP_EXPERIMENT_SAME) continue;
        follow(lead, &simpler, &seen.divergence);
        return NDP_OK;
    }
    if (kept[0] != '\0')
        snprintf(lead->blame.evidence, sizeof lead->blame.evidence, "The same value passes through %s.", kept);
    return NDP_OK;
}

/* ---- writer or reader ---- */

static const char *library_of(const struct lead *lead, enum ndp_end end) {
    const struct ndp_route *route = &lead->descriptor.route;
    const struct ndp_target *target =
        ndp_bench_find(ndp_batch_bench(lead->batch), end == NDP_END_ENCODER ? route->encoder : route->decoder);
    return ndp_entry_library(&target->info, route, end);
}

static enum ndp_status ask_readers(struct lead *lead, struct ndp_error *error) {
    struct ndp_witnesses seen;
    char *evidence = lead->blame.evidence;
    NDP_TRY(ndp_witness_ask(lead->batch, &lead->descriptor, &lead->failure, &seen, error));
    if (seen.right + seen.alike + seen.apart == 0) return NDP_OK;
    const char *writer = library_of(lead, NDP_END_ENCODER), *reader = library_of(lead, NDP_END_DECODER);
    if (seen.right + seen.apart == 0) {
        set_word(lead->blame.library, writer);
        snprintf(evidence, NDP_BLAME_EVIDENCE_BYTES,
                 "All other readers of the bytes (%s) read the same as %s, so %s wrote them wrong.", seen.alike_names,
                 reader, writer);
    } else if (seen.alike + seen.apart == 0) {
        set_word(lead->blame.library, reader);
        snprintf(evidence, NDP_BLAME_EVIDENCE_BYTES,
                 "All other readers of the bytes (%s) read what was promised; only %s does not.", seen.right_names,
                 reader);
    } else if (seen.right > 0 && seen.alike > 0) {
        snprintf(evidence, NDP_BLAME_EVIDENCE_BYTES,
                 "The readers of the bytes disagree: %s read what was promised, %s read the same as %s.",
                 seen.right_names, seen.alike_names, reader);
    }
    return NDP_OK;
}

/* ---- CPython ---- */

static enum ndp_status leave_numpy(struct lead *lead, struct ndp_error *error) {
    const struct ndp_without_numpy_case item = {&lead->descriptor, &lead->failure, lead->blame.library};
    char evidence[NDP_BLAME_EVIDENCE_BYTES];
    NDP_TRY(ndp_without_numpy_ask(lead->batch, &item, evidence, sizeof evidence, error));
    if (evidence[0] == '\0') return NDP_OK;
    set_word(lead->blame.library, "CPython");
    memcpy(lead->blame.evidence, evidence, sizeof evidence);
    return NDP_OK;
}

/* ---- stand-ins ---- */

/* Adds to the evidence that the class of the failure is ndproof's own. The class is the end of the field. */
static void name_stand_in(struct lead *lead) {
    const char *word = strchr(lead->failure.judgement.field, '.');
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (word == NULL || !ndp_class_find(ndp_bytes_view(word + 1), &class)) return;
    const enum ndp_array_class real = ndp_class_stands_for(class);
    if (real == NDP_CLASS_COUNT) return;
    char *evidence = lead->blame.evidence;
    const size_t length = strlen(evidence);
    snprintf(evidence + length, NDP_BLAME_EVIDENCE_BYTES - length, "%s%s is ndproof's stand-in for %s%s.",
             length > 0 ? " " : "", word + 1, ndp_class_word(real),
             ndp_class_hides_pickling(class) ? ", whose own pickling is hidden by that of ndarray" : "");
}

/* ---- the finding ---- */

/* Whether experiments can tell more about the failure than its own case. A property with a second format has one
 * failure on two routes. */
static bool needs_experiments(const struct ndp_descriptor *descriptor, const struct ndp_divergence *failure) {
    const struct ndp_contract_row *row = failure->judgement.row;
    if (descriptor->kind != NDP_CASE_ROUND_TRIP || descriptor->value.kind == NDP_VALUE_DICT) return false;
    if (failure->verdict != NDP_VERDICT_DIVERGES && failure->verdict != NDP_VERDICT_CRASH) return false;
    if (row != NULL && (row->promise == NDP_PROMISE_LOST || row->promise == NDP_PROMISE_HAZARD)) return false;
    if (failure->property == NULL) return true;
    return !failure->property->by_repetition && (failure->property->needs & NDP_SLOT_BIT(TRANSCODED)) == 0;
}

enum ndp_status ndp_blame_find(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                               const struct ndp_divergence *divergence, struct ndp_blame *out,
                               struct ndp_error *error) {
    struct lead lead = {.batch = batch, .descriptor = *descriptor, .failure = *divergence};
    ndp_blame_assume(divergence, &lead.blame);
    if (needs_experiments(descriptor, divergence)) {
        NDP_TRY(try_formats(&lead, error));
        NDP_TRY(ask_readers(&lead, error));
        NDP_TRY(leave_numpy(&lead, error));
        name_stand_in(&lead);
    }
    *out = lead.blame;
    return NDP_OK;
}
