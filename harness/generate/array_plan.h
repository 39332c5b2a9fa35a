/* array_plan.h: the named features of arrays, and a generator that follows wishes for them.
 *
 * A row of the covering model (covering.h) wishes for a value of each feature; a free parameter is left to chance.
 * Value 0 of each parameter is the simplest.
 */
#ifndef NDP_ARRAY_PLAN_H
#define NDP_ARRAY_PLAN_H

#include "describe/fault.h"
#include "generate/covering.h"
#include "generate/generate.h"

/* The dtype of the result. Structures by their most special part: NESTED has a structure in a field, PADDED has gaps or
 * a tail, OVERLAPPING has fields that overlap or are out of offset order. enum name, word */
#define NDP_PLAN_ELEMENT_LIST(X)                                                                                       \
    X(UINT, "uint")                                                                                                    \
    X(INT, "int")                                                                                                      \
    X(BOOL, "bool")                                                                                                    \
    X(FLOAT, "float")                                                                                                  \
    X(COMPLEX, "complex")                                                                                              \
    X(LONGDOUBLE, "longdouble")                                                                                        \
    X(BYTES, "bytes")                                                                                                  \
    X(TEXT, "text")                                                                                                    \
    X(VOID, "void")                                                                                                    \
    X(DATETIME, "datetime")                                                                                            \
    X(TIMEDELTA, "timedelta")                                                                                          \
    X(OBJECT, "object")                                                                                                \
    X(REGISTERED, "registered") /* of a package; only where both ends have it */                                       \
    X(PACKED, "packed-struct")                                                                                         \
    X(ALIGNED, "aligned-struct")                                                                                       \
    X(PADDED, "padded-struct")                                                                                         \
    X(NESTED, "nested-struct")                                                                                         \
    X(SUBARRAYS, "sub-arrays")                                                                                         \
    X(OVERLAPPING, "overlapping-fields")                                                                               \
    X(WITH_OBJECT, "object-field")

/* The itemsize in bytes: 1, 2 to 8, 9 to 64, more, 0. */
#define NDP_PLAN_ITEM_LIST(X)                                                                                          \
    X(BYTE, "1")                                                                                                       \
    X(SMALL, "2-8")                                                                                                    \
    X(WIDE, "9-64")                                                                                                    \
    X(LARGE, "over-64")                                                                                                \
    X(ZERO, "0")

/* The byte order of the leaves that have one. */
#define NDP_PLAN_ORDER_LIST(X)                                                                                         \
    X(NONE, "none")                                                                                                    \
    X(LITTLE, "little")                                                                                                \
    X(BIG, "big")                                                                                                      \
    X(MIXED, "mixed")

/* Parts of a dtype that its elements do not show. */
#define NDP_PLAN_NOTES_LIST(X)                                                                                         \
    X(NONE, "none")                                                                                                    \
    X(METADATA, "metadata")                                                                                            \
    X(TITLES, "titles")                                                                                                \
    X(ODD_NAMES, "odd-names")                                                                                          \
    X(MANY_FIELDS, "many-fields") /* 200 or more */                                                                    \
    X(DEEP, "deep")               /* five structures in each other, or more */

/* The number of axes of the result. Libraries of before 2024 have at most 32. */
#define NDP_PLAN_AXES_LIST(X)                                                                                          \
    X(ONE, "1")                                                                                                        \
    X(ZERO, "0")                                                                                                       \
    X(TWO, "2")                                                                                                        \
    X(SQUARE, "2-square")                                                                                              \
    X(THREE, "3")                                                                                                      \
    X(FOUR, "4")                                                                                                       \
    X(SOME, "5-8")                                                                                                     \
    X(MANY, "9-32")                                                                                                    \
    X(HUGE, "over-32")

/* How the result lies in its base. Names of views stand for that view alone. WINDOW is a slice of neighbours, FLAT
 * a reshaped base of one axis, CHAIN any other sequence of views. */
#define NDP_PLAN_LAYOUT_LIST(X)                                                                                        \
    X(C, "C")                                                                                                          \
    X(F, "F")                                                                                                          \
    X(WINDOW, "window")                                                                                                \
    X(STRIDED, "strided")                                                                                              \
    X(REVERSED, "reversed")                                                                                            \
    X(TRANSPOSED, "transposed")                                                                                        \
    X(PERMUTED, "permuted")                                                                                            \
    X(BROADCAST_FIRST, "broadcast-first")                                                                              \
    X(BROADCAST_INNER, "broadcast-inner")                                                                              \
    X(NEWAXIS, "newaxis")                                                                                              \
    X(FIELD, "field")                                                                                                  \
    X(PART, "real-or-imag")                                                                                            \
    X(FLAT, "flat-base")                                                                                               \
    X(FLAT_TRANSPOSED, "flat-base-transposed")                                                                         \
    X(OVERLAPPING, "overlapping")                                                                                      \
    X(RECAST, "other-dtype")                                                                                           \
    X(CHAIN, "chain")

