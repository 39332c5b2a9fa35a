/* npy_bench.c: speed and memory of the NPY reference codec, compared with NumPy on the same file in the same run.
 *
 * NumPy runs in harness/testees/python/npy_numpy.py.
 */
#include "codec/bench_peer.h"
#include "codec/npy/npy_decode.h"
#include "codec/npy/npy_encode.h"

#define ROWS INT64_C(4096)

/* Variation between runs of the same program when the operating system does nearly all the work. */
#define NOISE 0.1

/* Large arrays. `is_fortran` is the memory order. */
struct big {
    const char *name;
    enum ndp_byte_order order;
    bool is_fortran;
    bool is_strided; /* every second column: half the size */
};

static const struct big bigs[] = {
    {"contiguous", NDP_ORDER_LITTLE, false, false},
    {"byte-swapped", NDP_ORDER_BIG, false, false},
    {"fortran", NDP_ORDER_LITTLE, true, false},
    {"strided", NDP_ORDER_LITTLE, false, true},
};

static void fill_big(const struct big *big, uint64_t size_bytes, struct ndp_dtype *dtype, struct ndp_layout *layout) {
    const int64_t shape[] = {ROWS, (int64_t)(size_bytes / 8) / ROWS};
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_FLOAT, .order = big->order, .itemsize_bytes = 8};
    bench_must(ndp_layout_contiguous(layout, shape, 2, 8, big->is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0), "layout");
    if (!big->is_strided) return;
    layout->shape[1] /= 2;
    layout->strides_bytes[1] *= 2;
}

static double encode_once(const struct ndp_elements *elements, const char *path) {
    (void)unlink(path);
    const double start = bench_seconds();
    bench_must(ndp_npy_encode_file(elements, 0, path, NULL), "encoding");
    return bench_seconds() - start;
}

static double decode_once(const char *path) {
    struct ndp_arena arena;
    struct ndp_npy_array array;
    ndp_arena_init(&arena, 1 << 20);
    const double start = bench_seconds();
    bench_must(ndp_npy_decode_file(&arena, path, NULL, &array, NULL), "decoding");
    const double taken = bench_seconds() - start;
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
    return taken;
}

/* Returns the seconds of a round trip through memory for an array of at most 1 KiB. */
static double bench_small(int64_t count, int trips) {
    static const uint8_t data[1024];
    const struct ndp_dtype dtype = {.kind = NDP_KIND_FLOAT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8};
    const struct ndp_layout layout = {.ndim = 1, .shape = {count}, .strides_bytes = {8}};
    const struct ndp_elements elements = {&dtype, &layout, data};
    const double start = bench_seconds();
    for (int trip = 0; trip < trips; trip++) {
        struct ndp_arena arena;
        struct ndp_buffer bytes;
        struct ndp_npy_array array;
        ndp_arena_init(&arena, 1 << 20);
        ndp_buffer_init(&bytes, 1 << 20);
        bench_must(ndp_npy_encode_buffer(&elements, 0, &bytes, NULL), "encoding");
        bench_must(ndp_npy_decode_memory(&arena, ndp_buffer_view(&bytes), NULL, &array, NULL), "decoding");
        ndp_npy_array_clear(&array);
        ndp_buffer_clear(&bytes);
        ndp_arena_clear(&arena);
    }
    return (bench_seconds() - start) / trips;
}

enum entry { ENTRY_FILE, ENTRY_STREAM, ENTRY_MAP };

static enum ndp_status read_file(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    *got_bytes = fread(to, 1, (size_t)room_bytes, source);
    return NDP_OK;
}

struct decoding {
    const char *path;
    enum entry entry;
};

