/* Expected: the functions themselves, as cloudpickle 3.1.2 and dill 0.4.1 load them under CPython 3.11: names, marks
 * among the constants, cells, defaults, attributes, globals. Pickles of importable functions and of what calls them are
 * those of CPython 3.11 and NumPy 2.4.6, taken apart by pickletools. */
#include "base/suite.h"
#include "codec/pickle/function_spelling.h"
#include "codec/pickle/function_vectors.h"
#include "codec/pickle/pickle_graph.h"

#define ARENA_BYTES (UINT64_C(1) << 26)

static const struct {
    const char *name;
    const char *format; /* NULL: of either library */
    const char *spelling;
} expected[] = {
    {"defaults and attributes", NULL, "f:add d(1) k{k:2} a{note:[1 f]}"},
    /* cloudpickle makes cells for each function; dill sends the one. */
    {"shared variable", "cloudpickle", "[count:counter c(<0>) look:const c(<0>)]"},
    {"shared variable", "dill", "[count:counter c(<0>) look:const c(#2)]"},
    {"recursion", NULL, "inner:recurse c(<#0>)"},
    {"global", NULL, "f:late g{late:7}"},
    {"own attributes", NULL, "f:identity a{__doc__:Says. __qualname__:Outer.f note:1}"},
};

static const char *spelling_of(const struct function_vector *vector) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(expected); i++) {
        if (strcmp(expected[i].name, vector->name) != 0) continue;
        if (expected[i].format == NULL || strcmp(expected[i].format, vector->format) == 0) return expected[i].spelling;
    }
    fail_msg("no expectation of %s", vector->name);
    return "";
}

static struct ndp_bytes bytes_of(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes = {NULL, 0};
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static void functions_are_what_they_were(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(function_vectors); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_error error = {.status = NDP_OK};
        struct spelling spelling;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes bytes = bytes_of(&arena, function_vectors[i].hex);
        if (ndp_pickle_graph_decode(&arena, bytes, &graph, &error) != NDP_OK) fail_msg("%s", error.text);
        spell(&spelling, &graph);
        assert_string_equal(spelling.text, spelling_of(&function_vectors[i]));
        ndp_arena_clear(&arena);
    }
}

#define DILL_FUNCTION                                                                                                  \
    "cdill._dill\n_create_function\n(cdill._dill\n_create_code\n(I1\nI0\n(NVndproof:add\nt(t(Vx\ntVf\ntR"              \
    "(dp0\nV__name__\nVnumpy\nsVf\nNNtRg0\nV__name__\nVndproof_dynamic\ns0"

/* dill's function late in the dict g0, which has one name twice; the update of the dict follows. */
#define DILL_LATE(update)                                                                                              \
    "cdill._dill\n_create_function\n(cdill._dill\n_create_code\n(I1\nI0\n(NVndproof:late\nt(Vlate\nt(Vx\ntVf\ntR"      \
    "(dp0\nVlate\nI1\nsS'late'\nI2\nsVf\nNNtR((d(dV__qualname__\nVmake.<locals>.f\nstb" update "."
#define UPDATE "cbuiltins\ngetattr\n(cbuiltins\ndict\nVupdate\ntR(g0\n"

#define VECTORIZE(places)                                                                                              \
    MADE_VECTORIZE("ccopy_reg\n_reconstructor\n(cnumpy\nvectorize\nc__builtin__\nobject\nNtR", places)
#define MADE_VECTORIZE(call, places)                                                                                   \
    call "(dVpyfunc\ncnumpy_testee.graph_functions\nadd\nsVexcluded\nc__builtin__\nset\n((l" places                    \
         "tRsVcache\nI00\nsVsignature\nNsV_doc\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNsb."
/* One of which the rest of the state is told. */
#define STATED_VECTORIZE(state)                                                                                        \
    "ccopy_reg\n_reconstructor\n(cnumpy\nvectorize\nc__builtin__\nobject\nNtR(dVpyfunc\n"                              \
    "cnumpy_testee.graph_functions\nadd\nsVexcluded\nc__builtin__\nset\n((ltRs" state "b."

