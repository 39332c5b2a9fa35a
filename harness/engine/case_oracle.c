/* case_oracle.c: the reference encodes and decodes for a decode case, before the decoder under test runs.
 *
 * The oracle of the bench is the reference in this process. It encodes the value into which a fault is put, and it
 * decodes the input of every decode case: its answer is the expected one when the descriptor states none. A format that
 * it does not decode leaves `item->oracle` NULL. When the decoder under test is the reference itself at the same entry
 * point, a second run could show only that its result depends on more than the input; `reads_once` leaves it out.
 */
#include <stdio.h>

#include "engine/case.h"

static enum ndp_status run_oracle(struct ndp_batch *batch, const struct ndp_program *program, struct ndp_outcome *out,
                                  struct ndp_error *error) {
    struct ndp_target *oracle = batch->bench->oracle;
    if (oracle == NULL)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET,
                             "cannot encode the value: the run has no reference target");
    NDP_TRY(oracle->ops->submit(oracle, program, 1, error));
    return oracle->ops->collect(oracle, &batch->arena, out, 1, error);
}

enum ndp_status ndp_case_encode_by_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes *out,
                                          struct ndp_error *error) {
    struct ndp_program *program = &batch->asked;
    struct ndp_outcome *outcome = &batch->answered;
    ndp_program_clear(program);
    struct ndp_route route = item->descriptor.route;
    snprintf(route.encode, sizeof route.encode, "memory");
    snprintf(route.decode, sizeof route.decode, "memory");
    struct ndp_program unused = {0}; /* the half that would decode */
    NDP_TRY(ndp_plan_round_trip(&route, false, &(struct ndp_peers){0}, 1u << NDP_SLOT_ENCODED, program, &unused));
    program->value = &item->descriptor.value.array;
    program->base_bytes = item->base_bytes;
    ndp_program_set_raw_layout(program, &item->model);
    NDP_TRY(run_oracle(batch, program, outcome, error));
    const struct ndp_slot_record *record = &outcome->slots[NDP_SLOT_ENCODED];
    if (record->state != NDP_SLOT_FILLED || !record->has_bytes) {
        ndp_case_leave_unsupported(item, "the reference cannot encode the value that the fault corrupts");
        return NDP_OK;
    }
    *out = record->bytes;
    return NDP_OK;
}

enum ndp_status ndp_case_decode_by_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) {
    if (batch->bench->oracle == NULL) return NDP_OK;
    struct ndp_program *program = &batch->asked;
    struct ndp_outcome *outcome = &batch->oracles[item - batch->cases];
    struct ndp_route route = item->descriptor.route;
    if (batch->bench->reads_once && batch->decoder == batch->bench->oracle &&
        ndp_bytes_word_is(route.decode, "memory")) {
        item->oracle = &batch->outcomes[0][batch->sent_count]; /* where the outcome of this case will be */
        return NDP_OK;
    }
    ndp_program_clear(program);
    snprintf(route.decode, sizeof route.decode, "memory");
    if (!ndp_case_is_decoder_claimed(&batch->bench->oracle->info, &route)) return NDP_OK;
    NDP_TRY(ndp_plan_decode(&route, &(struct ndp_peers){0}, 0, false, program));
    program->supplied = item->bytes;
    if (item->has_model) ndp_program_set_raw_layout(program, &item->model);
    item->oracle = outcome;
    return run_oracle(batch, program, outcome, error);
}
