/* Pairs of texts that differ in one thing, and one that says the same in other words. */
#include "oracle/same_descriptor.h"

#include "base/suite.h"
#include "model/graph.h"

static bool is_same(const char *first, const char *second) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    struct ndp_descriptor a, b;
    assert_int_equal(ndp_descriptor_read(&arena, ndp_bytes_view(first), &ndp_describe_default_limits, &a, NULL),
                     NDP_OK);
    assert_int_equal(ndp_descriptor_read(&arena, ndp_bytes_view(second), &ndp_describe_default_limits, &b, NULL),
                     NDP_OK);
    const bool is_so = fuzz_is_same_descriptor(&a, &b);
    assert_int_equal(fuzz_is_same_descriptor(&b, &a), is_so);
    assert_true(fuzz_is_same_descriptor(&a, &a));
    ndp_arena_clear(&arena);
    return is_so;
}

#define BASE(text)  "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2,3]" text "}}}}"
#define VIEW(text)  "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2,3]},\"views\":[" text "]}}}"
#define ROUTE(text) "{\"route\":{\"format\":\"npy\"" text "}}"
#define NODES(text) "{\"value\":{\"graph\":{\"nodes\":[" text "]}}}"
#define MASKED(text)                                                                                                   \
    NODES("{\"array\":{\"class\":{\"name\":\"MaskedArray\"}}" text "},{\"array\":{\"base\":{\"dtype\":\"|b1\"}}}")
#define PLACED(text) NODES("{\"objects\":{\"shape\":[2,2],\"items\":[1,1,1,1]" text "}},{\"none\":true}")
#define CALLED(text)                                                                                                   \
    NODES("{\"vectorize\":{\"function\":1" text "}},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}")
#define FUNCTION(text) NODES("{\"function\":{\"code\":\"identity\",\"name\":\"f\"" text "}},{\"none\":true}")
#define DICT(text)     "{\"value\":{\"dict\":{\"initial\":4" text "}}}"
#define DECODE(text)   "{\"bytes\":\"00\"" text "}"

static void one_thing_makes_another_descriptor(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {BASE(""), BASE(",\"order\":\"F\"")},
        {BASE(""), BASE(",\"readonly\":true")},
        {BASE(""), BASE(",\"misalign\":1")},
        {BASE(""), BASE(",\"data\":{\"pattern\":\"index\"}")},
        {BASE(",\"data\":{\"pattern\":\"random\"}"), BASE(",\"data\":{\"pattern\":\"random\",\"seed\":1}")},
        {BASE(",\"memmap\":{}"), BASE(",\"memmap\":{\"offset\":1}")},
        {BASE(",\"memmap\":{}"), BASE(",\"memmap\":{\"mode\":\"c\"}")},
        {BASE(""), "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[3,2]}}}}"},
        {BASE(""), "{\"value\":{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[2,3]}}}}"},
        {VIEW(""), VIEW("{\"real\":true}")},
        {VIEW("{\"imag\":true}"), VIEW("{\"real\":true}")},
        {VIEW("{\"transpose\":[0,1]}"), VIEW("{\"transpose\":[1,0]}")},
        {VIEW("{\"reshape\":[6]}"), VIEW("{\"reshape\":[6],\"order\":\"F\"}")},
        {VIEW("{\"newaxis\":0}"), VIEW("{\"newaxis\":1}")},
        {VIEW("{\"slice\":[[0,1,2],[0,1,3]]}"), VIEW("{\"slice\":[[0,1,2],[0,2,1]]}")},
        {VIEW("{\"strided\":[2],\"strides\":[8]}"), VIEW("{\"strided\":[2],\"strides\":[16]}")},
        {VIEW("{\"strided\":[2],\"strides\":[8]}"), VIEW("{\"strided\":[2],\"strides\":[8],\"offset\":8}")},
        {VIEW("{\"as_dtype\":\"<i8\"}"), VIEW("{\"as_dtype\":\"<u8\"}")},
        {ROUTE(""), ROUTE(",\"encode\":\"file\"")},
        {ROUTE(""), ROUTE(",\"level\":1")},
        {ROUTE(""), ROUTE(",\"via\":{}")},
        {ROUTE(",\"via\":{}"), ROUTE(",\"via\":{\"protocol\":1}")},
        {DECODE(""), DECODE(",\"expect\":\"refuse\"")},
        {DECODE(""), "{\"bytes\":\"01\"}"},
        {"{}", "{\"properties\":[\"values\"]}"},
        {"{}", DECODE("")},
        {NODES("{\"list\":[]}"), NODES("{\"tuple\":[]}")},
        {NODES("{\"list\":[]}"), NODES("{\"list\":[0]}")},
        {NODES("{\"list\":[1]},{\"none\":true},{\"none\":true}"),
         NODES("{\"list\":[2]},{\"none\":true},{\"none\":true}")},
        {NODES("{\"int\":\"1\"}"), NODES("{\"int\":\"2\"}")},
        {NODES("{\"bool\":true}"), NODES("{\"bool\":false}")},
        {NODES("{\"float\":\"0000000000000000\"}"), NODES("{\"float\":\"8000000000000000\"}")},
        {NODES("{\"array\":{}}"), NODES("{\"array\":{\"writeable\":false}}")},
        {MASKED(""), MASKED(",\"hard_mask\":true")},
        {MASKED(""), MASKED(",\"mask\":1")},
        {MASKED(""), MASKED(",\"fill_value\":\"00\"")},
        {PLACED(""), PLACED(",\"order\":\"F\"")},
        {CALLED(""), CALLED(",\"otypes\":\"d\"")},
        {CALLED(",\"excluded\":[0]"), CALLED(",\"excluded\":[1]")},
        {CALLED(""), CALLED(",\"signature\":\"()->()\"")},
        {CALLED(""), CALLED(",\"calls\":1")},
        {FUNCTION(""), FUNCTION(",\"importable\":true")},
        {FUNCTION(",\"attributes\":{\"x\":1}"), FUNCTION(",\"attributes\":{\"y\":1}")},
        {FUNCTION(",\"defaults\":[1]"), FUNCTION(",\"cells\":[1]")},
        {DICT(""), DICT(",\"rounds\":2")},
        {DICT(""), "{\"value\":{\"dict\":{\"initial\":5}}}"},
        {DICT(",\"threads\":[[[\"set\",0,1]]]"), DICT(",\"threads\":[[[\"set\",0,2]]]")},
        {DICT(",\"threads\":[[[\"set\",0,1]]]"), DICT(",\"threads\":[[[\"set\",0,1]],[]]")},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(pairs); i++)
        if (is_same(pairs[i][0], pairs[i][1])) fail_msg("pair %zu", i);
}

