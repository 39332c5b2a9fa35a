/* defective_npy.c: an NPY decoder with four defects, for the test of fuzzing a plugin (.ci/fuzz_plugin_test.sh). It is
 * linked into nothing else. The environment variable NDP_DEFECT selects the defect:
 *
 *     read   the data may end before the array does: a read past the end of the input
 *     free   the header of a file of version 2.0 is used after it was freed
 *     size   the product of the shape may overflow: a write past the end of the array
 *     value  the elements of one type, ">i2", get the other byte order
 */
#include "target/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NDIM = 4 };

struct array {
    char dtype_json[16];
    int64_t shape[MAX_NDIM], strides_bytes[MAX_NDIM];
    unsigned char data[];
};

struct header {
    char type[8];
    uint32_t ndim;
    int64_t shape[MAX_NDIM];
};

static bool has_defect(const char *name) {
    const char *selected = getenv("NDP_DEFECT");
    return selected != NULL && strcmp(selected, name) == 0;
}

static enum ndp_plugin_result refuse(struct ndp_plugin_refusal *refusal, const char *reason) {
    (void)snprintf(refusal->reason, sizeof(refusal->reason), "%s", reason);
    (void)snprintf(refusal->message, sizeof(refusal->message), "%s", reason);
    return strcmp(reason, "unsupported") == 0 ? NDP_PLUGIN_UNSUPPORTED : NDP_PLUGIN_REFUSED;
}

/* Reads a header of an array in C order loosely, and compares it with the same header as NumPy spells it. */
static bool read_header(const char *text, struct header *out) {
    char again[256];
    int used = 0, length;
    if (sscanf(text, "{'descr': '%7[^']', 'fortran_order': False, 'shape': (%n", out->type, &used) != 1 || used == 0)
        return false;
    while (text[used] >= '0' && text[used] <= '9' && out->ndim < MAX_NDIM) {
        char *end = NULL;
        out->shape[out->ndim++] = strtoll(text + used, &end, 10);
        used = (int)(end - text) + (int)strspn(end, ", ");
    }
    length = snprintf(again, sizeof(again), "{'descr': '%s', 'fortran_order': False, 'shape': (", out->type);
    for (uint32_t i = 0; i < out->ndim; i++)
        length += snprintf(again + length, 24, i == 0 ? "%lld" : ", %lld", (long long)out->shape[i]);
    length += snprintf(again + length, 8, out->ndim == 1 ? ",), }" : "), }");
    const size_t padding = strncmp(text, again, (size_t)length) == 0 ? strspn(text + length, " ") : 0;
    return padding > 0 && strcmp(text + (size_t)length + padding, "\n") == 0;
}

static uint64_t itemsize_of(const char *type) {
    static const char *const types[] = {"|u1", "<i2", ">i2", "<i4", "<f8"};
    static const uint64_t sizes[] = {1, 2, 2, 4, 8};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        if (strcmp(type, types[i]) == 0) return sizes[i];
    return 0;
}

static enum ndp_plugin_result fill(const struct header *header, const unsigned char *data, size_t data_bytes,
                                   struct ndp_plugin_array *out, void **token, struct ndp_plugin_refusal *refusal) {
    const uint64_t item = itemsize_of(header->type);
    uint64_t size = item, row = item;
    bool has_overflow = false;
    if (item == 0) return refuse(refusal, "unsupported");
    for (uint32_t i = 0; i < header->ndim; i++)
        has_overflow = __builtin_mul_overflow(size, (uint64_t)header->shape[i], &size) || has_overflow;
    if (has_overflow && !has_defect("size")) return refuse(refusal, "value");
    if (size > data_bytes && (!has_defect("read") || size > data_bytes + 4096)) return refuse(refusal, "truncated");
    struct array *array = malloc(sizeof(*array) + (size_t)size);
    if (array == NULL) return refuse(refusal, "memory");
    for (uint32_t i = header->ndim; i-- > 0;) {
        array->shape[i] = header->shape[i];
        array->strides_bytes[i] = (int64_t)row;
        row *= header->shape[i] > 0 && i > 0 ? (uint64_t)header->shape[i] : 1;
    }
    if (has_overflow)
        memcpy(array->data, data, data_bytes);
    else if (size > 0)
        memcpy(array->data, data, (size_t)size);
    const bool is_turned = has_defect("value") && strcmp(header->type, ">i2") == 0;
    (void)snprintf(array->dtype_json, sizeof(array->dtype_json), "\"%s\"", is_turned ? "<i2" : header->type);
    *out = (struct ndp_plugin_array){.dtype_json = array->dtype_json,
                                     .itemsize_bytes = item,
                                     .ndim = header->ndim,
                                     .shape = array->shape,
                                     .strides_bytes = array->strides_bytes,
                                     .data = array->data,
                                     .is_writeable = true};
    *token = array;
    return NDP_PLUGIN_DONE;
}

static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token, struct ndp_plugin_refusal *refusal) {
    const unsigned char *input = bytes;
    struct header header = {.ndim = 0};
    (void)entry, (void)path, (void)as;
    if (size_bytes < 12 || memcmp(input, "\x93NUMPY", 6) != 0) return refuse(refusal, "value");
    const size_t start = input[6] == 1 ? 10 : 12;
    size_t length = input[8] + (size_t)input[9] * 256;
    if (input[6] < 1 || input[6] > 2 || input[7] != 0) return refuse(refusal, "unsupported");
    if (start == 12) length += (size_t)input[10] << 16 | (size_t)input[11] << 24;
    if (size_bytes - start < length) return refuse(refusal, "truncated");
    char *text = calloc(1, length + 1);
    if (text == NULL) return refuse(refusal, "memory");
    memcpy(text, input + start, length);
    if (start == 12 && has_defect("free")) free(text);
    const bool is_read = text[0] == '{' && read_header(text, &header);
    if (!(start == 12 && has_defect("free"))) free(text);
    if (!is_read) return refuse(refusal, "unsupported");
    return fill(&header, input + start + length, size_bytes - start - length, out, token, refusal);
}

static void release(struct ndp_plugin_array *array, void *token) {
    (void)array;
    free(token);
}

static const struct ndp_plugin_entry entries[] = {{"npy", "memory", false, true}, {NULL, NULL, false, false}};

extern const struct ndp_plugin ndp_plugin_defective_npy;
const struct ndp_plugin ndp_plugin_defective_npy = {.abi = NDP_PLUGIN_ABI,
                                                    .name = "defective_npy",
                                                    .version = "1.0",
                                                    .kinds = "biuf",
                                                    .max_ndim = MAX_NDIM,
                                                    .entries = entries,
                                                    .decode = decode,
                                                    .release = release};
