/* What pickles build is said by CPython 3.11: pickletools.dis of them, and dill 0.3.6's _create_function. */
#include "reader/told_function.h"

#include "base/suite.h"
#include "fuzz.h"
#include "reader/told_graph.h"

#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }
#define NAMED(role, name, to)                                                                                          \
    { NDP_EDGE_##role, TEXT(name), to }

static bool is_told(struct ndp_bytes pickle, uint32_t count, const struct ndp_node *nodes) {
    const struct ndp_graph graph = {0, count, nodes};
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const bool is_so = fuzz_graph_is_told(&arena, pickle, &graph);
    ndp_arena_clear(&arena);
    return is_so;
}

/* f of a cell that holds 7, f.a = 1, qualified as q, with the default 5 and k=6, and the global name g, which is 8. */
static const struct ndp_bytes function =
    TEXT("\x80\x02"
         "cdill._dill\n_create_function\n(N}q\0(X\x08\0\0\0__name__X\x01\0\0\0mX\x01\0\0\0gK\x08uX\x01\0\0\0fN"
         "cdill._dill\n_create_cell\nN\x85Rq\1\x85tR"
         "}X\x01\0\0\0aK\x01s}(X\x0c\0\0\0__qualname__X\x01\0\0\0qX\x0c\0\0\0__defaults__K\x05\x85"
         "X\x0e\0\0\0__kwdefaults__}X\x01\0\0\0kK\x06sX\x0a\0\0\0__module__X\x0f\0\0\0ndproof_dynamicu\x86"
         "bcbuiltins\nsetattr\nh\1X\x0d\0\0\0cell_contentsK\x07\x87R0.");

static void a_function_has_all_its_parts(void **state) {
    (void)state;
    for (int i = 0; i < 14; i++) {
        struct ndp_edge edges[] = {NAMED(CELL, "", 1),       NAMED(DEFAULT, "", 2),
                                   NAMED(KWDEFAULT, "k", 3), NAMED(ATTRIBUTE, "__qualname__", 4),
                                   NAMED(ATTRIBUTE, "a", 5), NAMED(GLOBALS, "", 6)};
        struct ndp_edge content[] = {NAMED(CONTENT, "", 7)}, entry[] = {NAMED(ENTRY, "g", 8)};
        struct ndp_node nodes[] = {
            {.kind = NDP_NODE_FUNCTION, .name = TEXT("f"), .edges = edges, .edge_count = 6},
            {.kind = NDP_NODE_CELL, .edges = content, .edge_count = 1},
            {.kind = NDP_NODE_INT, .text = TEXT("5")},
            {.kind = NDP_NODE_INT, .text = TEXT("6")},
            {.kind = NDP_NODE_TEXT, .text = TEXT("q")},
            {.kind = NDP_NODE_INT, .text = TEXT("1")},
            {.kind = NDP_NODE_GLOBALS, .edges = entry, .edge_count = 1},
            {.kind = NDP_NODE_INT, .text = TEXT("7")},
            {.kind = NDP_NODE_INT, .text = TEXT("8")},
        };
        if (i == 1) nodes[0].name = (struct ndp_bytes)TEXT("g");
        if (i == 2) nodes[1].edge_count = 0;
        if (i == 3) content[0].to = 8;
        if (i == 4) edges[1].to = 3;
        if (i == 5) edges[1].role = NDP_EDGE_CELL;
        if (i == 6) edges[2].name = (struct ndp_bytes)TEXT("l");
        if (i == 7) edges[3].name = (struct ndp_bytes)TEXT("__doc__");
        if (i == 8) nodes[4].text = (struct ndp_bytes)TEXT("p");
        if (i == 9) edges[4].name = (struct ndp_bytes)TEXT("b");
        if (i == 10) edges[4] = edges[5], nodes[0].edge_count = 5;
        if (i == 11) entry[0].name = (struct ndp_bytes)TEXT("h");
        if (i == 12) entry[0].to = 7;
        if (i == 13) edges[3] = edges[5], nodes[0].edge_count = 4;
        if (is_told(function, NDP_ARRAY_LEN(nodes), nodes) != (i == 0)) fail_msg("row %d", i);
    }
}

/* The same without a state: f.a = 1 and k=6 in the call itself, as dill up to 0.3.4 has them. */
static void the_call_of_dill_has_them_by_itself(void **state) {
    (void)state;
    const struct ndp_bytes call =
        TEXT("\x80\x02"
             "cdill._dill\n_create_function\n(N}X\x08\0\0\0__name__X\x0f\0\0\0ndproof_dynamicsX\x01\0\0\0fNN"
             "}X\x01\0\0\0aK\x01s}X\x01\0\0\0kK\x06stR.");
    for (int i = 0; i < 5; i++) {
        struct ndp_edge edges[] = {NAMED(KWDEFAULT, "k", 1), NAMED(ATTRIBUTE, "a", 2), NAMED(GLOBALS, "", 3)};
        struct ndp_node nodes[] = {{.kind = NDP_NODE_FUNCTION, .name = TEXT("f"), .edges = edges, .edge_count = 3},
                                   {.kind = NDP_NODE_INT, .text = TEXT("6")},
                                   {.kind = NDP_NODE_INT, .text = TEXT("1")},
                                   {.kind = NDP_NODE_GLOBALS}};
        if (i == 1) nodes[1].text = (struct ndp_bytes)TEXT("7");
        if (i == 2) nodes[2].text = (struct ndp_bytes)TEXT("7");
        if (i == 3) nodes[0].edges = edges + 1, nodes[0].edge_count = 2;
        if (i == 4) edges[1] = edges[2], nodes[0].edge_count = 2;
        if (is_told(call, NDP_ARRAY_LEN(nodes), nodes) != (i == 0)) fail_msg("row %d", i);
    }
}

/* f, whose globals say m when it is made, and n afterwards in the second. CPython 3.11 gives both the __module__ m. */
#define MADE                                                                                                           \
    "\x80\x02"                                                                                                         \
    "cdill._dill\n_create_function\n(N}q\0X\x08\0\0\0__name__X\x01\0\0\0msX\x01\0\0\0fNNtR}}\x86"                      \
    "b"

static void a_module_that_changes_is_nobodys_word(void **state) {
    (void)state;
    const struct ndp_bytes once = TEXT(MADE "."), twice = TEXT(MADE "h\0X\x08\0\0\0__name__X\x01\0\0\0ns0.");
    struct ndp_edge edges[] = {NAMED(ATTRIBUTE, "__module__", 1), NAMED(GLOBALS, "", 2)};
    struct ndp_node nodes[] = {{.kind = NDP_NODE_FUNCTION, .name = TEXT("f"), .edges = edges, .edge_count = 2},
                               {.kind = NDP_NODE_TEXT, .text = TEXT("m")},
                               {.kind = NDP_NODE_GLOBALS}};
    assert_true(is_told(once, NDP_ARRAY_LEN(nodes), nodes));
    assert_true(is_told(twice, NDP_ARRAY_LEN(nodes), nodes));
    nodes[1].text = (struct ndp_bytes)TEXT("n");
    assert_false(is_told(once, NDP_ARRAY_LEN(nodes), nodes));
}

/* f of a cell, into which cloudpickle 3.1.2 puts what a second one holds, made as `maker` says. */
#define SET(maker)                                                                                                     \
    "\x80\x02"                                                                                                         \
    "ccloudpickle.cloudpickle\n_make_function\n(N}NNccloudpickle.cloudpickle\n_make_empty_cell\n)R\x85tRq\0"           \
    "ccloudpickle.cloudpickle\n_function_setstate\nh\0}}(X\x08\0\0\0__name__X\x01\0\0\0fX\x0b\0\0\0__closure__c" maker \
    "K\x07\x85R\x85u\x86\x86R0."

static void a_maker_of_cells_is_known_by_its_module(void **state) {
    (void)state;
    static const struct ndp_bytes makers[] = {
        TEXT(SET("cloudpickle.cloudpickle\n_make_cell\n")),
        TEXT(SET("dill._dill\n_create_cell\n")),
        TEXT(SET("types\nCellType\n")),
        TEXT(SET("a.cloudpickle\n_make_cell\n")),
        TEXT(SET("acloudpickle\n_make_cell\n")),
        TEXT(SET("types\n_make_cell\n")),
        TEXT(SET("cloudpickle.cloudpickle\n_make_empty_cell\n")),
        TEXT(SET("cloudpickle.cloudpicklf\n_make_cell\n")),
    };
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(makers); i++) {
        struct ndp_edge cell[] = {NAMED(CELL, "", 1)}, content[] = {NAMED(CONTENT, "", 2)};
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_FUNCTION, .name = TEXT("f"), .edges = cell, .edge_count = 1},
                                         {.kind = NDP_NODE_CELL, .edges = content, .edge_count = i % 2},
                                         {.kind = NDP_NODE_INT, .text = TEXT("7")}};
        const bool is_known = i / 2 < 4, is_full = i % 2 == 1;
        if (is_told(makers[i / 2], NDP_ARRAY_LEN(nodes), nodes) != (is_known == is_full)) fail_msg("row %zu", i);
    }
}

