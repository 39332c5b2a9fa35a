/* plugin_reference.c: the reference codecs (codec/) as a plugin, with which all other targets are compared. */
#include "target/plugin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/temporary.h"
#include "codec/data_memory.h"
#include "codec/npy/npy_encode.h"
#include "codec/npz/npz_read.h"
#include "codec/npz/npz_write.h"
#include "codec/raw/raw.h"
#include "target/plugin_sink.h"
#include "target/reference/reference_array.h"
#include "target/reference/reference_dict.h"
#include "target/reference/reference_graph.h"
#include "target/reference/reference_joblib.h"
#include "target/reference/reference_pickle.h"
#include "version.h"

/* Out-of-band buffers have functions of their own, which most planted defects lack. */
#define ENTRIES                                                                                                        \
    {"npy", "memory", true, true}, {"npy", "file", true, true}, {"npy", "mapped", true, false},                        \
        {"npy", "mmap:r", false, true}, {"npy", "mmap:r+", false, true}, {"npy", "mmap:c", false, true},               \
        {"raw", "memory", true, true}, {"raw", "file", true, true}, {"raw", "mapped", true, false},                    \
        {"raw", "mmap:r", false, true}, {"raw", "mmap:r+", false, true}, {"raw", "mmap:c", false, true},               \
        {"npz", "memory", true, true}, {"npz", "file", true, true}, {"npz", "compressed", true, false},                \
        NDP_PICKLE_ENTRIES, NDP_JOBLIB_ENTRIES

const struct ndp_plugin_entry ndp_reference_array_entries[] = {ENTRIES, {NULL, NULL, false, false}};

static const struct ndp_plugin_entry all_entries[] = {ENTRIES, NDP_PICKLE_APART_ENTRIES, {NULL, NULL, false, false}};

static enum ndp_status copy_file(int fd, struct ndp_plugin_sink *outlet, struct ndp_error *error) {
    uint8_t piece[65536];
    if (lseek(fd, 0, SEEK_SET) != 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "%s", strerror(errno));
    for (;;) {
        const ssize_t got = read(fd, piece, sizeof(piece));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot read back the encoded file: %s",
                                 strerror(errno));
        if (got == 0) return NDP_OK;
        NDP_TRY(ndp_plugin_sink_write(outlet, piece, (uint64_t)got));
    }
}

/* The Python testee uses the same name for the only member. */
static const char npz_key[] = "a";

static enum ndp_status encode_npz(const char *entry, const struct ndp_elements *elements, ndp_write_bytes *write,
                                  void *sink, struct ndp_error *error) {
    const struct ndp_npz_item item = {.key = ndp_bytes_view(npz_key), .elements = *elements};
    return ndp_npz_encode(&item, 1, ndp_bytes_word_is(entry, "compressed"), write, sink, error);
}

static enum ndp_status encode_to_file(const struct ndp_plugin_entry *entry, const struct ndp_elements *elements,
                                      uint64_t offset_bytes, int fd, const char *path, struct ndp_error *error) {
    const bool is_npy = ndp_bytes_word_is(entry->format, "npy");
    if (ndp_bytes_word_is(entry->format, "npz")) return encode_npz(entry->entry, elements, ndp_write_to_fd, &fd, error);
    if (ndp_bytes_word_is(entry->entry, "mapped"))
        return is_npy ? ndp_npy_encode_mapped(elements, 0, path, error)
                      : ndp_raw_encode_mapped(elements, offset_bytes, path, error);
    return is_npy ? ndp_npy_encode_fd(elements, 0, fd, error)
                  : ndp_raw_encode(elements, offset_bytes, ndp_write_to_fd, &fd, error);
}

