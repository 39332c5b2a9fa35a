/* witness.c: whether the writer or the reader of bytes is wrong, by the other readers of the bench.
 *
 * Problem. A value that arrives changed shows that the writer or the reader broke its promise, not which one.
 *
 * Method. The value is sent from the same encoder to every other independent reader. If all of them fail like the first
 * reader, the bytes are wrong. If all of them read what was promised, the first reader is wrong. Readers fail alike if
 * the first difference is equal or if both refuse; the texts of their errors differ in any case. A reader that promises
 * something else for the field is no witness, and two targets with one library in one version are one.
 *
 * Cost. One case per independent reader, only for findings between two libraries.
 *
 * Limits. A library that writes and reads with the same mistake agrees with itself, so the writer is never its own
 * witness. If the readers disagree, they prove nothing.
 */
#include "engine/witness.h"

#include <stdio.h>
#include <string.h>

#include "property/judgement.h"

/* The library behind an end of a route, with its version. */
struct voice {
    const char *library;
    const char *version;
};

static struct voice voice_of(const struct ndp_target *target, const struct ndp_route *route, enum ndp_end end) {
    const char *library = ndp_entry_library(&target->info, route, end);
    const char *version = ndp_target_library_version(&target->info, library);
    return (struct voice){library, version != NULL ? version : target->info.version};
}

static bool is_one_voice(const struct voice *a, const struct voice *b) {
    return ndp_bytes_word_is(a->library, b->library) && ndp_bytes_word_is(a->version, b->version);
}

static bool is_heard(const struct voice *voices, uint32_t count, const struct voice *voice) {
    for (uint32_t i = 0; i < count; i++)
        if (is_one_voice(&voices[i], voice)) return true;
    return false;
}

static bool is_alike(const struct ndp_divergence *a, const struct ndp_divergence *b) {
    const struct ndp_comparison *left = &a->judgement.comparison, *right = &b->judgement.comparison;
    if (a->verdict != b->verdict || left->count == 0 || right->count == 0) return false;
    const bool is_error = ndp_experiment_is_of_errors(a);
    if (is_error != ndp_experiment_is_of_errors(b)) return false;
    if (is_error) return strcmp(left->list[0].expected, right->list[0].expected) == 0;
    return strcmp(a->judgement.field, b->judgement.field) == 0 && strcmp(left->list[0].got, right->list[0].got) == 0;
}

static void add_name(char names[NDP_WITNESS_NAMES_BYTES], const struct voice *voice) {
    const size_t length = strlen(names);
    snprintf(names + length, NDP_WITNESS_NAMES_BYTES - length, "%s%s %s", length > 0 ? ", " : "", voice->library,
             voice->version);
}

static void count_witness(const struct ndp_experiment *seen, const struct ndp_divergence *failure,
                          const struct voice *voice, struct ndp_witnesses *out) {
    if (seen->end == NDP_EXPERIMENT_SILENT) return;
    if (seen->end == NDP_EXPERIMENT_KEPT) {
        out->right++;
        add_name(out->right_names, voice);
    } else if (is_alike(&seen->divergence, failure)) {
        out->alike++;
        add_name(out->alike_names, voice);
    } else {
        out->apart++;
    }
}

/* Whether only the reader can tell whether the bytes are right. */
static bool needs_witnesses(const struct ndp_descriptor *descriptor, const struct ndp_divergence *failure) {
    const bool is_of_bytes = descriptor->kind == NDP_CASE_ROUND_TRIP && !descriptor->route.is_transport;
    if (!is_of_bytes || failure->property == NULL || failure->judgement.operation == NULL) return false;
    return (failure->property->needs & NDP_SLOT_BIT(RESULT)) != 0 &&
           strcmp(failure->judgement.operation, "decode") == 0;
}

/* Those who have a voice: the writer, the first reader, then the witnesses. */
struct hearing {
    struct ndp_batch *batch;
    const struct ndp_descriptor *descriptor;
    const struct ndp_divergence *failure;
    struct voice voices[NDP_MAX_TARGETS + 2];
    uint32_t count;
    struct ndp_witnesses witnesses;
};

/* Asks one target. Bytes are only equal if they come from the same entry point of the writer. */
static enum ndp_status ask_one(struct hearing *hearing, const struct ndp_target *reader, struct ndp_error *error) {
    const struct ndp_route *route = &hearing->descriptor->route;
    struct ndp_descriptor variant = *hearing->descriptor;
    struct ndp_experiment seen;
    bool is_found;
    NDP_TRY(ndp_experiment_find_route(ndp_batch_bench(hearing->batch), route->format, route, route->encoder,
                                      reader->info.name, variant.value.kind, &variant.route, &is_found));
    if (!is_found || variant.route.protocol != route->protocol ||
        !ndp_bytes_word_is(variant.route.encode, route->encode) ||
        !ndp_bytes_word_is(variant.route.buffers, route->buffers))
        return NDP_OK;
    const struct voice voice = voice_of(reader, &variant.route, NDP_END_DECODER);
    if (is_heard(hearing->voices, hearing->count, &voice)) return NDP_OK;
    variant.route.offset_bytes = route->offset_bytes;
    variant.route.level = route->level;
    variant.route.history = route->history;
    NDP_TRY(ndp_experiment_run(hearing->batch, &variant, hearing->failure, &seen, error));
    if (seen.end == NDP_EXPERIMENT_SILENT) return NDP_OK;
    hearing->voices[hearing->count++] = voice;
    count_witness(&seen, hearing->failure, &voice, &hearing->witnesses);
    return NDP_OK;
}

enum ndp_status ndp_witness_ask(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                const struct ndp_divergence *failure, struct ndp_witnesses *out,
                                struct ndp_error *error) {
    const struct ndp_bench *bench = ndp_batch_bench(batch);
    const struct ndp_route *route = &descriptor->route;
    const struct ndp_target *writer = ndp_bench_find(bench, route->encoder);
    const struct ndp_target *reader = ndp_bench_find(bench, route->decoder);
    struct hearing hearing = {.batch = batch, .descriptor = descriptor, .failure = failure, .count = 2};
    *out = hearing.witnesses;
    if (!needs_witnesses(descriptor, failure) || writer == NULL || reader == NULL) return NDP_OK;
    hearing.voices[0] = voice_of(writer, route, NDP_END_ENCODER);
    hearing.voices[1] = voice_of(reader, route, NDP_END_DECODER);
    if (is_one_voice(&hearing.voices[0], &hearing.voices[1])) return NDP_OK;
    for (uint32_t i = 0; i < bench->count; i++) NDP_TRY(ask_one(&hearing, bench->targets[i], error));
    *out = hearing.witnesses;
    return NDP_OK;
}
