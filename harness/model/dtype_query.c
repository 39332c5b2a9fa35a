/* Yes-or-no questions about a whole dtype.
 *
 * Problem: does any node have a property; in particular, is any byte of a structure padding, although fields may
 * overlap and be in any order?
 *
 * Method: visit the nodes until one answers yes. For padding, grow the covered range [0, end) by every field that
 * touches it, going through the fields forwards and backwards until nothing changes.
 *
 * Cost: linear per node; for padding, linear for sorted and reversed fields, quadratic for adversarial orders. Limits:
 * recursion is bounded by the depth of a checked dtype.
 */
#include "model/dtype.h"

/* Asks every node, root first, until one answers yes. */
typedef bool node_question(const struct ndp_dtype *node, int argument);

static bool any_node(const struct ndp_dtype *dtype, node_question *question, int argument) {
    if (question(dtype, argument)) return true;
    if (dtype->kind == NDP_KIND_SUBARRAY) return any_node(dtype->base, question, argument);
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (any_node(dtype->fields[i].dtype, question, argument)) return true;
    return false;
}

static bool is_of_kind(const struct ndp_dtype *node, int kind) {
    return (int)node->kind == kind;
}

static bool is_of_order(const struct ndp_dtype *node, int order) {
    return node->kind != NDP_KIND_STRUCT && node->kind != NDP_KIND_SUBARRAY && (int)node->order == order;
}

static bool has_own_titles(const struct ndp_dtype *node, int unused) {
    (void)unused;
    for (uint64_t i = 0; i < node->field_count; i++)
        if (node->fields[i].has_title) return true;
    return false;
}

static bool has_own_metadata(const struct ndp_dtype *node, int unused) {
    (void)unused;
    return node->metadata.size_bytes > 0;
}

static bool has_own_overlap(const struct ndp_dtype *node, int unused) {
    (void)unused;
    uint64_t end_bytes = 0;
    for (uint64_t i = 0; i < node->field_count; i++) {
        if (node->fields[i].offset_bytes < end_bytes) return true;
        end_bytes = node->fields[i].offset_bytes + node->fields[i].dtype->itemsize_bytes;
    }
    return false;
}

/* Extends [0, *end_bytes) by a field that touches it. */
static bool extend_covered(const struct ndp_field *field, uint64_t *end_bytes) {
    const uint64_t field_end = field->offset_bytes + field->dtype->itemsize_bytes;
    if (field->offset_bytes > *end_bytes || field_end <= *end_bytes) return false;
    *end_bytes = field_end;
    return true;
}

/* Whether a byte of the structure is in no field (method: see the top). */
static bool has_own_padding(const struct ndp_dtype *node, int unused) {
    (void)unused;
    if (node->kind != NDP_KIND_STRUCT) return false;
    uint64_t end_bytes = 0;
    bool has_grown = true;
    while (has_grown && end_bytes < node->itemsize_bytes) {
        has_grown = false;
        for (uint64_t i = 0; i < node->field_count; i++) has_grown |= extend_covered(&node->fields[i], &end_bytes);
        for (uint64_t i = node->field_count; i-- > 0;) has_grown |= extend_covered(&node->fields[i], &end_bytes);
    }
    return end_bytes < node->itemsize_bytes;
}

static bool is_bare_subarray(const struct ndp_dtype *node, int unused) {
    (void)unused;
    return node->kind == NDP_KIND_SUBARRAY && node->ndim == 0;
}

bool ndp_dtype_has_kind(const struct ndp_dtype *dtype, enum ndp_kind kind) {
    return any_node(dtype, is_of_kind, (int)kind);
}

bool ndp_dtype_has_object(const struct ndp_dtype *dtype) {
    return ndp_dtype_has_kind(dtype, NDP_KIND_OBJECT);
}

bool ndp_dtype_has_order(const struct ndp_dtype *dtype, enum ndp_byte_order order) {
    return any_node(dtype, is_of_order, (int)order);
}

bool ndp_dtype_has_titles(const struct ndp_dtype *dtype) {
    return any_node(dtype, has_own_titles, 0);
}

bool ndp_dtype_has_metadata(const struct ndp_dtype *dtype) {
    return any_node(dtype, has_own_metadata, 0);
}

bool ndp_dtype_has_overlap(const struct ndp_dtype *dtype) {
    return any_node(dtype, has_own_overlap, 0);
}

bool ndp_dtype_has_padding(const struct ndp_dtype *dtype) {
    return any_node(dtype, has_own_padding, 0);
}

bool ndp_dtype_has_bare_subarray(const struct ndp_dtype *dtype) {
    return any_node(dtype, is_bare_subarray, 0);
}
