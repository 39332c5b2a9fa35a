/* shrink_value_test.c: another value, fewer views, simpler views, in the order of shrink_parts.h. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

#define F4(shape, views) NDP_ARRAY_CASE("'dtype':'<f4','shape':" shape, "'views':[" views "]")
#define INDEX            ",'data':{'pattern':'index'}"

/* The smallest value, the smallest of its dtype, two bytes, the base without views, the result without ancestry. */
static void the_boldest_candidates_are_first(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {F4("[2,3]", "{'reshape':[3,2],'order':'F'}"),
         {NDP_BASE_CASE("'dtype':'|u1','shape':[]"), NDP_BASE_CASE("'dtype':'<f4','shape':[]"),
          NDP_BASE_CASE("'dtype':'|u1','shape':[2]" INDEX), NDP_BASE_CASE("'dtype':'<f4','shape':[2,3]"),
          NDP_BASE_CASE("'dtype':'<f4','shape':[3,2]" INDEX)},
         NULL},
        {F4("[4]", "{'as_dtype':'|b1'}"), {NDP_BASE_CASE("'dtype':'|b1','shape':[16]" INDEX)}, NULL},
        {NDP_ARRAY_CASE("'dtype':'<f4','shape':[3],'order':'F'", "'class':{'name':'plain'},'writeable':false"),
         {NDP_BASE_CASE("'dtype':'|u1','shape':[]"), NDP_BASE_CASE("'dtype':'<f4','shape':[]"),
          NDP_ARRAY_CASE("'dtype':'|u1','shape':[2],'order':'F'" INDEX, "'class':{'name':'plain'},'writeable':false")},
         NDP_ALL_OTHERS},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) ndp_shrink_check_row(ndp_shrink_value_families, &rows[i]);
}

#define AXIS  "{'newaxis':0}"
#define TURN  "{'transpose':[1,0]}"
#define SPLIT "{'reshape':[2,3]}"
#define REAL  "{'real':true}"

/* Without the second half, without the first half, then without each from the last. */
static void views_are_removed(void **state) {
    static const struct ndp_shrink_row row = {F4("[6]", SPLIT "," TURN "," REAL "," AXIS),
                                              {F4("[6]", SPLIT "," TURN), F4("[6]", REAL "," AXIS),
                                               F4("[6]", SPLIT "," TURN "," REAL), F4("[6]", SPLIT "," TURN "," AXIS),
                                               F4("[6]", SPLIT "," REAL "," AXIS), F4("[6]", TURN "," REAL "," AXIS)},
                                              NULL};
    ndp_shrink_check_row(ndp_shrink_value_families, &row);
}

/* One view: all axes at once, then each. */
static void a_view_gets_simpler(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {F4("[6]", "{'reshape':[2,3],'order':'F'}"), {F4("[6]", "{'reshape':[2,3]}")}, NULL},
        {F4("[1,2,3]", "{'transpose':[2,0,1]}"), {F4("[1,2,3]", "{'transpose':[0,2,1]}")}, NULL},
        {F4("[2,2]", "{'newaxis':2}"), {F4("[2,2]", "{'newaxis':0}")}, NULL},
        {F4("[2,2]", "{'as_dtype':'|S1'}"), {F4("[2,2]", "{'as_dtype':'|u1'}")}, NULL},
        /* A step of one; all up to the last; from the first; the same elements and those between. */
        {F4("[9,9]", "{'slice':[[7,-2,3],[1,3,2]]}"),
         {F4("[9,9]", "{'slice':[[7,-1,3],[1,1,2]]}"), F4("[9,9]", "{'slice':[[0,1,8],[1,3,2]]}"),
          F4("[9,9]", "{'slice':[[4,-2,3],[1,3,2]]}"), F4("[9,9]", "{'slice':[[3,1,3],[1,3,2]]}"),
          F4("[9,9]", "{'slice':[[7,-2,3],[0,1,5]]}"), F4("[9,9]", "{'slice':[[7,-2,3],[0,3,2]]}"),
          F4("[9,9]", "{'slice':[[7,-2,3],[1,1,2]]}")},
         NULL},
        {F4("[1]", "{'broadcast':[0,4]}"), {F4("[1]", "{'broadcast':[0,1]}"), F4("[1]", "{'broadcast':[0,2]}")}, NULL},
        {F4("[9]", "{'strided':[3,2],'strides':[4,-8],'offset':16}"),
         {F4("[9]", "{'strided':[2,2],'strides':[4,-8]}"), F4("[9]", "{'strided':[1,2],'strides':[4,-8],'offset':16}"),
          F4("[9]", "{'strided':[2,2],'strides':[4,-8],'offset':16}"),
          F4("[9]", "{'strided':[3,2],'strides':[0,-8],'offset':16}"),
          F4("[9]", "{'strided':[3,1],'strides':[4,-8],'offset':16}"),
          F4("[9]", "{'strided':[3,2],'strides':[4,0],'offset':16}")},
         NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) ndp_shrink_check_row(ndp_shrink_value_families, &rows[i]);
}

/* The largest numbers of a slice of a byte, and of items of zero size. */
static void the_largest_numbers_do_not_overflow(void **state) {
#define U1(slice) NDP_ARRAY_CASE("'dtype':'|u1','shape':[4]", "'views':[{'slice':[" slice "]}]")
#define V0(slice) NDP_ARRAY_CASE("'dtype':'|V0','shape':['9223372036854775807']", "'views':[{'slice':[" slice "]}]")
    static const struct ndp_shrink_row rows[] = {
        {U1("[2,'-9223372036854775808',1]"), {U1("[2,-1,1]"), U1("[0,1,3]"), U1("[2,1,1]")}, NULL},
        {U1("[2,'9223372036854775807',1]"), {U1("[2,1,1]"), U1("[0,1,3]")}, NULL},
        {V0("['9223372036854775807',-1,0]"), {V0("[0,-1,0]")}, NULL},
        {V0("['9223372036854775806',-2,'4611686018427387904']"), {V0("[0,1,'9223372036854775807']")}, NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) ndp_shrink_check_row(ndp_shrink_value_families, &rows[i]);
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_value_families, F4("[6]", SPLIT "," TURN "," REAL "," AXIS), 100);
}

NDP_SUITE(shrink_value_test, NDP_TEST(the_boldest_candidates_are_first), NDP_TEST(views_are_removed),
          NDP_TEST(a_view_gets_simpler), NDP_TEST(the_largest_numbers_do_not_overflow),
          NDP_TEST(every_failing_allocation_is_reported));
