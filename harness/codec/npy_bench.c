/* npy_bench.c: speed and memory of the reference codec, beside NumPy's on the same file in the same run.
 *
 * Every figure is the best of several repetitions, ours and NumPy's in turns. NumPy is asked through
 * harness/testees/python/npy_numpy.py under build/venv; without that only our own figures are shown. Files lie in
 * memory
 * (/dev/shm) where there is such a place, so that no disk is measured. Ends with 1 when a figure is below its bound.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "codec/npy_decode.h"
#include "codec/npy_encode.h"

enum { REPEATS = 7, SMALL_TRIPS = 20000 };
#define BIG_BYTES (UINT64_C(256) << 20)
#define ROWS      INT64_C(4096)

/* Where both sides leave nearly all the work to the system, the same program measured twice differs by this much. */
#define NOISE 0.1

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void must(enum ndp_status status, const char *what) {
    if (status == NDP_OK) return;
    fprintf(stderr, "npy_bench: %s: %s\n", what, ndp_status_text(status));
    exit(3);
}

/* One array of 256 MiB. `is_fortran` is its order in memory. */
struct big {
    const char *name;
    enum ndp_byte_order order;
    bool is_fortran;
    bool is_strided; /* every other column of one twice as wide: 128 MiB */
};

static const struct big bigs[] = {
    {"contiguous", NDP_ORDER_LITTLE, false, false},
    {"byte-swapped", NDP_ORDER_BIG, false, false},
    {"fortran", NDP_ORDER_LITTLE, true, false},
    {"strided", NDP_ORDER_LITTLE, false, true},
};

static void fill_big(const struct big *big, struct ndp_dtype *dtype, struct ndp_layout *layout) {
    const int64_t shape[] = {ROWS, (int64_t)(BIG_BYTES / 8) / ROWS};
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_FLOAT, .order = big->order, .itemsize_bytes = 8};
    must(ndp_layout_contiguous(layout, shape, 2, 8, big->is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0), "layout");
    if (!big->is_strided) return;
    layout->shape[1] /= 2;
    layout->strides_bytes[1] *= 2;
}

static double encode_once(const struct ndp_elements *elements, const char *path) {
    (void)unlink(path);
    const double start = seconds();
    must(ndp_npy_encode_file(elements, 0, path, NULL), "encoding");
    return seconds() - start;
}

static double decode_once(const char *path) {
    struct ndp_arena arena;
    struct ndp_npy_array array;
    ndp_arena_init(&arena, 1 << 20);
    const double start = seconds();
    must(ndp_npy_decode_file(&arena, path, NULL, &array, NULL), "decoding");
    const double taken = seconds() - start;
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
    return taken;
}

/* The seconds of a round trip of an array of 1 KiB or less, through memory. */
static double bench_small(int64_t count) {
    static const uint8_t data[1024];
    const struct ndp_dtype dtype = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};
    const struct ndp_layout layout = {.ndim = 1, .shape = {count}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, data};
    const double start = seconds();
    for (int trip = 0; trip < SMALL_TRIPS; trip++) {
        struct ndp_arena arena;
        struct ndp_buffer bytes;
        struct ndp_npy_array array;
        ndp_arena_init(&arena, 1 << 20);
        ndp_buffer_init(&bytes, 1 << 20);
        must(ndp_npy_encode_buffer(&elements, 0, &bytes, NULL), "encoding");
        must(ndp_npy_decode_memory(&arena, ndp_buffer_view(&bytes), NULL, &array, NULL), "decoding");
        ndp_npy_array_clear(&array);
        ndp_buffer_clear(&bytes);
        ndp_arena_clear(&arena);
    }
    return (seconds() - start) / SMALL_TRIPS;
}

enum way { WAY_FILE, WAY_STREAM, WAY_MAP };

static enum ndp_status read_file(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    *got_bytes = fread(to, 1, (size_t)room_bytes, source);
    return NDP_OK;
}

/* The peak of a child that only decodes, in KiB above what it had before. */
static long peak_of_child(const char *path, enum way way) {
    int ends[2];
    long grown = -1;
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        struct rusage before;
        struct rusage after;
        struct ndp_arena arena;
        struct ndp_npy_array array;
        FILE *file = fopen(path, "rb");
        if (file == NULL) _exit(3);
        ndp_arena_init(&arena, 1 << 20);
        (void)getrusage(RUSAGE_SELF, &before);
        if (way == WAY_FILE) must(ndp_npy_decode_file(&arena, path, NULL, &array, NULL), "decoding");
        if (way == WAY_STREAM) must(ndp_npy_decode_stream(&arena, read_file, file, NULL, &array, NULL), "decoding");
        if (way == WAY_MAP) must(ndp_npy_decode_mapped(&arena, path, NDP_MAP_READ, NULL, &array, NULL), "mapping");
        (void)getrusage(RUSAGE_SELF, &after);
        grown = after.ru_maxrss - before.ru_maxrss;
        _exit(write(ends[1], &grown, sizeof(grown)) == (ssize_t)sizeof(grown) ? 0 : 3);
    }
    (void)close(ends[1]);
    if (child < 0 || read(ends[0], &grown, sizeof(grown)) != (ssize_t)sizeof(grown)) grown = -1;
    (void)close(ends[0]);
    if (child > 0) (void)waitpid(child, NULL, 0);
    return grown;
}

/* NumPy, on the other end of two pipes: a line with a task goes in, a line with seconds comes out. */
struct peer {
    FILE *to;
    FILE *from;
    pid_t child;
};

