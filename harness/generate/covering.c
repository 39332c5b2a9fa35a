/* covering.c: computes a covering array row by row.
 *
 * Problem. Most defects need a combination of two or three features. Few cases must contain every combination of two
 * values, and then every combination of three, although many combinations cannot occur.
 *
 * Method. Greedy rows, one parameter at a time, as in AETG (D. Cohen, S. Dalal, M. Fredman, G. Patton, "The AETG
 * system: an approach to testing based on combinatorial design", IEEE Transactions on Software Engineering 23, 1997).
 * IPOG (Y. Lei, R. Kacker et al., ECBS 2007) is smaller in memory, but it needs all rows before the first. A candidate
 * starts with a combination that no row has, and takes the other parameters in random order. Each gets the value that
 * adds most new combinations among those that leave every later parameter a value. The best candidate becomes the row.
 * A combination that no candidate can complete counts as impossible.
 *
 * Cost. A row of pairs takes some ten microseconds, a row of triples twice that, for 15 parameters with 150 values.
 * Memory is a bit for each triple, some 50 KB. Limits. The number of rows is not minimal: for pairs it is some 30 %
 * more than the product of the two largest parameters.
 */
#include "generate/covering.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "generate/covering_space.h"

/* A combination without a valid candidate after MAX_TRIES is impossible. */
enum { PAIR_CANDIDATES = 4, TRIPLE_CANDIDATES = 2, MAX_TRIES = 24 };

enum phase { PHASE_PAIRS, PHASE_TRIPLES, PHASE_FREE };

struct ndp_covering {
    struct ndp_covering_space space;
    struct ndp_rng rng;
    struct ndp_covering_row *rows; /* owned */
    uint64_t row_count;
    uint64_t row_capacity;
    enum phase phase;
    uint64_t *pairs;   /* owned; for each value the set of values that no row has beside it, and that can be */
    uint64_t *triples; /* owned; those that no row has */
    uint32_t *left;    /* owned; by value: the size of its set in `pairs` */
};

/* A row in the making. */
struct candidate {
    struct ndp_covering_row row;
    uint32_t chosen[NDP_COVERING_MAX_PARAMETERS]; /* parameters */
    uint32_t count;
    uint64_t has[NDP_COVERING_MAX_WORDS];     /* the values of the row */
    uint64_t allowed[NDP_COVERING_MAX_WORDS]; /* the values that can occur with each value of the row */
    uint64_t gain;
};

static uint64_t draw(struct ndp_covering *covering, uint64_t bound) {
    return ndp_rng_next(&covering->rng) % bound;
}

static uint64_t *pairs_of(const struct ndp_covering *covering, uint32_t value) {
    return covering->pairs + (uint64_t)value * covering->space.words;
}

/* ---- candidates ---- */

static void start_candidate(const struct ndp_covering *covering, struct candidate *out) {
    const uint32_t words = covering->space.words;
    memset(out->row.values, NDP_COVERING_FREE, sizeof out->row.values);
    memset(out->has, 0, words * sizeof *out->has);
    memset(out->allowed, 0xff, words * sizeof *out->allowed);
    out->count = 0;
    out->gain = 0;
}

/* Gives parameter `p` the value, if the rule permits it and later parameters keep a value. */
static bool take_value(const struct ndp_covering *covering, struct candidate *candidate, uint32_t p, uint8_t value) {
    const struct ndp_covering_space *space = &covering->space;
    const uint32_t number = space->first[p] + value;
    const uint64_t *meets = ndp_covering_space_meets(space, number);
    uint64_t allowed[NDP_COVERING_MAX_WORDS];
    if (!ndp_set_has(meets, number) || !ndp_set_has(candidate->allowed, number)) return false;
    for (uint32_t i = 0; i < space->words; i++) allowed[i] = candidate->allowed[i] & meets[i];
    candidate->row.values[p] = value;
    if (!ndp_covering_space_is_open(space, allowed, candidate->row.values) ||
        !ndp_covering_space_permits(space, &candidate->row)) {
        candidate->row.values[p] = NDP_COVERING_FREE;
        return false;
    }
    memcpy(candidate->allowed, allowed, space->words * sizeof *allowed);
    ndp_set_add(candidate->has, number);
    candidate->chosen[candidate->count++] = p;
    return true;
}

