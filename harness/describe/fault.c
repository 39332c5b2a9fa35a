/* fault.c: the table of faults, one per row. The order must not change, because generation selects rows by index. */
#include "describe/fault.h"

#include <string.h>

#define CANONICAL        "{'descr': %D, 'fortran_order': %F, 'shape': %S, }"
#define WITH_SHAPE(text) "{'descr': %D, 'fortran_order': %F, 'shape': " text ", }"
#define WITH_DESCR(text) "{'descr': " text ", 'fortran_order': %F, 'shape': %S, }"
#define WITH_ORDER(text) "{'descr': %D, 'fortran_order': " text ", 'shape': %S, }"

/* clang-format off */
#define TEXT(name, expect, needs, text)             {name, "npy", NDP_EXPECT_##expect, needs, NDP_FAULT_HEADER, 0, text, NULL, 0, 0}
#define TAIL(name, expect, tail)                    {name, "npy", NDP_EXPECT_##expect, 0, NDP_FAULT_HEADER, 0, CANONICAL, tail, 0, 0}
#define MAJOR(name, expect, needs, major, text)     {name, "npy", NDP_EXPECT_##expect, needs, NDP_FAULT_HEADER, major, text, NULL, 0, 0}
#define RANGE(name, expect, needs, text, low, high) {name, "npy", NDP_EXPECT_##expect, needs, NDP_FAULT_HEADER, 0, text, NULL, low, high}
#define BYTES(name, format, expect, needs, how, low, high) {name, format, NDP_EXPECT_##expect, needs, NDP_FAULT_##how, 0, NULL, NULL, low, high}

