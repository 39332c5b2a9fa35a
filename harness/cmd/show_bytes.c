/* show_bytes.c: bytes to decode.
 *
 * Problem. A person with a file wants to know what is in it and how each reader must answer. Method. The file is
 * dissected; the reference decodes it; the answer that property strictness expects of a decoder follows from the
 * descriptor, the corpus index or the reference, in this order; the contract gives the promises for the array that the
 * reference reads. Limits. A value that is not one array has no promises here: the reference does not read it as one.
 */
#include "cmd/show_bytes.h"

#include <string.h>

#include "base/byteorder.h"
#include "cmd/dissect.h"
#include "cmd/draw.h"
#include "engine/batch.h"
#include "engine/plan.h"
#include "property/corpus_index.h"

/* The entry point by which the engine asks the reference (engine/case_oracle.c). */
#define ENGINE_ENTRY "memory"
#define BATCH_BYTES  (UINT64_C(1) << 30)

/* The context of a visit to the routes. */
struct visit {
    FILE *out;
    struct ndp_arena *arena;
    const struct ndp_bench *bench;
    const struct ndp_descriptor *descriptor;
    const struct ndp_slot_record *answer; /* of the reference; NULL: it was not asked */
    const struct ndp_array *array;        /* that it reads; NULL: none */
    bool is_oracle;                       /* the engine asks it about this format, too */
    uint32_t count;
};

/* The entry point by which the reference reads bytes: "memory", else the first of the format and protocol, in band. */
static const struct ndp_entry *find_entry(const struct ndp_target_info *info, const struct ndp_route *named) {
    struct ndp_route route = *named;
    snprintf(route.decode, sizeof route.decode, ENGINE_ENTRY);
    const struct ndp_entry *entry = ndp_entry_find(info, &route, NDP_END_DECODER);
    if (entry != NULL && entry->decodes) return entry;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        entry = &info->entries[i];
        if (route.buffers[0] == '\0') memcpy(route.buffers, entry->buffers, sizeof route.buffers);
        const bool is_on = entry->decodes && ndp_entry_is_on(entry, &route, NDP_END_DECODER);
        if (is_on && strcmp(entry->buffers, "out-of-band") != 0) return entry;
        memcpy(route.buffers, named->buffers, sizeof route.buffers);
    }
    return NULL;
}

enum ndp_status ndp_show_bytes_find(struct ndp_arena *arena, const struct ndp_bench *bench,
                                    const struct ndp_descriptor *descriptor, struct ndp_bytes *out,
                                    struct ndp_error *error) {
    const struct ndp_bench alone = {
        .targets = {bench->oracle}, .count = 1, .oracle = bench->oracle, .corpus = bench->corpus};
    struct ndp_descriptor item = *descriptor;
    struct ndp_batch *batch = NULL;
    const struct ndp_result *result;
    const struct ndp_entry *entry = bench->oracle == NULL ? NULL : find_entry(&bench->oracle->info, &item.route);
    *out = descriptor->bytes;
    if ((out->size_bytes > 0 && descriptor->fault.name[0] == '\0') || entry == NULL) return NDP_OK;
    item.route.encoder[0] = '\0';
    memcpy(item.route.decoder, bench->oracle->info.name, sizeof item.route.decoder);
    memcpy(item.route.decode, entry->entry, sizeof item.route.decode);
    memcpy(item.route.buffers, entry->buffers, sizeof item.route.buffers);
    NDP_TRY(ndp_batch_new(&alone, BATCH_BYTES, &batch));
    enum ndp_status status = ndp_batch_run_one(batch, 0, &item, (struct ndp_property_set){0}, &result, error);
    if (status == NDP_OK) {
        *out = (struct ndp_bytes){ndp_arena_copy(arena, result->encoded.data, result->encoded.size_bytes),
                                  result->encoded.size_bytes};
        if (out->data == NULL) status = NDP_NOMEM;
    }
    ndp_batch_free(batch);
    return status;
}

/* Lets the reference in this process decode the bytes. visit->answer stays NULL if it does not read the format. */
static enum ndp_status ask_reference(struct visit *visit, struct ndp_bytes bytes, struct ndp_error *error) {
    struct ndp_target *oracle = visit->bench->oracle;
    struct ndp_route route = visit->descriptor->route;
    const struct ndp_entry *entry = oracle == NULL ? NULL : find_entry(&oracle->info, &route);
    /* Raw bytes alone have neither type nor shape. */
    if (entry == NULL || strcmp(route.format, "raw") == 0) return NDP_OK;
    visit->is_oracle = strcmp(entry->entry, ENGINE_ENTRY) == 0;
    memcpy(route.decode, entry->entry, sizeof route.decode);
    memcpy(route.buffers, entry->buffers, sizeof route.buffers);
    struct ndp_program *program = NDP_ARENA_NEW(visit->arena, struct ndp_program);
    struct ndp_outcome *outcome = NDP_ARENA_NEW(visit->arena, struct ndp_outcome);
    if (program == NULL || outcome == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_plan_decode(&route, &(struct ndp_peers){0}, 0, false, program));
    program->supplied = bytes;
    NDP_TRY(oracle->ops->submit(oracle, program, 1, error));
    NDP_TRY(oracle->ops->collect(oracle, visit->arena, outcome, 1, error));
    visit->answer = &outcome->slots[NDP_SLOT_RESULT];
    return NDP_OK;
}

