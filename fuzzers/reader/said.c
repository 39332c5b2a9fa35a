#include "reader/said.h"

#include <string.h>

#include "base/byteorder.h"
#include "reader/whole.h"

enum { HEADER_CHARS = 10000, WIDEST_CHAR_BYTES = 4 };

/* Takes the word where it is next. */
static bool take(struct ndp_bytes *text, const char *word) {
    const uint64_t size = strlen(word);
    if (text->size_bytes < size || memcmp(text->data, word, (size_t)size) != 0) return false;
    *text = (struct ndp_bytes){text->data + size, text->size_bytes - size};
    return true;
}

static uint8_t take_one(struct ndp_bytes *text, const char *among) {
    const uint8_t c = text->size_bytes > 0 ? text->data[0] : 0;
    if (c == 0 || !strchr(among, c)) return 0;
    *text = (struct ndp_bytes){text->data + 1, text->size_bytes - 1};
    return c;
}

/* Wraps: what is over 64 bits, no reader takes. */
static bool take_number(struct ndp_bytes *text, uint64_t *out) {
    uint8_t digit = take_one(text, "0123456789");
    if (digit == 0) return false;
    for (*out = 0; digit != 0; digit = take_one(text, "0123456789")) *out = *out * 10 + (digit - UINT64_C(48));
    return true;
}

bool fuzz_is_order(uint8_t order, const struct ndp_dtype *dtype) {
    const enum ndp_byte_order host = ndp_host_is_little_endian() ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    if (dtype->itemsize_bytes == 1 || strchr("SVO", ndp_kind_codes[dtype->kind])) return dtype->order == NDP_ORDER_NONE;
    if (order == '<') return dtype->order == NDP_ORDER_LITTLE;
    return dtype->order == (order == '>' ? NDP_ORDER_BIG : host);
}

/* Goes past "[25us]", or nothing where there is no unit; false when it is none of these. */
static bool take_unit(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool *is_so) {
    static const char *const words[] = {
#define UNIT_WORD(name, word) word "]",
        NDP_UNIT_LIST(UNIT_WORD)
#undef UNIT_WORD
    };
    uint64_t multiple = 1;
    if (!take(text, "[")) {
        *is_so = *is_so && dtype->unit == NDP_UNIT_GENERIC;
        return true;
    }
    (void)take_number(text, &multiple);
    for (uint32_t unit = NDP_UNIT_GENERIC + 1; unit < NDP_UNIT_COUNT; unit++) {
        if (!take(text, words[unit])) continue;
        *is_so = *is_so && dtype->unit == (enum ndp_unit)unit && dtype->unit_multiple == multiple;
        return true;
    }
    return false;
}

/* Goes past a type string; false when it is none of these. `*is_so` stays when it says this type, `*size` is what it
 * says of one. */
static bool take_type(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool *is_so, uint64_t *size) {
    const uint8_t order = take_one(text, "<>|="), kind = take_one(text, "biufcSUVmMO");
    /* What holds objects is a pickle: no array of these bytes is so. */
    if (order != 0 && kind == 'O') {
        *is_so = false;
        *size = 8; /* in a gap, which holds nothing */
        return true;
    }
    if (order == 0 || kind == 0 || !take_number(text, size)) return false;
    if (kind == 'U') *size *= 4;
    *is_so = *is_so && dtype->kind < NDP_KIND_COUNT && kind == (uint8_t)ndp_kind_codes[dtype->kind] &&
             *size == dtype->itemsize_bytes && fuzz_is_order(order, dtype);
    return take_unit(text, dtype, is_so);
}

/* A string that is its own text; bytes that are not ASCII are characters as the version has them. */
static bool take_name(struct ndp_bytes *text, struct ndp_bytes *out) {
    if (!take(text, "'")) return false;
    uint64_t size = 0;
    while (size < text->size_bytes && text->data[size] >= ' ' && text->data[size] != 0x7f && text->data[size] != '\'' &&
           text->data[size] != '\\')
        size++;
    *out = (struct ndp_bytes){text->data, size};
    *text = (struct ndp_bytes){text->data + size, text->size_bytes - size};
    return take(text, "'");
}

/* Whether the bytes, in latin-1 or else in UTF-8, are this text in UTF-8. */
static bool is_name(struct ndp_bytes said, bool is_latin1, struct ndp_bytes name) {
    uint64_t at = 0;
    if (!is_latin1) return ndp_bytes_is_equal(said, name);
    for (uint64_t i = 0; i < said.size_bytes; i++) {
        const uint8_t c = said.data[i];
        const uint8_t two[2] = {(uint8_t)(0xc0 | c >> 6), (uint8_t)(0x80 | (c & 0x3f))};
        const uint64_t size = c < 0x80 ? 1 : 2;
        if (name.size_bytes - at < size || memcmp(name.data + at, c < 0x80 ? &c : two, (size_t)size) != 0) return false;
        at += size;
    }
    return at == name.size_bytes;
}