static const struct ndp_fault_row rows[] = {
    /* Row 42: the data. Bytes after the array belong to the caller. */
    BYTES("keep", "npy", REFUSE, 0, KEEP, 0, UINT32_MAX),
    BYTES("cut", "npy", REFUSE, NDP_NEED_DATA, CUT, 0, UINT32_MAX),
    BYTES("cut-item", "npy", REFUSE, NDP_NEED_DATA, CUT_ITEM, 0, 0),
    BYTES("extra", "npy", ACCEPT, 0, EXTRA, 1, 5000),
    BYTES("twice", "npy", ACCEPT, 0, TWICE, 0, 0),
    BYTES("keep", "raw", REFUSE, NDP_NEED_DATA, KEEP, 0, UINT32_MAX),
    BYTES("cut", "raw", REFUSE, NDP_NEED_DATA, CUT, 0, UINT32_MAX),
    BYTES("cut-item", "raw", REFUSE, NDP_NEED_DATA, CUT_ITEM, 0, 0),
    BYTES("extra", "raw", ACCEPT, 0, EXTRA, 1, 5000),

    /* Row 37: magic and version. */
    BYTES("magic", "npy", REFUSE, 0, FLIP_MAGIC, 0, 5),
    BYTES("version-0.0", "npy", REFUSE, 0, VERSION, 0x0000, 0x0000),
    BYTES("version-0.1", "npy", REFUSE, 0, VERSION, 0x0001, 0x0001),
    BYTES("version-1.x", "npy", REFUSE, 0, VERSION, 0x0101, 0x01ff),
    BYTES("version-2.x", "npy", REFUSE, 0, VERSION, 0x0201, 0x02ff),
    BYTES("version-3.x", "npy", REFUSE, 0, VERSION, 0x0301, 0x03ff),
    BYTES("version-4-up", "npy", REFUSE, 0, VERSION, 0x0400, 0xffff),
    MAJOR("major-2", ACCEPT, NDP_NEED_ASCII, 2, CANONICAL),
    MAJOR("major-3", ACCEPT, NDP_NEED_ASCII, 3, CANONICAL),

    /* Row 38: the length field. One or two more takes bytes of the data, so that the data are too short. */
    BYTES("length-0", "npy", REFUSE, 0, LENGTH_SET, 0, 0),
    BYTES("length-in-dict", "npy", REFUSE, 0, LENGTH_SET, 1, 20),
    BYTES("length-less", "npy", OPEN, 0, LENGTH_SUB, 1, 3),
    BYTES("length-more", "npy", REFUSE, 0, LENGTH_ADD, 1, 64),
    BYTES("length-65535", "npy", REFUSE, NDP_NEED_SHORT, LENGTH_SET, 0xffff, 0xffff),
    {"length-huge", "npy", NDP_EXPECT_REFUSE, NDP_NEED_SHORT, NDP_FAULT_LENGTH_SET, 2, CANONICAL, NULL, 0x7ffffff0, 0xffffffff},
    {"pad-to", "npy", NDP_EXPECT_ACCEPT, NDP_NEED_SHORT, NDP_FAULT_PAD, 0, CANONICAL, NULL, 2000, 10000},
    {"pad-past-limit", "npy", NDP_EXPECT_OPEN, NDP_NEED_SHORT, NDP_FAULT_PAD, 0, CANONICAL, NULL, 10001, 65535},

    /* Row 39: padding and the end of the header. */
    TAIL("tail-none", ACCEPT, "\n"),
    TAIL("tail-no-newline", OPEN, "  "),
    TAIL("tail-nothing", OPEN, ""),
    TAIL("tail-tabs", ACCEPT, "\t\t\t\n"),
    TAIL("tail-crlf", ACCEPT, "  \r\n"),
    TAIL("tail-newlines", ACCEPT, "\n\n\n"),
    TAIL("tail-after-newline", OPEN, "\n   "),
    TAIL("tail-nul", REFUSE, "%0%0%0\n"),
    TAIL("tail-comment", ACCEPT, " # comment\n"),
    TAIL("tail-latin1-comment", OPEN, " # \xe9\n"),
    TAIL("tail-text", REFUSE, " x\n"),
    TAIL("tail-semicolon", REFUSE, ";\n"),
    TAIL("tail-comma", REFUSE, ",\n"),
    TAIL("tail-second-dict", REFUSE, " {}\n"),
    TAIL("tail-bracket", REFUSE, "}\n"),
    {"align", "npy", NDP_EXPECT_ACCEPT, 0, NDP_FAULT_ALIGN, 0, CANONICAL, NULL, 1, 128},
    TEXT("lead-spaces", OPEN, 0, "   " CANONICAL),
    TEXT("lead-newline", OPEN, 0, "\n" CANONICAL),
    MAJOR("lead-bom", REFUSE, NDP_NEED_ASCII, 3, "\xef\xbb\xbf" CANONICAL),

    /* Row 40: the dictionary. Different spellings of the same literals are the same header. */
    TEXT("keys-reversed", ACCEPT, 0, "{'shape': %S, 'fortran_order': %F, 'descr': %D}"),
    TEXT("keys-rotated", ACCEPT, 0, "{'fortran_order': %F, 'shape': %S, 'descr': %D, }"),
    TEXT("quotes-double", ACCEPT, 0, "{\"descr\": %D, \"fortran_order\": %F, \"shape\": %S}"),
    TEXT("quotes-triple", ACCEPT, 0, "{'''descr''': %D, \"\"\"fortran_order\"\"\": %F, 'shape': %S}"),
    TEXT("spaces-none", ACCEPT, 0, "{'descr':%D,'fortran_order':%F,'shape':%S}"),
    TEXT("spaces-many", ACCEPT, 0, "{ 'descr' :\t%D ,\n 'fortran_order'  : \r\n %F , 'shape':  %S , }"),
    TEXT("comma-none", ACCEPT, 0, "{'descr': %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("comma-twice", REFUSE, 0, "{'descr': %D,, 'fortran_order': %F, 'shape': %S}"),
    TEXT("parentheses", ACCEPT, 0, "(" CANONICAL ")"),
    TEXT("parentheses-inside", ACCEPT, 0, "{('descr'): (%D), 'fortran_order': (%F), 'shape': (%S)}"),
    TEXT("comment-inside", ACCEPT, 0, "{'descr': %D, # , } \n 'fortran_order': %F, 'shape': %S}"),
    TEXT("key-prefix-u", ACCEPT, 0, "{u'descr': %D, u'fortran_order': %F, u'shape': %S}"),
    TEXT("key-prefix-r", ACCEPT, 0, "{r'descr': %D, R'fortran_order': %F, 'shape': %S}"),
    TEXT("key-prefix-b", REFUSE, 0, "{'descr': %D, 'fortran_order': %F, b'shape': %S}"),
    TEXT("key-concatenated", ACCEPT, 0, "{'des' \"cr\": %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("key-escaped", ACCEPT, 0, "{'\\x64escr': %D, 'fortran\\137order': %F, '\\u0073hape': %S}"),
    TEXT("key-twice-same", OPEN, 0, "{'descr': %D, 'fortran_order': %F, 'shape': %S, 'shape': %S}"),
    TEXT("key-twice-last-right", OPEN, 0, "{'shape': (7,), 'descr': %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("key-twice-first-right", OPEN, 0, "{'shape': %S, 'descr': %D, 'fortran_order': %F, 'shape': (0,)}"),
    TEXT("key-extra", REFUSE, 0, "{'descr': %D, 'extra': 0, 'fortran_order': %F, 'shape': %S, }"),
    TEXT("key-number", REFUSE, 0, "{'descr': %D, 'fortran_order': %F, 'shape': %S, 1: 2}"),
    TEXT("key-case", REFUSE, 0, "{'Descr': %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("key-space", REFUSE, 0, "{'descr ': %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("key-bare", REFUSE, 0, "{descr: %D, 'fortran_order': %F, 'shape': %S}"),
    TEXT("descr-missing", REFUSE, 0, "{'fortran_order': %F, 'shape': %S, }"),
    TEXT("order-missing", REFUSE, 0, "{'descr': %D, 'shape': %S, }"),
    TEXT("shape-missing", REFUSE, 0, "{'descr': %D, 'fortran_order': %F, }"),
    TEXT("dict-empty", REFUSE, 0, "{}"),
    TEXT("dict-none", REFUSE, 0, "None"),
    TEXT("dict-blank", REFUSE, 0, ""),
    TEXT("dict-list", REFUSE, 0, "[('descr', %D), ('fortran_order', %F), ('shape', %S)]"),
    TEXT("dict-open", REFUSE, 0, "{'descr': %D, 'fortran_order': %F, 'shape': %S, "),
    TEXT("dict-nested", REFUSE, 0, "{'header': " CANONICAL "}"),
    TEXT("dict-call", REFUSE, 0, "dict(descr=%D, fortran_order=%F, shape=%S)"),
    TEXT("dict-string", REFUSE, 0, "\"" "descr" "\""),
    TEXT("dict-set", REFUSE, 0, "{'descr', 'fortran_order', 'shape'}"),
    TEXT("string-open", REFUSE, 0, "{'descr: %D"),
    RANGE("nesting", REFUSE, 0, WITH_SHAPE("%[%]"), 200, 9000),
    RANGE("nesting-open", REFUSE, 0, "%[", 200, 9000),
    RANGE("nesting-descr", REFUSE, 0, WITH_DESCR("%[%]"), 200, 9000),

    /* Row 40 with rows 1, 3-5 of 8.1: the shape. */
    TEXT("shape-long-ints", ACCEPT, NDP_NEED_ASCII | NDP_NEED_DIM, WITH_SHAPE("%L")),
    MAJOR("shape-long-ints-v3", OPEN, NDP_NEED_ASCII | NDP_NEED_DIM, 3, WITH_SHAPE("%L")),
    TEXT("shape-hex", ACCEPT, NDP_NEED_DIM, WITH_SHAPE("%X")),
    TEXT("shape-plus", ACCEPT, NDP_NEED_DIM, WITH_SHAPE("%P")),
    TEXT("shape-leading-zero", REFUSE, NDP_NEED_DIM | NDP_NEED_ELEMENTS, WITH_SHAPE("%Z")),
    TEXT("shape-float", REFUSE, NDP_NEED_DIM, WITH_SHAPE("%R")),
    TEXT("shape-negative", REFUSE, NDP_NEED_DIM | NDP_NEED_ELEMENTS | NDP_NEED_ITEMSIZE, WITH_SHAPE("%M")),
    TEXT("shape-minus-one", REFUSE, NDP_NEED_ITEMSIZE, WITH_SHAPE("(-1,)")),
    TEXT("shape-minus-one-more", REFUSE, NDP_NEED_ITEMSIZE, WITH_SHAPE("(%1-1,)")),
    TEXT("shape-list", REFUSE, 0, WITH_SHAPE("[%1]")),
    TEXT("shape-int", REFUSE, 0, WITH_SHAPE("(4)")),
    TEXT("shape-none", REFUSE, 0, WITH_SHAPE("None")),
    TEXT("shape-text", REFUSE, 0, WITH_SHAPE("'%1'")),
    TEXT("shape-of-none", REFUSE, 0, WITH_SHAPE("(%1None,)")),
    TEXT("shape-of-text", REFUSE, 0, WITH_SHAPE("(%1'1',)")),
    TEXT("shape-of-true", REFUSE, 0, WITH_SHAPE("(%1True,)")),
    TEXT("shape-nested", REFUSE, 0, WITH_SHAPE("(%S,)")),
    TEXT("shape-sum", REFUSE, 0, WITH_SHAPE("(%10+1,)")),
    TEXT("shape-call", REFUSE, 0, WITH_SHAPE("tuple(%S)")),
    TEXT("shape-import", REFUSE, 0, WITH_SHAPE("__import__('os').getpid()")),
    TEXT("shape-more-data", REFUSE, NDP_NEED_ITEMSIZE | NDP_NEED_ELEMENTS, WITH_SHAPE("(%12,)")),
    TEXT("shape-65-dims", REFUSE, 0, WITH_SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                                                "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)")),
    TEXT("shape-2p63", REFUSE, 0, WITH_SHAPE("(9223372036854775808,)")),
    TEXT("shape-2p64", REFUSE, 0, WITH_SHAPE("(18446744073709551616,)")),
    TEXT("shape-2p64+1", REFUSE, 0, WITH_SHAPE("(%118446744073709551617,)")),
    TEXT("shape-2p63-1", REFUSE, NDP_NEED_ITEMSIZE, WITH_SHAPE("(9223372036854775807,)")),
    TEXT("shape-wraps-to-0", REFUSE, NDP_NEED_ITEMSIZE, WITH_SHAPE("(4294967296, 4294967296)")),
    TEXT("shape-wraps-to-small", REFUSE, NDP_NEED_ITEMSIZE, WITH_SHAPE("(4611686018427387905, 4)")),
    TEXT("shape-bytes-wrap", REFUSE, NDP_NEED_MULTIBYTE, WITH_SHAPE("(2305843009213693952, 4)")),
    TEXT("shape-zero-and-huge", OPEN, 0, WITH_SHAPE("(4611686018427387904, 4, 0)")),
    RANGE("shape-digits", REFUSE, 0, WITH_SHAPE("(%9,)"), 20, 9000),
    RANGE("shape-tail-x", REFUSE, 0, WITH_SHAPE("(%1%x)"), 1, 9000),

    /* Row 9 and row 40: the order. */
    TEXT("order-other", ACCEPT, NDP_NEED_BOTH_ORDERS, WITH_ORDER("%T")),
    TEXT("order-zero", REFUSE, 0, WITH_ORDER("0")),
    TEXT("order-one", REFUSE, 0, WITH_ORDER("1")),
    TEXT("order-none", REFUSE, 0, WITH_ORDER("None")),
    TEXT("order-text", REFUSE, 0, WITH_ORDER("'%F'")),
    TEXT("order-lower", REFUSE, 0, WITH_ORDER("false")),
    TEXT("order-not", REFUSE, 0, WITH_ORDER("not %T")),

    /* Rows 16, 22-25, 28, 33, 34: descr. */
    TEXT("descr-none", REFUSE, 0, WITH_DESCR("None")),
    TEXT("descr-int", REFUSE, 0, WITH_DESCR("8")),
    TEXT("descr-true", REFUSE, 0, WITH_DESCR("True")),
    TEXT("descr-empty-text", REFUSE, 0, WITH_DESCR("''")),
    TEXT("descr-empty-tuple", REFUSE, 0, WITH_DESCR("()")),
    TEXT("descr-one-tuple", REFUSE, 0, WITH_DESCR("('<i2',)")),
    TEXT("descr-dict", REFUSE, 0, WITH_DESCR("{'names': ['a'], 'formats': ['<i4']}")),
    TEXT("descr-bytes", REFUSE, NDP_NEED_LEAF, WITH_DESCR("b%D")),
    TEXT("descr-subarray", OPEN, 0, WITH_DESCR("(%D, (1,))")),
    TEXT("descr-unicode-prefix", ACCEPT, NDP_NEED_LEAF, WITH_DESCR("u%D")),
    TEXT("descr-concatenated", ACCEPT, NDP_NEED_LEAF, WITH_DESCR("'' %D \"\"")),
    TEXT("descr-space", REFUSE, 0, WITH_DESCR("' <i4'")),
    TEXT("descr-space-behind", REFUSE, 0, WITH_DESCR("'<i4 '")),
    TEXT("descr-nul", REFUSE, 0, WITH_DESCR("'<i4\\x00'")),
    TEXT("descr-non-ascii", REFUSE, 0, WITH_DESCR("'<i4\\xe9'")),
    TEXT("descr-size-3", REFUSE, 0, WITH_DESCR("'<i3'")),
    TEXT("descr-size-16", REFUSE, 0, WITH_DESCR("'<i16'")),
    TEXT("descr-float-10", REFUSE, 0, WITH_DESCR("'<f10'")),
    TEXT("descr-size-negative", REFUSE, 0, WITH_DESCR("'<i-4'")),
    TEXT("descr-kind", REFUSE, 0, WITH_DESCR("'<t4'")),
    TEXT("descr-order-character", REFUSE, 0, WITH_DESCR("'!i4'")),
    TEXT("descr-order-twice", REFUSE, 0, WITH_DESCR("'<<i4'")),
    TEXT("descr-size-2p31", REFUSE, 0, WITH_DESCR("'|S2147483648'")),
    TEXT("descr-size-wraps", REFUSE, 0, WITH_DESCR("'|S99999999999'")),
    TEXT("descr-text-2p31", REFUSE, 0, WITH_DESCR("'<U536870912'")),
    TEXT("descr-size-2p64", REFUSE, 0, WITH_DESCR("'|V18446744073709551617'")),
    RANGE("descr-long", REFUSE, 0, WITH_DESCR("'<i4%x'"), 1, 9000),
    TEXT("descr-unit", REFUSE, 0, WITH_DESCR("'<M8[xs]'")),
    TEXT("descr-unit-open", REFUSE, 0, WITH_DESCR("'<M8[ns'")),
    TEXT("descr-unit-negative", REFUSE, 0, WITH_DESCR("'<M8[-1ns]'")),
    TEXT("descr-unit-2p31", REFUSE, 0, WITH_DESCR("'<m8[2147483648s]'")),
    TEXT("descr-unit-zero", OPEN, 0, WITH_DESCR("'<m8[0ns]'")),
    TEXT("descr-unit-fraction", OPEN, 0, WITH_DESCR("'<m8[ns/10]'")),
    TEXT("descr-native", OPEN, 0, WITH_DESCR("'=i4'")),
    TEXT("descr-none-order", OPEN, 0, WITH_DESCR("'|i4'")),
    TEXT("descr-name", OPEN, 0, WITH_DESCR("'float64'")),
    TEXT("descr-character", OPEN, 0, WITH_DESCR("'d'")),
    TEXT("descr-list-text", OPEN, 0, WITH_DESCR("'i2,i2'")),
    TEXT("descr-repeat", OPEN, 0, WITH_DESCR("'2i2'")),
    TEXT("descr-order-on-byte", OPEN, 0, WITH_DESCR("'<u1'")),
    TEXT("descr-order-missing-on-byte", OPEN, 0, WITH_DESCR("'u1'")),
    TEXT("descr-object", REFUSE, NDP_NEED_DATA, WITH_DESCR("'|O'")),
    TEXT("descr-of-object", REFUSE, NDP_NEED_DATA, WITH_DESCR("[('a', %D), ('b', '|O')]")),
    TEXT("fields-empty", OPEN, 0, WITH_DESCR("[]")),
    TEXT("fields-same-name", REFUSE, 0, WITH_DESCR("[('a', '<i2'), ('a', '<i2')]")),
    TEXT("fields-title-is-name", REFUSE, 0, WITH_DESCR("[(('b', 'a'), '<i2'), ('b', '<i2')]")),
    TEXT("fields-same-title", REFUSE, 0, WITH_DESCR("[(('t', 'a'), '<i2'), (('t', 'b'), '<i2')]")),
    TEXT("field-name-int", REFUSE, 0, WITH_DESCR("[(1, '<i2')]")),
    TEXT("field-name-none", REFUSE, 0, WITH_DESCR("[(None, '<i2')]")),
    TEXT("field-name-bytes", REFUSE, 0, WITH_DESCR("[(b'a', '<i2')]")),
    TEXT("field-one-tuple", REFUSE, 0, WITH_DESCR("[('a',)]")),
    TEXT("field-four-tuple", REFUSE, 0, WITH_DESCR("[('a', '<i2', (1,), 0)]")),
    TEXT("field-text", REFUSE, 0, WITH_DESCR("['<i2']")),
    TEXT("field-metadata", REFUSE, 0, WITH_DESCR("[('a', ('<i2', {'x': 1}))]")),
    TEXT("field-shape-negative", REFUSE, 0, WITH_DESCR("[('a', '<i2', (-1,))]")),
    TEXT("field-shape-huge", REFUSE, 0, WITH_DESCR("[('a', '<i2', (65536, 65536))]")),
    TEXT("field-shape-text", REFUSE, 0, WITH_DESCR("[('a', '<i2', ('1',))]")),
    TEXT("field-unknown-type", REFUSE, 0, WITH_DESCR("[('a', '<q2')]")),

    /* Row 41: encodings. The bytes are in a string of the dictionary. */
    MAJOR("utf8-bad", REFUSE, NDP_NEED_ASCII, 3, "{'descr': %D, 'fortran_order': %F, 'shape': %S, '\xff': 0}"),
    MAJOR("utf8-overlong", REFUSE, NDP_NEED_ASCII, 3, "{'descr': %D, 'fortran_order': %F, 'shape\xc0\xa0': %S}"),
    MAJOR("utf8-surrogate", REFUSE, NDP_NEED_ASCII, 3, WITH_DESCR("[('\xed\xa0\x80', '<i2')]")),
    MAJOR("utf8-comment-bad", REFUSE, NDP_NEED_ASCII, 3, CANONICAL " # \xe9"),
    MAJOR("utf8-comment", ACCEPT, NDP_NEED_ASCII, 3, CANONICAL " # \xc3\xa9"),
    TEXT("nul-inside", REFUSE, 0, "{'descr': %D, %0'fortran_order': %F, 'shape': %S}"),
};
/* clang-format on */

const struct ndp_fault_row *ndp_fault_rows(uint32_t *count) {
    *count = (uint32_t)NDP_ARRAY_LEN(rows);
    return rows;
}

const struct ndp_fault_row *ndp_fault_find(const char *name, const char *format) {
    if (name[0] == '\0') return NULL;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_bytes_word_is(rows[i].name, name) && ndp_bytes_word_is(rows[i].format, format)) return &rows[i];
    return NULL;
}

static bool text_is_plain(struct ndp_bytes text) {
    for (uint64_t i = 0; i < text.size_bytes; i++)
        if (text.data[i] < 0x20 || text.data[i] > 0x7e) return false;
    return true;
}

/* Adds up the header bytes of all names and fields. Returns false if a name is not ASCII. */
static bool names_are_plain(const struct ndp_dtype *dtype, uint64_t *header_bytes) {
    bool plain = true;
    *header_bytes += 16 + (uint64_t)dtype->ndim * 12;
    if (dtype->kind == NDP_KIND_SUBARRAY) return names_are_plain(dtype->base, header_bytes);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (!text_is_plain(field->name) || (field->has_title && !text_is_plain(field->title))) plain = false;
        *header_bytes += field->name.size_bytes * 2 + field->title.size_bytes * 2 + 32;
        if (!names_are_plain(field->dtype, header_bytes)) plain = false;
    }
    return plain;
}

static uint32_t shape_needs(const struct ndp_layout *layout) {
    uint32_t has = layout->ndim > 0 ? NDP_NEED_DIM : 0;
    uint32_t long_axes = 0;
    bool is_empty = false;
    for (uint32_t i = 0; i < layout->ndim; i++) {
        if (layout->shape[i] >= 2) long_axes++;
        if (layout->shape[i] == 0) is_empty = true;
    }
    if (!is_empty) has |= NDP_NEED_ELEMENTS;
    if (is_empty || long_axes <= 1) has |= NDP_NEED_BOTH_ORDERS;
    return has;
}

static bool format_can_represent(const struct ndp_dtype *dtype) {
    return !ndp_dtype_has_object(dtype) && !ndp_dtype_has_metadata(dtype) && !ndp_dtype_has_overlap(dtype);
}

bool ndp_fault_fits(const struct ndp_fault_row *row, const struct ndp_array *array) {
    const struct ndp_dtype *dtype = array->dtype;
    uint64_t header_bytes = 100 + (uint64_t)array->layout.ndim * 12;
    uint32_t has = shape_needs(&array->layout);
    if (names_are_plain(dtype, &header_bytes)) has |= NDP_NEED_ASCII;
    if (header_bytes < 1500) has |= NDP_NEED_SHORT;
    if (dtype->itemsize_bytes > 0) has |= NDP_NEED_ITEMSIZE;
    if (dtype->itemsize_bytes > 0 && (has & NDP_NEED_ELEMENTS)) has |= NDP_NEED_DATA;
    bool is_leaf = dtype->kind != NDP_KIND_STRUCT && dtype->kind != NDP_KIND_SUBARRAY;
    if (is_leaf) has |= NDP_NEED_LEAF;
    if (is_leaf && dtype->order != NDP_ORDER_NONE && dtype->itemsize_bytes > 1) has |= NDP_NEED_MULTIBYTE;
    return (row->needs & ~has) == 0 && header_bytes < 4000 && format_can_represent(dtype);
}