#define NDP_PLAN_MEMORY_LIST(X)                                                                                        \
    X(PLAIN, "plain")                                                                                                  \
    X(MISALIGNED, "misaligned")                                                                                        \
    X(READONLY_BASE, "readonly-base")                                                                                  \
    X(READONLY_FLAG, "readonly-flag")                                                                                  \
    X(MAP_READ, "map-r")                                                                                               \
    X(MAP_READ_WRITE, "map-r+")                                                                                        \
    X(MAP_WRITE, "map-w+")                                                                                             \
    X(MAP_COPY, "map-c")

/* The start of a map in its file. ALIGNED: to 64 bytes, but not to a page. */
#define NDP_PLAN_OFFSET_LIST(X)                                                                                        \
    X(NONE, "none")                                                                                                    \
    X(START, "0")                                                                                                      \
    X(ALIGNED, "aligned")                                                                                              \
    X(PAGE, "page")                                                                                                    \
    X(ODD, "odd")

/* The elements of the base. From NEGATIVE_ZERO on: boundary values of the type, and the first leaf is one of this kind.
 * HIGH: a byte of 0x80 or more, a code point outside the basic plane, a bool above 1. */
#define NDP_PLAN_CONTENT_LIST(X)                                                                                       \
    X(INDEX, "index")                                                                                                  \
    X(ZEROS, "zeros")                                                                                                  \
    X(RANDOM, "random")                                                                                                \
    X(NEGATIVE_ZERO, "negative-zero")                                                                                  \
    X(INFINITE, "infinite")                                                                                            \
    X(NAN, "nan")                                                                                                      \
    X(NAT, "nat")                                                                                                      \
    X(EXTREME, "extreme")                                                                                              \
    X(HIGH, "high")                                                                                                    \
    X(INNER_NUL, "inner-nul")                                                                                          \
    X(TRAILING_NUL, "trailing-nul")

/* The size of the result: one item, none, up to 32 items, or near a size at which libraries switch to another code
 * path. Sizes from 256K on are costly. */
#define NDP_PLAN_SIZE_LIST(X)                                                                                          \
    X(SMALL, "small")                                                                                                  \
    X(ITEM, "one-item")                                                                                                \
    X(EMPTY, "empty")                                                                                                  \
    X(OTHER, "other")                                                                                                  \
    X(64, "64")                                                                                                        \
    X(1000, "1000")                                                                                                    \
    X(1K, "1K")                                                                                                        \
    X(PAGE, "4K")                                                                                                      \
    X(64K, "64K")                                                                                                      \
    X(256K, "256K")                                                                                                    \
    X(1M, "1M")                                                                                                        \
    X(16M, "16M")

/* The side of that size. */
#define NDP_PLAN_SIDE_LIST(X)                                                                                          \
    X(NONE, "none")                                                                                                    \
    X(BELOW, "below")                                                                                                  \
    X(AT, "at")                                                                                                        \
    X(ABOVE, "above")

/* enum name, word, list of values */
#define NDP_PLAN_LIST(X)                                                                                               \
    X(ELEMENT, "element", NDP_PLAN_ELEMENT_LIST)                                                                       \
    X(ITEM, "item", NDP_PLAN_ITEM_LIST)                                                                                \
    X(ORDER, "order", NDP_PLAN_ORDER_LIST)                                                                             \
    X(NOTES, "notes", NDP_PLAN_NOTES_LIST)                                                                             \
    X(AXES, "axes", NDP_PLAN_AXES_LIST)                                                                                \
    X(LAYOUT, "layout", NDP_PLAN_LAYOUT_LIST)                                                                          \
    X(MEMORY, "memory", NDP_PLAN_MEMORY_LIST)                                                                          \
    X(OFFSET, "map-offset", NDP_PLAN_OFFSET_LIST)                                                                      \
    X(CONTENT, "content", NDP_PLAN_CONTENT_LIST)                                                                       \
    X(SIZE, "size", NDP_PLAN_SIZE_LIST)                                                                                \
    X(SIDE, "side", NDP_PLAN_SIDE_LIST)

#define NDP_PLAN_PARAMETER_ENUM(name, word, list) NDP_PLAN_##name,
enum ndp_plan_parameter { NDP_PLAN_LIST(NDP_PLAN_PARAMETER_ENUM) NDP_PLAN_PARAMETERS };

