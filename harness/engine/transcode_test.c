/* transcode_test.c: the reference decodes every corpus file and vector, encodes the value on each of its routes,
 * decodes it, encodes it in the original format and decodes it again. Every step must keep the promises of its route.
 * The first decoding is the expected value; other tests check it against vectors and other implementations. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suite.h"
#include "codec/npy/npy_vectors.h"
#include "codec/npz/npz_vectors.h"
#include "describe/dtype_json.h"
#include "engine/batch.h"
#include "model/graph_features.h"
#include "planted/plugins_fixture.h"
#include "property/judgement.h"

#define ARENA_BYTES (UINT64_C(1) << 30)
enum { MAX_FILES = 2048, MAX_FILE_BYTES = 1 << 24, NAME_BYTES = 320 };

static struct ndp_target *target;

/* Counts, printed at the end. */
static struct {
    uint64_t files;
    uint64_t accepted;
    uint64_t graphs;
    uint64_t trips;
    uint64_t refused;     /* as the contract allows */
    uint64_t unsupported; /* the format cannot express it */
    uint64_t losses;      /* that are documented */
    uint64_t comparisons;
} done;

/* A file or vector, and its value. */
struct item {
    const char *name;
    struct ndp_arena arena;
    struct ndp_bytes bytes;
    struct ndp_route from; /* its format, encoder and decoder */
    bool is_graph;
    struct ndp_array held; /* if it is an array */
    const struct ndp_graph *graph;
    char why[192]; /* it is refused */
};

/* Fills the entry points with the first ones of the reference; false if it lacks one. */
static bool complete(struct ndp_route *route) {
    const struct ndp_target_info *info = &target->info;
    for (uint32_t i = info->entry_count; i-- > 0;) {
        const struct ndp_entry *entry = &info->entries[i];
        if (strcmp(entry->format, route->format) != 0 || entry->protocol != route->protocol ||
            strcmp(entry->buffers, route->buffers) != 0)
            continue;
        if (entry->encodes) memcpy(route->encode, entry->entry, sizeof route->encode);
        if (entry->decodes) memcpy(route->decode, entry->entry, sizeof route->decode);
    }
    return route->encode[0] != '\0' && route->decode[0] != '\0';
}

/* ---- programs ---- */

static void add_step(struct ndp_program *program, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to,
                     const struct ndp_route *route) {
    struct ndp_step *step = &program->steps[program->step_count++];
    *step = (struct ndp_step){.op = op, .from = from, .to = to};
    if (route == NULL) return;
    memcpy(step->format, route->format, sizeof step->format);
    memcpy(step->buffers, route->buffers, sizeof step->buffers);
    memcpy(step->entry, op == NDP_STEP_ENCODE ? route->encode : route->decode, sizeof step->entry);
    step->protocol = route->protocol;
}

static void add_decode(struct ndp_program *program, enum ndp_slot from, enum ndp_slot to,
                       const struct ndp_route *route) {
    add_step(program, NDP_STEP_DECODE, from, to, route);
    add_step(program, NDP_STEP_OBSERVE, to, to, NULL);
}

