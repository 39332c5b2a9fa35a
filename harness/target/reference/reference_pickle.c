#include "target/reference/reference_pickle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "codec/pickle/pickle_codec.h"

enum { ARENA_BYTES = 1 << 28, FILE_BYTES_MAX = 1 << 30, PIECE_BYTES = 1 << 16 };

const struct ndp_plugin_entry ndp_reference_pickle_entries[] = {NDP_PICKLE_ENTRIES, {NULL, NULL, false, false}};

int ndp_reference_pickle_protocol(const char *format) {
    if (strncmp(format, "pickle:", 7) != 0 || format[7] < '0' || format[7] > '5') return -1;
    return format[7] - '0';
}

enum ndp_numpy_release ndp_reference_pickle_release(const char *entry) {
    return strcmp(entry, "c") == 0 ? NDP_NUMPY_2_3 : NDP_NUMPY_1;
}

enum ndp_status ndp_reference_pickle_encode(int protocol, const char *entry, const struct ndp_elements *elements,
                                            bool is_readonly, ndp_write_bytes *write, void *sink,
                                            struct ndp_error *error) {
    const struct ndp_array_form form = {.protocol = (uint32_t)protocol, .is_readonly = is_readonly};
    const enum ndp_numpy_release release = ndp_reference_pickle_release(entry);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const enum ndp_status status = ndp_pickle_codec_encode(&arena, elements, &form, release, write, sink, NULL, error);
    return status;
}

enum ndp_status ndp_reference_pickle_encode_out_of_band(const char *entry, const struct ndp_elements *elements,
                                                        bool is_readonly, ndp_write_bytes *write, void *sink,
                                                        struct ndp_blob *buffer, struct ndp_error *error) {
    const struct ndp_array_form form = {.protocol = 5, .is_out_of_band = true, .is_readonly = is_readonly};
    const enum ndp_numpy_release release = ndp_reference_pickle_release(entry);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    const enum ndp_status status =
        ndp_pickle_codec_encode(&arena, elements, &form, release, write, sink, buffer, error);
    return status;
}

static enum ndp_status read_whole(FILE *file, struct ndp_arena *arena, struct ndp_bytes *out) {
    uint8_t piece[4096];
    enum ndp_status status = NDP_OK;
    NDP_BUFFER_SCOPED(bytes, FILE_BYTES_MAX);
    for (size_t got = 1; got > 0 && status == NDP_OK;) {
        got = fread(piece, 1, sizeof(piece), file);
        status = ndp_buffer_add(&bytes, piece, got);
    }
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, bytes.data, bytes.size_bytes) : NULL;
    *out = (struct ndp_bytes){copy, bytes.size_bytes};
    if (status == NDP_OK && copy == NULL) return NDP_NOMEM;
    return ferror(file) ? NDP_IO : status;
}

static enum ndp_status decode(struct ndp_arena *arena, FILE *file, bool is_stream, struct ndp_pickle_array *array,
                              struct ndp_error *error) {
    struct ndp_bytes bytes;
    if (is_stream) return ndp_pickle_codec_decode_fd(arena, fileno(file), NULL, array, error);
    const enum ndp_status status = read_whole(file, arena, &bytes);
    if (status != NDP_OK)
        return ndp_error_set(error, status, NDP_NO_OFFSET, "cannot read the pickle: %s", ndp_status_text(status));
    return ndp_pickle_codec_decode_memory(arena, bytes, NULL, array, error);
}

static void keep_buffer(struct ndp_reference_token *token, const struct ndp_pickle_array *array) {
    token->array = (struct ndp_npy_array){.header = {.dtype = array->dtype, .ndim = array->layout.ndim},
                                          .layout = array->layout,
                                          .data = array->data,
                                          .owns_data = true,
                                          .consumed_bytes = array->consumed_bytes};
    token->is_readonly = !array->is_writeable;
}

enum ndp_status ndp_reference_pickle_decode_out_of_band(struct ndp_reference_token *token, struct ndp_bytes bytes,
                                                        const struct ndp_plugin_buffer *buffers, uint32_t buffer_count,
                                                        struct ndp_error *error) {
    struct ndp_pickle_array array = {0};
    struct ndp_pickle_buffer *own = NDP_ARENA_ITEMS(&token->scratch.arena, struct ndp_pickle_buffer, buffer_count);
    if (own == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "out of memory for the buffers");
    for (uint32_t i = 0; i < buffer_count; i++)
        own[i] = (struct ndp_pickle_buffer){{buffers[i].data, buffers[i].size_bytes}, false};
    const struct ndp_pickle_input input = {own, buffer_count};
    NDP_TRY(ndp_pickle_codec_decode_memory(&token->scratch.arena, bytes, &input, &array, error));
    keep_buffer(token, &array);
    return NDP_OK;
}

/* Reads a struct ndp_cursor in pieces, as from a pipe. */
static enum ndp_status read_piece(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    return ndp_cursor_read(from, to, room_bytes < PIECE_BYTES ? room_bytes : PIECE_BYTES, got_bytes);
}

static enum ndp_status decode_path(struct ndp_arena *arena, const char *path, bool is_stream,
                                   struct ndp_pickle_array *array, struct ndp_error *error) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot open the file: %s", strerror(errno));
    const enum ndp_status status = decode(arena, file, is_stream, array, error);
    (void)fclose(file);
    return status;
}

enum ndp_status ndp_reference_pickle_decode(struct ndp_reference_token *token, const char *entry,
                                            struct ndp_bytes bytes, const char *path, struct ndp_error *error) {
    struct ndp_arena *arena = &token->scratch.arena;
    struct ndp_pickle_array array = {0};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const bool is_stream = strcmp(entry, "c") == 0;
    NDP_TRY(path != NULL ? decode_path(arena, path, is_stream, &array, error)
            : is_stream  ? ndp_pickle_codec_decode_stream(arena, read_piece, &cursor, NULL, &array, error)
                         : ndp_pickle_codec_decode_memory(arena, bytes, NULL, &array, error));
    keep_buffer(token, &array);
    return NDP_OK;
}
