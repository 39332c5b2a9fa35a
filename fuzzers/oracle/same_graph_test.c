/* The pickles are those of CPython 3.11. */
#include "oracle/same_graph.h"

#include "base/suite.h"
#include "codec/pickle/pickle_graph.h"
#include "runtime/hits_fixture.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* pickle.dumps(numpy.array([1, 2], "<i2"), 2), of NumPy 1.26. */
#define ARRAY(order, last)                                                                                             \
    "\x80\x02"                                                                                                         \
    "cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nq\1K\0\x85q\2c_codecs\nencode\nq\3X\1\0\0\0bq\4X\6\0\0" \
    "\0latin1q\5\x86q\6Rq\7\x87q\x08Rq\x09(K\1K\2\x85q\ncnumpy\ndtype\nq\x0bX\2\0\0\0i2q\x0c\x89\x88\x87q\x0dRq\x0e("  \
    "K\3X\1\0\0\0" order "q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tq\x10"                                         \
    "b\x89h\3X\4\0\0\0\1\0" last "\0q\x11h\5\x86q\x12Rq\x13tq\x14"                                                     \
    "b."

/* pickle.dumps(numpy.array([2], "<i2"), 5) of NumPy 2.4, but for its frame; CLOSED is read-only. */
#define OVER(bytes)                                                                                                    \
    "\x80\x05\x8c\x13numpy._core.numeric\x94\x8c\x0b_frombuffer\x94\x93\x94(" bytes "\x94\x8c\x05numpy\x94\x8c\x05"    \
    "dtype\x94\x93\x94\x8c\x02i2\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<"                                              \
    "\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0t\x94"                                                                \
    "bK\x01\x85\x94\x8c\x01"                                                                                           \
    "C\x94t\x94R\x94."
#define OPEN   "\x96\2\0\0\0\0\0\0\0\2\0"
#define CLOSED "C\2\2\0"

static void graphs_are_told_apart(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes first, next;
        uint32_t protocol;
        bool is_same;
    } rows[] = {
        {BYTES("]q\0(K\1G?\xf0\0\0\0\0\0\0e."), BYTES("(lp0\nI1\naF1.0\na."), 2, true},
        {BYTES("]q\0(K\1G?\xf0\0\0\0\0\0\0e."), BYTES("(lp0\nI1\naF2.0\na."), 2, false},
        {BYTES("]q\0(K\1K\2e."), BYTES("(lp0\nI1\na."), 2, false},
        {BYTES("]q\0(]q\1h\1e."), BYTES("]q\0(]q\1]q\2e."), 2, false}, /* the same list twice, or two lists */
        {BYTES("G\x7f\xf8\0\0\0\0\0\1."), BYTES("Fnan\n."), 2, false}, /* a NaN with a payload */
        {BYTES("G\x7f\xf8\0\0\0\0\0\1."), BYTES("Fnan\n."), 0, true},
        {BYTES("G\x80\0\0\0\0\0\0\0."), BYTES("F0.0\n."), 0, false},
        /* What was told and is opaque now, and what is an instance of m.C or has not been more than called before. */
        {BYTES("]q\0K\1a."), BYTES("]q\0cm\nf\n)Ra."), 2, false},
        {BYTES("]q\0cm\nC\n)\x81"
               "a."),
         BYTES("]q\0cm\nf\n)Ra."), 2, true},
        {BYTES("]q\0cm\nf\n)Ra."), BYTES("]q\0cm\nf\n)Ra."), 2, true},
        /* Beside what is opaque all else is compared; its name counts where it is an instance's, in protocol 4. */
        {BYTES("]q\0(cm\nf\n)RK\1e."), BYTES("]q\0(cm\nf\n)RK\2e."), 2, false},
        {BYTES("]q\0(cm\nf\n)RK\1e."), BYTES("]q\0(K\1cm\nf\n)Re."), 2, false},
        {BYTES("]q\0(cm\nf\n)Rcm\nC\n)\x81"
               "e."),
         BYTES("]q\0(cm\nf\n)Rcm\nD\n)\x81"
               "e."),
         4, false},
        {BYTES(ARRAY("<", "\2")), BYTES(ARRAY("<", "\2")), 2, true},
        {BYTES(ARRAY("<", "\2")), BYTES(ARRAY(">", "\2")), 2, false},
        {BYTES(ARRAY("<", "\2")), BYTES(ARRAY("<", "\3")), 2, false},
        {BYTES(OVER(CLOSED)), BYTES(OVER(CLOSED)), 5, true},
        {BYTES(OVER(OPEN)), BYTES(OVER(CLOSED)), 5, false},
        {BYTES(OVER(CLOSED)), BYTES(OVER(OPEN)), 5, false},
        {BYTES(OVER(CLOSED)), BYTES(OVER(OPEN)), 4, true}, /* which keeps no permission */
    };
    struct ndp_arena arena = {.limit_bytes = 1 << 22};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph first, next;
        assert_int_equal(ndp_pickle_graph_decode(&arena, rows[i].first, &first, NULL), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, rows[i].next, &next, NULL), NDP_OK);
        if (fuzz_is_same_graph(&arena, rows[i].protocol, &first, &next) != rows[i].is_same) fail_msg("row %zu", i);
    }
    ndp_arena_clear(&arena);
}

