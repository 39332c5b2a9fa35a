/* dtype.h: the type of one element: everything that NumPy's dtype can express and a format can store.
 *
 * A dtype is an immutable tree in an arena. Each leaf has its byte order. Sizes are in bytes; offsets count from the
 * start of the item. The depth is at most NDP_MAX_DTYPE_DEPTH, which is checked on reading, so recursion over a tree is
 * bounded.
 */
#ifndef NDP_DTYPE_H
#define NDP_DTYPE_H

#include "base/bytes.h"

enum { NDP_MAX_NDIM = 64, NDP_MAX_DTYPE_DEPTH = 64, NDP_MAX_FIELDS = 65536, NDP_MAX_METADATA_DEPTH = 64 };
#define NDP_MAX_ITEMSIZE_BYTES UINT64_C(0x7fffffff) /* limit of NumPy: a C int */

/* enum name, kind character of the array interface, description */
#define NDP_KIND_LIST(X)                                                                                               \
    X(BOOL, 'b', "boolean")                                                                                            \
    X(INT, 'i', "signed integer")                                                                                      \
    X(UINT, 'u', "unsigned integer")                                                                                   \
    X(FLOAT, 'f', "floating point")                                                                                    \
    X(COMPLEX, 'c', "complex")                                                                                         \
    X(BYTES, 'S', "fixed-size bytes")                                                                                  \
    X(TEXT, 'U', "fixed-size text, four bytes per code point")                                                         \
    X(VOID, 'V', "raw bytes")                                                                                          \
    X(DATETIME, 'M', "date and time")                                                                                  \
    X(TIMEDELTA, 'm', "time difference")                                                                               \
    X(OBJECT, 'O', "object reference")                                                                                 \
    X(STRUCT, 'R', "structure of fields")                                                                              \
    X(SUBARRAY, 'A', "array inside an element")                                                                        \
    X(REGISTERED, 'X', "type that a package registers with the library")

#define NDP_KIND_ENUM(name, code, text) NDP_KIND_##name,
enum ndp_kind { NDP_KIND_LIST(NDP_KIND_ENUM) NDP_KIND_COUNT };

/* By kind: the character of the array interface. */
extern const char ndp_kind_codes[NDP_KIND_COUNT];

/* NATIVE is '=' in a descriptor: the order of the machine that builds the value; ndp_dtype_resolve() replaces it by
 * LITTLE or BIG. NONE is '|': the order has no meaning. */
enum ndp_byte_order { NDP_ORDER_NONE, NDP_ORDER_LITTLE, NDP_ORDER_BIG, NDP_ORDER_NATIVE };

/* enum name, text in a typestr; GENERIC has none */
#define NDP_UNIT_LIST(X)                                                                                               \
    X(GENERIC, "")                                                                                                     \
    X(YEAR, "Y")                                                                                                       \
    X(MONTH, "M")                                                                                                      \
    X(WEEK, "W")                                                                                                       \
    X(DAY, "D")                                                                                                        \
    X(HOUR, "h")                                                                                                       \
    X(MINUTE, "m")                                                                                                     \
    X(SECOND, "s")                                                                                                     \
    X(MILLI, "ms")                                                                                                     \
    X(MICRO, "us")                                                                                                     \
    X(NANO, "ns")                                                                                                      \
    X(PICO, "ps")                                                                                                      \
    X(FEMTO, "fs")                                                                                                     \
    X(ATTO, "as")

#define NDP_UNIT_ENUM(name, text) NDP_UNIT_##name,
enum ndp_unit { NDP_UNIT_LIST(NDP_UNIT_ENUM) NDP_UNIT_COUNT };

struct ndp_dtype;

struct ndp_field {
    struct ndp_bytes name;  /* generalised UTF-8 (base/text.h) */
    struct ndp_bytes title; /* valid only with has_title */
    bool has_title;
    uint64_t offset_bytes;
    const struct ndp_dtype *dtype;
};

struct ndp_dtype {
    enum ndp_kind kind;
    enum ndp_byte_order order; /* leaves only; NONE for structures, sub-arrays, BYTES, VOID and 1-byte kinds */
    uint64_t itemsize_bytes;   /* TEXT: bytes, not code points */
    enum ndp_unit unit;        /* DATETIME, TIMEDELTA */
    uint32_t unit_multiple;    /* >= 1 for these kinds, else 0 */

    const struct ndp_field *fields; /* STRUCT, in field order (not offset order) */
    uint64_t field_count;
    bool is_aligned; /* STRUCT: NumPy's aligned-struct flag */

    const struct ndp_dtype *base; /* SUBARRAY */
    const int64_t *shape;         /* SUBARRAY: `ndim` extents */
    uint32_t ndim;

    struct ndp_bytes registered; /* REGISTERED: import path "package.module:name"; the elements are bytes */

    struct ndp_bytes metadata; /* JSON object text, or empty: dtype(..., metadata=...) */
};

/* Parses a typestr ("<f8", "|S3", ">M8[25us]", "=i4") into *out: exactly the forms that NumPy writes, plus '=' and a
 * missing order character. Errors: INVALID with the offset of the character; LIMIT for an itemsize over
 * NDP_MAX_ITEMSIZE_BYTES. Source: NumPy array interface, version 3. */