/* The file exists only during the call. */
static enum ndp_status encode_by_file(const struct ndp_plugin_entry *entry, const struct ndp_elements *elements,
                                      uint64_t offset_bytes, struct ndp_plugin_sink *outlet, struct ndp_error *error) {
    char path[512];
    const int length = snprintf(path, sizeof(path), "%s/ndproof-encode-XXXXXX", ndp_temporary_parent());
    if (length < 0 || (size_t)length >= sizeof(path))
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "TMPDIR is too long");
    const int fd = mkstemp(path);
    if (fd < 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create a temporary file: %s", strerror(errno));
    enum ndp_status status = encode_to_file(entry, elements, offset_bytes, fd, path, error);
    if (status == NDP_OK) status = copy_file(fd, outlet, error);
    (void)unlink(path);
    (void)close(fd);
    return status;
}

static enum ndp_status encode_any(const struct ndp_plugin_entry *entry, const struct ndp_elements *elements,
                                  const struct ndp_plugin_array *array, struct ndp_plugin_sink *outlet,
                                  struct ndp_error *error) {
    const uint64_t offset_bytes = array->file_position_bytes;
    const int protocol = ndp_reference_pickle_protocol(entry->format);
    if (protocol >= 0)
        return ndp_reference_pickle_encode(protocol, entry->entry, elements, !array->is_writeable,
                                           ndp_plugin_sink_write, outlet, error);
    const int dump = ndp_reference_joblib_protocol(entry->format);
    if (dump >= 0)
        return ndp_reference_joblib_encode(dump, entry->entry, elements, ndp_plugin_sink_write, outlet, error);
    if (ndp_bytes_word_is(entry->entry, "compressed"))
        return encode_npz(entry->entry, elements, ndp_plugin_sink_write, outlet, error);
    if (!ndp_bytes_word_is(entry->entry, "memory")) return encode_by_file(entry, elements, offset_bytes, outlet, error);
    if (ndp_bytes_word_is(entry->format, "npz"))
        return encode_npz(entry->entry, elements, ndp_plugin_sink_write, outlet, error);
    if (ndp_bytes_word_is(entry->format, "npy"))
        return ndp_npy_encode(elements, 0, ndp_plugin_sink_write, outlet, error);
    return ndp_raw_encode(elements, offset_bytes, ndp_plugin_sink_write, outlet, error);
}

/* A value that the format cannot represent is REFUSED, not UNSUPPORTED, because the entry is claimed. */
static enum ndp_plugin_result encode(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal) {
    struct ndp_reference_scratch scratch = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_plugin_sink outlet = {write, sink};
    ndp_reference_array_init(&scratch);
    enum ndp_status status = ndp_reference_array_read(&scratch, array, &error);
    if (status == NDP_OK) status = encode_any(entry, &scratch.elements, array, &outlet, &error);
    ndp_reference_array_clear(&scratch);
    if (status == NDP_OK) return NDP_PLUGIN_DONE;
    (void)ndp_reference_array_refuse(status == NDP_UNSUPPORTED ? NDP_INVALID : status, &error, refusal);
    return NDP_PLUGIN_REFUSED;
}

static enum ndp_plugin_result encode_out_of_band(const struct ndp_plugin_entry *entry,
                                                 const struct ndp_plugin_array *array, ndp_plugin_write *write,
                                                 void *sink, ndp_plugin_write *give, void *buffers,
                                                 struct ndp_plugin_refusal *refusal) {
    struct ndp_reference_scratch scratch = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_plugin_sink outlet = {write, sink}, others = {give, buffers};
    struct ndp_blob buffer = {0};
    ndp_reference_array_init(&scratch);
    enum ndp_status status = ndp_reference_array_read(&scratch, array, &error);
    if (status == NDP_OK)
        status = ndp_reference_pickle_encode_out_of_band(entry->entry, &scratch.elements, !array->is_writeable,
                                                         ndp_plugin_sink_write, &outlet, &buffer, &error);
    if (status == NDP_OK && buffer.bytes.data != NULL)
        status = ndp_plugin_sink_write(&others, buffer.bytes.data, buffer.bytes.size_bytes);
    ndp_data_free(buffer.owned);
    ndp_reference_array_clear(&scratch);
    if (status == NDP_OK) return NDP_PLUGIN_DONE;
    (void)ndp_reference_array_refuse(status == NDP_UNSUPPORTED ? NDP_INVALID : status, &error, refusal);
    return NDP_PLUGIN_REFUSED;
}

