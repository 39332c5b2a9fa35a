#include "judge/array_counted.h"

#include <string.h>

#include "fuzz.h"

enum {
    HEADER_CHARS = 10000, /* what numpy.load takes */
    FIELD_CHARS = 64,     /* more than a field takes in a header beside names and extents: a type and padding */
    CODE_CHARS = 10,      /* \U0001f600 */
    AXIS_CHARS = 22,
    REST_CHARS = 256, /* keys and filling up */
    PAINTED_BYTES = 4096,
    PAINTED_FIELDS = 256,
    NOT_LATIN = 0xc4 /* from here on the first byte of a code point past U+00FF */
};

/* What is counted of a type: features, and how many characters its header has at least and at most. */
struct count {
    uint32_t features;
    bool has_little;
    uint32_t unsure; /* features that are not judged */
    uint64_t least_chars, most_chars;
};

static void count_name(struct count *count, struct ndp_bytes name) {
    for (uint64_t i = 0; i < name.size_bytes; i++) {
        if (name.data[i] >= NOT_LATIN) count->features |= NDP_FEATURE_NON_LATIN_NAMES;
        if ((name.data[i] & 0xc0) != 0x80) count->least_chars++, count->most_chars += CODE_CHARS;
    }
}

static void count_leaf(struct count *count, const struct ndp_dtype *leaf) {
    const uint64_t half_bytes = leaf->kind == NDP_KIND_COMPLEX ? leaf->itemsize_bytes / 2 : leaf->itemsize_bytes;
    const bool is_float = leaf->kind == NDP_KIND_COMPLEX || leaf->kind == NDP_KIND_FLOAT;
    if (leaf->order == NDP_ORDER_BIG) count->features |= NDP_FEATURE_BIG;
    if (leaf->order == NDP_ORDER_LITTLE) count->has_little = true;
    if (leaf->kind == NDP_KIND_OBJECT) count->features |= NDP_FEATURE_OBJECT;
    if (leaf->kind == NDP_KIND_TEXT) count->features |= NDP_FEATURE_TEXT;
    if (leaf->kind == NDP_KIND_VOID) count->features |= NDP_FEATURE_VOID;
    if (leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA) count->features |= NDP_FEATURE_TIME;
    if (is_float && half_bytes == 16) count->features |= NDP_FEATURE_LONGDOUBLE;
}

/* Every byte of a structure that a field has is painted; where some are not, it is padded. */
static void count_places(struct count *count, const struct ndp_dtype *dtype) {
    uint8_t painted[PAINTED_BYTES] = {0};
    const bool is_small = dtype->itemsize_bytes <= PAINTED_BYTES && dtype->field_count <= PAINTED_FIELDS;
    uint64_t furthest_bytes = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const uint64_t from = dtype->fields[i].offset_bytes, size_bytes = dtype->fields[i].dtype->itemsize_bytes;
        if (from < furthest_bytes) count->features |= NDP_FEATURE_OVERLAP;
        if (from + size_bytes > furthest_bytes) furthest_bytes = from + size_bytes;
        if (is_small) memset(painted + from, 1, (size_t)size_bytes);
    }
    if (!is_small) count->unsure |= NDP_FEATURE_PADDING;
    if (is_small && memchr(painted, 0, (size_t)dtype->itemsize_bytes)) count->features |= NDP_FEATURE_PADDING;
}

/* As deep as the dtype, which its readers bound. */
static void count_type(struct count *count, const struct ndp_dtype *dtype) {
    count->most_chars += FIELD_CHARS;
    if (dtype->metadata.size_bytes > 0) count->features |= NDP_FEATURE_METADATA;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        count->features |= NDP_FEATURE_SUBARRAY;
        count->most_chars += AXIS_CHARS * (uint64_t)dtype->ndim;
        count_type(count, dtype->base);
    } else if (dtype->kind != NDP_KIND_STRUCT) {
        count_leaf(count, dtype);
    } else {
        count->features |= NDP_FEATURE_STRUCTURED;
        if (dtype->is_aligned) count->features |= NDP_FEATURE_ALIGNED_STRUCT;
        count_places(count, dtype);
    }
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const bool is_void = field->dtype->kind == NDP_KIND_VOID || field->dtype->kind == NDP_KIND_SUBARRAY;
        count_name(count, field->name), count_type(count, field->dtype);
        if (field->has_title) count_name(count, field->title), count->features |= NDP_FEATURE_TITLES;
        if (is_void && !field->has_title && field->name.size_bytes == 0) count->features |= NDP_FEATURE_PADDING_NAME;
    }
}

