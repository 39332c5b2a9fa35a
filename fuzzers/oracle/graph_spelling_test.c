/* Pickles of protocol 0 to 2 by hand (CPython 3.11, Lib/pickletools.py); what each spelling means is Python's and
 * NumPy's. */
#include "oracle/graph_spelling.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

#define BYTES(text) ((struct ndp_bytes){(const uint8_t *)(text), sizeof(text) - 1})
#define ROW(text)   text, sizeof(text) - 1
#define TYPE(word)  "cnumpy\ndtype\n(V" word "\nI00\nI01\ntR(I3\nV|\nNNNI-1\nI-1\nI0\ntb"
#define FIELD       "cnumpy\ndtype\n(VV1\nI00\nI01\ntR(I4\nV|\nN(Va\nt}Va\n(" TYPE("u1") "I0\ntsI1\nI1\nI16\n}Vx\nVy\nstb"
#define ARRAY_OF(type)                                                                                                 \
    "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntVb\ntR(I1\n(I2\nt" type "I00\nC\2abtb"

enum { PICKS = 64 };

static const struct {
    const char *pickle;
    size_t size;
    uint32_t kinds; /* bits of enum fuzz_respelled */
} rows[] = {
    {ROW("}(I1\nVa\nI2\nVb\nu."), 1 << FUZZ_RESPELLED_KEY | 1 << FUZZ_RESPELLED_NUMBER},
    {ROW("}Va\nNs."), 1 << FUZZ_RESPELLED_KEY},
    {ROW(ARRAY_OF(TYPE("u1")) "."), 1 << FUZZ_RESPELLED_ORDER | 1 << FUZZ_RESPELLED_METADATA},
    {ROW(ARRAY_OF(FIELD) "."), 1 << FUZZ_RESPELLED_KEY | 1 << FUZZ_RESPELLED_ORDER | 1 << FUZZ_RESPELLED_METADATA},
    {ROW("cfunctools\npartial\n(cm\nf\ntR(cm\nf\n(I1\nt}Ntb."), 1 << FUZZ_RESPELLED_PARTIAL},
    {ROW("cfunctools\npartial\n(]p1\ntR(g1\n(I1\nt}Ntb."), 1 << FUZZ_RESPELLED_PARTIAL},
    {ROW("cfunctools\npartial\n(]tR(cm\nf\n(I1\nt}Ntb."), 0},
    {ROW("cdill._dill\n_create_function\n(cdill._dill\n_create_code\n(I0\n(Vndproof:const\ntN(tVf\ntR}V__name__\n]sVf\n"
         "NNtR(tb."),
     1 << FUZZ_RESPELLED_KEY},
    {ROW("N."), 0},
};

static uint32_t kinds_of(struct ndp_arena *arena, struct ndp_bytes pickle) {
    uint32_t kinds = 0;
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_source source = ndp_source_memory(pickle);
        struct ndp_objects objects;
        struct ndp_pickle read;
        ndp_objects_init(&objects, arena);
        assert_int_equal(ndp_pickle_read(&objects, &source, NULL, &read, NULL), NDP_OK);
        kinds |= 1U << fuzz_respell_objects(&objects, read.root, pick);
        ndp_source_clear(&source);
        ndp_objects_clear(&objects);
    }
    return kinds & ~(1U << FUZZ_RESPELLED_NOTHING);
}

static void every_way_of_saying_it_is_the_graph(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    const uint64_t before = fuzz_hits();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph graph;
        const struct ndp_bytes pickle = {(const uint8_t *)rows[i].pickle, rows[i].size};
        const uint32_t kinds = kinds_of(&arena, pickle);
        if (kinds != rows[i].kinds) fail_msg("row %zu: %x", i, kinds);
        if (ndp_pickle_graph_decode(&arena, pickle, &graph, NULL) != NDP_OK) fail_msg("row %zu: no graph", i);
        for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_graph_spelling(&arena, pickle, false, &graph, pick);
        if (fuzz_hits() != before) fail_msg("row %zu", i);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
}

static void another_graph_is_told(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    struct ndp_graph graph;
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    assert_int_equal(ndp_pickle_graph_decode(&arena, BYTES("}Va\nI1\ns."), &graph, NULL), NDP_OK);
    fuzz_graph_spelling(&arena, BYTES("}Va\nNs."), false, &graph, 0);
    be_loud(loud);
    assert_int_equal(fuzz_hits(), before + 1);
    ndp_arena_clear(&arena);
}

/* A masked array whose item is two shorts in foreign order, the second of them at `second_at`. */
static uint64_t bytes_of_fill_value(uint64_t second_at, uint64_t pick) {
    const struct ndp_dtype big = {.kind = NDP_KIND_INT, .itemsize_bytes = 2, .order = NDP_ORDER_BIG};
    const struct ndp_field fields[] = {{.name = BYTES("a"), .dtype = &big, .offset_bytes = 0},
                                       {.name = BYTES("b"), .dtype = &big, .offset_bytes = second_at}};
    const struct ndp_dtype dtype = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 4, .fields = fields, .field_count = 2};
    struct ndp_node node = {.kind = NDP_NODE_ARRAY, .has_model = true, .fill_value = BYTES("abcd")};
    node.model.dtype = &dtype;
    node.model.class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_MASKED));
    const struct ndp_graph graph = {.nodes = &node, .count = 1};
    struct ndp_arena arena = {.limit_bytes = 1 << 16};
    const struct ndp_graph varied = fuzz_vary_graph(&arena, &graph, pick);
    const struct ndp_bytes fill = varied.nodes[0].fill_value;
    const uint64_t size = fill.size_bytes;
    if (size > 0 && varied.nodes != &node) assert_memory_equal(fill.data, "\0\0\0\0", 4);
    assert_memory_equal(node.fill_value.data, "abcd", 4);
    ndp_arena_clear(&arena);
    return size;
}

static void a_fill_value_varies_where_it_may(void **state) {
    (void)state;
    assert_int_equal(bytes_of_fill_value(2, 0), 4); /* zeros */
    assert_int_equal(bytes_of_fill_value(2, 1), 0); /* none */
    assert_int_equal(bytes_of_fill_value(2, 2), 4); /* its own */
    assert_int_equal(bytes_of_fill_value(1, 0), 0); /* one of fields that overlap has no words */
}

NDP_SUITE(graph_spelling_test, cmocka_unit_test(every_way_of_saying_it_is_the_graph),
          cmocka_unit_test(another_graph_is_told), cmocka_unit_test(a_fill_value_varies_where_it_may));
