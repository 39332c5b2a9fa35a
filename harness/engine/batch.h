/* batch.h: runs cases. Sweep, replay, shrinking and all fuzz targets end here.
 *
 * Cases run in batches over one pair of targets: ndp_batch_start builds the models, plans the programs and submits
 * them; ndp_batch_finish collects, judges and fills the results. Between the two the caller may prepare another batch,
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

/* Forgets the cases and their results. Never between start and finish. */
void ndp_batch_clear(struct ndp_batch *batch);

/* The memory of the cases: descriptors that are added point into it, or outlive the batch. */
struct ndp_arena *ndp_batch_arena(struct ndp_batch *batch);

/* Adds a case: every case of a batch names the same encoder and decoder. With no properties it is judged by those that
 * the descriptor names, or by all. Errors: LIMIT (batch is full), INVALID (no such target or property, another pair).
 */
enum ndp_status ndp_batch_add(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                              struct ndp_property_set properties, struct ndp_error *error) NDP_MUST_USE;

/* Errors of both: GONE, NOMEM, FAULT; of start: IO, FAULT when there is no room for temporary files. A divergence, a
 * refusal, a dead testee are results. */
enum ndp_status ndp_batch_start(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;
enum ndp_status ndp_batch_finish(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* Throws the running processes of the batch's targets away, so that its cases meet fresh ones. After the cases
 * are added, before start. Errors: GONE. */
enum ndp_status ndp_batch_refresh(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* Whether another batch may be started before this one is finished: one target does both halves, and nothing is
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

/* Clears the batch, runs one case in it, and borrows the result. `properties` as of ndp_batch_add. Errors as above and
 * of ndp_batch_add. */
enum ndp_status ndp_batch_run_one(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                                  struct ndp_property_set properties, const struct ndp_result **result,
                                  struct ndp_error *error) NDP_MUST_USE;

/* The same for the text of a descriptor; with `is_fresh`, in processes that are started for it. Errors also of
 * ndp_descriptor_read. */
enum ndp_status ndp_batch_run_text(struct ndp_batch *batch, uint64_t case_id, struct ndp_bytes text, bool is_fresh,
                                   const struct ndp_result **result, struct ndp_error *error) NDP_MUST_USE;

#endif