static bool is_map_entry(const char *entry, enum ndp_map_mode *mode) {
    static const char *const words[] = {
#define MODE_WORD(name, word) "mmap:" word,
        NDP_MAP_MODE_LIST(MODE_WORD)
#undef MODE_WORD
    };
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        if (!ndp_bytes_word_is(entry, words[i])) continue;
        *mode = (enum ndp_map_mode)i;
        return true;
    }
    return false;
}

static enum ndp_status decode_npy(struct ndp_reference_token *token, const char *entry, struct ndp_bytes bytes,
                                  const char *path, struct ndp_error *error) {
    struct ndp_arena *arena = &token->scratch.arena;
    enum ndp_map_mode mode = NDP_MAP_READ;
    if (is_map_entry(entry, &mode)) return ndp_npy_decode_mapped(arena, path, mode, NULL, &token->array, error);
    if (ndp_bytes_word_is(entry, "memory")) return ndp_npy_decode_memory(arena, bytes, NULL, &token->array, error);
    return ndp_npy_decode_file(arena, path, NULL, &token->array, error);
}

static enum ndp_status decode_npz(struct ndp_reference_token *token, const char *entry, struct ndp_bytes bytes,
                                  const char *path, struct ndp_error *error) {
    struct ndp_npz *npz = NULL;
    uint64_t index = 0;
    NDP_TRY(ndp_bytes_word_is(entry, "memory") ? ndp_npz_open_memory(bytes, NULL, &npz, error)
                                               : ndp_npz_open_file(path, NULL, &npz, error));
    enum ndp_status status = ndp_npz_find(npz, ndp_bytes_view(npz_key), &index, error);
    if (status == NDP_OK) status = ndp_npz_read_array(npz, &token->scratch.arena, index, NULL, &token->array, error);
    ndp_npz_free(npz);
    return status;
}

static enum ndp_status decode_raw(struct ndp_reference_token *token, const char *entry, struct ndp_bytes bytes,
                                  const char *path, const struct ndp_plugin_array *as, struct ndp_error *error) {
    enum ndp_map_mode mode = NDP_MAP_READ;
    if (as == NULL) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "raw bytes need a dtype and a shape");
    NDP_TRY(ndp_reference_array_read(&token->scratch, as, error));
    const struct ndp_elements *elements = &token->scratch.elements;
    const struct ndp_raw_form form = {.dtype = elements->dtype,
                                      .shape = elements->layout->shape,
                                      .ndim = elements->layout->ndim,
                                      .order = ndp_npy_is_fortran_order(elements) ? NDP_MEMORY_F : NDP_MEMORY_C,
                                      .offset_bytes = as->file_position_bytes};
    if (is_map_entry(entry, &mode)) return ndp_raw_decode_mapped(&form, path, mode, &token->array, error);
    if (ndp_bytes_word_is(entry, "memory")) return ndp_raw_decode_memory(&form, bytes, &token->array, error);
    return ndp_raw_decode_file(&form, path, &token->array, error);
}

static enum ndp_status decode_any(struct ndp_reference_token *token, const struct ndp_plugin_entry *entry,
                                  struct ndp_bytes bytes, const char *path, const struct ndp_plugin_array *as,
                                  struct ndp_error *error) {
    if (ndp_reference_pickle_protocol(entry->format) >= 0)
        return ndp_reference_pickle_decode(token, entry->entry, bytes, path, error);
    if (ndp_reference_joblib_protocol(entry->format) >= 0)
        return ndp_reference_joblib_decode(token, entry->entry, bytes, path, error);
    if (ndp_bytes_word_is(entry->format, "npz")) return decode_npz(token, entry->entry, bytes, path, error);
    if (ndp_bytes_word_is(entry->format, "npy")) return decode_npy(token, entry->entry, bytes, path, error);
    return decode_raw(token, entry->entry, bytes, path, as, error);
}

