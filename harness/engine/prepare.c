#include "engine/batch.h"

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
    item->features = ndp_contract_features(&item->model, &item->legs[0]);
    return NDP_OK;
}

/* What the first leg promises: of the source, and what it makes of it. */
static enum ndp_status expect(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_target_info *decoder) {
    const struct ndp_route *route = &item->legs[0];
    ndp_contract_recall(&batch->memory, route, &batch->encoder->info, decoder, item->features, &item->contract);
    item->has_contract = true;
    NDP_TRY(ndp_array_observe(&batch->arena, &item->model, &item->expected));
    return ndp_contract_apply(&batch->arena, &item->model, route, decoder, item->features, &item->contract,
                              &item->promised);
}

static bool has_transport(const struct ndp_target_info *info, const struct ndp_route *route) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (entry->transports && ndp_word_is(entry->format, route->format) &&
            ndp_word_is(entry->entry, route->encode)) {
            return true;
        }
    }
    return false;
}

static bool takes_graphs(const struct ndp_target_info *info, const struct ndp_route *route, bool to_encode) {
    return ndp_target_takes_graphs(info, route->format, to_encode ? route->encode : route->decode, route->buffers,
                                   route->protocol);
}

/* Whether a target has the library that a class comes from. */
static bool has_class(const struct ndp_target_info *info, struct ndp_bytes name, char *why, size_t why_bytes) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    const char *library = ndp_class_find(name, &class) ? ndp_class_library(class) : "";
    if (library[0] == '\0' || ndp_target_library_version(info, library) != NULL) return true;
    snprintf(why, why_bytes, "%s has no %s", info->name, library);
    return false;
}

/* The targets of a case, in the order in which they come; a leg lies between two of them. */
struct stations {
    const struct ndp_target_info *info[3];
    uint32_t legs;
};

static struct stations stations_of(const struct ndp_batch *batch) {
    struct stations out = {.info = {&batch->encoder->info, &batch->decoder->info}, .legs = 1};
    if (batch->middle == NULL) return out;
    return (struct stations){.info = {out.info[0], &batch->middle->info, out.info[1]}, .legs = 2};
}

/* A graph has no one array that claims are compared with: every array of it must be claimed. */
static enum ndp_status prepare_graph(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_target_info *encoder = &batch->encoder->info;
    const struct stations stations = stations_of(batch);
    char why[160];
    item->is_transport = !item->descriptor.route.is_relayed && has_transport(encoder, &item->descriptor.route);
    for (uint32_t i = 0; i < stations.legs; i++) {
        if (takes_graphs(stations.info[i], &item->legs[i], true) &&
            (item->is_transport || takes_graphs(stations.info[i + 1], &item->legs[i], false)))
            continue;
        leave_unsupported(item, "the route takes no graphs");
        return NDP_OK;
    }
    const struct ndp_graph *recipe = item->descriptor.value.graph;
    NDP_TRY(ndp_graph_expect(&batch->arena, recipe, encoder->is_little_endian, &item->graph, error));
    struct ndp_node *nodes = ndp_arena_copy(&batch->arena, recipe->nodes, recipe->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < recipe->count; i++)
        if (nodes[i].kind == NDP_NODE_ARRAY) nodes[i].data = item->graph.nodes[i].data;
    item->sent = (struct ndp_graph){recipe->root, recipe->count, nodes};
    item->has_graph = true;
    item->features = ndp_graph_features(recipe);
    for (uint32_t i = 0; i < item->graph.count; i++) {
        const struct ndp_node *node = &item->graph.nodes[i];
        for (uint32_t k = 0; ndp_node_model(node) != NULL && k <= stations.legs; k++) {
            if (has_class(stations.info[k], node->array.class_name, why, sizeof why) &&
                has_claim(stations.info[k], &node->model, why, sizeof why))
                continue;
            leave_unsupported(item, why);
            return NDP_OK;
        }
    }
    return NDP_OK;
}

static void prepare_dict(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_route *route = &item->descriptor.route;
    item->is_transport = has_transport(&batch->encoder->info, route);
    item->features = ndp_dict_features(item->descriptor.value.dict);
    if (!item->is_transport || !ndp_target_takes_dicts(&batch->encoder->info, route->format, route->encode))
        leave_unsupported(item, "the route takes no dicts");
}

