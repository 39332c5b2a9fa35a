/* covering.h: a covering array: a sequence of rows in which every pair of values occurs, then every triple.
 *
 * A model has parameters, each with named values. A row gives a value to each parameter. Not all values can occur
 * together; a rule of the model decides. The rows come in an order that the seed determines: first rows that cover
 * every possible pair, then rows that cover every possible triple, then rows that fix nothing.
 */
#ifndef NDP_COVERING_H
#define NDP_COVERING_H

#include "base/status.h"

enum { NDP_COVERING_MAX_PARAMETERS = 40, NDP_COVERING_MAX_VALUES = 240 };

/* The value of a parameter that a row leaves to chance, or that a case does not have. */
#define NDP_COVERING_FREE UINT8_MAX

struct ndp_covering_parameter {
    const char *name;
    const char *const *values; /* names; borrowed */
    uint32_t count;            /* 0: every row leaves the parameter free */
    uint32_t family;           /* not 0: cases have only parameters of one family, and those of family 0 */
    uint32_t costly_from; /* values from this number on are only taken to cover a combination; 0: no value is costly */
};

struct ndp_covering_row {
    uint8_t values[NDP_COVERING_MAX_PARAMETERS]; /* numbers of values, or NDP_COVERING_FREE */
};

/* Whether the values of the row that are not free can occur together in a case. A row that the rule permits should have
 * a completion that it permits. A pair or triple is impossible if some parameter has no value for it. */
typedef bool ndp_covering_rule(const void *context, const struct ndp_covering_row *row);

struct ndp_covering_model {
    struct ndp_covering_parameter parameters[NDP_COVERING_MAX_PARAMETERS];
    uint32_t count;
    ndp_covering_rule *rule;
    /* The part of the rule about more than two parameters, for rows whose pairs the rule permits. NULL: the rule. */
    ndp_covering_rule *further_rule;
    const void *context; /* of both rules; borrowed */
};

struct ndp_covering;

/* Borrows the model. Errors: NOMEM. */
enum ndp_status ndp_covering_new(const struct ndp_covering_model *model, uint64_t seed,
                                 struct ndp_covering **out) NDP_MUST_USE;
void ndp_covering_free(struct ndp_covering *covering);

/* Fills *out with row `number`, which depends on the model, the seed and the number alone. Rows are computed in
 * sequence and kept, so numbers should not decrease by much. Errors: NOMEM. */
enum ndp_status ndp_covering_row(struct ndp_covering *covering, uint64_t number,
                                 struct ndp_covering_row *out) NDP_MUST_USE;

#endif
