/* mutator.c: one mutator for all engines: LLVMFuzzerCustomMutator and LLVMFuzzerCustomCrossOver for libFuzzer, and
 * afl_custom_* for AFL++, in a shared object per target. Source: LLVM 14, FuzzerInterface.h; AFL++ 4.04,
 * docs/custom_mutators.md.
 *
 * The form, which is the first word of the target's name, selects the structural mutator. Sometimes, and for inputs
 * that do not have the form, bytes or tokens are changed instead, to test the reader of the form. Inputs of targets
 * that run descriptors always remain descriptors. */
#include "fuzz.h"

#include "base/rng.h"
#include "mutate/accepted_pool.h"
#include "mutate/mutate.h"
#include "mutate/mutation.h"
#include "runtime/cases.h"
#include "runtime/rare_inputs.h"

enum { MAX_CHANGES = 4, MAX_TRIES = 4, CROSS_ONE_IN = 4, CROSSED_ONE_IN = 4, CORRUPT_ONE_IN = 3, REFUSED_ONE_IN = 2 };
enum { MAX_PICKED_TRIES = 16, MADE = 1 << 16, TURN_CHANGES = 64, SMALL_BYTES = 512, MAX_STARTS = 4 };
#define ROOM_BYTES (UINT64_C(64) << 20)

static const struct form {
    const char *word;
    fuzz_mutate *mutate;
    fuzz_cross *cross;
    unsigned bytes_one_in; /* 0: never */
    fuzz_mutate *corrupt;  /* changes tokens, mostly to an invalid text; NULL: never */
} forms[] = {
    {"descriptor_", fuzz_mutate_descriptor, fuzz_cross_descriptor, 0, NULL},
    {"descriptor", fuzz_mutate_descriptor, fuzz_cross_descriptor, 4, fuzz_corrupt_descriptor},
    {"npz", fuzz_mutate_npz, fuzz_cross_npz, 5, NULL},
    {"npy", fuzz_mutate_npy, fuzz_cross_npy, 5, NULL},
    {"pickle_graph", fuzz_mutate_graph, fuzz_cross_pickle, 5, NULL},
    {"pickle", fuzz_mutate_pickle, fuzz_cross_pickle, 5, NULL},
    {"joblib", fuzz_mutate_joblib, fuzz_cross_joblib, 5, NULL},
    {"memmap", fuzz_mutate_memmap, fuzz_cross_memmap, 5, NULL},
    {"frame", fuzz_mutate_frame, fuzz_cross_frame, 5, NULL},
};

static const struct form *form_of(const char *name) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(forms); i++)
        if (strncmp(name, forms[i].word, strlen(forms[i].word)) == 0) return &forms[i];
    return NULL;
}

/* Changes, adds or removes a few bytes, for engines without a byte mutator. */
static size_t change_bytes(struct ndp_choices *choices, uint8_t *data, size_t size, size_t max_size) {
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0; left--) {
        const size_t at = (size_t)ndp_choose(choices, size + 1);
        const uint64_t how = ndp_choose(choices, 4);
        if (how == 0 && size < max_size) {
            memmove(data + at + 1, data + at, size++ - at);
            data[at] = (uint8_t)ndp_choose(choices, 256);
        } else if (how == 1 && at < size) {
            memmove(data + at, data + at + 1, --size - at);
        } else if (at < size) {
            data[at] ^= (uint8_t)(how == 2 ? 1 + ndp_choose(choices, 255) : 1u << ndp_choose(choices, 8));
        }
    }
    return size;
}

static size_t engine_bytes(struct ndp_choices *choices, uint8_t *data, size_t size, size_t max_size) {
    fuzz_mutated(NULL, 0);
    if (LLVMFuzzerMutate) return LLVMFuzzerMutate(data, size, max_size);
    return change_bytes(choices, data, size, max_size);
}

/* Sometimes replaces the engine's input by one for which a testee reached a rare place, if there is one. The share of
 * graphs is the one that the target requests. */
static bool pick_start(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *first) {
    struct fuzz_beginning graph = {.text = "{\"ndproof\":1,\"value\":{\"graph\":"};
    const unsigned one_in = &fuzz_cases ? fuzz_cases.graphs_one_in : 0;
    graph.is_wanted = one_in > 0 && ndp_choose_rarely(choices, one_in);
    return fuzz_rare_pick(arena, choices, one_in > 0 ? &graph : NULL, first);
}

