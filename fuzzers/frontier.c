/* frontier.c: a table in memory that the process of a target and that of a mutator share: under libFuzzer they are one;
 * under AFL++ both open the file that NDP_FUZZ_FRONTIER names. What another process may be writing is copied first and
 * judged by the reader of its form afterwards, as any input is. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "frontier.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "fuzz.h"

enum { KEPT = 256, KEPT_BYTES = 16384, OTHERS_ONE_IN = 3, NOBODY = -1 };

/* What an input has been worth: how often it was the start of another, and how many inputs before it, each made of the
 * one before, had brought something new. */
struct entry {
    _Atomic uint32_t picks;
    uint32_t depth;
    uint32_t size_bytes;
    uint8_t bytes[KEPT_BYTES];
};

struct frontier {
    _Atomic uint32_t count;
    _Atomic int32_t picked; /* the last one, and one more; 0 is none */
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

/* What has been tried less is worth more; what stands on others that were good, too. */
static double tried(const struct entry *entry) {
    return atomic_load(&entry->picks) / (1.0 + entry->depth);
}

static uint32_t most_tried(const struct frontier *frontier) {
    uint32_t most = 0;
    for (uint32_t i = 1; i < KEPT; i++)
        if (tried(&frontier->entries[i]) > tried(&frontier->entries[most])) most = i;
    return most;
}

void fuzz_frontier_keep(struct ndp_bytes input) {
    struct frontier *frontier = shared();
    if (input.size_bytes == 0 || input.size_bytes > KEPT_BYTES) return;
    const uint32_t count = atomic_load(&frontier->count), at = count < KEPT ? count : most_tried(frontier);
    const int32_t parent = atomic_load(&frontier->picked) - 1;
    const uint32_t depth = parent == NOBODY ? 0 : frontier->entries[parent].depth + 1;
    struct entry *entry = &frontier->entries[at];
    entry->size_bytes = (uint32_t)input.size_bytes;
    entry->depth = depth;
    memcpy(entry->bytes, input.data, (size_t)input.size_bytes);
    atomic_store(&entry->picks, 0);
    if (count < KEPT) atomic_store(&frontier->count, count + 1);
}

static bool is_wanted(const struct entry *entry, const struct fuzz_beginning *beginning) {
    if (!beginning) return true;
    return (strncmp((const char *)entry->bytes, beginning->text, strlen(beginning->text)) == 0) == beginning->is_wanted;
}

bool fuzz_frontier_pick(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_beginning *beginning,
                        struct ndp_bytes *out) {
    struct frontier *frontier = shared();
    const uint32_t count = atomic_load(&frontier->count);
    atomic_store(&frontier->picked, 0);
    if (count == 0 || ndp_choose_rarely(choices, OTHERS_ONE_IN)) return false;
    uint32_t at = KEPT;
    for (uint32_t i = 0; i < count && i < KEPT; i++) {
        if (!is_wanted(&frontier->entries[i], beginning)) continue;
        if (at == KEPT || tried(&frontier->entries[i]) < tried(&frontier->entries[at])) at = i;
    }
    if (at == KEPT) return false;
    struct entry *entry = &frontier->entries[at];
    atomic_fetch_add(&entry->picks, 1);
    const uint32_t size = entry->size_bytes;
    const uint8_t *copy = size <= KEPT_BYTES ? ndp_arena_copy(arena, entry->bytes, size) : NULL;
    if (!copy) return false;
    atomic_store(&frontier->picked, (int32_t)at + 1);
    *out = (struct ndp_bytes){copy, size};
    return true;
}
