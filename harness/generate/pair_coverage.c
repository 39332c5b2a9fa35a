/* pair_coverage.c: counts the pairs and triples that cases had.
 *
 * Each pair and triple of the model is a bit, so a case costs one operation for each. Which triples are possible is
 * found when they are first counted: that takes some milliseconds.
 */
#include "generate/pair_coverage.h"

#include <stdlib.h>
#include <string.h>

#include "generate/covering_space.h"

struct ndp_coverage {
    struct ndp_covering_space space;
    uint8_t *bits; /* owned; pairs, then triples */
    uint64_t size_bytes;
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
        coverage->size_bytes = (coverage->space.pairs + coverage->space.triples + 7) / 8;
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
                add_bit(coverage->bits,
                        space->pairs + ndp_covering_space_triple(space, row->values, fixed[a], fixed[b], fixed[c]));
        }
    }
}

/* ---- counting ---- */

/* Visits every pair of values of parameters a < b that can occur, and its triples with later parameters. */
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
        for (uint32_t c = b + 1; c < space->model->count; c++) {
            for (uint32_t v = 0; v < parameters[c].count; v++) {
                row.values[c] = (uint8_t)v;
                if (!ndp_covering_space_has_triple(space, &row, a, b, c)) continue;
                add_bit(coverage->possible, space->pairs + ndp_covering_space_triple(space, row.values, a, b, c));
                coverage->counts->possible_triples++;
            }
        }
    }
}

static void find_possible(const struct ndp_coverage *coverage) {
    for (uint32_t b = 1; b < coverage->space.model->count; b++)
        for (uint32_t a = 0; a < b; a++) find_possible_of(coverage, a, b);
    *coverage->is_known = true;
}

/* The number of bits from..end-1 that are set in both. */
static uint64_t count_common(const struct ndp_coverage *coverage, uint64_t from, uint64_t end) {
    uint64_t count = 0;
    while (from < end) {
        const uint64_t byte = from / 8;
        uint32_t mask = 0xffu << (from % 8);
        if (end - byte * 8 < 8) mask &= (1u << (end % 8)) - 1;
        count += (uint64_t)__builtin_popcount(coverage->bits[byte] & coverage->possible[byte] & mask & 0xffu);
        from = byte * 8 + 8;
    }
    return count;
}

void ndp_coverage_count(const struct ndp_coverage *coverage, struct ndp_coverage_counts *out) {
    const struct ndp_covering_space *space = &coverage->space;
    if (!*coverage->is_known) find_possible(coverage);
    *out = *coverage->counts;
    out->pairs = count_common(coverage, 0, space->pairs);
    out->triples = count_common(coverage, space->pairs, space->pairs + space->triples);
}

struct ndp_bytes ndp_coverage_bits(const struct ndp_coverage *coverage) {
    return (struct ndp_bytes){coverage->bits, coverage->size_bytes};
}

enum ndp_status ndp_coverage_unite(struct ndp_coverage *coverage, struct ndp_bytes bits) {
    if (bits.size_bytes != coverage->size_bytes) return NDP_INVALID;
    for (uint64_t i = 0; i < bits.size_bytes; i++) coverage->bits[i] |= bits.data[i];
    return NDP_OK;
}

uint64_t ndp_coverage_pair_bits(const struct ndp_coverage *coverage) {
    return coverage->space.pairs;
}
