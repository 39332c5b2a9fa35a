#include "oracle/other_type.h"

#include "describe/dtype_edit.h"
#include "describe/dtype_json.h"
#include "fuzz.h"

enum { ONE_IN = 4 };

/* Titles come and go, and are others; so do names, and the size of an item. */
static enum ndp_status other_struct(struct ndp_arena *arena, struct ndp_dtype *node, uint64_t pick) {
    struct ndp_field *fields = ndp_arena_copy(arena, node->fields, node->field_count * sizeof *fields);
    if (!fields) return NDP_NOMEM;
    if (node->field_count == 0 || pick % 4 == 0) {
        node->itemsize_bytes++;
        return NDP_OK;
    }
    struct ndp_field *field = &fields[pick / 4 % node->field_count];
    node->fields = fields;
    if (pick % 4 == 1)
        field->name = ndp_bytes_view("~");
    else if (pick % 4 == 2 && field->has_title)
        *field = (struct ndp_field){.name = field->name, .offset_bytes = field->offset_bytes, .dtype = field->dtype};
    else
        field->has_title = true, field->title = ndp_bytes_view("~");
    return NDP_OK;
}

static enum ndp_status other_subarray(struct ndp_arena *arena, struct ndp_dtype *node, uint64_t pick) {
    int64_t *shape = ndp_arena_copy(arena, node->shape, node->ndim * sizeof *shape);
    if (!shape) return NDP_NOMEM;
    if (node->ndim == 0) return NDP_OK;
    shape[pick % node->ndim]++;
    node->shape = shape;
    return NDP_OK;
}

static void other_leaf(struct ndp_dtype *node, uint64_t pick) {
    const bool is_time = node->kind == NDP_KIND_DATETIME || node->kind == NDP_KIND_TIMEDELTA;
    const uint64_t how = pick % 4;
    if (how == 0)
        node->metadata = ndp_bytes_view(node->metadata.size_bytes > 0 ? "" : "{\"~\":0}");
    else if (is_time && how == 1 && node->unit != NDP_UNIT_GENERIC)
        node->unit_multiple++;
    else if (is_time && how == 2)
        node->unit = node->unit == NDP_UNIT_DAY ? NDP_UNIT_HOUR : NDP_UNIT_DAY;
    else if (node->order == NDP_ORDER_LITTLE || node->order == NDP_ORDER_BIG)
        node->order = node->order == NDP_ORDER_BIG ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    else
        node->kind = node->kind == NDP_KIND_VOID ? NDP_KIND_BYTES : NDP_KIND_VOID;
}

static bool prints_alike(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    struct ndp_buffer texts[2] = {{.max_bytes = UINT64_MAX}, {.max_bytes = UINT64_MAX}};
    FUZZ_CHECK(ndp_dtype_print(&texts[0], a) == NDP_OK && ndp_dtype_print(&texts[1], b) == NDP_OK);
    const bool is_alike = ndp_bytes_is_equal(ndp_buffer_view(&texts[0]), ndp_buffer_view(&texts[1]));
    ndp_buffer_clear(&texts[0]);
    ndp_buffer_clear(&texts[1]);
    return is_alike;
}

static void check_other(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    const uint32_t index = (uint32_t)(pick / ONE_IN % ndp_dtype_nodes(dtype));
    const struct ndp_dtype *kept = ndp_dtype_node(dtype, index), *other = NULL;
    enum ndp_status status = NDP_OK;
    if (pick % ONE_IN != 0 || !kept) return;
    struct ndp_dtype node = *kept;
    pick >>= 16;
    if (node.kind == NDP_KIND_STRUCT)
        status = other_struct(arena, &node, pick);
    else if (node.kind == NDP_KIND_SUBARRAY)
        status = other_subarray(arena, &node, pick);
    else
        other_leaf(&node, pick);
    if (status != NDP_OK || ndp_dtype_replace(arena, dtype, index, &node, &other) != NDP_OK) return;
    const bool is_alike = prints_alike(dtype, other);
    FUZZ_HOLDS((ndp_dtype_compare(dtype, other, NULL) == 0) == is_alike);
    FUZZ_HOLDS((ndp_dtype_compare(other, dtype, NULL) == 0) == is_alike);
}

void fuzz_check_type(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    const struct ndp_dtype *again = NULL;
    if (dtype && FUZZ_HOLDS(ndp_dtype_print(&text, dtype) == NDP_OK) &&
        FUZZ_HOLDS(ndp_dtype_parse(arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &again, NULL) ==
                   NDP_OK)) {
        FUZZ_HOLDS(ndp_dtype_compare(dtype, again, NULL) == 0);
        check_other(arena, again, pick);
    }
    ndp_buffer_clear(&text);
}
