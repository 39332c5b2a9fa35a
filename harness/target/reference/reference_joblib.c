#include "target/reference/reference_joblib.h"

#include <string.h>

#include "codec/joblib/joblib_graph.h"

enum { ARENA_BYTES = 1 << 28, LEVEL = 3 };

/* State of the process, like that of target/process/heap_meter.c. Functions of a plugin have no other place to keep
 * memory between small arrays, and allocating a compressor takes twenty times as long as using it. */
static struct ndp_block_pool pool = {.limit_bytes = UINT64_C(1) << 25};

/* In fuzzers (NDP_SMALL_PORTIONS, base/portion.h) inputs are small, and one decompression bomb would take the time of a
 * thousand of them. Elsewhere 0 leaves the defaults. */
#ifdef NDP_SMALL_PORTIONS
enum { UNPACKED_BYTES = 1 << 15, UNPACKER_BYTES = 1 << 24 };
#else
enum { UNPACKED_BYTES = 0, UNPACKER_BYTES = 0 };
#endif
const struct ndp_joblib_options ndp_reference_joblib_options = {
    .compress = {.output_bytes = UNPACKED_BYTES, .memory_bytes = UNPACKER_BYTES, .pool = &pool}};

const struct ndp_plugin_entry ndp_reference_joblib_entries[] = {NDP_JOBLIB_ENTRIES, {NULL, NULL, false, false}};

int ndp_reference_joblib_protocol(const char *format) {
    if (strncmp(format, "joblib:", 7) != 0 || format[7] < '0' || format[7] > '5') return -1;
    return format[7] - '0';
}

static struct ndp_joblib_output output_of(int protocol, const char *entry) {
    return (struct ndp_joblib_output){
        .form = {.protocol = (uint32_t)protocol, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
        .release = NDP_NUMPY_1, /* every release of NumPy knows its names */
        .method = ndp_compress_find(entry),
        .level = LEVEL,
        .pool = &pool};
}

enum ndp_status ndp_reference_joblib_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            ndp_write_bytes *write, void *sink, struct ndp_error *error) {
    const struct ndp_joblib_output output = output_of(protocol, entry);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const enum ndp_status status = ndp_joblib_write_array(&arena, elements, &output, write, sink, error);
    return status;
}

enum ndp_status ndp_reference_joblib_encode_graph(int protocol, const char *entry, const struct ndp_graph *graph,
                                                  ndp_write_bytes *write, void *sink, struct ndp_error *error) {
    const struct ndp_joblib_output output = output_of(protocol, entry);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const enum ndp_status status = ndp_joblib_graph_encode(&arena, graph, &output, write, sink, error);
    return status;
}

static enum ndp_status decode_from_memory(struct ndp_reference_token *token, const char *path,
                                          struct ndp_error *error) {
    struct ndp_map map = {0};
    NDP_TRY(ndp_map_open(path, NDP_MAP_READ, 0, NDP_MAP_REST, &map, error));
    const struct ndp_bytes bytes = {map.data, map.size_bytes};
    const enum ndp_status status =
        ndp_joblib_read_array_memory(&token->scratch.arena, bytes, &ndp_reference_joblib_options, &token->array, error);
    ndp_map_close(&map);
    return status;
}

enum ndp_status ndp_reference_joblib_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path, struct ndp_error *error) {
    static const char *const maps[] = {
#define MODE_WORD(name, word) "mmap:" word,
        NDP_MAP_MODE_LIST(MODE_WORD)
#undef MODE_WORD
    };
    struct ndp_arena *arena = &token->scratch.arena;
    if (path == NULL)
        return ndp_joblib_read_array_memory(arena, bytes, &ndp_reference_joblib_options, &token->array, error);
    if (strcmp(entry, "object") == 0) return decode_from_memory(token, path, error);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(maps); i++) {
        if (strcmp(entry, maps[i]) == 0)
            return ndp_joblib_read_array_mapped(arena, path, (enum ndp_map_mode)i, &ndp_reference_joblib_options,
                                                &token->array, error);
    }
    return ndp_joblib_read_array_file(arena, path, &ndp_reference_joblib_options, &token->array, error);
}
