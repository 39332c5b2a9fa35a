/* prepare.c: a case before it is sent: its model, its expected observation, and the input of a decode case.
 *
 * Problem. Both ends of a case must start from one description of the value, and every property compares with the same
 * expectation.
 *
 * Method. A round trip: check the claims of both targets (case_claim.c), choose peers (case_plan.c), build the model of
 * the array or graph, and apply the contract of the route to it. The model gives the expected source, the contract the
 * promised result. A decode case takes its input from the corpus, the descriptor or the encoded value (case_input.c,
 * case_oracle.c), corrupts it when the descriptor names a fault, and lets the oracle decode it.
 *
 * Cost. The bytes of a base array are computed once and shared by the model and the program. A decode case costs up to
 * two programs of the oracle.
 *
 * Limits. Dicts have no model: their property computes the allowed results itself.
 */
#include "base/checked.h"
#include "engine/case.h"
#include "model/graph/graph_features.h"
#include "model/graph/import_path.h"

/* Fills *out with the bytes of the base. Leaves it empty if the base is invalid: building the model reports that. */
static enum ndp_status fill_base(struct ndp_arena *arena, const struct ndp_base *base, bool is_little,
                                 struct ndp_bytes *out, struct ndp_error *error) {
    const struct ndp_dtype *dtype;
    uint64_t count_elems, size_bytes;
    if (ndp_dtype_check(base->dtype, NULL) != NDP_OK) return NDP_OK;
    NDP_TRY(ndp_dtype_resolve(arena, base->dtype, is_little, &dtype));
    if (!ndp_checked_extents_fit(base->shape, base->ndim, dtype->itemsize_bytes, &count_elems, &size_bytes) ||
        size_bytes > arena->limit_bytes - arena->used_bytes)
        return NDP_OK;
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_array_fill_data(&base->data, dtype, count_elems, bytes, size_bytes, error));
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

/* Fills the expected source and the promised result from the model. */
static enum ndp_status apply_contract(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_target_info *decoder = &batch->decoder->info;
    ndp_contract_fill_cached(&batch->memory, route, &batch->encoder->info, decoder, item->features, &item->contract);
    item->has_contract = true;
    NDP_TRY(ndp_array_observe(&batch->arena, &item->model, &item->expected));
    return ndp_contract_apply(&batch->arena, &item->model, route, decoder, item->features, &item->contract,
                              &item->promised);
}

/* ---- round trips ---- */

/* Returns why the route does not take the graph; NULL if it does. */
static const char *graph_objection(const struct ndp_batch *batch, const struct ndp_case *item,
                                   const struct ndp_graph *graph) {
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_entry *const ends[] = {ndp_entry_find(&batch->encoder->info, route, NDP_END_ENCODER),
                                            ndp_entry_find(&batch->decoder->info, route, NDP_END_DECODER)};
    const struct ndp_node *root = &graph->nodes[graph->root];
    const bool has_instances = ndp_graph_has_instances(graph);
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++) {
        if (ends[i]->takes_scalars && !ndp_graph_is_scalars(graph)) return "the route takes only lists of scalars";
        if (has_instances && !ends[i]->takes_instances) return "the route takes no instances of classes";
        if (ends[i]->instances_of[0] == '\0') continue;
        if (root->kind != NDP_NODE_INSTANCE || !ndp_import_path_is_in(root->import, ends[i]->instances_of))
            return "the route takes only instances of a module";
    }
    return NULL;
}

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
    const char *objection = graph_objection(batch, item, recipe);
    if (objection != NULL) {
        ndp_case_leave_unsupported(item, objection);
        return NDP_OK;
    }
    for (uint32_t i = 0; i < item->graph.count; i++) {
        const struct ndp_node *node = &item->graph.nodes[i];
        if (ndp_graph_node_model(node) != NULL &&
            !ndp_case_is_claimed(batch, item, node->array.class_name, ndp_graph_node_model(node)))
            return NDP_OK;
    }
    return NDP_OK;
}