enum ndp_status ndp_dtype_read_typestr(struct ndp_bytes text, struct ndp_dtype *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Appends the typestr of a leaf. For structures and sub-arrays and registered types appends "|V<itemsize>", as NumPy's
 * dtype.str. */
enum ndp_status ndp_dtype_add_typestr(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) NDP_MUST_USE;

/* Whether the text is an import path of a registered type: "package.module:name", words of ASCII letters, digits and
 * "_". */
bool ndp_dtype_is_path(struct ndp_bytes text);

/* Whether a node of this kind and size has a byte order: leaves of several bytes except S, V and O. */
bool ndp_dtype_needs_order(const struct ndp_dtype *dtype);

/* Whether the tree is valid: sizes known to NumPy, depth, fields inside the item, unique names and titles, sub-array
 * size, alignment of aligned structures, no overlap with objects. Errors: INVALID, LIMIT, NOMEM; `path` is a JSON
 * pointer relative to this dtype ("/fields/2/dtype"). */
enum ndp_status ndp_dtype_check(const struct ndp_dtype *dtype, struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with a deep copy of a valid tree, in `arena`. Errors: NOMEM. */
enum ndp_status ndp_dtype_copy(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                               const struct ndp_dtype **out) NDP_MUST_USE;

/* Fills *out with a tree without NATIVE leaves, which is `dtype` itself when it has none. Errors: NOMEM. */
enum ndp_status ndp_dtype_resolve(struct ndp_arena *arena, const struct ndp_dtype *dtype, bool host_is_little_endian,
                                  const struct ndp_dtype **out) NDP_MUST_USE;

/* Fills *out with the same tree, every multi-byte leaf in `order`. Errors: NOMEM. */
enum ndp_status ndp_dtype_with_order(struct ndp_arena *arena, const struct ndp_dtype *dtype, enum ndp_byte_order order,
                                     const struct ndp_dtype **out) NDP_MUST_USE;

/* The kinds of differences between two dtypes, as a mask; 0: equal. */
enum ndp_dtype_difference {
    NDP_DTYPE_KIND = 1 << 0, /* kind, itemsize, unit, or the number of fields */
    NDP_DTYPE_ORDER = 1 << 1,
    NDP_DTYPE_NAMES = 1 << 2,
    NDP_DTYPE_TITLES = 1 << 3,
    NDP_DTYPE_OFFSETS = 1 << 4, /* offsets or itemsize of a structure */
    NDP_DTYPE_ALIGNED = 1 << 5,
    NDP_DTYPE_METADATA = 1 << 6,
    NDP_DTYPE_SHAPE = 1 << 7, /* of a sub-array */
};
/* `where` (may be NULL, else NDP_ERROR_PATH_BYTES bytes) receives the path of the first difference. */
uint32_t ndp_dtype_compare(const struct ndp_dtype *a, const struct ndp_dtype *b, char *where);

/* NumPy's alignment on x86-64 Linux: 1 for S, V and unaligned structures, 16 for long double. */
uint64_t ndp_dtype_alignment(const struct ndp_dtype *dtype);

/* The same on a machine whose long double has the alignment `longdouble_bytes`: 8 on s390x; 0 means 16. */
uint64_t ndp_dtype_alignment_on(const struct ndp_dtype *dtype, uint32_t longdouble_bytes);

/* Questions about the whole tree, on which promises depend. */
bool ndp_dtype_has_object(const struct ndp_dtype *dtype);
bool ndp_dtype_has_kind(const struct ndp_dtype *dtype, enum ndp_kind kind);
bool ndp_dtype_has_order(const struct ndp_dtype *dtype, enum ndp_byte_order order);
bool ndp_dtype_has_titles(const struct ndp_dtype *dtype);
bool ndp_dtype_has_metadata(const struct ndp_dtype *dtype);
bool ndp_dtype_has_overlap(const struct ndp_dtype *dtype); /* fields overlap or are out of offset order */
bool ndp_dtype_has_padding(const struct ndp_dtype *dtype);

/* Whether NumPy exports arrays of this dtype through the buffer protocol, with a format, on a machine of that byte
 * order. The dtype is resolved. */
bool ndp_dtype_has_buffer_format(const struct ndp_dtype *dtype, bool host_is_little_endian);

/* Whether a sub-array has zero dimensions. A pickle can contain one, but numpy.dtype returns its base instead (2.5.5,
 * descriptor.c, _convert_from_tuple), so no library builds one. */
bool ndp_dtype_has_bare_subarray(const struct ndp_dtype *dtype);

/* Visits every leaf of one item, sub-array elements one by one, in field order. `offset_bytes` counts from the start of
 * the item. A sub-array of zero bytes has no leaves. `path` is like "a.b[3]". A visitor that returns false ends the
 * walk. */
typedef bool ndp_dtype_leaf_visitor(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes,
                                    const char *path);
void ndp_dtype_visit(const struct ndp_dtype *dtype, ndp_dtype_leaf_visitor *visit, void *context);

#endif
