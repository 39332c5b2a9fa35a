/* choices.c: one stream of choices from an rng or from fuzzer bytes. */
#include "base/byteorder.h"
#include "generate/generate_parts.h"

void ndp_choices_init_seed(struct ndp_choices *choices, uint64_t seed) {
    *choices = (struct ndp_choices){0};
    ndp_rng_init(&choices->rng, seed);
}

void ndp_choices_init_bytes(struct ndp_choices *choices, struct ndp_bytes input) {
    static const uint8_t nothing[1] = {0};
    *choices = (struct ndp_choices){0};
    choices->input = ndp_cursor_view(input);
    /* A NULL pointer would select the rng; an empty input must read as zeros. */
    if (input.data == NULL) choices->input.data = nothing;
}

/* Number of input bytes per choice. It grows with the bound, so that a mutation of one byte changes one choice and
 * small choices consume little input. */
static uint32_t choice_width_bytes(uint64_t bound) {
    if (bound <= UINT64_C(1) << 8) return 1;
    if (bound <= UINT64_C(1) << 16) return 2;
    if (bound <= UINT64_C(1) << 32) return 4;
    return 8;
}

static uint64_t take_input(struct ndp_cursor *input, uint32_t width_bytes) {
    uint8_t raw[8] = {0};
    uint64_t left = ndp_cursor_left(input);
    uint32_t have = left < width_bytes ? (uint32_t)left : width_bytes;
    for (uint32_t i = 0; i < have; i++) raw[i] = input->data[input->at_bytes + i];
    input->at_bytes += have;
    return ndp_load_u64le(raw);
}

uint64_t ndp_choose(struct ndp_choices *choices, uint64_t bound) {
    if (bound <= 1) return 0;
    if (choices->input.data != NULL) return take_input(&choices->input, choice_width_bytes(bound)) % bound;
    /* The modulo bias is below 2^-32 for every bound in use, and the same on every machine. */
    return ndp_rng_next(&choices->rng) % bound;
}

bool ndp_choose_rarely(struct ndp_choices *choices, uint64_t one_in) {
    return one_in >= 1 && ndp_choose(choices, one_in) == one_in - 1;
}

uint32_t ndp_choose_weighted(struct ndp_choices *choices, const uint8_t *weights, uint32_t count) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += weights[i];
    uint64_t drawn = ndp_choose(choices, total);
    for (uint32_t i = 0; i < count; i++) {
        if (drawn < weights[i]) return i;
        drawn -= weights[i];
    }
    return 0;
}

uint64_t ndp_choose_between(struct ndp_choices *choices, uint64_t low, uint64_t high) {
    uint64_t span = high - low;
    return span == UINT64_MAX ? ndp_choose(choices, UINT64_MAX) : low + ndp_choose(choices, span + 1);
}
