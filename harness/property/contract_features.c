/* contract_features.c: the features of an array on which only promises depend.
 *
 * Most follow from the dtype. Some are those of a route: whether joblib.Parallel sends the array as a file, and whether
 * its elements have a repr, which joblib.Memory stores; those need a look at the elements, and only on these routes.
 */
#include <string.h>

#include "base/byteorder.h"
#include "model/leaf.h"
#include "property/contract.h"

static bool is_all_little(const struct ndp_dtype *dtype) {
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (dtype->fields[i].dtype->order != NDP_ORDER_LITTLE) return false;
    return dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0;
}

/* Source: numpy/_core/src/multiarray/dlpack.c (2.4), fill_dl_tensor_information. */
static bool is_dlpack_type(const struct ndp_dtype *dtype, bool host_is_little_endian) {
    const bool is_number = dtype->kind == NDP_KIND_BOOL || dtype->kind == NDP_KIND_INT ||
                           dtype->kind == NDP_KIND_UINT || dtype->kind == NDP_KIND_FLOAT ||
                           dtype->kind == NDP_KIND_COMPLEX;
    return is_number && dtype->order != (host_is_little_endian ? NDP_ORDER_BIG : NDP_ORDER_LITTLE) &&
           !ndp_leaf_is_longdouble(dtype);
}

/* Whether some axis of several elements has a stride that is no multiple of the itemsize. An array without elements, or
 * without bytes, has no such axis. */
static bool has_uneven_strides(const struct ndp_array *model) {
    const uint64_t itemsize_bytes = model->dtype->itemsize_bytes;
    if (itemsize_bytes == 0 || ndp_layout_count(&model->layout) == 0) return false;
    for (uint32_t i = 0; i < model->layout.ndim; i++)
        if (model->layout.shape[i] > 1 && model->layout.strides_bytes[i] % (int64_t)itemsize_bytes != 0) return true;
    return false;
}

static bool is_bad_name(struct ndp_bytes name, bool must_be_empty) {
    if (name.size_bytes == 0) return must_be_empty;
    return !must_be_empty && memchr(name.data, 0, name.size_bytes) != NULL;
}

/* Whether a field has an empty name, or a name with NUL. */
static bool has_bad_name(const struct ndp_dtype *dtype, bool must_be_empty) {
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_bad_name(dtype->base, must_be_empty);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (is_bad_name(field->name, must_be_empty) || has_bad_name(field->dtype, must_be_empty)) return true;
    }
    return false;
}

/* One item, and whether it has a repr. */
struct item {
    const uint8_t *bytes;
    bool has_repr;
};

/* A time without a unit, or text with a number that is no code point, has none. */
static bool check_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    struct item *item = context;
    (void)path;
    if (leaf->kind == NDP_KIND_DATETIME && leaf->unit == NDP_UNIT_GENERIC) item->has_repr = false;
    for (uint64_t at = 0; leaf->kind == NDP_KIND_TEXT && at < leaf->itemsize_bytes; at += 4) {
        uint8_t point[4];
        memcpy(point, item->bytes + offset_bytes + at, sizeof point);
        if (leaf->order == NDP_ORDER_BIG) ndp_byteorder_copy_reversed(point, item->bytes + offset_bytes + at, 4);
        if (ndp_load_u32le(point) > 0x10ffff) item->has_repr = false;
    }
    return item->has_repr;
}

static bool has_repr(const struct ndp_array *model) {
    int64_t index[NDP_MAX_NDIM] = {0};
    const struct ndp_dtype *dtype = model->dtype;
    const bool is_plain = !ndp_dtype_has_kind(dtype, NDP_KIND_TEXT) && !ndp_dtype_has_kind(dtype, NDP_KIND_DATETIME);
    if (is_plain || dtype->itemsize_bytes == 0 || ndp_layout_count(&model->layout) == 0) return true;
    struct item item = {.has_repr = true};
    do {
        item.bytes = model->buffer + ndp_layout_at(&model->layout, index);
        ndp_dtype_visit(dtype, check_leaf, &item);
    } while (item.has_repr && ndp_layout_next(&model->layout, index));
    return item.has_repr;
}

/* Whether joblib.Parallel sends the array as a file. */
static bool is_sent_as_file(const struct ndp_array *model, const struct ndp_route *route, uint64_t features) {
    const uint64_t default_max_nbytes = UINT64_C(1) << 20; /* joblib.Parallel documentation */
    bool is_plain = ndp_bytes_is_word(model->class_name, "ndarray") || ndp_bytes_is_word(model->class_name, "memmap");
    bool is_process = strncmp(route->encode, "loky", 4) == 0 || strncmp(route->encode, "multiprocessing", 15) == 0;
    if (!ndp_bytes_word_is(route->format, "joblib.Parallel") || !is_process || !is_plain) return false;
    if (model->map.is_backed) return true;
    uint64_t nbytes = ndp_layout_count(&model->layout) * model->dtype->itemsize_bytes;
    uint64_t limit = route->max_nbytes > 0 ? (uint64_t)route->max_nbytes : default_max_nbytes;
    bool is_mapped = route->max_nbytes >= 0 && !ndp_bytes_word_is(route->map_mode, "none");
    return is_mapped && nbytes > limit && (features & (uint32_t)NDP_FEATURE_OBJECT) == 0;
}

static bool is_empty_file(const struct ndp_array *model, const struct ndp_route *route) {
    return ndp_bytes_word_is(route->format, "raw") && route->offset_bytes == 0 &&
           ndp_layout_count(&model->layout) * model->dtype->itemsize_bytes == 0;
}

uint64_t ndp_contract_features(const struct ndp_array *model, const struct ndp_route *route) {
    const struct ndp_dtype *dtype = model->dtype;
    const bool is_little = model->host_is_little_endian;
    uint64_t features = ndp_array_features(model);
    if (dtype->kind == NDP_KIND_BYTES) features |= NDP_FEATURE_BYTES;
    if (is_all_little(dtype)) features |= NDP_FEATURE_ALL_FIELDS_LITTLE;
    if (ndp_dtype_has_kind(dtype, NDP_KIND_REGISTERED)) features |= NDP_FEATURE_REGISTERED;
    if (!ndp_dtype_has_buffer_format(dtype, is_little)) features |= NDP_FEATURE_NO_BUFFER_FORMAT;
    if (is_dlpack_type(dtype, is_little)) features |= NDP_FEATURE_DLPACK_TYPE;
    if (has_uneven_strides(model)) features |= NDP_FEATURE_UNEVEN_STRIDES;
    if (has_bad_name(dtype, false)) features |= NDP_FEATURE_NUL_NAME;
    if (has_bad_name(dtype, true)) features |= NDP_FEATURE_EMPTY_NAME;
    if (ndp_bytes_word_is(route->format, "joblib.Memory") && !has_repr(model)) features |= NDP_FEATURE_NO_REPR;
    if (model->map.is_backed && model->map.mode == NDP_MAP_COPY) features |= NDP_FEATURE_PRIVATE_MAP;
    if (is_sent_as_file(model, route, features)) features |= NDP_FEATURE_AS_FILE;
    if (is_empty_file(model, route)) features |= NDP_FEATURE_EMPTY_FILE;
    return features;
}