static void start_peer(struct peer *peer) {
    static const char python[] = "build/venv/bin/python";
    int in[2];
    int out[2];
    if (access(python, X_OK) != 0 || pipe(in) != 0 || pipe(out) != 0) return;
    peer->child = fork();
    if (peer->child == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)execl(python, python, "harness/testees/python/npy_numpy.py", (char *)NULL);
        _exit(127);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    peer->to = fdopen(in[1], "w");
    peer->from = fdopen(out[0], "r");
}

static void end_peer(struct peer *peer) {
    if (peer->child <= 0) return;
    (void)fclose(peer->to);
    (void)fclose(peer->from);
    (void)waitpid(peer->child, NULL, 0);
}

/* The seconds that a task took, or 0 when there is no NumPy. */
static double ask(const struct peer *peer, const char *task, const char *argument) {
    double taken = 0;
    if (peer->child <= 0) return 0;
    fprintf(peer->to, "%s %s\n", task, argument);
    (void)fflush(peer->to);
    if (fscanf(peer->from, "%lf", &taken) == 1) return taken;
    fprintf(stderr, "npy_bench: NumPy did not answer %s\n", task);
    exit(3);
}

/* The best of both, taken in turns so that the machine's moods meet them alike. */
struct best {
    double ours;
    double numpys;
};

static void keep_best(struct best *best, double ours, double numpys) {
    if (best->ours == 0 || ours < best->ours) best->ours = ours;
    if (numpys > 0 && (best->numpys == 0 || numpys < best->numpys)) best->numpys = numpys;
}

/* Prints a row and tells whether our rate is at least `bound` times NumPy's. `work` is done in those seconds. */
static bool show(const char *name, const char *unit, double work, struct best best, double bound) {
    printf("%-24s %10.0f %s", name, work / best.ours, unit);
    const double ratio = best.numpys / best.ours;
    const bool is_kept = best.numpys <= 0 || ratio >= (bound == 1.0 ? 1.0 - NOISE : bound);
    if (best.numpys > 0)
        printf("   numpy %10.0f   ratio %6.2f (at least %.2f)%s", work / best.numpys, ratio, bound,
               is_kept ? "" : "  BELOW");
    printf("\n");
    return is_kept;
}

static bool show_memory(const char *name, long grown_kib, long bound_kib) {
    const bool is_kept = grown_kib >= 0 && grown_kib <= bound_kib;
    printf("%-24s %12ld KiB   (at most %ld)%s\n", name, grown_kib, bound_kib, is_kept ? "" : "  OVER");
    return is_kept;
}

static bool bench_big(const struct big *big, const char *path, const uint8_t *data, const struct peer *numpy) {
    char name[64];
    char twin[640];
    struct ndp_dtype dtype;
    struct ndp_layout layout;
    struct best encode = {0};
    struct best decode = {0};
    fill_big(big, &dtype, &layout);
    const struct ndp_elements elements = {&dtype, &layout, data};
    const double mib = (double)(ndp_layout_count(&layout) * 8 >> 20);
    const double bound = big == bigs ? 0.9 : 1.0;
    (void)snprintf(twin, sizeof(twin), "%s.numpy.npy", path);
    (void)encode_once(&elements, path);
    (void)ask(numpy, big->is_strided ? "take-strided" : "take", path);
    for (int i = 0; i < REPEATS; i++) {
        keep_best(&encode, encode_once(&elements, path), ask(numpy, "save", twin));
        keep_best(&decode, decode_once(path), ask(numpy, "load", path));
    }
    (void)unlink(twin);
    (void)snprintf(name, sizeof(name), "encode %s", big->name);
    bool is_kept = show(name, "MiB/s", mib, encode, bound);
    (void)snprintf(name, sizeof(name), "decode %s", big->name);
    is_kept &= show(name, "MiB/s", mib, decode, bound);
    return is_kept;
}

static bool bench_memory(const char *path) {
    bool is_kept = show_memory("memory of a decode", peak_of_child(path, WAY_FILE), (long)(BIG_BYTES >> 10) + 1024);
    is_kept &= show_memory("memory of a stream", peak_of_child(path, WAY_STREAM), (long)(BIG_BYTES >> 10) + 1024);
    return show_memory("memory of a map", peak_of_child(path, WAY_MAP), 1024) && is_kept;
}

static bool bench_trips(const char *name, int64_t count, const struct peer *numpy) {
    char argument[16];
    struct best best = {0};
    (void)snprintf(argument, sizeof(argument), "%d", (int)count);
    for (int i = 0; i < REPEATS; i++) keep_best(&best, bench_small(count), ask(numpy, "trip", argument));
    return show(name, "trips/s", 1, best, 20);
}

int main(void) {
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char folder[64];
    char path[96];
    struct peer numpy = {0};
    bool is_kept = true;
    (void)snprintf(folder, sizeof(folder), "%s/ndproof-bench-XXXXXX", getenv("TMPDIR") == NULL ? parent : "/tmp");
    uint8_t *data = malloc(BIG_BYTES);
    if (mkdtemp(folder) == NULL || data == NULL) return 3;
    (void)snprintf(path, sizeof(path), "%s/a.npy", folder);
    for (uint64_t i = 0; i < BIG_BYTES; i++) data[i] = (uint8_t)(i * 7 + (i >> 12));
    start_peer(&numpy);
    if (numpy.child <= 0) printf("numpy: NOT RUN (there is no build/venv)\n");
    for (size_t i = 0; i < NDP_ARRAY_LEN(bigs); i++) {
        is_kept &= bench_big(&bigs[i], path, data, &numpy);
        if (i == 0) is_kept &= bench_memory(path);
    }
    is_kept &= bench_trips("trips of 8 bytes", 1, &numpy);
    is_kept &= bench_trips("trips of 1 KiB", 128, &numpy);
    end_peer(&numpy);
    free(data);
    (void)unlink(path);
    (void)rmdir(folder);
    return is_kept ? 0 : 1;
}
