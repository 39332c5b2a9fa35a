/* trial.h: the one road on which every case runs. Sweep, replay, shrinking and all fuzz engines end here.
 *
 * Cases run in batches over one pair of targets: ndp_batch_start builds the models, plans the programs and
 * submits them; ndp_batch_finish collects, judges and fills the results. Between the two the caller may
 * prepare another batch, so that this process and a testee work at the same time.
 */
#ifndef NDP_TRIAL_H
#define NDP_TRIAL_H

#include "property/property.h"

enum { NDP_MAX_TARGETS = 16, NDP_BATCH_CASES = 64, NDP_MAX_DIVERGENCES = 16, NDP_SIGNATURE_BYTES = 256 };

/* The targets of a run. Borrowed. `oracle` is the reference in this process: what decode cases and crafted
 * bytes are judged by. `corpus` is the folder that descriptors name files in, or NULL. */
struct ndp_bench {
    struct ndp_target *targets[NDP_MAX_TARGETS];
    uint32_t count;
    struct ndp_target *oracle;
    const char *corpus;
    bool without_peaks;     /* nobody asks what decoding took at its peak */
    uint32_t without_slots; /* 1 << enum ndp_slot: nobody asks for these, whatever a property needs; peers alone */
};

/* By name; NULL when there is none. */
struct ndp_target *ndp_bench_find(const struct ndp_bench *bench, const char *name);

/* One broken promise of one case. What the first leg of a relay breaks is told as of that leg alone, which is a route
 * like any other; `route` then is that leg. */
struct ndp_divergence {
    enum ndp_verdict verdict;            /* DIVERGES, CRASH, TIMEOUT, OOM */
    const struct ndp_property *property; /* NULL unless DIVERGES */
    struct ndp_judgement judgement;
    struct ndp_death death;
    struct ndp_route route;
    char outlier[NDP_WORD_BYTES];        /* library */
    char core[NDP_SIGNATURE_BYTES];      /* the part of the signature that shrinking keeps */
    char way[NDP_SIGNATURE_BYTES];       /* core, outlier and route */
    char signature[NDP_SIGNATURE_BYTES]; /* of this case; of the finding when the case is minimal */
    char alone[2][NDP_SIGNATURE_BYTES];  /* relays: the core that a leg would show without the other; "" when it
                                            cannot be that leg's */
};

/* What one case led to, all properties together. Borrows the batch. */
struct ndp_result {
    enum ndp_verdict verdict; /* the worst of all */
    struct ndp_divergence divergences[NDP_MAX_DIVERGENCES];
    uint32_t divergence_count;
    uint64_t comparisons;
    struct {
        bool is_judged; /* compared something, was refused, or is unsupported */
        enum ndp_verdict verdict;
        uint64_t comparisons;
    } by_property[NDP_MAX_PROPERTIES]; /* in the order of ndp_properties() */
    char detail[256];                  /* FAULT, UNSUPPORTED: why */
    bool has_source;
    bool has_result;
    struct ndp_observation source;
    bool has_relayed; /* relays: what the middle got */
    struct ndp_observation relayed;
    struct ndp_bytes relayed_from;         /* what it decoded */
    const struct ndp_graph *relayed_graph; /* of objects; NULL when there is none */
    struct ndp_observation result;
    const struct ndp_refusal *refusal; /* of the encoder, else of the decoder; NULL when neither refused */
    bool is_unread;                    /* the encoder gave bytes, which the decoder said it does not support */
    bool has_promised;
    struct ndp_observation promised; /* of the result: by the contract, or by the oracle for bytes without a value */
    struct ndp_bytes encoded;        /* what the decoder decoded, where it is known; else no bytes */
    struct ndp_bytes stderr_tail;
};

struct ndp_batch;

/* Gives a batch for `bench` (borrowed); `arena_bytes` bounds the memory of its cases. Errors: NOMEM. */
enum ndp_status ndp_batch_new(const struct ndp_bench *bench, uint64_t arena_bytes, struct ndp_batch **out) NDP_MUST_USE;
void ndp_batch_free(struct ndp_batch *batch);

/* Forgets the cases and their results. Never between start and finish. */
void ndp_batch_clear(struct ndp_batch *batch);

/* The memory of the cases: descriptors that are added point into it, or outlive the batch. */
struct ndp_arena *ndp_batch_arena(struct ndp_batch *batch);

/* Adds a case: every case of a batch names the same encoder, middle and decoder. `properties` is a mask in the order
 * of ndp_properties(); 0 is what the descriptor names, or all. Errors: LIMIT (batch is full), INVALID (no such
 * target or property, another pair). */
enum ndp_status ndp_batch_add(struct ndp_batch *batch, uint64_t case_id, const struct ndp_descriptor *descriptor,
                              uint32_t properties, struct ndp_error *error) NDP_MUST_USE;

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

uint32_t ndp_batch_count(const struct ndp_batch *batch);
const struct ndp_descriptor *ndp_batch_descriptor(const struct ndp_batch *batch, uint32_t index);
uint64_t ndp_batch_case_id(const struct ndp_batch *batch, uint32_t index);

/* Valid after ndp_batch_finish until ndp_batch_clear. */
const struct ndp_result *ndp_batch_result(const struct ndp_batch *batch, uint32_t index);

/* Clears the batch, runs one case in it, and borrows the result. Errors as above and of ndp_batch_add. */
enum ndp_status ndp_trial_run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor, uint32_t properties,
                              const struct ndp_result **result, struct ndp_error *error) NDP_MUST_USE;

#endif
