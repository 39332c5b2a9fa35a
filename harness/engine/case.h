/* case.h: one case of a batch while it runs. Private to this folder.
 *
 * The life of a case: schedule.c chooses it; batch.c runs it through prepare.c (model, expectation), case_plan.c
 * (programs), the targets, and judge.c (verdict, divergences); confirm.c makes findings of the divergences, with
 * dedup.c (is it known?), minimise.c (the smallest case) and signature.c (its name in reports).
 */
#ifndef NDP_CASE_H
#define NDP_CASE_H

#include "engine/batch.h"
#include "engine/plan.h"

struct ndp_case {
    uint64_t id;
    struct ndp_descriptor descriptor;
    struct ndp_property_set properties;
    uint32_t slots; /* that the properties need: 1 << enum ndp_slot */
    struct ndp_peers peers;
    bool is_transport;
    bool has_graph;
    struct ndp_graph graph; /* the expected source */
    struct ndp_graph sent;  /* the recipe, with the data of its arrays */
    bool has_model;
    struct ndp_array model;
    uint64_t features;
    bool has_contract;
    struct ndp_contract contract; /* when there is a model */
    struct ndp_bytes base_bytes;
    struct ndp_observation expected; /* of the source */
    struct ndp_observation promised; /* of the result */
    struct ndp_bytes bytes;          /* decode cases: the input of the decoder */
    struct ndp_outcome *first;       /* of the encoder's program, or of the only one; NULL when it was not sent */
    struct ndp_outcome *second;      /* of the decoder's program, when that is another target */
    struct ndp_outcome *oracle;      /* decode cases */
    const struct ndp_property_samples *left; /* by repeat.c; NULL when the case was not repeated */
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
    struct ndp_outcome oracles[NDP_BATCH_CASES]; /* of the reference, for the input of decode cases */
    struct ndp_program asked;                    /* scratch: the program of the reference */
    struct ndp_outcome answered;                 /* scratch: the outcome of encoding by the reference */
    struct ndp_contract_cache memory;            /* promises of the routes of its cases */
};

/* Builds everything that a case needs before it is sent: model, expectation, peers, and the input of a decode case. A
 * case that the targets do not claim gets the verdict UNSUPPORTED in `item->result`. Errors: NOMEM, FAULT, INVALID and
 * IO (corpus file). */
enum ndp_status ndp_case_prepare(struct ndp_batch *batch, struct ndp_case *item, struct ndp_error *error) NDP_MUST_USE;

/* ---- case_claim.c ---- */

/* Sets the verdict UNSUPPORTED with its reason. */
void ndp_case_leave_unsupported(struct ndp_case *item, const char *why);

/* Whether the target claims the decoder that the route names. */
bool ndp_case_is_decoder_claimed(const struct ndp_target_info *info, const struct ndp_route *route);

/* Whether both targets claim the array and have the library of its class; otherwise the case becomes UNSUPPORTED. */
bool ndp_case_is_claimed(const struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes class_name,
                         const struct ndp_array *array);

/* ---- case_oracle.c ---- */

/* Fills *out with the encoding of the case's array by the reference, in the format of the route; the case becomes
 * UNSUPPORTED if the reference refuses it. Memory from the batch. Errors: of the target; FAULT (no reference). */
enum ndp_status ndp_case_encode_by_oracle(struct ndp_batch *batch, struct ndp_case *item, struct ndp_bytes *out,
                                          struct ndp_error *error) NDP_MUST_USE;

/* Lets the reference decode item->bytes and sets item->oracle. Without a reference, or if it does not claim the format,
 * nothing happens. Errors: of the target. */
enum ndp_status ndp_case_decode_by_oracle(struct ndp_batch *batch, struct ndp_case *item,
                                          struct ndp_error *error) NDP_MUST_USE;

/* ---- case_input.c ---- */

/* Fills *out with the corpus file `name`, up to 64 MiB. Memory from the batch. Errors: INVALID (not a readable regular
 * file of that size), IO, NOMEM. */
enum ndp_status ndp_case_read_file(struct ndp_batch *batch, const char *name, struct ndp_bytes *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Replaces item->bytes by a copy that the fault of the descriptor corrupts. Errors: of ndp_fault_apply; NOMEM. */
enum ndp_status ndp_case_apply_fault(struct ndp_batch *batch, struct ndp_case *item,
                                     struct ndp_error *error) NDP_MUST_USE;

/* ---- case_plan.c ---- */

/* Fills item->peers with the entry points that the properties of the case compare with. */
void ndp_case_plan_peers(struct ndp_batch *batch, struct ndp_case *item);

/* Fills the program of the only target, or of the encoder and the decoder (`second`; NULL for one target). The caller
 * zeroes both. Borrows the case. Errors: LIMIT. */
enum ndp_status ndp_case_plan(const struct ndp_batch *batch, const struct ndp_case *item, struct ndp_program *program,
                              struct ndp_program *second) NDP_MUST_USE;

/* ---- batch.c and judge.c ---- */

/* Makes `encoded` (borrowed) the input of a program that decodes. */
void ndp_case_supply(struct ndp_program *program, const struct ndp_slot_record *encoded);

/* Fills item->result from the outcomes of the case. */
void ndp_case_judge(struct ndp_batch *batch, struct ndp_case *item);

#endif
