/* fault.h: the named single faults of decode cases, as data.
 *
 * A decode case takes the correct encoding of a value, changes one thing in it, and states the expected result. A row
 * describes the change for codec/fault_apply.h; most faults of a header are a template of its text. Source: clauses 8.4
 * rows 37 to 43 and 45 of corpus/index.json.
 *
 * Expected results: ACCEPT, every decoder returns the value unchanged; REFUSE, no decoder returns an array; OPEN,
 * correct decoders differ or the value changes, so the reference decoder and the contract decide.
 */
#ifndef NDP_FAULT_H
#define NDP_FAULT_H

#include "describe/descriptor.h"
#include "model/array.h"

/* The change of the encoding. `argument` is the argument of the fault; sizes refer to the correct file. */
enum ndp_fault_how {
    /* NPY: the header is rewritten as `text` and `tail` (NULL: spaces up to the next multiple of 64 and one newline,
     * NumPy's padding; "" nothing). The length field is the length of text and tail; the version is `major`.0, or that
     * of the correct file if 0. Versions 1 and 2 are latin-1, 3 is UTF-8, but literal bytes of `text` and `tail` are
     * copied unchanged. Both may contain:
     *   %D  the text of descr                  %S  the text of shape: "(3, 4)"
     *   %F  "True" or "False"                  %T  the other of "True" and "False"
     *   %1  the extents of shape, each followed by ", ": "3, 4, "
     *   %L  shape with an L after each extent: "(3L, 4L,)"
     *   %X  shape in hexadecimal: "(0x3, 0x4,)"
     *   %P, %M, %Z  shape with a +, a - or a 0 before each extent: "(+3, +4,)"
     *   %R  shape with .0 after each extent: "(3.0, 4.0,)"
     *   %A  the argument in decimal            %[ %] %x %9  `argument` times that bracket, "x" or "9"
     *   %0  a NUL byte                         %%  a percent sign
     */
    NDP_FAULT_HEADER,
    NDP_FAULT_PAD,        /* NPY: as HEADER with `text`, spaces and a newline that make the length field `argument` */
    NDP_FAULT_ALIGN,      /* NPY: as HEADER with `text`, spaces (none if it fits) and a newline up to a multiple of
                             `argument` bytes of the file */
    NDP_FAULT_FLIP_MAGIC, /* NPY: byte number `argument` (0..5) of the file is inverted */
    NDP_FAULT_VERSION,    /* NPY: bytes 6 and 7 become argument / 256 and argument % 256; other bytes are unchanged */
    NDP_FAULT_LENGTH_ADD, /* NPY: `argument` is added to the length field, modulo its size; other bytes are unchanged */
    NDP_FAULT_LENGTH_SUB, /* NPY: as LENGTH_ADD, subtracted */
    NDP_FAULT_LENGTH_SET, /* NPY: the length field becomes `argument`; the version is `major`.0 unless 0 */
    NDP_FAULT_KEEP,       /* only the first `argument` % (file size) bytes remain */
    NDP_FAULT_CUT,        /* the last 1 + `argument` % (data size) bytes are removed: part of the data or all of it */
    NDP_FAULT_CUT_ITEM,   /* the last item is removed */
    NDP_FAULT_EXTRA,      /* `argument` bytes 0xA5 are appended */
    NDP_FAULT_TWICE,      /* the whole file is appended once more */
};

/* Requirements of a row on the value. A mask. */
enum ndp_fault_need {
    NDP_NEED_DIM = 1 << 0,         /* ndim >= 1 */
    NDP_NEED_DATA = 1 << 1,        /* at least one byte of data */
    NDP_NEED_ITEMSIZE = 1 << 2,    /* itemsize >= 1 */
    NDP_NEED_BOTH_ORDERS = 1 << 3, /* both C- and F-contiguous by its shape, so that the order flag has no effect */
    NDP_NEED_ASCII = 1 << 4,       /* every name and title is printable ASCII: the header has version 1 or 2 */
    NDP_NEED_ELEMENTS = 1 << 5,    /* no extent is 0 */
    NDP_NEED_LEAF = 1 << 6,        /* the dtype is neither structure nor sub-array */
    NDP_NEED_MULTIBYTE = 1 << 7,   /* the dtype is a leaf with a byte order */
    NDP_NEED_SHORT = 1 << 8,       /* few and short names and fields: the header stays below 2000 bytes */
};

struct ndp_fault_row {
    const char *name;   /* name in a descriptor */
    const char *format; /* "npy" or "raw": the encoding it changes */
    enum ndp_expect expect;
    uint32_t needs;
    enum ndp_fault_how how;
    uint8_t major;
    const char *text;
    const char *tail;
    uint64_t argument_min; /* inclusive bounds of the argument */
    uint64_t argument_max;
};

/* Returns the row of that name and format, or NULL. */
const struct ndp_fault_row *ndp_fault_find(const char *name, const char *format);

/* Returns the whole table and fills `*count`. */
const struct ndp_fault_row *ndp_fault_rows(uint32_t *count);

/* Reports whether `array` meets the needs of the row. Every fault also needs a value that the format can represent (no
 * objects, no metadata, fields in offset order without overlap) in a header of less than 4000 bytes. */
bool ndp_fault_fits(const struct ndp_fault_row *row, const struct ndp_array *array);

#endif