static struct ndp_program start_program(const struct item *item) {
    static const struct ndp_graph any = {.count = 0};
    struct ndp_program program = {.supplied = item->bytes, .graph = item->is_graph ? &any : NULL};
    program.allows_objects = true;
    add_step(&program, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_decode(&program, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, &item->from);
    return program;
}

static struct ndp_outcome *run_program(struct item *item, const struct ndp_program *program) {
    struct ndp_error error = {0};
    struct ndp_outcome *outcome = NDP_ARENA_NEW(&item->arena, struct ndp_outcome);
    assert_non_null(outcome);
    memset(outcome, 0, sizeof *outcome);
    assert_int_equal(target->ops->submit(target, program, 1, &error), NDP_OK);
    assert_int_equal(target->ops->collect(target, &item->arena, outcome, 1, &error), NDP_OK);
    if (outcome->ended != NDP_VERDICT_PASS) fail_msg("%s: %s", item->name, outcome->fault);
    return outcome;
}

/* ---- judging ---- */

static void fail_at(const struct item *item, const struct ndp_route *way, const char *step, const char *what) {
    char text[NDP_ROUTE_TEXT_BYTES];
    ndp_route_print(way, text);
    fail_msg("%s on %s, %s: %s", item->name, text, step, what);
}

/* Whether the slot is filled. A refusal must be one that the contract allows. */
static bool is_there(const struct item *item, const struct ndp_route *way, const struct ndp_outcome *outcome,
                     enum ndp_slot slot, uint64_t features, const char *step) {
    const struct ndp_slot_record *record = &outcome->slots[slot];
    const struct ndp_contract_row *row =
        ndp_contract_find(NDP_FIELD_ACCEPTED, way, &target->info, &target->info, features);
    if (record->state == NDP_SLOT_UNSUPPORTED) {
        done.unsupported++;
        return false;
    }
    if (record->state == NDP_SLOT_REFUSED) {
        if (!ndp_judge_may_refuse(row)) fail_at(item, way, step, record->refusal.message);
        done.refused++;
        return false;
    }
    return record->state == NDP_SLOT_FILLED;
}

/* Checks the result against the promises of the route for `held`. */
static void judge_array(struct item *item, const struct ndp_route *way, const struct ndp_array *held,
                        const struct ndp_observation *got, const char *step) {
    struct ndp_contract contract;
    struct ndp_judgement judgement;
    struct ndp_trial trial = {.model = held,
                              .route = way,
                              .features = ndp_contract_features(held, way),
                              .encoder = &target->info,
                              .decoder = &target->info,
                              .contract = &contract,
                              .arena = &item->arena};
    ndp_contract_fill(way, trial.encoder, trial.decoder, trial.features, &contract);
    assert_int_equal(ndp_contract_expect(&item->arena, held, way, trial.encoder, trial.decoder, &trial.promised),
                     NDP_OK);
    ndp_judgement_init(&judgement);
    ndp_judge_promised(&trial, NDP_FIELDS_OBSERVED, &trial.promised, got, &judgement);
    done.comparisons += judgement.comparison.comparisons;
    if (judgement.verdict == NDP_VERDICT_PASS) return;
    const struct ndp_difference *first = &judgement.comparison.list[0];
    char text[4 * NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s is %s, and should be %s", first->path, first->got, first->expected);
    if (judgement.severity != NDP_SEVERITY_DOCUMENTED_LOSS) fail_at(item, way, step, text);
    done.losses++;
}

static struct ndp_array hold(struct item *item, const struct ndp_observation *observation) {
    struct ndp_array array;
    const enum ndp_status status = ndp_array_hold(&item->arena, observation, target->info.is_little_endian, 0, &array);
    if (status != NDP_OK) fail_msg("%s: the decoded value is no valid array", item->name);
    return array;
}

/* Copies a decoded graph so that it can be sent: its arrays get models. */
static struct ndp_graph hold_graph(struct item *item, const struct ndp_graph *seen) {
    struct ndp_node *nodes = ndp_arena_copy(&item->arena, seen->nodes, seen->count * sizeof *nodes);
    assert_non_null(nodes);
    for (uint32_t i = 0; i < seen->count; i++) {
        if (nodes[i].kind != NDP_NODE_ARRAY || !nodes[i].has_observation) continue;
        nodes[i].model = hold(item, &nodes[i].observation);
        nodes[i].array.class_name = nodes[i].observation.class_name;
        nodes[i].has_model = true;
    }
    return (struct ndp_graph){seen->root, seen->count, nodes};
}

/* Judges a graph by every property of graphs, under the contract of the route. */
static void judge_graph(struct item *item, const struct ndp_route *way, const struct ndp_outcome *outcome,
                        enum ndp_slot slot, const char *step) {
    struct ndp_outcome *sides = NDP_ARENA_ITEMS(&item->arena, struct ndp_outcome, 2);
    assert_non_null(sides);
    memset(sides, 0, 2 * sizeof *sides);
    const struct ndp_graph sent = hold_graph(item, item->graph);
    sides[0].slots[NDP_SLOT_SOURCE] = outcome->slots[NDP_SLOT_RESULT];
    sides[1].slots[NDP_SLOT_RESULT] = outcome->slots[slot];
    assert_non_null(outcome->slots[slot].graph);
    struct ndp_contract contract;
    const struct ndp_trial trial = {.graph = &sent,
                                    .route = way,
                                    .features = ndp_graph_features(&sent),
                                    .encoder = &target->info,
                                    .decoder = &target->info,
                                    .contract = &contract,
                                    .encoded = &sides[0],
                                    .decoded = &sides[1],
                                    .arena = &item->arena};
    ndp_contract_fill(way, trial.encoder, trial.decoder, trial.features, &contract);
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_judgement judgement;
        if ((all[i]->values & NDP_VALUE_BIT(GRAPH)) == 0 || all[i]->by_repetition) continue;
        all[i]->judge(&trial, &judgement);
        done.comparisons += judgement.comparison.comparisons;
        if (judgement.verdict != NDP_VERDICT_DIVERGES) continue;
        const struct ndp_difference *first = &judgement.comparison.list[0];
        char text[4 * NDP_DIFFERENCE_TEXT_BYTES];
        snprintf(text, sizeof text, "%s: %s is %s, and should be %s", all[i]->name, first->path, first->got,
                 first->expected);
        if (judgement.severity != NDP_SEVERITY_DOCUMENTED_LOSS) fail_at(item, way, step, text);
        done.losses++;
    }
}

/* ---- round trips ---- */

static void travel(struct item *item, const struct ndp_route *way) {
    struct ndp_program program = start_program(item);
    struct ndp_route back = item->from;
    if (!item->is_graph) ndp_program_set_raw_layout(&program, &item->held);
    add_step(&program, NDP_STEP_ENCODE, NDP_SLOT_RESULT, NDP_SLOT_REENCODED, way);
    add_step(&program, NDP_STEP_FETCH, NDP_SLOT_REENCODED, NDP_SLOT_REENCODED, NULL);
    add_decode(&program, NDP_SLOT_REENCODED, NDP_SLOT_AGAIN, way);
    add_step(&program, NDP_STEP_ENCODE, NDP_SLOT_AGAIN, NDP_SLOT_PEER_ENCODED, &back);
    add_decode(&program, NDP_SLOT_PEER_ENCODED, NDP_SLOT_PEER0, &back);
    const struct ndp_outcome *outcome = run_program(item, &program);
    const struct ndp_slot_record *slots = outcome->slots;
    const uint64_t features =
        item->is_graph ? ndp_graph_features(item->graph) : ndp_contract_features(&item->held, way);
    if (!is_there(item, way, outcome, NDP_SLOT_REENCODED, features, "encoding") ||
        !is_there(item, way, outcome, NDP_SLOT_AGAIN, features, "decoding"))
        return;
    if (item->is_graph) {
        judge_graph(item, way, outcome, NDP_SLOT_AGAIN, "there");
        if (is_there(item, way, outcome, NDP_SLOT_PEER0, features, "decoding what was encoded back"))
            judge_graph(item, way, outcome, NDP_SLOT_PEER0, "and back");
        done.trips++;
        return;
    }
    const struct ndp_array held = hold(item, &slots[NDP_SLOT_AGAIN].observation);
    const uint64_t features_back = ndp_contract_features(&held, &back);
    judge_array(item, way, &item->held, &slots[NDP_SLOT_AGAIN].observation, "there");
    if (is_there(item, &back, outcome, NDP_SLOT_PEER_ENCODED, features_back, "encoding back") &&
        is_there(item, &back, outcome, NDP_SLOT_PEER0, features_back, "decoding what was encoded back"))
        judge_array(item, &back, &held, &slots[NDP_SLOT_PEER0].observation, "and back");
    done.trips++;
}

/* Uses every encoder of the reference, each with the first decoder of its format. */
static void travel_all(struct item *item) {
    const struct ndp_target_info *info = &target->info;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (!entry->encodes || (item->is_graph ? !entry->takes_graphs : entry->takes_no_arrays)) continue;
        struct ndp_route way = {.protocol = entry->protocol};
        memcpy(way.format, entry->format, sizeof way.format);
        memcpy(way.buffers, entry->buffers, sizeof way.buffers);
        memcpy(way.encoder, info->name, sizeof way.encoder);
        memcpy(way.decoder, info->name, sizeof way.decoder);
        if (!complete(&way)) continue;
        memcpy(way.encode, entry->entry, sizeof way.encode);
        travel(item, &way);
    }
}

