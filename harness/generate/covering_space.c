#include "generate/covering_space.h"

#include <stdlib.h>
#include <string.h>

/* The place of a pair or triple of parameters among all, in the order of the last, then of the others. */
static uint32_t pair_place(uint32_t a, uint32_t b) {
    return b * (b - 1) / 2 + a;
}

static uint32_t triple_place(uint32_t a, uint32_t b, uint32_t c) {
    return c * (c - 1) * (c - 2) / 6 + pair_place(a, b);
}

static void number_combinations(struct ndp_covering_space *space) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    for (uint32_t b = 1; b < space->model->count; b++) {
        for (uint32_t a = 0; a < b; a++) {
            space->pair_first[pair_place(a, b)] = space->pairs;
            space->pairs += (uint64_t)parameters[a].count * parameters[b].count;
        }
    }
    for (uint32_t c = 2; c < space->model->count; c++) {
        for (uint32_t b = 1; b < c; b++) {
            for (uint32_t a = 0; a < b; a++) {
                space->triple_first[triple_place(a, b, c)] = space->triples;
                space->triples += (uint64_t)parameters[a].count * parameters[b].count * parameters[c].count;
            }
        }
    }
}

static bool is_permitted(const struct ndp_covering_model *model, const struct ndp_covering_row *row) {
    return model->rule == NULL || model->rule(model->context, row);
}

/* Fills the set of values of parameter `b`, and itself, that value `v` of parameter `a` can occur with. */
static void ask_about_value(struct ndp_covering_space *space, uint32_t a, uint32_t v) {
    const struct ndp_covering_model *model = space->model;
    const uint32_t number = space->first[a] + v;
    struct ndp_covering_row row;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    row.values[a] = (uint8_t)v;
    if (!is_permitted(model, &row)) return;
    ndp_set_add(ndp_covering_space_meets(space, number), number);
    for (uint32_t b = 0; b < a; b++) {
        for (uint32_t w = 0; w < model->parameters[b].count; w++) {
            const uint32_t other = space->first[b] + w;
            row.values[b] = (uint8_t)w;
            if (!ndp_set_has(ndp_covering_space_meets(space, other), other)) continue;
            if (!is_permitted(model, &row)) continue;
            ndp_set_add(ndp_covering_space_meets(space, number), other);
            ndp_set_add(ndp_covering_space_meets(space, other), number);
        }
        row.values[b] = NDP_COVERING_FREE;
    }
}

bool ndp_covering_space_is_open(const struct ndp_covering_space *space, const uint64_t *allowed,
                                const uint8_t *values) {
    for (uint32_t p = 0; p < space->model->count; p++) {
        const uint32_t first = space->first[p], end = space->first[p + 1];
        if (values[p] != NDP_COVERING_FREE || first == end) continue;
        bool has_any = false;
        for (uint32_t word = first / 64; word <= (end - 1) / 64 && !has_any; word++) {
            uint64_t bits = allowed[word];
            if (word == first / 64) bits &= UINT64_MAX << (first % 64);
            if (word == (end - 1) / 64) bits &= UINT64_MAX >> (63 - (end - 1) % 64);
            has_any = bits != 0;
        }
        if (!has_any) return false;
    }
    return true;
}

/* Removes pairs of the values of two parameters that leave a third without a value. Returns whether there were any. */
static bool remove_closed_pairs(struct ndp_covering_space *space, uint32_t a, uint32_t b) {
    uint64_t allowed[NDP_COVERING_MAX_WORDS];
    struct ndp_covering_row row;
    bool is_changed = false;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    row.values[a] = row.values[b] = 0;
    for (uint32_t v = space->first[a]; v < space->first[a + 1]; v++) {
        uint64_t *meets = ndp_covering_space_meets(space, v);
        for (uint32_t w = space->first[b]; w < space->first[b + 1]; w++) {
            uint64_t *other = ndp_covering_space_meets(space, w);
            if (!ndp_set_has(meets, w)) continue;
            for (uint32_t i = 0; i < space->words; i++) allowed[i] = meets[i] & other[i];
            if (ndp_covering_space_is_open(space, allowed, row.values)) continue;
            ndp_set_remove(meets, w);
            ndp_set_remove(other, v);
            is_changed = true;
        }
    }
    return is_changed;
}

static void close_pairs(struct ndp_covering_space *space) {
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (uint32_t b = 1; b < space->model->count; b++)
            for (uint32_t a = 0; a < b; a++)
                if (remove_closed_pairs(space, a, b)) is_changed = true;
    }
}

