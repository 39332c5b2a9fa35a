/* dissect_npy.c: the parts of an NPY file.
 *
 * Problem: the reader of headers gives all of a header or an error, but a person wants to see the header of a broken
 * file. Method: the parts are read one by one, with wider limits and the lenient grammar, and each is printed
 * as soon as it is known; the reader with its own limits then decides whether and where it refuses. Cost: the header is
 * parsed up to three times. Limits: texts are cut after a few hundred bytes. */
#include "cmd/dissect_npy.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/dissect_pickle.h"
#include "codec/npy/npy_descr.h"
#include "codec/npy/npy_header.h"

enum { MAGIC_BYTES = 6, VERSION_AT = 6, LENGTH_AT = 8, MAX_HEADER_SHOWN = 1000, MAX_VALUE_SHOWN = 300 };

/* A header of any length that a file can have. */
static const struct ndp_npy_options wide = {.is_lenient = true, .header_chars = UINT32_MAX};

struct dissection {
    FILE *out;
    uint32_t indent;
    struct ndp_arena *arena;
    struct ndp_bytes bytes;
    uint64_t total_bytes;
    uint64_t text_at;
    struct ndp_bytes text;  /* of the header, as far as the file has it */
    uint64_t data_at;       /* by the header length; may be past the end */
    struct ndp_error error; /* the first one */
};

static void draw_place(const struct dissection *d, uint64_t at, const char *name) {
    fprintf(d->out, "%*sbyte %-7" PRIu64 " %-14s ", (int)d->indent, "", at, name);
}

static struct ndp_bytes part(struct ndp_bytes bytes, uint64_t from, uint64_t to) {
    if (to > bytes.size_bytes) to = bytes.size_bytes;
    return from >= to ? (struct ndp_bytes){NULL, 0} : (struct ndp_bytes){bytes.data + from, to - from};
}

static void draw_hex(FILE *out, struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++) fprintf(out, "%s%02x", i > 0 ? " " : "", bytes.data[i]);
    fputc('\n', out);
}

/* Prints magic, version and header length, and returns whether the text of the header can be found. */
static bool draw_prefix(struct dissection *d) {
    uint64_t text_bytes = 0;
    const enum ndp_status status = ndp_npy_prefix_read(d->bytes, &wide, &d->text_at, &text_bytes, &d->error);
    if (d->bytes.size_bytes > 0) {
        draw_place(d, 0, "magic");
        draw_hex(d->out, part(d->bytes, 0, MAGIC_BYTES));
    }
    if (d->bytes.size_bytes > VERSION_AT) {
        draw_place(d, VERSION_AT, "version");
        fprintf(d->out, "%d", d->bytes.data[VERSION_AT]);
        if (d->bytes.size_bytes > VERSION_AT + 1) fprintf(d->out, ".%d", d->bytes.data[VERSION_AT + 1]);
        fputc('\n', d->out);
    }
    if (status != NDP_OK) return false;
    draw_place(d, LENGTH_AT, "header length");
    fprintf(d->out, "%" PRIu64 "\n", text_bytes);
    d->data_at = d->text_at + text_bytes;
    d->text = part(d->bytes, d->text_at, d->data_at);
    return true;
}

/* The text without the blanks and the newline that pad it. */
static struct ndp_bytes without_padding(struct ndp_bytes text) {
    while (text.size_bytes > 0 && (text.data[text.size_bytes - 1] == ' ' || text.data[text.size_bytes - 1] == '\n'))
        text.size_bytes--;
    return text;
}

static void draw_text(const struct dissection *d) {
    const struct ndp_bytes written = without_padding(d->text);
    draw_place(d, d->text_at, "header text");
    ndp_dissect_text(d->out, written, MAX_HEADER_SHOWN);
    fputc('\n', d->out);
    if (written.size_bytes == d->text.size_bytes) return;
    draw_place(d, d->text_at + written.size_bytes, "header padding");
    fprintf(d->out, "%" PRIu64 " bytes%s\n", d->text.size_bytes - written.size_bytes,
            d->text.data[d->text.size_bytes - 1] == '\n' ? ", the last one a newline" : "");
}