/* Whether fields of one structure are all big-endian by themselves, not by what is in them. */
static bool has_big_fields(const struct ndp_dtype *dtype) {
    uint64_t big = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) big += dtype->fields[i].dtype->order == NDP_ORDER_BIG;
    return big > 0 && big == dtype->field_count;
}

/* Whether the axes, the shortest stride first, are those of memory without a gap. */
static bool is_sorted_whole(const struct ndp_array *array) {
    const struct ndp_layout *layout = &array->layout;
    int64_t least = INT64_MIN, next = (int64_t)array->dtype->itemsize_bytes;
    for (uint32_t done = 0; done < layout->ndim; done++) {
        uint32_t axis = layout->ndim;
        for (uint32_t i = 0; i < layout->ndim; i++) {
            const bool is_left = layout->shape[i] > 1 && layout->strides_bytes[i] > least;
            if (is_left && (axis == layout->ndim || layout->strides_bytes[i] < layout->strides_bytes[axis])) axis = i;
        }
        if (axis == layout->ndim) break;
        if (layout->strides_bytes[axis] != next) return false;
        least = next;
        next *= layout->shape[axis];
    }
    /* Two axes of one stride count once: then there are fewer elements than the array has. */
    return next == (int64_t)(ndp_layout_count(layout) * array->dtype->itemsize_bytes);
}

static uint32_t count_layout(const struct ndp_array *array) {
    const bool is_c = ndp_array_is_contiguous(array, NDP_MEMORY_C), is_f = ndp_array_is_contiguous(array, NDP_MEMORY_F);
    uint32_t features = array->layout.ndim == 0 ? NDP_FEATURE_ZERO_DIM : 0;
    for (uint32_t i = 0; i < array->layout.ndim; i++)
        if (array->layout.shape[i] == 0) features |= NDP_FEATURE_ZERO_SIZE;
    if (array->layout.ndim >= 33) features |= NDP_FEATURE_OVER_32_DIMS;
    if (is_c) features |= NDP_FEATURE_C_CONTIGUOUS;
    if (is_f) features |= NDP_FEATURE_F_CONTIGUOUS;
    if (!is_c && !is_f && is_sorted_whole(array)) features |= NDP_FEATURE_PERMUTED;
    if (array->base_ndim == 1 && array->layout.ndim >= 2 && array->copy_count == 0) features |= NDP_FEATURE_BASE_1D;
    return features;
}

static uint32_t count_flags(const struct ndp_array *array) {
    uint32_t features = 0;
    if (!array->is_writeable) features |= NDP_FEATURE_READONLY;
    if (!ndp_array_is_aligned(array)) features |= NDP_FEATURE_UNALIGNED;
    if (array->map.is_backed) features |= NDP_FEATURE_MAP;
    if (array->copy_count > 0) features |= NDP_FEATURE_DETACHED;
    if (!ndp_bytes_is_word(array->class_name, "ndarray")) features |= NDP_FEATURE_SUBCLASS;
    return features;
}

bool fuzz_check_array_features(struct ndp_arena *arena, const struct ndp_array_value *value) {
    struct ndp_array array;
    struct count count = {0};
    if (ndp_array_build(arena, value, true, &array, NULL) != NDP_OK) return false;
    count_type(&count, array.dtype);
    count.features |= count_layout(&array) | count_flags(&array);
    count.most_chars += AXIS_CHARS * (uint64_t)array.layout.ndim + REST_CHARS;
    if ((count.features & NDP_FEATURE_BIG) == 0) count.features |= NDP_FEATURE_NATIVE_ORDER;
    if (has_big_fields(array.dtype)) count.features |= NDP_FEATURE_ALL_FIELDS_BIG;
    if (array.dtype->itemsize_bytes == 0)
        count.features |= NDP_FEATURE_ITEMSIZE_ZERO, count.unsure |= NDP_FEATURE_PERMUTED;
    if (count.least_chars > HEADER_CHARS)
        count.features |= NDP_FEATURE_LONG_HEADER;
    else if (count.most_chars >= HEADER_CHARS)
        count.unsure |= NDP_FEATURE_LONG_HEADER;
    FUZZ_HOLDS(((ndp_array_features(&array) ^ count.features) & ~count.unsure) == 0);
    /* On a machine of the other order the same array is native where nothing of it is little-endian. */
    struct ndp_array other = array;
    other.host_is_little_endian = false;
    FUZZ_HOLDS(((ndp_array_features(&other) & NDP_FEATURE_NATIVE_ORDER) != 0) == !count.has_little);
    return true;
}
