#include "target/reference/reference_graph.h"
#include "target/plugin_sink.h"

#include <stdlib.h>
#include <string.h>

#include "codec/graph/graph_stream.h"
#include "codec/graph/npz_graph.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/pickle/pickle_graph.h"
#include "target/reference/reference_array.h"
#include "target/reference/reference_joblib.h"
#include "target/reference/reference_pickle.h"

#define STREAM_BYTES_MAX  (UINT64_C(1) << 31)
#define OBJECTS_BYTES_MAX (UINT64_C(1) << 28)

static enum ndp_status encode_stream(const struct ndp_graph *graph, struct ndp_plugin_sink *outlet) {
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES_MAX);
    enum ndp_status status = ndp_graph_stream_add(&bytes, graph);
    if (status == NDP_OK) status = ndp_plugin_sink_write(outlet, bytes.data, bytes.size_bytes);
    return status;
}

/* Fills the form of a format such as "pickle:4". False for the control format. */
static bool find_form(const struct ndp_plugin_entry *entry, struct ndp_graph_form *out) {
    const int protocol = ndp_reference_pickle_protocol(entry->format);
    *out = (struct ndp_graph_form){.release = ndp_reference_pickle_release(entry->entry)};
    out->protocol = protocol >= 0 ? (uint32_t)protocol : 0;
    return protocol >= 0;
}

/* The protocol of numpy.save since 2.0, with names that every release of NumPy knows. */
static const struct ndp_graph_form npy_form = {.protocol = 4, .release = NDP_NUMPY_1};

/* The only member of an archive, named as in the Python testee. */
static const char npz_key[] = "a";

static bool format_is(const struct ndp_plugin_entry *entry, const char *format) {
    return strcmp(entry->format, format) == 0;
}

static enum ndp_status encode_npy(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                  struct ndp_plugin_sink *outlet, struct ndp_error *error) {
    const bool is_deflated = strcmp(entry->entry, "compressed") == 0;
    NDP_ARENA_SCOPED(arena, OBJECTS_BYTES_MAX);
    const enum ndp_status status =
        format_is(entry, "npy") ? ndp_npy_graph_encode(&arena, graph, &npy_form, ndp_plugin_sink_write, outlet, error)
                                : ndp_npz_graph_encode(&arena, graph, ndp_bytes_view(npz_key), is_deflated, &npy_form,
                                                       ndp_plugin_sink_write, outlet, error);
    return status;
}

static enum ndp_status decode_npz(struct ndp_bytes input, struct ndp_arena *arena, struct ndp_graph *out,
                                  struct ndp_error *error) {
    struct ndp_npz *npz = NULL;
    uint64_t index = 0;
    NDP_TRY(ndp_npz_open_memory(input, NULL, &npz, error));
    index = ndp_npz_count(npz);
    enum ndp_status status = ndp_npz_find(npz, ndp_bytes_view(npz_key), &index, error);
    if (status == NDP_OK) status = ndp_npz_graph_read(npz, arena, index, NULL, out, error);
    /* An archive of other members is a dict of arrays. */
    if (status == NDP_INVALID && index == ndp_npz_count(npz)) status = NDP_UNSUPPORTED;
    ndp_npz_free(npz);
    return status;
}

static enum ndp_status encode_pickle(const struct ndp_graph_form *form, const struct ndp_graph *graph,
                                     struct ndp_plugin_sink *outlet, struct ndp_error *error) {
    NDP_ARENA_SCOPED(arena, OBJECTS_BYTES_MAX);
    const enum ndp_status status = ndp_pickle_graph_encode(&arena, graph, form, ndp_plugin_sink_write, outlet, error);
    return status;
}

static enum ndp_status encode_format(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                     struct ndp_plugin_sink *outlet, struct ndp_error *error) {
    const int joblib = ndp_reference_joblib_protocol(entry->format);
    struct ndp_graph_form form;
    if (joblib >= 0)
        return ndp_reference_joblib_encode_graph(joblib, entry->entry, graph, ndp_plugin_sink_write, outlet, error);
    if (format_is(entry, "npy") || format_is(entry, "npz")) return encode_npy(entry, graph, outlet, error);
    return find_form(entry, &form) ? encode_pickle(&form, graph, outlet, error) : encode_stream(graph, outlet);
}

