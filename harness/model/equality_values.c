/* Compares the elements of two observations, leaf by leaf.
 *
 * Problem: two arrays have equal values even when byte order, padding and field layout differ, but NaN payloads and
 * signed zeros count. Fields may overlap, and a long double has bytes without meaning.
 *
 * Method: walk both items in parallel, matching fields by position, and compare leaves. Items that differ are walked a
 * second time with a path, to report each leaf. Equal bytes of equally laid out dtypes are compared with memcmp.
 *
 * Cost: linear in the leaves. Limits: differences beyond the list are only counted; overlap with the tail of a long
 * double is resolved only for items up to ITEM_BYTES.
 */
#include "base/checked.h"
#include "model/dtype_path.h"
#include "model/equality.h"
#include "model/leaf.h"

#include <stdio.h>
#include <string.h>

enum { ITEM_BYTES = 4096 };

static uint64_t shape_count(const struct ndp_dtype *dtype) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < dtype->ndim; i++) count *= (uint64_t)dtype->shape[i];
    return count;
}

/* The number of leaves of at least one byte in an item. */
static uint64_t leaf_count(const struct ndp_dtype *dtype) {
    if (dtype->itemsize_bytes == 0) return 0;
    if (dtype->kind == NDP_KIND_SUBARRAY) return shape_count(dtype) * leaf_count(dtype->base);
    if (dtype->kind != NDP_KIND_STRUCT) return 1;
    uint64_t count = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) count += leaf_count(dtype->fields[i].dtype);
    return count;
}

/* Whether the trees correspond leaf by leaf; fields match by position. */
static bool is_comparable(const struct ndp_dtype *a, const struct ndp_dtype *b, uint32_t mask) {
    if (a->kind != b->kind) return false;
    if (a->kind == NDP_KIND_SUBARRAY) {
        if (a->ndim != b->ndim) return false;
        for (uint32_t i = 0; i < a->ndim; i++)
            if (a->shape[i] != b->shape[i]) return false;
        return is_comparable(a->base, b->base, mask);
    }
    if (a->kind == NDP_KIND_STRUCT) {
        if (a->field_count != b->field_count) return false;
        for (uint64_t i = 0; i < a->field_count; i++)
            if (!is_comparable(a->fields[i].dtype, b->fields[i].dtype, mask)) return false;
        return true;
    }
    const bool has_nuls = a->kind == NDP_KIND_BYTES || a->kind == NDP_KIND_TEXT;
    if (a->unit != b->unit || a->unit_multiple != b->unit_multiple) return false;
    return a->itemsize_bytes == b->itemsize_bytes || (has_nuls && (mask & NDP_MASK_TRAILING_NULS) != 0);
}

/* Whether one item has the same values in both. Items of zero bytes are equal; there may be 2^62. */
static bool is_item_equal(const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b, const uint8_t *y,
                          uint32_t mask) {
    if (a->itemsize_bytes == 0 && b->itemsize_bytes == 0) return true;
    if (a->kind == NDP_KIND_SUBARRAY) {
        const uint64_t count = shape_count(a);
        for (uint64_t i = 0; i < count; i++) {
            const uint8_t *left = x + i * a->base->itemsize_bytes;
            if (!is_item_equal(a->base, left, b->base, y + i * b->base->itemsize_bytes, mask)) return false;
        }
        return true;
    }
    if (a->kind != NDP_KIND_STRUCT) return ndp_leaf_is_equal(a, x, b, y, mask);
    for (uint64_t i = 0; i < a->field_count; i++) {
        const struct ndp_field *m = &a->fields[i];
        const struct ndp_field *n = &b->fields[i];
        if (!is_item_equal(m->dtype, x + m->offset_bytes, n->dtype, y + n->offset_bytes, mask)) return false;
    }
    return true;
}

/* The state of a walk over an item that differs. */
struct report {
    uint32_t mask;
    struct ndp_dtype_path path;
    struct ndp_comparison *out;
};

static void report_item(struct report *report, const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b,
                        const uint8_t *y) {
    const size_t length = report->path.length;
    if (is_item_equal(a, x, b, y, report->mask)) return;
    if (a->kind == NDP_KIND_SUBARRAY) {
        const uint64_t count = shape_count(a);
        for (uint64_t i = 0; i < count; i++) {
            ndp_dtype_path_add_index(&report->path, a->shape, a->ndim, i);
            report_item(report, a->base, x + i * a->base->itemsize_bytes, b->base, y + i * b->base->itemsize_bytes);
            ndp_dtype_path_cut(&report->path, length);
        }
        return;
    }
    if (a->kind == NDP_KIND_STRUCT) {
        for (uint64_t i = 0; i < a->field_count; i++) {
            const struct ndp_field *m = &a->fields[i];
            const struct ndp_field *n = &b->fields[i];
            ndp_dtype_path_add_name(&report->path, m->name);
            report_item(report, m->dtype, x + m->offset_bytes, n->dtype, y + n->offset_bytes);
            ndp_dtype_path_cut(&report->path, length);
        }
        return;
    }
    char expected[NDP_DIFFERENCE_TEXT_BYTES] = "";
    char got[NDP_DIFFERENCE_TEXT_BYTES] = "";
    if (report->out->count < NDP_MAX_DIFFERENCES) {
        ndp_leaf_print(a, x, expected, sizeof expected);
        ndp_leaf_print(b, y, got, sizeof got);
    }
    ndp_equality_add(report->out, report->path.text, expected, got);
}

