/* covering_space.h: numbers for the values, pairs and triples of a covering model. Private to this folder.
 *
 * The values of all parameters are numbered in sequence: value v of parameter p is first[p] + v.
 */
#ifndef NDP_COVERING_SPACE_H
#define NDP_COVERING_SPACE_H

#include "generate/covering.h"

enum { NDP_COVERING_MAX_WORDS = (NDP_COVERING_MAX_PARAMETERS * NDP_COVERING_MAX_VALUES + 63) / 64 };

struct ndp_covering_space {
    const struct ndp_covering_model *model; /* borrowed */
    uint32_t first[NDP_COVERING_MAX_PARAMETERS + 1];
    uint32_t values;        /* in total */
    uint32_t words;         /* of 64 bits, in a set of values */
    uint32_t families;      /* the largest number of one */
    uint64_t *meets;        /* owned; for each value the set of those that it can occur with, itself included */
    uint64_t *pair_first;   /* owned; by pair of parameters */
    uint64_t *triple_first; /* owned; by triple of parameters */
    uint64_t pairs;
    uint64_t triples;
};

/* Asks the rule about every value and every pair. Pairs that leave some parameter without a value cannot occur either.
 * Borrows the model. Errors: NOMEM. */
enum ndp_status ndp_covering_space_init(const struct ndp_covering_model *model,
                                        struct ndp_covering_space *out) NDP_MUST_USE;
void ndp_covering_space_clear(struct ndp_covering_space *space);

/* The place of a pair or triple of parameters among all, in the order of the last, then of the others. */
static inline uint32_t ndp_covering_pair_place(uint32_t a, uint32_t b) {
    return b * (b - 1) / 2 + a;
}
static inline uint32_t ndp_covering_triple_place(uint32_t a, uint32_t b, uint32_t c) {
    return c * (c - 1) * (c - 2) / 6 + ndp_covering_pair_place(a, b);
}

/* The number of the pair or triple of parameters a < b < c with the values of the row, which are not free. */
static inline uint64_t ndp_covering_space_pair(const struct ndp_covering_space *space, const uint8_t *values,
                                               uint32_t a, uint32_t b) {
    const uint64_t count = space->model->parameters[b].count;
    return space->pair_first[ndp_covering_pair_place(a, b)] + values[a] * count + values[b];
}
static inline uint64_t ndp_covering_space_triple(const struct ndp_covering_space *space, const uint8_t *values,
                                                 uint32_t a, uint32_t b, uint32_t c) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    const uint64_t pair = (uint64_t)values[a] * parameters[b].count + values[b];
    return space->triple_first[ndp_covering_triple_place(a, b, c)] + pair * parameters[c].count + values[c];
}

/* Fills *out with the row that has this triple and is free otherwise. */
void ndp_covering_space_row_of_triple(const struct ndp_covering_space *space, uint64_t triple,
                                      struct ndp_covering_row *out);

/* Whether the pair, or the triple, can occur by the rule. Parameters a < b < c, with values that are not free. */
bool ndp_covering_space_has_pair(const struct ndp_covering_space *space, const uint8_t *values, uint32_t a, uint32_t b);
bool ndp_covering_space_has_triple(const struct ndp_covering_space *space, const struct ndp_covering_row *row,
                                   uint32_t a, uint32_t b, uint32_t c);

/* Whether every parameter that is free in the row and belongs to its case has a value in the set `allowed`. Parameters
 * without values belong to no case. */
bool ndp_covering_space_is_open(const struct ndp_covering_space *space, const uint64_t *allowed, const uint8_t *values);

/* Whether the cases of the row have the parameter, as far as the row tells. */
bool ndp_covering_space_has_parameter(const struct ndp_covering_space *space, const uint8_t *values, uint32_t p);

/* Whether the rule permits a row whose pairs can occur. */
static inline bool ndp_covering_space_permits(const struct ndp_covering_space *space,
                                              const struct ndp_covering_row *row) {
    const struct ndp_covering_model *model = space->model;
    ndp_covering_rule *rule = model->further_rule != NULL ? model->further_rule : model->rule;
    return rule == NULL || rule(model->context, row);
}

/* The values that can occur with value number `value`. */
static inline uint64_t *ndp_covering_space_meets(const struct ndp_covering_space *space, uint32_t value) {
    return space->meets + (uint64_t)value * space->words;
}

/* Sets of numbers. */
static inline bool ndp_set_has(const uint64_t *set, uint64_t at) {
    return (set[at / 64] >> (at % 64) & 1) != 0;
}
static inline void ndp_set_add(uint64_t *set, uint64_t at) {
    set[at / 64] |= UINT64_C(1) << (at % 64);
}
static inline void ndp_set_remove(uint64_t *set, uint64_t at) {
    set[at / 64] &= ~(UINT64_C(1) << (at % 64));
}

#endif
