/* pickle_bench.c: speed and memory of the codecs of pickles (protocol 5 in band) and of joblib's dumps, beside those of
 * NumPy and joblib in the same run.
 *
 * Every figure is the best of several repetitions, ours and theirs in turns. They are asked through
 * harness/testees/python/pickle_numpy.py under build/env/current or build/venv; without that only our own figures are
 * shown, and without joblib there none of it. Files lie in
 * memory (/dev/shm) where there is such a place. Ends with 1 when a figure is below its bound.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "codec/pickle_codec.h"

enum { REPEATS = 7, SMALL_TRIPS = 20000, BIG_ELEMS = 1 << 25 };
#define BIG_BYTES ((uint64_t)BIG_ELEMS * 8)

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void must(enum ndp_status status, const char *what) {
    if (status == NDP_OK) return;
    fprintf(stderr, "pickle_bench: %s: %s\n", what, ndp_status_text(status));
    exit(3);
}

static const struct ndp_dtype dtype = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};

/* What is measured. Encoders write to a file or to a buffer; decoders give everything back. */
struct codec {
    const char *name, *library;
    void (*encode)(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink);
    void (*decode_file)(const char *path);
    void (*decode_memory)(struct ndp_bytes bytes);
};

static void encode_pickle(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink) {
    static const struct ndp_array_form form = {.protocol = 5};
    struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_pickle_encode(&arena, elements, &form, NDP_NUMPY_2_3, write, sink, NULL, NULL), "encoding");
    ndp_arena_clear(&arena);
}

static void decode_pickle_file(const char *path) {
    struct ndp_arena arena;
    struct ndp_pickle_array array;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_pickle_decode_fd(&arena, fd, NULL, &array, NULL), "decoding");
    (void)close(fd);
    ndp_pickle_array_clear(&array);
    ndp_arena_clear(&arena);
}

static void decode_pickle_memory(struct ndp_bytes bytes) {
    struct ndp_arena arena;
    struct ndp_pickle_array array;
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_pickle_decode_memory(&arena, bytes, NULL, &array, NULL), "decoding");
    ndp_pickle_array_clear(&array);
    ndp_arena_clear(&arena);
}

/* As joblib.dump does when it is told nothing: protocol 4 under Python 3.8 to 3.13, aligned, not compressed. */
static void encode_joblib(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink) {
    static const struct ndp_joblib_output output = {
        .form = {.protocol = 4, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES}, .release = NDP_NUMPY_2_3};
    struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_joblib_encode(&arena, elements, &output, write, sink, NULL), "encoding");
    ndp_arena_clear(&arena);
}

static void decode_joblib_file(const char *path) {
    struct ndp_arena arena;
    struct ndp_npy_array array;
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_joblib_decode_file(&arena, path, NULL, &array, NULL), "decoding");
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