/* Whether equal bytes imply equal values: kind, order, offsets and shapes are equal. */
static bool is_same_form(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    const uint32_t form = NDP_DTYPE_KIND | NDP_DTYPE_ORDER | NDP_DTYPE_OFFSETS | NDP_DTYPE_SHAPE;
    return (ndp_dtype_compare(a, b, NULL) & form) == 0;
}

/* Compares copies in which the unused bytes of long doubles are zero, when the item is small enough. Overlapping fields
 * that share these bytes then do not differ. */
static void compare_item(struct report *report, const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b,
                         const uint8_t *y) {
    uint8_t left[ITEM_BYTES], right[ITEM_BYTES];
    if (a->kind == NDP_KIND_STRUCT && a->itemsize_bytes <= ITEM_BYTES && is_same_form(a, b)) {
        ndp_leaf_copy_kept(a, x, left);
        ndp_leaf_copy_kept(b, y, right);
        report_item(report, a, left, b, right);
    } else {
        report_item(report, a, x, b, y);
    }
}

static void dtype_text(const struct ndp_dtype *dtype, char *out, size_t out_bytes) {
    NDP_BUFFER_SCOPED(buffer, 64);
    out[0] = '\0';
    if (ndp_dtype_add_typestr(&buffer, dtype) == NDP_OK)
        snprintf(out, out_bytes, "%.*s%s", (int)buffer.size_bytes, (const char *)buffer.data,
                 dtype->kind == NDP_KIND_STRUCT ? " (structure)" : "");
}

static void add_dtypes(const struct ndp_observation *expected, const struct ndp_observation *got,
                       struct ndp_comparison *out) {
    char left[NDP_DIFFERENCE_TEXT_BYTES], right[NDP_DIFFERENCE_TEXT_BYTES];
    dtype_text(expected->dtype, left, sizeof left);
    dtype_text(got->dtype, right, sizeof right);
    out->comparisons++;
    ndp_equality_add(out, "dtype", left, right);
}

/* The number of elements. False when shape and bytes of the observation disagree. */
static bool count_fits(const struct ndp_observation *observation, uint64_t *count_elems) {
    uint64_t size_bytes;
    return ndp_checked_extents_fit(observation->shape, observation->ndim, observation->dtype->itemsize_bytes,
                                   count_elems, &size_bytes) &&
           size_bytes == observation->elements.size_bytes;
}

void ndp_equality_compare_values(const struct ndp_observation *expected, const struct ndp_observation *got,
                                 uint32_t mask, struct ndp_comparison *out) {
    const struct ndp_dtype *a = expected->dtype;
    const struct ndp_dtype *b = got->dtype;
    uint64_t count_elems, got_elems;
    struct ndp_comparison shapes;
    ndp_equality_clear(&shapes);
    ndp_equality_compare_shape(expected, got, &shapes);
    if (shapes.total > 0) {
        out->comparisons++;
        ndp_equality_add(out, shapes.list[0].path, shapes.list[0].expected, shapes.list[0].got);
        return;
    }
    if (!is_comparable(a, b, mask)) {
        add_dtypes(expected, got, out);
        return;
    }
    if (!count_fits(expected, &count_elems) || !count_fits(got, &got_elems)) {
        out->comparisons++;
        ndp_equality_add(out, "elements", "as many bytes as the shape requires", "another number of bytes");
        return;
    }
    /* Without bytes, one comparison was made: both are empty. */
    if (expected->elements.size_bytes == 0 && got->elements.size_bytes == 0) {
        out->comparisons++;
        return;
    }
    out->comparisons += count_elems * (leaf_count(a) > 0 ? leaf_count(a) : leaf_count(b));
    if (is_same_form(a, b) && ndp_bytes_is_equal(expected->elements, got->elements)) return;
    struct report report = {.mask = mask, .out = out};
    for (uint64_t i = 0; i < count_elems; i++) {
        const uint8_t *x = expected->elements.data + i * a->itemsize_bytes;
        const uint8_t *y = got->elements.data + i * b->itemsize_bytes;
        if (is_item_equal(a, x, b, y, mask)) continue;
        ndp_dtype_path_cut(&report.path, 0);
        ndp_dtype_path_add_index(&report.path, expected->shape, expected->ndim, i);
        compare_item(&report, a, x, b, y);
    }
}
