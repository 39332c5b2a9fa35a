#include "oracle/fault_again.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "codec/fault_apply.h"
#include "codec/npy/npy_encode.h"
#include "fuzz.h"

enum {
    MAX_AXES = 3,
    ITEM_BYTES = 4,
    ROOM_BYTES = 1 << 20,
    SHORT_PREFIX_BYTES = 10,
    LONG_PREFIX_BYTES = 12,
    ALIGN = 64
};
enum { EXPECTED = 16, PRIME = 7919 };

/* Every decoder takes these, and gives the right array. */
static const char *const taken[] = {"extra",
                                    "twice",
                                    "major-2",
                                    "major-3",
                                    "pad-to",
                                    "align",
                                    "tail-none",
                                    "tail-tabs",
                                    "tail-crlf",
                                    "tail-newlines",
                                    "tail-comment",
                                    "keys-reversed",
                                    "keys-rotated",
                                    "quotes-double",
                                    "quotes-triple",
                                    "spaces-none",
                                    "spaces-many",
                                    "comma-none",
                                    "parentheses",
                                    "parentheses-inside",
                                    "comment-inside",
                                    "key-prefix-u",
                                    "key-prefix-r",
                                    "key-concatenated",
                                    "key-escaped",
                                    "shape-long-ints",
                                    "shape-hex",
                                    "shape-plus",
                                    "order-other",
                                    "descr-unicode-prefix",
                                    "descr-concatenated",
                                    "utf8-comment"};

/* Good decoders differ, or what they give is another array. */
static const char *const open[] = {"length-less",          "pad-past-limit",        "tail-no-newline",
                                   "tail-nothing",         "tail-after-newline",    "tail-latin1-comment",
                                   "lead-spaces",          "lead-newline",          "key-twice-same",
                                   "key-twice-last-right", "key-twice-first-right", "shape-long-ints-v3",
                                   "shape-zero-and-huge",  "descr-subarray",        "descr-unit-zero",
                                   "descr-unit-fraction",  "descr-native",          "descr-none-order",
                                   "descr-name",           "descr-character",       "descr-list-text",
                                   "descr-repeat",         "descr-order-on-byte",   "descr-order-missing-on-byte",
                                   "fields-empty"};

enum ndp_expect fuzz_fault_expects(const char *name) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(taken); i++)
        if (strcmp(name, taken[i]) == 0) return NDP_EXPECT_ACCEPT;
    for (size_t i = 0; i < NDP_ARRAY_LEN(open); i++)
        if (strcmp(name, open[i]) == 0) return NDP_EXPECT_OPEN;
    return NDP_EXPECT_REFUSE;
}

/* Little-endian integers in C order, and the file of them. */
struct sheet {
    struct ndp_layout layout;
    struct ndp_buffer right;
    uint64_t data_bytes, argument;
};

static void open_sheet(uint64_t pick, struct sheet *out) {
    static const struct ndp_dtype type = {
        .kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = ITEM_BYTES};
    static const uint8_t data[ITEM_BYTES * 9 * 9 * 9] = {1, 2, 3, 4, 5};
    int64_t shape[MAX_AXES];
    uint64_t count = 1;
    *out = (struct sheet){.right = {.max_bytes = ROOM_BYTES}};
    for (uint32_t i = 0; i < MAX_AXES; i++) shape[i] = 2 + (int64_t)(pick >> 4 * i & 7);
    const uint32_t ndim = 1 + (uint32_t)(pick >> 12) % MAX_AXES;
    for (uint32_t i = 0; i < ndim; i++) count *= (uint64_t)shape[i];
    out->data_bytes = count * ITEM_BYTES;
    FUZZ_CHECK(ndp_layout_contiguous(&out->layout, shape, ndim, ITEM_BYTES, NDP_MEMORY_C, 0) == NDP_OK);
    const struct ndp_elements elements = {&type, &out->layout, data};
    FUZZ_CHECK(ndp_npy_encode_buffer(&elements, 0, &out->right, NULL) == NDP_OK);
}