/* Whether every leg is claimed, for arrays. */
static bool has_entries(const struct ndp_case *item, const struct stations *stations) {
    for (uint32_t i = 0; i < stations->legs; i++) {
        const struct ndp_route *leg = &item->legs[i];
        if (!ndp_target_has_entry(stations->info[i], leg->format, leg->encode, leg->buffers, leg->protocol, true) ||
            !ndp_target_has_entry(stations->info[i + 1], leg->format, leg->decode, leg->buffers, leg->protocol, false))
            return false;
    }
    return true;
}

static bool is_local(const struct ndp_target_info *info, const struct ndp_route *leg) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (entry->is_local && ndp_word_is(entry->format, leg->format) && ndp_word_is(entry->entry, leg->encode))
            return true;
    }
    return false;
}

/* Whether the bytes of every leg of a relay mean something to the target behind it, which is in another program. */
static bool can_be_handed_over(const struct ndp_case *item, const struct stations *stations) {
    for (uint32_t i = 0; i < stations->legs && stations->legs > 1; i++) {
        if (is_local(stations->info[i], &item->legs[i])) return false;
    }
    return true;
}

/* Whether every leg takes arrays that travel alone. */
static bool takes_arrays(const struct ndp_case *item, const struct stations *stations) {
    for (uint32_t i = 0; i < stations->legs; i++) {
        if (!ndp_target_takes_arrays(stations->info[i], item->legs[i].format, item->legs[i].encode)) return false;
    }
    return true;
}

/* Most cases of a run compare with no other way: the claims of both targets are not looked through for them. */
static bool asks_peers(const struct ndp_case *item) {
    return (item->slots & (1u << NDP_SLOT_PEER_ENCODED | 1u << NDP_SLOT_PEER0 | 1u << NDP_SLOT_PEER1 |
                           1u << NDP_SLOT_PEER2 | 1u << NDP_SLOT_PEER3)) != 0;
}

static enum ndp_status prepare_round_trip(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_route *route = &item->legs[0];
    const struct stations stations = stations_of(batch);
    const struct ndp_target_info *encoder = stations.info[0];
    const struct ndp_target_info *decoder = stations.info[1];
    if (item->descriptor.value.kind == NDP_VALUE_GRAPH) return prepare_graph(batch, item, error);
    if (item->descriptor.value.kind == NDP_VALUE_DICT) {
        prepare_dict(batch, item);
        return NDP_OK;
    }
    if (ndp_target_takes_dicts(encoder, route->format, route->encode)) {
        leave_unsupported(item, "the route takes dicts only");
        return NDP_OK;
    }
    if (!takes_arrays(item, &stations)) {
        leave_unsupported(item, "the route takes graphs only");
        return NDP_OK;
    }
    if (!can_be_handed_over(item, &stations)) {
        leave_unsupported(item, "what is encoded so is decoded by the same program alone");
        return NDP_OK;
    }
    NDP_TRY(build_model(batch, item, error));
    char why[160];
    for (uint32_t i = 0; i <= stations.legs; i++) {
        if (has_claim(stations.info[i], &item->model, why, sizeof why)) continue;
        leave_unsupported(item, why);
        return NDP_OK;
    }
    item->is_transport = !item->descriptor.route.is_relayed && has_transport(encoder, route);
    if (!item->is_transport && !has_entries(item, &stations)) {
        leave_unsupported(item, "the route is not claimed");
        return NDP_OK;
    }
    if (item->is_transport) {
        ndp_plan_transport_peer(route, encoder, &item->peers);
    } else if (!item->descriptor.route.is_relayed && asks_peers(item)) {
        ndp_plan_peers(route, encoder, decoder, &item->peers);
    }
    return expect(batch, item, decoder);
}

void ndp_case_say_form(struct ndp_program *program, const struct ndp_array *model) {
    const uint64_t itemsize_bytes = model->dtype->itemsize_bytes;
    const bool is_f = ndp_layout_is_f_contiguous(&model->layout, itemsize_bytes) &&
                      !ndp_layout_is_c_contiguous(&model->layout, itemsize_bytes);
    program->as = model;
    program->as_order = is_f ? NDP_MEMORY_F : NDP_MEMORY_C;
}

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
    ndp_case_say_form(program, &item->model);
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

