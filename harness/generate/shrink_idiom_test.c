/* shrink_idiom_test.c: layouts that a person would write, and the shape of the result with a plain ancestry. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

#define U1(shape)                "'dtype':'|u1','shape':[" shape "]"
#define F4(shape)                "'dtype':'<f4','shape':[" shape "]"
#define VIEWED(base, view)       NDP_ARRAY_CASE(base, "'views':[{" view "}]")
#define MAPPED(base, mode, view) VIEWED(base ",'memmap':{'mode':'" mode "'}", view)

/* The result as a reshaped single axis, in C order and in F order, and as a plain base; dtype, memory, data and order
 * of the base stay. */
static void a_result_has_a_plain_ancestry(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {MAPPED(F4("2,3"), "c", "'transpose':[1,0]"),
         {MAPPED(F4("6"), "c", "'reshape':[3,2]"), MAPPED(F4("6"), "c", "'reshape':[3,2],'order':'F'"),
          NDP_BASE_CASE(F4("3,2") ",'memmap':{'mode':'c'}")},
         NULL},
        {VIEWED(F4("3") ",'order':'F'", "'broadcast':[0,3]"),
         {VIEWED(F4("0") ",'order':'F'", "'reshape':[0,3]"),
          VIEWED(F4("0") ",'order':'F'", "'reshape':[0,3],'order':'F'"), NDP_BASE_CASE(F4("0,3") ",'order':'F'")},
         NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) ndp_shrink_check_row(ndp_shrink_idiom_families, &rows[i]);
}

/* Each kind of layout and nothing else; first with the smallest dtype, then with the value's. */
static void every_layout_has_its_smallest_example(void **state) {
    static const char *const layouts[] = {
        "'shape':[0]}",
        "'shape':[1]}",
        "'shape':[2]}",
        "'shape':[2,1]}",
        "'shape':[1,2]}",
        "'shape':[2,2]}",
        "'shape':[2,2],'order':'F'}",
        "'shape':[2]},'views':[{'slice':[[1,-1,2]]}]",
        "'shape':[2]},'views':[{'slice':[[1,1,1]]}]",
        "'shape':[3]},'views':[{'slice':[[0,2,2]]}]",
        "'shape':[1]},'views':[{'broadcast':[2]}]",
        "'shape':[2,2]},'views':[{'transpose':[1,0]}]",
        "'shape':[2,2]},'views':[{'slice':[[0,1,2],[0,1,1]]}]",
        "'shape':[4]},'views':[{'reshape':[2,2]}]",
        "'shape':[4]},'views':[{'reshape':[2,2],'order':'F'}]",
        "'shape':[3]},'views':[{'strided':[2,2],'strides':[%d,%d]}]", /* windows of two items */
        "'shape':[2,2,2]}",
        "'shape':[2,2,2],'order':'F'}",
        "'shape':[2,2,2]},'views':[{'transpose':[1,0,2]}]",
    };
    const struct {
        const char *dtype;
        int itemsize_bytes;
    } types[] = {{"|u1", 1}, {">f8", 8}};
    char texts[2][NDP_ARRAY_LEN(layouts)][160];
    struct ndp_shrink_row row = {NDP_BASE_CASE("'dtype':'>f8','shape':[7,7]"), {NULL}, NDP_ALL_OTHERS};
    size_t count = 0;
    for (size_t type = 0; type < 2; type++) {
        for (size_t i = 0; i < NDP_ARRAY_LEN(layouts); i++) {
            char layout[100];
            snprintf(layout, sizeof layout, layouts[i], types[type].itemsize_bytes, types[type].itemsize_bytes);
            snprintf(texts[type][i], sizeof texts[type][i], "{'ndproof':1,'value':{'array':{'base':{'dtype':'%s',%s}}}",
                     types[type].dtype, layout);
            row.candidates[count++] = texts[type][i];
        }
    }
    ndp_shrink_check_row(ndp_shrink_idiom_families, &row);
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_idiom_families, VIEWED(F4("2,3"), "'transpose':[1,0]"), 100);
}

NDP_SUITE(shrink_idiom_test, NDP_TEST(a_result_has_a_plain_ancestry), NDP_TEST(every_layout_has_its_smallest_example),
          NDP_TEST(every_failing_allocation_is_reported));
