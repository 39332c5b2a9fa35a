/* pair_coverage.h: the pairs and triples of values (covering.h) that the cases of a run had. */
#ifndef NDP_PAIR_COVERAGE_H
#define NDP_PAIR_COVERAGE_H

#include "base/bytes.h"
#include "generate/covering.h"

struct ndp_coverage;

struct ndp_coverage_counts {
    uint64_t pairs;
    uint64_t possible_pairs;
    uint64_t triples;
    uint64_t possible_triples;
};

/* Borrows the model. Errors: NOMEM. */
enum ndp_status ndp_coverage_new(const struct ndp_covering_model *model, struct ndp_coverage **out) NDP_MUST_USE;
void ndp_coverage_free(struct ndp_coverage *coverage);

/* Counts the values of a case. */
void ndp_coverage_add(struct ndp_coverage *coverage, const struct ndp_covering_row *row);

void ndp_coverage_count(const struct ndp_coverage *coverage, struct ndp_coverage_counts *out);

/* The covered pairs and triples that are possible, as bits, for the union of the coverage of several runs with the same
 * model: pairs in the first ndp_coverage_pair_bits, then triples; bit i is bit i % 8 of byte i / 8. Borrows the
 * coverage. */
struct ndp_bytes ndp_coverage_bits(const struct ndp_coverage *coverage);
uint64_t ndp_coverage_pair_bits(const struct ndp_coverage *coverage);

#endif
