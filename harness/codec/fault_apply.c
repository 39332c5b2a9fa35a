/* fault_apply.c: applies a fault to the encoding of an array.
 *
 * Problem: more than a hundred faults of an NPY file must differ from a correct file in exactly one respect.
 *
 * Method: the header of the correct bytes is parsed. A fault of the header fills its template (describe/fault.h) with
 * the parsed descr, order and shape, and writes prefix and padding to match; other faults change, cut or append bytes.
 * Cost: linear in the file.
 */
#include "codec/fault_apply.h"

#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_header.h"
#include "codec/npy/py_repr.h"

enum { EXTRA_BYTE = 0xA5, SCRATCH_ARENA_BYTES = 1 << 24 };

struct work {
    const struct ndp_fault_row *row;
    uint64_t argument;
    struct ndp_bytes right;
    uint64_t data_at; /* NPY: offset of the data */
    uint64_t item_bytes;
    uint64_t data_bytes;
    struct ndp_npy_header header; /* NPY: header of the correct bytes */
    struct ndp_bytes descr;       /* NPY: text of descr */
    struct ndp_buffer *out;
    struct ndp_error *error;
};

static enum ndp_status fault_error(const struct work *w, const char *text) {
    return ndp_error_set(w->error, NDP_INVALID, NDP_NO_OFFSET, "fault %s: %s", w->row->name, text);
}

/* Appends each extent with `before` and `after` text. */
static enum ndp_status add_extents(struct ndp_buffer *to, const struct ndp_npy_header *header, const char *before,
                                   const char *behind, bool is_hex) {
    for (uint32_t k = 0; k < header->ndim; k++) {
        NDP_TRY(ndp_buffer_add(to, before, strlen(before)));
        if (is_hex) {
            NDP_TRY(ndp_buffer_printf(to, "%llx", (unsigned long long)header->shape[k]));
        } else {
            NDP_TRY(ndp_py_repr_int(to, header->shape[k]));
        }
        NDP_TRY(ndp_buffer_add(to, behind, strlen(behind)));
    }
    return NDP_OK;
}

/* Appends a shape with extents in another notation. A single axis needs a comma. */
static enum ndp_status add_spelt_shape(struct ndp_buffer *to, const struct ndp_npy_header *header, const char *before,
                                       const char *behind, bool is_hex) {
    char with_comma[8];
    const size_t length = strlen(behind);
    memcpy(with_comma, behind, length);
    memcpy(with_comma + length, ", ", 3);
    NDP_TRY(ndp_buffer_add(to, "(", 1));
    NDP_TRY(add_extents(to, header, before, with_comma, is_hex));
    if (header->ndim > 0) to->size_bytes -= header->ndim == 1 ? 1 : 2;
    return ndp_buffer_add(to, ")", 1);
}

static enum ndp_status add_times(struct ndp_buffer *to, char c, uint64_t times) {
    uint8_t *room = NULL;
    NDP_TRY(ndp_buffer_extend(to, times, &room));
    if (times > 0) memset(room, c, (size_t)times);
    return NDP_OK;
}

static enum ndp_status add_escape(const struct work *w, char letter, struct ndp_buffer *to) {
    static const struct {
        char letter;
        const char *before, *behind; /* of each extent */
    } spelt[] = {{'L', "", "L"}, {'X', "0x", ""}, {'P', "+", ""}, {'M', "-", ""}, {'Z', "0", ""}, {'R', "", ".0"}};
    const struct ndp_npy_header *header = &w->header;
    const bool fortran = header->is_fortran_order;
    for (size_t i = 0; i < NDP_ARRAY_LEN(spelt); i++)
        if (letter == spelt[i].letter)
            return add_spelt_shape(to, header, spelt[i].before, spelt[i].behind, letter == 'X');
    if (letter == 'D') return ndp_buffer_add(to, w->descr.data, w->descr.size_bytes);
    if (letter == 'S') return ndp_py_repr_shape(to, header->shape, header->ndim);
    if (letter == 'F') return ndp_buffer_printf(to, "%s", fortran ? "True" : "False");
    if (letter == 'T') return ndp_buffer_printf(to, "%s", fortran ? "False" : "True");
    if (letter == '1') return add_extents(to, header, "", ", ", false);
    if (letter == 'A') return ndp_buffer_printf(to, "%llu", (unsigned long long)w->argument);
    if (letter == '0') return add_times(to, '\0', 1);
    if (letter == '%') return add_times(to, '%', 1);
    if (letter != '\0' && strchr("[]x9", letter) != NULL) return add_times(to, letter, w->argument);
    return fault_error(w, "unknown escape in the template");
}

