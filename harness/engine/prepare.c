#include "engine/case.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "codec/fault_apply.h"
#include "model/array_class.h"
#include "model/graph_features.h"

/* A file of the corpus is read whole; larger ones are not cases. */
enum { MAX_CORPUS_FILE_BYTES = 64 << 20 };

static void leave_unsupported(struct ndp_case *item, const char *why) {
    item->result.verdict = NDP_VERDICT_UNSUPPORTED;
    snprintf(item->result.detail, sizeof item->result.detail, "%s", why);
}

/* Whether a target can hold the value at all, by its own claims. */
static bool has_claim(const struct ndp_target_info *info, const struct ndp_array *model, char *why, size_t why_bytes) {
    for (int kind = 0; kind < NDP_KIND_COUNT; kind++) {
        if (!ndp_dtype_has_kind(model->dtype, (enum ndp_kind)kind)) continue;
        if (memchr(info->kinds, ndp_kind_codes[kind], strnlen(info->kinds, sizeof info->kinds)) != NULL) continue;
        snprintf(why, why_bytes, "%s does not claim kind %c", info->name, ndp_kind_codes[kind]);
        return false;
    }
    if (model->layout.ndim > info->max_ndim) {
        snprintf(why, why_bytes, "%s does not claim %u dimensions", info->name, (unsigned)model->layout.ndim);
        return false;
    }
    if (model->buffer_bytes > info->max_value_bytes) {
        snprintf(why, why_bytes, "%s does not claim values of this size", info->name);
        return false;
    }
    return true;
}

/* The bytes of the base, which are worked out once. None when there can be no such base, which building it tells. */
static enum ndp_status fill_base(struct ndp_arena *arena, const struct ndp_base *base, bool is_little,
                                 struct ndp_bytes *out, struct ndp_error *error) {
    const struct ndp_dtype *dtype;
    uint64_t count_elems, size_bytes;
    if (ndp_dtype_check(base->dtype, NULL) != NDP_OK) return NDP_OK;
    NDP_TRY(ndp_dtype_resolve(arena, base->dtype, is_little, &dtype));
    if (!ndp_extents_fit(base->shape, base->ndim, dtype->itemsize_bytes, &count_elems, &size_bytes) ||
        size_bytes > arena->limit_bytes - arena->used_bytes)
        return NDP_OK;
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_data_fill(&base->data, dtype, count_elems, bytes, size_bytes, error));
    *out = (struct ndp_bytes){bytes, size_bytes};
    return NDP_OK;
}

static enum ndp_status build_model(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    struct ndp_array_value value = item->descriptor.value.array;
    bool is_little = batch->encoder->info.is_little_endian;
    NDP_TRY(fill_base(&batch->arena, &value.base, is_little, &item->base_bytes, error));
    if (item->base_bytes.data != NULL)
        value.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = item->base_bytes};
    NDP_TRY(ndp_array_build(&batch->arena, &value, is_little, &item->model, error));
    item->model.longdouble_alignment_bytes = batch->encoder->info.longdouble_alignment_bytes;
    item->has_model = true;
    item->features = ndp_contract_features(&item->model, &item->descriptor.route);
    return NDP_OK;
}

/* What the route promises of the source, and of the result. */
static enum ndp_status expect(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_target_info *decoder = &batch->decoder->info;
    ndp_contract_recall(&batch->memory, route, &batch->encoder->info, decoder, item->features, &item->contract);
    item->has_contract = true;
    NDP_TRY(ndp_array_observe(&batch->arena, &item->model, &item->expected));
    return ndp_contract_apply(&batch->arena, &item->model, route, decoder, item->features, &item->contract,
                              &item->promised);
}

/* Whether a target has the library that a class comes from. */
static bool has_class(const struct ndp_target_info *info, struct ndp_bytes name, char *why, size_t why_bytes) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    const char *library = ndp_class_find(name, &class) ? ndp_class_library(class) : "";
    if (library[0] == '\0' || ndp_target_library_version(info, library) != NULL) return true;
    snprintf(why, why_bytes, "%s has no %s", info->name, library);
    return false;
}