static uint64_t count_new_pairs(const struct ndp_covering *covering, const struct candidate *candidate,
                                uint32_t number) {
    const uint64_t *pairs = pairs_of(covering, number);
    uint64_t count = 0;
    for (uint32_t i = 0; i < covering->space.words; i++)
        count += (uint64_t)__builtin_popcountll(pairs[i] & candidate->has[i]);
    return count;
}

static uint64_t triple_of(const struct ndp_covering *covering, const uint8_t *values, uint32_t p, uint32_t q,
                          uint32_t r) {
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    const uint32_t a = r < low ? r : low, b = r < low ? low : r < high ? r : high, c = r < high ? high : r;
    return ndp_covering_space_triple(&covering->space, values, a, b, c);
}

/* The triples of a parameter with two chosen ones each: their number for value 0, and the step to the next value. */
struct lines {
    uint64_t at[NDP_COVERING_MAX_PARAMETERS * NDP_COVERING_MAX_PARAMETERS / 2];
    uint64_t step[NDP_COVERING_MAX_PARAMETERS * NDP_COVERING_MAX_PARAMETERS / 2];
    uint32_t count;
};

static void find_lines(const struct ndp_covering *covering, struct candidate *candidate, uint32_t p,
                       struct lines *out) {
    uint8_t *values = candidate->row.values;
    out->count = 0;
    for (uint32_t i = 1; i < candidate->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t q = candidate->chosen[i], r = candidate->chosen[k];
            values[p] = 0;
            out->at[out->count] = triple_of(covering, values, q, r, p);
            values[p] = 1;
            out->step[out->count] = triple_of(covering, values, q, r, p) - out->at[out->count];
            out->count++;
        }
    }
    values[p] = NDP_COVERING_FREE;
}

static uint64_t count_new_triples(const struct ndp_covering *covering, const struct lines *lines, uint64_t value) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        count += ndp_set_has(covering->triples, lines->at[i] + lines->step[i] * value);
    return count;
}

/* The order of preference of a value: new combinations first; without any, cheap values; then at random. */
static uint64_t prefer(struct ndp_covering *covering, const struct candidate *candidate, uint32_t p, uint32_t value,
                       const struct lines *lines) {
    const uint32_t costly_from = covering->space.model->parameters[p].costly_from;
    const uint64_t gain = covering->phase == PHASE_PAIRS
                              ? count_new_pairs(covering, candidate, covering->space.first[p] + value)
                              : count_new_triples(covering, lines, value);
    const bool is_cheap = costly_from == 0 || value < costly_from;
    return gain << 33 | (uint64_t)is_cheap << 32 | draw(covering, UINT64_C(1) << 32);
}

/* Gives parameter `p` the best value that fits. False if none does. */
static bool choose_value(struct ndp_covering *covering, struct candidate *candidate, uint32_t p) {
    const struct ndp_covering_space *space = &covering->space;
    const uint32_t count = space->model->parameters[p].count;
    uint64_t preferences[NDP_COVERING_MAX_VALUES];
    struct lines lines;
    lines.count = 0;
    if (covering->phase == PHASE_TRIPLES) find_lines(covering, candidate, p, &lines);
    for (uint32_t v = 0; v < count; v++) {
        const bool is_allowed = ndp_set_has(candidate->allowed, space->first[p] + v);
        preferences[v] = is_allowed ? prefer(covering, candidate, p, v, &lines) + 1 : 0;
    }
    for (;;) {
        uint32_t best = 0;
        for (uint32_t v = 1; v < count; v++)
            if (preferences[v] > preferences[best]) best = v;
        if (preferences[best] == 0) return false;
        if (take_value(covering, candidate, p, (uint8_t)best)) {
            candidate->gain += preferences[best] >> 33;
            return true;
        }
        preferences[best] = 0;
    }
}

