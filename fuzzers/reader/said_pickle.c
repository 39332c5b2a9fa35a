#include "reader/said_pickle.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "model/dtype.h"
#include "reader/said.h"
#include "reader/whole.h"

enum { ALIGNED = 0x80, WORD_BYTES = 16, DEPTH_MAX = 32 };

static bool is_text(const struct fuzz_told *node, const char *word) {
    return node && (node->kind == FUZZ_TOLD_TEXT || node->kind == FUZZ_TOLD_STRING || node->kind == FUZZ_TOLD_BYTES) &&
           node->bytes.data && ndp_bytes_is_word(node->bytes, word);
}

static bool is_call(const struct fuzz_told *node, const char *name) {
    return node && node->kind == FUZZ_TOLD_CALL && node->bits == FUZZ_TOLD_REDUCE &&
           node->callable->kind == FUZZ_TOLD_GLOBAL && ndp_bytes_is_word(node->callable->name, name);
}

static bool is_tuple(const struct fuzz_told *node, uint32_t count) {
    return node && node->kind == FUZZ_TOLD_TUPLE && node->count == count;
}

/* What a dict has under that text; the last where it has it more than once. */
static const struct fuzz_told *find(const struct fuzz_told *dict, struct ndp_bytes key) {
    const struct fuzz_told *found = NULL;
    for (uint32_t i = 0; i + 1 < dict->count; i += 2) {
        const struct fuzz_told *text = dict->items[i];
        const bool is_key = text->kind == FUZZ_TOLD_TEXT || text->kind == FUZZ_TOLD_STRING;
        if (is_key && text->bytes.data && ndp_bytes_is_equal(text->bytes, key)) found = dict->items[i + 1];
    }
    return found;
}

/* True is the number 1, to NumPy too. */
static bool is_number(const struct fuzz_told *node) {
    return node->kind == FUZZ_TOLD_NUMBER || node->kind == FUZZ_TOLD_TRUTH;
}

static bool is_shape(const struct fuzz_told *node, uint32_t ndim, const int64_t *shape) {
    if (is_number(node)) return ndim == 1 && node->number == shape[0];
    if (!is_tuple(node, ndim)) return false;
    for (uint32_t k = 0; k < ndim; k++)
        if (is_number(node->items[k]) && node->items[k]->number != shape[k]) return false;
    return true;
}

/* ---- types ---- */

static bool says_type(const struct fuzz_told *node, const struct ndp_dtype *dtype, uint32_t depth);

/* "f8", or the word of what is void. */
static bool is_word(const struct fuzz_told *node, const struct ndp_dtype *dtype) {
    char word[WORD_BYTES] = "";
    if (!node->bytes.data || node->kind != FUZZ_TOLD_TEXT || node->bytes.size_bytes >= sizeof word) return true;
    memcpy(word, node->bytes.data, (size_t)node->bytes.size_bytes);
    const uint64_t size = strtoull(word + 1, NULL, 10) * (word[0] == 'U' ? 4 : 1);
    if (dtype->kind == NDP_KIND_STRUCT || dtype->kind == NDP_KIND_SUBARRAY) return word[0] == 'V';
    return word[0] == ndp_kind_codes[dtype->kind] && (word[0] == 'O' || size == dtype->itemsize_bytes);
}

static bool says_fields(const struct fuzz_told *names, const struct fuzz_told *fields, const struct ndp_dtype *dtype,
                        uint32_t depth) {
    if (names->kind != FUZZ_TOLD_TUPLE || fields->kind != FUZZ_TOLD_DICT) return true;
    if (dtype->kind != NDP_KIND_STRUCT || names->count != dtype->field_count) return false;
    for (uint32_t i = 0; i < names->count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const struct ndp_bytes name = names->items[i]->bytes;
        if (!name.data || names->items[i]->kind != FUZZ_TOLD_TEXT) return true;
        const struct fuzz_told *said = find(fields, name);
        if (!is_tuple(said, 2) && !is_tuple(said, 3)) return true;
        const struct fuzz_told *title = said->count == 3 ? said->items[2] : NULL;
        const bool has_title = title && title->kind != FUZZ_TOLD_NONE;
        if (!ndp_bytes_is_equal(name, field->name) || said->items[1]->number != (int64_t)field->offset_bytes ||
            has_title != field->has_title || !says_type(said->items[0], field->dtype, depth + 1))
            return false;
        if (has_title && title->kind == FUZZ_TOLD_TEXT && title->bytes.data &&
            !ndp_bytes_is_equal(title->bytes, field->title))
            return false;
    }
    return true;
}

