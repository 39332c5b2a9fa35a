/* features.c: computes the features on which promises and signatures depend. */
#include "base/text.h"
#include "model/array.h"

static bool is_non_latin(struct ndp_bytes text) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint32_t code_point;
    while (ndp_text_next(&cursor, &code_point) == NDP_OK)
        if (code_point > 0xff) return true;
    return false;
}

/* Whether a name or title has a code point outside of latin-1, which requires header version 3. */
static bool has_non_latin_names(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_non_latin_names(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (is_non_latin(field->name) || (field->has_title && is_non_latin(field->title))) return true;
        if (has_non_latin_names(field->dtype)) return true;
    }
    return false;
}

/* Whether an NPY reader would treat a field as padding: it has no name, no title, and is void or a sub-array. Source:
 * NumPy lib/format.py, descr_to_dtype. */
static bool has_padding_name(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_padding_name(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const bool is_void = field->dtype->kind == NDP_KIND_VOID || field->dtype->kind == NDP_KIND_SUBARRAY;
        if (is_void && field->name.size_bytes == 0 && !field->has_title) return true;
        if (has_padding_name(field->dtype)) return true;
    }
    return false;
}

static bool has_aligned_struct(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_aligned_struct(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (has_aligned_struct(dtype->fields[i].dtype)) return true;
    return dtype->is_aligned;
}

static bool has_longdouble(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_longdouble(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (has_longdouble(dtype->fields[i].dtype)) return true;
    return (dtype->kind == NDP_KIND_FLOAT && dtype->itemsize_bytes == 16) ||
           (dtype->kind == NDP_KIND_COMPLEX && dtype->itemsize_bytes == 32);
}

static bool is_all_big(const struct ndp_dtype *dtype) {
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (dtype->fields[i].dtype->order != NDP_ORDER_BIG) return false;
    return dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0;
}

/* The maximum length of a code point in Python's repr. Unicode tables decide which ones are escaped. */
static uint64_t escaped_chars(uint32_t code_point) {
    if (code_point > 0xffff) return 10; /* \U0001f600 */
    if (code_point > 0xff) return 6;    /* \u03b1 */
    if (code_point < 0x20 || code_point >= 0x7f) return 4;
    return code_point == '\'' || code_point == '"' || code_point == '\\' ? 2 : 1;
}

static uint64_t name_chars(struct ndp_bytes text) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint64_t chars = 2;
    uint32_t code_point;
    while (ndp_text_next(&cursor, &code_point) == NDP_OK) chars += escaped_chars(code_point);
    return chars;
}

static uint64_t decimal_chars(uint64_t number) {
    uint64_t chars = 1;
    for (; number >= 10; number /= 10) chars++;
    return chars;
}

/* "(3, 4)", "(3,)". */
static uint64_t shape_chars(const int64_t *shape, uint32_t ndim) {
    uint64_t chars = ndim == 1 ? 3 : 2 + (ndim > 1 ? 2 * (uint64_t)(ndim - 1) : 0);
    for (uint32_t i = 0; i < ndim; i++) chars += decimal_chars((uint64_t)shape[i]);
    return chars;
}

/* The maximum length of the dtype in a header: "'<f8'", "'<M8[25us]'", a list of fields, or "(base, shape)" without the
 * text around it. */
static uint64_t descr_chars(const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return descr_chars(dtype->base) + 2 + shape_chars(dtype->shape, dtype->ndim);
    if (dtype->kind != NDP_KIND_STRUCT) {
        const uint64_t number = dtype->kind == NDP_KIND_TEXT ? dtype->itemsize_bytes / 4 : dtype->itemsize_bytes;
        if (dtype->kind == NDP_KIND_OBJECT) return 4;
        return 4 + decimal_chars(number) +
               (dtype->unit != NDP_UNIT_GENERIC ? 4 + decimal_chars(dtype->unit_multiple) : 0);
    }
    uint64_t chars = 2;
    uint64_t end_bytes = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (field->offset_bytes > end_bytes) chars += 12 + decimal_chars(field->offset_bytes - end_bytes);
        end_bytes = field->offset_bytes + field->dtype->itemsize_bytes;
        chars += 6 + name_chars(field->name) + descr_chars(field->dtype);
        if (field->has_title) chars += 4 + name_chars(field->title);
    }
    if (dtype->itemsize_bytes > end_bytes) chars += 12 + decimal_chars(dtype->itemsize_bytes - end_bytes);
    return chars;
}

/* Whether an NPY header may exceed the limit of numpy.load, including keys and padding. */
static bool has_long_header(const struct ndp_array *array) {
    enum { HEADER_CHARS = 10000 /* max_header_size */, REST_CHARS = 200 };
    return descr_chars(array->dtype) + shape_chars(array->layout.shape, array->layout.ndim) + REST_CHARS > HEADER_CHARS;
}

