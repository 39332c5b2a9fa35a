/* worker_fixture.h: plugins with moods that all worker processes share, and questions about children. */
#ifndef NDP_WORKER_FIXTURE_H
#define NDP_WORKER_FIXTURE_H

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/rng.h"
#include "planted/plugins_fixture.h"

/* In shared memory. Encoded arrays are counted from 1; 0 is never. */
struct moods {
    atomic_ullong encoded;
    uint64_t dies_at;     /* the process ends at this array */
    bool is_lasting;      /* and at each later one that is equal */
    uint64_t waits_from;  /* arrays from this one on are never encoded */
    atomic_ullong deadly; /* the hash of the array that ended a process */
    atomic_uint fds;      /* open in the process that encoded last */
};

/* The number of open fds of this process. */
static inline uint32_t count_fds(void) {
    uint32_t count = 0;
    for (int fd = 0; fd < 256; fd++) count += lseek(fd, 0, SEEK_CUR) != -1 || errno != EBADF;
    return count;
}

static inline struct moods *moods_shared(void) {
    static struct moods *shared;
    if (shared != NULL) return shared;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), sizeof *shared), 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    assert_true(shared != MAP_FAILED);
    assert_int_equal(fclose(file), 0);
    return shared;
}

static inline uint64_t moods_hash(const struct ndp_plugin_array *array) {
    uint64_t hash = NDP_HASH_START;
    bool has_items = array->data != NULL;
    for (uint32_t i = 0; i < array->ndim; i++) {
        hash =
            ndp_hash_bytes(&array->shape[i], sizeof array->shape[i], ndp_hash_bytes(&array->strides_bytes[i], 8, hash));
        has_items = has_items && array->shape[i] > 0;
    }
    if (has_items) hash = ndp_hash_bytes(array->data, array->itemsize_bytes, hash);
    return hash | 1;
}

static inline enum ndp_plugin_result moods_encode(const struct ndp_plugin_entry *entry,
                                                  const struct ndp_plugin_array *array, ndp_plugin_write *write,
                                                  void *sink, struct ndp_plugin_refusal *refusal) {
    struct moods *moods = moods_shared();
    moods->fds = count_fds();
    const uint64_t number = atomic_fetch_add(&moods->encoded, 1) + 1, hash = moods_hash(array);
    const bool is_first = moods->dies_at != 0 && number >= moods->dies_at && array->ndim > 1 && moods->deadly == 0;
    if (is_first) moods->deadly = hash;
    if (is_first || (moods->is_lasting && moods->deadly == hash)) abort();
    while (moods->waits_from != 0 && number >= moods->waits_from) (void)pause();
    return reference_plugin()->encode(entry, array, write, sink, refusal);
}

/* A plugin that encodes like the reference, with these moods. */
static inline struct ndp_plugin moody_plugin(const struct ndp_plugin *like, struct moods moods) {
    struct ndp_plugin plugin = *like;
    *moods_shared() = moods;
    plugin.encode = moods_encode;
    return plugin;
}

/* The test library catches these signals to fail a test; a worker must end by them. */
static inline void let_workers_die(void) {
    static const int caught[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
    const struct sigaction action = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < NDP_ARRAY_LEN(caught); i++) (void)sigaction(caught[i], &action, NULL);
}

static inline void remove_all(const char *folder, const char *pattern) {
    char full[128];
    glob_t found;
    snprintf(full, sizeof full, "%s%s", folder, pattern);
    if (glob(full, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) (void)remove(found.gl_pathv[i]);
    globfree(&found);
}

/* The parent folder of the temporary files of a suite, because workers that are killed leave theirs. */
static inline const char *workers_folder(void) {
    static char path[64];
    if (path[0] == '\0') snprintf(path, sizeof path, "/tmp/ndproof-workers-%ld", (long)getpid());
    return path;
}

/* The set-up and the tear-down of a suite with workers. */
static inline int workers_open(void **state) {
    return mkdir(workers_folder(), 0700) == 0 && setenv("TMPDIR", workers_folder(), 1) == 0 ? 0 : -1;
}

static inline int workers_close(void **state) {
    remove_all(workers_folder(), "/*/*");
    remove_all(workers_folder(), "/*");
    return rmdir(workers_folder());
}

static inline bool has_children(void) {
    return waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
}

#endif