static const struct {
    const char *pickle; /* text, with no byte that C needs to escape but \n */
    const char *spelling;
    const char *error; /* else the beginning of an error */
} others[] = {
    {"cnumpy_testee.graph_functions\nadd\n.", "add:add", NULL},
    {"cnumpy_testee.graph_functions\ndecorated\n.", "decorated:call", NULL},
    /* partial(add) with (add, (1,), {"k": 2}, None) */
    {"cfunctools\npartial\n(cnumpy_testee.graph_functions\nadd\ntR(cnumpy_testee.graph_functions\nadd\n(I1\nt("
     "Vk\nI2\ndNtb.",
     "partial(add:add args 1 keywords k:2)", NULL},
    {"cfunctools\npartial\n(cnumpy_testee.graph_functions\nadd\ntR(cnumpy_testee.graph_functions\nadd\n(I1\nttb.", NULL,
     "graph: a partial's state has four parts"},
    {"cfunctools\npartial\n(cnumpy_testee.graph_functions\nadd\ntR(cnumpy_testee.graph_functions\nadd\nI1\n(dNtb.",
     NULL, "graph: a tuple is due here"},
    /* cloudpickle's bound method of 7 */
    {"ccloudpickle.cloudpickle\n_builtin_type\n(VMethodType\ntR(cnumpy_testee.graph_functions\nadd\nI7\ntR.",
     "method(add:add self 7)", NULL},
    {"ccloudpickle.cloudpickle\n_builtin_type\n(VMethodType\ntR(cnumpy_testee.graph_functions\nadd\ntR.", NULL,
     "graph: a method takes two arguments"},
    /* A cell by itself, full and empty. */
    {"cdill._dill\n_create_cell\n(I3\ntR.", "<3>", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntR.", "<3>", NULL},
    {"ccloudpickle.cloudpickle\n_make_empty_cell\n(tR.", "<>", NULL},
    {"cjoblib.externals.cloudpickle.cloudpickle\n_make_cell\n(I3\ntR.", "<3>", NULL},
    /* CPython: TypeError. */
    {"ccloudpickle.cloudpickle\n_make_empty_cell\n(I3\ntR.", NULL, "graph: a cell holds one value"},
    {"cdill._dill\n_create_cell\n(I3\nI4\ntR.", NULL, "graph: a cell holds one value"},
    /* A function without a name; one whose code is a number. */
    {"cdill._dill\n_create_function\n(NNNNNtR.", NULL, "graph: "},
    /* What functions say of themselves. dill leaves out a qualified name that is the name, and the module that the
     * globals have, which it sets to what they were only once the function is there. */
    {DILL_FUNCTION "((d(dV__qualname__\nVOwner.f\nsV__doc__\nVwords\nstb.",
     "f:add a{__doc__:words __qualname__:Owner.f __module__:numpy}", NULL},
    {DILL_FUNCTION "((d(dV__module__\nVndproof_dynamic\nsV__doc__\nNstb.", "f:add a{__qualname__:f}", NULL},
    {DILL_FUNCTION "((d(dV__module__\nNsV__qualname__\nVmake.<locals>.f\nsV__annotations__\n(dstb.", "f:add", NULL},
    /* CPython: TypeError. */
    {DILL_FUNCTION "((d(dV__qualname__\nNstb.", NULL, "graph: a qualified name that is no text"},
    {DILL_FUNCTION "((d(dV__qualname__\n(dstb.", NULL, "graph: a qualified name that is no text"},
    /* What the function's own hides, and globals that are no function's any more, have no words. */
    {DILL_FUNCTION "((dV__doc__\nVhidden\ns(dV__doc__\nVwords\nstb.", "", NULL},
    {"((d(dp1\ncfunctools\npartial\n(cdill._dill\n_create_function\n(cdill._dill\n_create_code\n(I1\nI0\n(NVndproof:"
     "add\n"
     "t(t(Vx\ntVf\ntRg1\nVf\nNNtRtR(cnumpy_testee.graph_functions\nadd\n(t(dNtbt.",
     "", NULL},
    /* CPython: of a name that comes again the last value counts. */
    {DILL_LATE(""), "f:late g{late:2}", NULL},
    {DILL_LATE(UPDATE "(dVlate\nI3\nsS'late'\nI4\nstR0"), "f:late g{late:4}", NULL},
    {DILL_LATE(UPDATE "(dVlate\nI3\nstR0" UPDATE "(dVlate\nI4\nsVmore\nI5\nstR0"), "f:late g{late:4 more:5}", NULL},
    {"cfunctools\npartial\n(cnumpy_testee.graph_functions\nadd\ntR(cnumpy_testee.graph_functions\nadd\n("
     "t(dVk\nI1\nsVm\nI2\nsVk\nI3\nsNtb.",
     "partial(add:add keywords k:3 m:2)", NULL},
    {"cdill._dill\n_create_function\n(I1\n(dVf\nNNtR.", NULL, "code: not what a code object"},
    /* What is excluded is a set, in which a place stands once however often it is added. */
    {VECTORIZE("I3\naI3\naI3\naI3\naI3\na"), "vectorize(add:add)", NULL},
    {VECTORIZE("I3\naI4\naI5\naI6\naI7\na"), "", NULL},
    /* CPython 3.11 loads it: object.__new__ leaves what more there is to __init__. */
    {MADE_VECTORIZE("ccopy_reg\n__newobj__\n(cnumpy\nvectorize\ntR", "I3\na"), "vectorize(add:add)", NULL},
    {MADE_VECTORIZE("ccopy_reg\n__newobj__\n(cnumpy\nvectorize\nVf8\ntR", "I3\na"), "vectorize(add:add)", NULL},
    {MADE_VECTORIZE("ccopy_reg\n__newobj__\n(tR", "I3\na"), "", NULL},
    /* NumPy calls it by these, each of which may be missing or be something else. */
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"),
     "vectorize(add:add)", NULL},
    {"ccopy_reg\n_reconstructor\n(cnumpy\nvectorize\nc__builtin__\nobject\nNtR(dVpyfunc\ncnumpy_testee.graph_"
     "functions\nadd\ns"
     "Vcache\nI00\nsVsignature\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNsb.",
     "", NULL},
    {STATED_VECTORIZE("Vsignature\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nNsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nNsV_ufunc\n(ds"), "", NULL},
    {STATED_VECTORIZE("Vcache\nNsVsignature\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nI3\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nI3\nsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nNsV_ufunc\nI3\nsV_in_and_out_core_dims\nNs"), "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nNsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n(ts"), "", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(ta(ta(l(tats"),
     "vectorize(add:add)", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(ta(l(tats"),
     "", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(ta(ta(lts"),
     "", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(ta(tats"),
     "", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(taI3\na(l(tats"),
     "", NULL},
    {STATED_VECTORIZE(
         "Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\n((l(ta(I3\nta(l(tats"),
     "", NULL},
    {STATED_VECTORIZE("Vcache\nI00\nsVsignature\nV(),()->()\nsVotypes\nNsV_ufunc\n(dsV_in_and_out_core_dims\nNs"), "",
     NULL},
    /* A state that another function sets, or that they do not take, items that they have not, and what is set of them
     * or of another dict later: CPython refuses most of it, and sets the rest. */
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntRp0\ncbuiltins\ndelattr\n(g0\nVcell_contents\ntR0.", "<>", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntRp0\ncbuiltins\ndelattr\n(g0\nVcell_content\ntR0.", "", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntRp0\ncm\nf\n(g0\nVcell_contents\ntR0.", "", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntRp0\ncbuiltins\nsetattr\n(g0\nVcell_contents\nI4\ntR0.", "<4>", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntRp0\ncbuiltins\nsetattr\n(g0\nVcell_content\nI4\ntR0.", "", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntR(dVcell_contents\nI4\nsb.", "", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\ntR(I4\ne.", "", NULL},
    /* CPython: NEWOBJ takes a class, which the others are not. */
    {"ctypes\nCellType\n(I3\nt\x81.", "<3>", NULL},
    {"ccloudpickle.cloudpickle\n_make_cell\n(I3\nt\x81.", "", NULL},
    {"ccloudpickle.cloudpickle\n_make_empty_cell\n(t\x81.", "", NULL},
    {"cdill._dill\n_create_cell\n(I3\nt\x81.", "", NULL},
    {"ccloudpickle.cloudpickle\n_builtin_type\n(VCellType\nt\x81(I3\ntR.", "", NULL},
    {"ccloudpickle.cloudpickle\n_builtin_type\n(VMethodType\ntR(cnumpy_testee.graph_functions\nadd\nI7\ntR("
     "dVa\nI1\nsb.",
     "", NULL},
    {"cfunctools\npartial\n(cnumpy_testee.graph_functions\nadd\ntRp0\ncm\nf\n(g0\n(cnumpy_testee.graph_functions\nadd\n"
     "(I1\nt(dNttR0.",
     "", NULL},
    {DILL_FUNCTION "p1\ncm\nf\n(g1\n((d(dV__qualname__\nVf\nsttR0.", "", NULL},
    {DILL_LATE("cbuiltins\ndict.update\n((dVlate\nI3\ns(dVlate\nI4\nstR0"), "", NULL},
};

static void what_calls_them_is_read_and_what_is_wrong_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_error error = {.status = NDP_OK, .offset_bytes = NDP_NO_OFFSET};
        struct spelling spelling;
        ndp_arena_init(&arena, ARENA_BYTES);
        const enum ndp_status status =
            ndp_pickle_graph_decode(&arena, ndp_bytes_view(others[i].pickle), &graph, &error);
        if (others[i].error == NULL) {
            if (status != NDP_OK) fail_msg("%s: %s", others[i].pickle, error.text);
            spell(&spelling, &graph);
            assert_string_equal(spelling.text, others[i].spelling);
            assert_true(spelling.text[0] != '\0' || graph.nodes[graph.root].kind == NDP_NODE_OTHER);
        } else {
            assert_true(status == NDP_INVALID || status == NDP_UNSUPPORTED);
            if (strncmp(error.text, others[i].error, strlen(others[i].error)) != 0)
                fail_msg("%s: %s", others[i].pickle, error.text);
            assert_true(error.offset_bytes < strlen(others[i].pickle));
        }
        ndp_arena_clear(&arena);
    }
}

/* A pickle that ends early is none, wherever it ends. */
static void every_cut_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(function_vectors); i++) {
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes bytes = bytes_of(&arena, function_vectors[i].hex);
        for (uint64_t size = 0; size < bytes.size_bytes; size++) {
            struct ndp_arena other;
            struct ndp_graph graph;
            ndp_arena_init(&other, ARENA_BYTES);
            const enum ndp_status status =
                ndp_pickle_graph_decode(&other, (struct ndp_bytes){bytes.data, size}, &graph, NULL);
            if (status == NDP_OK) fail_msg("%s, cut at %llu", function_vectors[i].name, (unsigned long long)size);
            ndp_arena_clear(&other);
        }
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    struct ndp_arena arena;
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    ndp_arena_init(&arena, ARENA_BYTES);
    const struct ndp_bytes bytes = bytes_of(&arena, function_vectors[0].hex);
    while (status != NDP_OK) {
        struct ndp_arena other;
        struct ndp_graph graph;
        ndp_arena_init(&other, ARENA_BYTES);
        ndp_arena_fail_at(&other, ++call);
        status = ndp_pickle_graph_decode(&other, bytes, &graph, NULL);
        ndp_arena_clear(&other);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 50);
    ndp_arena_clear(&arena);
}

NDP_SUITE(pickle_function_read_test, cmocka_unit_test(functions_are_what_they_were),
          cmocka_unit_test(what_calls_them_is_read_and_what_is_wrong_is_refused),
          cmocka_unit_test(every_cut_is_refused), cmocka_unit_test(every_lack_of_memory_is_told));