/* "(2, 3)": each number of the shape by a form of its own, in brackets or without. */
static void add_shape(const struct ndp_layout *layout, const char *form, bool is_bare, struct ndp_buffer *out) {
    if (!is_bare) FUZZ_CHECK(ndp_buffer_printf(out, "(") == NDP_OK);
    for (uint32_t i = 0; i < layout->ndim; i++) {
        char number[40];
        snprintf(number, sizeof number, strchr(form, 'x') ? "0x%llx" : "%lld", (long long)layout->shape[i]);
        for (const char *at = form; *at; at++)
            FUZZ_CHECK(*at == 'n' || *at == 'x' ? ndp_buffer_printf(out, "%s", number) == NDP_OK
                                                : ndp_buffer_printf(out, "%c", *at) == NDP_OK);
        const bool is_last = i + 1 == layout->ndim;
        FUZZ_CHECK(ndp_buffer_printf(out, is_bare || !is_last ? ", " : layout->ndim == 1 ? "," : "") == NDP_OK);
    }
    if (!is_bare) FUZZ_CHECK(ndp_buffer_printf(out, ")") == NDP_OK);
}

static void add_many(char c, uint64_t count, struct ndp_buffer *out) {
    for (; count > 0; count--) FUZZ_CHECK(ndp_buffer_add(out, &c, 1) == NDP_OK);
}

/* What stands for a letter behind a percent sign. Source: describe/fault.h. */
static void add_letter(const struct sheet *sheet, char letter, struct ndp_buffer *out) {
    static const char letters[] = "S1LXPMZR";
    static const char *const forms[] = {"n", "n", "nL", "x", "+n", "-n", "0n", "n.0"};
    const char *known = strchr(letters, letter);
    if (known)
        add_shape(&sheet->layout, forms[known - letters], letter == '1', out);
    else if (letter == 'D')
        FUZZ_CHECK(ndp_buffer_printf(out, "'<i4'") == NDP_OK);
    else if (letter == 'F' || letter == 'T')
        FUZZ_CHECK(ndp_buffer_printf(out, letter == 'F' ? "False" : "True") == NDP_OK);
    else if (letter == 'A')
        FUZZ_CHECK(ndp_buffer_printf(out, "%llu", (unsigned long long)sheet->argument) == NDP_OK);
    else
        add_many(letter == '0' ? '\0' : letter, letter == '0' || letter == '%' ? 1 : sheet->argument, out);
}

static void add_text(const struct sheet *sheet, const char *text, struct ndp_buffer *out) {
    for (; *text; text++) {
        if (*text == '%')
            add_letter(sheet, *++text, out);
        else
            add_many(*text, 1, out);
    }
}

/* The whole file with the row's header. */
static void add_file(const struct sheet *sheet, const struct ndp_fault_row *row, struct ndp_buffer *out) {
    struct ndp_buffer text = {.max_bytes = ROOM_BYTES};
    const uint8_t major = row->major != 0 ? row->major : 1;
    const uint64_t prefix = major == 1 ? SHORT_PREFIX_BYTES : LONG_PREFIX_BYTES;
    add_text(sheet, row->text, &text);
    if (row->tail)
        add_text(sheet, row->tail, &text);
    else if (row->how == NDP_FAULT_PAD)
        add_many(' ', text.size_bytes + 1 < sheet->argument ? sheet->argument - 1 - text.size_bytes : 0, &text);
    else if (row->how == NDP_FAULT_ALIGN)
        while ((prefix + text.size_bytes + 1) % sheet->argument != 0) add_many(' ', 1, &text);
    else
        do add_many(' ', 1, &text);
        while ((prefix + text.size_bytes + 1) % ALIGN != 0);
    if (!row->tail) add_many('\n', 1, &text);
    const uint64_t length = row->how == NDP_FAULT_LENGTH_SET ? sheet->argument : text.size_bytes;
    const uint8_t head[] = {0x93,
                            'N',
                            'U',
                            'M',
                            'P',
                            'Y',
                            major,
                            0,
                            (uint8_t)length,
                            (uint8_t)(length >> 8),
                            (uint8_t)(length >> 16),
                            (uint8_t)(length >> 24)};
    FUZZ_CHECK(ndp_buffer_add(out, head, prefix) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(out, text.data, text.size_bytes) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(out, sheet->right.data + sheet->right.size_bytes - sheet->data_bytes,
                              sheet->data_bytes) == NDP_OK);
    ndp_buffer_clear(&text);
}

