/* rare_inputs.c: a table in shared memory, used by the process of a target and that of a mutator. Under libFuzzer both
 * are one process; under AFL++ both map the file that NDP_FUZZ_FRONTIER names. An entry that another process may be
 * writing is copied first; the reader of its form then checks it like any input.
 *
 * An entry owns the places that it reached first. Its weight depends on the inputs that have reached these places
 * since: a place that many other inputs reach needs no attention, however rare it was at first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "runtime/rare_inputs.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "runtime/counters.h"

enum { KEPT = 256, KEPT_BYTES = 16384, OTHERS_ONE_IN = 4, ANOTHER_ONE_IN = 8, NOBODY = -1, GLANCE_BYTES = 64 };
enum { LUCK_ONE_IN = 16, LUCK_WORTH = 8 };
_Static_assert(FUZZ_COUNTERS % GLANCE_BYTES == 0, "every counter is looked at");

struct text {
    uint32_t size_bytes; /* 0: none */
    uint8_t bytes[KEPT_BYTES];
};

/* The first input, and one that reached the same places later: another input may be closer to the next rare place. */
struct entry {
    _Atomic uint32_t picks;
    struct text first, another;
};

struct frontier {
    _Atomic uint32_t count, place_count;
    uint32_t places[FUZZ_COUNTERS];         /* in the order in which they were reached */
    int32_t owners[FUZZ_COUNTERS];          /* of the place with the same index; NOBODY: the entry was replaced */
    _Atomic uint32_t inputs[FUZZ_COUNTERS]; /* number of inputs that reached the counter */
    struct entry entries[KEPT];
};