static void other_words_make_none(void **state) {
    (void)state;
    assert_true(is_same(BASE(""), BASE(",\"order\":\"C\",\"data\":{\"pattern\":\"zeros\"},\"misalign\":\"0\"")));
    assert_true(is_same("{}", "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]},\"views\":[]}}}"));
    assert_true(is_same(MASKED(""), MASKED(",\"hard_mask\":false,\"fill_value\":null")));
    assert_true(is_same(PLACED(""), PLACED(",\"order\":\"C\"")));
    assert_true(is_same(DICT(""), DICT(",\"rounds\":1")));
    assert_true(is_same(VIEW("{\"strided\":[],\"strides\":[]}"), VIEW("{\"strided\":[],\"strides\":[],\"offset\":0}")));
}

/* What no text can say: a sub-array of a size that does not follow, and words for what is not there. */
static void only_what_is_there_is_compared(void **state) {
    (void)state;
    static const int64_t shape[] = {3};
    static const struct ndp_dtype item = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const struct ndp_dtype types[] = {
        {.kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 3, .ndim = 1, .shape = shape, .base = &item},
        {.kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 6, .ndim = 1, .shape = shape, .base = &item}};
    static const struct ndp_field fields[] = {{.name = {(const uint8_t *)"a", 1}, .dtype = &types[0]},
                                              {.name = {(const uint8_t *)"a", 1}, .dtype = &types[1]}};
    static const struct ndp_dtype structs[] = {
        {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 6, .fields = &fields[0], .field_count = 1},
        {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 6, .fields = &fields[1], .field_count = 1}};
    struct ndp_descriptor a = {.value.array.base.dtype = &types[0]}, b = a;
    struct ndp_node nodes[2] = {{.kind = NDP_NODE_VECTORIZE}, {.kind = NDP_NODE_VECTORIZE}};
    const struct ndp_graph graphs[2] = {{0, 1, &nodes[0]}, {0, 1, &nodes[1]}};
    b.value.array.base.dtype = &types[1];
    assert_false(fuzz_is_same_descriptor(&a, &b));
    a.value.array.base.dtype = &structs[0];
    b.value.array.base.dtype = &structs[1];
    assert_false(fuzz_is_same_descriptor(&a, &b));
    b.value.array.base.dtype = &structs[0];
    b.value.array.base.map_offset_bytes = 1;
    b.value.array.base.map_mode = NDP_MAP_COPY;
    b.value.array.class_name = ndp_bytes_view("ndarray");
    assert_true(fuzz_is_same_descriptor(&a, &b));
    nodes[1].otypes = nodes[1].signature = ndp_bytes_view("d");
    a.value = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = &graphs[0]};
    b.value = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = &graphs[1]};
    assert_true(fuzz_is_same_descriptor(&a, &b));
}

NDP_SUITE(same_descriptor_test, cmocka_unit_test(one_thing_makes_another_descriptor),
          cmocka_unit_test(other_words_make_none), cmocka_unit_test(only_what_is_there_is_compared));