enum ndp_plugin_result ndp_reference_graph_encode(const struct ndp_plugin_entry *entry, const struct ndp_graph *graph,
                                                  ndp_plugin_write *write, void *sink,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_plugin_sink outlet = {write, sink};
    const enum ndp_status status = encode_format(entry, graph, &outlet, &error);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_array_refuse(status, &error, refusal);
}

static enum ndp_status decode_format(const struct ndp_plugin_entry *entry, struct ndp_bytes input,
                                     struct ndp_arena *arena, struct ndp_graph *out, struct ndp_error *error) {
    struct ndp_graph_form form;
    if (ndp_reference_joblib_protocol(entry->format) >= 0)
        return ndp_joblib_graph_decode(arena, input, &ndp_reference_joblib_options, out, error);
    if (format_is(entry, "npy")) return ndp_npy_graph_decode(arena, input, NULL, out, error);
    if (format_is(entry, "npz")) return decode_npz(input, arena, out, error);
    return find_form(entry, &form) ? ndp_pickle_graph_decode(arena, input, out, error)
                                   : ndp_graph_stream_read(arena, input, out, error);
}

enum ndp_plugin_result ndp_reference_graph_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                                  struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status status = decode_format(entry, (struct ndp_bytes){bytes, size_bytes}, arena, out, &error);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_array_refuse(status, &error, refusal);
}

/* Maps are opened with mmap_mode names. */
static enum ndp_plugin_result decode_file(const struct ndp_plugin_entry *entry, const char *path,
                                          struct ndp_arena *arena, struct ndp_graph *out, void **token,
                                          struct ndp_plugin_refusal *refusal) {
    static const char *const modes[] = {
#define MODE_WORD(name, word) "mmap:" word,
        NDP_MAP_MODE_LIST(MODE_WORD)
#undef MODE_WORD
    };
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_map *map = calloc(1, sizeof *map);
    uint32_t mode = 0;
    if (map == NULL) return ndp_reference_array_refuse(NDP_NOMEM, &error, refusal);
    while (strcmp(modes[mode], entry->entry) != 0) mode++;
    const enum ndp_status status = ndp_joblib_graph_decode_mapped(arena, path, (enum ndp_map_mode)mode,
                                                                  &ndp_reference_joblib_options, map, out, &error);
    if (status == NDP_OK) {
        *token = map;
        return NDP_PLUGIN_DONE;
    }
    free(map);
    return ndp_reference_array_refuse(status, &error, refusal);
}

static void release_map(void *token) {
    ndp_map_close(token);
    free(token);
}

/* Pickles are read and written by the reference's own code, which represents no functions. */
static bool takes_functions(const struct ndp_plugin_entry *entry) {
    return strcmp(entry->format, "graph") == 0;
}

bool ndp_reference_graph_takes_instances(const struct ndp_plugin_entry *entry) {
    return strcmp(entry->format, "graph") == 0;
}

#define ENTRIES                                                                                                        \
    {"graph", "memory", true, true}, {"npy", "memory", true, true}, {"npy", "file", true, true},                       \
        {"npz", "memory", true, true}, {"npz", "file", true, true}, {"npz", "compressed", true, false},                \
        NDP_PICKLE_ENTRIES, NDP_JOBLIB_GRAPH_ENTRIES

const struct ndp_plugin_entry ndp_reference_graph_entries[] = {ENTRIES, {NULL, NULL, false, false}};

/* Mapped entries need decode_file, which planted defects lack. */
static const struct ndp_plugin_entry all_entries[] = {ENTRIES, NDP_JOBLIB_MAP_ENTRIES, {NULL, NULL, false, false}};

const struct ndp_plugin_entry ndp_reference_graph_dump_entries[] = {
    NDP_JOBLIB_GRAPH_ENTRIES,
    {NULL, NULL, false, false},
};

const struct ndp_plugin_graph ndp_reference_graph = {
    .entries = all_entries,
    .encode = ndp_reference_graph_encode,
    .decode = ndp_reference_graph_decode,
    .decode_file = decode_file,
    .release = release_map,
    .takes_functions = takes_functions,
    .takes_instances = ndp_reference_graph_takes_instances,
};
