#include "planted/defect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/strided.h"
#include "describe/json_write.h"

enum { BYTES_MAX = 1 << 30 };

static enum ndp_plugin_result refuse_no_memory(struct ndp_plugin_refusal *refusal) {
    if (refusal != NULL) {
        (void)snprintf(refusal->reason, sizeof(refusal->reason), "memory");
        (void)snprintf(refusal->message, sizeof(refusal->message), "out of memory");
    }
    return NDP_PLUGIN_REFUSED;
}

static bool defect_init(struct ndp_defect *defect, const struct ndp_plugin_array *inner) {
    const size_t text_bytes = strlen(inner->dtype_json) + 1;
    defect->inner = *inner;
    defect->array = *inner;
    for (uint32_t k = 0; k < inner->ndim; k++) {
        defect->shape[k] = inner->shape[k];
        defect->strides_bytes[k] = inner->strides_bytes[k];
    }
    defect->dtype_json = malloc(text_bytes);
    if (defect->dtype_json == NULL) return false;
    memcpy(defect->dtype_json, inner->dtype_json, text_bytes);
    return true;
}

/* The changed array, with pointers into `defect`. */
static struct ndp_plugin_array changed_array(const struct ndp_defect *defect) {
    struct ndp_plugin_array array = defect->array;
    array.shape = defect->shape;
    array.strides_bytes = defect->strides_bytes;
    array.dtype_json = defect->dtype_json;
    return array;
}

static void defect_clear(struct ndp_defect *defect) {
    free(defect->dtype_json);
    free(defect->own_data);
}

enum ndp_plugin_result ndp_defect_decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                         const char *path, const struct ndp_plugin_array *as,
                                         struct ndp_plugin_array *out, void **token, struct ndp_plugin_refusal *refusal,
                                         ndp_defect_change *change) {
    struct ndp_plugin_array inner = {0};
    void *inner_token = NULL;
    const enum ndp_plugin_result result =
        ndp_plugin_reference.decode(entry, bytes, size_bytes, path, as, &inner, &inner_token, refusal);
    if (result != NDP_PLUGIN_DONE) return result;
    struct ndp_defect *defect = calloc(1, sizeof(*defect));
    const bool is_spelt =
        defect != NULL && (inner.dtype_json != NULL || ndp_reference_array_print_dtype(inner_token, &inner) == NDP_OK);
    if (!is_spelt || !defect_init(defect, &inner)) {
        free(defect);
        ndp_plugin_reference.release(&inner, inner_token);
        return refuse_no_memory(refusal);
    }
    defect->inner_token = inner_token;
    if (change != NULL) change(entry, defect);
    *out = changed_array(defect);
    *token = defect;
    return NDP_PLUGIN_DONE;
}

/* Reads the whole input of a decoder, which is either in memory or a file. */
static bool read_input(struct ndp_buffer *to, const void *bytes, size_t size_bytes, const char *path) {
    uint8_t piece[4096];
    if (bytes != NULL) return ndp_buffer_add(to, bytes, size_bytes) == NDP_OK;
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL) return false;
    bool is_read = true;
    for (size_t got = 1; got > 0 && is_read;) {
        got = fread(piece, 1, sizeof(piece), file);
        is_read = ndp_buffer_add(to, piece, got) == NDP_OK;
    }
    return fclose(file) == 0 && is_read;
}

enum ndp_plugin_result ndp_defect_decode_repaired(const struct ndp_plugin_entry *entry, const void *bytes,
                                                  size_t size_bytes, const char *path,
                                                  const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                                  void **token, struct ndp_plugin_refusal *refusal,
                                                  ndp_defect_change_input *change_input) {
    static const struct ndp_plugin_entry from_memory = {"npy", "memory", false, true};
    enum ndp_plugin_result result = ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, NULL);
    if (result != NDP_PLUGIN_REFUSED || strcmp(entry->format, "npy") != 0 || strncmp(entry->entry, "mmap", 4) == 0)
        return result;
    NDP_BUFFER_SCOPED(copy, BYTES_MAX);
    if (read_input(&copy, bytes, size_bytes, path) && copy.size_bytes > 12) {
        for (uint32_t attempt = 0; result == NDP_PLUGIN_REFUSED && change_input(&copy, attempt); attempt++)
            result = ndp_defect_decode(&from_memory, copy.data, (size_t)copy.size_bytes, NULL, as, out, token, refusal,
                                       NULL);
    }
    return result;
}

