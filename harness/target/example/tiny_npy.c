/* tiny_npy.c: a worked example of target/plugin.h: a small NPY codec as a user would write it.
 *
 *     make PLUGIN=harness/target/example/tiny_npy.c run
 *
 * It supports simple dtypes, version 1.0 and headers in NumPy's exact form, in memory. It uses no other part of
 * ndproof. It reports valid input beyond these limits as unsupported, and refuses invalid input.
 */
#include "target/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NDIM = 8, MAX_HEADER_BYTES = 1024 };

/* The memory of one decoded array, in a single allocation. */
struct tiny {
    char dtype_json[64];
    int64_t shape[MAX_NDIM];
    int64_t strides_bytes[MAX_NDIM];
    unsigned char data[];
};

static enum ndp_plugin_result refuse(struct ndp_plugin_refusal *refusal, const char *reason, const char *message) {
    (void)snprintf(refusal->reason, sizeof(refusal->reason), "%s", reason);
    (void)snprintf(refusal->message, sizeof(refusal->message), "%s", message);
    return strcmp(reason, "unsupported") == 0 ? NDP_PLUGIN_UNSUPPORTED : NDP_PLUGIN_REFUSED;
}

/* Contiguous strides. In an empty array each extent counts as at least 1, so the product may wrap; its strides are
 * never used. */
static void set_strides(int64_t *strides, const int64_t *shape, uint32_t ndim, int64_t item, bool is_fortran) {
    for (uint32_t i = 0; i < ndim; i++) {
        const uint32_t axis = is_fortran ? i : ndim - 1 - i;
        strides[axis] = item;
        item = (int64_t)((uint64_t)item * (uint64_t)(shape[axis] > 0 ? shape[axis] : 1));
    }
}

/* Axes of extent 1 are ignored. An empty array is contiguous in every order. */
static bool is_contiguous(const struct ndp_plugin_array *array, bool is_fortran) {
    int64_t expected[MAX_NDIM];
    bool is_same = true;
    set_strides(expected, array->shape, array->ndim, (int64_t)array->itemsize_bytes, is_fortran);
    for (uint32_t k = 0; k < array->ndim; k++) {
        if (array->shape[k] == 0) return true;
        if (array->shape[k] != 1 && array->strides_bytes[k] != expected[k]) is_same = false;
    }
    return is_same;
}

/* Prints the dictionary as NumPy does; returns its length. */
static int print_dictionary(char *text, const char *type, size_t type_length, bool is_fortran, const int64_t *shape,
                            uint32_t ndim) {
    int at = snprintf(text, MAX_HEADER_BYTES / 2, "{'descr': '%.*s', 'fortran_order': %s, 'shape': (", (int)type_length,
                      type, is_fortran ? "True" : "False");
    for (uint32_t k = 0; k < ndim; k++) at += snprintf(text + at, 24, k == 0 ? "%lld" : ", %lld", (long long)shape[k]);
    return at + snprintf(text + at, 8, ndim == 1 ? ",), }" : "), }");
}

static int write_header(char *text, const struct ndp_plugin_array *array, bool is_fortran) {
    memcpy(text, "\x93NUMPY\1\0", 8);
    /* The dtype is the JSON text without its quotes. */
    int at = 10 + print_dictionary(text + 10, array->dtype_json + 1, strlen(array->dtype_json) - 2, is_fortran,
                                   array->shape, array->ndim);
    do text[at++] = ' ';
    while ((at + 1) % 64 != 0);
    text[at++] = '\n';
    text[8] = (char)((at - 10) & 255);
    text[9] = (char)((at - 10) >> 8);
    return at;
}

/* Writes every element in C or F order, with an index that counts like an odometer. */
static bool write_elements(const struct ndp_plugin_array *array, bool is_fortran, ndp_plugin_write *write, void *sink) {
    int64_t index[MAX_NDIM] = {0};
    const unsigned char *at = array->data;
    if (array->itemsize_bytes == 0) return true;
    for (uint32_t k = 0; k < array->ndim; k++) {
        if (array->shape[k] == 0) return true;
    }
    for (;;) {
        uint32_t i = 0;
        if (!write(sink, at, (size_t)array->itemsize_bytes)) return false;
        for (; i < array->ndim; i++) {
            const uint32_t axis = is_fortran ? i : array->ndim - 1 - i;
            if (array->shape[axis] == 1) continue; /* such an axis may have any stride */
            if (++index[axis] < array->shape[axis]) {
                at += array->strides_bytes[axis];
                break;
            }
            at -= array->strides_bytes[axis] * (array->shape[axis] - 1);
            index[axis] = 0;
        }
        if (i == array->ndim) return true;
    }
}

static enum ndp_plugin_result encode(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                     ndp_plugin_write *write, void *sink, struct ndp_plugin_refusal *refusal) {
    char header[MAX_HEADER_BYTES];
    (void)entry; /* there is only one */
    if (array->dtype_json[0] != '"') return refuse(refusal, "unsupported", "only simple dtypes are supported");
    const bool is_fortran = is_contiguous(array, true) && !is_contiguous(array, false);
    const int header_bytes = write_header(header, array, is_fortran);
    if (!write(sink, header, (size_t)header_bytes) || !write_elements(array, is_fortran, write, sink))
        return refuse(refusal, "limit", "the output was not accepted");
    return NDP_PLUGIN_DONE;
}

/* The header text, NUL-terminated, and the members that this codec knows. */
struct header {
    char type[32];
    char order[8];
    uint32_t ndim;
    int64_t shape[MAX_NDIM];
};

