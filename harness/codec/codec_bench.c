/* codec_bench.c: measures the reference's codecs for harness/testees/python/bench_codecs.py, a line of input at a time.
 *
 * A line is FORMAT OPERATION ROWSxCOLUMNS DTYPE ORDER REPETITIONS PATH. FORMAT is npy, pickle (protocol 5, in band) or
 * joblib. OPERATION is encode, decode, stream or map (the file at PATH), or trip (encode and decode in memory). DTYPE
 * is <f8 or >f8, ORDER is C, F or S (every second column of an array in C order). The memory of the array contains the
 * native float64 0, 1, 2 and so on. The answer is the seconds of a repetition, the growth of the process's peak memory
 * in KiB, and the Adler-32 of the last decoded elements. Exits with 2 on an invalid line, with 3 if a codec fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "codec/joblib/joblib_read.h"
#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_decode.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_codec.h"

/* A decoder fills one of the two arrays. */
struct decoded {
    struct ndp_npy_array npy;
    struct ndp_pickle_array pickle;
};

static enum ndp_status npy_encode(struct ndp_arena *arena, const struct ndp_elements *elements, ndp_write_bytes *write,
                                  void *sink) {
    (void)arena;
    return ndp_npy_encode(elements, 0, write, sink, NULL);
}

static enum ndp_status npy_file(struct ndp_arena *arena, const char *path, struct decoded *out) {
    return ndp_npy_decode_file(arena, path, NULL, &out->npy, NULL);
}

static enum ndp_status read_file(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    *got_bytes = fread(to, 1, (size_t)room_bytes, source);
    return NDP_OK;
}

static enum ndp_status npy_stream(struct ndp_arena *arena, const char *path, struct decoded *out) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NDP_IO;
    const enum ndp_status status = ndp_npy_decode_stream(arena, read_file, file, NULL, &out->npy, NULL);
    (void)fclose(file);
    return status;
}

static enum ndp_status npy_map(struct ndp_arena *arena, const char *path, struct decoded *out) {
    return ndp_npy_decode_mapped(arena, path, NDP_MAP_READ, NULL, &out->npy, NULL);
}

static enum ndp_status npy_memory(struct ndp_arena *arena, struct ndp_bytes bytes, struct decoded *out) {
    return ndp_npy_decode_memory(arena, bytes, NULL, &out->npy, NULL);
}

static enum ndp_status pickle_encode(struct ndp_arena *arena, const struct ndp_elements *elements,
                                     ndp_write_bytes *write, void *sink) {
    static const struct ndp_array_form form = {.protocol = 5};
    return ndp_pickle_codec_encode(arena, elements, &form, NDP_NUMPY_2_3, write, sink, NULL, NULL);
}

static enum ndp_status pickle_file(struct ndp_arena *arena, const char *path, struct decoded *out) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const enum ndp_status status = ndp_pickle_codec_decode_fd(arena, fd, NULL, &out->pickle, NULL);
    (void)close(fd);
    return status;
}

static enum ndp_status pickle_memory(struct ndp_arena *arena, struct ndp_bytes bytes, struct decoded *out) {
    return ndp_pickle_codec_decode_memory(arena, bytes, NULL, &out->pickle, NULL);
}

/* The defaults of joblib.dump: protocol 4 under Python 3.8 to 3.13, aligned, not compressed. */
static enum ndp_status joblib_encode(struct ndp_arena *arena, const struct ndp_elements *elements,
                                     ndp_write_bytes *write, void *sink) {
    static const struct ndp_joblib_output output = {
        .form = {.protocol = 4, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES}, .release = NDP_NUMPY_2_3};
    return ndp_joblib_write_array(arena, elements, &output, write, sink, NULL);
}

static enum ndp_status joblib_file(struct ndp_arena *arena, const char *path, struct decoded *out) {
    return ndp_joblib_read_array_file(arena, path, NULL, &out->npy, NULL);
}

static enum ndp_status joblib_memory(struct ndp_arena *arena, struct ndp_bytes bytes, struct decoded *out) {
    return ndp_joblib_read_array_memory(arena, bytes, NULL, &out->npy, NULL);
}

struct operation {
    const char *format, *name;
    enum ndp_status (*encode)(struct ndp_arena *arena, const struct ndp_elements *elements, ndp_write_bytes *write,
                              void *sink);
    enum ndp_status (*decode_file)(struct ndp_arena *arena, const char *path, struct decoded *out);
    enum ndp_status (*decode_memory)(struct ndp_arena *arena, struct ndp_bytes bytes, struct decoded *out);
};

static const struct operation operations[] = {
    {"npy", "encode", npy_encode, NULL, NULL},
    {"npy", "decode", NULL, npy_file, NULL},
    {"npy", "stream", NULL, npy_stream, NULL},
    {"npy", "map", NULL, npy_map, NULL},
    {"npy", "trip", npy_encode, NULL, npy_memory},
    {"pickle", "encode", pickle_encode, NULL, NULL},
    {"pickle", "decode", NULL, pickle_file, NULL},
    {"pickle", "trip", pickle_encode, NULL, pickle_memory},
    {"joblib", "encode", joblib_encode, NULL, NULL},
    {"joblib", "decode", NULL, joblib_file, NULL},
    {"joblib", "trip", joblib_encode, NULL, joblib_memory},
};

