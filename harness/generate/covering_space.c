#include "generate/covering_space.h"

#include <stdlib.h>
#include <string.h>

static void number_combinations(struct ndp_covering_space *space) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    for (uint32_t b = 1; b < space->model->count; b++) {
        for (uint32_t a = 0; a < b; a++) {
            space->pair_first[ndp_covering_pair_place(a, b)] = space->pairs;
            space->pairs += (uint64_t)parameters[a].count * parameters[b].count;
        }
    }
    for (uint32_t c = 2; c < space->model->count; c++) {
        for (uint32_t b = 1; b < c; b++) {
            for (uint32_t a = 0; a < b; a++) {
                space->triple_first[ndp_covering_triple_place(a, b, c)] = space->triples;
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

/* Whether the set has a value of the parameter. */
static bool has_value_of(const struct ndp_covering_space *space, const uint64_t *set, uint32_t p) {
    const uint32_t first = space->first[p], end = space->first[p + 1];
    for (uint32_t word = first / 64; first < end && word <= (end - 1) / 64; word++) {
        uint64_t bits = set[word];
        if (word == first / 64) bits &= UINT64_MAX << (first % 64);
        if (word == (end - 1) / 64) bits &= UINT64_MAX >> (63 - (end - 1) % 64);
        if (bits != 0) return true;
    }
    return false;
}

/* The family of the row; 0 if its parameters belong to none. */
static uint32_t family_of(const struct ndp_covering_space *space, const uint8_t *values) {
    const struct ndp_covering_model *model = space->model;
    for (uint32_t p = 0; p < model->count; p++)
        if (values[p] != NDP_COVERING_FREE && model->parameters[p].family != 0) return model->parameters[p].family;
    return 0;
}

bool ndp_covering_space_has_parameter(const struct ndp_covering_space *space, const uint8_t *values, uint32_t p) {
    const uint32_t own = space->model->parameters[p].family, family = own == 0 ? 0 : family_of(space, values);
    return family == 0 || own == family;
}

static bool is_open_in(const struct ndp_covering_space *space, const uint64_t *allowed, uint32_t family,
                       const uint8_t *values) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    for (uint32_t p = 0; p < space->model->count; p++) {
        const bool is_absent = parameters[p].family != 0 && parameters[p].family != family;
        if (values[p] != NDP_COVERING_FREE || is_absent || parameters[p].count == 0) continue;
        if (!has_value_of(space, allowed, p)) return false;
    }
    return true;
}

bool ndp_covering_space_is_open(const struct ndp_covering_space *space, const uint64_t *allowed,
                                const uint8_t *values) {
    const uint32_t family = family_of(space, values);
    if (family != 0 || space->families == 0) return is_open_in(space, allowed, family, values);
    for (uint32_t i = 1; i <= space->families; i++)
        if (is_open_in(space, allowed, i, values)) return true;
    return false;
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
    for (uint32_t p = 0; p < count; p++) {
        space.first[p + 1] = space.first[p] + model->parameters[p].count;
        if (model->parameters[p].family > space.families) space.families = model->parameters[p].family;
    }
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

void ndp_covering_space_row_of_triple(const struct ndp_covering_space *space, uint64_t triple,
                                      struct ndp_covering_row *out) {
    const struct ndp_covering_parameter *parameters = space->model->parameters;
    uint32_t a = 0, b = 1, c = 2;
    /* The numbers grow with the place; a triple of parameters without values has none. */
    while (c + 1 < space->model->count && space->triple_first[ndp_covering_triple_place(0, 1, c + 1)] <= triple) c++;
    while (b + 1 < c && space->triple_first[ndp_covering_triple_place(0, b + 1, c)] <= triple) b++;
    while (a + 1 < b && space->triple_first[ndp_covering_triple_place(a + 1, b, c)] <= triple) a++;
    uint64_t rest = triple - space->triple_first[ndp_covering_triple_place(a, b, c)];
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
    const uint32_t v = space->first[a] + values[a], w = space->first[b] + values[b], x = space->first[c] + values[c];
    const uint64_t *of_v = ndp_covering_space_meets(space, v), *of_w = ndp_covering_space_meets(space, w);
    const uint64_t *of_x = ndp_covering_space_meets(space, x);
    uint64_t allowed[NDP_COVERING_MAX_WORDS];
    for (uint32_t i = 0; i < space->words; i++) allowed[i] = of_v[i] & of_w[i] & of_x[i];
    struct ndp_covering_row alone;
    memset(alone.values, NDP_COVERING_FREE, sizeof alone.values);
    alone.values[a] = values[a];
    alone.values[b] = values[b];
    alone.values[c] = values[c];
    return ndp_covering_space_is_open(space, allowed, alone.values) && ndp_covering_space_permits(space, &alone);
}