static enum ndp_status prepare_array(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    NDP_TRY(build_model(batch, item, error));
    if (!ndp_case_is_claimed(batch, item, (struct ndp_bytes){NULL, 0}, &item->model)) return NDP_OK;
    return apply_contract(batch, item);
}

static enum ndp_status prepare_round_trip(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_route *route = &item->descriptor.route;
    const enum ndp_value_kind kind = item->descriptor.value.kind;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const char *objection = ndp_route_objection(encoder, decoder, route, kind);
    if (objection != NULL) {
        ndp_case_leave_unsupported(item, objection);
        return NDP_OK;
    }
    item->is_transport = ndp_entry_find(encoder, route, NDP_END_ENCODER)->transports;
    ndp_case_plan_peers(batch, item);
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

/* Whether the bytes of a decode case come from this tree: from its corpus, or from a value that the case builds. */
static enum ndp_status find_origin(struct ndp_batch *batch, const struct ndp_descriptor *descriptor, bool *is_own) {
    struct ndp_bytes own;
    *is_own = descriptor->bytes.data == NULL && (descriptor->file[0] != '\0' || descriptor->fault.name[0] != '\0');
    if (*is_own || descriptor->file[0] == '\0') return NDP_OK;
    /* A file may claim to be one of the corpus. */
    const enum ndp_status status = ndp_case_read_file(batch, descriptor->file, &own, NULL);
    *is_own = status == NDP_OK && ndp_bytes_is_equal(own, descriptor->bytes);
    return status == NDP_NOMEM ? status : NDP_OK;
}

/* Leaves out a case whose bytes someone else made when its decoder may run code in them. */
static enum ndp_status withhold(struct ndp_batch *batch, struct ndp_case *item) {
    struct ndp_withheld *withheld = batch->bench->withheld;
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_target_info *decoder = &batch->decoder->info;
    bool is_own = false;
    if (withheld == NULL || !ndp_withheld_runs_code(decoder, route)) return NDP_OK;
    NDP_TRY(find_origin(batch, &item->descriptor, &is_own));
    if (is_own) return NDP_OK;
    ndp_withheld_add(withheld, ndp_entry_library(decoder, route, NDP_END_DECODER), route->format);
    ndp_case_leave_unsupported(item, "not run without --trust: the library may run code that the bytes contain");
    return NDP_OK;
}

static enum ndp_status prepare_decode(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const struct ndp_route *route = &descriptor->route;
    if (!ndp_case_is_decoder_claimed(&batch->decoder->info, route)) {
        ndp_case_leave_unsupported(item, "the route is not claimed");
        return NDP_OK;
    }
    NDP_TRY(withhold(batch, item));
    if (item->result.verdict == NDP_VERDICT_UNSUPPORTED) return NDP_OK;
    if (descriptor->file[0] != '\0' && descriptor->bytes.data == NULL) {
        NDP_TRY(ndp_case_read_file(batch, descriptor->file, &item->bytes, error));
    } else if (descriptor->bytes.data != NULL || descriptor->fault.name[0] == '\0') {
        item->bytes = descriptor->bytes;
    } else {
        NDP_TRY(build_model(batch, item, error));
        struct ndp_bytes encoded = {0};
        NDP_TRY(ndp_case_encode_by_oracle(batch, item, &encoded, error));
        if (item->result.verdict == NDP_VERDICT_UNSUPPORTED) return NDP_OK;
        NDP_TRY(apply_contract(batch, item));
        item->bytes = encoded;
    }
    if (descriptor->fault.name[0] != '\0') NDP_TRY(ndp_case_apply_fault(batch, item, error));
    ndp_case_plan_peers(batch, item);
    return ndp_case_decode_by_oracle(batch, item, error);
}

enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (item->descriptor.kind == NDP_CASE_DECODE) return prepare_decode(batch, item, error);
    return prepare_round_trip(batch, item, error);
}
