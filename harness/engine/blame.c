/* blame.c: finds the library in which a maintainer would fix a finding.
 *
 * Problem. A finding shows on the route on which it was met. joblib pickles the objects that it does not know,
 * cloudpickle and dill extend CPython's pickler, and that calls NumPy: a defect of one shows on the routes of all, and
 * each time property/attribute.c blames the library behind the entry point.
 *
 * Method. Three experiments with the minimal value, each on the result of the one before:
 *   1. Formats with fewer layers (format_layers.h), between the same two targets. The first on which the same failure
 *      shows (experiment.h) is the format of the defect, and its library is to blame. A format that takes no local
 *      functions gets the value with one of a module (importable.h).
 *   2. Other readers of the same bytes (witness.h). They decide between writer and reader.
 *   3. CPython's other pickler, and the value without arrays (without_numpy.h).
 * The last experiment with a result gives the evidence. A class that is ndproof's stand-in is named as one.
 *
 *     Example: a hard mask is lost on joblib:file>file. The same value loses it on pickle0:c>c, so the format is pickle
 * and the library NumPy. Example: pickle5:python>c raises AssertionError and pickle5:c>c does not, so it is CPython's.
 *
 * Cost. At most two cases per format before that of the finding, twice as many for pickle, one per reader, and three
 * for CPython.
 *
 * Limits. A value is sent once per experiment, so a failure that shows by chance may be missed; the finding then keeps
 * the library of its signature. Each format is tried on one route, pickle with both encoders.
 */
#include "engine/blame.h"

#include <stdio.h>
#include <string.h>

#include "engine/format_layers.h"
#include "engine/importable.h"
#include "engine/without_instances.h"
#include "engine/without_numpy.h"
#include "engine/witness.h"
#include "model/graph/array_class.h"
#include "property/judgement.h"

#define ARENA_BYTES (UINT64_C(64) << 20)

/* The simplest case that shows the failure, so far. */
struct lead {
    struct ndp_batch *batch;
    struct ndp_arena *arena; /* of changed values */
    struct ndp_descriptor descriptor;
    struct ndp_divergence failure;
    struct ndp_blame blame;
};

static void set_word(char out[NDP_WORD_BYTES], const char *word) {
    snprintf(out, NDP_WORD_BYTES, "%s", word);
}

/* The entries of Python's standard library are those of "python". */
static void set_library(struct ndp_blame *blame, const char *library) {
    set_word(blame->library, strcmp(library, "python") == 0 ? "CPython" : library);
}

void ndp_blame_assume(const struct ndp_divergence *divergence, struct ndp_blame *out) {
    *out = (struct ndp_blame){.library = ""};
    set_library(out, divergence->signature.outlier);
    set_word(out->format, divergence->signature.format);
    memcpy(out->failure, divergence->failure, sizeof out->failure);
}

/* ---- formats with fewer layers ---- */

static void add_name(char *names, size_t names_bytes, const char *name) {
    const size_t length = strlen(names);
    snprintf(names + length, names_bytes - length, "%s%s", length > 0 ? ", " : "", name);
}

/* Runs `simpler`, and makes it the lead if it shows the same failure. `how` names the difference of its value. */
static enum ndp_status try_simpler(struct lead *lead, const struct ndp_descriptor *simpler, const char *how,
                                   enum ndp_experiment_end *end, struct ndp_error *error) {
    struct ndp_experiment seen;
    NDP_TRY(ndp_experiment_run(lead->batch, simpler, &lead->failure, &seen, error));
    *end = seen.end;
    if (seen.end != NDP_EXPERIMENT_SAME) return NDP_OK;
    snprintf(lead->blame.evidence, sizeof lead->blame.evidence,
             "The same value%s fails in the same way through %s alone, without %s.", how, simpler->route.format,
             lead->descriptor.route.format);
    set_word(lead->blame.format, simpler->route.format);
    set_library(&lead->blame, seen.divergence.signature.outlier);
    memcpy(lead->blame.failure, seen.divergence.failure, sizeof lead->blame.failure);
    lead->descriptor = *simpler;
    lead->failure = seen.divergence;
    return NDP_OK;
}

/* Tries one route. If it takes no local functions, those of a module take their place. */
static enum ndp_status try_route(struct lead *lead, const struct ndp_route *route, const struct ndp_graph *importable,
                                 enum ndp_experiment_end *end, struct ndp_error *error) {
    struct ndp_descriptor simpler = lead->descriptor;
    simpler.route = *route;
    NDP_TRY(try_simpler(lead, &simpler, "", end, error));
    if (*end != NDP_EXPERIMENT_SILENT || importable == NULL) return NDP_OK;
    simpler.value.graph = importable;
    return try_simpler(lead, &simpler, ", with a function of a module,", end, error);
}

