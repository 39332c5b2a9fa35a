/* equality_dtype.c: compares two dtypes part by part, and reports the first difference of each part. */
#include "model/dtype_path.h"
#include "model/equality.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PART_COUNT = 8 };
static const char *const part_words[PART_COUNT] = {"kind",    "order",   "names",    "titles",
                                                   "offsets", "aligned", "metadata", "shape"};

/* The first difference of each part. */
struct parts {
    bool is_found[PART_COUNT];
    struct ndp_difference first[PART_COUNT];
};

static void print_text(struct ndp_bytes text, char *out) {
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add_name(&path, text);
    snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%s", path.text);
}

static void print_typestr(const struct ndp_dtype *dtype, char *out) {
    NDP_BUFFER_SCOPED(buffer, NDP_DIFFERENCE_TEXT_BYTES - 1);
    out[0] = '\0';
    if (dtype->kind == NDP_KIND_STRUCT) {
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%" PRIu64 " field%s", dtype->field_count,
                 dtype->field_count == 1 ? "" : "s");
    } else if (dtype->kind == NDP_KIND_SUBARRAY) {
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "a sub-array");
    } else if (dtype->kind == NDP_KIND_REGISTERED) {
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%.*s", (int)dtype->registered.size_bytes,
                 (const char *)dtype->registered.data);
    } else if (ndp_dtype_add_typestr(&buffer, dtype) == NDP_OK) {
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%.*s", (int)buffer.size_bytes, (const char *)buffer.data);
    }
}

static void print_shape(const struct ndp_dtype *dtype, char *out) {
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add(&path, "(");
    for (uint32_t i = 0; i < dtype->ndim; i++)
        ndp_dtype_path_add(&path, i > 0 ? ", %" PRId64 : "%" PRId64, dtype->shape[i]);
    ndp_dtype_path_add(&path, ")");
    snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%s", path.text);
}

/* Prints one side of a difference. */
static void print_side(uint32_t bit, const struct ndp_dtype *dtype, const struct ndp_field *field, char *out) {
    switch ((enum ndp_dtype_difference)bit) {
    case NDP_DTYPE_KIND:
    case NDP_DTYPE_ORDER:
        print_typestr(dtype, out);
        return;
    case NDP_DTYPE_NAMES:
        print_text(field->name, out);
        return;
    case NDP_DTYPE_TITLES:
        if (field->has_title) print_text(field->title, out);
        if (!field->has_title) snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "no title");
        return;
    case NDP_DTYPE_OFFSETS:
        if (field) snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "offset %" PRIu64, field->offset_bytes);
        if (!field) snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "itemsize %" PRIu64, dtype->itemsize_bytes);
        return;
    case NDP_DTYPE_ALIGNED:
        snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%s", dtype->is_aligned ? "true" : "false");
        return;
    case NDP_DTYPE_METADATA:
        print_text(dtype->metadata, out);
        return;
    case NDP_DTYPE_SHAPE:
        print_shape(dtype, out);
        return;
    }
}

static void keep_first(void *context, const struct ndp_dtype_path_difference *finding) {
    struct parts *parts = context;
    const uint32_t part = (uint32_t)__builtin_ctz(finding->bit);
    if (parts->is_found[part]) return;
    parts->is_found[part] = true;
    struct ndp_difference *first = &parts->first[part];
    const bool is_inside = finding->path[0] != '\0';
    struct ndp_dtype_path path = {.length = 0};
    ndp_dtype_path_add(&path, "dtype.%s%s%s", part_words[part], is_inside ? " of " : "", finding->path);
    snprintf(first->path, sizeof first->path, "%s", path.text);
    print_side(finding->bit, finding->a, finding->x, first->expected);
    print_side(finding->bit, finding->b, finding->y, first->got);
}

void ndp_equality_compare_dtype(const struct ndp_observation *expected, const struct ndp_observation *got,
                                uint32_t mask, struct ndp_comparison *out) {
    struct parts parts;
    memset(parts.is_found, 0, sizeof parts.is_found);
    ndp_dtype_path_each_difference(expected->dtype, got->dtype, keep_first, &parts);
    for (uint32_t part = 0; part < PART_COUNT; part++) {
        if ((mask & UINT32_C(1) << part) == 0) continue;
        out->comparisons++;
        const struct ndp_difference *first = &parts.first[part];
        if (parts.is_found[part]) ndp_equality_add(out, first->path, first->expected, first->got);
    }
}