static void what_is_opaque_is_kept(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes first, next;
        bool is_kept;
    } rows[] = {{BYTES("]q\0(cm\nf\n)RNe."), BYTES("]q\0(cm\nf\n)RNe."), true},
                {BYTES("]q\0(cm\nf\n)RNe."), BYTES("]q\0(cm\nf\nK\1\x85RNe."), false},
                {BYTES("]q\0(cm\nf\n)RNe."), BYTES("]q\0(K\1cm\nf\nK\1\x85Re."), true}, /* others */
                {BYTES("]q\0(NNe."), BYTES("]q\0(NNe."), true}};
    struct ndp_arena arena = {.limit_bytes = 1 << 22};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph first, next;
        assert_int_equal(ndp_pickle_graph_decode(&arena, rows[i].first, &first, NULL), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, rows[i].next, &next, NULL), NDP_OK);
        if (fuzz_keeps_opaque(&arena, &first, &next) != rows[i].is_kept) fail_msg("row %zu", i);
    }
    ndp_arena_clear(&arena);
}

/* pickle.dumps of NumPy 2.4: numpy.zeros((2, 2, 1, 2), "i4").transpose(2, 0, 3, 1) is pickled otherwise once it has
 * been loaded, and numpy.zeros((2, 2, 2, 2), "i4").transpose(2, 0, 3, 1) as before. */
static void axes_of_extent_1_are_loose(void **state) {
    (void)state;
    static const struct {
        int64_t shape[4], strides_bytes[4];
        bool is_loose;
    } rows[] = {{{1, 2, 2, 2}, {8, 16, 4, 8}, true},
                {{2, 2, 2, 2}, {8, 32, 4, 16}, false},
                {{2, 2, 1, 2}, {16, 8, 8, 4}, false}, /* in C order */
                {{2, 1, 2, 2}, {4, 8, 8, 16}, false}};
    static const struct ndp_dtype type = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_node nodes[2] = {{.kind = NDP_NODE_NONE}, {.kind = NDP_NODE_ARRAY, .has_model = true}};
        nodes[1].model.dtype = &type;
        nodes[1].model.layout.ndim = 4;
        memcpy(nodes[1].model.layout.shape, rows[i].shape, sizeof rows[i].shape);
        memcpy(nodes[1].model.layout.strides_bytes, rows[i].strides_bytes, sizeof rows[i].strides_bytes);
        const struct ndp_graph graph = {0, 2, nodes};
        if (fuzz_has_loose_axes(&graph) != rows[i].is_loose) fail_msg("row %zu", i);
    }
}

static void maps_are_known_by_their_class(void **state) {
    (void)state;
    static const char *const names[] = {"", "ndarray", "memmap", "MaskedArray"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        const struct ndp_node nodes[] = {
            {.kind = NDP_NODE_LIST},
            {.kind = NDP_NODE_ARRAY, .has_model = true, .model = {.class_name = ndp_bytes_view(names[i])}}};
        const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
        assert_int_equal(fuzz_has_maps(&graph), i == 2);
    }
}