/* Tries the nearest route of one format and, if CPython implements the format twice, its other encoder, whose errors
 * have other texts. */
static enum ndp_status try_format(struct lead *lead, const struct ndp_format_layer *layer,
                                  const struct ndp_graph *importable, enum ndp_experiment_end *end,
                                  struct ndp_error *error) {
    const struct ndp_bench *bench = ndp_batch_bench(lead->batch);
    const struct ndp_route *route = &lead->descriptor.route;
    struct ndp_route nearest;
    bool is_found;
    *end = NDP_EXPERIMENT_SILENT;
    NDP_TRY(ndp_experiment_find_route(bench, layer->format, route, route->encoder, route->decoder,
                                      lead->descriptor.value.kind, &nearest, &is_found));
    if (!is_found) return NDP_OK;
    NDP_TRY(try_route(lead, &nearest, importable, end, error));
    const struct ndp_target_info *encoder = &ndp_bench_find(bench, nearest.encoder)->info;
    for (uint32_t i = 0; layer->is_twice && i < encoder->entry_count && *end != NDP_EXPERIMENT_SAME; i++) {
        struct ndp_route other = nearest;
        enum ndp_experiment_end of_other;
        memcpy(other.encode, encoder->entries[i].entry, sizeof other.encode);
        if (ndp_bytes_word_is(other.encode, nearest.encode) ||
            !ndp_entry_is_on(&encoder->entries[i], &nearest, NDP_END_ENCODER))
            continue;
        NDP_TRY(try_route(lead, &other, importable, &of_other, error));
        if (of_other == NDP_EXPERIMENT_SAME) *end = of_other;
    }
    return NDP_OK;
}

static enum ndp_status try_formats(struct lead *lead, struct ndp_error *error) {
    const struct ndp_format_layer *own = ndp_format_layers_find(lead->descriptor.route.format);
    const struct ndp_graph *importable = NULL;
    char kept[128] = "";
    uint32_t count;
    const struct ndp_format_layer *layers = ndp_format_layers(&count);
    if (lead->descriptor.value.kind == NDP_VALUE_GRAPH)
        NDP_TRY(ndp_importable_graph(lead->arena, lead->descriptor.value.graph, &importable));
    for (uint32_t i = 0; own != NULL && &layers[i] != own; i++) {
        enum ndp_experiment_end end;
        NDP_TRY(try_format(lead, &layers[i], importable, &end, error));
        if (end == NDP_EXPERIMENT_SAME) return NDP_OK;
        if (end == NDP_EXPERIMENT_KEPT) add_name(kept, sizeof kept, layers[i].format);
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
        set_library(&lead->blame, writer);
        snprintf(evidence, NDP_BLAME_EVIDENCE_BYTES,
                 "All other readers of the bytes (%s) read the same as %s, so %s wrote them wrong.", seen.alike_names,
                 reader, writer);
    } else if (seen.alike + seen.apart == 0) {
        set_library(&lead->blame, reader);
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
    set_library(&lead->blame, "CPython");
    memcpy(lead->blame.evidence, evidence, sizeof evidence);
    return NDP_OK;
}

/* ---- classes of other libraries ---- */

static enum ndp_status leave_instances(struct lead *lead, bool *is_done, struct ndp_error *error) {
    char library[NDP_WORD_BYTES], evidence[NDP_BLAME_EVIDENCE_BYTES];
    NDP_TRY(ndp_without_instances_ask(lead->batch, &lead->descriptor, &lead->failure, library, evidence,
                                      sizeof evidence, error));
    *is_done = library[0] != '\0';
    if (!*is_done) return NDP_OK;
    set_library(&lead->blame, library);
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
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct lead lead = {.batch = batch, .arena = &arena, .descriptor = *descriptor, .failure = *divergence};
    ndp_blame_assume(divergence, &lead.blame);
    if (needs_experiments(descriptor, divergence)) {
        bool is_of_class;
        NDP_TRY(try_formats(&lead, error));
        NDP_TRY(ask_readers(&lead, error));
        NDP_TRY(leave_instances(&lead, &is_of_class, error));
        if (!is_of_class) NDP_TRY(leave_numpy(&lead, error));
        name_stand_in(&lead);
    }
    *out = lead.blame;
    return NDP_OK;
}
