#include "model/dtype_path.h"

#include <string.h>

/* A walk through both trees. */
struct comparison {
    ndp_dtype_path_difference_visitor *visit;
    void *context;
    struct ndp_dtype_path path;
};

static void report_difference(struct comparison *comparison, bool is_different,
                              struct ndp_dtype_path_difference finding) {
    if (!is_different) return;
    finding.path = comparison->path.text;
    comparison->visit(comparison->context, &finding);
}

static void compare_node(struct comparison *comparison, const struct ndp_dtype *a, const struct ndp_dtype *b);

static void compare_field(struct comparison *comparison, const struct ndp_dtype *a, const struct ndp_dtype *b,
                          uint64_t i) {
    const struct ndp_field *x = &a->fields[i];
    const struct ndp_field *y = &b->fields[i];
    const size_t length = comparison->path.length;
    const bool is_other_title =
        x->has_title != y->has_title || (x->has_title && !ndp_bytes_is_equal(x->title, y->title));
    ndp_dtype_path_add_name(&comparison->path, x->name);
    report_difference(comparison, !ndp_bytes_is_equal(x->name, y->name),
                      (struct ndp_dtype_path_difference){.bit = NDP_DTYPE_NAMES, .a = a, .b = b, .x = x, .y = y});
    report_difference(comparison, is_other_title,
                      (struct ndp_dtype_path_difference){.bit = NDP_DTYPE_TITLES, .a = a, .b = b, .x = x, .y = y});
    report_difference(comparison, x->offset_bytes != y->offset_bytes,
                      (struct ndp_dtype_path_difference){.bit = NDP_DTYPE_OFFSETS, .a = a, .b = b, .x = x, .y = y});
    compare_node(comparison, x->dtype, y->dtype);
    ndp_dtype_path_cut(&comparison->path, length);
}

static bool is_same_shape(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    if (a->ndim != b->ndim) return false;
    return a->ndim == 0 || memcmp(a->shape, b->shape, a->ndim * sizeof *a->shape) == 0;
}

/* Whether two nodes are equal. Most pairs are, and then no path needs to be printed. */
static bool is_same(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    if (a == b) return true;
    if (a->kind != b->kind || a->itemsize_bytes != b->itemsize_bytes || !ndp_bytes_is_equal(a->metadata, b->metadata) ||
        !ndp_bytes_is_equal(a->registered, b->registered))
        return false;
    if (a->kind == NDP_KIND_SUBARRAY) return is_same_shape(a, b) && is_same(a->base, b->base);
    if (a->kind != NDP_KIND_STRUCT)
        return a->unit == b->unit && a->unit_multiple == b->unit_multiple && a->order == b->order;
    if (a->field_count != b->field_count || a->is_aligned != b->is_aligned) return false;
    for (uint64_t i = 0; i < a->field_count; i++) {
        const struct ndp_field *x = &a->fields[i], *y = &b->fields[i];
        if (x->offset_bytes != y->offset_bytes || x->has_title != y->has_title ||
            !ndp_bytes_is_equal(x->name, y->name) || (x->has_title && !ndp_bytes_is_equal(x->title, y->title)) ||
            !is_same(x->dtype, y->dtype))
            return false;
    }
    return true;
}

static void compare_node(struct comparison *comparison, const struct ndp_dtype *a, const struct ndp_dtype *b) {
    const struct ndp_dtype_path_difference at = {.a = a, .b = b};
    struct ndp_dtype_path_difference kind = at, order = at, offsets = at, aligned = at, metadata = at, shape = at;
    kind.bit = NDP_DTYPE_KIND;
    order.bit = NDP_DTYPE_ORDER;
    offsets.bit = NDP_DTYPE_OFFSETS;
    aligned.bit = NDP_DTYPE_ALIGNED;
    metadata.bit = NDP_DTYPE_METADATA;
    shape.bit = NDP_DTYPE_SHAPE;
    if (a == b) return;
    report_difference(comparison, !ndp_bytes_is_equal(a->metadata, b->metadata), metadata);
    if (a->kind != b->kind) {
        report_difference(comparison, true, kind);
    } else if (a->kind == NDP_KIND_STRUCT) {
        report_difference(comparison, a->field_count != b->field_count, kind);
        report_difference(comparison, a->itemsize_bytes != b->itemsize_bytes, offsets);
        report_difference(comparison, a->is_aligned != b->is_aligned, aligned);
        for (uint64_t i = 0; i < a->field_count && i < b->field_count; i++) compare_field(comparison, a, b, i);
    } else if (a->kind == NDP_KIND_SUBARRAY) {
        report_difference(comparison, !is_same_shape(a, b), shape);
        compare_node(comparison, a->base, b->base);
    } else {
        const bool is_other_unit = a->unit != b->unit || a->unit_multiple != b->unit_multiple;
        const bool is_other_type = !ndp_bytes_is_equal(a->registered, b->registered);
        report_difference(comparison, is_other_type || is_other_unit || a->itemsize_bytes != b->itemsize_bytes, kind);
        report_difference(comparison, a->order != b->order, order);
    }
}

void ndp_dtype_path_each_difference(const struct ndp_dtype *a, const struct ndp_dtype *b,
                                    ndp_dtype_path_difference_visitor *visit, void *context) {
    if (is_same(a, b)) return;
    struct comparison comparison = {.visit = visit, .context = context};
    compare_node(&comparison, a, b);
}

/* The mask so far, and the destination of the path of the first difference. */
struct summary {
    uint32_t differences;
    char *where;
};

static void summarise(void *context, const struct ndp_dtype_path_difference *finding) {
    struct summary *summary = context;
    if (summary->differences == 0 && summary->where) memcpy(summary->where, finding->path, strlen(finding->path) + 1);
    summary->differences |= finding->bit;
}

uint32_t ndp_dtype_compare(const struct ndp_dtype *a, const struct ndp_dtype *b, char *where) {
    struct summary summary = {.where = where};
    if (where) where[0] = '\0';
    ndp_dtype_path_each_difference(a, b, summarise, &summary);
    return summary.differences;
}
