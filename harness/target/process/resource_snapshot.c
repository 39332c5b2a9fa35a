/* Counts resources of a process tree from /proc.
 *
 * Problem: a leak must be found in any language, without help from the testee, although counts fluctuate while a
 * runtime works.
 *
 * Method: sum the descriptors, file maps, shared memory names, temporary files and descendants of the tree; take LOOKS
 * samples and keep the minimum of each count.
 *
 * Cost: one pass over /proc per sample. Limits: at most MOST_LOOKED_INTO descendants and MAX_FILES entries per folder
 * are looked at.
 */
#include "target/process/resource_snapshot.h"

#include "base/words.h"
#include "target/process/isolate.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 2, LOOK_APART_NS = 1000000, MAX_FILES = 1 << 16, MOST_LOOKED_INTO = 64 };

NDP_WORDS(ndp_resource_snapshot_word, enum ndp_resource, NDP_RESOURCE_LIST, "?")

const char *ndp_resource_snapshot_text(enum ndp_resource resource) {
    static const char *const texts[] = {
#define TEXT(name, word, text) text,
        NDP_RESOURCE_LIST(TEXT)
#undef TEXT
    };
    return resource < NDP_RESOURCE_COUNT ? texts[resource] : "?";
}

/* Counts the entries of a folder and, down to `depth`, of the folders below it. `depth` is a constant of the caller, so
 * recursion is bounded. */
static uint64_t count_files(int parent, const char *path, uint32_t depth) {
    uint64_t count = 0;
    const int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        if (fd >= 0) (void)close(fd);
        return 0;
    }
    for (const struct dirent *entry = readdir(folder); entry && count < MAX_FILES; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        if (depth > 0) count += count_files(fd, entry->d_name, depth - 1);
    }
    (void)closedir(folder);
    return count;
}

/* Counts what the process sees in shared memory. Entries of ndproof itself are skipped, because they change with other
 * targets. */
static uint64_t count_shared(int process) {
    uint64_t count = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/root/dev/shm", process);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += entry->d_name[0] != '.' && strncmp(entry->d_name, "ndproof-", strlen("ndproof-")) != 0;
    (void)closedir(folder);
    return count;
}

/* Adds the file maps of one process. */
static bool count_maps(int process, uint64_t *out) {
    char path[64], *line = NULL;
    size_t room_bytes = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE *maps = fopen(path, "re");
    if (maps == NULL) return false;
    /* Only the last field of a line can contain a slash. */
    while (getline(&line, &room_bytes, maps) > 0) *out += strchr(line, '/') != NULL;
    free(line);
    (void)fclose(maps);
    return true;
}

static bool count_process(int process, struct ndp_resource_snapshot *out) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    if (!count_maps(process, &out->counts[NDP_RESOURCE_MAPS])) return false;
    out->counts[NDP_RESOURCE_DESCRIPTORS] += count_files(AT_FDCWD, path, 0);
    return true;
}

static enum ndp_status sample_counts(const struct ndp_resource_snapshot_scope *place,
                                     struct ndp_resource_snapshot *out) {
    int below[MOST_LOOKED_INTO];
    uint32_t count = ndp_isolate_tree_list(place->root, place->apart, below, MOST_LOOKED_INTO);
    if (place->apart != 0 && count < MOST_LOOKED_INTO) {
        below[count++] = place->process;
        count += ndp_isolate_tree_list(place->process, 0, below + count, MOST_LOOKED_INTO - count);
    }
    memset(out, 0, sizeof *out);
    if (!count_process(place->process, out)) return NDP_GONE;
    for (uint32_t i = 0; i < count && i < MOST_LOOKED_INTO; i++) {
        /* A process that has just ended has no resources. */
        if (below[i] != place->process) (void)count_process(below[i], out);
    }
    out->counts[NDP_RESOURCE_SHARED] = count_shared(place->process);
    out->counts[NDP_RESOURCE_FILES] = count_files(AT_FDCWD, place->folder, place->depth);
    out->counts[NDP_RESOURCE_CHILDREN] = count;
    return NDP_OK;
}

enum ndp_status ndp_resource_snapshot_take(const struct ndp_resource_snapshot_scope *place,
                                           struct ndp_resource_snapshot *out) {
    const struct timespec apart = {.tv_nsec = LOOK_APART_NS};
    struct ndp_resource_snapshot least;
    NDP_TRY(sample_counts(place, &least));
    for (int i = 1; i < LOOKS; i++) {
        struct ndp_resource_snapshot next;
        (void)nanosleep(&apart, NULL);
        NDP_TRY(sample_counts(place, &next));
        for (uint32_t k = 0; k < NDP_RESOURCE_COUNT; k++)
            if (next.counts[k] < least.counts[k]) least.counts[k] = next.counts[k];
    }
    *out = least;
    return NDP_OK;
}
