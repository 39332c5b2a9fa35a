/* shrink_shape_test.c: fewer axes and smaller extents; views that refer to them follow. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

#define F4(shape)               NDP_BASE_CASE("'dtype':'<f4','shape':[" shape "]")
#define VIEWED(shape, views)    NDP_ARRAY_CASE("'dtype':'<f4','shape':[" shape "]", "'views':[" views "]")
#define TURN(axes)              "{'transpose':[" axes "]}"
#define CUT(slices)             "{'slice':[" slices "]}"
#define BOTH(shape, axes, cuts) VIEWED(shape, TURN(axes) "," CUT(cuts))

static void check(const struct ndp_shrink_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) ndp_shrink_check_row(ndp_shrink_shape_families, &rows[i]);
}

/* All elements on one axis; without the second half of the axes, without the first half, without each from the last. */
static void axes_are_removed(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {F4("2,3,4,5,6"),
         {F4("720"), F4("2,3"), F4("4,5,6"), F4("2,3,4,5"), F4("2,3,4,6"), F4("2,3,5,6"), F4("2,4,5,6"), F4("3,4,5,6")},
         NULL},
        {F4("0"), {F4(""), F4("")}, NDP_ALL_OTHERS},
        {F4(""), {NULL}, NDP_ALL_OTHERS},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* NumPy's transpose(2, 0, 1) of (2, 3, 16) is (16, 2, 3): views lose the axis that corresponds to the base's. */
static void views_lose_the_axes_of_their_base(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {BOTH("2,3,16", "2,0,1", "[15,-3,6],[0,1,2],[1,1,2]"),
         {BOTH("2", "0", "[0,1,2]"), BOTH("3,16", "1,0", "[15,-3,6],[1,1,2]"), BOTH("2,3", "0,1", "[0,1,2],[1,1,2]"),
          BOTH("2,16", "1,0", "[15,-3,6],[0,1,2]"), BOTH("3,16", "1,0", "[15,-3,6],[1,1,2]")},
         NULL},
        /* After a view with its own shape, axes differ from those of the base. */
        {VIEWED("2,3", TURN("1,0") ",{'newaxis':0}," CUT("[0,1,1],[0,1,3],[0,1,2]")),
         {VIEWED("2", TURN("0") ",{'newaxis':0}," CUT("[0,1,1],[0,1,3],[0,1,2]")),
          VIEWED("3", TURN("0") ",{'newaxis':0}," CUT("[0,1,1],[0,1,3],[0,1,2]"))},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* 0, 1, 2, half, three quarters, seven eighths, one less; without duplicates. A slice is clamped to its axis. */
static void extents_decrease(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {F4("16"), {F4(""), F4(""), F4("0"), F4("1"), F4("2"), F4("8"), F4("12"), F4("14"), F4("15")}, NDP_ALL_OTHERS},
        {F4("3,2"), {F4("0,2"), F4("3,0"), F4("1,2"), F4("3,1"), F4("2,2")}, NULL},
        {BOTH("2,16", "1,0", "[15,-3,6],[0,1,2]"),
         {BOTH("0,16", "1,0", "[15,-3,6],[0,1,0]"), BOTH("2,0", "1,0", "[0,-1,0],[0,1,2]"),
          BOTH("1,16", "1,0", "[15,-3,6],[0,1,1]"), BOTH("2,1", "1,0", "[0,-3,1],[0,1,2]"),
          BOTH("2,2", "1,0", "[1,-3,1],[0,1,2]"), BOTH("2,8", "1,0", "[7,-3,3],[0,1,2]"),
          BOTH("2,12", "1,0", "[11,-3,4],[0,1,2]"), BOTH("2,14", "1,0", "[13,-3,5],[0,1,2]"),
          BOTH("2,15", "1,0", "[14,-3,5],[0,1,2]")},
         NULL},
        /* The second slice is clamped to the result of the first. */
        {VIEWED("9", CUT("[1,2,4]") "," CUT("[3,-1,4]")), {VIEWED("4", CUT("[1,2,2]") "," CUT("[1,-1,2]"))}, NULL},
        {VIEWED("9", CUT("[0,2,0]")), {VIEWED("0", CUT("[0,1,0]")), VIEWED("1", CUT("[0,2,0]"))}, NULL},
        /* A step that cannot be negated must not be used in arithmetic. */
        {VIEWED("9", CUT("[0,'-9223372036854775808',1]")), {VIEWED("", CUT("")), VIEWED("", CUT(""))}, NDP_ALL_OTHERS},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* A view with its own shape: an axis is removed or its extent decreases, along with later views; a reshaped base of one
 * axis keeps a matching number of elements. */
static void shapes_of_views_decrease(void **state) {
#define SPLIT(count, shape, cuts) VIEWED(count, "{'reshape':[" shape "]}," CUT(cuts))
#define WINDOW(shape, strides)    VIEWED("12", "{'strided':[" shape "],'strides':[" strides "]}")
    static const struct ndp_shrink_row rows[] = {
        {SPLIT("12", "3,4", "[0,1,3],[3,-1,4]"),
         {SPLIT("4", "4", "[3,-1,4]"), SPLIT("3", "3", "[0,1,3]"), SPLIT("0", "0,4", "[0,1,0],[3,-1,4]"),
          SPLIT("0", "3,0", "[0,1,3],[0,-1,0]"), SPLIT("4", "1,4", "[0,1,1],[3,-1,4]"),
          SPLIT("3", "3,1", "[0,1,3],[0,-1,1]"), SPLIT("8", "2,4", "[0,1,2],[3,-1,4]"),
          SPLIT("6", "3,2", "[0,1,3],[1,-1,2]"), SPLIT("9", "3,3", "[0,1,3],[2,-1,3]")},
         NULL},
        {WINDOW("3,4", "4,8"),
         {WINDOW("4", "8"), WINDOW("3", "4"), WINDOW("0,4", "4,8"), WINDOW("3,0", "4,8"), WINDOW("1,4", "4,8"),
          WINDOW("3,1", "4,8"), WINDOW("2,4", "4,8"), WINDOW("3,2", "4,8"), WINDOW("3,3", "4,8")},
         NULL},
        {VIEWED("1", "{'broadcast':[2,3]}"),
         {VIEWED("1", "{'broadcast':[3]}"), VIEWED("1", "{'broadcast':[2]}")},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_shape_families, BOTH("2,3,16", "2,0,1", "[15,-3,6],[0,1,2],[1,1,2]"), 50);
    ndp_shrink_check_memory(ndp_shrink_shape_families, SPLIT("12", "3,4", "[0,1,3],[3,-1,4]"), 10);
    ndp_shrink_check_memory(ndp_shrink_shape_families, WINDOW("3,4", "4,8"), 10);
}

NDP_SUITE(shrink_shape_test, NDP_TEST(axes_are_removed), NDP_TEST(views_lose_the_axes_of_their_base),
          NDP_TEST(extents_decrease), NDP_TEST(shapes_of_views_decrease),
          NDP_TEST(every_failing_allocation_is_reported));
