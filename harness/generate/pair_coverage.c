/* pair_coverage.c: counts the pairs and triples that cases had.
 *
 * Each pair and triple of the model is a bit, so a case costs one operation for each. Which triples are possible is
 * found when they are first counted: that takes some milliseconds.
 */
#include "generate/pair_coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "generate/covering_space.h"

struct ndp_coverage {
    struct ndp_covering_space space;
    uint8_t *bits;                      /* owned; pairs, then triples */
    uint64_t size_bytes;                /* a multiple of 8 */
    uint64_t first_triple;              /* number of its bit, a multiple of 64 */
    uint8_t *possible;                  /* owned; of the same size */
    struct ndp_coverage_counts *counts; /* owned; those of `possible` alone, valid if `is_known` */
    bool *is_known;                     /* owned */
};

static void add_bit(uint8_t *bits, uint64_t at) {
    bits[at / 8] |= (uint8_t)(1u << (at % 8));
}

enum ndp_status ndp_coverage_new(const struct ndp_covering_model *model, struct ndp_coverage **out) {
    struct ndp_coverage *coverage = calloc(1, sizeof *coverage);
    if (coverage == NULL) return NDP_NOMEM;
    enum ndp_status status = ndp_covering_space_init(model, &coverage->space);
    if (status == NDP_OK) {
        coverage->first_triple = (coverage->space.pairs + 63) / 64 * 64;
        coverage->size_bytes = (coverage->first_triple + coverage->space.triples + 63) / 64 * 8;
        coverage->bits = calloc(coverage->size_bytes + 1, 1);
        coverage->possible = calloc(coverage->size_bytes + 1, 1);
        coverage->counts = calloc(1, sizeof *coverage->counts);
        coverage->is_known = calloc(1, sizeof *coverage->is_known);
        if (coverage->bits == NULL || coverage->possible == NULL || coverage->counts == NULL ||
            coverage->is_known == NULL)
            status = NDP_NOMEM;
    }
    if (status != NDP_OK) {
        ndp_coverage_free(coverage);
        return status;
    }
    *out = coverage;
    return NDP_OK;
}

void ndp_coverage_free(struct ndp_coverage *coverage) {
    if (coverage == NULL) return;
    ndp_covering_space_clear(&coverage->space);
    free(coverage->bits);
    free(coverage->possible);
    free(coverage->counts);
    free(coverage->is_known);
    free(coverage);
}

void ndp_coverage_add(struct ndp_coverage *coverage, const struct ndp_covering_row *row) {
    const struct ndp_covering_space *space = &coverage->space;
    const struct ndp_covering_model *model = space->model;
    uint32_t fixed[NDP_COVERING_MAX_PARAMETERS], count = 0;
    for (uint32_t p = 0; p < model->count; p++)
        if (row->values[p] < model->parameters[p].count) fixed[count++] = p;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t b = 0; b < c; b++) {
            add_bit(coverage->bits, ndp_covering_space_pair(space, row->values, fixed[b], fixed[c]));
            for (uint32_t a = 0; a < b; a++)
                add_bit(coverage->bits, coverage->first_triple + ndp_covering_space_triple(space, row->values, fixed[a],
                                                                                           fixed[b], fixed[c]));
        }
    }
}

/* ---- counting ---- */

/* Fills `with` with the values that can occur with one of the allowed values of parameter `p`. */
static void unite_meets(const struct ndp_covering_space *space, const uint64_t *allowed, uint32_t p, uint64_t *with) {
    memset(with, 0, space->words * sizeof *with);
    for (uint32_t u = space->first[p]; u < space->first[p + 1]; u++) {
        const uint64_t *meets = ndp_covering_space_meets(space, u);
        for (uint32_t i = 0; ndp_set_has(allowed, u) && i < space->words; i++) with[i] |= meets[i];
    }
}

/* Fills `open` with the values that, beside the pair of the row, leave a value to each parameter of its cases. */
static void find_open(const struct ndp_covering_space *space, const struct ndp_covering_row *row,
                      const uint64_t *allowed, uint64_t *open) {
    uint64_t with[NDP_COVERING_MAX_WORDS];
    memcpy(open, allowed, space->words * sizeof *open);
    for (uint32_t p = 0; p < space->model->count; p++) {
        if (row->values[p] != NDP_COVERING_FREE || space->first[p] == space->first[p + 1] ||
            !ndp_covering_space_has_parameter(space, row->values, p))
            continue;
        unite_meets(space, allowed, p, with);
        for (uint32_t i = 0; i < space->words; i++) open[i] &= with[i];
    }
}

