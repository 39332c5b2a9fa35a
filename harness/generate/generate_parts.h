/* generate_parts.h: the parts of generation, shared by the files that draw, mutate and shrink. Private to
 * describe/. Every function draws in a fixed order, so that a seed means the same for ever. */
#ifndef NDP_GENERATE_PARTS_H
#define NDP_GENERATE_PARTS_H

#include "describe/fault.h"
#include "generate/generate.h"
#include "model/array.h"

/* An index below `count`, drawn with these weights; weights[0] should belong to the simplest. */
uint32_t ndp_choose_weighted(struct ndp_choices *choices, const uint8_t *weights, uint32_t count);

/* A number in low..high, both included. */
uint64_t ndp_choose_between(struct ndp_choices *choices, uint64_t low, uint64_t high);

/* What a drawn dtype may be. */
struct ndp_dtype_wish {
    uint64_t max_itemsize_bytes;
    bool without_objects;
    uint32_t depth_left;
};

/* Gives a dtype of any kind but a top-level sub-array (NumPy turns that into extents). */
enum ndp_status ndp_generate_dtype(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                   const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives a leaf of at most `max_itemsize_bytes`. */
enum ndp_status ndp_generate_leaf(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                  const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives another dtype for the same bytes, for AS_DTYPE: same or other itemsize, never with objects. */
enum ndp_status ndp_generate_dtype_of_size(struct ndp_arena *arena, struct ndp_choices *choices,
                                           uint64_t itemsize_bytes, const struct ndp_dtype **out) NDP_MUST_USE;

/* The order that a leaf of this kind and size can have: NONE where order means nothing. */
enum ndp_byte_order ndp_leaf_order(enum ndp_kind kind, uint64_t itemsize_bytes, enum ndp_byte_order order);

/* Gives the name of field number `index`, unique among the first `index` fields of `fields`. */
enum ndp_status ndp_generate_name(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_field *fields,
                                  uint64_t index, struct ndp_bytes *out) NDP_MUST_USE;

/* Fills ndim and extents (NDP_MAX_NDIM entries) of at most `max_count` elements. */
struct ndp_shape_wish {
    uint64_t max_count;
    uint64_t exact_count; /* when not 0: exactly so many, in any number of dimensions */
    uint64_t itemsize_bytes;
    uint32_t max_ndim;
};
void ndp_generate_shape(struct ndp_choices *choices, struct ndp_shape_wish wish, uint32_t *ndim, int64_t *shape);

/* Splits `count` elements into `ndim` extents whose product it is. */
void ndp_generate_split(struct ndp_choices *choices, uint64_t count, uint32_t ndim, int64_t *shape);

/* Draws one view that applies to `array`, of operation `op` (NDP_VIEW_COUNT: any; REAL and IMAG: either), with what it
 * gives in *after, or fills `*has_view` false when none came out. What the view refers to comes from `arena`; `scratch`
 * holds the array tried. */
enum ndp_status ndp_generate_view(struct ndp_arena *arena, struct ndp_arena *scratch, struct ndp_choices *choices,
                                  const struct ndp_array *array, const struct ndp_generate_limits *limits,
                                  enum ndp_view_op op, struct ndp_view *out, struct ndp_array *after,
                                  bool *has_view) NDP_MUST_USE;

/* Draws the fill of a base of `size_bytes`; objects get small markers. */
enum ndp_status ndp_generate_data(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_dtype *dtype,
                                  uint64_t size_bytes, struct ndp_data *out) NDP_MUST_USE;

/* Draws the memory of a base: order, misalignment, permission, map. */
void ndp_generate_memory(struct ndp_choices *choices, const struct ndp_generate_limits *limits, struct ndp_base *base);

/* Draws a map: mode and offset. */
void ndp_generate_map(struct ndp_choices *choices, struct ndp_base *base);

/* Clears what the parts of a base do not allow together: misaligned or read-only maps and objects, maps
 * of objects, maps of nothing on a page boundary, hexadecimal data of another size. */
void ndp_base_repair(struct ndp_base *base);

/* The defaults of limits that are 0. */
struct ndp_generate_limits ndp_generate_limits_resolve(const struct ndp_generate_limits *limits);

/* Whether the bytes of a base are at most `max_bytes`; fills their number. */
bool ndp_base_size_fits(const struct ndp_base *base, uint64_t max_bytes, uint64_t *size_bytes);

/* Draws a fault of that format (NULL when it has none), and an argument in its range. */
const struct ndp_fault_row *ndp_generate_fault_row(struct ndp_choices *choices, const char *format);
uint64_t ndp_generate_fault_argument(struct ndp_choices *choices, const struct ndp_fault_row *row);

/* Writes fault and expectation into a descriptor. */
void ndp_fault_set(struct ndp_descriptor *descriptor, const struct ndp_fault_row *row, uint64_t argument);

/* Makes a value valid again after one of its parts changed: repairs the base, drops the views that no
 * longer apply, and the class that what is left does not take. Errors: INVALID or LIMIT when the base cannot be built;
 * NOMEM. */
enum ndp_status ndp_value_repair(struct ndp_arena *arena, struct ndp_arena *scratch,
                                 const struct ndp_generate_limits *limits, struct ndp_array_value *value) NDP_MUST_USE;

/* What a value may grow to when it is changed: the default, or its own size when that is more. */
struct ndp_generate_limits ndp_generate_limits_of(const struct ndp_value *value);

/* The arena that arrays are tried in. */
void ndp_scratch_init(struct ndp_arena *scratch, const struct ndp_generate_limits *limits);

#endif
