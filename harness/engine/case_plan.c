/* case_plan.c: the programs of a case: which peers it is compared with, and the steps and inputs of both halves.
 *
 * plan.c knows routes and steps; this file chooses among its plans by the kind of the case and adds the value.
 */
#include "engine/case.h"

/* Most cases need no peers; searching the claims of both targets for them would cost time. */
static bool needs_slot(const struct ndp_case *item, uint32_t slots) {
    return (item->slots & slots) != 0;
}

void ndp_case_plan_peers(struct ndp_batch *batch, struct ndp_case *item) {
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

static enum ndp_status plan_steps(const struct ndp_batch *batch, const struct ndp_case *item,
                                  struct ndp_program *program, struct ndp_program *second) {
    const struct ndp_route *route = &item->descriptor.route;
    if (item->descriptor.kind == NDP_CASE_DECODE) {
        /* Measuring may slow a testee down by a factor of five. A history takes memory of its own. */
        const bool with_peak = batch->decoder->info.tells_peak && !batch->bench->without_peaks &&
                               route->history == NDP_HISTORY_NONE && ndp_property_judges_peak(route->format);
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
