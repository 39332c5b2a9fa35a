#include "codec/pickle/pickle_interned.h"

#include "base/rng.h"

enum { FIRST_CAPACITY = 64 };

/* The slot of these bytes, or the free slot for them. The table always has a free slot. */
static struct ndp_object **slot_of(const struct ndp_pickle_interned *names, struct ndp_bytes bytes) {
    uint64_t at = ndp_rng_mix(ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START), 0);
    for (;; at++) {
        struct ndp_object **slot = &names->slots[at & (names->capacity - 1)];
        if (*slot == NULL || ndp_bytes_is_equal((*slot)->bytes, bytes)) return slot;
    }
}

struct ndp_object *ndp_pickle_interned_find(const struct ndp_pickle_interned *names, struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < NDP_FIRST_INTERNED && i < names->count; i++)
        if (ndp_bytes_is_equal(names->first[i]->bytes, bytes)) return names->first[i];
    return names->capacity == 0 ? NULL : *slot_of(names, bytes);
}

static bool grow_table(struct ndp_pickle_interned *names, struct ndp_arena *arena) {
    struct ndp_pickle_interned larger = {.capacity = names->capacity == 0 ? FIRST_CAPACITY : 2 * names->capacity};
    larger.slots = NDP_ARENA_ITEMS(arena, struct ndp_object *, larger.capacity);
    if (larger.slots == NULL) return false;
    for (uint64_t i = 0; i < names->capacity; i++)
        if (names->slots[i] != NULL) *slot_of(&larger, names->slots[i]->bytes) = names->slots[i];
    names->slots = larger.slots;
    names->capacity = larger.capacity;
    return true;
}

bool ndp_pickle_interned_add(struct ndp_pickle_interned *names, struct ndp_arena *arena, struct ndp_object *name) {
    if (names->count < NDP_FIRST_INTERNED) {
        names->first[names->count++] = name;
        return true;
    }
    /* At most half of the slots are in use. */
    if (2 * (names->count - NDP_FIRST_INTERNED) >= names->capacity && !grow_table(names, arena)) return false;
    *slot_of(names, name->bytes) = name;
    names->count++;
    return true;
}