/* The oracle decodes first: its verdict stands beside what the descriptor expects. */
static enum ndp_status ask_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (batch->bench->oracle == NULL) return NDP_OK;
    struct ndp_program *program = &batch->asked;
    struct ndp_outcome *outcome = &batch->oracles[item - batch->cases];
    ndp_program_clear(program);
    struct ndp_route route = item->descriptor.route;
    snprintf(route.decode, sizeof route.decode, "memory");
    if (!ndp_target_has_entry(&batch->bench->oracle->info, route.format, route.decode, route.buffers, route.protocol,
                              false))
        return NDP_OK;
    NDP_TRY(ndp_plan_decode(&route, &(struct ndp_peers){0}, 0, false, program));
    program->supplied = item->bytes;
    if (item->has_model) ndp_case_say_form(program, &item->model);
    item->oracle = outcome;
    return run_oracle(batch, program, outcome, error);
}

/* Spoils the right bytes. A file of the corpus has no value beside it: its items are taken to be one byte and its
 * data all that follows, which the faults that cut need to know. */
static enum ndp_status apply_fault(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    uint64_t item_bytes = item->has_model ? item->model.dtype->itemsize_bytes : 1;
    uint64_t data_bytes = item->has_model ? ndp_layout_count(&item->model.layout) * item_bytes : item->bytes.size_bytes;
    struct ndp_buffer spoilt;
    ndp_buffer_init(&spoilt, MAX_CORPUS_FILE_BYTES);
    enum ndp_status status = ndp_fault_apply(&item->descriptor.fault, item->descriptor.route.format, item->bytes,
                                             item_bytes, data_bytes, &spoilt, error);
    if (status == NDP_OK) {
        uint8_t *copy = ndp_arena_copy(&batch->arena, spoilt.data, spoilt.size_bytes);
        if (copy == NULL) {
            status = NDP_NOMEM;
        } else {
            item->bytes = (struct ndp_bytes){copy, spoilt.size_bytes};
        }
    }
    ndp_buffer_clear(&spoilt);
    return status;
}

static enum ndp_status prepare_decode(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const struct ndp_route *route = &descriptor->route;
    if (!ndp_target_has_entry(&batch->decoder->info, route->format, route->decode, route->buffers, route->protocol,
                              false)) {
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
        NDP_TRY(expect(batch, item, &batch->decoder->info));
        item->bytes = right;
    }
    if (descriptor->fault.name[0] != '\0') {
        NDP_TRY(apply_fault(batch, item, error));
    }
    if (asks_peers(item)) ndp_plan_peers(route, &batch->decoder->info, &batch->decoder->info, &item->peers);
    return ask_oracle(batch, item, error);
}

enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (item->descriptor.kind == NDP_CASE_DECODE) return prepare_decode(batch, item, error);
    return prepare_round_trip(batch, item, error);
}

enum ndp_status ndp_case_plan(const struct ndp_batch *batch, const struct ndp_case *item, struct ndp_program *program,
                              struct ndp_program *second) {
    const struct ndp_route *route = &item->descriptor.route;
    bool is_decode = item->descriptor.kind == NDP_CASE_DECODE;
    bool is_pair = !is_decode && !item->is_transport && batch->encoder != batch->decoder;
    struct ndp_program *half[2] = {program, is_pair ? second : NULL};
    if (item->descriptor.value.kind == NDP_VALUE_DICT && !is_decode) {
        program->case_id = item->id;
        program->dict = item->descriptor.value.dict;
        return ndp_plan_dict(route, program);
    }
    if (is_decode) {
        /* A testee may take five times as long while it measures. */
        const bool with_peak =
            batch->decoder->info.tells_peak && !batch->bench->without_peaks && ndp_peak_is_judged(route->format);
        NDP_TRY(ndp_plan_decode(route, &item->peers, item->slots, with_peak, program));
        program->supplied = item->bytes;
    } else {
        NDP_TRY(ndp_plan_round_trip(route, item->is_transport, &item->peers, item->slots, program, half[1]));
        if (!item->has_graph) {
            program->value = &item->descriptor.value.array;
            program->base_bytes = item->base_bytes;
        }
    }
    for (int i = 0; i < 2 && half[i] != NULL; i++) {
        half[i]->case_id = item->id;
        if (item->has_graph) half[i]->graph = &item->sent;
        if (!item->has_model) continue;
        ndp_case_say_form(half[i], &item->model);
    }
    return NDP_OK;
}