/* Parses loosely, then prints the header again and compares it with the input. */
static bool read_header(const char *text, struct header *header) {
    char again[MAX_HEADER_BYTES];
    int used = 0;
    const int found = sscanf(text, "{'descr': '%31[^']', 'fortran_order': %7[A-Za-z], 'shape': (%n", header->type,
                             header->order, &used);
    if (found != 2 || used == 0) return false;
    while (text[used] >= '0' && text[used] <= '9' && header->ndim < MAX_NDIM) {
        char *end = NULL;
        header->shape[header->ndim++] = strtoll(text + used, &end, 10);
        used = (int)(end - text);
        used += (int)strspn(text + used, ", ");
    }
    const size_t length = (size_t)print_dictionary(again, header->type, strlen(header->type),
                                                   strcmp(header->order, "True") == 0, header->shape, header->ndim);
    const size_t padding = strncmp(text, again, length) == 0 ? strspn(text + length, " \n") : 0;
    return padding > 0 && text[length + padding] == '\0';
}

/* Whether the text is empty or the unit of a time: "[ns]", "[100as]". */
static bool is_unit(const char *text) {
    const size_t length = text[0] == '[' ? strspn(text + 1, "0123456789YMWDhmsunpfa") : 0;
    return text[0] == '\0' || (length > 0 && strcmp(text + 1 + length, "]") == 0);
}

/* The itemsize of a typestr, or -1. */
static int64_t itemsize_of(const char *type) {
    char *end = NULL;
    if (strchr("<>|", type[0]) == NULL || type[0] == '\0' || type[1] == '\0') return -1;
    const long long number = strtoll(type + 2, &end, 10);
    if (end == type + 2 || number < 0 || number > INT32_MAX / 4 || !is_unit(end)) return -1;
    return type[1] == 'U' ? number * 4 : number;
}

static enum ndp_plugin_result fill(const struct header *header, const unsigned char *data, size_t data_bytes,
                                   struct ndp_plugin_array *out, void **token, struct ndp_plugin_refusal *refusal) {
    const int64_t item = itemsize_of(header->type);
    int64_t size = item;
    if (item < 0) return refuse(refusal, "unsupported", "this dtype is not supported");
    for (uint32_t k = 0; k < header->ndim; k++) {
        if (__builtin_mul_overflow(size, header->shape[k], &size))
            return refuse(refusal, "value", "the array is too large");
    }
    if ((uint64_t)size > data_bytes) return refuse(refusal, "truncated", "the data end too early");
    struct tiny *tiny = malloc(sizeof(*tiny) + (size_t)size);
    if (tiny == NULL) return refuse(refusal, "memory", "out of memory");
    (void)snprintf(tiny->dtype_json, sizeof(tiny->dtype_json), "\"%s\"", header->type);
    memcpy(tiny->shape, header->shape, sizeof(tiny->shape));
    set_strides(tiny->strides_bytes, tiny->shape, header->ndim, item, strcmp(header->order, "True") == 0);
    if (size > 0) memcpy(tiny->data, data, (size_t)size);
    *out = (struct ndp_plugin_array){.dtype_json = tiny->dtype_json,
                                     .itemsize_bytes = (uint64_t)item,
                                     .ndim = header->ndim,
                                     .shape = tiny->shape,
                                     .strides_bytes = tiny->strides_bytes,
                                     .data = tiny->data,
                                     .is_writeable = true};
    *token = tiny;
    return NDP_PLUGIN_DONE;
}

static enum ndp_plugin_result decode(const struct ndp_plugin_entry *entry, const void *bytes, size_t size_bytes,
                                     const char *path, const struct ndp_plugin_array *as, struct ndp_plugin_array *out,
                                     void **token, struct ndp_plugin_refusal *refusal) {
    const unsigned char *input = bytes;
    char text[MAX_HEADER_BYTES];
    struct header header = {.ndim = 0};
    (void)entry;
    (void)path;
    (void)as;
    if (size_bytes < 10) return refuse(refusal, "truncated", "the header is truncated");
    if (memcmp(input, "\x93NUMPY", 6) != 0) return refuse(refusal, "value", "not NPY");
    if (input[6] < 1 || input[6] > 3 || input[7] != 0) return refuse(refusal, "value", "no NPY magic and version");
    if (input[6] != 1) return refuse(refusal, "unsupported", "only version 1.0 is supported");
    const size_t length = input[8] + (size_t)input[9] * 256;
    if (size_bytes - 10 < length) return refuse(refusal, "truncated", "the header is truncated");
    if (length >= sizeof(text)) return refuse(refusal, "unsupported", "the header is too long");
    memcpy(text, input + 10, length);
    text[length] = '\0';
    if (strlen(text) != length || !read_header(text, &header))
        return refuse(refusal, "unsupported", "the header is not in NumPy's form");
    return fill(&header, input + 10 + length, size_bytes - 10 - length, out, token, refusal);
}

static void release(struct ndp_plugin_array *array, void *token) {
    (void)array;
    free(token);
}

static const struct ndp_plugin_entry entries[] = {{"npy", "memory", true, true}, {NULL, NULL, false, false}};

/* The name must be ndp_plugin_ followed by the name of the file. */
extern const struct ndp_plugin ndp_plugin_tiny_npy;
const struct ndp_plugin ndp_plugin_tiny_npy = {.abi = NDP_PLUGIN_ABI,
                                               .name = "tiny_npy",
                                               .version = "1.0",
                                               .kinds = "biufcSUVMm",
                                               .max_ndim = MAX_NDIM,
                                               .entries = entries,
                                               .encode = encode,
                                               .decode = decode,
                                               .release = release};