static enum ndp_status encode_file(const struct operation *operation, const struct ndp_elements *elements,
                                   const char *path) {
    NDP_ARENA_SCOPED(arena, 1 << 20);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return NDP_IO;
    const enum ndp_status status = operation->encode(&arena, elements, ndp_write_to_fd, &fd);
    return close(fd) == 0 ? status : NDP_IO;
}

static enum ndp_status trip_memory(const struct operation *operation, const struct ndp_elements *elements,
                                   struct ndp_arena *arena, struct decoded *out) {
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    NDP_TRY(operation->encode(arena, elements, ndp_write_to_buffer, &bytes));
    return operation->decode_memory(arena, ndp_buffer_view(&bytes), out);
}

static double now_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The peak of this program alone: ru_maxrss would include that of the process that started it. */
static long peak_kib(void) {
    char line[128];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &kib) != 1) continue;
    if (file != NULL) (void)fclose(file);
    return kib;
}

static _Noreturn void stop(int code, const char *line, const char *reason) {
    fprintf(stderr, "codec_bench: %s: %s\n", line, reason);
    exit(code);
}

/* Gives the memory of at least `count` float64, which stays valid until the next call. */
static const double *memory_of(int64_t count) {
    static double *data;
    static int64_t room;
    if (count <= room) return data;
    free(data);
    data = malloc((size_t)count * sizeof *data);
    if (data == NULL) stop(3, "memory", "out of memory");
    for (room = 0; room < count; room++) data[room] = (double)room;
    return data;
}

static enum ndp_status run_once(const struct operation *operation, const struct ndp_elements *elements,
                                const char *path, struct ndp_arena *arena, struct decoded *out) {
    if (operation->decode_file != NULL) return operation->decode_file(arena, path, out);
    if (operation->decode_memory != NULL) return trip_memory(operation, elements, arena, out);
    return encode_file(operation, elements, path);
}

static uLong checksum_of(const struct decoded *out) {
    if (out->npy.data != NULL) return adler32_z(1, out->npy.data, (size_t)out->npy.header.size_bytes);
    return out->pickle.data != NULL ? adler32_z(1, out->pickle.data, (size_t)out->pickle.size_bytes) : 1;
}

/* The seconds end before the release of the last decoded array. */
static void measure(const char *line, const struct operation *operation, const struct ndp_elements *elements,
                    int repetitions, const char *path) {
    const long before_kib = peak_kib();
    const double start = now_seconds();
    for (int i = 0; i < repetitions; i++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        struct decoded out = {.npy = {.data = NULL}, .pickle = {.data = NULL}};
        const enum ndp_status status = run_once(operation, elements, path, &arena, &out);
        if (status != NDP_OK) stop(3, line, ndp_status_text(status));
        if (i + 1 == repetitions) {
            const double seconds = (now_seconds() - start) / repetitions;
            const long grown_kib = peak_kib() - before_kib;
            printf("%.12g %ld %lu\n", seconds, grown_kib, checksum_of(&out));
        }
        ndp_npy_array_clear(&out.npy);
        ndp_pickle_codec_array_clear(&out.pickle);
    }
    (void)fflush(stdout);
}

static void run_line(const char *line) {
    char format[8], name[8], dtype_text[4], order, path[512];
    long long rows, columns;
    int repetitions;
    struct ndp_layout layout;
    if (sscanf(line, "%7s %7s %lldx%lld %3s %c %d %511[^\n]", format, name, &rows, &columns, dtype_text, &order,
               &repetitions, path) != 8 ||
        repetitions < 1 || rows < 1 || columns < 1)
        stop(2, line, "expected FORMAT OPERATION ROWSxCOLUMNS DTYPE ORDER REPETITIONS PATH");
    const struct operation *operation = operations;
    const struct operation *const end = operations + NDP_ARRAY_LEN(operations);
    while (operation < end && (strcmp(operation->format, format) != 0 || strcmp(operation->name, name) != 0))
        operation++;
    if (operation == end) stop(2, line, "unknown format or operation");
    const struct ndp_dtype dtype = {
        .kind = NDP_KIND_FLOAT, .order = dtype_text[0] == '>' ? NDP_ORDER_BIG : NDP_ORDER_LITTLE, .itemsize_bytes = 8};
    const uint32_t ndim = rows > 1 ? 2 : 1;
    const int64_t shape[] = {rows, columns};
    if (ndp_layout_contiguous(&layout, shape + 2 - ndim, ndim, 8, order == 'F' ? NDP_MEMORY_F : NDP_MEMORY_C, 0) !=
        NDP_OK)
        stop(2, line, "invalid shape");
    if (order == 'S')
        for (uint32_t i = 0; i < ndim; i++) layout.strides_bytes[i] *= 2;
    const double *data = operation->encode != NULL ? memory_of(rows * columns * 2) : NULL;
    const struct ndp_elements elements = {&dtype, &layout, (const uint8_t *)data};
    measure(line, operation, &elements, repetitions, path);
}

int main(void) {
    char line[640];
    while (fgets(line, sizeof line, stdin) != NULL) run_line(line);
    return 0;
}
