/* What is made of a function that was read is loaded by the libraries themselves in test_transcode.py and in sweeps;
 * here it must read as what it was, in every protocol and in the form of either library. Expected: as in
 * pickle_function_read_test.c, but that a cell in cloudpickle's form is each function's own. */
#include "base/suite.h"
#include "codec/pickle/function_spelling.h"
#include "codec/pickle/function_vectors.h"
#include "codec/pickle/pickle_graph.h"

#define ARENA_BYTES (UINT64_C(1) << 26)

static enum ndp_status write_to(void *sink, const void *bytes, uint64_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes);
}

static struct ndp_bytes bytes_of(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes = {NULL, 0};
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

/* Encodes and decodes again; the spelling of what comes out. */
static void trip(struct ndp_arena *arena, const struct ndp_graph *graph, const struct ndp_graph_form *form,
                 struct spelling *out) {
    struct ndp_buffer bytes;
    struct ndp_graph again;
    struct ndp_error error = {.status = NDP_OK};
    ndp_buffer_init(&bytes, ARENA_BYTES);
    if (ndp_pickle_graph_encode(arena, graph, form, write_to, &bytes, &error) != NDP_OK)
        fail_msg("protocol %u: %s", form->protocol, error.text);
    const struct ndp_bytes copy = {ndp_arena_copy(arena, bytes.data, bytes.size_bytes), bytes.size_bytes};
    assert_non_null(copy.data);
    if (ndp_pickle_graph_decode(arena, copy, &again, &error) != NDP_OK)
        fail_msg("protocol %u: %s", form->protocol, error.text);
    spell(out, &again);
    ndp_buffer_clear(&bytes);
}

static void functions_survive_both_forms_in_every_protocol(void **state) {
    (void)state;
    static const enum ndp_function_form libraries[] = {NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL};
    for (size_t i = 0; i < NDP_ARRAY_LEN(function_vectors); i++) {
        for (uint32_t choice = 0; choice < 12; choice++) {
            const struct ndp_graph_form form = {
                .protocol = choice / 2, .release = NDP_NUMPY_2_3, .library = libraries[choice % 2]};
            struct ndp_arena arena;
            struct ndp_graph graph;
            struct spelling before, after;
            ndp_arena_init(&arena, ARENA_BYTES);
            const struct ndp_bytes bytes = bytes_of(&arena, function_vectors[i].hex);
            assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &graph, NULL), NDP_OK);
            spell(&before, &graph);
            trip(&arena, &graph, &form, &after);
            assert_string_equal(after.text, before.text);
            ndp_arena_clear(&arena);
        }
    }
}

static const struct ndp_edge to_1 = {.role = NDP_EDGE_FUNCTION, .to = 1};
static const struct ndp_edge cell_2 = {.role = NDP_EDGE_CELL, .to = 2};
static const struct ndp_edge content_0 = {.role = NDP_EDGE_CONTENT, .to = 0};

/* What has no way into a pickle of that library says so, and where. */
static const struct {
    struct ndp_node nodes[3];
    uint32_t count;
    enum ndp_function_form library;
    const char *error;
} refused[] = {
    {{{.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_ADD, .name = {(const uint8_t *)"f", 1}}},
     1,
     NDP_FUNCTION_OTHER,
     "nodes[0]: a function that no module has under its name"},
    {{{.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_ADD, .name = {(const uint8_t *)"f", 1}}},
     1,
     NDP_FUNCTION_DILL,
     "nodes[0]: a function whose code only its interpreter has"},
    {{{.kind = NDP_NODE_FUNCTION, .is_importable = true, .code = NDP_CODE_ADD, .name = {(const uint8_t *)"f", 1}}},
     1,
     NDP_FUNCTION_CLOUDPICKLE,
     "nodes[0]: a function that its module does not have"},
    {{{.kind = NDP_NODE_FROMPYFUNC, .edges = &to_1, .edge_count = 1},
      {.kind = NDP_NODE_FUNCTION, .is_importable = true, .code = NDP_CODE_ADD, .name = {(const uint8_t *)"add", 3}}},
     2,
     NDP_FUNCTION_CLOUDPICKLE,
     "nodes[0]: a function that no module has under its name"},
    {{{.kind = NDP_NODE_VECTORIZE,
       .edges = &to_1,
       .edge_count = 1,
       .has_signature = true,
       .signature = {(const uint8_t *)"(n)->()", 7}},
      {.kind = NDP_NODE_FUNCTION, .is_importable = true, .code = NDP_CODE_ADD, .name = {(const uint8_t *)"add", 3}}},
     2,
     NDP_FUNCTION_OTHER,
     "nodes[0]: a signature with core dimensions"},
};

static void what_cannot_be_said_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(refused); i++) {
        const struct ndp_graph graph = {0, refused[i].count, refused[i].nodes};
        const struct ndp_graph_form form = {.protocol = 4, .library = refused[i].library};
        struct ndp_arena arena;
        struct ndp_buffer bytes;
        struct ndp_error error = {.status = NDP_OK};
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_buffer_init(&bytes, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_encode(&arena, &graph, &form, write_to, &bytes, &error), NDP_UNSUPPORTED);
        assert_string_equal(error.text, refused[i].error);
        ndp_buffer_clear(&bytes);
        ndp_arena_clear(&arena);
    }
}