/* Pickles and dumps read as an object are read from memory, because creating a file takes longer than the case. */
static bool takes_bytes(const struct ndp_plugin_entry *entry) {
    return ndp_reference_pickle_protocol(entry->format) >= 0 ||
           (ndp_reference_joblib_protocol(entry->format) >= 0 && ndp_bytes_word_is(entry->entry, "object"));
}

static void free_token(struct ndp_reference_token *token) {
    ndp_npy_array_clear(&token->array);
    ndp_buffer_clear(&token->dtype_text);
    ndp_reference_array_clear(&token->scratch);
    free(token);
}

/* Takes ownership of the token. */
static enum ndp_plugin_result give_decoded(struct ndp_reference_token *token, enum ndp_status status,
                                           const struct ndp_error *error, struct ndp_plugin_array *out,
                                           void **token_out, struct ndp_plugin_refusal *refusal) {
    if (status == NDP_OK) {
        ndp_reference_array_to_plugin(token, out);
        /* Metadata have a canonical form only as text. */
        if (ndp_dtype_has_metadata(out->dtype)) status = ndp_reference_array_print_dtype(token, out);
    }
    if (status == NDP_OK) {
        *token_out = token;
        return NDP_PLUGIN_DONE;
    }
    free_token(token);
    return ndp_reference_array_refuse(status, error, refusal);
}

static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token_out, struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const struct ndp_bytes input = {bytes, size_bytes};
    struct ndp_reference_token *token = calloc(1, sizeof(*token));
    if (token == NULL) return ndp_reference_array_refuse(NDP_NOMEM, &error, refusal);
    ndp_reference_array_init(&token->scratch);
    const enum ndp_status status = decode_any(token, entry, input, path, as, &error);
    return give_decoded(token, status, &error, out, token_out, refusal);
}

static enum ndp_plugin_result decode_out_of_band(const struct ndp_plugin_entry *entry, const void *bytes,
                                                 size_t size_bytes, const struct ndp_plugin_buffer *buffers,
                                                 uint32_t buffer_count, struct ndp_plugin_array *out, void **token_out,
                                                 struct ndp_plugin_refusal *refusal) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const struct ndp_bytes input = {bytes, size_bytes};
    struct ndp_reference_token *token = calloc(1, sizeof(*token));
    (void)entry;
    if (token == NULL) return ndp_reference_array_refuse(NDP_NOMEM, &error, refusal);
    ndp_reference_array_init(&token->scratch);
    const enum ndp_status status = ndp_reference_pickle_decode_out_of_band(token, input, buffers, buffer_count, &error);
    return give_decoded(token, status, &error, out, token_out, refusal);
}

static enum ndp_plugin_result flush(const struct ndp_plugin_array *array, void *token,
                                    struct ndp_plugin_refusal *refusal) {
    const struct ndp_reference_token *own = token;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    (void)array;
    const enum ndp_status status = ndp_map_flush(&own->array.map, &error);
    return status == NDP_OK ? NDP_PLUGIN_DONE : ndp_reference_array_refuse(status, &error, refusal);
}

static void release(struct ndp_plugin_array *array, void *token) {
    (void)array;
    if (token != NULL) free_token(token);
}

extern const struct ndp_plugin ndp_plugin_reference;
const struct ndp_plugin ndp_plugin_reference = {
    .abi = NDP_PLUGIN_ABI,
    .name = "reference",
    .version = NDP_VERSION,
    .kinds = "biufcSUVMmRA",
    .max_ndim = NDP_MAX_NDIM,
    .entries = all_entries,
    .encode = encode,
    .decode = decode,
    .flush = flush,
    .release = release,
    .graph = &ndp_reference_graph,
    .dict = &ndp_reference_dict,
    .encode_apart = encode_out_of_band,
    .decode_apart = decode_out_of_band,
    .takes_bytes = takes_bytes,
    .takes_dtype = true,
    .takes_threads = true,
};