/* Whether the reference decodes the item, as an array or as a graph. */
static bool is_accepted(struct item *item) {
    struct ndp_program program = start_program(item);
    const struct ndp_outcome *outcome = run_program(item, &program);
    const struct ndp_slot_record *got = &outcome->slots[NDP_SLOT_RESULT];
    if (got->state == NDP_SLOT_FILLED && got->has_observation) {
        item->held = hold(item, &got->observation);
        return true;
    }
    if (!ndp_route_takes(&target->info, &target->info, &item->from, NDP_VALUE_GRAPH)) return false;
    item->is_graph = true;
    program = start_program(item);
    outcome = run_program(item, &program);
    item->graph = outcome->slots[NDP_SLOT_RESULT].graph;
    memcpy(item->why, outcome->slots[NDP_SLOT_RESULT].refusal.message, sizeof item->why);
    return item->graph != NULL;
}

static void take_as(const char *name, const char *format, int32_t protocol, bool must_be, struct ndp_bytes bytes) {
    struct item item = {.name = name, .bytes = bytes, .from = {.protocol = protocol}};
    ndp_arena_init(&item.arena, ARENA_BYTES);
    done.files++;
    snprintf(item.from.format, NDP_WORD_BYTES, "%s", format);
    snprintf(item.from.encoder, NDP_WORD_BYTES, "%s", target->info.name);
    snprintf(item.from.decoder, NDP_WORD_BYTES, "%s", target->info.name);
    if (strcmp(format, "pickle") == 0 && protocol == 5) snprintf(item.from.buffers, NDP_WORD_BYTES, "in-band");
    if (complete(&item.from) && is_accepted(&item)) {
        done.accepted++;
        done.graphs += item.is_graph;
        travel_all(&item);
    } else if (must_be) {
        fail_msg("%s is refused: %s", name, item.why);
    }
    ndp_arena_clear(&item.arena);
}

