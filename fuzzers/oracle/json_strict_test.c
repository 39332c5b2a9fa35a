#include "oracle/json_strict.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 512 };

static uint64_t hits_of(const char *text, bool has_graph) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        fuzz_check_json_keys(ndp_bytes_view(text), has_graph, pick);
        fuzz_check_json_values(ndp_bytes_view(text), has_graph, pick);
    }
    be_loud(loud);
    return fuzz_hits() - before;
}

static void keys_are_refused_wherever_they_stand(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"ndproof\":1}",
        "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2]},\"views\":[{\"reshape\":[1,2]}]}}}",
        "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\":{\"{\":{\"\":1}}},\"shape\":[]}}}}",
        "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":{\"fields\":[{\"name\":\"a\",\"offset\":0,"
        "\"dtype\":\"<i2\"}],\"itemsize\":4},\"shape\":[2,3],\"order\":\"F\",\"data\":{\"pattern\":\"index\"},"
        "\"memmap\":{\"mode\":\"r\",\"offset\":0}},\"views\":[{\"transpose\":[0,1]},{\"slice\":[[0,1,1],[0,1,1]]},"
        "{\"newaxis\":0}],\"class\":{\"name\":\"ndarray\"}}}}",
        "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1],\"data\":{\"pattern\":\"hex\","
        "\"hex\":\"ff\"},\"misalign\":1}}}}",
        "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1],\"data\":{\"pattern\":\"random\","
        "\"seed\":\"18446744073709551615\"}}}}}",
        "{\"bytes\":\"00\",\"expect\":\"open\",\"route\":{\"format\":\"npy\",\"protocol\":5,\"level\":3}}",
        "{\"file\":\"a\",\"fault\":{\"name\":\"truncated\",\"argument\":1},\"properties\":[\"values\"]}",
        "{\"route\":{\"transport\":\"a\",\"backend\":\"b\",\"max_nbytes\":\"-1\",\"mmap_mode\":\"r\"}}",
        "{\"route\":{\"format\":\"npy\",\"via\":{\"format\":\"npy\",\"level\":9,\"protocol\":255}}}",
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++)
        if (hits_of(texts[i], false) != 0) fail_msg("text %zu", i);
}

/* Attributes have names that anybody may choose: told that there are none, the oracle calls that a finding. */
static void what_is_taken_is_seen(void **state) {
    (void)state;
    static const char graph[] =
        "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"function\":{\"code\":\"const\",\"name\":"
        "\"f\",\"cells\":[1],\"attributes\":{\"a\":2}}},{\"cell\":2},{\"int\":\"2\"}]}}}";
    assert_int_equal(hits_of(graph, true), 0);
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_descriptor descriptor;
    const bool is_read =
        ndp_descriptor_read(&arena, ndp_bytes_view(graph), &ndp_describe_default_limits, &descriptor, NULL) == NDP_OK;
    ndp_arena_clear(&arena);
    assert_true(is_read);
    assert_true(hits_of(graph, false) > 0);
}

/* Behind a blank the oracle does not know metadata, in which any value may stand. */
static void a_value_that_is_taken_is_seen(void **state) {
    (void)state;
    static const char text[] =
        "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\" :{\"a\":1}}}}}}";
    const int loud = be_quiet();
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_json_values(ndp_bytes_view(text), false, pick);
    be_loud(loud);
    assert_true(fuzz_hits() > before);
}

/* Behind that blank, words that contradict each other in a descriptor are any. */
static void a_contradiction_that_is_taken_is_seen(void **state) {
    (void)state;
#define META(text) "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\" :{" text "}}}}}}"
    static const char *const keys[] = {
        META("\"transport\":\"a\""),        META("\"format\":\"a\""),      META("\"max_nbytes\":1"),
        META("\"mmap_mode\":\"r\""),        META("\"level\":1"),           META("\"protocol\":1"),
        META("\"bytes\":\"00\""),           META("\"file\":\"a\""),        META("\"expect\":\"open\""),
        META("\"fault\":{\"name\":\"a\"}"), META("\"properties\":[\"a\"]")};
#undef META
    static const char text[] =
        "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\" :{\"a\":1}}}}}}";
    const uint64_t others = hits_of(text, false);
    for (size_t i = 0; i < NDP_ARRAY_LEN(keys); i++)
        if (hits_of(keys[i], false) <= others) fail_msg("key %zu", i);
}

/* Nodes of a graph have no keys but their own; behind that blank they are anybody's. An array is the first that is met
 * in each such text. */
static void a_key_that_no_node_has_is_seen(void **state) {
    (void)state;
#define NODES(nodes) "{\"value\":{\"graph\":{\"nodes\":[" nodes ",{\"int\":\"1\"}],\"root\":0}}}"
#define META(text)   "{\"value\":{\"array\":{\"base\":{\"dtype\":{\"type\":\"|u1\",\"metadata\" :{\"a\":" text "}}}}}}"
    static const struct {
        const char *graph, *array;
    } rows[] = {
        {NODES("{\"array\":{\"base\":{\"dtype\":\"|u1\"}}}"), NULL},
        {NODES("{\"list\":[1]}"), META("{\"list\":[1]}")},
        {NODES("{\"objects\":{\"shape\":[1],\"items\":[1]}}"), META("{\"objects\":{\"a\":1}}")},
        {NODES("{\"function\":{\"code\":\"const\",\"name\":\"f\"}}"), META("{\"function\":{\"a\":1}}")},
        {NODES("{\"int\":\"2\"}"), META("{\"int\":\"2\"}")},
    };
#undef NODES
#undef META
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor descriptor;
        const enum ndp_status status =
            ndp_descriptor_read(&arena, ndp_bytes_view(rows[i].graph), &ndp_describe_default_limits, &descriptor, NULL);
        ndp_arena_clear(&arena);
        assert_int_equal(status, NDP_OK);
        if (hits_of(rows[i].graph, true) != 0) fail_msg("graph %zu", i);
        if (rows[i].array && hits_of(rows[i].array, true) == 0) fail_msg("metadata %zu", i);
    }
}

NDP_SUITE(json_strict_test, cmocka_unit_test(keys_are_refused_wherever_they_stand),
          cmocka_unit_test(what_is_taken_is_seen), cmocka_unit_test(a_value_that_is_taken_is_seen),
          cmocka_unit_test(a_key_that_no_node_has_is_seen), cmocka_unit_test(a_contradiction_that_is_taken_is_seen));