enum ndp_status ndp_covering_space_init(const struct ndp_covering_model *model, struct ndp_covering_space *out) {
    struct ndp_covering_space space = {.model = model};
    const uint64_t count = model->count;
    for (uint32_t p = 0; p < count; p++) space.first[p + 1] = space.first[p] + model->parameters[p].count;
    space.values = space.first[count];
    space.words = (space.values + 63) / 64;
    space.meets = calloc((uint64_t)space.values * space.words + 1, sizeof *space.meets);
    space.pair_first = calloc(count * count / 2 + 1, sizeof *space.pair_first);
    space.triple_first = calloc(count * count * count / 6 + 1, sizeof *space.triple_first);
    if (space.meets == NULL || space.pair_first == NULL || space.triple_first == NULL) {
        ndp_covering_space_clear(&space);
        return NDP_NOMEM;
    }
    number_combinations(&space);
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t v = 0; v < model->parameters[p].count; v++) ask_about_value(&space, p, v);
    close_pairs(&space);
    *out = space;
    return NDP_OK;
}

void ndp_covering_space_clear(struct ndp_covering_space *space) {
    free(space->meets);
    free(space->pair_first);
    free(space->triple_first);
    *space = (struct ndp_covering_space){0};
}

uint64_t ndp_covering_space_pair(const struct ndp_covering_space *space, const uint8_t *values, uint32_t a,
                                 uint32_t b) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    return space->pair_first[pair_place(a, b)] + (uint64_t)values[a] * parameters[b].count + values[b];
}

uint64_t ndp_covering_space_triple(const struct ndp_covering_space *space, const uint8_t *values, uint32_t a,
                                   uint32_t b, uint32_t c) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    const uint64_t pair = (uint64_t)values[a] * parameters[b].count + values[b];
    return space->triple_first[triple_place(a, b, c)] + pair * parameters[c].count + values[c];
}

void ndp_covering_space_row_of_triple(const struct ndp_covering_space *space, uint64_t triple,
                                      struct ndp_covering_row *out) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    uint32_t a = 0, b = 1, c = 2;
    /* The numbers grow with the place; a triple of parameters without values has none. */
    while (c + 1 < space->model->count && space->triple_first[triple_place(0, 1, c + 1)] <= triple) c++;
    while (b + 1 < c && space->triple_first[triple_place(0, b + 1, c)] <= triple) b++;
    while (a + 1 < b && space->triple_first[triple_place(a + 1, b, c)] <= triple) a++;
    uint64_t rest = triple - space->triple_first[triple_place(a, b, c)];
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
    out->values[c] = (uint8_t)(rest % parameters[c].count);
    rest /= parameters[c].count;
    out->values[b] = (uint8_t)(rest % parameters[b].count);
    out->values[a] = (uint8_t)(rest / parameters[b].count);
}

bool ndp_covering_space_has_pair(const struct ndp_covering_space *space, const uint8_t *values, uint32_t a,
                                 uint32_t b) {
    const uint32_t value = space->first[a] + values[a];
    return ndp_set_has(space->meets + (uint64_t)value * space->words, space->first[b] + values[b]);
}

bool ndp_covering_space_has_triple(const struct ndp_covering_space *space, const struct ndp_covering_row *row,
                                   uint32_t a, uint32_t b, uint32_t c) {
    const uint8_t *values = row->values;
    if (!ndp_covering_space_has_pair(space, values, a, b) || !ndp_covering_space_has_pair(space, values, a, c) ||
        !ndp_covering_space_has_pair(space, values, b, c))
        return false;
    const uint64_t *of_a = ndp_covering_space_meets(space, space->first[a] + values[a]);
    const uint64_t *of_b = ndp_covering_space_meets(space, space->first[b] + values[b]);
    const uint64_t *of_c = ndp_covering_space_meets(space, space->first[c] + values[c]);
    uint64_t allowed[NDP_COVERING_MAX_WORDS];
    for (uint32_t i = 0; i < space->words; i++) allowed[i] = of_a[i] & of_b[i] & of_c[i];
    struct ndp_covering_row alone;
    memset(alone.values, NDP_COVERING_FREE, sizeof alone.values);
    alone.values[a] = values[a];
    alone.values[b] = values[b];
    alone.values[c] = values[c];
    return ndp_covering_space_is_open(space, allowed, alone.values) && ndp_covering_space_permits(space, &alone);
}
