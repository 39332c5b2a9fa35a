/* array_plan_shape.c: extents of a wished number of axes and a wished size.
 *
 * A size is a window of item counts. Extents are drawn one by one, and the last takes the number that brings the
 * product into the window, as near to the threshold as possible. Windows are wide enough (an eighth of the threshold)
 * for products of several extents.
 */
#include "generate/array_plan_parts.h"

enum { SMALL_ITEMS = 32, MAX_TRIES = 12, LONG_AXES = 4 };

uint64_t ndp_array_plan_threshold(enum ndp_plan_size size) {
    static const uint64_t thresholds[NDP_SIZE_COUNT] = {0,    0,    0,       0,       64,      1000,
                                                        1024, 4096, 1 << 16, 1 << 18, 1 << 20, 1 << 24};
    return thresholds[size];
}

static uint64_t slack_of(uint64_t threshold) {
    return threshold / 8 > 16 ? threshold / 8 : 16;
}

void ndp_plan_size_of(uint64_t count, uint64_t itemsize_bytes, uint8_t *size, uint8_t *side) {
    const uint64_t bytes = count * itemsize_bytes;
    *side = NDP_SIDE_NONE;
    *size = count == 0 ? NDP_SIZE_EMPTY : count == 1 ? NDP_SIZE_ITEM : NDP_SIZE_OTHER;
    if (count <= 1) return;
    for (uint32_t i = NDP_SIZE_64; i < NDP_SIZE_COUNT; i++) {
        const uint64_t threshold = ndp_array_plan_threshold((enum ndp_plan_size)i), slack = slack_of(threshold);
        if (i == NDP_SIZE_1000 && bytes >= 1024) continue;
        if (bytes + slack < threshold || bytes > threshold + slack) continue;
        *size = (uint8_t)i;
        *side = bytes < threshold ? NDP_SIDE_BELOW : bytes == threshold ? NDP_SIDE_AT : NDP_SIDE_ABOVE;
        return;
    }
    if (count <= SMALL_ITEMS) *size = NDP_SIZE_SMALL;
}

enum ndp_plan_axes ndp_plan_axes_of(uint32_t ndim, const int64_t *shape) {
    if (ndim == 2) return shape[0] == shape[1] ? NDP_AXES_SQUARE : NDP_AXES_TWO;
    if (ndim > 32) return NDP_AXES_HUGE;
    if (ndim > 8) return NDP_AXES_MANY;
    if (ndim > 4) return NDP_AXES_SOME;
    static const enum ndp_plan_axes axes[] = {NDP_AXES_ZERO, NDP_AXES_ONE, NDP_AXES_TWO, NDP_AXES_THREE, NDP_AXES_FOUR};
    return axes[ndim];
}

/* ---- counts ---- */

/* A window of counts, and the end of it to prefer. */
struct window {
    uint64_t low;
    uint64_t high;
    bool prefers_high;
    bool is_any; /* no end is better */
};

static struct window window_of(const struct ndp_covering_row *row, uint64_t itemsize_bytes) {
    const uint8_t size = row->values[NDP_PLAN_SIZE], side = row->values[NDP_PLAN_SIDE];
    const uint64_t threshold = ndp_array_plan_threshold((enum ndp_plan_size)size);
    const uint64_t item = itemsize_bytes > 0 ? itemsize_bytes : 1, slack = slack_of(threshold);
    if (size == NDP_SIZE_SMALL) return (struct window){2, SMALL_ITEMS, false, true};
    if (size == NDP_SIZE_OTHER)
        return (struct window){SMALL_ITEMS + 1, item < 64 ? 40 + 3000 / item : SMALL_ITEMS + 40, false, true};
    if (threshold == 0) return (struct window){1, 1, false, true};
    if (side == NDP_SIDE_AT) return (struct window){threshold / item, threshold / item, false, false};
    if (side == NDP_SIDE_BELOW)
        return (struct window){(threshold - slack + item - 1) / item, (threshold - 1) / item, true, false};
    const uint64_t end = size == NDP_SIZE_1000 ? 1023 : threshold + slack;
    return (struct window){threshold / item + 1, end / item, false, false};
}

static bool is_size_as_wished(const struct ndp_covering_row *row, uint64_t count, uint64_t itemsize_bytes) {
    uint8_t size, side;
    ndp_plan_size_of(count, itemsize_bytes, &size, &side);
    return size == row->values[NDP_PLAN_SIZE] && side == row->values[NDP_PLAN_SIDE];
}

/* Draws `count` extents of at least 2 whose product is in the window. False if this try fails. */
static bool draw_extents(struct ndp_choices *choices, struct window window, uint32_t count, int64_t *extents) {
    uint64_t product = 1;
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint64_t room = (window.high / product) >> (count - 1 - i);
        uint64_t extent = 2 + ndp_choose(choices, 5);
        if (extent > room) extent = room;
        while (window.low == window.high && extent > 1 && window.low / product % extent != 0) extent--;
        if (extent < 2) return false;
        extents[i] = (int64_t)extent;
        product *= extent;
    }
    uint64_t low = (window.low + product - 1) / product;
    const uint64_t high = window.high / product;
    if (low < 2) low = 2;
    if (low > high) return false;
    uint64_t last = window.prefers_high ? high : low;
    if (window.is_any) last = ndp_choose_between(choices, low, high);
    if (count > 0) extents[count - 1] = (int64_t)last;
    return count > 0;
}

/* ---- axes ---- */

