#include "judge/array_changed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "model/equality.h"
#include "model/leaf.h"

enum { ELEMENTS_BYTES = 4096 };

/* Whether a byte of an item is one that a leaf keeps: no padding, none of the six behind a long double. Leaves may lie
 * over each other, and what no long double keeps is no part of what shares its bytes. */
struct kept {
    bool is_of_leaf, is_of_tail;
};

static void look(const struct ndp_dtype *dtype, uint64_t at, struct kept *out) {
    if (at >= dtype->itemsize_bytes) return;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        look(dtype->base, at % dtype->base->itemsize_bytes, out);
        return;
    }
    for (uint64_t i = 0; dtype->kind == NDP_KIND_STRUCT && i < dtype->field_count; i++)
        if (at >= dtype->fields[i].offset_bytes) look(dtype->fields[i].dtype, at - dtype->fields[i].offset_bytes, out);
    if (dtype->kind == NDP_KIND_STRUCT) return;
    const bool is_long = (dtype->kind == NDP_KIND_FLOAT && dtype->itemsize_bytes == 16) ||
                         (dtype->kind == NDP_KIND_COMPLEX && dtype->itemsize_bytes == 32);
    const bool is_tail = is_long && (dtype->order == NDP_ORDER_BIG ? at % 16 < 6 : at % 16 >= 10);
    out->is_of_tail = out->is_of_tail || is_tail;
    out->is_of_leaf = out->is_of_leaf || !is_tail;
}

/* "[1,2]": the last axis runs fastest. */
static void index_text(const struct ndp_observation *seen, uint64_t item, char *out, size_t size) {
    uint64_t behind = 1;
    size_t length = (size_t)snprintf(out, size, "[");
    for (uint32_t i = 0; i < seen->ndim; i++) behind *= (uint64_t)seen->shape[i];
    for (uint32_t i = 0; i < seen->ndim && length < size; i++) {
        behind /= (uint64_t)seen->shape[i];
        const uint64_t at = item / behind % (uint64_t)seen->shape[i];
        length += (size_t)snprintf(out + length, size - length, "%s%" PRIu64, i > 0 ? "," : "", at);
    }
    if (length < size) snprintf(out + length, size - length, "]");
}

static bool begins(const struct ndp_comparison *told, const char *path) {
    return told->count > 0 && strncmp(told->list[0].path, path, strlen(path)) == 0;
}

static bool is_one(const struct ndp_comparison *told, const char *path) {
    return told->total == 1 && told->count == 1 && strcmp(told->list[0].path, path) == 0 &&
           strcmp(told->list[0].expected, told->list[0].got) != 0;
}

static void check_bytes(const struct ndp_observation *seen, struct ndp_bytes other, uint64_t at) {
    struct ndp_comparison told;
    char path[40];
    snprintf(path, sizeof path, "file[%" PRIu64 "]", at);
    ndp_comparison_clear(&told);
    ndp_compare_bytes("file", seen->elements, other, &told);
    FUZZ_HOLDS(is_one(&told, path) && told.comparisons == seen->elements.size_bytes + 1);
    ndp_comparison_clear(&told);
    other.size_bytes = at;
    ndp_compare_bytes("file", seen->elements, other, &told);
    FUZZ_HOLDS(is_one(&told, "file.length"));
}

/* What counts of an item, and what is kept of it in a copy, by the model. */
static void check_kept(const struct ndp_observation *seen, uint64_t at, struct kept kept) {
    uint8_t mask[ELEMENTS_BYTES], copy[ELEMENTS_BYTES];
    ndp_leaf_mask(seen->dtype, mask);
    ndp_leaf_copy_kept(seen->dtype, seen->elements.data, copy);
    FUZZ_HOLDS(mask[at] == (kept.is_of_leaf ? 0xff : 0));
    FUZZ_HOLDS(copy[at] == (kept.is_of_tail ? 0 : seen->elements.data[at]));
}

static void check_element(const struct ndp_observation *seen, uint64_t pick) {
    uint8_t copy[ELEMENTS_BYTES];
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    struct ndp_comparison forth, back;
    struct ndp_observation other = *seen;
    struct kept kept = {0};
    const uint64_t size = seen->elements.size_bytes, at = pick / 8 % size, itemsize = seen->dtype->itemsize_bytes;
    memcpy(copy, seen->elements.data, size);
    copy[at] ^= (uint8_t)(1u << pick % 8);
    other.elements = (struct ndp_bytes){copy, size};
    ndp_comparison_clear(&forth);
    ndp_comparison_clear(&back);
    ndp_compare_values(seen, &other, NDP_MASK_NONE, &forth);
    ndp_compare_values(&other, seen, NDP_MASK_NONE, &back);
    look(seen->dtype, at % itemsize, &kept);
    index_text(seen, at / itemsize, path, sizeof path);
    if (kept.is_of_leaf && !kept.is_of_tail) FUZZ_HOLDS(forth.total > 0 && begins(&forth, path));
    if (!kept.is_of_leaf) FUZZ_HOLDS(forth.total == 0);
    FUZZ_HOLDS(forth.total == back.total && forth.comparisons == back.comparisons);
    check_kept(seen, at % itemsize, kept);
    check_bytes(seen, other.elements, at);
}

static bool has_no_element(const struct ndp_observation *seen) {
    for (uint32_t i = 0; i < seen->ndim; i++)
        if (seen->shape[i] == 0) return true;
    return false;
}