/* ", (2, 3)" behind the type of a field, which repeats it. */
static bool take_repeats(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool *is_so, uint64_t *size) {
    uint32_t ndim = 0;
    uint64_t extent = 0;
    bool is_more = take(text, ", (");
    for (; is_more && take_number(text, &extent); ndim++) {
        *is_so = *is_so && ndim < dtype->ndim && extent == (uint64_t)dtype->shape[ndim];
        *size *= extent;
        is_more = take(text, ",");
        (void)take(text, " ");
    }
    *is_so = *is_so && ndim == (dtype->kind == NDP_KIND_SUBARRAY ? dtype->ndim : 0);
    return ndim == 0 || take(text, ")");
}

static bool take_descr(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool is_latin1, bool *is_so,
                       uint64_t *size);

/* "('name', type)", "(('title', 'name'), type, (2, 3))", or "('', '|V3')" or "('', type, (2, 3))" for a gap. */
static bool take_field(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool is_latin1, uint64_t *index,
                       uint64_t *at, bool *is_so) {
    static const struct ndp_dtype nothing;
    struct ndp_bytes title = {NULL, 0}, name = {NULL, 0};
    uint64_t size = 0;
    const bool has_title = take(text, "((");
    if (!has_title && !take(text, "(")) return false;
    if (has_title && (!take_name(text, &title) || !take(text, ", "))) return false;
    if (!take_name(text, &name) || (has_title && !take(text, ")")) || !take(text, ", ")) return false;
    const bool is_nameless = !has_title && name.size_bytes == 0;
    const bool is_void = text->size_bytes > 3 && text->data[0] == '\'' && text->data[2] == 'V';
    const struct ndp_field *field = *index < dtype->field_count ? &dtype->fields[*index] : NULL;
    bool is_field = field && field->offset_bytes == *at && is_name(name, is_latin1, field->name) &&
                    field->has_title == has_title && is_name(title, is_latin1, field->title);
    const struct ndp_dtype *type = field ? field->dtype : &nothing;
    if (!take_descr(text, type->kind == NDP_KIND_SUBARRAY ? type->base : type, is_latin1, &is_field, &size))
        return false;
    /* Without a name, what is void is a gap; so is what is repeated, which NumPy has as void, too. */
    const bool is_gap = is_nameless && (is_void || (text->size_bytes > 0 && text->data[0] == ','));
    if (!take_repeats(text, type, &is_field, &size)) return false;
    *at += size;
    *is_so = *is_so && (is_gap || is_field);
    *index += !is_gap;
    return take(text, ")");
}

/* A type string or a list of fields. As deep as the text nests: what is too deep, no decoder has taken. */
static bool take_descr(struct ndp_bytes *text, const struct ndp_dtype *dtype, bool is_latin1, bool *is_so,
                       uint64_t *size) {
    uint64_t index = 0;
    if (take(text, "'")) return take_type(text, dtype, is_so, size) && take(text, "'");
    if (!take(text, "[")) return false;
    *size = 0;
    while (!take(text, "]")) {
        if (!take_field(text, dtype, is_latin1, &index, size, is_so)) return false;
        (void)take(text, ", ");
    }
    *is_so = *is_so && dtype->kind == NDP_KIND_STRUCT && index == dtype->field_count && *size == dtype->itemsize_bytes;
    return true;
}

/* Behind the bracket. A tuple of one has a comma; the L of Python 2 is read up to version 2. */
static bool take_shape(struct ndp_bytes *text, const struct ndp_npy_header *header, bool *is_so) {
    uint32_t ndim = 0;
    uint64_t extent = 0;
    bool is_more = true;
    *is_so = true;
    for (; is_more && take_number(text, &extent); ndim++) {
        *is_so = *is_so && ndim < header->ndim && extent == (uint64_t)header->shape[ndim];
        if (take(text, "L")) *is_so = *is_so && header->major < 3;
        is_more = take(text, ",");
        (void)take(text, " ");
    }
    *is_so = *is_so && ndim == header->ndim && (ndim != 1 || is_more);
    return take(text, ")");
}

/* What the dictionary says is so. */
struct said {
    bool is_type, is_fortran, is_shape;
};

/* Takes the key that is next, and its value; of equal keys the last counts. */
static bool take_entry(struct ndp_bytes *text, const struct ndp_npy_header *header, struct said *said) {
    uint64_t size = 0;
    if (take(text, "'shape': (")) return take_shape(text, header, &said->is_shape);
    if (take(text, "'fortran_order': ")) {
        said->is_fortran = take(text, "True");
        return said->is_fortran || take(text, "False");
    }
    said->is_type = true;
    return take(text, "'descr': ") && take_descr(text, header->dtype, header->major < 3, &said->is_type, &size);
}

