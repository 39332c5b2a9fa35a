/* replay.c: a fuzz target without an engine: runs every file that is named, with any compiler. */
#include "fuzz.h"

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

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...\n", argv[0]);
        return 2;
    }
    int status = 0;
    for (int i = 1; i < argc; i++) status |= replay(argv[i]);
    return status;
}