/* An extent; a stride, which says nothing of an axis with one element and of an array with none. */
static void check_axis(const struct ndp_observation *seen, uint64_t pick) {
    int64_t extents[NDP_MAX_NDIM], strides[NDP_MAX_NDIM];
    struct ndp_comparison shape, stride, values;
    struct ndp_observation longer = *seen, wider = *seen;
    char paths[2][32];
    const uint32_t axis = (uint32_t)(pick % seen->ndim);
    memcpy(extents, seen->shape, seen->ndim * sizeof *extents);
    memcpy(strides, seen->strides_bytes, seen->ndim * sizeof *strides);
    extents[axis] ^= 1, strides[axis] ^= 1;
    longer.shape = extents, wider.strides_bytes = strides;
    ndp_comparison_clear(&shape);
    ndp_comparison_clear(&stride);
    ndp_comparison_clear(&values);
    ndp_compare_shape(seen, &longer, &shape);
    ndp_compare_values(seen, &longer, NDP_MASK_NONE, &values);
    ndp_compare_strides(seen, &wider, &stride);
    snprintf(paths[0], sizeof paths[0], "shape[%" PRIu32 "]", axis);
    snprintf(paths[1], sizeof paths[1], "strides[%" PRIu32 "]", axis);
    FUZZ_HOLDS(is_one(&shape, paths[0]) && shape.comparisons == seen->ndim + 1);
    FUZZ_HOLDS(is_one(&values, paths[0]));
    FUZZ_HOLDS(has_no_element(seen) || seen->shape[axis] == 1 ? stride.total == 0 : is_one(&stride, paths[1]));
    longer.ndim--;
    ndp_comparison_clear(&shape);
    ndp_compare_shape(seen, &longer, &shape);
    FUZZ_HOLDS(is_one(&shape, "ndim"));
}

static void check_flag(const struct ndp_observation *seen, uint64_t pick) {
    static const char *const words[] = {"flags.c_contiguous", "flags.f_contiguous", "flags.writeable", "flags.aligned",
                                        "flags.owndata"};
    struct ndp_observation other = *seen;
    struct ndp_comparison all, rest;
    const uint64_t bit = pick % NDP_ARRAY_LEN(words);
    const uint32_t flag = UINT32_C(1) << bit;
    other.flags ^= flag;
    ndp_comparison_clear(&all);
    ndp_comparison_clear(&rest);
    ndp_compare_flags(seen, &other, UINT32_MAX, &all);
    ndp_compare_flags(seen, &other, ~flag, &rest);
    FUZZ_HOLDS(is_one(&all, words[bit]) && all.comparisons == NDP_ARRAY_LEN(words));
    FUZZ_HOLDS(rest.total == 0 && rest.comparisons == NDP_ARRAY_LEN(words) - 1);
}

/* Gives the path of what is another. */
static const char *change_backing(struct ndp_backing *backing, uint64_t pick) {
    const bool is_more = pick / 8 % 2 == 0;
    switch (pick % 6) {
    case 0:
        backing->is_map_class = !backing->is_map_class;
        return "backing.class";
    case 1:
        backing->claims = (enum ndp_backing_file)((backing->claims + 1 + pick / 8 % 2) % 3);
        return "backing.claims";
    case 2:
        backing->is_mapped = !backing->is_mapped;
        return "backing.mapped";
    case 3:
        if (backing->has_mode && is_more)
            backing->mode = (enum ndp_map_mode)((backing->mode + 1) % NDP_MAP_MODE_COUNT);
        else
            backing->has_mode = !backing->has_mode;
        return "backing.mode";
    case 4:
        if (backing->has_offset && is_more)
            backing->offset_bytes++;
        else
            backing->has_offset = !backing->has_offset;
        return "backing.offset";
    default:
        break;
    }
    if (backing->has_position && is_more)
        backing->position_bytes++;
    else
        backing->has_position = !backing->has_position;
    return "backing.position";
}

static void check_backing(const struct ndp_observation *seen, uint64_t pick) {
    struct ndp_observation other = *seen;
    struct ndp_comparison forth, back, class;
    const char *path = change_backing(&other.backing, pick);
    ndp_comparison_clear(&forth);
    ndp_comparison_clear(&back);
    ndp_comparison_clear(&class);
    ndp_compare_backing(seen, &other, &forth);
    ndp_compare_backing(&other, seen, &back);
    FUZZ_HOLDS(is_one(&forth, path) && is_one(&back, path));
    other.class_name = ndp_bytes_view("~");
    ndp_compare_class(seen, &other, &class);
    FUZZ_HOLDS(is_one(&class, "class"));
}

/* Whether everything was compared, and nothing found. */
static void check_same(const struct ndp_observation *seen) {
    struct ndp_comparison told;
    ndp_comparison_clear(&told);
    ndp_compare_shape(seen, seen, &told);
    ndp_compare_flags(seen, seen, UINT32_MAX, &told);
    ndp_compare_strides(seen, seen, &told);
    ndp_compare_class(seen, seen, &told);
    ndp_compare_backing(seen, seen, &told);
    FUZZ_HOLDS(told.total == 0 && told.count == 0);
}

bool fuzz_check_array_changed(const struct ndp_observation *seen, uint64_t pick) {
    const uint64_t way = pick % 5;
    if (!seen->dtype || seen->elements.size_bytes > ELEMENTS_BYTES) return false;
    pick /= 5;
    if (way == 0) check_same(seen);
    if (way == 1) check_flag(seen, pick);
    if (way == 2) check_backing(seen, pick);
    if (way == 3 && seen->ndim > 0) check_axis(seen, pick);
    if (way == 4 && seen->elements.size_bytes > 0) check_element(seen, pick);
    return true;
}