static enum ndp_status add_template(const struct work *w, const char *text, struct ndp_buffer *to) {
    for (; *text != '\0'; text++) {
        const char *plain = text;
        while (*text != '\0' && *text != '%') text++;
        NDP_TRY(ndp_buffer_add(to, plain, (uint64_t)(text - plain)));
        if (*text == '\0') break;
        text++;
        NDP_TRY(add_escape(w, *text, to));
    }
    return NDP_OK;
}

/* Appends spaces and a newline up to a multiple of `align` bytes of the file. NumPy always writes the padding. */
static enum ndp_status add_padding(struct ndp_buffer *text, uint64_t prefix_bytes, uint64_t align, bool always) {
    if (align == 0) align = 1;
    const uint64_t past = (prefix_bytes + text->size_bytes + 1) % align;
    const uint64_t spaces = past == 0 && !always ? 0 : align - past;
    NDP_TRY(add_times(text, ' ', spaces));
    return add_times(text, '\n', 1);
}

static enum ndp_status add_tail(const struct work *w, uint64_t prefix_bytes, struct ndp_buffer *text) {
    switch (w->row->how) {
    case NDP_FAULT_PAD:
        if (text->size_bytes + 1 < w->argument) NDP_TRY(add_times(text, ' ', w->argument - text->size_bytes - 1));
        return add_times(text, '\n', 1);
    case NDP_FAULT_ALIGN:
        return add_padding(text, prefix_bytes, w->argument, false);
    case NDP_FAULT_HEADER:
    case NDP_FAULT_LENGTH_SET:
    case NDP_FAULT_FLIP_MAGIC:
    case NDP_FAULT_VERSION:
    case NDP_FAULT_LENGTH_ADD:
    case NDP_FAULT_LENGTH_SUB:
    case NDP_FAULT_KEEP:
    case NDP_FAULT_CUT:
    case NDP_FAULT_CUT_ITEM:
    case NDP_FAULT_EXTRA:
    case NDP_FAULT_TWICE:
        break;
    }
    if (w->row->tail != NULL) return add_template(w, w->row->tail, text);
    return add_padding(text, prefix_bytes, 64, true);
}