/* Finds the possible triples of the pair of parameters a < b in the row and a later one. */
static void find_triples_of(const struct ndp_coverage *coverage, struct ndp_covering_row *row, uint32_t a, uint32_t b) {
    const struct ndp_covering_space *space = &coverage->space;
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    const uint64_t *of_a = ndp_covering_space_meets(space, space->first[a] + row->values[a]);
    const uint64_t *of_b = ndp_covering_space_meets(space, space->first[b] + row->values[b]);
    uint64_t allowed[NDP_COVERING_MAX_WORDS], open[NDP_COVERING_MAX_WORDS];
    /* The family of cases depends on the third value if neither of the pair has one. */
    const bool is_of_family = space->families == 0 || parameters[a].family != 0 || parameters[b].family != 0;
    for (uint32_t i = 0; i < space->words; i++) allowed[i] = of_a[i] & of_b[i];
    if (is_of_family) find_open(space, row, allowed, open);
    for (uint32_t c = b + 1; c < space->model->count; c++) {
        for (uint32_t v = 0; v < parameters[c].count; v++) {
            if (!ndp_set_has(is_of_family ? open : allowed, space->first[c] + v)) continue;
            row->values[c] = (uint8_t)v;
            if (is_of_family ? !ndp_covering_space_permits(space, row)
                             : !ndp_covering_space_has_triple(space, row, a, b, c))
                continue;
            add_bit(coverage->possible,
                    coverage->first_triple + ndp_covering_space_triple(space, row->values, a, b, c));
            coverage->counts->possible_triples++;
        }
        row->values[c] = NDP_COVERING_FREE;
    }
}

static void find_possible_of(const struct ndp_coverage *coverage, uint32_t a, uint32_t b) {
    const struct ndp_covering_space *space = &coverage->space;
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    struct ndp_covering_row row;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    for (uint32_t pair = 0; pair < parameters[a].count * parameters[b].count; pair++) {
        row.values[a] = (uint8_t)(pair / parameters[b].count);
        row.values[b] = (uint8_t)(pair % parameters[b].count);
        if (!ndp_covering_space_has_pair(space, row.values, a, b)) continue;
        add_bit(coverage->possible, ndp_covering_space_pair(space, row.values, a, b));
        coverage->counts->possible_pairs++;
        find_triples_of(coverage, &row, a, b);
    }
}

static void find_possible(const struct ndp_coverage *coverage) {
    for (uint32_t b = 1; b < coverage->space.model->count; b++)
        for (uint32_t a = 0; a < b; a++) find_possible_of(coverage, a, b);
    *coverage->is_known = true;
}

/* Removes the bits of combinations that are impossible. */
static void keep_possible(const struct ndp_coverage *coverage) {
    if (!*coverage->is_known) find_possible(coverage);
    for (uint64_t i = 0; i < coverage->size_bytes; i++) coverage->bits[i] &= coverage->possible[i];
}

/* The number of bits that are set from byte `from` to `end`, which are multiples of 8. */
static uint64_t count_bits(const struct ndp_coverage *coverage, uint64_t from, uint64_t end) {
    uint64_t count = 0;
    for (uint64_t at = from; at < end; at += 8)
        count += (uint64_t)__builtin_popcountll(ndp_load_u64le(coverage->bits + at));
    return count;
}

void ndp_coverage_count(const struct ndp_coverage *coverage, struct ndp_coverage_counts *out) {
    const uint64_t pairs_end = coverage->first_triple / 8;
    keep_possible(coverage);
    *out = *coverage->counts;
    out->pairs = count_bits(coverage, 0, pairs_end);
    out->triples = count_bits(coverage, pairs_end, coverage->size_bytes);
}

struct ndp_bytes ndp_coverage_bits(const struct ndp_coverage *coverage) {
    keep_possible(coverage);
    return (struct ndp_bytes){coverage->bits, coverage->size_bytes};
}

uint64_t ndp_coverage_pair_bits(const struct ndp_coverage *coverage) {
    return coverage->space.pairs;
}