/* numpy.vectorize(functools.partial(add, 1, k=2), otypes="d", excluded={3}). */
static const struct ndp_bytes vectorize =
    TEXT("\x80\x02"
         "cnumpy\nvectorize\n)\x81}(X\x06\0\0\0pyfunccfunctools\npartial\n"
         "cnumpy_testee.graph_functions\nadd\nq\0\x85R(h\0K\x01\x85}X\x01\0\0\0kK\x02sNtb"
         "X\x06\0\0\0otypesX\x01\0\0\0dX\x09\0\0\0signatureNX\x08\0\0\0excludedc__builtin__\nset\n]K\x03"
         "a\x85Rub.");

static void what_calls_a_function_has_its_parts(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct ndp_edge call[] = {NAMED(FUNCTION, "", 1)};
        struct ndp_edge parts[] = {NAMED(FUNCTION, "", 2), NAMED(ARGUMENT, "", 3), NAMED(KEYWORD, "k", 4)};
        struct ndp_node nodes[] = {
            {.kind = NDP_NODE_VECTORIZE, .edges = call, .edge_count = 1, .has_otypes = true, .otypes = TEXT("d")},
            {.kind = NDP_NODE_PARTIAL, .edges = parts, .edge_count = 3},
            {.kind = NDP_NODE_FUNCTION, .name = TEXT("add"), .is_importable = true},
            {.kind = NDP_NODE_INT, .text = TEXT("1")},
            {.kind = NDP_NODE_INT, .text = TEXT("2")},
        };
        nodes[0].excluded_count = 1;
        nodes[0].excluded[0] = 3;
        if (i == 1) nodes[0].has_otypes = false;
        if (i == 2) nodes[0].otypes = (struct ndp_bytes)TEXT("f");
        if (i == 3) nodes[0].has_signature = true;
        if (i == 4) nodes[0].excluded[0] = 2;
        if (i == 5) call[0].to = 2;
        if (i == 6) nodes[2].name = (struct ndp_bytes)TEXT("sub");
        if (i == 7) nodes[1].edge_count = 2;
        if (i == 8) parts[1].to = 4;
        if (i == 9) parts[2].name = (struct ndp_bytes)TEXT("l");
        if (is_told(vectorize, NDP_ARRAY_LEN(nodes), nodes) != (i == 0)) fail_msg("row %d", i);
    }
}

NDP_SUITE(told_function_test, cmocka_unit_test(a_function_has_all_its_parts),
          cmocka_unit_test(the_call_of_dill_has_them_by_itself),
          cmocka_unit_test(a_module_that_changes_is_nobodys_word),
          cmocka_unit_test(a_maker_of_cells_is_known_by_its_module),
          cmocka_unit_test(what_calls_a_function_has_its_parts));