static enum ndp_status add_prefix(const struct work *w, uint8_t major, uint64_t length) {
    uint8_t prefix[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', major, 0};
    if (length > (major == 1 ? UINT16_MAX : UINT32_MAX))
        return ndp_error_set(w->error, NDP_LIMIT, NDP_NO_OFFSET, "fault %s: the header does not fit its version",
                             w->row->name);
    if (major == 1) {
        ndp_store_u16le(prefix + 8, (uint16_t)length);
    } else {
        ndp_store_u32le(prefix + 8, (uint32_t)length);
    }
    return ndp_buffer_add(w->out, prefix, major == 1 ? 10 : 12);
}

/* Header from the row's template, then the correct data. */
static enum ndp_status apply_header(const struct work *w) {
    struct ndp_buffer text;
    ndp_buffer_init(&text, UINT32_MAX);
    const uint8_t major = w->row->major != 0 ? w->row->major : w->header.major;
    enum ndp_status status = add_template(w, w->row->text, &text);
    if (status == NDP_OK) status = add_tail(w, major == 1 ? 10 : 12, &text);
    if (status == NDP_OK)
        status = add_prefix(w, major, w->row->how == NDP_FAULT_LENGTH_SET ? w->argument : text.size_bytes);
    if (status == NDP_OK) status = ndp_buffer_add(w->out, text.data, text.size_bytes);
    ndp_buffer_clear(&text);
    NDP_TRY(status);
    return ndp_buffer_add(w->out, w->right.data + w->data_at, w->right.size_bytes - w->data_at);
}

/* The correct bytes with another length, modulo the size of the field. */
static enum ndp_status apply_length(const struct work *w, uint64_t length) {
    const uint64_t start = w->out->size_bytes;
    NDP_TRY(ndp_buffer_add(w->out, w->right.data, w->right.size_bytes));
    uint8_t *field = w->out->data + start + 8;
    if (w->header.major == 1) {
        ndp_store_u16le(field, (uint16_t)length);
    } else {
        ndp_store_u32le(field, (uint32_t)length);
    }
    return NDP_OK;
}

static uint64_t right_length(const struct work *w) {
    return w->data_at - (w->header.major == 1 ? 10 : 12);
}

/* The correct bytes with one or two changed. */
static enum ndp_status apply_change(const struct work *w) {
    const uint64_t start = w->out->size_bytes;
    NDP_TRY(ndp_buffer_add(w->out, w->right.data, w->right.size_bytes));
    uint8_t *bytes = w->out->data + start;
    if (w->row->how == NDP_FAULT_FLIP_MAGIC) {
        bytes[w->argument % 6] ^= 0xff;
    } else {
        bytes[6] = (uint8_t)(w->argument / 256);
        bytes[7] = (uint8_t)w->argument;
    }
    return NDP_OK;
}

static enum ndp_status apply_kept(const struct work *w, uint64_t kept_bytes) {
    return ndp_buffer_add(w->out, w->right.data, kept_bytes);
}

static enum ndp_status apply_fault(const struct work *w) {
    const uint64_t size = w->right.size_bytes;
    switch (w->row->how) {
    case NDP_FAULT_HEADER:
    case NDP_FAULT_PAD:
    case NDP_FAULT_ALIGN:
        return apply_header(w);
    case NDP_FAULT_LENGTH_SET:
        return w->row->text != NULL ? apply_header(w) : apply_length(w, w->argument);
    case NDP_FAULT_LENGTH_ADD:
        return apply_length(w, right_length(w) + w->argument);
    case NDP_FAULT_LENGTH_SUB:
        return apply_length(w, right_length(w) - w->argument);
    case NDP_FAULT_FLIP_MAGIC:
    case NDP_FAULT_VERSION:
        return apply_change(w);
    case NDP_FAULT_KEEP:
        return size == 0 ? fault_error(w, "nothing to keep") : apply_kept(w, w->argument % size);
    case NDP_FAULT_CUT:
        if (w->data_bytes == 0) return fault_error(w, "no data to cut");
        return apply_kept(w, size - 1 - w->argument % w->data_bytes);
    case NDP_FAULT_CUT_ITEM:
        if (w->item_bytes == 0 || w->item_bytes > w->data_bytes) return fault_error(w, "no item to cut");
        return apply_kept(w, size - w->item_bytes);
    case NDP_FAULT_EXTRA:
        NDP_TRY(apply_kept(w, size));
        return add_times(w->out, (char)EXTRA_BYTE, w->argument);
    case NDP_FAULT_TWICE:
        NDP_TRY(apply_kept(w, size));
        return apply_kept(w, size);
    }
    return fault_error(w, "the row does not change bytes");
}

/* Finds the text of descr between the fixed words of our own header. */
static enum ndp_status find_descr(struct work *w) {
    static const char lead[] = "{'descr': ";
    static const char behind[] = ", 'fortran_order': ";
    const uint64_t text_at = w->header.major == 1 ? 10 : 12;
    const uint64_t start = text_at + sizeof(lead) - 1;
    if (w->data_at < start || memcmp(w->right.data + text_at, lead, sizeof(lead) - 1) != 0)
        return fault_error(w, "the header is not canonical");
    /* Searches backwards, because a field name may contain the same words. */
    for (uint64_t at = w->data_at - (sizeof(behind) - 1); at >= start; at--) {
        if (memcmp(w->right.data + at, behind, sizeof(behind) - 1) != 0) continue;
        w->descr = (struct ndp_bytes){w->right.data + start, at - start};
        return NDP_OK;
    }
    return fault_error(w, "the header is not canonical");
}

static enum ndp_status apply_npy(struct work *w) {
    static const struct ndp_npy_options options = {.is_lenient = true, .header_chars = UINT32_MAX / 4};
    struct ndp_arena arena;
    ndp_arena_init(&arena, SCRATCH_ARENA_BYTES);
    enum ndp_status status = ndp_npy_header_read(&arena, w->right, &options, &w->header, w->error);
    if (status == NDP_OK) {
        w->data_at = w->header.data_offset_bytes;
        w->item_bytes = w->header.dtype->itemsize_bytes;
        w->data_bytes = w->header.size_bytes;
        status = w->right.size_bytes - w->data_at < w->data_bytes ? fault_error(w, "the correct bytes are truncated")
                                                                  : NDP_OK;
    }
    if (status == NDP_OK) status = find_descr(w);
    if (status == NDP_OK) status = apply_fault(w);
    ndp_arena_clear(&arena);
    return status;
}

enum ndp_status ndp_fault_apply(const struct ndp_fault *fault, const char *format, struct ndp_bytes right,
                                uint64_t item_bytes, uint64_t data_bytes, struct ndp_buffer *out,
                                struct ndp_error *error) {
    if (fault->name[0] == '\0') return ndp_buffer_add(out, right.data, right.size_bytes);
    struct work w = {.row = ndp_fault_find(fault->name, format),
                     .argument = fault->argument,
                     .right = right,
                     .item_bytes = item_bytes,
                     .data_bytes = data_bytes,
                     .out = out,
                     .error = error};
    if (w.row == NULL)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "no fault %s of format %s", fault->name, format);
    if (data_bytes > right.size_bytes) return fault_error(&w, "the sizes of header and data disagree");
    return strcmp(format, "npy") == 0 ? apply_npy(&w) : apply_fault(&w);
}
