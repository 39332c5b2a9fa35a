/* dissect_joblib.c: the parts of a joblib dump.
 *
 * Problem: raw bytes of arrays interrupt the opcodes, and only the wrapper before them gives their size. Method: the
 * pickle reader of the reference runs first, with a hook that records where the bytes of each array are; then the
 * opcodes are listed around these places. When the reader fails, the places before the failure are known. Cost: two
 * passes over the opcodes. Limits: MAX_PLACES arrays; MAX_OUTPUT_BYTES of decompressed data. */
#include "cmd/dissect_joblib.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/dissect_pickle.h"
#include "cmd/dissect_text.h"
#include "codec/compress/compress.h"
#include "codec/joblib/joblib_wrapper.h"
#include "codec/pickle/pickle_read.h"

#define MAX_OUTPUT_BYTES (UINT64_C(256) << 20)
enum { PIECE_BYTES = 1 << 16, MAX_PLACES = 4096 };

/* Bytes after a wrapper: padding and elements, or a nested pickle of objects. */
struct place {
    uint64_t start_bytes;
    uint64_t raw_bytes; /* offset of the elements, after the padding */
    uint64_t end_bytes; /* as far as the file has them */
    const struct ndp_joblib_wrapper *wrapper;
};

/* The context of the hook. */
struct search {
    struct ndp_pickle_dtype_reader dtypes;
    struct place *places; /* MAX_PLACES */
    uint32_t count;
};

/* ---- the places of raw bytes ---- */

/* Takes padding and elements, as far as the input has them, and fills the place. */
static void take_elements(struct ndp_source *source, struct place *place) {
    struct ndp_bytes bytes;
    uint64_t left = source->size_bytes - source->at_bytes;
    if (place->wrapper->has_padding && ndp_source_take(source, 1, &bytes) == NDP_OK) {
        const uint8_t padding = bytes.data[0];
        left = source->size_bytes - source->at_bytes;
        source->at_bytes += padding < left ? padding : left;
    }
    left = source->size_bytes - source->at_bytes;
    place->raw_bytes = source->at_bytes;
    source->at_bytes += place->wrapper->size_bytes < left ? place->wrapper->size_bytes : left;
    place->end_bytes = source->at_bytes;
}

/* Records the place after a wrapper and replaces the wrapper by a RAW object, as codec/joblib/joblib_read.c does. */
static enum ndp_status after_build(void *context, struct ndp_objects *objects, struct ndp_source *source,
                                   struct ndp_object **top, struct ndp_error *error) {
    struct search *search = context;
    if (ndp_joblib_wrapper_kind(*top) != NDP_JOBLIB_ARRAY) return NDP_OK;
    struct ndp_joblib_wrapper *wrapper = NDP_ARENA_NEW(objects->arena, struct ndp_joblib_wrapper);
    struct ndp_object *object = ndp_object_new(objects, NDP_OBJECT_RAW);
    struct ndp_raw *raw = NDP_ARENA_NEW(objects->arena, struct ndp_raw);
    if (wrapper == NULL || object == NULL || raw == NULL) return NDP_NOMEM;
    if (search->count == MAX_PLACES)
        return ndp_error_set(error, NDP_LIMIT, (*top)->offset_bytes, "more than %d arrays", MAX_PLACES);
    search->dtypes.error = error;
    NDP_TRY(ndp_joblib_wrapper_read(&search->dtypes, *top, wrapper));
    struct place *place = &search->places[search->count++];
    *place = (struct place){.start_bytes = source->at_bytes, .wrapper = wrapper};
    *raw = (struct ndp_raw){.wrapper = *top, .parsed = wrapper, .offset_bytes = source->at_bytes};
    object->raw = raw;
    object->offset_bytes = (*top)->offset_bytes;
    *top = object;
    if (wrapper->has_objects) {
        struct ndp_pickle nested;
        place->end_bytes = source->size_bytes;
        NDP_TRY(ndp_pickle_read(objects, source, NULL, &nested, error));
        raw->nested = nested.root;
        place->end_bytes = source->at_bytes;
        return NDP_OK;
    }
    take_elements(source, place);
    raw->bytes = (struct ndp_bytes){source->data + place->raw_bytes, place->end_bytes - place->raw_bytes};
    if (raw->bytes.size_bytes == wrapper->size_bytes) return NDP_OK;
    return ndp_error_set(error, NDP_TRUNCATED, place->raw_bytes, "raw bytes of an array");
}

/* ---- printing ---- */

static void draw_place(const struct ndp_opcode_list *list, const struct place *place) {
    const struct ndp_joblib_wrapper *wrapper = place->wrapper;
    FILE *out = list->out;
    fprintf(out, "%*s%8" PRIu64 "  array: ", (int)list->indent, "", place->start_bytes);
    if (wrapper->has_objects) {
        fprintf(out, "a nested pickle of its objects, to byte %" PRIu64 "\n", place->end_bytes);
        return;
    }
    if (wrapper->has_padding)
        fprintf(out, "%" PRIu64 " bytes of padding with their length, ", place->raw_bytes - place->start_bytes);
    const uint64_t present = place->end_bytes - place->raw_bytes;
    fprintf(out, "%" PRIu64 " bytes of elements at byte %" PRIu64 "%s", wrapper->size_bytes, place->raw_bytes,
            wrapper->allow_mmap ? ", can be mapped" : "");
    if (present < wrapper->size_bytes) fprintf(out, "; %" PRIu64 " bytes are missing", wrapper->size_bytes - present);
    fputc('\n', out);
}

