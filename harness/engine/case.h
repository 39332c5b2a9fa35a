/* case.h: the inside of a batch, for the files of this folder only. prepare.c, judge.c and repeat.c work on it. */
#ifndef NDP_CASE_H
#define NDP_CASE_H

#include "engine/batch.h"
#include "engine/plan.h"

/* One case while it runs. */
struct ndp_case {
    uint64_t id;
    struct ndp_descriptor descriptor;
    struct ndp_property_set properties;
    uint32_t slots; /* that the properties need: 1 << enum ndp_slot */
    struct ndp_peers peers;
    bool is_transport;
    bool has_graph;
    struct ndp_graph graph; /* what the source must be */
    struct ndp_graph sent;  /* the recipe, with the data of its arrays */
    bool has_model;
    struct ndp_array model;
    uint64_t features;
    bool has_contract;
    struct ndp_contract contract; /* when there is a model */
    struct ndp_bytes base_bytes;
    struct ndp_observation expected;    /* of the source */
    struct ndp_observation promised;    /* of the result */
    struct ndp_bytes bytes;             /* decode cases: the input of the decoder */
    struct ndp_outcome *first;          /* of the encoder's program, or of the only one; NULL when it was not sent */
    struct ndp_outcome *second;         /* of the decoder's program, when that is another target */
    struct ndp_outcome *oracle;         /* decode cases */
    const struct ndp_left_behind *left; /* engine/repeat.h; NULL when it was not repeated */
    struct ndp_result result;
};

struct ndp_batch {
    const struct ndp_bench *bench;
    struct ndp_arena arena;
    struct ndp_target *encoder; /* the same as `decoder` for decode cases */
    struct ndp_target *decoder;
    uint32_t count;
    uint32_t cases_until_space_check; /* of the folder for temporary files */
    uint32_t sent_count;              /* to the first target */
    uint32_t sent[NDP_BATCH_CASES];   /* their places in `cases` */
    struct ndp_case cases[NDP_BATCH_CASES];
    struct ndp_program programs[NDP_BATCH_CASES];
    struct ndp_outcome outcomes[2][NDP_BATCH_CASES];
    struct ndp_outcome oracles[NDP_BATCH_CASES]; /* what the reference makes of the bytes of a case */
    struct ndp_program asked;                    /* of the reference, until it has answered */
    struct ndp_outcome answered;                 /* by it, where the answer is not kept */
    struct ndp_contract_memory memory;           /* of what the routes of its cases promise */
};

/* Builds what a case needs before it can be sent: model, expectation, bytes of a decode case. An obstacle to sending it
 * (the target does not claim it) is a verdict in `item->result`. Errors: NOMEM, FAULT. */
enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) NDP_MUST_USE;

/* Fills the program of the first half, and for a pair of targets that of the second (else NULL will do). Both are
 * zeroed by the caller. Errors: LIMIT. */
enum ndp_status ndp_case_plan(const struct ndp_batch *batch, const struct ndp_case *item, struct ndp_program *program,
                              struct ndp_program *second) NDP_MUST_USE;

/* Gives a program the bytes of an encoding to decode. */
void ndp_case_supply(struct ndp_program *program, const struct ndp_slot_record *encoded);

/* Judges a case whose outcomes are there. */
void ndp_case_judge(struct ndp_batch *batch, struct ndp_case *item);

#endif
