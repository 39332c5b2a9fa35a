/* generate_parts.h: building blocks shared by generation, mutation and shrinking. Private to generate/. The order of
 * choices is fixed, because a seed must always give the same descriptor. */
#ifndef NDP_GENERATE_PARTS_H
#define NDP_GENERATE_PARTS_H

#include "describe/fault.h"
#include "generate/generate.h"
#include "model/array.h"

/* Returns an index below `count`, with these weights. weights[0] should belong to the simplest. */
uint32_t ndp_choose_weighted(struct ndp_choices *choices, const uint8_t *weights, uint32_t count);

/* Returns a number in low..high, both inclusive. */
uint64_t ndp_choose_between(struct ndp_choices *choices, uint64_t low, uint64_t high);

/* Restrictions on a generated dtype. */
struct ndp_dtype_wish {
    uint64_t max_itemsize_bytes;
    bool without_objects;
    uint32_t depth_left;
};

/* Gives a dtype of any kind except a top-level sub-array, which NumPy turns into extents. */
enum ndp_status ndp_generate_dtype(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                   const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives a leaf of at most `max_itemsize_bytes`. */
enum ndp_status ndp_generate_leaf(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_dtype_wish wish,
                                  const struct ndp_dtype **out) NDP_MUST_USE;

/* Gives another dtype for the same bytes, for AS_DTYPE: of the same or another itemsize, without objects. */
enum ndp_status ndp_generate_dtype_of_size(struct ndp_arena *arena, struct ndp_choices *choices,
                                           uint64_t itemsize_bytes, const struct ndp_dtype **out) NDP_MUST_USE;

/* Returns the byte order of a leaf of this kind and size: `order`, or NONE if the leaf has no order. */
enum ndp_byte_order ndp_generate_leaf_order(enum ndp_kind kind, uint64_t itemsize_bytes, enum ndp_byte_order order);

/* Gives the name of field number `index`, unique among the first `index` fields of `fields`. */
enum ndp_status ndp_generate_name(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_field *fields,
                                  uint64_t index, struct ndp_bytes *out) NDP_MUST_USE;

/* Fills ndim and extents (NDP_MAX_NDIM entries), with at most `max_count` elements. */
struct ndp_shape_wish {
    uint64_t max_count;
    uint64_t exact_count; /* if not 0: exactly this count, in any number of dimensions */
    uint64_t itemsize_bytes;
    uint32_t max_ndim;
};
void ndp_generate_shape(struct ndp_choices *choices, struct ndp_shape_wish wish, uint32_t *ndim, int64_t *shape);

/* Splits `count` elements into `ndim` extents whose product is `count`. */
void ndp_generate_split(struct ndp_choices *choices, uint64_t count, uint32_t ndim, int64_t *shape);

/* Generates a view that applies to `array`, of operation `op` (NDP_VIEW_COUNT: any; REAL and IMAG: either), and fills
 * *after with its result. Clears `*has_view` if there is none. Data of the view comes from `arena`, tried arrays from
 * `scratch`. */
enum ndp_status ndp_generate_view(struct ndp_arena *arena, struct ndp_arena *scratch, struct ndp_choices *choices,
                                  const struct ndp_array *array, const struct ndp_generate_limits *limits,
                                  enum ndp_view_op op, struct ndp_view *out, struct ndp_array *after,
                                  bool *has_view) NDP_MUST_USE;

/* Generates the data of a base of `size_bytes`; objects are small markers. */
enum ndp_status ndp_generate_data(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_dtype *dtype,
                                  uint64_t size_bytes, struct ndp_data *out) NDP_MUST_USE;

/* Generates the memory of a base: order, misalignment, permission, map. */
void ndp_generate_memory(struct ndp_choices *choices, const struct ndp_generate_limits *limits, struct ndp_base *base);

/* Generates a map: mode and offset. */
void ndp_generate_map(struct ndp_choices *choices, struct ndp_base *base);

/* Removes incompatible parts of a base: misaligned or read-only maps and objects, maps of objects, empty maps on a page
 * boundary, hexadecimal data of another size. */
void ndp_generate_repaired_base(struct ndp_base *base);

/* Replaces limits of 0 by the defaults. */
struct ndp_generate_limits ndp_generate_limits_resolve(const struct ndp_generate_limits *limits);

/* Reports whether the base has at most `max_bytes` bytes. Fills its size. */
bool ndp_generate_base_size_fits(const struct ndp_base *base, uint64_t max_bytes, uint64_t *size_bytes);

/* Chooses a fault of the format (NULL if it has none). */
const struct ndp_fault_row *ndp_generate_fault_row(struct ndp_choices *choices, const char *format);
uint64_t ndp_generate_fault_argument(struct ndp_choices *choices, const struct ndp_fault_row *row);

/* Sets fault and expected result of a descriptor. */
void ndp_generate_set_fault(struct ndp_descriptor *descriptor, const struct ndp_fault_row *row, uint64_t argument);

/* Makes a value valid after a change of one part: repairs the base, drops views that no longer apply, and resets a
 * class that the result cannot have. Errors: INVALID or LIMIT if the base cannot be built; NOMEM. */
enum ndp_status ndp_generate_repaired_value(struct ndp_arena *arena, struct ndp_arena *scratch,
                                            const struct ndp_generate_limits *limits,
                                            struct ndp_array_value *value) NDP_MUST_USE;

/* Returns the limits for changes of a value: the defaults, or the value's own size if larger. */
struct ndp_generate_limits ndp_generate_limits_of(const struct ndp_value *value);

/* Initialises the arena for tried arrays. */
void ndp_generate_scratch_init(struct ndp_arena *scratch, const struct ndp_generate_limits *limits);

#endif
