/* shrink_detail_test.c: memory, data, flags, route, fault, and the bytes of a decode case. */
#include "base/suite.h"
#include "generate/shrink_fixture.h"

static void check(const struct ndp_shrink_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) ndp_shrink_check_row(ndp_shrink_detail_families, &rows[i]);
}

#define F4(rest) NDP_BASE_CASE("'dtype':'<f4','shape':[3]" rest)
#define MAP(map) F4(",'memmap':{" map "}")

/* Features are removed first, then reduced. */
static void memory_data_and_flags_get_plainer(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {MAP("'mode':'w+','offset':4097"),
         {F4(""), MAP("'mode':'w+'"), MAP("'mode':'w+','offset':64"), MAP("'mode':'r','offset':4097"),
          MAP("'mode':'r+','offset':4097")},
         NULL},
        {MAP("'mode':'r','offset':64"), {F4(""), MAP("'mode':'r'"), MAP("'mode':'r','offset':1")}, NULL},
        {F4(",'order':'F'"), {F4("")}, NULL},
        {F4(",'misalign':5"), {F4(""), F4(",'misalign':1")}, NULL},
        {F4(",'readonly':true"), {F4("")}, NULL},
        {NDP_ARRAY_CASE("'dtype':'<f4','shape':[3]", "'writeable':false"), {F4("")}, NULL},
        {NDP_ARRAY_CASE("'dtype':'<f4','shape':[3]", "'class':{'name':'plain'}"), {F4("")}, NULL},
        {F4(",'data':{'pattern':'random','seed':9}"),
         {F4(""), F4(",'data':{'pattern':'index'}"), F4(",'data':{'pattern':'random'}"),
          F4(",'data':{'pattern':'random','seed':4}")},
         NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

#define RAW(offset)                                                                                                    \
    "{'ndproof':1,'value':{'array':{'base':{'dtype':'|u1','shape':[2]}}},'route':{'format':'raw'" offset "}}"
#define EXTRA(argument)                                                                                                \
    "{'ndproof':1,'value':{'array':{'base':{'dtype':'|u1','shape':[2]}}},'fault':{'name':'extra','argument':" argument \
    "},'route':{'format':'npy'}}"

/* A fault stays. Its argument decreases to the minimum of its row (describe/fault.h: extra, 1 to 5000). */
static void route_and_fault_get_smaller(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {RAW(",'offset':9"), {RAW(""), RAW(",'offset':4")}, NULL},
        {EXTRA("101"), {EXTRA("1"), EXTRA("51"), EXTRA("76"), EXTRA("100")}, NULL},
        {EXTRA("2"), {EXTRA("1"), EXTRA("1"), EXTRA("1")}, NULL},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

#define BYTES(hex) "{'ndproof':1,'bytes':'" hex "'}"

/* Runs of bytes are removed from the end, then single bytes from both ends; then single bytes become zero. The expected
 * result becomes open. One byte always remains. */
static void bytes_are_removed_in_runs_and_zeroed(void **state) {
    static const struct ndp_shrink_row rows[] = {
        {"{'ndproof':1,'bytes':'0102030405060708','expect':'refuse'}",
         {BYTES("01020304"), BYTES("05060708"), BYTES("010203040506"), BYTES("010203040708"), BYTES("010205060708"),
          BYTES("030405060708"), BYTES("01020304050607"), BYTES("01020304050608"), BYTES("02030405060708"),
          BYTES("02030405060708"), BYTES("01020304050607"), BYTES("0002030405060708"), BYTES("0100030405060708"),
          BYTES("0102030405060700"), BYTES("0102030405060008")},
         NULL},
        {"{'ndproof':1,'bytes':'07','expect':'accept'}", {BYTES("00"), BYTES("00")}, BYTES("")},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* The first and last 32 bytes of a long input are tried singly. */
static void the_ends_of_long_bytes_are_tried_singly(void **state) {
    enum { SIZE = 100, EACH = 32 };
    char texts[3][64 + 2 * SIZE];
    const uint32_t zeros[3] = {SIZE, 0, SIZE - EACH};
    for (int row = 0; row < 3; row++) {
        int at = snprintf(texts[row], sizeof texts[row], "{'ndproof':1,'bytes':'");
        for (uint32_t i = 0; i < SIZE; i++)
            at += snprintf(texts[row] + at, sizeof texts[row] - (size_t)at, i == zeros[row] ? "00" : "0a");
        snprintf(texts[row] + at, sizeof texts[row] - (size_t)at, "'}");
    }
    const struct ndp_shrink_row row = {texts[0], {texts[1], texts[2]}, NULL};
    check(&row, 1);
    struct ndp_descriptor from;
    uint32_t tried[SIZE] = {0};
    NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
    ndp_shrink_read(&arena, texts[0], &from);
    const struct ndp_shrink shrink = {&arena, &arena, &from};
    const struct ndp_shrink_family *family = &ndp_shrink_detail_families[2];
    for (uint32_t i = 0; i < family->count(&from); i++) {
        struct ndp_descriptor out = from;
        if (family->make(&shrink, i, &out) != NDP_OK || out.bytes.size_bytes < SIZE) continue;
        for (uint32_t at = 0; at < SIZE; at++) tried[at] += out.bytes.data[at] == 0;
    }
    for (uint32_t at = 0; at < SIZE; at++) assert_int_equal(tried[at], at < EACH || at >= SIZE - EACH);
}

static void every_failing_allocation_is_reported(void **state) {
    ndp_shrink_check_memory(ndp_shrink_detail_families, BYTES("0102030405060708"), 30);
}

NDP_SUITE(shrink_detail_test, NDP_TEST(memory_data_and_flags_get_plainer), NDP_TEST(route_and_fault_get_smaller),
          NDP_TEST(bytes_are_removed_in_runs_and_zeroed), NDP_TEST(the_ends_of_long_bytes_are_tried_singly),
          NDP_TEST(every_failing_allocation_is_reported));