/* Whether both targets have the class and can hold the array, by their claims; otherwise the case is unsupported. */
static bool can_hold(const struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes class_name,
                     const struct ndp_array *array) {
    const struct ndp_target_info *const ends[] = {&batch->encoder->info, &batch->decoder->info};
    char why[160];
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++) {
        if (has_class(ends[i], class_name, why, sizeof why) && has_claim(ends[i], array, why, sizeof why)) continue;
        leave_unsupported(item, why);
        return false;
    }
    return true;
}

/* ---- round trips ---- */

static enum ndp_status prepare_graph(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_graph *recipe = item->descriptor.value.graph;
    NDP_TRY(ndp_graph_expect(&batch->arena, recipe, batch->encoder->info.is_little_endian, &item->graph, error));
    struct ndp_node *nodes = ndp_arena_copy(&batch->arena, recipe->nodes, recipe->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < recipe->count; i++)
        if (nodes[i].kind == NDP_NODE_ARRAY) nodes[i].data = item->graph.nodes[i].data;
    item->sent = (struct ndp_graph){recipe->root, recipe->count, nodes};
    item->has_graph = true;
    item->features = ndp_graph_features(recipe);
    for (uint32_t i = 0; i < item->graph.count; i++) {
        const struct ndp_node *node = &item->graph.nodes[i];
        if (ndp_node_model(node) != NULL && !can_hold(batch, item, node->array.class_name, ndp_node_model(node)))
            return NDP_OK;
    }
    return NDP_OK;
}

static enum ndp_status prepare_array(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    NDP_TRY(build_model(batch, item, error));
    if (!can_hold(batch, item, (struct ndp_bytes){NULL, 0}, &item->model)) return NDP_OK;
    return expect(batch, item);
}

/* Most cases compare with no other entry point: the claims of both targets are not looked through for them. */
static bool needs_slot(const struct ndp_case *item, uint32_t slots) {
    return (item->slots & slots) != 0;
}

static void plan_peers(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const enum ndp_value_kind kind = item->descriptor.value.kind;
    const uint32_t peers = 1u << NDP_SLOT_PEER_ENCODED | 1u << NDP_SLOT_PEER0 | 1u << NDP_SLOT_PEER1 |
                           1u << NDP_SLOT_PEER2 | 1u << NDP_SLOT_PEER3;
    const bool is_own = batch->encoder == batch->decoder && item->descriptor.kind == NDP_CASE_ROUND_TRIP;
    if (item->is_transport) {
        if (kind == NDP_VALUE_ARRAY) ndp_plan_transport_peer(route, encoder, &item->peers);
        return;
    }
    if (kind == NDP_VALUE_ARRAY && needs_slot(item, peers)) ndp_plan_peers(route, encoder, decoder, &item->peers);
    if (is_own && needs_slot(item, 1u << NDP_SLOT_TRANSCODED)) ndp_plan_second(route, decoder, kind, &item->peers);
}

static enum ndp_status prepare_round_trip(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_route *route = &item->descriptor.route;
    const enum ndp_value_kind kind = item->descriptor.value.kind;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const char *objection = ndp_route_objection(encoder, decoder, route, kind);
    if (objection != NULL) {
        leave_unsupported(item, objection);
        return NDP_OK;
    }
    item->is_transport = ndp_entry_find(encoder, route, NDP_END_ENCODER)->transports;
    plan_peers(batch, item);
    switch (kind) {
    case NDP_VALUE_ARRAY:
        return prepare_array(batch, item, error);
    case NDP_VALUE_GRAPH:
        return prepare_graph(batch, item, error);
    case NDP_VALUE_DICT:
        item->features = ndp_dict_features(item->descriptor.value.dict);
        return NDP_OK;
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return NDP_FAULT;
}

/* ---- bytes to decode ---- */

/* One program on the oracle. Errors: of the target. */
static enum ndp_status run_oracle(struct ndp_batch *batch, const struct ndp_program *program, struct ndp_outcome *out,
                                  struct ndp_error *error) {
    struct ndp_target *oracle = batch->bench->oracle;
    if (oracle == NULL) return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "this run has no reference to ask");
    NDP_TRY(oracle->ops->submit(oracle, program, 1, error));
    return oracle->ops->collect(oracle, &batch->arena, out, 1, error);
}