/* A pickle contains its protocol; joblib reads its files with any protocol. */
static void transcode_item(const char *name, const char *format, struct ndp_bytes bytes) {
    const bool is_pickle = strcmp(format, "pickle") == 0;
    int32_t protocol = strcmp(format, "joblib") == 0 ? 3 : 0;
    if (is_pickle && bytes.size_bytes > 1 && bytes.data[0] == 0x80 && bytes.data[1] <= 5) protocol = bytes.data[1];
    take_as(name, format, protocol, false, bytes);
}

/* ---- files and vectors ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

static struct ndp_bytes read_file(const char *path) {
    static uint8_t content[MAX_FILE_BYTES];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(content, 1, sizeof content, file);
    assert_true(size < sizeof content);
    fclose(file);
    return (struct ndp_bytes){content, size};
}

static void take_folder(const char *format, const char *expected) {
    static char names[MAX_FILES][NAME_BYTES];
    char folder[64];
    uint32_t count = 0;
    snprintf(folder, sizeof folder, "corpus/%s/%s", format, expected);
    DIR *listing = opendir(folder);
    if (listing == NULL) fail_msg("missing %s", folder);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        assert_true(count < MAX_FILES);
        snprintf(names[count++], NAME_BYTES, "%s/%s", folder, entry->d_name);
    }
    closedir(listing);
    qsort(names, count, NAME_BYTES, compare_names);
    for (uint32_t i = 0; i < count; i++) {
        const struct ndp_bytes bytes = read_file(names[i]);
        uint8_t *copy = malloc(bytes.size_bytes > 0 ? (size_t)bytes.size_bytes : 1);
        assert_non_null(copy);
        memcpy(copy, bytes.data, (size_t)bytes.size_bytes);
        transcode_item(names[i], format, (struct ndp_bytes){copy, bytes.size_bytes});
        free(copy);
    }
}

static void corpus_files_survive_every_route(void **state) {
    static const char *const formats[] = {"npy", "npz", "pickle", "joblib"};
    static const char *const folders[] = {"accept", "open", "refuse"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(formats); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(folders); k++) {
            const uint64_t before = done.accepted;
            take_folder(formats[i], folders[k]);
            if (k == 0) assert_true(done.accepted > before);
        }
    }
}

static void npz_vectors_survive_every_route(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npz_vectors); i++) {
        struct ndp_arena arena;
        struct ndp_bytes bytes;
        struct ndp_error error;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_hex_read(&arena, npz_vectors[i].hex, &bytes, &error), NDP_OK);
        transcode_item(npz_vectors[i].name, "npz", bytes);
        ndp_arena_clear(&arena);
    }
}

/* The NPY encoding of a vector; codec/npy/npy_encode_test.c compares it with NumPy's bytes. */
static void npy_vectors_survive_every_route(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        const struct npy_vector *vector = &npy_vectors[i];
        struct ndp_arena arena;
        struct ndp_array_value value = {.base = {.ndim = vector->ndim, .shape = vector->shape}};
        struct ndp_error error = {0};
        struct ndp_array array;
        char name[32];
        ndp_arena_init(&arena, ARENA_BYTES);
        snprintf(name, sizeof name, "npy vector %d", (int)i);
        assert_int_equal(ndp_dtype_parse(&arena, ndp_bytes_view(vector->dtype), &ndp_describe_default_limits,
                                         &value.base.dtype, &error),
                         NDP_OK);
        if (vector->is_fortran) value.base.order = NDP_MEMORY_F;
        assert_int_equal(ndp_array_build(&arena, &value, true, &array, &error), NDP_OK);
        uint8_t *memory = array.buffer;
        struct ndp_bytes given = {NULL, 0};
        if (vector->hex != NULL) assert_int_equal(ndp_hex_read(&arena, vector->hex, &given, &error), NDP_OK);
        for (uint64_t k = 0; k < array.buffer_bytes; k++)
            memory[k] = vector->hex != NULL ? given.data[k] : (uint8_t)((7 * k + 3) % 256);
        struct item item = {.name = name};
        ndp_arena_init(&item.arena, ARENA_BYTES);
        struct ndp_route npy = {.format = "npy", .encode = "memory", .decode = "memory"};
        struct ndp_program program = {.value = &value, .base_bytes = {memory, array.buffer_bytes}};
        add_step(&program, NDP_STEP_BUILD, NDP_SLOT_NONE, NDP_SLOT_SOURCE, NULL);
        add_step(&program, NDP_STEP_ENCODE, NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, &npy);
        add_step(&program, NDP_STEP_FETCH, NDP_SLOT_ENCODED, NDP_SLOT_ENCODED, NULL);
        const struct ndp_outcome *outcome = run_program(&item, &program);
        if (outcome->slots[NDP_SLOT_ENCODED].has_bytes)
            transcode_item(name, "npy", outcome->slots[NDP_SLOT_ENCODED].bytes);
        ndp_arena_clear(&item.arena);
        ndp_arena_clear(&arena);
    }
}