static bool append_to_buffer(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

enum ndp_plugin_result ndp_defect_encode(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                         ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal,
                                         ndp_defect_change *change, ndp_defect_change_bytes *change_bytes) {
    struct ndp_defect defect = {0};
    if (!defect_init(&defect, array)) return refuse_no_memory(refusal);
    if (change != NULL) change(entry, &defect);
    const struct ndp_plugin_array shown = changed_array(&defect);
    NDP_BUFFER_SCOPED(encoded, BYTES_MAX);
    enum ndp_plugin_result result = ndp_plugin_reference.encode(entry, &shown, append_to_buffer, &encoded, refusal);
    if (result == NDP_PLUGIN_DONE) {
        if (change_bytes != NULL) change_bytes(entry, array, &encoded);
        if (!write(sink, encoded.data, (size_t)encoded.size_bytes)) result = refuse_no_memory(refusal);
    }
    defect_clear(&defect);
    return result;
}

enum ndp_plugin_result ndp_defect_flush(const struct ndp_plugin_array *array, void *token,
                                        struct ndp_plugin_refusal *refusal) {
    struct ndp_defect *defect = token;
    (void)array;
    return ndp_plugin_reference.flush(&defect->inner, defect->inner_token, refusal);
}

void ndp_defect_release(struct ndp_plugin_array *array, void *token) {
    struct ndp_defect *defect = token;
    (void)array;
    if (defect == NULL) return;
    ndp_plugin_reference.release(&defect->inner, defect->inner_token);
    defect_clear(defect);
    free(defect);
}

uint64_t ndp_defect_count_elems(const struct ndp_defect *defect) {
    uint64_t count = 1;
    for (uint32_t k = 0; k < defect->array.ndim; k++) count *= (uint64_t)defect->shape[k];
    return count;
}

uint64_t ndp_defect_size_bytes(const struct ndp_defect *defect) {
    return ndp_defect_count_elems(defect) * defect->array.itemsize_bytes;
}

void ndp_defect_set_order(struct ndp_defect *defect, bool is_fortran) {
    const uint32_t ndim = defect->array.ndim;
    int64_t stride = (int64_t)defect->array.itemsize_bytes;
    for (uint32_t i = 0; i < ndim; i++) {
        const uint32_t axis = is_fortran ? i : ndim - 1 - i;
        defect->strides_bytes[axis] = stride;
        stride *= defect->shape[axis] == 0 ? 1 : defect->shape[axis];
    }
}

static uint8_t *copy_in(struct ndp_defect *defect, bool is_fortran) {
    const uint64_t size = ndp_defect_size_bytes(defect);
    const struct ndp_dtype dtype = {.itemsize_bytes = defect->array.itemsize_bytes};
    struct ndp_layout layout = {.ndim = defect->array.ndim};
    struct ndp_walk walk;
    uint8_t *copy = size == 0 ? NULL : malloc((size_t)size);
    if (copy == NULL) return NULL;
    memcpy(layout.shape, defect->shape, sizeof(layout.shape));
    memcpy(layout.strides_bytes, defect->strides_bytes, sizeof(layout.strides_bytes));
    ndp_strided_walk_init(&walk, &(struct ndp_elements){&dtype, &layout, defect->array.data},
                          is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C);
    (void)ndp_strided_walk_copy(&walk, copy, walk.left_elems);
    free(defect->own_data);
    defect->own_data = copy;
    defect->array.data = copy;
    defect->array.is_mapped = false;
    ndp_defect_set_order(defect, is_fortran);
    return copy;
}

uint8_t *ndp_defect_copy(struct ndp_defect *defect) {
    return copy_in(defect, false);
}

uint8_t *ndp_defect_copy_in_order(struct ndp_defect *defect) {
    struct ndp_layout layout = {.ndim = defect->array.ndim};
    memcpy(layout.shape, defect->shape, sizeof(layout.shape));
    memcpy(layout.strides_bytes, defect->strides_bytes, sizeof(layout.strides_bytes));
    const uint64_t item = defect->array.itemsize_bytes;
    return copy_in(defect, ndp_layout_is_f_contiguous(&layout, item) && !ndp_layout_is_c_contiguous(&layout, item));
}

void ndp_defect_swap(struct ndp_defect *defect) {
    const uint64_t item = defect->array.itemsize_bytes;
    const char kind = defect->dtype_json[2];
    const uint64_t part = kind == 'c' ? item / 2 : kind == 'U' ? 4 : item;
    for (uint64_t at = 0; part > 0 && at + part <= ndp_defect_size_bytes(defect); at += part) {
        for (uint64_t i = 0; i < part / 2; i++) {
            const uint8_t kept = defect->own_data[at + i];
            defect->own_data[at + i] = defect->own_data[at + part - 1 - i];
            defect->own_data[at + part - 1 - i] = kept;
        }
    }
}

bool ndp_defect_is_leaf(const struct ndp_defect *defect, const char *kinds) {
    const char *text = defect->dtype_json;
    return text[0] == '"' && strlen(text) > 3 && strchr(kinds, text[2]) != NULL;
}

void ndp_defect_set_type(struct ndp_defect *defect, const char *type) {
    const size_t room = strlen(type) + 3;
    char *text = malloc(room);
    if (text == NULL) return;
    (void)snprintf(text, room, "\"%s\"", type);
    free(defect->dtype_json);
    defect->dtype_json = text;
}

void ndp_defect_edit_dtype(struct ndp_defect *defect, ndp_defect_edit *edit) {
    cJSON *tree = cJSON_Parse(defect->dtype_json);
    if (tree == NULL) return;
    edit(tree);
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    if (text == NULL) return;
    free(defect->dtype_json);
    defect->dtype_json = text;
}

/* The depth is bounded by that of the dtypes which the reference reads. */
void ndp_defect_each_type(cJSON *dtype, ndp_defect_edit *edit) {
    cJSON *field = NULL;
    if (cJSON_IsString(dtype)) edit(dtype);
    if (cJSON_GetObjectItem(dtype, "type") != NULL) edit(cJSON_GetObjectItem(dtype, "type"));
    if (cJSON_GetObjectItem(dtype, "base") != NULL) ndp_defect_each_type(cJSON_GetObjectItem(dtype, "base"), edit);
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        ndp_defect_each_type(cJSON_GetObjectItem(field, "dtype"), edit);
    }
}
