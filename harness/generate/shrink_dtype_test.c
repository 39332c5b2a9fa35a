/* shrink_dtype_test.c: fewer nodes, simpler leaves, plainer structures. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

#define TYPE(dtype)                NDP_BASE_CASE("'dtype':" dtype ",'shape':[2]")
#define STRUCT(fields, end)        TYPE("{'fields':[" fields "],'itemsize':" end "}")
#define FIELD(name, offset, dtype) "{'name':'" name "','offset':" offset ",'dtype':" dtype "}"
#define TITLED(name, title, offset, dtype)                                                                             \
    "{'name':'" name "','title':'" title "','offset':" offset ",'dtype':" dtype "}"

static void check(const struct ndp_shrink_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) ndp_shrink_check_row(ndp_shrink_dtype_families, &rows[i]);
}

#define X     FIELD("x", "0", "'>i2'")
#define Y     FIELD("y", "2", "{'base':'>f4','shape':[2,3]}")
#define SHORT STRUCT(X "," Y, "26")

static void a_node_is_replaced_by_a_child(void **state) {
    static const struct ndp_shrink_row row = {
        SHORT,
        {TYPE("'>i2'"), TYPE("{'base':'>f4','shape':[2,3]}"), STRUCT(X "," FIELD("y", "2", "'>f4'"), "6")},
        NULL};
    check(&row, 1);
}

#define LETTER(name, offset) FIELD(name, offset, "'|u1'")
#define FIRST                LETTER("a", "0") "," LETTER("b", "1")
#define SECOND               LETTER("c", "2") "," LETTER("d", "3")

/* Halves, quarters and eighths that have more than one field, then single fields from the last. */
static void fields_are_removed_in_runs(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {STRUCT(FIRST "," SECOND, "4"),
         {STRUCT(LETTER("c", "0") "," LETTER("d", "1"), "2"), STRUCT(FIRST, "2"),
          STRUCT(FIRST "," LETTER("c", "2"), "3"), STRUCT(FIRST "," LETTER("d", "2"), "3"),
          STRUCT(LETTER("a", "0") "," LETTER("c", "1") "," LETTER("d", "2"), "3"),
          STRUCT(LETTER("b", "0") "," LETTER("c", "1") "," LETTER("d", "2"), "3")},
         NULL},
        {STRUCT(LETTER("a", "0"), "1"), {STRUCT("", "0")}, NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* First u1, i4 and f8, in little-endian order and in the leaf's order; then the plainest leaf of its kind; then only
 * its order, its metadata, its length. */
static void a_leaf_gets_simpler(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {TYPE("'>U6'"),
         {TYPE("'|u1'"), TYPE("'<i4'"), TYPE("'>i4'"), TYPE("'<f8'"), TYPE("'>f8'"), TYPE("'>U1'"), TYPE("'<U6'"),
          TYPE("'>U3'"), TYPE("'>U5'"), TYPE("'<U6'")},
         NDP_ALL_OTHERS},
        {TYPE("'|S5'"), {TYPE("'|S1'"), TYPE("'|S2'"), TYPE("'|S4'")}, NULL},
        {TYPE("'|V0'"), {TYPE("'|V1'")}, NULL},
        {TYPE("'>i8'"), {TYPE("'>i4'"), TYPE("'>i4'"), TYPE("'<i8'")}, NULL},
        {TYPE("'>f2'"), {TYPE("'>f8'"), TYPE("'>f8'"), TYPE("'<f2'")}, NULL},
        {TYPE("'>c8'"), {TYPE("'>c16'"), TYPE("'<c8'")}, NULL},
        {TYPE("'>m8[25us]'"), {TYPE("'>m8[s]'"), TYPE("'<m8[25us]'")}, NULL},
        {TYPE("'|b1'"), {TYPE("'|u1'"), TYPE("'<i4'"), TYPE("'<i4'"), TYPE("'<f8'"), TYPE("'<f8'")}, NDP_ALL_OTHERS},
        {TYPE("{'type':'<f4','metadata':{'a':1}}"), {TYPE("'<f4'")}, NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* A simpler leaf is always a valid dtype, whatever the length of the original. */
static void simpler_leaves_are_valid_dtypes(void **state) {
    static const char *const leaves[] = {"'<U3'", "'>U1'", "'<U0'", "'|S3'", "'|S0'",       "'|V1'",
                                         "'>c8'", "'|b1'", "'|O'",  "'>f2'", "'>m8[25us]'", "'<i8'"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(leaves); i++) {
        struct ndp_descriptor from;
        char text[100];
        snprintf(text, sizeof text, TYPE("%s"), leaves[i]);
        NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
        ndp_shrink_read(&arena, text, &from);
        const struct ndp_shrink shrink = {&arena, &arena, &from};
        for (const struct ndp_shrink_family *family = ndp_shrink_dtype_families; family->count != NULL; family++) {
            for (uint32_t index = 0; index < family->count(&from); index++) {
                struct ndp_descriptor out = from;
                if (family->make(&shrink, index, &out) != NDP_OK) continue;
                if (ndp_dtype_check(out.value.array.base.dtype, NULL) != NDP_OK) fail_msg("%s: %u", text, index);
            }
        }
    }
}

/* Little-endian throughout; packed; not aligned; without titles; with short names. */
static void a_structure_gets_plainer(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {STRUCT(TITLED("x y", "T", "2", "'>i2'") "," FIELD("z", "8", "'>f8'"), "20"),
         {STRUCT(TITLED("x y", "T", "2", "'<i2'") "," FIELD("z", "8", "'<f8'"), "20"),
          STRUCT(TITLED("x y", "T", "0", "'>i2'") "," FIELD("z", "2", "'>f8'"), "10"),
          STRUCT(FIELD("x y", "2", "'>i2'") "," FIELD("z", "8", "'>f8'"), "20"),
          STRUCT(TITLED("a", "c", "2", "'>i2'") "," FIELD("b", "8", "'>f8'"), "20")},
         NULL},
        {TYPE("{'fields':[" LETTER("a", "0") "],'itemsize':1,'aligned':true}"),
         {STRUCT(LETTER("a", "0"), "1"), STRUCT(LETTER("a", "0"), "1")},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* An axis is removed, or its extent decreases: 0, 1, 2, half, ... (shrink_parts.h). The last axis stays. */
static void an_inner_shape_gets_smaller(void **state) {
#define INNER(shape, end) STRUCT(FIELD("a", "0", "{'base':'<i2','shape':[" shape "]}"), end)
    static const struct ndp_shrink_row rows[] = {
        {INNER("2,5", "20"),
         {INNER("5", "10"), INNER("0,5", "0"), INNER("1,5", "10"), INNER("2", "4"), INNER("2,0", "0"),
          INNER("2,1", "4"), INNER("2,2", "8"), INNER("2,4", "16")},
         NULL},
        {INNER("1", "2"), {INNER("0", "0")}, INNER("", "2")},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_dtype_families, SHORT, 100);
}

NDP_SUITE(shrink_dtype_test, NDP_TEST(a_node_is_replaced_by_a_child), NDP_TEST(fields_are_removed_in_runs),
          NDP_TEST(a_leaf_gets_simpler), NDP_TEST(simpler_leaves_are_valid_dtypes), NDP_TEST(a_structure_gets_plainer),
          NDP_TEST(an_inner_shape_gets_smaller), NDP_TEST(every_failing_allocation_is_reported));