/* (metadata, (b'us', 25, 1, 1)) */
static bool says_unit(const struct fuzz_told *said, const struct ndp_dtype *dtype) {
    static const char *const words[] = {
#define UNIT_WORD(name, word) word,
        NDP_UNIT_LIST(UNIT_WORD)
#undef UNIT_WORD
    };
    if (!is_tuple(said, 2) || !is_tuple(said->items[1], 4)) return true;
    struct fuzz_told *const *items = said->items[1]->items;
    if (items[0]->kind != FUZZ_TOLD_BYTES || !items[0]->bytes.data) return true;
    if (dtype->unit == NDP_UNIT_GENERIC) return is_text(items[0], "generic") || is_text(items[0], "");
    return is_text(items[0], words[dtype->unit]) && items[1]->number == (int64_t)dtype->unit_multiple;
}

/* numpy.dtype(word, False, True) with the state (version, order, sub-array, names, fields, itemsize, alignment, flags),
 * and behind those what metadata or a unit of time there are. */
static bool says_type(const struct fuzz_told *node, const struct ndp_dtype *dtype, uint32_t depth) {
    if (!is_call(node, "dtype") || !is_tuple(node->args, 3) || depth > DEPTH_MAX) return true;
    const struct fuzz_told *state = node->state;
    if (!is_tuple(state, 8) && !is_tuple(state, 9)) return true;
    struct fuzz_told *const *items = state->items;
    const bool is_time = dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA;
    if (!is_word(node->args->items[0], dtype)) return false;
    if (items[1]->kind == FUZZ_TOLD_TEXT && items[1]->bytes.data && items[1]->bytes.size_bytes == 1 &&
        dtype->kind != NDP_KIND_STRUCT && dtype->kind != NDP_KIND_SUBARRAY &&
        !fuzz_is_order(items[1]->bytes.data[0], dtype))
        return false;
    if (items[2]->kind == FUZZ_TOLD_TUPLE && items[2]->count == 2)
        return dtype->kind == NDP_KIND_SUBARRAY && is_shape(items[2]->items[1], dtype->ndim, dtype->shape) &&
               says_type(items[2]->items[0], dtype->base, depth + 1);
    if (items[5]->kind == FUZZ_TOLD_NUMBER && items[5]->number >= 0 &&
        items[5]->number != (int64_t)dtype->itemsize_bytes)
        return false;
    const bool is_aligned = items[7]->kind == FUZZ_TOLD_NUMBER && (items[7]->number & ALIGNED) != 0;
    if (dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0 && is_aligned != dtype->is_aligned) return false;
    if (is_time && state->count == 9 && !says_unit(items[8], dtype)) return false;
    return says_fields(items[3], items[4], dtype, depth);
}

/* ---- arrays ---- */

struct array {
    const struct ndp_dtype *dtype;
    const struct ndp_layout *layout;
    const uint8_t *data;
};

static bool are_elements(const struct fuzz_told *node, const struct array *array) {
    const uint64_t size = ndp_layout_count(array->layout) * array->dtype->itemsize_bytes;
    if (node->kind != FUZZ_TOLD_BYTES && node->kind != FUZZ_TOLD_BYTEARRAY) return true;
    if (!node->bytes.data) return true;
    return node->bytes.size_bytes == size && (size == 0 || memcmp(node->bytes.data, array->data, (size_t)size) == 0);
}