static struct frontier *shared(void) {
    static struct frontier *frontier;
    if (frontier) return frontier;
    const char *path = getenv("NDP_FUZZ_FRONTIER");
    const int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    const int flags = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *map = MAP_FAILED;
    if (fd < 0 || ftruncate(fd, sizeof *frontier) == 0)
        map = mmap(NULL, sizeof *frontier, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (fd >= 0) close(fd);
    FUZZ_CHECK(map != MAP_FAILED);
    return frontier = map;
}

static uint32_t find_table(_Atomic uint32_t *number) {
    return atomic_load_explicit(number, memory_order_relaxed);
}

/* Weighs an entry by its tries, as a start and as an input that reached the rarest place of the entry again. A place
 * that its own children rarely reach depends on chance (earlier state or timing), so the entry is a bad start. */
static void count_tries(struct frontier *frontier, uint64_t *tries) {
    const uint32_t places = atomic_load(&frontier->place_count);
    for (uint32_t i = 0; i < KEPT; i++) tries[i] = UINT32_MAX;
    for (uint32_t i = 0; i < places && i < FUZZ_COUNTERS; i++) {
        const int32_t owner = frontier->owners[i];
        const uint32_t inputs = find_table(&frontier->inputs[frontier->places[i] % FUZZ_COUNTERS]);
        if (owner >= 0 && owner < KEPT && inputs < tries[owner]) tries[owner] = inputs;
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        const uint32_t picks = find_table(&frontier->entries[i].picks);
        const bool is_luck = tries[i] < picks / LUCK_ONE_IN;
        tries[i] = is_luck ? (uint64_t)LUCK_WORTH * picks : picks + (tries[i] > picks ? tries[i] : picks);
    }
}

bool fuzz_rare_reach(struct ndp_bytes counted, struct fuzz_reach *out) {
    struct frontier *frontier = shared();
    const uint32_t known = atomic_load(&frontier->place_count);
    uint32_t count = known, rarest = 0, fewest = UINT32_MAX;
    for (uint32_t from = 0; from + GLANCE_BYTES <= counted.size_bytes; from += GLANCE_BYTES) {
        static const uint8_t nothing[GLANCE_BYTES];
        if (memcmp(counted.data + from, nothing, GLANCE_BYTES) == 0) continue;
        for (uint32_t at = from; at < from + GLANCE_BYTES; at++) {
            if (counted.data[at] == 0) continue;
            const uint32_t inputs = atomic_fetch_add_explicit(&frontier->inputs[at], 1, memory_order_relaxed);
            if (inputs == 0 && count < FUZZ_COUNTERS) {
                frontier->owners[count] = NOBODY;
                frontier->places[count++] = at;
            }
            if (inputs < fewest) {
                fewest = inputs;
                rarest = at;
            }
        }
    }
    *out = (struct fuzz_reach){known, count - known, NOBODY};
    atomic_store(&frontier->place_count, count);
    if (count > known) return true;
    if (fewest == UINT32_MAX || fewest % ANOTHER_ONE_IN != 0) return false;
    for (uint32_t i = 0; i < known; i++)
        if (frontier->places[i] == rarest) out->entry = frontier->owners[i];
    return out->entry != NOBODY;
}

static void copy_entry(struct text *to, struct ndp_bytes input) {
    to->size_bytes = (uint32_t)input.size_bytes;
    memcpy(to->bytes, input.data, (size_t)input.size_bytes);
}

/* Finds a slot for a new entry, which owns no places yet. */
static uint32_t replace_entry(struct frontier *frontier) {
    const uint32_t count = atomic_load(&frontier->count);
    if (count < KEPT) return count;
    uint64_t tries[KEPT];
    uint32_t most = 0;
    count_tries(frontier, tries);
    for (uint32_t i = 1; i < KEPT; i++)
        if (tries[i] > tries[most]) most = i;
    for (uint32_t i = 0; i < atomic_load(&frontier->place_count); i++)
        if (frontier->owners[i] == (int32_t)most) frontier->owners[i] = NOBODY;
    return most;
}

void fuzz_rare_keep(const struct fuzz_reach *reach, struct ndp_bytes input) {
    struct frontier *frontier = shared();
    if (input.size_bytes == 0 || input.size_bytes > KEPT_BYTES) return;
    if (reach->entry != NOBODY) {
        copy_entry(&frontier->entries[reach->entry].another, input);
        return;
    }
    const uint32_t at = replace_entry(frontier);
    struct entry *entry = &frontier->entries[at];
    copy_entry(&entry->first, input);
    entry->another.size_bytes = 0;
    atomic_store(&entry->picks, 0);
    for (uint32_t i = 0; i < reach->new_count; i++) frontier->owners[reach->first_new + i] = (int32_t)at;
    if (at == atomic_load(&frontier->count)) atomic_store(&frontier->count, at + 1);
}

static bool is_wanted(const struct text *text, const struct fuzz_beginning *beginning) {
    if (!beginning) return true;
    return (strncmp((const char *)text->bytes, beginning->text, strlen(beginning->text)) == 0) == beginning->is_wanted;
}

bool fuzz_rare_pick(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_beginning *beginning,
                    struct ndp_bytes *out) {
    struct frontier *frontier = shared();
    const uint32_t count = atomic_load(&frontier->count);
    if (count == 0 || ndp_choose_rarely(choices, OTHERS_ONE_IN)) return false;
    uint64_t tries[KEPT];
    uint32_t at = KEPT;
    count_tries(frontier, tries);
    for (uint32_t i = 0; i < count && i < KEPT; i++)
        if (is_wanted(&frontier->entries[i].first, beginning) && (at == KEPT || tries[i] < tries[at])) at = i;
    if (at == KEPT) return false;
    struct entry *entry = &frontier->entries[at];
    atomic_fetch_add(&entry->picks, 1);
    const bool takes_another = entry->another.size_bytes > 0 && ndp_choose_rarely(choices, 2);
    const struct text *text = takes_another ? &entry->another : &entry->first;
    const uint32_t size = text->size_bytes;
    const uint8_t *bytes = size <= KEPT_BYTES ? ndp_arena_copy(arena, text->bytes, size) : NULL;
    if (bytes) *out = (struct ndp_bytes){bytes, size};
    return bytes != NULL;
}