/* The features that depend on the kinds of leaves. */
static uint32_t kind_features(const struct ndp_dtype *dtype) {
    uint32_t features = 0;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_STRUCT)) features |= NDP_FEATURE_STRUCTURED;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_SUBARRAY)) features |= NDP_FEATURE_SUBARRAY;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_OBJECT)) features |= NDP_FEATURE_OBJECT;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_DATETIME)) features |= NDP_FEATURE_TIME;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_TIMEDELTA)) features |= NDP_FEATURE_TIME;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_TEXT)) features |= NDP_FEATURE_TEXT;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_VOID)) features |= NDP_FEATURE_VOID;
    if (has_longdouble(dtype)) features |= NDP_FEATURE_LONGDOUBLE;
    return features;
}

static uint32_t dtype_features(const struct ndp_array *array) {
    const struct ndp_dtype *dtype = array->dtype;
    const enum ndp_byte_order foreign = array->host_is_little_endian ? NDP_ORDER_BIG : NDP_ORDER_LITTLE;
    uint32_t features = kind_features(dtype);
    if (ndp_dtype_has_order(dtype, NDP_ORDER_BIG)) features |= NDP_FEATURE_BIG;
    if (!ndp_dtype_has_order(dtype, foreign)) features |= NDP_FEATURE_NATIVE_ORDER;
    if (is_all_big(dtype)) features |= NDP_FEATURE_ALL_FIELDS_BIG;
    if (ndp_dtype_has_padding(dtype)) features |= NDP_FEATURE_PADDING;
    if (ndp_dtype_has_overlap(dtype)) features |= NDP_FEATURE_OVERLAP;
    if (ndp_dtype_has_titles(dtype)) features |= NDP_FEATURE_TITLES;
    if (has_aligned_struct(dtype)) features |= NDP_FEATURE_ALIGNED_STRUCT;
    if (ndp_dtype_has_metadata(dtype)) features |= NDP_FEATURE_METADATA;
    if (dtype->itemsize_bytes == 0) features |= NDP_FEATURE_ITEMSIZE_ZERO;
    if (has_non_latin_names(dtype)) features |= NDP_FEATURE_NON_LATIN_NAMES;
    if (has_padding_name(dtype)) features |= NDP_FEATURE_PADDING_NAME;
    return features;
}

/* Whether the elements are contiguous once the axes are sorted by stride. */
static bool is_permuted(const struct ndp_layout *layout, uint64_t itemsize_bytes) {
    bool is_used[NDP_MAX_NDIM] = {false};
    int64_t expected_bytes = (int64_t)itemsize_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        uint32_t axis = 0;
        while (axis < layout->ndim &&
               (is_used[axis] || layout->shape[axis] == 1 || layout->strides_bytes[axis] != expected_bytes))
            axis++;
        if (axis == layout->ndim) break;
        is_used[axis] = true;
        expected_bytes *= layout->shape[axis];
    }
    for (uint32_t i = 0; i < layout->ndim; i++)
        if (!is_used[i] && layout->shape[i] != 1) return false;
    return true;
}

static uint32_t layout_features(const struct ndp_array *array) {
    const struct ndp_layout *layout = &array->layout;
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    const bool is_c = ndp_array_is_contiguous(array, NDP_MEMORY_C);
    const bool is_f = ndp_array_is_contiguous(array, NDP_MEMORY_F);
    uint32_t features = 0;
    if (ndp_layout_count(layout) == 0) features |= NDP_FEATURE_ZERO_SIZE;
    if (layout->ndim == 0) features |= NDP_FEATURE_ZERO_DIM;
    if (layout->ndim > 32) features |= NDP_FEATURE_OVER_32_DIMS;
    if (is_c) features |= NDP_FEATURE_C_CONTIGUOUS;
    if (is_f) features |= NDP_FEATURE_F_CONTIGUOUS;
    if (!is_c && !is_f && is_permuted(layout, itemsize_bytes)) features |= NDP_FEATURE_PERMUTED;
    return features;
}

uint32_t ndp_array_features(const struct ndp_array *array) {
    uint32_t features = dtype_features(array) | layout_features(array);
    if (!array->is_writeable) features |= NDP_FEATURE_READONLY;
    if (!ndp_array_is_aligned(array)) features |= NDP_FEATURE_UNALIGNED;
    if (array->map.is_backed) features |= NDP_FEATURE_MAP;
    if (has_long_header(array)) features |= NDP_FEATURE_LONG_HEADER;
    if (array->copy_count > 0) features |= NDP_FEATURE_DETACHED;
    if (!ndp_bytes_is_word(array->class_name, "ndarray")) features |= NDP_FEATURE_SUBCLASS;
    if (array->base_ndim == 1 && array->layout.ndim > 1 && array->copy_count == 0) features |= NDP_FEATURE_BASE_1D;
    return features;
}
