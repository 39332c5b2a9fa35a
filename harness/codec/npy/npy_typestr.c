/* npy_typestr.c: type strings as NumPy reads them.
 *
 * Problem: NumPy accepts many spellings of a type (names, C codes, '=', leading zeros, missing order characters), which
 * differ between versions, while the model accepts only canonical ones.
 *
 * Method: a non-canonical text is rewritten to a canonical one and passed to the model's reader. The caller learns
 * whether writers emit the original form. Texts whose meaning depends on the version are UNSUPPORTED.
 *
 * Cost: linear in the text and the table of names. Limits: names of a platform with 8-byte long and 16-byte long
 * double. References: NumPy 1.24 to 2.4, multiarray/descriptor.c, _convert_from_str, and the names of numpy.sctypeDict.
 */
#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_descr.h"

/* Names and one-letter codes, for 8-byte long and 16-byte long double. */
static const char *const names[][2] = NDP_ROWS(
    {"bool", "b1"}, {"bool_", "b1"}, {"?", "b1"}, {"byte", "i1"}, {"b", "i1"}, {"int8", "i1"}, {"ubyte", "u1"},
    {"B", "u1"}, {"uint8", "u1"}, {"short", "i2"}, {"h", "i2"}, {"int16", "i2"}, {"ushort", "u2"}, {"H", "u2"},
    {"uint16", "u2"}, {"intc", "i4"}, {"i", "i4"}, {"int32", "i4"}, {"uintc", "u4"}, {"I", "u4"}, {"uint32", "u4"},
    {"int", "i8"}, {"int_", "i8"}, {"long", "i8"}, {"l", "i8"}, {"q", "i8"}, {"p", "i8"}, {"int64", "i8"},
    {"intp", "i8"}, {"longlong", "i8"}, {"uint", "u8"}, {"ulong", "u8"}, {"L", "u8"}, {"Q", "u8"}, {"P", "u8"},
    {"uint64", "u8"}, {"uintp", "u8"}, {"ulonglong", "u8"}, {"half", "f2"}, {"e", "f2"}, {"float16", "f2"},
    {"single", "f4"}, {"f", "f4"}, {"float32", "f4"}, {"double", "f8"}, {"d", "f8"}, {"float", "f8"}, {"float64", "f8"},
    {"longdouble", "f16"}, {"g", "f16"}, {"float128", "f16"}, {"csingle", "c8"}, {"F", "c8"}, {"complex64", "c8"},
    {"cdouble", "c16"}, {"D", "c16"}, {"complex", "c16"}, {"complex128", "c16"}, {"clongdouble", "c32"}, {"G", "c32"},
    {"complex256", "c32"}, {"S", "S0"}, {"bytes", "S0"}, {"bytes_", "S0"}, {"c", "S1"}, {"U", "U0"}, {"str", "U0"},
    {"str_", "U0"}, {"V", "V0"}, {"void", "V0"}, {"O", "O8"}, {"object", "O8"}, {"object_", "O8"}, {"O4", "O8"},
    {"M", "M8"}, {"datetime64", "M8"}, {"m", "m8"}, {"timedelta64", "m8"});

/* "datetime64[ns]" is "M8[ns]". Only short codes may follow an order character. */
static enum ndp_status add_name(struct ndp_buffer *to, struct ndp_bytes body, bool has_order) {
    const uint8_t *bracket = body.size_bytes == 0 ? NULL : memchr(body.data, '[', (size_t)body.size_bytes);
    const uint64_t length = bracket == NULL ? body.size_bytes : (uint64_t)(bracket - body.data);
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        if (has_order && strlen(names[i][0]) > 2) continue;
        if (strlen(names[i][0]) != length || memcmp(names[i][0], body.data, (size_t)length) != 0) continue;
        NDP_TRY(ndp_buffer_add(to, names[i][1], strlen(names[i][1])));
        return ndp_buffer_add(to, body.data + length, body.size_bytes - length);
    }
    return NDP_UNSUPPORTED;
}

/* Appends the code in canonical form: 'i02' and 'i+2' are 'i2'. */
static enum ndp_status add_code(struct ndp_buffer *to, struct ndp_bytes body) {
    uint64_t at = 1;
    NDP_TRY(ndp_buffer_add(to, body.data, 1));
    if (at < body.size_bytes && body.data[at] == '+') at++;
    while (at + 1 < body.size_bytes && body.data[at] == '0' && ndp_bytes_is_digit(body.data[at + 1])) at++;
    return ndp_buffer_add(to, body.data + at, body.size_bytes - at);
}

/* Appends the canonical type string with NumPy's meaning of `text`, or returns UNSUPPORTED. */
static enum ndp_status add_canonical(struct ndp_bytes text, struct ndp_buffer *to) {
    const bool has_order = text.size_bytes > 0 && memchr("<>|=", text.data[0], 4) != NULL;
    const char order = has_order && text.data[0] != '|' ? (char)text.data[0] : '=';
    const struct ndp_bytes body = {text.data + (has_order ? 1 : 0), text.size_bytes - (has_order ? 1 : 0)};
    if (body.size_bytes == 0) return NDP_INVALID;
    NDP_TRY(ndp_buffer_add(to, &order, 1));
    enum ndp_status status = add_name(to, body, has_order);
    if (status == NDP_UNSUPPORTED) status = add_code(to, body);
    NDP_TRY(status);
    /* Kinds without an order have '
     * ' regardless of the text.
     */
    const char kind = (char)to->data[1];
    const bool is_byte = to->size_bytes == 3 && to->data[2] == '1' && memchr("biu", kind, 3) != NULL;
    if (is_byte || memchr("SVO", kind, 3) != NULL) to->data[0] = '|';
    if (kind == 'O') to->size_bytes = to->size_bytes > 2 && to->data[2] == '8' ? 2 : to->size_bytes;
    return NDP_OK;
}

