/* rng.h: the seeded random number generator (SplitMix64 for seeding, xoshiro256** for the sequence), identical on every
 * machine. Source: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2021. */
#ifndef NDP_RNG_H
#define NDP_RNG_H

#include <stdint.h>

struct ndp_rng {
    uint64_t state[4];
};

void ndp_rng_init(struct ndp_rng *rng, uint64_t seed);
uint64_t ndp_rng_next(struct ndp_rng *rng);

/* Returns the rng seed of case `index` of a run. Depends only on its arguments. */
uint64_t ndp_rng_mix(uint64_t seed, uint64_t index);

/* FNV-1a hash of bytes, for signatures and cell ids. It must never change. */
uint64_t ndp_hash_bytes(const void *bytes, uint64_t size_bytes, uint64_t start);
#define NDP_HASH_START UINT64_C(0xcbf29ce484222325)

#endif