/* Starts with the values of `start` and chooses the others. False if some parameter has no value that fits. */
static bool complete_candidate(struct ndp_covering *covering, const struct ndp_covering_row *start,
                               struct candidate *out) {
    const struct ndp_covering_model *model = covering->space.model;
    uint32_t order[NDP_COVERING_MAX_PARAMETERS], count = 0;
    start_candidate(covering, out);
    for (uint32_t p = 0; p < model->count; p++) {
        if (start->values[p] != NDP_COVERING_FREE) {
            if (!take_value(covering, out, p, start->values[p])) return false;
        } else if (model->parameters[p].count > 0) {
            order[count++] = p;
        }
    }
    for (; count > 0; count--) {
        const uint32_t at = (uint32_t)draw(covering, count);
        const bool is_there = ndp_covering_space_has_parameter(&covering->space, out->row.values, order[at]);
        if (is_there && !choose_value(covering, out, order[at])) return false;
        order[at] = order[count - 1];
    }
    return true;
}

/* ---- what is covered ---- */

static void remove_pair(struct ndp_covering *covering, uint32_t v, uint32_t w) {
    if (!ndp_set_has(pairs_of(covering, v), w)) return;
    ndp_set_remove(pairs_of(covering, v), w);
    ndp_set_remove(pairs_of(covering, w), v);
    covering->left[v]--;
    covering->left[w]--;
}

/* Removes every pair and triple of the row from those that no row has. */
static void remove_covered(struct ndp_covering *covering, const struct ndp_covering_row *row) {
    const struct ndp_covering_space *space = &covering->space;
    const uint32_t *first = space->first;
    uint32_t fixed[NDP_COVERING_MAX_PARAMETERS], count = 0;
    for (uint32_t p = 0; p < space->model->count; p++)
        if (row->values[p] != NDP_COVERING_FREE) fixed[count++] = p;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t b = 0; b < c; b++) {
            remove_pair(covering, first[fixed[c]] + row->values[fixed[c]], first[fixed[b]] + row->values[fixed[b]]);
            for (uint32_t a = 0; a < b; a++)
                ndp_set_remove(covering->triples,
                               ndp_covering_space_triple(space, row->values, fixed[a], fixed[b], fixed[c]));
        }
    }
}

static void set_value(const struct ndp_covering *covering, struct ndp_covering_row *row, uint32_t number) {
    uint32_t p = 0;
    while (covering->space.first[p + 1] <= number) p++;
    row->values[p] = (uint8_t)(number - covering->space.first[p]);
}

/* Fills *out with a random pair that no row has, of a value with most such pairs. False if there is none. */
static bool pick_pair(struct ndp_covering *covering, struct ndp_covering_row *out) {
    const uint32_t values = covering->space.values;
    const uint32_t from = (uint32_t)draw(covering, values);
    uint32_t most = from;
    for (uint32_t i = 0; i < values; i++)
        if (covering->left[(from + i) % values] > covering->left[most]) most = (from + i) % values;
    if (covering->left[most] == 0) return false;
    uint64_t skip = draw(covering, covering->left[most]);
    for (uint32_t w = 0; w < values; w++) {
        if (!ndp_set_has(pairs_of(covering, most), w) || skip-- > 0) continue;
        memset(out->values, NDP_COVERING_FREE, sizeof out->values);
        set_value(covering, out, most);
        set_value(covering, out, w);
        return true;
    }
    return false;
}

static bool is_possible(const struct ndp_covering *covering, const struct ndp_covering_row *triple) {
    uint32_t at[3] = {0}, count = 0;
    for (uint32_t p = 0; p < covering->space.model->count; p++)
        if (triple->values[p] != NDP_COVERING_FREE) at[count++] = p;
    return ndp_covering_space_has_triple(&covering->space, triple, at[0], at[1], at[2]);
}

/* Fills *out with a triple that no row has; impossible ones on the way are removed. False if there is none. */
static bool pick_triple(struct ndp_covering *covering, struct ndp_covering_row *out) {
    const uint64_t words = (covering->space.triples + 63) / 64;
    if (words == 0) return false;
    const uint64_t from = draw(covering, words);
    for (uint64_t i = 0; i < words; i++) {
        const uint64_t word = (from + i) % words;
        while (covering->triples[word] != 0) {
            const uint64_t triple = word * 64 + (uint64_t)__builtin_ctzll(covering->triples[word]);
            ndp_covering_space_row_of_triple(&covering->space, triple, out);
            if (is_possible(covering, out)) return true;
            ndp_set_remove(covering->triples, triple);
        }
    }
    return false;
}

