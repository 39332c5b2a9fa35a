#include "mutate/mutation.h"

#include <fcntl.h>
#include <inttypes.h>

#include "base/rng.h"
#include "fuzz.h"

#define MARK "-mutation-"
enum { PATH_BYTES = 1280, STEP_BYTES = 1 << 24 };

/* A sanitizer calls these at the start of a report, and the last one when it ends the process; NULL without a
 * sanitizer. */
void __asan_on_error(void);
void __ubsan_on_report(void);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static const struct fuzz_mutation *current; /* NULL: no step is running */

void fuzz_mutation_begin(const struct fuzz_mutation *what) {
    current = what;
}

void fuzz_mutation_end(void) {
    current = NULL;
}

static bool write_step(const char *path, const struct fuzz_mutation *what) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return false;
    const struct ndp_bytes parts[] = {what->first, what->second};
    bool is_written = true;
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts) && is_written; i++)
        is_written = parts[i].size_bytes == 0 ||
                     write(fd, parts[i].data, (size_t)parts[i].size_bytes) == (ssize_t)parts[i].size_bytes;
    return close(fd) == 0 && is_written;
}

/* Replaces the engine's callback, which would write an empty input. */
static void keep_step(void) {
    char name[256], path[PATH_BYTES];
    const struct fuzz_mutation *what = current;
    if (!what) return;
    current = NULL;
    uint64_t hash = ndp_hash_bytes(what->first.data, (size_t)what->first.size_bytes, NDP_HASH_START ^ what->seed);
    hash = ndp_hash_bytes(what->second.data, (size_t)what->second.size_bytes, hash);
    snprintf(name, sizeof name, "%s%d-%" PRIx64 "-%" PRIx64 "-%" PRIx64 "-%016" PRIx64, &MARK[1], (int)what->way,
             what->seed, what->max_bytes, what->first.size_bytes, hash);
    fuzz_artifact_path(name, path, sizeof path);
    fprintf(stderr, "ndproof: fuzz_%s: the mutator has ended the process; %s %s\n", fuzz_name,
            write_step(path, what) ? "Test unit written to" : "cannot write", path);
}

static void is_reported(void) {
    if (current && __sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_step);
}

void __asan_on_error(void) {
    is_reported();
}

void __ubsan_on_report(void) {
    is_reported();
}

/* ---- repeating a step ---- */

/* Fills *out from the name of a file and its bytes (borrowed); false if the name is not that of a step. */
static bool read_step(const char *path, struct ndp_bytes bytes, struct fuzz_mutation *out) {
    const char *name = strrchr(path, '/');
    const char *at = strstr(name ? name : path, MARK);
    uint64_t way, size, hash;
    if (!at || sscanf(at + strlen(MARK), "%" SCNu64 "-%" SCNx64 "-%" SCNx64 "-%" SCNx64 "-%" SCNx64, &way, &out->seed,
                      &out->max_bytes, &size, &hash) != 5)
        return false;
    if (way > FUZZ_MUTATION_CROSS || size > bytes.size_bytes || out->max_bytes > STEP_BYTES) return false;
    out->way = (enum fuzz_mutation_way)way;
    out->first = (struct ndp_bytes){bytes.data, size};
    out->second = (struct ndp_bytes){bytes.data + size, bytes.size_bytes - size};
    return true;
}

void fuzz_mutate_again(const char *path) {
    struct fuzz_mutation what;
    if (!strstr(path, MARK)) return;
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file ? malloc(STEP_BYTES) : NULL;
    const size_t size = bytes ? fread(bytes, 1, STEP_BYTES, file) : 0;
    if (file) fclose(file);
    if (read_step(path, (struct ndp_bytes){bytes, size}, &what)) fuzz_mutation_run(&what);
    free(bytes);
}
