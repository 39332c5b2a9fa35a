/* generate_shape.c: generates extents. Source: clauses 8.1 rows 1, 2 and 6 of corpus/index.json. */
#include "generate/generate_parts.h"

enum shape_style { SHAPE_SMALL, SHAPE_EXACT, SHAPE_EMPTY, SHAPE_HUGE_EMPTY, SHAPE_STYLE_COUNT };

static uint32_t draw_ndim(struct ndp_choices *choices, uint32_t max_ndim) {
    static const uint32_t many[] = {31, 32, 33, 63, 64, 5, 8, 16};
    const uint32_t choice = ndp_choose_weighted(choices, (const uint8_t[]){7, 27, 29, 22, 7, 4, 4}, 7);
    uint32_t ndim = choice; /* 0 to 4 */
    if (choice == 5) ndim = (uint32_t)ndp_choose_between(choices, 5, 8);
    if (choice == 6) ndim = many[ndp_choose(choices, NDP_ARRAY_LEN(many))];
    return ndim < max_ndim ? ndim : max_ndim;
}

/* With many dimensions most extents are 1, because the product is limited. */
static int64_t draw_extent(struct ndp_choices *choices, uint32_t ndim, uint64_t left) {
    static const uint8_t extents[] = {1, 2, 3, 4, 5, 7, 8, 16, 0};
    static const uint8_t few[] = {9, 26, 28, 14, 10, 6, 4, 3, 0};
    static const uint8_t many[] = {60, 10, 4, 1, 1, 0, 0, 0, 0};
    uint64_t extent = extents[ndp_choose_weighted(choices, ndim <= 4 ? few : many, NDP_ARRAY_LEN(extents))];
    if (extent > left && left >= 2) return 2;
    return (int64_t)(extent <= left ? extent : 1);
}

/* The extent that uses up the remaining product may be on any axis. */
static void swap_last(struct ndp_choices *choices, uint32_t ndim, int64_t *shape) {
    if (ndim < 2) return;
    uint32_t other = (uint32_t)ndp_choose(choices, ndim);
    int64_t kept = shape[other];
    shape[other] = shape[ndim - 1];
    shape[ndim - 1] = kept;
}

static void draw_small(struct ndp_choices *choices, uint64_t max_count, uint32_t ndim, int64_t *shape) {
    uint64_t left = max_count > 0 ? max_count : 1;
    for (uint32_t i = 0; i < ndim; i++) {
        shape[i] = draw_extent(choices, ndim, left);
        left /= (uint64_t)shape[i];
    }
    if (ndim > 0 && ndp_choose_rarely(choices, 4)) {
        uint64_t most = left < 300 ? left : 300;
        shape[ndim - 1] *= (int64_t)ndp_choose_between(choices, 1, most);
        swap_last(choices, ndim, shape);
    }
}

void ndp_generate_split(struct ndp_choices *choices, uint64_t count, uint32_t ndim, int64_t *shape) {
    uint64_t left = count;
    for (uint32_t i = 0; i < ndim; i++) {
        uint64_t divisor = 1 + ndp_choose(choices, ndim > 4 ? 3 : ndim > 2 ? 5 : 16);
        while (left != 0 && left % divisor != 0) divisor--;
        shape[i] = (int64_t)(i + 1 == ndim ? left : divisor);
        if (left != 0) left /= divisor;
    }
    swap_last(choices, ndim, shape);
}

/* Huge extents next to a 0. NumPy requires the product of the other extents and the item size to be below 2^63, and it
 * is far below. */
static void draw_huge_empty(struct ndp_choices *choices, uint64_t itemsize_bytes, uint32_t ndim, int64_t *shape) {
    static const int64_t huge[] = {
        65535, 65536, INT64_C(0x7fffffff), INT64_C(0x80000000), INT64_C(0x100000000), INT64_C(0x20000000000001)};
    uint32_t zero = (uint32_t)ndp_choose(choices, ndim);
    uint32_t large = (uint32_t)ndp_choose(choices, ndim);
    uint64_t drawn = ndp_choose(choices, NDP_ARRAY_LEN(huge));
    for (uint32_t i = 0; i < ndim; i++) shape[i] = 1;
    if (itemsize_bytes <= 256) shape[large] = huge[drawn];
    shape[zero] = 0;
}

void ndp_generate_shape(struct ndp_choices *choices, struct ndp_shape_wish wish, uint32_t *ndim, int64_t *shape) {
    static const uint8_t weights[] = {85, 6, 8, 1};
    uint32_t style = ndp_choose_weighted(choices, weights, SHAPE_STYLE_COUNT);
    *ndim = draw_ndim(choices, wish.max_ndim);
    if (wish.exact_count != 0) {
        if (*ndim == 0) *ndim = 1;
        ndp_generate_split(choices, wish.exact_count, *ndim, shape);
        return;
    }
    if (*ndim == 0) return;
    if (style == SHAPE_HUGE_EMPTY) {
        draw_huge_empty(choices, wish.itemsize_bytes, *ndim, shape);
        return;
    }
    draw_small(choices, wish.max_count, *ndim, shape);
    if (style == SHAPE_EXACT) ndp_generate_split(choices, wish.max_count > 0 ? wish.max_count : 1, *ndim, shape);
    if (style == SHAPE_EMPTY) shape[ndp_choose(choices, *ndim)] = 0;
}