/* The right file with some of its first bytes changed, without some of its last ones, or with more behind it. */
static void add_changed(const struct sheet *sheet, const struct ndp_fault_row *row, struct ndp_buffer *out) {
    const struct ndp_bytes right = ndp_buffer_view(&sheet->right);
    const uint64_t argument = sheet->argument, size = right.size_bytes;
    const uint64_t length = size - sheet->data_bytes - SHORT_PREFIX_BYTES;
    FUZZ_CHECK(ndp_buffer_add(out, right.data, size) == NDP_OK);
    if (row->how == NDP_FAULT_TWICE) FUZZ_CHECK(ndp_buffer_add(out, right.data, size) == NDP_OK);
    if (row->how == NDP_FAULT_EXTRA) add_many((char)0xa5, argument, out);
    if (row->how == NDP_FAULT_KEEP) out->size_bytes = argument % size;
    if (row->how == NDP_FAULT_CUT) out->size_bytes = size - 1 - argument % sheet->data_bytes;
    if (row->how == NDP_FAULT_CUT_ITEM) out->size_bytes = size - ITEM_BYTES;
    if (row->how == NDP_FAULT_FLIP_MAGIC) out->data[argument] = (uint8_t)~out->data[argument];
    if (row->how == NDP_FAULT_VERSION) out->data[6] = (uint8_t)(argument >> 8), out->data[7] = (uint8_t)argument;
    const bool is_set = row->how == NDP_FAULT_LENGTH_SET;
    if (!is_set && row->how != NDP_FAULT_LENGTH_ADD && row->how != NDP_FAULT_LENGTH_SUB) return;
    const uint64_t now = is_set ? argument : row->how == NDP_FAULT_LENGTH_ADD ? length + argument : length - argument;
    out->data[8] = (uint8_t)now, out->data[9] = (uint8_t)(now >> 8);
}

void fuzz_check_fault_row(const struct ndp_fault_row *row, uint64_t pick) {
    const uint64_t span = row->argument_max - row->argument_min;
    struct ndp_buffer made = {.max_bytes = ROOM_BYTES}, expected = {.max_bytes = ROOM_BYTES};
    struct ndp_fault fault = {.name = ""};
    struct sheet sheet;
    open_sheet(pick, &sheet);
    sheet.argument = row->argument_min + (pick >> 16) % ((span < UINT16_MAX ? span : UINT16_MAX) + 1);
    fault.argument = sheet.argument;
    snprintf(fault.name, sizeof fault.name, "%s", row->name);
    if (row->text)
        add_file(&sheet, row, &expected);
    else
        add_changed(&sheet, row, &expected);
    const struct ndp_bytes right = ndp_buffer_view(&sheet.right);
    const enum ndp_status status = ndp_fault_apply(&fault, "npy", right, ITEM_BYTES, sheet.data_bytes, &made, NULL);
    if (FUZZ_HOLDS_OF(row->name, status == NDP_OK))
        FUZZ_HOLDS_OF(row->name, ndp_bytes_is_equal(ndp_buffer_view(&made), ndp_buffer_view(&expected)));
    ndp_buffer_clear(&made);
    ndp_buffer_clear(&expected);
    ndp_buffer_clear(&sheet.right);
}

void fuzz_check_fault(uint64_t pick) {
    uint32_t count = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    const struct ndp_fault_row *row = &rows[pick % count];
    for (uint32_t i = 0; i < EXPECTED; i++) {
        const struct ndp_fault_row *known = &rows[(pick + i * (uint64_t)PRIME) % count];
        FUZZ_HOLDS_OF(known->name, known->expect == fuzz_fault_expects(known->name));
    }
    if (strcmp(row->format, "npy") == 0) fuzz_check_fault_row(row, pick / count);
}
