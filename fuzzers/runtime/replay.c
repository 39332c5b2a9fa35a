/* replay.c: the main() of a fuzz target without an engine: runs each named file. The exit code is 1 if a promise was
 * broken. Findings are printed and not filed. */
#include "fuzz.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>

enum { COST_WAYS = 16, COST_RUNS = 3 };

/* An input in a heap block of exactly its size, so that a sanitizer detects a read past its end. */
struct input {
    uint8_t *data; /* owned */
    size_t size;
};

/* Fills *out from the file at `path`; false when it cannot be read. */
static bool read_file(const char *path, struct input *out) {
    *out = (struct input){NULL, 0};
    FILE *file = fopen(path, "rb");
    if (!file) return perror(path), false;
    bool is_read = false;
    struct stat status;
    /* A folder can be opened but reports an endless size. */
    if (fstat(fileno(file), &status) != 0 || S_ISDIR(status.st_mode)) goto done;
    if (fseek(file, 0, SEEK_END) != 0) goto done;
    const long size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) goto done;
    *out = (struct input){malloc(size > 0 ? (size_t)size : 1), (size_t)size};
    is_read = out->data && fread(out->data, 1, out->size, file) == out->size;
done:
    if (!is_read) fprintf(stderr, "%s: cannot be read\n", path);
    fclose(file);
    return is_read;
}

static int run_files(const char *path) {
    struct input input;
    int status = 1;
    if (read_file(path, &input)) status = LLVMFuzzerTestOneInput(input.data, input.size);
    free(input.data);
    return status;
}

static double seconds_of(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The processor time of this process and of its testee. */
static double own_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) + (fuzz_testee_us ? (double)fuzz_testee_us() / 1e6 : 0);
}

/* Runs all inputs repeatedly for `seconds` and prints the executions per second of wall time and per second of
 * processor time (this process and its testee), which does not depend on the load. Each round selects other costly
 * checks: a minimised corpus keeps the inputs whose hash selects rare and costly paths, while a run takes each path as
 * often as its share. The first input runs once before the measurement, because the target opens its testee then. */
static int measure(char **paths, int count, double seconds) {
    uint64_t done = 0;
    double passed = 0;
    int status = 0;
    struct input *inputs = calloc((size_t)count, sizeof *inputs);
    for (int i = 0; inputs && i < count; i++) status |= !read_file(paths[i], &inputs[i]);
    if (inputs && status == 0) status = LLVMFuzzerTestOneInput(inputs[0].data, inputs[0].size);
    const double start = seconds_of(CLOCK_MONOTONIC), own_start = own_seconds();
    while (inputs && passed < seconds && status == 0) {
        for (int i = 0; i < count; i++) status |= LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
        done += (uint64_t)count;
        fuzz_next_round();
        passed = seconds_of(CLOCK_MONOTONIC) - start;
    }
    const double own = own_seconds() - own_start;
    if (passed > 0 && own > 0) printf("%.0f %.0f\n", (double)done / passed, (double)done / own);
    for (int i = 0; inputs && i < count; i++) free(inputs[i].data);
    free(inputs);
    return status;
}

/* The processor time of one run of an input, averaged over several turns. Each turn counts its fastest run, because
 * other load only adds time. */
static double cost_of(const struct input *input, int *status) {
    double seconds = 0;
    for (int way = 0; way < COST_WAYS; way++) {
        double least = HUGE_VAL;
        for (int run = 0; run < COST_RUNS; run++) {
            const double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
            *status |= LLVMFuzzerTestOneInput(input->data, input->size);
            least = fmin(least, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start);
        }
        seconds += least / COST_WAYS;
        fuzz_next_round();
    }
    return seconds;
}

/* Prints a line per file: the nanoseconds of a run, and the path. */
static int print_costs(char **paths, int count) {
    int status = 0;
    for (int i = 0; i < count; i++) {
        struct input input;
        if (!read_file(paths[i], &input)) return 1;
        printf("%.0f %s\n", cost_of(&input, &status) * 1e9, paths[i]);
        free(input.data);
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr,
                "usage: %s FILE...\n       %s -seconds=S FILE...   (prints executions per second)\n"
                "       %s -costs FILE...   (prints the nanoseconds that a run of each takes)\n",
                argv[0], argv[0], argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    if (strcmp(argv[1], "-costs") == 0) return print_costs(argv + 2, argc - 2);
    if (strncmp(argv[1], "-seconds=", 9) == 0 && argc > 2)
        return measure(argv + 2, argc - 2, strtod(argv[1] + 9, NULL));
    int status = 0;
    for (int i = 1; i < argc; i++) status |= run_files(argv[i]);
    return status == 0 && fuzz_hits() > 0 ? 1 : status;
}