/* Whether these bytes were generated before, as far as the table remembers. */
static bool is_made_before(struct ndp_bytes made) {
    static uint64_t hashes[MADE];
    const uint64_t hash = ndp_hash_bytes(made.data, (size_t)made.size_bytes, NDP_HASH_START);
    uint64_t *known = &hashes[hash % MADE];
    const bool is_known = *known == hash;
    *known = hash;
    return is_known;
}

/* Runs the step `what` with the functions of the form. */
static enum ndp_status run_mutation(const struct form *form, struct ndp_arena *arena, const struct fuzz_mutation *what,
                                    struct ndp_buffer *out) {
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, what->seed);
    switch (what->way) {
    case FUZZ_MUTATION_CROSS:
        return form->cross(arena, &choices, what->first, what->second, out);
    case FUZZ_MUTATION_CORRUPT:
        return (form->corrupt ? form->corrupt : form->mutate)(arena, &choices, what->first, out);
    case FUZZ_MUTATION_CHANGE:
        break;
    }
    return form->mutate(arena, &choices, what->first, out);
}

void fuzz_mutation_run(const struct fuzz_mutation *what) {
    const struct form *form = form_of(fuzz_name);
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_buffer out = {.max_bytes = what->max_bytes};
    if (form) (void)run_mutation(form, &arena, what, &out);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
}

/* Fills `data` with a mutation of `first` (when crossing, with `second`, which may be NULL); false if there is no
 * result that fits. */
static bool run_way(const struct form *form, enum fuzz_mutation_way way, struct ndp_choices *choices,
                    struct ndp_bytes first, const struct ndp_bytes *second, uint8_t *data, size_t *size,
                    size_t max_size) {
    enum ndp_status status = NDP_LIMIT;
    static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    static struct ndp_buffer out;
    out.max_bytes = max_size;
    /* libFuzzer crosses as often as it mutates; most new inputs need small changes instead. */
    const bool is_picked = pick_start(&arena, choices, &first);
    if (is_picked && !ndp_choose_rarely(choices, CROSSED_ONE_IN)) second = NULL;
    struct fuzz_mutation what = {.way = second ? FUZZ_MUTATION_CROSS : way, .max_bytes = max_size, .first = first};
    if (second) what.second = *second;
    /* A testee is 100 times slower than the mutator, and mutations of one input repeat, so a result that was generated
     * before is tried again. */
    bool is_wanted = true;
    for (int i = 0; i < (is_picked ? MAX_PICKED_TRIES : MAX_TRIES) && is_wanted; i++) {
        out.size_bytes = 0;
        what.seed = ndp_choose(choices, UINT64_MAX);
        fuzz_mutation_begin(&what);
        status = run_mutation(form, &arena, &what, &out);
        fuzz_mutation_end();
        is_wanted = status == NDP_LIMIT ||
                    (status == NDP_OK && (out.size_bytes == 0 || (is_picked && is_made_before(ndp_buffer_view(&out)))));
    }
    const bool is_made = status == NDP_OK && out.size_bytes > 0;
    if (is_made) {
        *size = (size_t)out.size_bytes;
        memcpy(data, out.data, *size);
    }
    ndp_arena_reset(&arena);
    return is_made;
}

/* Large inputs and their mutations take proportionally longer, so they are mutated proportionally less often. A testee
 * takes as long for small inputs. */
static bool is_its_turn(struct ndp_choices *choices, uint64_t size_bytes) {
    if (&fuzz_cases && fuzz_cases.with_testee) return true;
    return size_bytes <= SMALL_BYTES || ndp_choose(choices, size_bytes) < SMALL_BYTES;
}

/* Selects the engine's input, or an accepted one if the engine's input is too large for its turn or, mostly, was
 * refused. Forms whose mutations are always valid have no refused inputs. */
