#include "planted/defect.h"

#include <stdio.h>
#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_encode.h"
#include "codec/npz/npz_read.h"
#include "codec/npz/npz_write.h"

enum { END_BYTES = 22, DIRECTORY_AT = 16, NAME_AT = 46, LOCAL_NAME_AT = 30, BYTES_MAX = 1 << 28 };

static const struct ndp_plugin_entry entries[] = {{"npz", "memory", true, true}, {NULL, NULL, false, false}};
static const struct ndp_plugin_entry npy = {"npy", "memory", true, true};

/* Writes two members with the same name, as tools that append to archives do. The first one is stale. */
static enum ndp_status write_twice(struct ndp_reference_scratch *scratch, struct ndp_buffer *bytes) {
    const struct ndp_elements *elements = &scratch->elements;
    struct ndp_layout layout = *elements->layout;
    const uint64_t size_bytes = ndp_layout_count(&layout) * elements->dtype->itemsize_bytes;
    uint8_t *stale = ndp_arena_alloc(&scratch->arena, size_bytes);
    if (stale == NULL) return NDP_NOMEM;
    memset(stale, 1, (size_t)size_bytes);
    NDP_TRY(ndp_layout_contiguous(&layout, elements->layout->shape, layout.ndim, elements->dtype->itemsize_bytes,
                                  NDP_MEMORY_C, 0));
    const struct ndp_npz_item items[] = {{.key = ndp_bytes_view("_"), .elements = {elements->dtype, &layout, stale}},
                                         {.key = ndp_bytes_view("a"), .elements = *elements}};
    NDP_TRY(ndp_npz_encode(items, 2, false, ndp_write_to_buffer, bytes, NULL));
    const uint64_t directory = ndp_load_u32le(bytes->data + bytes->size_bytes - END_BYTES + DIRECTORY_AT);
    if (directory + NAME_AT >= bytes->size_bytes) return NDP_LIMIT;
    bytes->data[LOCAL_NAME_AT] = bytes->data[directory + NAME_AT] = 'a';
    return NDP_OK;
}

static enum ndp_plugin_result encode(NDP_ENCODE_ARGUMENTS) {
    struct ndp_reference_scratch scratch = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    (void)entry;
    NDP_BUFFER_SCOPED(bytes, BYTES_MAX);
    ndp_reference_array_init(&scratch);
    enum ndp_status status = ndp_reference_array_read(&scratch, array, &error);
    if (status == NDP_OK) status = write_twice(&scratch, &bytes);
    if (status == NDP_OK && !write(sink, bytes.data, (size_t)bytes.size_bytes)) status = NDP_LIMIT;
    ndp_reference_array_clear(&scratch);
    if (status == NDP_OK) return NDP_PLUGIN_DONE;
    (void)ndp_reference_array_refuse(status == NDP_UNSUPPORTED ? NDP_INVALID : status, &error, refusal);
    return NDP_PLUGIN_REFUSED;
}

/* Decodes the first member with the right name. */
static enum ndp_status read_first(struct ndp_bytes bytes, struct ndp_buffer *out, struct ndp_error *error) {
    struct ndp_npz *npz = NULL;
    struct ndp_npz_member member = {.name = {NULL, 0}};
    NDP_TRY(ndp_npz_open_memory(bytes, NULL, &npz, error));
    uint64_t i = 0;
    while (i < ndp_npz_count(npz)) {
        ndp_npz_member(npz, i, &member);
        if (ndp_bytes_is_equal(member.name, ndp_bytes_view("a.npy"))) break;
        i++;
    }
    const enum ndp_status status = i < ndp_npz_count(npz) ? ndp_npz_read(npz, i, out, error) : NDP_INVALID;
    ndp_npz_free(npz);
    return status;
}

static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    (void)entry;
    NDP_BUFFER_SCOPED(content, BYTES_MAX);
    const enum ndp_status status = read_first((struct ndp_bytes){bytes, size_bytes}, &content, &error);
    const enum ndp_plugin_result result =
        status != NDP_OK
            ? ndp_reference_array_refuse(status, &error, refusal)
            : ndp_defect_decode(&npy, content.data, (size_t)content.size_bytes, path, as, out, token, refusal, NULL);
    return result;
}

NDP_PLANT_OF(first_member, entries, "values",
             "When an archive contains two members of one name, the first one is read.", encode, decode);