/* ---- rows ---- */

/* Makes the next row from a combination that no row has. False if no candidate contains it. */
static bool make_row(struct ndp_covering *covering, const struct ndp_covering_row *start,
                     struct ndp_covering_row *out) {
    const uint32_t wanted = covering->phase == PHASE_PAIRS ? PAIR_CANDIDATES : TRIPLE_CANDIDATES;
    uint64_t best = 0;
    uint32_t found = 0;
    struct candidate candidate;
    for (uint32_t i = 0; i < MAX_TRIES && found < wanted; i++) {
        if (!complete_candidate(covering, start, &candidate)) continue;
        if (found++ > 0 && candidate.gain <= best) continue;
        best = candidate.gain;
        *out = candidate.row;
    }
    return found > 0;
}

static enum ndp_status append_row(struct ndp_covering *covering, const struct ndp_covering_row *row) {
    if (covering->row_count == covering->row_capacity) {
        const uint64_t capacity = covering->row_capacity * 2 + 64;
        struct ndp_covering_row *grown = realloc(covering->rows, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        covering->rows = grown;
        covering->row_capacity = capacity;
    }
    covering->rows[covering->row_count++] = *row;
    return NDP_OK;
}

/* Appends a row, or proceeds towards the phase in which rows are free. */
static enum ndp_status advance(struct ndp_covering *covering) {
    struct ndp_covering_row start, row;
    const bool is_pair = covering->phase == PHASE_PAIRS;
    if (!(is_pair ? pick_pair(covering, &start) : pick_triple(covering, &start))) {
        covering->phase++;
        return NDP_OK;
    }
    if (!make_row(covering, &start, &row)) {
        remove_covered(covering, &start);
        return NDP_OK;
    }
    remove_covered(covering, &row);
    return append_row(covering, &row);
}

static void start_sets(struct ndp_covering *covering) {
    const struct ndp_covering_space *space = &covering->space;
    memcpy(covering->pairs, space->meets, (uint64_t)space->values * space->words * sizeof *space->meets);
    for (uint32_t v = 0; v < space->values; v++) {
        ndp_set_remove(pairs_of(covering, v), v);
        for (uint32_t i = 0; i < space->words; i++)
            covering->left[v] += (uint32_t)__builtin_popcountll(pairs_of(covering, v)[i]);
    }
    for (uint64_t i = 0; i < space->triples; i++) ndp_set_add(covering->triples, i);
}

enum ndp_status ndp_covering_new(const struct ndp_covering_model *model, uint64_t seed, struct ndp_covering **out) {
    struct ndp_covering *covering = calloc(1, sizeof *covering);
    if (covering == NULL) return NDP_NOMEM;
    struct ndp_covering_space *space = &covering->space;
    enum ndp_status status = ndp_covering_space_init(model, space);
    if (status == NDP_OK) {
        covering->pairs = calloc((uint64_t)space->values * space->words + 1, sizeof *covering->pairs);
        covering->left = calloc((uint64_t)space->values + 1, sizeof *covering->left);
        covering->triples = calloc(space->triples / 64 + 1, sizeof *covering->triples);
        if (covering->pairs == NULL || covering->left == NULL || covering->triples == NULL) status = NDP_NOMEM;
    }
    if (status != NDP_OK) {
        ndp_covering_free(covering);
        return status;
    }
    ndp_rng_init(&covering->rng, seed);
    if (space->values == 0) covering->phase = PHASE_FREE;
    start_sets(covering);
    *out = covering;
    return NDP_OK;
}

void ndp_covering_free(struct ndp_covering *covering) {
    if (covering == NULL) return;
    ndp_covering_space_clear(&covering->space);
    free(covering->pairs);
    free(covering->triples);
    free(covering->left);
    free(covering->rows);
    free(covering);
}

enum ndp_status ndp_covering_row(struct ndp_covering *covering, uint64_t number, struct ndp_covering_row *out) {
    while (covering->row_count <= number && covering->phase != PHASE_FREE) NDP_TRY(advance(covering));
    if (number < covering->row_count) {
        *out = covering->rows[number];
    } else {
        memset(out->values, NDP_COVERING_FREE, sizeof out->values);
    }
    return NDP_OK;
}
