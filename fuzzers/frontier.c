/* frontier.c: a ring in memory that the process of a target and that of a mutator share: under libFuzzer they are one;
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

/* The youngest of so many draws: what is new is worth trying first, and soon it is not the newest. */
enum { KEPT = 16, KEPT_BYTES = 16384, DRAWS = 3, OTHERS_ONE_IN = 3 };

struct frontier {
    _Atomic uint32_t count; /* of all that were ever kept */
    struct {
        uint32_t size_bytes;
        uint8_t bytes[KEPT_BYTES];
    } inputs[KEPT];
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

void fuzz_frontier_keep(struct ndp_bytes input) {
    struct frontier *frontier = shared();
    if (input.size_bytes == 0 || input.size_bytes > KEPT_BYTES) return;
    const uint32_t at = atomic_load(&frontier->count) % KEPT;
    memcpy(frontier->inputs[at].bytes, input.data, (size_t)input.size_bytes);
    frontier->inputs[at].size_bytes = (uint32_t)input.size_bytes;
    atomic_fetch_add(&frontier->count, 1);
}

bool fuzz_frontier_pick(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes *out) {
    const struct frontier *frontier = shared();
    const uint32_t count = atomic_load(&frontier->count), kept = count < KEPT ? count : KEPT;
    if (kept == 0 || ndp_choose_rarely(choices, OTHERS_ONE_IN)) return false;
    uint64_t age = kept - 1;
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t drawn = ndp_choose(choices, kept);
        if (drawn < age) age = drawn;
    }
    const uint32_t at = (count - 1 - (uint32_t)age) % KEPT, size = frontier->inputs[at].size_bytes;
    const uint8_t *copy = size <= KEPT_BYTES ? ndp_arena_copy(arena, frontier->inputs[at].bytes, size) : NULL;
    if (!copy) return false;
    *out = (struct ndp_bytes){copy, size};
    return true;
}
