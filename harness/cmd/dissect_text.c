/* dissect_text.c: texts, errors and dtypes of a dissected file. Recursion follows the nesting of a dtype, which
 * NDP_MAX_DTYPE_DEPTH bounds. */
#include "cmd/dissect_text.h"

#include <inttypes.h>

enum { MAX_NAME_BYTES = 80, MAX_FIELD_LINES = 200, TYPESTR_BYTES = 64 };

void ndp_dissect_text(FILE *out, struct ndp_bytes text, uint64_t max_bytes) {
    for (uint64_t i = 0; i < text.size_bytes && i < max_bytes; i++) {
        const uint8_t byte = text.data[i];
        if (byte >= 0x20 && byte < 0x7f) {
            fputc(byte, out);
        } else {
            fprintf(out, "\\x%02x", byte);
        }
    }
    if (text.size_bytes > max_bytes) fprintf(out, "... (%" PRIu64 " bytes)", text.size_bytes);
}

void ndp_dissect_error(FILE *out, uint32_t indent, uint64_t base_bytes, const struct ndp_error *error) {
    fprintf(out, "%*serror", (int)indent, "");
    if (error->offset_bytes != NDP_NO_OFFSET) fprintf(out, " at byte %" PRIu64, base_bytes + error->offset_bytes);
    fprintf(out, " (%s)%s%s\n", ndp_status_text(error->status), error->text[0] != '\0' ? ": " : "", error->text);
}

void ndp_dissect_shape(FILE *out, const int64_t *shape, uint32_t ndim) {
    fputc('(', out);
    for (uint32_t i = 0; i < ndim; i++) fprintf(out, "%s%" PRId64, i > 0 ? ", " : "", shape[i]);
    fputs(ndim == 1 ? ",)" : ")", out);
}

/* Prints the type without its fields: "<i4", "<i4 (2, 3)", "structure". */
static void draw_type(FILE *out, const struct ndp_dtype *dtype) {
    const struct ndp_dtype *base = dtype;
    while (base->kind == NDP_KIND_SUBARRAY) base = base->base;
    NDP_BUFFER_SCOPED(text, TYPESTR_BYTES);
    if (base->kind == NDP_KIND_STRUCT) {
        fprintf(out, "structure");
    } else if (ndp_dtype_add_typestr(&text, base) == NDP_OK) {
        fprintf(out, "%.*s", (int)text.size_bytes, (const char *)text.data);
    }
    for (; dtype->kind == NDP_KIND_SUBARRAY; dtype = dtype->base) {
        fputc(' ', out);
        ndp_dissect_shape(out, dtype->shape, dtype->ndim);
    }
}

static void draw_padding(FILE *out, uint32_t indent, uint64_t from, uint64_t to, uint32_t *lines_left) {
    if (to <= from || *lines_left == 0) return;
    --*lines_left;
    fprintf(out, "%*s%-6" PRIu64 " %-6" PRIu64 " padding\n", (int)indent, "", from, to - from);
}

static void draw_fields(FILE *out, uint32_t indent, const struct ndp_dtype *dtype, uint32_t *lines_left);

static void draw_field(FILE *out, uint32_t indent, const struct ndp_field *field, bool is_overlap,
                       uint32_t *lines_left) {
    const struct ndp_dtype *base = field->dtype;
    while (base->kind == NDP_KIND_SUBARRAY) base = base->base;
    --*lines_left;
    fprintf(out, "%*s%-6" PRIu64 " %-6" PRIu64 " ", (int)indent, "", field->offset_bytes, field->dtype->itemsize_bytes);
    draw_type(out, field->dtype);
    fputs(" name '", out);
    ndp_dissect_text(out, field->name, MAX_NAME_BYTES);
    fputc('\'', out);
    if (field->has_title) {
        fputs(" title '", out);
        ndp_dissect_text(out, field->title, MAX_NAME_BYTES);
        fputc('\'', out);
    }
    fputs(is_overlap ? " (overlaps the fields before it)\n" : "\n", out);
    if (base->kind == NDP_KIND_STRUCT) draw_fields(out, indent + 2, base, lines_left);
}

static void draw_fields(FILE *out, uint32_t indent, const struct ndp_dtype *dtype, uint32_t *lines_left) {
    uint64_t end = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        draw_padding(out, indent, end, field->offset_bytes, lines_left);
        if (*lines_left == 0) {
            fprintf(out, "%*s... %" PRIu64 " fields in all\n", (int)indent, "", dtype->field_count);
            return;
        }
        draw_field(out, indent, field, field->offset_bytes < end, lines_left);
        const uint64_t field_end = field->offset_bytes + field->dtype->itemsize_bytes;
        if (field_end > end) end = field_end;
    }
    draw_padding(out, indent, end, dtype->itemsize_bytes, lines_left);
}

void ndp_dissect_dtype(FILE *out, uint32_t indent, const struct ndp_dtype *dtype) {
    uint32_t lines_left = MAX_FIELD_LINES;
    const struct ndp_dtype *base = dtype;
    while (base->kind == NDP_KIND_SUBARRAY) base = base->base;
    fprintf(out, "%*sdtype ", (int)indent, "");
    draw_type(out, dtype);
    fprintf(out, ", %" PRIu64 " bytes per item%s", dtype->itemsize_bytes, base->is_aligned ? ", aligned" : "");
    if (dtype->metadata.size_bytes > 0) {
        fputs(", metadata ", out);
        ndp_dissect_text(out, dtype->metadata, MAX_NAME_BYTES);
    }
    fputc('\n', out);
    if (base->kind != NDP_KIND_STRUCT) return;
    fprintf(out, "%*soffset size   type\n", (int)indent + 2, "");
    draw_fields(out, indent + 2, base, &lines_left);
}