static struct ndp_bytes select_start(const struct form *form, struct ndp_choices *choices, struct ndp_bytes chosen) {
    struct ndp_bytes sound;
    if (!form) return chosen;
    const bool is_sound = fuzz_is_accepted(chosen.data, (size_t)chosen.size_bytes);
    if (is_sound) fuzz_pool_keep(chosen);
    const bool is_wanted = is_sound || form->bytes_one_in == 0 || ndp_choose_rarely(choices, REFUSED_ONE_IN);
    if (is_wanted && is_its_turn(choices, chosen.size_bytes)) return chosen;
    for (int i = 0; i < MAX_STARTS && fuzz_pool_pick(choices, &sound); i++)
        if (is_its_turn(choices, sound.size_bytes)) return sound;
    return chosen;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    const struct form *form = form_of(fuzz_name);
    if (LLVMFuzzerMutate && fuzz_is_engine_alone()) return LLVMFuzzerMutate(data, size, max_size);
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, seed);
    const struct ndp_bytes start = select_start(form, &choices, (struct ndp_bytes){data, size});
    if (start.data != data && start.size_bytes <= max_size) {
        size = (size_t)start.size_bytes;
        memcpy(data, start.data, size);
    }
    if (!form || (form->bytes_one_in > 0 && ndp_choose(&choices, form->bytes_one_in) == 0))
        return engine_bytes(&choices, data, size, max_size);
    const struct ndp_bytes input = {data, size};
    const bool is_corrupted = form->corrupt && ndp_choose_rarely(&choices, CORRUPT_ONE_IN);
    const enum fuzz_mutation_way way = is_corrupted ? FUZZ_MUTATION_CORRUPT : FUZZ_MUTATION_CHANGE;
    if (run_way(form, way, &choices, input, NULL, data, &size, max_size)) {
        fuzz_mutated(is_corrupted ? NULL : data, size);
        return size;
    }
    /* An input that is too large for the buffer stays unchanged instead of becoming empty. */
    return form->bytes_one_in == 0 ? size : engine_bytes(&choices, data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t max_size, unsigned int seed) {
    const struct form *form = form_of(fuzz_name);
    struct ndp_choices choices;
    if (fuzz_is_engine_alone()) return 0;
    ndp_choices_init_seed(&choices, seed);
    const struct ndp_bytes other = {second, second_size};
    size_t size;
    const struct ndp_bytes one = select_start(form, &choices, (struct ndp_bytes){first, first_size});
    const bool is_crossed = is_its_turn(&choices, second_size);
    const struct ndp_bytes *with = is_crossed ? &other : NULL;
    if (form && run_way(form, FUZZ_MUTATION_CHANGE, &choices, one, with, out, &size, max_size)) {
        fuzz_mutated(out, size);
        return size;
    }
    if (form && form->bytes_one_in == 0) return 0;
    fuzz_mutated(NULL, 0);
    const size_t head = (size_t)ndp_choose(&choices, first_size + 1);
    const size_t tail = second_size - (size_t)ndp_choose(&choices, second_size + 1);
    if (head + tail > max_size) return 0;
    memcpy(out, first, head);
    memcpy(out + head, second + second_size - tail, tail);
    return head + tail;
}

/* The state of the mutator in AFL++: an output buffer, and a counter for seeds. */
struct afl_mutator {
    struct ndp_rng rng;
    uint8_t *room;
    size_t room_bytes;
};

void *afl_custom_init(void *afl, unsigned int seed);
unsigned int afl_custom_fuzz_count(void *state, const uint8_t *data, size_t size);
size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add, size_t add_size,
                       size_t max_size);
void afl_custom_deinit(void *state);

void *afl_custom_init(void *afl, unsigned int seed) {
    (void)afl;
    struct afl_mutator *mutator = calloc(1, sizeof *mutator);
    if (mutator) ndp_rng_init(&mutator->rng, seed);
    return mutator;
}

/* The number of mutations per turn of an input. AFL++ would double its own number after each new path, and its main
 * instance takes its inputs in order, so the first inputs would use up a short night. */
unsigned int afl_custom_fuzz_count(void *state, const uint8_t *data, size_t size) {
    (void)state, (void)data, (void)size;
    return TURN_CHANGES;
}

size_t afl_custom_fuzz(void *state, uint8_t *data, size_t size, uint8_t **out, uint8_t *add, size_t add_size,
                       size_t max_size) {
    struct afl_mutator *mutator = state;
    if (mutator->room_bytes < max_size) {
        uint8_t *room = realloc(mutator->room, max_size);
        if (!room) return *out = NULL, 0;
        mutator->room = room;
        mutator->room_bytes = max_size;
    }
    if (size > max_size) size = max_size;
    *out = mutator->room;
    const unsigned int seed = (unsigned int)ndp_rng_next(&mutator->rng);
    size_t made = 0;
    if (add && seed % CROSS_ONE_IN == 0)
        made = LLVMFuzzerCustomCrossOver(data, size, add, add_size, mutator->room, max_size, seed);
    if (made > 0) return made;
    memcpy(mutator->room, data, size);
    return LLVMFuzzerCustomMutator(mutator->room, size, max_size, seed);
}

void afl_custom_deinit(void *state) {
    struct afl_mutator *mutator = state;
    free(mutator->room);
    free(mutator);
}