/* What a form has words for: by the comments of codec/pickle/pickle_graph.h and pickle_function.h. */
static void what_a_form_can_say_must_be_written(void **state) {
    (void)state;
    static const struct ndp_edge cell[] = {{.role = NDP_EDGE_CELL, .to = 1}};
    static const struct {
        struct ndp_node nodes[2];
        uint32_t protocol;
        bool has_library, is_dump, must;
    } rows[] = {
        {{{.kind = NDP_NODE_LIST}, {.kind = NDP_NODE_DICT}}, 0, false, true, true},
        {{{.kind = NDP_NODE_FUNCTION}, {.kind = NDP_NODE_NONE}}, 2, true, false, true},
        {{{.kind = NDP_NODE_FUNCTION}, {.kind = NDP_NODE_NONE}}, 2, false, false, false},
        {{{.kind = NDP_NODE_FUNCTION, .is_importable = true}, {.kind = NDP_NODE_NONE}}, 2, false, false, true},
        {{{.kind = NDP_NODE_FUNCTION, .is_opaque = true}, {.kind = NDP_NODE_NONE}}, 2, true, false, false},
        {{{.kind = NDP_NODE_FUNCTION, .edges = cell, .edge_count = 1}, {.kind = NDP_NODE_CELL}}, 2, true, false, true},
        {{{.kind = NDP_NODE_FUNCTION, .edges = cell, .edge_count = 1}, {.kind = NDP_NODE_INT}}, 2, true, false, false},
        {{{.kind = NDP_NODE_OTHER, .body = BYTES("N.")}, {.kind = NDP_NODE_NONE}}, 4, false, false, true},
        {{{.kind = NDP_NODE_OTHER, .body = BYTES("N.")}, {.kind = NDP_NODE_NONE}}, 3, false, false, false},
        {{{.kind = NDP_NODE_OTHER}, {.kind = NDP_NODE_NONE}}, 4, false, false, false},
        {{{.kind = NDP_NODE_FROMPYFUNC}, {.kind = NDP_NODE_NONE}}, 4, true, false, false},
        {{{.kind = NDP_NODE_ARRAY, .model = {.class_name = BYTES("m.T")}}, {.kind = NDP_NODE_NONE}},
         4,
         true,
         false,
         false},
        {{{.kind = NDP_NODE_ARRAY, .edges = cell, .edge_count = 1}, {.kind = NDP_NODE_CELL}}, 4, true, true, false},
        {{{.kind = NDP_NODE_ARRAY}, {.kind = NDP_NODE_NONE}}, 4, false, true, true},
        /* Code that is kept may have names that protocol 2 has not. */
        {{{.kind = NDP_NODE_FUNCTION, .body = {(const uint8_t *)"N.", 2}}, {.kind = NDP_NODE_NONE}},
         2,
         true,
         false,
         false},
        {{{.kind = NDP_NODE_FUNCTION, .body = {(const uint8_t *)"N.", 2}}, {.kind = NDP_NODE_NONE}},
         3,
         true,
         false,
         true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_graph graph = {0, 2, rows[i].nodes};
        if (fuzz_must_be_written(&graph, rows[i].protocol, rows[i].has_library, rows[i].is_dump) != rows[i].must)
            fail_msg("row %zu", i);
    }
}

enum { ARENA_BYTES = 1 << 16 };

/* A tuple that holds an array and a list: only where the list holds the tuple is it written twice. */
static void an_array_is_twice_in_a_tuple_that_leads_back(void **state) {
    (void)state;
    static const struct ndp_edge held[] = {{.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 2}};
    for (uint32_t to = 0; to < 4; to++) {
        const struct ndp_edge back = {.role = NDP_EDGE_ITEM, .to = to};
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_TUPLE, .edges = held, .edge_count = 2},
                                         {.kind = NDP_NODE_ARRAY},
                                         {.kind = NDP_NODE_LIST, .edges = &back, .edge_count = 1},
                                         {.kind = NDP_NODE_NONE}};
        const struct ndp_graph graph = {2, NDP_ARRAY_LEN(nodes), nodes};
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(fuzz_has_array_twice(&arena, &graph), to == 0);
        ndp_arena_clear(&arena);
    }
}

static void dumps_say_joblib(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes bytes;
        bool is_dump;
    } rows[] = {{BYTES(""), false},       {BYTES("j"), false},         {BYTES("jobli"), false},
                {BYTES("joblib"), true},  {BYTES("jjobjoblib"), true}, {BYTES("cjoblib.n\nA\n"), true},
                {BYTES("jobli_"), false}, {BYTES("xjobli"), false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_is_dump(rows[i].bytes) != rows[i].is_dump) fail_msg("row %zu", i);
}

/* It may have no words for one, or no room. */
static void a_graph_that_was_read_is_not_invalid(void **state) {
    (void)state;
    static const struct ndp_node nodes[] = {{.kind = NDP_NODE_OTHER}};
    static const struct ndp_graph graph = {0, 1, nodes};
    static const enum ndp_status told[] = {NDP_UNSUPPORTED, NDP_LIMIT, NDP_INVALID, NDP_NOMEM};
    const struct ndp_buffer made = {.max_bytes = 0};
    struct ndp_arena arena;
    const int loud = be_quiet();
    ndp_arena_init(&arena, ARENA_BYTES);
    for (size_t i = 0; i < NDP_ARRAY_LEN(told); i++) {
        const uint64_t before = fuzz_hits();
        assert_false(fuzz_is_encoded(&arena, told[i], &graph, &made, true, 4, 0));
        assert_int_equal(fuzz_hits() - before, i >= 2);
    }
    ndp_arena_clear(&arena);
    be_loud(loud);
}

NDP_SUITE(same_graph_test, cmocka_unit_test(graphs_are_told_apart), cmocka_unit_test(what_is_opaque_is_kept),
          cmocka_unit_test(maps_are_known_by_their_class), cmocka_unit_test(what_a_form_can_say_must_be_written),
          cmocka_unit_test(axes_of_extent_1_are_loose), cmocka_unit_test(an_array_is_twice_in_a_tuple_that_leads_back),
          cmocka_unit_test(dumps_say_joblib), cmocka_unit_test(a_graph_that_was_read_is_not_invalid));
