#include "judge/other_type.h"

#include "describe/dtype_json.h"
#include "fuzz.h"
#include "generate/dtype_edit.h"
#include "judge/type_judged.h"
#include "model/equality.h"

enum { ONE_IN = 4 };

/* A type beside another, and what tells the two apart (enum ndp_dtype_difference). */
struct other {
    struct ndp_dtype node;
    uint32_t bit;
};

/* Titles come and go, and are others; so do names, places, fields, and the size of an item. */
static enum ndp_status other_struct(struct ndp_arena *arena, struct other *other, uint64_t pick) {
    struct ndp_dtype *node = &other->node;
    struct ndp_field *fields = ndp_arena_copy(arena, node->fields, node->field_count * sizeof *fields);
    const uint64_t how = node->field_count == 0 ? pick % 2 * 7 : pick % 8;
    if (!fields) return NDP_NOMEM;
    struct ndp_field *field = &fields[node->field_count == 0 ? 0 : pick / 8 % node->field_count];
    node->fields = fields;
    other->bit = how == 0 || how == 5 ? NDP_DTYPE_OFFSETS : NDP_DTYPE_TITLES;
    if (how == 0) {
        node->itemsize_bytes++;
    } else if (how == 1) {
        other->bit = NDP_DTYPE_NAMES;
        field->name = ndp_bytes_view("~");
    } else if (how == 2 && field->has_title) {
        *field = (struct ndp_field){.name = field->name, .offset_bytes = field->offset_bytes, .dtype = field->dtype};
    } else if (how == 5) {
        field->offset_bytes++;
    } else if (how == 6) {
        other->bit = NDP_DTYPE_KIND;
        node->field_count--;
    } else if (how == 7) {
        other->bit = NDP_DTYPE_ALIGNED;
        node->is_aligned = !node->is_aligned;
    } else {
        field->has_title = true, field->title = ndp_bytes_view("~");
    }
    return NDP_OK;
}

static enum ndp_status other_subarray(struct ndp_arena *arena, struct other *other, uint64_t pick) {
    struct ndp_dtype *node = &other->node;
    int64_t *shape = ndp_arena_copy(arena, node->shape, node->ndim * sizeof *shape);
    if (!shape) return NDP_NOMEM;
    other->bit = NDP_DTYPE_SHAPE;
    if (node->ndim == 0) return NDP_OK;
    shape[pick % node->ndim]++;
    node->shape = shape;
    return NDP_OK;
}

static void other_leaf(struct other *other, uint64_t pick) {
    struct ndp_dtype *node = &other->node;
    const bool is_time = node->kind == NDP_KIND_DATETIME || node->kind == NDP_KIND_TIMEDELTA;
    const uint64_t how = pick % 4;
    other->bit = NDP_DTYPE_KIND;
    if (how == 0) {
        other->bit = NDP_DTYPE_METADATA;
        node->metadata = ndp_bytes_view(node->metadata.size_bytes > 0 ? "" : "{\"~\":0}");
    } else if (is_time && how == 1 && node->unit != NDP_UNIT_GENERIC) {
        node->unit_multiple++;
    } else if (is_time && how == 2) {
        node->unit = node->unit == NDP_UNIT_DAY ? NDP_UNIT_HOUR : NDP_UNIT_DAY;
    } else if (node->order == NDP_ORDER_LITTLE || node->order == NDP_ORDER_BIG) {
        other->bit = NDP_DTYPE_ORDER;
        node->order = node->order == NDP_ORDER_BIG ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    } else {
        node->kind = node->kind == NDP_KIND_VOID ? NDP_KIND_BYTES : NDP_KIND_VOID;
    }
}

static bool prints_alike(const struct ndp_dtype *a, const struct ndp_dtype *b) {
    struct ndp_buffer texts[2] = {{.max_bytes = UINT64_MAX}, {.max_bytes = UINT64_MAX}};
    FUZZ_CHECK(ndp_dtype_print(&texts[0], a) == NDP_OK && ndp_dtype_print(&texts[1], b) == NDP_OK);
    const bool is_alike = ndp_bytes_is_equal(ndp_buffer_view(&texts[0]), ndp_buffer_view(&texts[1]));
    ndp_buffer_clear(&texts[0]);
    ndp_buffer_clear(&texts[1]);
    return is_alike;
}

/* Each part of a type can be compared by itself, and is told by its word. */
static void check_part(const struct ndp_dtype *dtype, const struct ndp_dtype *other, uint32_t bits, uint64_t part) {
    static const char *const words[] = {"kind", "order", "names", "titles", "offsets", "aligned", "metadata", "shape"};
    const struct ndp_observation expected = {.dtype = dtype}, got = {.dtype = other};
    struct ndp_comparison told;
    char path[32];
    part %= NDP_ARRAY_LEN(words);
    snprintf(path, sizeof path, "dtype.%s", words[part]);
    ndp_comparison_clear(&told);
    ndp_compare_dtype(&expected, &got, UINT32_C(1) << part, &told);
    FUZZ_HOLDS(told.comparisons == 1 && told.total == (bits >> part & 1));
    FUZZ_HOLDS(told.total == 0 || strncmp(told.list[0].path, path, strlen(path)) == 0);
}

static void check_other(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    const uint32_t index = (uint32_t)(pick / ONE_IN % ndp_dtype_nodes(dtype));
    const struct ndp_dtype *kept = ndp_dtype_node(dtype, index), *made = NULL;
    enum ndp_status status = NDP_OK;
    if (!kept) return;
    struct other other = {.node = *kept};
    pick >>= 16;
    if (kept->kind == NDP_KIND_STRUCT)
        status = other_struct(arena, &other, pick);
    else if (kept->kind == NDP_KIND_SUBARRAY)
        status = other_subarray(arena, &other, pick);
    else
        other_leaf(&other, pick);
    if (status != NDP_OK || ndp_dtype_replace(arena, dtype, index, &other.node, &made) != NDP_OK) return;
    const bool is_alike = prints_alike(dtype, made);
    const uint32_t forth = ndp_dtype_compare(dtype, made, NULL), back = ndp_dtype_compare(made, dtype, NULL);
    FUZZ_HOLDS(forth == back);
    /* What lies behind another size has another place. */
    FUZZ_HOLDS(is_alike ? forth == 0
                        : (forth & ~(uint32_t)NDP_DTYPE_OFFSETS) == (other.bit & ~(uint32_t)NDP_DTYPE_OFFSETS));
    FUZZ_HOLDS(is_alike || forth != 0);
    /* The first part that differs, or any. */
    check_part(dtype, made, forth, pick / 16 % 2 == 0 ? (uint64_t)__builtin_ctz(forth | 1u << 7) : pick / 32);
}

void fuzz_check_type(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick) {
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    const struct ndp_dtype *again = NULL;
    if (dtype && FUZZ_HOLDS(ndp_dtype_print(&text, dtype) == NDP_OK) &&
        FUZZ_HOLDS(ndp_dtype_parse(arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &again, NULL) ==
                   NDP_OK)) {
        FUZZ_HOLDS(ndp_dtype_compare(dtype, again, NULL) == 0);
        if (pick % ONE_IN == 0) check_other(arena, again, pick);
        if (pick % ONE_IN == 1) fuzz_check_type_judged(arena, again, pick / ONE_IN);
    }
    ndp_buffer_clear(&text);
}