/* The answer that follows from the reference. It is stricter than libraries about pickles, where only the end of the
 * input is certain: the contract promises that input that ends early is refused. */
static enum ndp_expect answer_of_reference(const struct visit *visit, const struct ndp_route *route) {
    const struct ndp_target *target = ndp_bench_find(visit->bench, route->decoder);
    const struct ndp_slot_record *answer = visit->answer;
    if (answer == NULL || target == NULL || (!visit->is_oracle && visit->descriptor->file[0] != '\0'))
        return NDP_EXPECT_OPEN;
    if (answer->state == NDP_SLOT_FILLED) return NDP_EXPECT_ACCEPT;
    if (answer->state != NDP_SLOT_REFUSED) return NDP_EXPECT_OPEN;
    if (visit->is_oracle) return NDP_EXPECT_REFUSE;
    const struct ndp_contract_row *row =
        ndp_contract_find(NDP_FIELD_TRUNCATION, route, &target->info, &target->info, 0);
    const bool is_short = answer->refusal.reason == NDP_REFUSAL_TRUNCATED;
    return is_short && row->promise == NDP_PROMISE_REFUSED ? NDP_EXPECT_REFUSE : NDP_EXPECT_OPEN;
}

/* The answer that a decoder must give: as in property strictness. */
static enum ndp_expect expected_answer(const struct visit *visit, const struct ndp_route *route) {
    const struct ndp_target *target = ndp_bench_find(visit->bench, route->decoder);
    const bool is_reference = target != NULL && strcmp(target->info.implementation, "reference") == 0;
    const struct ndp_corpus_library *library =
        is_reference ? NULL : ndp_corpus_index_find_library(visit->descriptor->file, route->decode);
    if (visit->descriptor->expect != NDP_EXPECT_OPEN) return visit->descriptor->expect;
    return library != NULL ? library->expect : answer_of_reference(visit, route);
}

static const char *answer_text(enum ndp_expect expect, bool has_array) {
    switch (expect) {
    case NDP_EXPECT_ACCEPT:
        return has_array ? "must return this array" : "must accept the bytes";
    case NDP_EXPECT_REFUSE:
        return "must refuse the bytes";
    case NDP_EXPECT_OPEN:
        break;
    }
    return "may accept or refuse the bytes";
}

static enum ndp_status draw_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    const enum ndp_expect expect = expected_answer(visit, route);
    char text[NDP_ROUTE_TEXT_BYTES];
    visit->count++;
    ndp_descriptor_print_route(route, text);
    fprintf(visit->out, "%s, %s: %s\n", text, route->decoder, answer_text(expect, visit->array != NULL));
    if (expect == NDP_EXPECT_ACCEPT && visit->array != NULL)
        ndp_draw_promise_rows(visit->out, visit->bench, route, ndp_contract_features(visit->array, route));
    return NDP_OK;
}

/* Draws the array that the reference reads, or prints why there is none. */
static enum ndp_status draw_answer(struct visit *visit, struct ndp_array *array) {
    const struct ndp_slot_record *answer = visit->answer;
    if (answer == NULL) {
        fprintf(visit->out, "\nthe reference does not read this format from bytes alone\n");
        return NDP_OK;
    }
    if (answer->state != NDP_SLOT_FILLED || !answer->has_observation) {
        fprintf(visit->out, "\nthe reference %s: %s: %s\n",
                answer->state == NDP_SLOT_REFUSED ? "refuses the bytes" : "does not read this as one array",
                ndp_refusal_words[answer->refusal.reason], answer->refusal.message);
        return NDP_OK;
    }
    const enum ndp_status status =
        ndp_array_from_observation(visit->arena, &answer->observation, ndp_byteorder_host_is_little(), 0, array);
    if (status == NDP_UNSUPPORTED || status == NDP_LIMIT) return NDP_OK;
    NDP_TRY(status);
    fprintf(visit->out, "\nthe reference reads this array\n");
    ndp_draw_array(visit->out, array, &answer->observation);
    visit->array = array;
    return NDP_OK;
}

enum ndp_status ndp_show_bytes(FILE *out, struct ndp_arena *arena, const struct ndp_bench *bench,
                               const struct ndp_descriptor *descriptor, struct ndp_bytes bytes,
                               struct ndp_error *error) {
    struct visit visit = {.out = out, .arena = arena, .bench = bench, .descriptor = descriptor};
    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    struct ndp_array array;
    NDP_TRY(ndp_dissect(out, arena, descriptor->route.format, bytes));
    NDP_TRY(ask_reference(&visit, bytes, error));
    NDP_TRY(draw_answer(&visit, &array));
    NDP_TRY(ndp_routes_list(bench, &everything, &routes));
    fprintf(out, "\npromises of each route that decodes these bytes, other than \"as in the file\"\n");
    const enum ndp_status status =
        ndp_routes_visit(&routes, bench, NDP_CASE_DECODE, &descriptor->route, draw_route, &visit);
    if (visit.count == 0) fprintf(out, "no target of this run decodes them\n");
    ndp_routes_clear(&routes);
    return status;
}