/* The right bytes of the case's value, by the reference. */
static enum ndp_status encode_by_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes *out,
                                        struct ndp_error *error) {
    struct ndp_program *program = &batch->asked;
    struct ndp_outcome *outcome = &batch->answered;
    ndp_program_clear(program);
    struct ndp_route route = item->descriptor.route;
    snprintf(route.encode, sizeof route.encode, "memory");
    snprintf(route.decode, sizeof route.decode, "memory");
    NDP_TRY(ndp_plan_round_trip(&route, false, &(struct ndp_peers){0}, 1u << NDP_SLOT_ENCODED, program, NULL));
    program->value = &item->descriptor.value.array;
    program->base_bytes = item->base_bytes;
    ndp_program_set_raw_layout(program, &item->model);
    NDP_TRY(run_oracle(batch, program, outcome, error));
    const struct ndp_slot_record *record = &outcome->slots[NDP_SLOT_ENCODED];
    if (record->state != NDP_SLOT_FILLED || !record->has_bytes) {
        leave_unsupported(item, "the reference cannot encode the value that the fault is put into");
        return NDP_OK;
    }
    *out = record->bytes;
    return NDP_OK;
}

static enum ndp_status read_corpus_file(struct ndp_batch *batch, const char *name, struct ndp_bytes *out,
                                        struct ndp_error *error) {
    char path[1024];
    int length =
        snprintf(path, sizeof path, "%s/%s", batch->bench->corpus != NULL ? batch->bench->corpus : "corpus", name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the name of the corpus file is too long");
    }
    enum ndp_status status = NDP_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > MAX_CORPUS_FILE_BYTES) {
        status = ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "cannot read the corpus file %s", path);
        goto done;
    }
    uint8_t *bytes = ndp_arena_alloc(&batch->arena, (uint64_t)info.st_size);
    if (bytes == NULL) {
        status = NDP_NOMEM;
        goto done;
    }
    uint64_t at = 0;
    while (at < (uint64_t)info.st_size) {
        ssize_t got = read(fd, bytes + at, (size_t)((uint64_t)info.st_size - at));
        if (got <= 0) {
            status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "the corpus file %s ends early", path);
            goto done;
        }
        at += (uint64_t)got;
    }
    *out = (struct ndp_bytes){bytes, at};
done:
    if (fd >= 0) close(fd);
    return status;
}

static bool decodes(const struct ndp_target_info *info, const struct ndp_route *route) {
    const struct ndp_entry *entry = ndp_entry_find(info, route, NDP_END_DECODER);
    return entry != NULL && entry->decodes;
}

/* The oracle decodes first: its verdict stands beside what the descriptor expects. */
static enum ndp_status ask_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (batch->bench->oracle == NULL) return NDP_OK;
    struct ndp_program *program = &batch->asked;
    struct ndp_outcome *outcome = &batch->oracles[item - batch->cases];
    ndp_program_clear(program);
    struct ndp_route route = item->descriptor.route;
    snprintf(route.decode, sizeof route.decode, "memory");
    if (!decodes(&batch->bench->oracle->info, &route)) return NDP_OK;
    NDP_TRY(ndp_plan_decode(&route, &(struct ndp_peers){0}, 0, false, program));
    program->supplied = item->bytes;
    if (item->has_model) ndp_program_set_raw_layout(program, &item->model);
    item->oracle = outcome;
    return run_oracle(batch, program, outcome, error);
}

/* Corrupts the right bytes. A file of the corpus has no value beside it: its items are taken to be one byte and its
 * data all that follows, which the faults that cut need to know. */
