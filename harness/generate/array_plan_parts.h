/* array_plan_parts.h: the steps of the generator that follows wishes. Private to generate/. Rows are complete. */
#ifndef NDP_ARRAY_PLAN_PARTS_H
#define NDP_ARRAY_PLAN_PARTS_H

#include "generate/array_plan.h"
#include "generate/generate_parts.h"

/* Gives the dtype of the result. Errors: NOMEM. */
enum ndp_status ndp_plan_dtype(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_covering_row *row,
                               const struct ndp_dtype **out) NDP_MUST_USE;

/* The features of a dtype. */
enum ndp_plan_element ndp_plan_element_of(const struct ndp_dtype *dtype);
enum ndp_plan_item ndp_plan_item_of(uint64_t itemsize_bytes);
enum ndp_plan_order ndp_plan_order_of(const struct ndp_dtype *dtype);
enum ndp_plan_notes ndp_plan_notes_of(const struct ndp_dtype *dtype);

/* Fills size and side of `count` items. */
void ndp_plan_size_of(uint64_t count, uint64_t itemsize_bytes, uint8_t *size, uint8_t *side);
enum ndp_plan_axes ndp_plan_axes_of(uint32_t ndim, const int64_t *shape);

/* Fills ndim and extents (NDP_MAX_NDIM entries) of the result. */
void ndp_plan_shape(struct ndp_choices *choices, const struct ndp_covering_row *row, uint64_t itemsize_bytes,
                    uint32_t *ndim, int64_t *shape);

/* Fills dtype, shape and order of the base, and the views, for a result with that dtype and shape. Errors: NOMEM. */
enum ndp_status ndp_plan_layout(struct ndp_arena *arena, struct ndp_choices *choices,
                                const struct ndp_covering_row *row, const struct ndp_dtype *dtype, uint32_t ndim,
                                const int64_t *shape, struct ndp_array_value *out) NDP_MUST_USE;
enum ndp_plan_layout ndp_plan_layout_of(const struct ndp_array_value *value, const struct ndp_array *array);

/* Fills the data of a base. */
void ndp_plan_data(struct ndp_choices *choices, const struct ndp_covering_row *row, struct ndp_base *base);
enum ndp_plan_content ndp_plan_content_of(const struct ndp_base *base, const struct ndp_dtype *result);

/* The first leaf of an item; NULL if it has none. */
const struct ndp_dtype *ndp_plan_first_leaf(const struct ndp_dtype *dtype);

#endif