/* Fails if the tests above had nothing to do. */
static void enough_comparisons_were_made(void **state) {
    assert_true(done.graphs > 0);
    assert_true(done.trips > 20 * done.accepted);
    assert_true(done.comparisons > 10 * done.trips);
}

static void print_counts(void) {
    printf("transcoded: %llu of %llu files and vectors accepted (%llu as graphs); %llu round trips, %llu comparisons, "
           "%llu documented losses, %llu promised refusals, %llu routes that cannot express the value\n",
           (unsigned long long)done.accepted, (unsigned long long)done.files, (unsigned long long)done.graphs,
           (unsigned long long)done.trips, (unsigned long long)done.comparisons, (unsigned long long)done.losses,
           (unsigned long long)done.refused, (unsigned long long)done.unsupported);
}

static int set_up_suite(void **state) {
    struct ndp_error error = {0};
    if (ndp_target_open_plugin(reference_plugin(), &target, &error) != NDP_OK) return 1;
    return 0;
}

static int tear_down_suite(void **state) {
    print_counts();
    ndp_target_close(target);
    return 0;
}

NDP_SUITE_FIXTURE(transcode_test, set_up_suite, tear_down_suite, cmocka_unit_test(corpus_files_survive_every_route),
                  cmocka_unit_test(npz_vectors_survive_every_route), cmocka_unit_test(npy_vectors_survive_every_route),
                  cmocka_unit_test(enough_comparisons_were_made));