static void decode_joblib_memory(struct ndp_bytes bytes) {
    struct ndp_arena arena;
    struct ndp_npy_array array;
    ndp_arena_init(&arena, 1 << 20);
    must(ndp_joblib_decode_memory(&arena, bytes, NULL, &array, NULL), "decoding");
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

static const struct codec codecs[] = {
    {"pickle", "numpy", encode_pickle, decode_pickle_file, decode_pickle_memory},
    {"joblib", "joblib", encode_joblib, decode_joblib_file, decode_joblib_memory},
};

static double encode_once(const struct codec *codec, const struct ndp_elements *elements, const char *path) {
    (void)unlink(path);
    const double start = seconds();
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    codec->encode(elements, ndp_write_to_fd, &fd);
    (void)close(fd);
    return seconds() - start;
}

static double decode_once(const struct codec *codec, const char *path) {
    const double start = seconds();
    codec->decode_file(path);
    return seconds() - start;
}

/* The seconds of a round trip of an array of 1 KiB through memory. */
static double bench_small(const struct codec *codec) {
    static const uint8_t data[1024];
    const struct ndp_layout layout = {.ndim = 1, .shape = {128}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, data};
    const double start = seconds();
    for (int trip = 0; trip < SMALL_TRIPS; trip++) {
        struct ndp_buffer bytes;
        ndp_buffer_init(&bytes, 1 << 20);
        codec->encode(&elements, ndp_write_to_buffer, &bytes);
        codec->decode_memory(ndp_buffer_view(&bytes));
        ndp_buffer_clear(&bytes);
    }
    return (seconds() - start) / SMALL_TRIPS;
}

/* The peak of a child that only decodes, in KiB above what it had before. */
static long peak_of_child(const struct codec *codec, const char *path) {
    int ends[2];
    long grown = -1;
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        struct rusage before;
        struct rusage after;
        (void)getrusage(RUSAGE_SELF, &before);
        (void)decode_once(codec, path);
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

/* The libraries, on the other end of two pipes: a line with a task goes in, a line with seconds comes out. */
struct peer {
    FILE *to;
    FILE *from;
    pid_t child;
};

static void start_peer(struct peer *peer) {
    static const char *const pythons[] = {"build/env/current/bin/python3", "build/venv/bin/python"};
    const char *python = pythons[access(pythons[0], X_OK) == 0 ? 0 : 1];
    int in[2];
    int out[2];
    if (access(python, X_OK) != 0 || pipe(in) != 0 || pipe(out) != 0) return;
    peer->child = fork();
    if (peer->child == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)execl(python, python, "harness/testees/python/pickle_numpy.py", (char *)NULL);
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

/* The seconds that a task took, or 0 when there is no such library. */
static double ask(const struct peer *peer, const char *library, const char *task, const char *argument) {
    double taken = 0;
    if (peer->child <= 0) return 0;
    fprintf(peer->to, "%s %s %s\n", library, task, argument);
    (void)fflush(peer->to);
    if (fscanf(peer->from, "%lf", &taken) == 1) return taken;
    fprintf(stderr, "pickle_bench: %s did not answer %s\n", library, task);
    exit(3);
}

struct best {
    double ours;
    double theirs;
};

static void keep_best(struct best *best, double ours, double theirs) {
    if (best->ours == 0 || ours < best->ours) best->ours = ours;
    if (theirs > 0 && (best->theirs == 0 || theirs < best->theirs)) best->theirs = theirs;
}

/* Prints a row and tells whether our rate is at least `bound` times that of the library. */
static bool show(const struct codec *codec, const char *name, const char *unit, double work, struct best best,
                 double bound) {
    printf("%s %-18s %10.0f %s", codec->name, name, work / best.ours, unit);
    const double ratio = best.theirs / best.ours;
    const bool is_kept = best.theirs <= 0 || ratio >= bound;
    if (best.theirs > 0)
        printf("   %s %10.0f   ratio %6.2f (at least %.2f)%s", codec->library, work / best.theirs, ratio, bound,
               is_kept ? "" : "  BELOW");
    printf("\n");
    return is_kept;
}

static bool bench_big(const struct codec *codec, const char *path, const uint8_t *data, const struct peer *peer) {
    const struct ndp_layout layout = {.ndim = 1, .shape = {BIG_ELEMS}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, data};
    char twin[128];
    struct best encode = {0};
    struct best decode = {0};
    (void)snprintf(twin, sizeof(twin), "%s.theirs", path);
    for (int i = 0; i < REPEATS; i++) {
        keep_best(&encode, encode_once(codec, &elements, path), ask(peer, codec->library, "dump", twin));
        keep_best(&decode, decode_once(codec, path), ask(peer, codec->library, "load", path));
    }
    (void)unlink(twin);
    const double mib = (double)(BIG_BYTES >> 20);
    const bool is_kept = show(codec, "encode 256 MiB", "MiB/s", mib, encode, 0.9);
    return show(codec, "decode 256 MiB", "MiB/s", mib, decode, 0.9) && is_kept;
}

static bool bench_memory(const struct codec *codec, const char *path) {
    const long grown_kib = peak_of_child(codec, path);
    const long bound_kib = (long)(BIG_BYTES >> 10) + 1024;
    const bool is_kept = grown_kib >= 0 && grown_kib <= bound_kib;
    printf("%s %-18s %10ld KiB   (at most %ld)%s\n", codec->name, "memory of a decode", grown_kib, bound_kib,
           is_kept ? "" : "  OVER");
    return is_kept;
}

static bool bench(const struct codec *codec, const char *path, const uint8_t *data, const struct peer *peer) {
    struct best trips = {0};
    bool is_kept = bench_big(codec, path, data, peer);
    is_kept &= bench_memory(codec, path);
    for (int i = 0; i < REPEATS; i++) keep_best(&trips, bench_small(codec), ask(peer, codec->library, "trip", "128"));
    return show(codec, "trips of 1 KiB", "trips/s", 1, trips, 10) && is_kept;
}

int main(void) {
    const char *parent = access("/dev/shm", W_OK) == 0 && getenv("TMPDIR") == NULL ? "/dev/shm" : "/tmp";
    char folder[64], path[96], count[16];
    struct peer peer = {0};
    bool is_kept = true;
    (void)snprintf(folder, sizeof(folder), "%s/ndproof-bench-XXXXXX", parent);
    uint8_t *data = malloc(BIG_BYTES);
    if (mkdtemp(folder) == NULL || data == NULL) return 3;
    (void)snprintf(path, sizeof(path), "%s/a.pkl", folder);
    for (uint64_t i = 0; i < BIG_BYTES; i++) data[i] = (uint8_t)(i * 7 + (i >> 12));
    start_peer(&peer);
    if (peer.child <= 0) printf("numpy, joblib: NOT RUN (there is no build/venv)\n");
    (void)snprintf(count, sizeof(count), "%d", (int)BIG_ELEMS);
    (void)ask(&peer, "numpy", "make", count);
    for (size_t i = 0; i < NDP_ARRAY_LEN(codecs); i++) is_kept &= bench(&codecs[i], path, data, &peer);
    end_peer(&peer);
    free(data);
    (void)unlink(path);
    (void)rmdir(folder);
    return is_kept ? 0 : 1;
}