/* The text of a value of the dictionary: up to the next key, or to the closing brace. */
static struct ndp_bytes text_of(const struct dissection *d, const struct ndp_literal *value) {
    const bool is_last = value->next == NULL;
    const uint64_t end = is_last ? d->data_at : value->next->offset_bytes;
    struct ndp_bytes text = part(d->bytes, value->offset_bytes, end);
    bool has_brace = !is_last;
    text = without_padding(text);
    while (text.size_bytes > 0) {
        const uint8_t last = text.data[text.size_bytes - 1];
        if (last == '}' && !has_brace) {
            has_brace = true;
        } else if (last != ' ' && last != ',' && last != '\n') {
            break;
        }
        text.size_bytes--;
    }
    return text;
}

/* The key as a word, or "another key". */
static const char *word_of(const struct ndp_literal *key) {
    static const char *const words[] = {"descr", "fortran_order", "shape"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (key->kind == NDP_LITERAL_STRING && ndp_bytes_is_word(key->text, words[i])) return words[i];
    return "another key";
}

/* Prints the values of the header, and the fields of descr. */
static void draw_values(struct dissection *d, const struct ndp_literal *root) {
    for (const struct ndp_literal *key = root->first; key != NULL; key = key->next->next) {
        const struct ndp_literal *value = key->next;
        const struct ndp_dtype *dtype = NULL;
        struct ndp_error error = {0};
        draw_place(d, value->offset_bytes, word_of(key));
        ndp_dissect_text(d->out, text_of(d, value), MAX_VALUE_SHOWN);
        fputc('\n', d->out);
        if (strcmp(word_of(key), "descr") != 0) continue;
        if (ndp_npy_descr_read(d->arena, value, true, &dtype, &error) == NDP_OK)
            ndp_dissect_dtype(d->out, d->indent + 2, dtype);
    }
}

/* Parses as much of the text as the file has. The reader reports its errors. */
static void draw_header(struct dissection *d) {
    const struct ndp_literal *root = NULL;
    const bool is_utf8 = d->bytes.data[VERSION_AT] == 3;
    const struct ndp_literal_options options = {
        .start_bytes = d->text_at, .is_utf8 = is_utf8, .allows_long = !is_utf8, .is_lenient = true, .max_nesting = 100};
    struct ndp_error error = {0};
    draw_text(d);
    if (ndp_py_literal_read(d->arena, d->text, &options, &root, &error) == NDP_OK && root->kind == NDP_LITERAL_DICT)
        draw_values(d, root);
}

static enum ndp_status draw_objects(struct dissection *d) {
    if (d->data_at >= d->bytes.size_bytes) return NDP_OK;
    fprintf(d->out, "%*sthe elements are objects, in a pickle:\n", (int)d->indent, "");
    return ndp_dissect_pickle(d->out, d->indent + 2, d->arena, d->bytes, d->data_at);
}

static void draw_data(struct dissection *d, const struct ndp_npy_header *header) {
    const uint64_t present = d->total_bytes > d->data_at ? d->total_bytes - d->data_at : 0;
    draw_place(d, d->data_at, "data");
    if (header == NULL || ndp_dtype_has_object(header->dtype)) {
        fprintf(d->out, "%" PRIu64 " bytes present\n", present);
        return;
    }
    fprintf(d->out, "%" PRIu64 " bytes expected, %" PRIu64 " bytes present", header->size_bytes, present);
    if (present < header->size_bytes) fprintf(d->out, ": %" PRIu64 " bytes are missing", header->size_bytes - present);
    if (present > header->size_bytes)
        fprintf(d->out, ": %" PRIu64 " bytes follow the array", present - header->size_bytes);
    fputc('\n', d->out);
}

enum ndp_status ndp_dissect_npy(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes,
                                uint64_t total_bytes) {
    struct dissection d = {.out = out, .indent = indent, .arena = arena, .bytes = bytes, .total_bytes = total_bytes};
    struct ndp_npy_header header;
    struct ndp_error ignored = {0};
    enum ndp_status status = NDP_OK;
    if (!draw_prefix(&d)) {
        ndp_dissect_error(out, indent, 0, &d.error);
        return NDP_OK;
    }
    draw_header(&d);
    const bool is_read = ndp_npy_header_read(arena, bytes, &wide, &header, &ignored) == NDP_OK;
    draw_data(&d, is_read ? &header : NULL);
    if (is_read && ndp_dtype_has_object(header.dtype)) status = draw_objects(&d);
    const enum ndp_status strict = ndp_npy_header_read(arena, bytes, NULL, &header, &d.error);
    if (strict != NDP_OK) ndp_dissect_error(out, indent, 0, &d.error);
    return status == NDP_NOMEM || strict == NDP_NOMEM ? NDP_NOMEM : NDP_OK;
}
