/* pickle_bench.c: speed and memory of the codecs of pickles (protocol 5 in band) and of joblib's dumps, compared with
 * NumPy and joblib in the same run.
 *
 * harness/testees/python/pickle_numpy.py runs the libraries; without joblib its figures are missing.
 */
#include "codec/bench_peer.h"
#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_codec.h"

static const struct ndp_dtype dtype = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};

/* The codecs under measurement. Encoders write to a file or a buffer; decoders release their result. */
struct codec {
    const char *name, *library;
    void (*encode)(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink);
    void (*decode_file)(const char *path);
    void (*decode_memory)(struct ndp_bytes bytes);
};

static void encode_pickle(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink) {
    static const struct ndp_array_form form = {.protocol = 5};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_pickle_encode(&arena, elements, &form, NDP_NUMPY_2_3, write, sink, NULL, NULL), "encoding");
}

static void decode_pickle_file(const char *path) {
    struct ndp_pickle_array array;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_pickle_decode_fd(&arena, fd, NULL, &array, NULL), "decoding");
    (void)close(fd);
    ndp_pickle_array_clear(&array);
}

static void decode_pickle_memory(struct ndp_bytes bytes) {
    struct ndp_pickle_array array;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_pickle_decode_memory(&arena, bytes, NULL, &array, NULL), "decoding");
    ndp_pickle_array_clear(&array);
}

/* The defaults of joblib.dump: protocol 4 under Python 3.8 to 3.13, aligned, not compressed. */
static void encode_joblib(const struct ndp_elements *elements, ndp_write_bytes *write, void *sink) {
    static const struct ndp_joblib_output output = {
        .form = {.protocol = 4, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES}, .release = NDP_NUMPY_2_3};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_joblib_encode(&arena, elements, &output, write, sink, NULL), "encoding");
}

static void decode_joblib_file(const char *path) {
    struct ndp_npy_array array;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_joblib_decode_file(&arena, path, NULL, &array, NULL), "decoding");
    ndp_npy_array_clear(&array);
}

static void decode_joblib_memory(struct ndp_bytes bytes) {
    struct ndp_npy_array array;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    bench_must(ndp_joblib_decode_memory(&arena, bytes, NULL, &array, NULL), "decoding");
    ndp_npy_array_clear(&array);
}

static const struct codec codecs[] = {
    {"pickle", "numpy", encode_pickle, decode_pickle_file, decode_pickle_memory},
    {"joblib", "joblib", encode_joblib, decode_joblib_file, decode_joblib_memory},
};

static double encode_once(const struct codec *codec, const struct ndp_elements *elements, const char *path) {
    (void)unlink(path);
    const double start = bench_seconds();
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    codec->encode(elements, ndp_write_to_fd, &fd);
    (void)close(fd);
    return bench_seconds() - start;
}

static double decode_once(const struct codec *codec, const char *path) {
    const double start = bench_seconds();
    codec->decode_file(path);
    return bench_seconds() - start;
}

/* Seconds per round trip of an array of 1 KiB through memory. */
static double bench_small(const struct codec *codec, int trips) {
    static const uint8_t data[1024];
    const struct ndp_layout layout = {.ndim = 1, .shape = {128}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, data};
    const double start = bench_seconds();
    for (int trip = 0; trip < trips; trip++) {
        NDP_BUFFER_SCOPED(bytes, 1 << 20);
        codec->encode(&elements, ndp_write_to_buffer, &bytes);
        codec->decode_memory(ndp_buffer_view(&bytes));
    }
    return (bench_seconds() - start) / trips;
}

/* One codec and the library to compare with. */
struct bench {
    const struct codec *codec;
    const struct bench_place *place;
    unsigned size_mib;
    const struct bench_peer *peer;
};

static void decode_alone(const void *what) {
    const struct bench *bench = what;
    (void)decode_once(bench->codec, bench->place->path);
}

static double measure_library(const struct bench *bench, const char *task, const char *argument) {
    char line[64];
    (void)snprintf(line, sizeof(line), "%s %s", bench->codec->library, task);
    return bench_ask(bench->peer, line, argument);
}

static bool show_rate(const struct bench *bench, const char *what, const char *unit, double work,
                      struct bench_best best, double bound) {
    char name[64];
    const struct bench_row row = {name, unit, bench->codec->library, work, bound, 0};
    (void)snprintf(name, sizeof(name), "%s %s", bench->codec->name, what);
    return bench_show(&row, best);
}

static bool bench_big(const struct bench *bench) {
    const struct ndp_layout layout = {
        .ndim = 1, .shape = {(int64_t)(bench->place->data_bytes / 8)}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, bench->place->data};
    const char *const path = bench->place->path;
    char what[32], twin[640];
    struct bench_best encode = {0};
    struct bench_best decode = {0};
    (void)snprintf(twin, sizeof(twin), "%s.theirs", path);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        bench_keep(&encode, encode_once(bench->codec, &elements, path), measure_library(bench, "dump", twin));
        bench_keep(&decode, decode_once(bench->codec, path), measure_library(bench, "load", path));
    }
    (void)unlink(twin);
    (void)snprintf(what, sizeof(what), "encode %u MiB", bench->size_mib);
    const bool is_kept = show_rate(bench, what, "MiB/s", bench->size_mib, encode, 0.9);
    (void)snprintf(what, sizeof(what), "decode %u MiB", bench->size_mib);
    return show_rate(bench, what, "MiB/s", bench->size_mib, decode, 0.9) && is_kept;
}

static bool bench_codec(const struct bench *bench) {
    char name[64];
    struct bench_best trips = {0};
    bool is_kept = bench_big(bench);
    (void)snprintf(name, sizeof(name), "%s memory of a decode", bench->codec->name);
    is_kept &= bench_show_memory(name, bench_peak_kib(decode_alone, bench), (long)bench->size_mib * 1024 + 1024);
    for (int i = 0; i < BENCH_REPEATS; i++)
        bench_keep(&trips, bench_small(bench->codec, (int)bench->size_mib * BENCH_TRIPS_PER_MIB),
                   measure_library(bench, "trip", "128"));
    return show_rate(bench, "trips of 1 KiB", "trips/s", 1, trips, 10) && is_kept;
}

int bench_main(int argc, char **argv) {
    const unsigned size_mib = bench_size(argc, argv);
    char count[16];
    struct bench_place place;
    struct bench_peer peer;
    bool is_kept = true;
    bench_place_make(&place, (uint64_t)size_mib << 20);
    bench_peer_start(&peer, "harness/testees/python/pickle_numpy.py");
    if (peer.child <= 0) printf("numpy, joblib: NOT RUN (there is no build/venv)\n");
    (void)snprintf(count, sizeof(count), "%u", size_mib << 17);
    (void)bench_ask(&peer, "numpy make", count);
    for (size_t i = 0; i < NDP_ARRAY_LEN(codecs); i++) {
        const struct bench bench = {&codecs[i], &place, size_mib, &peer};
        is_kept &= bench_codec(&bench);
    }
    bench_peer_end(&peer);
    bench_place_clear(&place);
    return is_kept ? 0 : 1;
}
