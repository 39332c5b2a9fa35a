/* batch.h: the inside of a batch, for the files of this folder only. */
#ifndef NDP_BATCH_H
#define NDP_BATCH_H

#include "engine/plan.h"
#include "engine/trial.h"

/* One case on its way. */
struct ndp_case {
    uint64_t id;
    struct ndp_descriptor descriptor;
    struct ndp_route legs[2]; /* of a relay; else the route itself and nothing */
    uint32_t properties;      /* mask in the order of ndp_properties() */
    uint32_t slots;           /* what they need: 1 << enum ndp_slot */
    struct ndp_peers peers;
    bool is_transport;
    bool has_graph;
    struct ndp_graph graph; /* what the source must be */
    struct ndp_graph sent;  /* the recipe, with the data of its arrays */
    bool has_model;
    struct ndp_array model;
    uint64_t features;
    bool has_contract;
    struct ndp_contract contract; /* of the first leg, when there is a model */
    struct ndp_bytes base_bytes;
    struct ndp_observation expected;    /* of the source */
    struct ndp_observation promised;    /* of the result */
    struct ndp_bytes bytes;             /* decode cases: what is decoded */
    struct ndp_outcome *first;          /* of the encoder's program, or of the only one; NULL when it was not sent */
    struct ndp_outcome *relayed;        /* of the program of a relay's middle */
    struct ndp_outcome *second;         /* of the decoder's program, when that is another target or there is a middle */
    struct ndp_outcome *oracle;         /* decode cases */
    const struct ndp_left_behind *left; /* engine/repeat.h; NULL when it was not repeated */
    struct ndp_result result;
};

struct ndp_batch {
    const struct ndp_bench *bench;
    struct ndp_arena arena;
    struct ndp_target *encoder; /* the same as `decoder` for decode cases */
    struct ndp_target *middle;  /* of relays; NULL when the cases are none */
    struct ndp_target *decoder;
    uint32_t count;
    uint32_t unlooked;              /* cases before the room for temporary files is looked at again */
    uint32_t sent_count;            /* to the first target */
    uint32_t sent[NDP_BATCH_CASES]; /* their places in `cases` */
    struct ndp_case cases[NDP_BATCH_CASES];
    struct ndp_program programs[NDP_BATCH_CASES];
    struct ndp_outcome outcomes[3][NDP_BATCH_CASES];
    struct ndp_outcome oracles[NDP_BATCH_CASES]; /* what the reference said of the bytes of a case */
    struct ndp_program asked;                    /* of the reference, until it has answered */
    struct ndp_outcome answered;                 /* by it, where nobody asks for it later */
    struct ndp_contract_memory memory;           /* of what the routes of its cases promise */
};

/* Builds what a case needs before it can be sent: model, expectation, bytes of a decode case. What stands in
 * the way of sending it (the target does not claim it) is a verdict in `item->result`. Errors: NOMEM, FAULT. */
enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) NDP_MUST_USE;

/* Fills the program of the first half, and for a pair of targets that of the second (else NULL will do). Both are
 * zeroed by the caller. */
enum ndp_status ndp_case_plan(const struct ndp_batch *batch, const struct ndp_case *item, struct ndp_program *program,
                              struct ndp_program *second) NDP_MUST_USE;

/* Fills the programs of a relay's targets: of the encoder, the middle and the decoder. The last one's form is that of
 * `held`, what the middle got (NULL: not known yet). All are zeroed by the caller. */
enum ndp_status ndp_relay_plan(const struct ndp_batch *batch, const struct ndp_case *item, const struct ndp_array *held,
                               struct ndp_program *encoder, struct ndp_program *middle,
                               struct ndp_program *decoder) NDP_MUST_USE;

/* Lets the middle and the decoder of a batch of relays do their parts; the encoder has done its own. Errors: as
 * ndp_batch_finish. */
enum ndp_status ndp_relay_run(struct ndp_batch *batch, struct ndp_error *error) NDP_MUST_USE;

/* What is behind the first leg of a relay, as the source of the second. */
struct ndp_relay_source {
    struct ndp_outcome *encoded;     /* of the middle, with its result as SOURCE and what it made of it as ENCODED */
    struct ndp_array model;          /* of an array */
    struct ndp_graph graph;          /* of a graph */
    uint64_t features;               /* of either, on the second leg */
    struct ndp_observation promised; /* the result of the second leg; of an array */
};

/* Fills *out for a relay whose middle got something. Errors: NOMEM, LIMIT, UNSUPPORTED (what the middle says cannot be
 * taken for a source). */
enum ndp_status ndp_relay_source(struct ndp_batch *batch, const struct ndp_case *item,
                                 struct ndp_relay_source *out) NDP_MUST_USE;

/* Says beside a program how values without a header are laid out (harness/testees/README.md, format raw). */
void ndp_case_say_form(struct ndp_program *program, const struct ndp_array *model);

/* Judges a case whose outcomes are there. */
void ndp_case_judge(struct ndp_batch *batch, struct ndp_case *item);

#endif
