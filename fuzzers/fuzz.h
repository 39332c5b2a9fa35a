/* fuzz.h: what fuzz targets share. A target is one function; libFuzzer, AFL++ and replay.c all call it.
 * Source: LLVM 14, compiler-rt/include/fuzzer/FuzzerInterface.h. */
#ifndef NDP_FUZZ_H
#define NDP_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Judges one input (borrowed): returns 0, or ends the process when the oracle is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Rewrites `data` (the first `size` of `max_size` bytes) in place and returns its new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* The engine's own mutation of bytes; NULL where there is none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Ends the process, whatever the build, when a promise of the oracle does not hold. */
#define FUZZ_CHECK(promise) FUZZ_CHECK_OF("", promise)

/* As above, with a text that says of what. */
#define FUZZ_CHECK_OF(what, promise)                                                                                   \
    do {                                                                                                               \
        if (!(promise)) {                                                                                              \
            fprintf(stderr, "%s:%d: broken: %s %s\n", __FILE__, __LINE__, #promise, what);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Gives the path of a file with exactly these bytes (borrowed), good until the next call. The file has no name
 * of its own, so that nothing is left behind, however the process ends. */
static inline const char *fuzz_file(const uint8_t *data, size_t size) {
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        char name[256];
        const char *folder = getenv("TMPDIR");
        snprintf(name, sizeof name, "%s/ndproof-fuzz-XXXXXX", folder ? folder : "/tmp");
        fd = mkstemp(name);
        FUZZ_CHECK(fd >= 0 && unlink(name) == 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    FUZZ_CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

#endif