/* NumPy up to 1.9 writes the size of a pointer for objects. Source: NumPy 1.9, descriptor.c,
 * arraydescr_protocol_typestr_get. */
static bool is_old_object(struct ndp_bytes text) {
    return text.size_bytes == 3 && (memcmp(text.data, "|O8", 3) == 0 || memcmp(text.data, "|O4", 3) == 0);
}

/* Reports whether writers emit this form: with an order character, except for one-byte kinds. */
static bool is_written_form(struct ndp_bytes text, const struct ndp_dtype *dtype) {
    const uint8_t first = text.data[0];
    if (first == '=') return false;
    if (first == '<' || first == '>' || first == '|') return true;
    return dtype->itemsize_bytes == 1 && dtype->order == NDP_ORDER_NONE && dtype->kind != NDP_KIND_BYTES &&
           dtype->kind != NDP_KIND_VOID;
}

static void resolve_native(struct ndp_dtype *dtype) {
    if (dtype->order == NDP_ORDER_NATIVE)
        dtype->order = ndp_byteorder_host_is_little() ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
}

/* Several types in one string, or a repeat count, optionally after an order character: NumPy makes a structure or a
 * sub-array (2.5.5, numpy/_core/_internal.py, _commastring). It interprets a single control character as a type
 * number. */
static bool is_type_list(struct ndp_bytes text) {
    for (uint64_t i = 0; i < text.size_bytes; i++)
        if (text.data[i] == ',' || text.data[i] == '(') return true;
    if (text.size_bytes == 1) return text.data[0] < 0x20;
    const uint64_t at = memchr("<>|=", text.data[0], 4) != NULL ? 1 : 0;
    return at + 1 < text.size_bytes && ndp_bytes_is_digit(text.data[at]);
}

/* A former letter for S, with or without a size: NumPy reads it up to 2.4, warns since 2.0, and refuses it from 2.5. */
static bool is_former_letter(struct ndp_bytes text) {
    uint64_t at = memchr("<>|=", text.data[0], 4) != NULL ? 1 : 0;
    if (at == text.size_bytes || text.data[at++] != 'a') return false;
    if (at < text.size_bytes && text.data[at] == '+') at++;
    while (at < text.size_bytes && ndp_bytes_is_digit(text.data[at])) at++;
    return at == text.size_bytes;
}

/* NumPy reads a unit multiple of 0 and a divisor with a meaning that writers never use. It also reads the word of the
 * generic unit, and the Greek letter of microseconds. */
static bool is_odd_unit(struct ndp_bytes text) {
    static const char *const units[] = {"generic]", "\xce\xbcs]"};
    const uint8_t *bracket = memchr(text.data, '[', (size_t)text.size_bytes);
    if (bracket == NULL) return false;
    const uint64_t at = (uint64_t)(bracket - text.data) + 1;
    uint64_t unit = at;
    while (unit < text.size_bytes && ndp_bytes_is_digit(text.data[unit])) unit++;
    for (size_t i = 0; i < NDP_ARRAY_LEN(units); i++) {
        const struct ndp_bytes rest = {text.data + unit, text.size_bytes - unit};
        if (ndp_bytes_is_word(rest, units[i])) return true;
    }
    return memchr(text.data, '/', (size_t)text.size_bytes) != NULL ||
           (at < text.size_bytes && (text.data[at] == '0' || text.data[at] == '1'));
}

enum ndp_status ndp_npy_typestr_read(struct ndp_bytes text, struct ndp_dtype *dtype, bool *is_canonical,
                                     struct ndp_error *error) {
    if (text.size_bytes == 0) return ndp_error_set(error, NDP_INVALID, 0, "empty type string");
    struct ndp_error detail = {0};
    struct ndp_dtype read = {0};
    enum ndp_status status = ndp_dtype_read_typestr(text, &read, &detail);
    *is_canonical = (status == NDP_OK && is_written_form(text, &read)) || is_old_object(text);
    if (status == NDP_INVALID) {
        struct ndp_buffer strict;
        ndp_buffer_init(&strict, text.size_bytes + 16);
        const enum ndp_status rewritten = add_canonical(text, &strict);
        if (rewritten == NDP_OK) status = ndp_dtype_read_typestr(ndp_buffer_view(&strict), &read, NULL);
        if (rewritten == NDP_NOMEM) status = NDP_NOMEM;
        ndp_buffer_clear(&strict);
    }
    if (status == NDP_INVALID && (is_type_list(text) || is_odd_unit(text) || is_former_letter(text)))
        status = NDP_UNSUPPORTED;
    if (status != NDP_OK) return ndp_error_set(error, status, 0, "type string: %s", detail.text);
    resolve_native(&read);
    *dtype = read;
    return NDP_OK;
}