/* Where the order of axes is said by their numbers: axis k of the array is axis axes[k] of the elements in C order. */
static bool says_axes(const struct fuzz_told *shape, const struct fuzz_told *axes, const struct array *array) {
    const struct ndp_layout *layout = array->layout;
    int64_t stride = (int64_t)array->dtype->itemsize_bytes;
    if (!is_tuple(shape, layout->ndim) || !is_tuple(axes, layout->ndim)) return true;
    for (uint32_t at = layout->ndim; at > 0; at--) {
        const int64_t extent = shape->items[at - 1]->number;
        for (uint32_t k = 0; k < layout->ndim; k++) {
            if (axes->items[k]->number != (int64_t)at - 1) continue;
            if (layout->shape[k] != extent || (extent > 1 && layout->strides_bytes[k] != stride)) return false;
        }
        stride *= extent > 0 ? extent : 1;
    }
    return true;
}

static bool says_array(const struct fuzz_told *type, const struct fuzz_told *shape, bool is_fortran,
                       const struct array *array) {
    return is_shape(shape, array->layout->ndim, array->layout->shape) &&
           fuzz_is_contiguous(array->layout, array->dtype->itemsize_bytes, is_fortran) &&
           says_type(type, array->dtype, 0);
}

/* "joblib.numpy_pickle", or that of a package that has joblib inside. */
static bool is_joblib(struct ndp_bytes module) {
    static const char *const names[] = {"joblib.numpy_pickle", "joblib.numpy_pickle_compat"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        const uint64_t size = strlen(names[i]), before = module.size_bytes - size;
        if (module.size_bytes < size || memcmp(module.data + before, names[i], (size_t)size) != 0) continue;
        if (before == 0 || module.data[before - 1] == '.') return true;
    }
    return false;
}

/* Whether the object is one of joblib's wrappers, made without arguments: by itself, or by what copyreg has for it. */
static bool is_wrapper(const struct fuzz_told *root) {
    const struct fuzz_told *class =
        is_call(root, "_reconstructor") && root->args->count > 0 ? root->args->items[0] : root->callable;
    return class->kind == FUZZ_TOLD_GLOBAL && is_joblib(class->bytes) &&
           ndp_bytes_is_word(class->name, "NumpyArrayWrapper");
}

/* Whether an array of this class has nothing but its elements. Source: NumPy 2.4, matrixlib/defmatrix.py. */
static bool is_plain_class(const struct fuzz_told *class) {
    return !class || (class->kind == FUZZ_TOLD_GLOBAL &&
                      (ndp_bytes_is_word(class->name, "ndarray") || ndp_bytes_is_word(class->name, "memmap") ||
                       ndp_bytes_is_word(class->name, "matrix")));
}

/* joblib's wrapper: the elements stand behind it, and before them, where it says an alignment, as many bytes as the
 * first of them says. */
static bool says_wrapper(const struct fuzz_told *state, struct ndp_bytes behind, const struct array *array) {
    const struct fuzz_told *type = find(state, ndp_bytes_view("dtype"));
    const struct fuzz_told *shape = find(state, ndp_bytes_view("shape"));
    const struct fuzz_told *order = find(state, ndp_bytes_view("order"));
    if (!type || !shape || !order || order->kind != FUZZ_TOLD_TEXT || !order->bytes.data) return true;
    const struct fuzz_told *alignment = find(state, ndp_bytes_view("numpy_array_alignment_bytes"));
    const uint64_t size = ndp_layout_count(array->layout) * array->dtype->itemsize_bytes;
    const uint64_t padding = alignment && alignment->kind != FUZZ_TOLD_NONE ? behind.data[0] + UINT64_C(1) : 0;
    return says_array(type, shape, is_text(order, "F"), array) && behind.size_bytes >= padding &&
           behind.size_bytes - padding >= size &&
           (size == 0 || memcmp(behind.data + padding, array->data, (size_t)size) == 0);
}