#define NDP_PLAN_ELEMENT_ENUM(name, word) NDP_ELEMENT_##name,
enum ndp_plan_element { NDP_PLAN_ELEMENT_LIST(NDP_PLAN_ELEMENT_ENUM) NDP_ELEMENT_COUNT };
#define NDP_PLAN_ITEM_ENUM(name, word) NDP_ITEM_##name,
enum ndp_plan_item { NDP_PLAN_ITEM_LIST(NDP_PLAN_ITEM_ENUM) NDP_ITEM_COUNT };
#define NDP_PLAN_ORDER_ENUM(name, word) NDP_LEAVES_##name,
enum ndp_plan_order { NDP_PLAN_ORDER_LIST(NDP_PLAN_ORDER_ENUM) NDP_LEAVES_COUNT };
#define NDP_PLAN_NOTES_ENUM(name, word) NDP_NOTES_##name,
enum ndp_plan_notes { NDP_PLAN_NOTES_LIST(NDP_PLAN_NOTES_ENUM) NDP_NOTES_COUNT };
#define NDP_PLAN_AXES_ENUM(name, word) NDP_AXES_##name,
enum ndp_plan_axes { NDP_PLAN_AXES_LIST(NDP_PLAN_AXES_ENUM) NDP_AXES_COUNT };
#define NDP_PLAN_LAYOUT_ENUM(name, word) NDP_LAYOUT_##name,
enum ndp_plan_layout { NDP_PLAN_LAYOUT_LIST(NDP_PLAN_LAYOUT_ENUM) NDP_LAYOUT_COUNT };
#define NDP_PLAN_MEMORY_ENUM(name, word) NDP_PLACE_##name,
enum ndp_plan_memory { NDP_PLAN_MEMORY_LIST(NDP_PLAN_MEMORY_ENUM) NDP_PLACE_COUNT };
#define NDP_PLAN_OFFSET_ENUM(name, word) NDP_OFFSET_##name,
enum ndp_plan_offset { NDP_PLAN_OFFSET_LIST(NDP_PLAN_OFFSET_ENUM) NDP_OFFSET_COUNT };
#define NDP_PLAN_CONTENT_ENUM(name, word) NDP_CONTENT_##name,
enum ndp_plan_content { NDP_PLAN_CONTENT_LIST(NDP_PLAN_CONTENT_ENUM) NDP_CONTENT_COUNT };
#define NDP_PLAN_SIZE_ENUM(name, word) NDP_SIZE_##name,
enum ndp_plan_size { NDP_PLAN_SIZE_LIST(NDP_PLAN_SIZE_ENUM) NDP_SIZE_COUNT };
#define NDP_PLAN_SIDE_ENUM(name, word) NDP_SIDE_##name,
enum ndp_plan_side { NDP_PLAN_SIDE_LIST(NDP_PLAN_SIDE_ENUM) NDP_SIDE_COUNT };

/* The values of each parameter that may occur, as a mask of 1 << value. */
struct ndp_array_plan {
    uint32_t allowed[NDP_PLAN_PARAMETERS];
    struct ndp_generate_limits limits; /* of values that a row leaves entirely to chance */
};

/* Fills *out with everything that arrays of at most about `value_bytes` bytes can have. */
void ndp_array_plan_init(uint64_t value_bytes, struct ndp_array_plan *out);

/* The same for values of decode cases: few, because each meets every fault. */
void ndp_array_plan_init_for_faults(struct ndp_array_plan *out);

/* The threshold of a size in bytes; 0 if it has none. */
uint64_t ndp_array_plan_threshold(enum ndp_plan_size size);

/* Appends the parameters to those of *model. Their place there must be 0 to NDP_PLAN_PARAMETERS - 1. */
void ndp_array_plan_add_parameters(struct ndp_covering_model *model);

/* The rule: an ndp_covering_rule with a `struct ndp_array_plan` as context. Other parameters are ignored. */
bool ndp_array_plan_permits(const void *context, const struct ndp_covering_row *row);

/* Its part about more than two parameters. */
bool ndp_array_plan_permits_triples(const void *context, const struct ndp_covering_row *row);

/* Fills *out with an array that has the features of the row, which the rule permits. Errors: NOMEM. */
enum ndp_status ndp_generate_array_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_array_plan *plan, const struct ndp_covering_row *row,
                                           struct ndp_value *out) NDP_MUST_USE;

/* Fills a decode case with this fault and a value that has the features of the row. A value that does not meet the
 * needs of the fault is replaced. Errors: NOMEM. */
enum ndp_status ndp_generate_fault_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_fault_row *fault, const struct ndp_array_plan *plan,
                                           const struct ndp_covering_row *row, struct ndp_descriptor *out) NDP_MUST_USE;

/* Whether values with the features of the row can meet the needs of the fault. */
bool ndp_generate_fault_permits(const struct ndp_fault_row *fault, const struct ndp_covering_row *row);

/* Sets the features of a value in the row, leaves other parameters as they are, and fills the size of the result. A
 * value that cannot be built has no features. Errors: NOMEM. */
enum ndp_status ndp_array_plan_features(const struct ndp_array_value *value, struct ndp_covering_row *out,
                                        uint64_t *size_bytes) NDP_MUST_USE;

#endif
