#include "base/rng.h"

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* The output function of SplitMix64. */
static uint64_t scramble(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t ndp_rng_mix(uint64_t seed, uint64_t index) {
    return scramble(seed + GOLDEN_GAMMA * (index + 1));
}

void ndp_rng_init(struct ndp_rng *rng, uint64_t seed) {
    for (uint64_t i = 0; i < 4; i++) rng->state[i] = ndp_rng_mix(seed, i);
}

static uint64_t rotate_left(uint64_t x, unsigned bits) {
    return x << bits | x >> (64 - bits);
}

uint64_t ndp_rng_next(struct ndp_rng *rng) {
    uint64_t *s = rng->state;
    const uint64_t out = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return out;
}

uint64_t ndp_hash_bytes(const void *bytes, uint64_t size_bytes, uint64_t start) {
    const uint8_t *at = bytes;
    uint64_t hash = start;
    for (uint64_t i = 0; i < size_bytes; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