static bool says(const struct fuzz_told *root, struct ndp_bytes behind, const struct array *array) {
    const struct fuzz_told *state = root->state;
    if (root->kind != FUZZ_TOLD_CALL) return true;
    if (state && state->kind == FUZZ_TOLD_DICT)
        return is_wrapper(root) && is_plain_class(find(state, ndp_bytes_view("subclass"))) &&
               says_wrapper(state, behind, array);
    struct fuzz_told *const *args = root->args->items;
    if (is_call(root, "_reconstruct") && is_tuple(state, 5))
        return says_array(state->items[2], state->items[1], state->items[3]->number != 0, array) &&
               are_elements(state->items[4], array);
    if (is_call(root, "scalar") && root->args->count == 2)
        return array->layout->ndim == 0 && says_type(args[0], array->dtype, 0) && are_elements(args[1], array);
    if (!is_call(root, "_frombuffer") || root->args->count < 4 || !args[3]->bytes.data) return true;
    if (!is_text(args[3], "K"))
        return says_array(args[1], args[2], is_text(args[3], "F"), array) && are_elements(args[0], array);
    return root->args->count != 5 ||
           (says_axes(args[2], args[4], array) && says_type(args[1], array->dtype, 0) && are_elements(args[0], array));
}

static bool holds(struct ndp_arena *arena, struct ndp_bytes pickle, bool is_dump, const struct array *array) {
    struct ndp_bytes behind;
    struct fuzz_told *root;
    return ndp_dtype_has_object(array->dtype) || !fuzz_tell(arena, pickle, is_dump, &root, &behind) ||
           says(root, behind, array);
}

bool fuzz_pickle_says(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_dtype *dtype,
                      const struct ndp_layout *layout, const uint8_t *data) {
    const struct array array = {dtype, layout, data};
    return holds(arena, pickle, false, &array);
}

bool fuzz_told_says(const struct fuzz_told *told, const struct ndp_dtype *dtype, const struct ndp_layout *layout,
                    const uint8_t *data) {
    const struct array array = {dtype, layout, data};
    const struct ndp_bytes nothing = {NULL, 0};
    const bool is_wrapper = told->state && told->state->kind == FUZZ_TOLD_DICT;
    return ndp_dtype_has_object(dtype) || is_wrapper || says(told, nothing, &array);
}

bool fuzz_dump_says(struct ndp_arena *arena, struct ndp_bytes dump, const struct ndp_npy_array *array) {
    const struct array held = {array->header.dtype, &array->layout, array->data};
    return holds(arena, dump, true, &held);
}

bool fuzz_is_in_order(const struct ndp_npy_array *array) {
    return fuzz_is_contiguous(&array->layout, array->header.dtype->itemsize_bytes, array->header.is_fortran_order);
}

bool fuzz_dump_is_mapped(struct ndp_arena *arena, struct ndp_bytes dump, bool is_mapped) {
    struct ndp_bytes behind;
    struct fuzz_told *root;
    if (!fuzz_tell(arena, dump, true, &root, &behind) || root->kind != FUZZ_TOLD_CALL) return true;
    const bool has_words = root->state && root->state->kind == FUZZ_TOLD_DICT;
    const struct fuzz_told *word = has_words ? find(root->state, ndp_bytes_view("allow_mmap")) : NULL;
    return is_mapped == (word && word->kind == FUZZ_TOLD_TRUTH && word->bits != 0);
}

bool fuzz_is_padded(struct ndp_bytes dump, uint64_t offset_bytes, uint32_t alignment_bytes) {
    if (offset_bytes > dump.size_bytes || offset_bytes % alignment_bytes != 0) return false;
    for (uint64_t count = 1; count <= alignment_bytes && count < offset_bytes; count++) {
        if (dump.data[offset_bytes - count] != 0xff) return false;
        if (dump.data[offset_bytes - 1 - count] == count) return true;
    }
    return false;
}

/* NumPy's flags, without those of a machine (ndarraytypes.h): of text, objects, structures, and what these take over
 * from their fields. */
static int64_t flags_of(const struct ndp_dtype *dtype) {
    enum { TEXT = 0x08, OBJECT = 0x3f, STRUCT = 0x10, TAKEN = 0x1b };
    int64_t flags = dtype->is_aligned ? STRUCT | ALIGNED : STRUCT;
    if (dtype->kind == NDP_KIND_SUBARRAY) return flags_of(dtype->base);
    if (dtype->kind != NDP_KIND_STRUCT)
        return dtype->kind == NDP_KIND_TEXT ? TEXT : dtype->kind == NDP_KIND_OBJECT ? OBJECT : 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) flags |= flags_of(dtype->fields[i].dtype) & TAKEN;
    return flags;
}