static void decode(const void *what) {
    const struct decoding *decoding = what;
    struct ndp_arena arena;
    struct ndp_npy_array array;
    FILE *file = fopen(decoding->path, "rb");
    if (file == NULL) _exit(3);
    ndp_arena_init(&arena, 1 << 20);
    switch (decoding->entry) {
    case ENTRY_FILE:
        bench_must(ndp_npy_decode_file(&arena, decoding->path, NULL, &array, NULL), "decoding");
        break;
    case ENTRY_STREAM:
        bench_must(ndp_npy_decode_stream(&arena, read_file, file, NULL, &array, NULL), "decoding");
        break;
    case ENTRY_MAP:
        bench_must(ndp_npy_decode_mapped(&arena, decoding->path, NDP_MAP_READ, NULL, &array, NULL), "mapping");
        break;
    }
}

static bool bench_memory(const char *name, const char *path, enum entry entry, long bound_kib) {
    const struct decoding decoding = {path, entry};
    return bench_show_memory(name, bench_peak_kib(decode, &decoding), bound_kib);
}

static bool bench_big(const struct big *big, const struct bench_place *place, const struct bench_peer *numpy) {
    char name[64], twin[640];
    struct ndp_dtype dtype;
    struct ndp_layout layout;
    struct bench_best encode = {0};
    struct bench_best decode = {0};
    const char *const path = place->path;
    fill_big(big, place->data_bytes, &dtype, &layout);
    const struct ndp_elements elements = {&dtype, &layout, place->data};
    (void)snprintf(twin, sizeof(twin), "%s.numpy.npy", path);
    (void)encode_once(&elements, path);
    (void)bench_ask(numpy, big->is_strided ? "take-strided" : "take", path);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        bench_keep(&encode, encode_once(&elements, path), bench_ask(numpy, "save", twin));
        bench_keep(&decode, decode_once(path), bench_ask(numpy, "load", path));
    }
    (void)unlink(twin);
    struct bench_row row = {name, "MiB/s", "numpy", (double)(ndp_layout_count(&layout) * 8 >> 20), 0.9, 0};
    if (big != bigs) {
        row.bound = 1.0;
        row.noise = NOISE;
    }
    (void)snprintf(name, sizeof(name), "encode %s", big->name);
    const bool is_kept = bench_show(&row, encode);
    (void)snprintf(name, sizeof(name), "decode %s", big->name);
    return bench_show(&row, decode) && is_kept;
}

static bool bench_trips(const char *name, int64_t count, int trips, const struct bench_peer *numpy) {
    const struct bench_row row = {name, "trips/s", "numpy", 1, 20, 0};
    char argument[16];
    struct bench_best best = {0};
    (void)snprintf(argument, sizeof(argument), "%d", (int)count);
    for (int i = 0; i < BENCH_REPEATS; i++)
        bench_keep(&best, bench_small(count, trips), bench_ask(numpy, "trip", argument));
    return bench_show(&row, best);
}

int bench_main(int argc, char **argv) {
    const unsigned size_mib = bench_size(argc, argv);
    const long whole_kib = (long)size_mib * 1024 + 1024;
    const int trips = (int)size_mib * BENCH_TRIPS_PER_MIB;
    struct bench_place place;
    struct bench_peer numpy;
    bool is_kept = true;
    bench_place_make(&place, (uint64_t)size_mib << 20);
    bench_peer_start(&numpy, "harness/testees/python/npy_numpy.py");
    if (numpy.child <= 0) printf("numpy: NOT RUN (build/venv is missing)\n");
    for (size_t i = 0; i < NDP_ARRAY_LEN(bigs); i++) {
        is_kept &= bench_big(&bigs[i], &place, &numpy);
        if (i > 0) continue;
        is_kept &= bench_memory("memory of a decode", place.path, ENTRY_FILE, whole_kib);
        is_kept &= bench_memory("memory of a stream", place.path, ENTRY_STREAM, whole_kib);
        is_kept &= bench_memory("memory of a map", place.path, ENTRY_MAP, 1024);
    }
    is_kept &= bench_trips("trips of 8 bytes", 1, trips, &numpy);
    is_kept &= bench_trips("trips of 1 KiB", 128, trips, &numpy);
    bench_peer_end(&numpy);
    bench_place_clear(&place);
    return is_kept ? 0 : 1;
}