static struct ndp_bytes text_of(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const uint64_t start = header->major == 1 ? NDP_NPY_PREFIX_BYTES : NDP_NPY_LONG_PREFIX_BYTES;
    return (struct ndp_bytes){file.data + start, header->data_offset_bytes - start};
}

bool fuzz_header_says(struct ndp_bytes file, const struct ndp_npy_header *header) {
    struct ndp_bytes text = text_of(file, header);
    if (header->major >= 3 && !fuzz_is_utf8(text)) return false;
    struct said said = {0};
    if (!take(&text, "{")) return true;
    while (!take(&text, "}")) {
        if (!take_entry(&text, header, &said)) return true;
        (void)take(&text, ", ");
    }
    return said.is_type && said.is_shape && header->is_fortran_order == said.is_fortran;
}

bool fuzz_prefix_says(struct ndp_bytes file, enum ndp_status status) {
    const uint8_t *p = file.data;
    const uint64_t size = file.size_bytes;
    if (size < 8 || memcmp(p, "\x93NUMPY", 6) != 0 || p[6] < 1 || p[6] > 3 || p[7] != 0) return status != NDP_OK;
    const uint64_t start = p[6] == 1 ? NDP_NPY_PREFIX_BYTES : NDP_NPY_LONG_PREFIX_BYTES;
    if (size < start) return status == NDP_TRUNCATED;
    const uint64_t length = p[6] == 1 ? ndp_load_u16le(p + 8) : ndp_load_u32le(p + 8);
    if (length > (p[6] == 3 ? WIDEST_CHAR_BYTES * HEADER_CHARS : HEADER_CHARS)) return status == NDP_LIMIT;
    return size - start >= length || status == NDP_TRUNCATED;
}

uint32_t fuzz_header_depth(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const struct ndp_bytes text = text_of(file, header);
    uint32_t depth = 0, deepest = 0;
    uint8_t quote = 0;
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t c = text.data[i];
        const bool is_quote = c == '\'' || c == '"';
        if (c == '#' || c == '\\' || (is_quote && i >= 2 && c == text.data[i - 1] && c == text.data[i - 2])) return 0;
        if (is_quote && (quote == 0 || quote == c)) quote = quote == 0 ? c : 0;
        if (quote != 0) continue;
        if (c == '{' || c == '[' || c == '(') depth++;
        if (c == '}' || c == ']' || c == ')') depth--;
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

uint64_t fuzz_header_chars(struct ndp_bytes file, const struct ndp_npy_header *header) {
    const struct ndp_bytes text = text_of(file, header);
    uint64_t chars = 0;
    for (uint64_t i = 0; i < text.size_bytes; i++) chars += header->major < 3 || (text.data[i] & 0xc0) != 0x80;
    return chars;
}

bool fuzz_is_contiguous(const struct ndp_layout *layout, uint64_t itemsize_bytes, bool is_fortran) {
    uint64_t stride = itemsize_bytes;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        const uint32_t axis = is_fortran ? i : layout->ndim - 1 - i;
        if (layout->shape[axis] != 1 && (uint64_t)layout->strides_bytes[axis] != stride) return false;
        if (layout->shape[axis] != 0) stride *= (uint64_t)layout->shape[axis];
    }
    return true;
}

bool fuzz_file_says(struct ndp_bytes file, const struct ndp_npy_array *array) {
    const struct ndp_npy_header *header = &array->header;
    const struct ndp_layout *layout = &array->layout;
    const uint64_t size = header->size_bytes, at = header->data_offset_bytes, itemsize = header->dtype->itemsize_bytes;
    if (at > file.size_bytes || file.size_bytes - at < size || layout->ndim != header->ndim ||
        layout->offset_bytes != 0 || size != ndp_layout_count(layout) * itemsize || array->consumed_bytes != at + size)
        return false;
    return memcmp(layout->shape, header->shape, header->ndim * sizeof header->shape[0]) == 0 &&
           fuzz_is_contiguous(layout, itemsize, header->is_fortran_order) &&
           (size == 0 || memcmp(array->data, file.data + at, (size_t)size) == 0) && fuzz_header_says(file, header);
}

bool fuzz_is_placed(const struct ndp_raw_form *form, const struct ndp_npy_array *array) {
    const struct ndp_npy_header *header = &array->header;
    const bool is_fortran = form->order == NDP_MEMORY_F;
    if (header->dtype != form->dtype || header->is_fortran_order != is_fortran || header->ndim != form->ndim ||
        array->layout.ndim != form->ndim || header->data_offset_bytes != form->offset_bytes ||
        array->consumed_bytes - form->offset_bytes != header->size_bytes)
        return false;
    for (uint32_t i = 0; i < form->ndim; i++)
        if (header->shape[i] != form->shape[i] || array->layout.shape[i] != form->shape[i]) return false;
    return fuzz_is_contiguous(&array->layout, form->dtype->itemsize_bytes, is_fortran);
}