/* Lists the nested pickle of an array of objects. It has its own stack and memo. */
static enum ndp_status list_nested(const struct ndp_opcode_list *outer, const struct place *place) {
    struct ndp_opcode_list *list = NDP_ARENA_NEW(outer->objects->arena, struct ndp_opcode_list);
    if (list == NULL) return NDP_NOMEM;
    *list = (struct ndp_opcode_list){.out = outer->out,
                                     .objects = outer->objects,
                                     .bytes = outer->bytes,
                                     .at_bytes = place->start_bytes,
                                     .lines_left = outer->lines_left,
                                     .indent = outer->indent + 2};
    NDP_TRY(ndp_opcode_list_run(list, place->end_bytes));
    ndp_dissect_pickle_summary(list);
    return NDP_OK;
}

static enum ndp_status list_opcodes(struct ndp_opcode_list *list, const struct search *search) {
    for (uint32_t i = 0; i < search->count; i++) {
        const struct place *place = &search->places[i];
        NDP_TRY(ndp_opcode_list_run(list, place->start_bytes));
        if (list->at_bytes != place->start_bytes) break;
        draw_place(list, place);
        if (place->wrapper->has_objects) NDP_TRY(list_nested(list, place));
        list->at_bytes = place->end_bytes;
    }
    return ndp_opcode_list_run(list, list->bytes.size_bytes);
}

static enum ndp_status draw_dump(FILE *out, uint32_t indent, struct ndp_objects *objects, struct ndp_bytes bytes) {
    uint32_t lines_left = NDP_OPCODES_SHOWN;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    struct search search = {.dtypes = {.arena = objects->arena, .objects = objects}};
    struct ndp_source source = ndp_source_memory(bytes);
    const struct ndp_pickle_options options = {.after_build = after_build, .context = &search};
    struct ndp_pickle pickle;
    search.places = NDP_ARENA_ITEMS(objects->arena, struct place, MAX_PLACES);
    struct ndp_opcode_list *list = NDP_ARENA_NEW(objects->arena, struct ndp_opcode_list);
    if (search.places == NULL || list == NULL) return NDP_NOMEM;
    const enum ndp_status status = ndp_pickle_read(objects, &source, &options, &pickle, &error);
    if (status == NDP_NOMEM) return status;
    *list = (struct ndp_opcode_list){
        .out = out, .objects = objects, .bytes = bytes, .lines_left = &lines_left, .indent = indent};
    NDP_TRY(list_opcodes(list, &search));
    ndp_dissect_pickle_summary(list);
    if (status == NDP_OK) return ndp_dissect_pickle_arrays(out, indent, objects, pickle.root);
    if (list->error.status == NDP_OK) ndp_dissect_error(out, indent, 0, &error);
    return NDP_OK;
}

/* ---- compression ---- */

/* Fills `output` with the decompressed bytes up to the first error. */
static enum ndp_status decompress_all(struct ndp_decompressor *stream, struct ndp_buffer *output) {
    uint64_t got = 1;
    while (got > 0) {
        uint8_t piece[PIECE_BYTES];
        NDP_TRY(ndp_decompress_read(stream, piece, sizeof piece, &got));
        NDP_TRY(ndp_buffer_add(output, piece, got));
    }
    return NDP_OK;
}

static enum ndp_status decompress(enum ndp_compress_method method, struct ndp_bytes bytes, struct ndp_buffer *output,
                                  struct ndp_error *error) {
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_decompressor *stream = NULL;
    NDP_TRY(ndp_decompress_new(method, ndp_cursor_read, &cursor, NULL, &stream, error));
    enum ndp_status status = decompress_all(stream, output);
    const struct ndp_error *detail = ndp_decompress_error(stream);
    if (detail != NULL) *error = *detail;
    if (detail == NULL && status != NDP_OK)
        (void)ndp_error_set(error, status, NDP_NO_OFFSET, "decompressing: %s", ndp_status_text(status));
    ndp_decompress_free(stream);
    return status;
}

static enum ndp_status draw_compressed(FILE *out, uint32_t indent, struct ndp_objects *objects,
                                       enum ndp_compress_method method, struct ndp_bytes bytes) {
    NDP_BUFFER_SCOPED(output, MAX_OUTPUT_BYTES);
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const enum ndp_status packed = decompress(method, bytes, &output, &error);
    fprintf(out, "%*scompressed by %s: %" PRIu64 " bytes, decompressed %" PRIu64 "%s\n", (int)indent, "",
            ndp_compress_word(method), bytes.size_bytes, output.size_bytes, packed == NDP_OK ? "" : " up to an error");
    if (packed != NDP_OK) ndp_dissect_error(out, indent, 0, &error);
    return packed == NDP_NOMEM ? packed : draw_dump(out, indent, objects, ndp_buffer_view(&output));
}

enum ndp_status ndp_dissect_joblib(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes) {
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    struct ndp_objects objects;
    ndp_objects_init(&objects, arena);
    enum ndp_status status;
    if (method == NDP_COMPRESS_NONE) {
        fprintf(out, "%*snot compressed\n", (int)indent, "");
        status = draw_dump(out, indent, &objects, bytes);
    } else {
        status = draw_compressed(out, indent, &objects, method, bytes);
    }
    ndp_objects_clear(&objects);
    return status;
}