/* Size, alignment and flags; the first two stand for themselves where the kind has one size alone. To NumPy 1 the flags
 * are a signed byte. */
static bool has_measures(const struct fuzz_told *state, const struct ndp_dtype *dtype) {
    const bool has_sizes = dtype->kind == NDP_KIND_BYTES || dtype->kind == NDP_KIND_TEXT ||
                           dtype->kind == NDP_KIND_VOID || dtype->kind == NDP_KIND_STRUCT ||
                           dtype->kind == NDP_KIND_SUBARRAY;
    const int64_t size = has_sizes ? (int64_t)dtype->itemsize_bytes : -1;
    const int64_t alignment = has_sizes ? (int64_t)ndp_dtype_alignment(dtype) : -1, flags = flags_of(dtype);
    return state->count < 8 || (state->items[5]->number == size && state->items[6]->number == alignment &&
                                (state->items[7]->number == flags || state->items[7]->number == flags - 256));
}

/* As deep as the type. */
static bool is_numpys(const struct fuzz_told *type, const struct ndp_dtype *dtype) {
    const struct fuzz_told *state = type ? type->state : NULL;
    uint64_t keys = dtype->field_count;
    if (!state || state->kind != FUZZ_TOLD_TUPLE || state->count < 5) return true;
    if (!has_measures(state, dtype)) return false;
    const struct fuzz_told *inner = state->items[2], *fields = state->items[4];
    if (dtype->kind == NDP_KIND_SUBARRAY) return !is_tuple(inner, 2) || is_numpys(inner->items[0], dtype->base);
    if (dtype->kind != NDP_KIND_STRUCT || fields->kind != FUZZ_TOLD_DICT) return true;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        const struct fuzz_told *said = find(fields, field->name);
        keys += field->has_title;
        if ((is_tuple(said, 2) || is_tuple(said, 3)) && !is_numpys(said->items[0], field->dtype)) return false;
    }
    return fields->count == 2 * keys;
}

bool fuzz_is_numpys_type(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_dtype *dtype) {
    struct ndp_bytes behind;
    struct fuzz_told *root;
    if (!fuzz_tell(arena, pickle, false, &root, &behind)) return true;
    if (is_call(root, "_reconstruct") && is_tuple(root->state, 5)) return is_numpys(root->state->items[2], dtype);
    return !is_call(root, "_frombuffer") || root->args->count < 4 || is_numpys(root->args->items[1], dtype);
}

/* Whether the memory of such elements has a format of PEP 3118: names without colons, all of them UTF-8; no times; no
 * long doubles of another machine; each field behind the one before it. */
static bool has_format(const struct ndp_dtype *dtype) {
    const bool is_foreign = dtype->order == (ndp_host_is_little_endian() ? NDP_ORDER_BIG : NDP_ORDER_LITTLE);
    const bool is_long = (dtype->kind == NDP_KIND_FLOAT && dtype->itemsize_bytes > 8) ||
                         (dtype->kind == NDP_KIND_COMPLEX && dtype->itemsize_bytes > 16);
    if (dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA || (is_foreign && is_long)) return false;
    if (dtype->kind == NDP_KIND_SUBARRAY) return has_format(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i], *before = i > 0 ? field - 1 : NULL;
        if (before && before->offset_bytes + before->dtype->itemsize_bytes > field->offset_bytes) return false;
        for (uint64_t k = 0; k < field->name.size_bytes; k++)
            if (field->name.data[k] == ':') return false;
        if (!fuzz_is_utf8(field->name) || !has_format(field->dtype)) return false;
    }
    return true;
}

bool fuzz_is_numpys_form(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol,
                         const struct ndp_dtype *dtype) {
    struct ndp_bytes behind;
    struct fuzz_told *root;
    if (!fuzz_tell(arena, pickle, false, &root, &behind)) return true;
    return is_call(root, "_frombuffer") == (protocol >= 5 && dtype->itemsize_bytes > 0 && has_format(dtype));
}
