/* batch.h: runs cases. Sweep, replay, minimising and all fuzz targets use it.
 *
 * Cases run in batches over one pair of targets: ndp_batch_start builds the models, plans the programs and submits
 * them; ndp_batch_finish collects the outcomes and judges them. Between the two, the caller may prepare another batch,
 * so that this process and a testee work at the same time.
 */
#ifndef NDP_BATCH_H
#define NDP_BATCH_H

#include "engine/bench.h"
#include "engine/result.h"

enum { NDP_BATCH_CASES = 64 };

struct ndp_batch;

/* Gives a batch for `bench` (borrowed); `arena_bytes` bounds the memory of its cases. Errors: NOMEM. */
enum ndp_status ndp_batch_new(const struct ndp_bench *bench, uint64_t arena_bytes, struct ndp_batch **out) NDP_MUST_USE;
void ndp_batch_free(struct ndp_batch *batch);

/* Removes the cases and their results. Not allowed between start and finish. */
void ndp_batch_clear(struct ndp_batch *batch);

/* The memory of the cases. An added descriptor points into it, or its data outlive the batch. */
struct ndp_arena *ndp_batch_arena(struct ndp_batch *batch);

/* Adds a case. All cases of a batch name the same encoder and decoder. An empty set of properties selects those that
 * the descriptor names, or all if it names none. Errors: LIMIT (full), INVALID (unknown target or property, another
 * pair).
 */
enum ndp_status ndp_batch_add(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                              struct ndp_property_set properties, struct ndp_error *error) NDP_MUST_USE;

/* A divergence, a refusal and a process death are results, not errors. Errors: GONE, NOMEM, FAULT; start also IO and
 * FAULT (no space for temporary files). */
enum ndp_status ndp_batch_start(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_batch_finish(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* Ends the processes of the batch's targets, so that its cases run in fresh ones. To be called after the cases are
 * added and before start. Errors: GONE. */
enum ndp_status ndp_batch_refresh(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* Whether another batch may be started before this one is finished: one target runs both halves, and no case is
 * repeated. */
bool ndp_batch_can_overlap(const struct ndp_batch *batch);

const struct ndp_bench *ndp_batch_bench(const struct ndp_batch *batch);
uint32_t ndp_batch_count(const struct ndp_batch *batch);
const struct ndp_descriptor *ndp_batch_descriptor(const struct ndp_batch *batch, uint32_t index);
uint64_t ndp_batch_case_id(const struct ndp_batch *batch, uint32_t index);

/* Valid after ndp_batch_finish until ndp_batch_clear. */
const struct ndp_result *ndp_batch_result(const struct ndp_batch *batch, uint32_t index);

/* The properties that judge the case. */
struct ndp_property_set ndp_batch_properties(const struct ndp_batch *batch, uint32_t index);

/* Clears the batch and prepares one case in it, which is not run: *result (borrowed from the batch) has the promised
 * observation, the second route, and the input of a decode case. Errors: those of ndp_batch_add, NOMEM, FAULT. */
enum ndp_status ndp_batch_predict(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, struct ndp_result **result,
                                  struct ndp_error *error) NDP_MUST_USE;

/* Runs the encoder of the case that ndp_batch_predict has prepared, if another target decodes: its result then has the
 * bytes. Errors: NOMEM, FAULT, and those of the target. */
enum ndp_status ndp_batch_encode(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* Clears the batch and runs one case in it; *result is borrowed from the batch. `properties` as for ndp_batch_add.
 * Errors: as above, and those of ndp_batch_add. */
enum ndp_status ndp_batch_run_one(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, const struct ndp_result **result,
                                  struct ndp_error *error) NDP_MUST_USE;

/* The same for the text of a descriptor; `is_fresh` runs it in new processes. Errors also of ndp_descriptor_read. */
enum ndp_status ndp_batch_run_text(struct ndp_batch *batch, uint64_t case_id, struct ndp_bytes text, bool is_fresh,
                                   const struct ndp_result **result, struct ndp_error *error) NDP_MUST_USE;

#endif