static enum ndp_status apply_fault(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    uint64_t item_bytes = item->has_model ? item->model.dtype->itemsize_bytes : 1;
    uint64_t data_bytes = item->has_model ? ndp_layout_count(&item->model.layout) * item_bytes : item->bytes.size_bytes;
    struct ndp_buffer corrupted;
    ndp_buffer_init(&corrupted, MAX_CORPUS_FILE_BYTES);
    enum ndp_status status = ndp_fault_apply(&item->descriptor.fault, item->descriptor.route.format, item->bytes,
                                             item_bytes, data_bytes, &corrupted, error);
    if (status == NDP_OK) {
        uint8_t *copy = ndp_arena_copy(&batch->arena, corrupted.data, corrupted.size_bytes);
        if (copy == NULL) {
            status = NDP_NOMEM;
        } else {
            item->bytes = (struct ndp_bytes){copy, corrupted.size_bytes};
        }
    }
    ndp_buffer_clear(&corrupted);
    return status;
}

static enum ndp_status prepare_decode(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const struct ndp_route *route = &descriptor->route;
    if (!decodes(&batch->decoder->info, route)) {
        leave_unsupported(item, "the route is not claimed");
        return NDP_OK;
    }
    if (descriptor->file[0] != '\0' && descriptor->bytes.data == NULL) {
        NDP_TRY(read_corpus_file(batch, descriptor->file, &item->bytes, error));
    } else if (descriptor->bytes.data != NULL || descriptor->fault.name[0] == '\0') {
        item->bytes = descriptor->bytes;
    } else {
        NDP_TRY(build_model(batch, item, error));
        struct ndp_bytes right = {0};
        NDP_TRY(encode_by_oracle(batch, item, &right, error));
        if (item->result.verdict == NDP_VERDICT_UNSUPPORTED) return NDP_OK;
        NDP_TRY(expect(batch, item));
        item->bytes = right;
    }
    if (descriptor->fault.name[0] != '\0') {
        NDP_TRY(apply_fault(batch, item, error));
    }
    plan_peers(batch, item);
    return ask_oracle(batch, item, error);
}

enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (item->descriptor.kind == NDP_CASE_DECODE) return prepare_decode(batch, item, error);
    return prepare_round_trip(batch, item, error);
}

/* ---- programs ---- */

static enum ndp_status plan_steps(const struct ndp_batch *batch, const struct ndp_case *item,
                                  struct ndp_program *program, struct ndp_program *second) {
    const struct ndp_route *route = &item->descriptor.route;
    if (item->descriptor.kind == NDP_CASE_DECODE) {
        /* A testee may take five times as long while it measures. */
        const bool with_peak =
            batch->decoder->info.tells_peak && !batch->bench->without_peaks && ndp_peak_is_judged(route->format);
        return ndp_plan_decode(route, &item->peers, item->slots, with_peak, program);
    }
    if (item->descriptor.value.kind == NDP_VALUE_DICT) return ndp_plan_dict(route, program);
    const bool is_pair = !item->is_transport && batch->encoder != batch->decoder;
    return ndp_plan_round_trip(route, item->is_transport, &item->peers, item->slots, program, is_pair ? second : NULL);
}

enum ndp_status ndp_case_plan(const struct ndp_batch *batch, const struct ndp_case *item, struct ndp_program *program,
                              struct ndp_program *second) {
    const bool is_decode = item->descriptor.kind == NDP_CASE_DECODE;
    struct ndp_program *const halves[] = {program, second};
    NDP_TRY(plan_steps(batch, item, program, second));
    if (is_decode) program->supplied = item->bytes;
    if (!is_decode && item->descriptor.value.kind == NDP_VALUE_ARRAY) {
        program->value = &item->descriptor.value.array;
        program->base_bytes = item->base_bytes;
    }
    if (!is_decode && item->descriptor.value.kind == NDP_VALUE_DICT) program->dict = item->descriptor.value.dict;
    for (size_t i = 0; i < NDP_ARRAY_LEN(halves) && halves[i] != NULL; i++) {
        halves[i]->case_id = item->id;
        if (item->has_graph) halves[i]->graph = &item->sent;
        if (item->has_model) ndp_program_set_raw_layout(halves[i], &item->model);
    }
    return NDP_OK;
}