static uint32_t draw_ndim(struct ndp_choices *choices, enum ndp_plan_axes axes) {
    static const uint32_t many[] = {9, 16, 31, 32}, huge[] = {33, 63, 64};
    switch (axes) {
    case NDP_AXES_ONE:
        return 1;
    case NDP_AXES_ZERO:
        return 0;
    case NDP_AXES_TWO:
    case NDP_AXES_SQUARE:
        return 2;
    case NDP_AXES_THREE:
        return 3;
    case NDP_AXES_FOUR:
        return 4;
    case NDP_AXES_SOME:
        return (uint32_t)ndp_choose_between(choices, 5, 8);
    case NDP_AXES_MANY:
        return many[ndp_choose(choices, NDP_ARRAY_LEN(many))];
    case NDP_AXES_HUGE:
    case NDP_AXES_COUNT:
        break;
    }
    return huge[ndp_choose(choices, NDP_ARRAY_LEN(huge))];
}

/* The number of axes longer than 1 that a layout needs. */
static uint32_t least_long_axes(enum ndp_plan_layout layout) {
    if (layout == NDP_LAYOUT_PERMUTED) return 3;
    if (layout == NDP_LAYOUT_F || layout == NDP_LAYOUT_TRANSPOSED || layout == NDP_LAYOUT_FLAT_TRANSPOSED ||
        layout == NDP_LAYOUT_BROADCAST_INNER)
        return 2;
    return 1;
}

/* Puts the extents on random axes, in random order. */
static void spread(struct ndp_choices *choices, uint32_t ndim, const int64_t *extents, uint32_t count, int64_t *shape) {
    uint32_t left = count;
    for (uint32_t i = 0; i < ndim; i++) {
        const bool takes = left > 0 && ndp_choose(choices, ndim - i) < left;
        shape[i] = takes ? extents[--left] : 1;
    }
    for (uint32_t i = 0; i < ndim && count > 1 && ndim <= 4; i++) {
        const uint32_t other = (uint32_t)ndp_choose(choices, ndim);
        const int64_t kept = shape[i];
        shape[i] = shape[other];
        shape[other] = kept;
    }
}

static void draw_square(struct ndp_choices *choices, struct window window, int64_t *shape) {
    uint64_t low = 1, high;
    while (low * low < window.low) low++;
    for (high = low; (high + 1) * (high + 1) <= window.high;) high++;
    uint64_t side = window.prefers_high ? high : low;
    if (window.is_any) side = ndp_choose_between(choices, low, high);
    shape[0] = shape[1] = (int64_t)side;
}

static void draw_empty(struct ndp_choices *choices, enum ndp_plan_axes axes, uint32_t ndim, int64_t *shape) {
    for (uint32_t i = 0; i < ndim; i++) shape[i] = i < 8 ? (int64_t)ndp_choose_between(choices, 1, 3) : 1;
    const uint64_t zero = ndp_choose(choices, ndim);
    shape[zero] = 0;
    if (axes == NDP_AXES_SQUARE) shape[1 - zero] = 0;
}

/* A base of NEWAXIS lacks an axis of extent 1. */
static void add_unit_axis(struct ndp_choices *choices, uint32_t ndim, int64_t *shape) {
    for (uint32_t i = 0; i < ndim; i++)
        if (shape[i] == 1) return;
    for (uint32_t i = 0; i < ndim; i++)
        if (shape[i] == 0) shape[(i + 1 + ndp_choose(choices, ndim - 1)) % ndim] = 1;
}

void ndp_plan_shape(struct ndp_choices *choices, const struct ndp_covering_row *row, uint64_t itemsize_bytes,
                    uint32_t *ndim, int64_t *shape) {
    const enum ndp_plan_axes axes = (enum ndp_plan_axes)row->values[NDP_PLAN_AXES];
    const enum ndp_plan_layout layout = (enum ndp_plan_layout)row->values[NDP_PLAN_LAYOUT];
    const struct window window = window_of(row, itemsize_bytes);
    const uint32_t least = least_long_axes(layout);
    *ndim = draw_ndim(choices, axes);
    uint32_t most = layout == NDP_LAYOUT_NEWAXIS && *ndim > 0 ? *ndim - 1 : *ndim;
    if (most > LONG_AXES) most = LONG_AXES;
    for (uint32_t i = 0; i < *ndim; i++) shape[i] = 1;
    if (row->values[NDP_PLAN_SIZE] == NDP_SIZE_EMPTY) {
        draw_empty(choices, axes, *ndim, shape);
        if (layout == NDP_LAYOUT_NEWAXIS) add_unit_axis(choices, *ndim, shape);
        if (axes == NDP_AXES_TWO && shape[0] == shape[1]) shape[0] = 2;
        return;
    }
    if (row->values[NDP_PLAN_SIZE] == NDP_SIZE_ITEM) return;
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        int64_t extents[LONG_AXES];
        uint32_t count = (uint32_t)ndp_choose_between(choices, least, most > least ? most : least);
        if (i >= MAX_TRIES / 2) count = least;
        if (axes == NDP_AXES_SQUARE) {
            draw_square(choices, window, shape);
        } else {
            if (!draw_extents(choices, window, count, extents)) continue;
            spread(choices, *ndim, extents, count, shape);
        }
        uint64_t items = 1;
        for (uint32_t k = 0; k < *ndim; k++) items *= (uint64_t)shape[k];
        if (axes == NDP_AXES_TWO && shape[0] == shape[1]) continue;
        if (is_size_as_wished(row, items, itemsize_bytes)) return;
    }
}
