/* descriptor_mutator.c: mutation on the structure of a descriptor, for libFuzzer (LLVMFuzzerCustomMutator) and,
 * as a shared object, for AFL++ (afl_custom_*). Source: AFL++ 4.04, docs/custom_mutators.md.
 *
 * Text that is a descriptor becomes one that is a typed change or a few away; other text becomes a descriptor
 * that is generated from its bytes. Now and then the engine changes bytes, for the sake of the reader of JSON. */
#include "fuzz.h"

#include "describe/generate.h"

enum { MAX_CHANGES = 4, BYTES_ONE_IN = 16 };

/* Fills `out` with the descriptor that follows `text`. */
static enum ndp_status change(struct ndp_arena *arena, struct ndp_bytes text, uint64_t seed,
                              struct ndp_descriptor *out) {
    struct ndp_choices choices;
    if (ndp_descriptor_read(arena, text, &ndp_describe_default_limits, out, NULL) != NDP_OK) {
        ndp_choices_init_bytes(&choices, text);
        *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
        return ndp_generate_value(arena, &choices, &(struct ndp_generate_limits){0}, &out->value);
    }
    ndp_choices_init_seed(&choices, seed);
    for (uint64_t left = 1 + ndp_choose(&choices, MAX_CHANGES); left > 0; left--) {
        struct ndp_descriptor next;
        NDP_TRY(ndp_mutate(arena, &choices, out, &next));
        *out = next;
    }
    return NDP_OK;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    if (LLVMFuzzerMutate && seed % BYTES_ONE_IN == 0) return LLVMFuzzerMutate(data, size, max_size);
    struct ndp_arena arena;
    struct ndp_buffer text;
    struct ndp_descriptor descriptor;
    ndp_arena_init(&arena, UINT64_C(64) << 20);
    ndp_buffer_init(&text, max_size);
    if (change(&arena, (struct ndp_bytes){data, size}, seed, &descriptor) == NDP_OK &&
        ndp_descriptor_print(&text, &descriptor) == NDP_OK) {
        size = (size_t)text.size_bytes;
        memcpy(data, text.data, size);
    }
    ndp_buffer_clear(&text);
    ndp_arena_clear(&arena);
    return size;
}

/* What AFL++ keeps of us: room for the answer, and a counter that makes seeds. */
struct afl_mutator {
    struct ndp_rng rng;
    uint8_t *room;
    size_t room_bytes;
};

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add, size_t add_size,
                       size_t max_size);
void afl_custom_deinit(void *state);

void *afl_custom_init(void *afl, unsigned int seed) {
    (void)afl;
    struct afl_mutator *mutator = calloc(1, sizeof *mutator);
    if (mutator) ndp_rng_init(&mutator->rng, seed);
    return mutator;
}

size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add, size_t add_size,
                       size_t max_size) {
    (void)add;
    (void)add_size;
    struct afl_mutator *mutator = state;
    if (mutator->room_bytes < max_size) {
        uint8_t *room = realloc(mutator->room, max_size);
        if (!room) return *out = NULL, 0;
        mutator->room = room;
        mutator->room_bytes = max_size;
    }
    if (size > max_size) size = max_size;
    memcpy(mutator->room, data, size);
    *out = mutator->room;
    return LLVMFuzzerCustomMutator(mutator->room, size, max_size, (unsigned int)ndp_rng_next(&mutator->rng));
}

void afl_custom_deinit(void *state) {
    struct afl_mutator *mutator = state;
    free(mutator->room);
    free(mutator);
}
