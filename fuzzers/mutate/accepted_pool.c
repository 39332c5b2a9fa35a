#include "mutate/accepted_pool.h"

#include <string.h>

#include "base/rng.h"

enum { SLOTS = 512, INPUT_BYTES = 1 << 12 };

/* The input's hash selects its slot. */
static struct {
    uint8_t bytes[INPUT_BYTES];
    uint32_t size_bytes; /* 0: empty */
} slots[SLOTS];
static uint32_t filled[SLOTS], count;

void fuzz_pool_keep(struct ndp_bytes input) {
    if (input.size_bytes == 0 || input.size_bytes > INPUT_BYTES) return;
    const uint64_t at = ndp_hash_bytes(input.data, (size_t)input.size_bytes, NDP_HASH_START) % SLOTS;
    if (slots[at].size_bytes == 0) filled[count++] = (uint32_t)at;
    memcpy(slots[at].bytes, input.data, (size_t)input.size_bytes);
    slots[at].size_bytes = (uint32_t)input.size_bytes;
}

bool fuzz_pool_pick(struct ndp_choices *choices, struct ndp_bytes *out) {
    if (count == 0) return false;
    const uint32_t at = filled[ndp_choose(choices, count)];
    *out = (struct ndp_bytes){slots[at].bytes, slots[at].size_bytes};
    return true;
}