/* A body is somebody's bytes: what is none is an error, never a function. */
static void a_body_that_is_none_is_refused(void **state) {
    (void)state;
    static const char *const bodies[] = {".", "N.", "(dN\x86.", "I1\n(d\x86.", "garbage"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(bodies); i++) {
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_FUNCTION,
                                          .name = ndp_bytes_view("f"),
                                          .body = ndp_bytes_view(bodies[i]),
                                          .edges = &cell_2,
                                          .edge_count = 1},
                                         {.kind = NDP_NODE_NONE},
                                         {.kind = NDP_NODE_CELL, .edges = &content_0, .edge_count = 1}};
        const struct ndp_graph graph = {0, 3, nodes};
        const struct ndp_graph_form form = {.protocol = 4, .library = NDP_FUNCTION_DILL};
        struct ndp_arena arena;
        struct ndp_buffer bytes;
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_buffer_init(&bytes, ARENA_BYTES);
        assert_int_not_equal(ndp_pickle_graph_encode(&arena, &graph, &form, write_to, &bytes, NULL), NDP_OK);
        ndp_buffer_clear(&bytes);
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    static const enum ndp_function_form libraries[] = {NDP_FUNCTION_CLOUDPICKLE, NDP_FUNCTION_DILL};
    for (size_t i = 0; i < NDP_ARRAY_LEN(libraries); i++) {
        const struct ndp_graph_form form = {.protocol = 4, .library = libraries[i]};
        struct ndp_arena arena;
        struct ndp_graph graph;
        enum ndp_status status = NDP_NOMEM;
        uint64_t call = 0;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_decode(&arena, bytes_of(&arena, function_vectors[0].hex), &graph, NULL),
                         NDP_OK);
        while (status != NDP_OK) {
            struct ndp_arena other;
            struct ndp_buffer bytes;
            ndp_arena_init(&other, ARENA_BYTES);
            ndp_buffer_init(&bytes, ARENA_BYTES);
            ndp_arena_fail_at(&other, ++call);
            status = ndp_pickle_graph_encode(&other, &graph, &form, write_to, &bytes, NULL);
            ndp_buffer_clear(&bytes);
            ndp_arena_clear(&other);
            assert_true(status == NDP_OK || status == NDP_NOMEM);
        }
        assert_true(call > 50);
        ndp_arena_clear(&arena);
    }
}

/* A function of cloudpickle whose state has no qualified name: to dill (0.4.1, save_function) one that is left out is
 * the name, so that it has to be written. */
static void a_qualified_name_that_is_not_said_is_none_of_its_own(void **state) {
    (void)state;
    static const char pickle[] =
        "ccloudpickle.cloudpickle\n_make_function\n(ccloudpickle.cloudpickle\n_builtin_type\n(VCodeType\ntR(I1\nI0\n"
        "(NVndproof:add\nt(t(Vx\ntVf\ntR(dNNNtRp1\nccloudpickle.cloudpickle_fast\n_function_setstate\n(g1\n("
        "(d(dV__name__\nVf\nsttR0.";
    for (uint32_t choice = 0; choice < 12; choice++) {
        const struct ndp_graph_form form = {.protocol = choice / 2,
                                            .release = NDP_NUMPY_2_3,
                                            .library = choice % 2 == 0 ? NDP_FUNCTION_CLOUDPICKLE : NDP_FUNCTION_DILL};
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_error error = {.text = ""};
        struct spelling before, after;
        ndp_arena_init(&arena, ARENA_BYTES);
        if (ndp_pickle_graph_decode(&arena, ndp_bytes_view(pickle), &graph, &error) != NDP_OK)
            fail_msg("%s", error.text);
        spell(&before, &graph);
        assert_string_equal(before.text, "f:add");
        trip(&arena, &graph, &form, &after);
        assert_string_equal(after.text, "f:add");
        ndp_arena_clear(&arena);
    }
}

/* dill.dumps([cell], 4) of a cell that holds 7, by dill 0.4.1. */
static void a_cell_that_no_function_has_is_made_with_what_it_holds(void **state) {
    (void)state;
    static const uint8_t want[] =
        "\x80\x04\x95(\0\0\0\0\0\0\0]\x94\x8c\ndill._dill\x94\x8c\x0c_create_cell\x94\x93\x94K\x07\x85\x94R\x94"
        "a.";
    static const struct ndp_edge item = {.role = NDP_EDGE_ITEM, .to = 1};
    static const struct ndp_edge content = {.role = NDP_EDGE_CONTENT, .to = 2};
    static const struct ndp_node nodes[] = {
        {.kind = NDP_NODE_LIST, .edges = &item, .edge_count = 1},
        {.kind = NDP_NODE_CELL, .edges = &content, .edge_count = 1},
        {.kind = NDP_NODE_INT, .text = {(const uint8_t *)"7", 1}},
    };
    const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
    const struct ndp_graph_form form = {.protocol = 4, .release = NDP_NUMPY_2_3, .library = NDP_FUNCTION_DILL};
    struct ndp_arena arena;
    struct ndp_buffer bytes;
    ndp_arena_init(&arena, ARENA_BYTES);
    ndp_buffer_init(&bytes, ARENA_BYTES);
    assert_int_equal(ndp_pickle_graph_encode(&arena, &graph, &form, write_to, &bytes, NULL), NDP_OK);
    assert_int_equal(bytes.size_bytes, sizeof want - 1);
    assert_memory_equal(bytes.data, want, sizeof want - 1);
    ndp_buffer_clear(&bytes);
    ndp_arena_clear(&arena);
}

NDP_SUITE(pickle_function_make_test, cmocka_unit_test(a_qualified_name_that_is_not_said_is_none_of_its_own),
          cmocka_unit_test(a_cell_that_no_function_has_is_made_with_what_it_holds),
          cmocka_unit_test(functions_survive_both_forms_in_every_protocol),
          cmocka_unit_test(what_cannot_be_said_is_refused), cmocka_unit_test(a_body_that_is_none_is_refused),
          cmocka_unit_test(every_lack_of_memory_is_told));
