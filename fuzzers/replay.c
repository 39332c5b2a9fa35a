/* replay.c: a fuzz target without an engine: runs every file that is named, with any compiler. Ends with 1 when a
 * promise was broken. What breaks one is named and not filed. */
#include "fuzz.h"

#include <time.h>

/* Reads the file into a heap block of exactly its size, so that a sanitizer sees the first byte behind it. */
static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return perror(path), 1;
    int status = 1;
    uint8_t *data = NULL;
    if (fseek(file, 0, SEEK_END) != 0) goto done;
    const long size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) goto done;
    data = malloc(size > 0 ? (size_t)size : 1);
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) goto done;
    status = LLVMFuzzerTestOneInput(data, (size_t)size);
done:
    if (status != 0) fprintf(stderr, "%s: cannot be read\n", path);
    free(data);
    fclose(file);
    return status;
}

/* Runs every file again and again for so many seconds, and says how many executions a second that was. */
static int measure(char **paths, int count, double seconds) {
    struct timespec start, now;
    uint64_t done = 0;
    double passed = 0;
    int status = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (; passed < seconds && status == 0; done += (uint64_t)count) {
        for (int i = 0; i < count; i++) status |= replay(paths[i]);
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
    }
    printf("%.0f\n", (double)done / passed);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...\n       %s -seconds=S FILE...   (prints executions per second)\n", argv[0],
                argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    if (strncmp(argv[1], "-seconds=", 9) == 0 && argc > 2)
        return measure(argv + 2, argc - 2, strtod(argv[1] + 9, NULL));
    int status = 0;
    for (int i = 1; i < argc; i++) status |= replay(argv[i]);
    return status == 0 && fuzz_hits() > 0 ? 1 : status;
}
