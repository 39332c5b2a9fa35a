/* What other programs pickle comes back as it was. Expected: the functions themselves, as cloudpickle 3.1.2 and dill
 * 0.4.1 load them; bytes that those libraries wrote. What is made here is loaded and called by the libraries in
 * test_transcode.py. */
#include "codec/pickle/pickle_opaque.h"

#include <string.h>

#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/function_spelling.h"
#include "codec/pickle/pickle_opaque_vectors.h"

enum { ARENA_BYTES = 1 << 26, BUFFER_BYTES = 1 << 24, CALLS_MIN = 20 };

static struct ndp_bytes bytes_of(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes = {NULL, 0};
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static enum ndp_status decode(struct ndp_arena *arena, size_t vector, struct ndp_graph *out) {
    const struct ndp_bytes bytes = bytes_of(arena, opaque_vectors[vector].hex);
    return vector >= OPAQUE_HELD ? ndp_joblib_graph_decode(arena, bytes, NULL, out, NULL)
                                 : ndp_pickle_graph_decode(arena, bytes, out, NULL);
}

/* Encodes into memory of the arena. */
static enum ndp_status encode(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t protocol,
                              enum ndp_function_form library, struct ndp_bytes *out) {
    const struct ndp_graph_form form = {.protocol = protocol, .release = NDP_NUMPY_2_3, .library = library};
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, BUFFER_BYTES);
    enum ndp_status status = ndp_pickle_graph_encode(arena, graph, &form, ndp_write_to_buffer, &buffer, NULL);
    *out = (struct ndp_bytes){ndp_arena_copy(arena, buffer.data, buffer.size_bytes), buffer.size_bytes};
    ndp_buffer_clear(&buffer);
    return status == NDP_OK && out->data == NULL ? NDP_NOMEM : status;
}

/* In the form of each library, and of pickle, which writes as cloudpickle does. */
static void functions_of_any_program_keep_all_that_is_theirs(void **state) {
    (void)state;
    static const char *const expected[] = {
        [OPAQUE_CLOUDPICKLE] =
            "f:? c(<7>) d(1) k{k:2} a{__module__:elsewhere note:n} g{LIMIT:10 _own:5 helper:helper:? "
            "a{__qualname__:helper __module__:elsewhere} g{LIMIT:10 _own:5 helper:#2}}",
        [OPAQUE_DILL] = "f:? c(<7>) d(1) k{k:2} a{__module__:elsewhere note:n} g{helper:helper:? "
                        "a{__qualname__:helper __module__:elsewhere} g{_own:5 LIMIT:10} _own:5 LIMIT:10}"};
    for (uint32_t choice = 0; choice < 36; choice++) {
        const size_t vector = choice / 18 == 0 ? OPAQUE_CLOUDPICKLE : OPAQUE_DILL;
        struct ndp_arena arena;
        struct ndp_graph graph, again;
        struct spelling before, after;
        struct ndp_bytes bytes;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(decode(&arena, vector, &graph), NDP_OK);
        spell(&before, &graph);
        assert_string_equal(before.text, expected[vector]);
        assert_int_equal(encode(&arena, &graph, choice / 3 % 6, (enum ndp_function_form)(choice % 3), &bytes), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &again, NULL), NDP_OK);
        spell(&after, &again);
        assert_string_equal(after.text, before.text);
        ndp_arena_clear(&arena);
    }
}

/* The object is of the class that stands before it: only together can they come back. */
static void what_shares_comes_back_as_one(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_graph graph, again;
    struct ndp_bytes bytes, lower;
    ndp_arena_init(&arena, ARENA_BYTES);
    assert_int_equal(decode(&arena, OPAQUE_CLASS, &graph), NDP_OK);
    assert_int_equal(graph.count, 1);
    assert_int_equal(graph.nodes[0].kind, NDP_NODE_OTHER);
    assert_true(graph.nodes[0].is_opaque);
    assert_int_equal(encode(&arena, &graph, 4, NDP_FUNCTION_CLOUDPICKLE, &bytes), NDP_OK);
    assert_true(ndp_bytes_is_equal(bytes, bytes_of(&arena, opaque_vectors[OPAQUE_CLASS].hex)));
    for (uint32_t protocol = 0; protocol < 6; protocol++) {
        assert_int_equal(encode(&arena, &graph, protocol, NDP_FUNCTION_OTHER, &lower), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, lower, &again, NULL), NDP_OK);
        assert_true(again.nodes[again.root].is_opaque);
    }
    ndp_arena_clear(&arena);
}

/* elsewhere.made(array([0, 1, 2], int16)) and 5: the array leaves joblib's wrapper. */
static void what_stands_behind_a_wrapper_goes_along(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_graph graph, made;
    struct ndp_bytes bytes;
    ndp_arena_init(&arena, ARENA_BYTES);
    assert_int_equal(decode(&arena, OPAQUE_HELD, &graph), NDP_OK);
    const struct ndp_node *held = &graph.nodes[graph.nodes[graph.root].edges[0].to];
    assert_true(held->is_opaque);
    assert_true(ndp_bytes_is_equal(held->text, ndp_bytes_view("elsewhere.made")));
    assert_int_equal(encode(&arena, &graph, 2, NDP_FUNCTION_OTHER, &bytes), NDP_OK);
    /* Its arguments by themselves are an array to everybody. */
    struct ndp_source source = ndp_source_memory(held->body);
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, &arena);
    assert_int_equal(ndp_pickle_read(&objects, &source, NULL, &pickle, NULL), NDP_OK);
    assert_int_equal(ndp_pickle_graph_read(&objects, pickle.root->call->args, &made, NULL), NDP_OK);
    const struct ndp_node *array = &made.nodes[made.nodes[made.root].edges[0].to];
    assert_int_equal(array->kind, NDP_NODE_ARRAY);
    assert_int_equal(array->model.buffer_bytes, 6);
    assert_memory_equal(array->model.buffer, "\0\0\1\0\2\0", 6);
    ndp_objects_clear(&objects);
    ndp_arena_clear(&arena);
}

/* A list of 300 items, 600 lists each in the one before: more than a graph has room for. */
static void what_is_too_large_for_nodes_is_kept(void **state) {
    (void)state;
    static const struct {
        const char *start, *item, *end;
        uint32_t count;
    } rows[] = {{"](", "N", "e.", 300}, {"", "]", ".", 600}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        struct ndp_bytes again;
        struct ndp_buffer text;
        struct ndp_graph graph;
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_buffer_init(&text, BUFFER_BYTES);
        assert_int_equal(ndp_buffer_printf(&text, "%s", rows[i].start), NDP_OK);
        for (uint32_t k = 0; k < rows[i].count; k++)
            assert_int_equal(ndp_buffer_printf(&text, "%s", rows[i].item), NDP_OK);
        for (uint32_t k = 1; i == 1 && k < rows[i].count; k++) assert_int_equal(ndp_buffer_printf(&text, "a"), NDP_OK);
        assert_int_equal(ndp_buffer_printf(&text, "%s", rows[i].end), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_buffer_view(&text), &graph, NULL), NDP_OK);
        assert_int_equal(graph.count, 1);
        assert_true(graph.nodes[0].is_opaque);
        assert_int_equal(encode(&arena, &graph, 1, NDP_FUNCTION_OTHER, &again), NDP_OK);
        assert_true(again.size_bytes > rows[i].count);
        ndp_buffer_clear(&text);
        ndp_arena_clear(&arena);
    }
}

static void texts_of_python_2_are_latin_1(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_graph graph;
    struct ndp_bytes bytes;
    ndp_arena_init(&arena, ARENA_BYTES);
    assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_bytes_view("U\x02\xe9z."), &graph, NULL), NDP_OK);
    assert_true(ndp_bytes_is_equal(graph.nodes[0].text, ndp_bytes_view("\xc3\xa9z")));
    /* Inside of what is opaque, too: m.f("\xe9z") */
    assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_bytes_view("cm\nf\n(U\x02\xe9ztR."), &graph, NULL), NDP_OK);
    assert_int_equal(encode(&arena, &graph, 1, NDP_FUNCTION_OTHER, &bytes), NDP_OK);
    static const uint8_t text[] = "cm\nf\nq\0(X\3\0\0\0\xc3\xa9zq\1tq\2Rq\3.";
    assert_true(ndp_bytes_is_equal(bytes, (struct ndp_bytes){text, sizeof text - 1}));
    ndp_arena_clear(&arena);
}

/* dill has a name for the globals of the program; CPython's builtins have none like it, which protocol 2 spells so. */
static void the_program_is_for_dill_alone(void **state) {
    (void)state;
    static const struct {
        const char *pickle;
        enum ndp_function_form library;
        enum ndp_status status;
    } rows[] = {
        {"cm\nf\n(c__builtin__\n__main__\ntR.", NDP_FUNCTION_DILL, NDP_OK},
        {"cm\nf\n(c__builtin__\n__main__\ntR.", NDP_FUNCTION_OTHER, NDP_UNSUPPORTED},
        {"cm\nf\n(c__builtin__\n__main__\ntR.", NDP_FUNCTION_CLOUDPICKLE, NDP_UNSUPPORTED},
        {"cm\nf\n(cbuiltins\n__main__\ntR.", NDP_FUNCTION_DILL, NDP_UNSUPPORTED},
        {"cm\nf\n(cbuiltins\n__main__\ntR.", NDP_FUNCTION_OTHER, NDP_UNSUPPORTED},
        {"cm\nf\n(cbuiltins\nlen\ntR.", NDP_FUNCTION_OTHER, NDP_OK},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_bytes bytes;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_bytes_view(rows[i].pickle), &graph, NULL), NDP_OK);
        if (encode(&arena, &graph, 2, rows[i].library, &bytes) != rows[i].status) fail_msg("row %zu", i);
        ndp_arena_clear(&arena);
    }
}

/* pickle.dumps of a list of an array of a class that nobody knows and of what leads back to it: CPython keeps every
 * object one, whether the class tells of it (note) or keeps it to itself (_own). */
#define UNKNOWN_ARRAY                                                                                                  \
    "cnumpy._core.multiarray\n_reconstruct\n(cm\nC\n(K\0tC\1btR((K\1(K\1tcnumpy\ndtype\n(X\2\0\0\0u1tR"                \
    "(K\3X\1\0\0\0|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89"                                                     \
    "C\1xt}q\2"

static void arrays_of_unknown_classes_share_what_they_did(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes pickle;
        bool is_whole; /* kept as one opaque node */
    } rows[] = {
#define ROW(text, is_whole) {{(const uint8_t *)(text), sizeof(text) - 1}, is_whole}
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "X\x04\0\0\0noteh\x01stbe.", false),
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "X\x04\0\0\0note]q\x03stbh\x03"
            "e.",
            false),
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "(X\x04\0\0\0note]q\x03X\x04\0\0\0_ownK\x01utbh\x03"
            "e.",
            false),
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "X\x04\0\0\0_own]q\x03stbh\x03"
            "e.",
            true),
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "(X\x04\0\0\0note]q\x03X\x04\0\0\0_ownh\x03utbe.", true),
        ROW("\x80\x03]q\x01(" UNKNOWN_ARRAY "X\x04\0\0\0noteK\x01stbh\x02"
            "e.",
            true), /* the dict itself */
#undef ROW
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph, again;
        struct ndp_graph_match match;
        struct ndp_error error = {.text = ""};
        struct ndp_bytes bytes, second;
        ndp_arena_init(&arena, ARENA_BYTES);
        if (ndp_pickle_graph_decode(&arena, rows[i].pickle, &graph, &error) != NDP_OK)
            fail_msg("row %zu: %s", i, error.text);
        if (graph.nodes[graph.root].is_opaque != rows[i].is_whole) fail_msg("row %zu", i);
        assert_int_equal(encode(&arena, &graph, 4, NDP_FUNCTION_OTHER, &bytes), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &again, NULL), NDP_OK);
        assert_int_equal(ndp_graph_match(&arena, &graph, &again, &match), NDP_OK);
        if (match.finding_count > 0) fail_msg("row %zu: %s", i, match.findings[0].path);
        assert_int_equal(encode(&arena, &again, 4, NDP_FUNCTION_OTHER, &second), NDP_OK);
        assert_true(ndp_bytes_is_equal(bytes, second));
        ndp_arena_clear(&arena);
    }
}

/* joblib.load gives the array twice, since each place has its own wrapper, but not its type: the attribute's dtype and
 * that of the second item are one object, so that the dump of what is loaded is the dump again. */
static void types_behind_wrappers_stay_shared(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_graph graph;
    struct ndp_buffer dumps[2];
    const struct ndp_joblib_output form = {.form = {4, .alignment_bytes = 16}, .release = NDP_NUMPY_2_3};
    ndp_arena_init(&arena, ARENA_BYTES);
    assert_int_equal(decode(&arena, OPAQUE_SHARED_TYPE, &graph), NDP_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct ndp_edge *items = graph.nodes[graph.root].edges;
        const struct ndp_edge *extra = ndp_node_edge(&graph.nodes[items[0].to], NDP_EDGE_ATTRIBUTE, 0);
        assert_non_null(extra);
        assert_int_not_equal(extra->to, items[1].to);
        assert_ptr_equal(graph.nodes[extra->to].model.dtype, graph.nodes[items[1].to].model.dtype);
        ndp_buffer_init(&dumps[i], BUFFER_BYTES);
        assert_int_equal(ndp_joblib_graph_encode(&arena, &graph, &form, ndp_write_to_buffer, &dumps[i], NULL), NDP_OK);
        assert_int_equal(ndp_joblib_graph_decode(&arena, ndp_buffer_view(&dumps[i]), NULL, &graph, NULL), NDP_OK);
    }
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&dumps[0]), ndp_buffer_view(&dumps[1])));
    for (uint32_t i = 0; i < 2; i++) ndp_buffer_clear(&dumps[i]);
    ndp_arena_clear(&arena);
}

/* What is written is written so again: a call that is none to CPython, since setattr is no class, and a function whose
 * module is that of its globals alone. */
static void what_was_written_is_written_again(void **state) {
    (void)state;
    static const char *const pickles[] = {
        "(cm\nf\n(tRcbuiltins\nsetattr\n(Vk\nVv\nVw\nt\x81"
        "0t.",
        "ccloudpickle.cloudpickle\n_make_function\n(ccloudpickle.cloudpickle\n_builtin_type\n(VCodeType\ntR(I1\nI0\n"
        "(NVndproof:add\nt(t(Vx\ntVf\ntR(dV__name__\nVother\nsNNNtRp1\nccloudpickle.cloudpickle_fast\n"
        "_function_setstate\n(g1\n((d(dV__name__\nVf\nsttR0."};
    for (uint32_t choice = 0; choice < 24; choice++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_bytes first, second;
        const enum ndp_function_form library = choice / 2 % 2 == 0 ? NDP_FUNCTION_CLOUDPICKLE : NDP_FUNCTION_DILL;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_bytes_view(pickles[choice % 2]), &graph, NULL), NDP_OK);
        assert_int_equal(encode(&arena, &graph, choice / 4, library, &first), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, first, &graph, NULL), NDP_OK);
        assert_int_equal(encode(&arena, &graph, choice / 4, library, &second), NDP_OK);
        if (!ndp_bytes_is_equal(first, second)) fail_msg("choice %u", choice);
        ndp_arena_clear(&arena);
    }
}

/* A function f of cloudpickle, which is left on the stack; and a list of one that is number 0 of the memo. */
#define FUNCTION(globals, constants, slots)                                                                            \
    "ccloudpickle.cloudpickle\n_make_function\n(ccloudpickle.cloudpickle\n_builtin_type\n(VCodeType\ntR(I1\nI0\n"      \
    "(N" constants "t(t(Vx\ntVf\ntR" globals "NNNtRp1\nccloudpickle.cloudpickle_fast\n_function_setstate\n"            \
    "(g1\n((d(dV__name__\nVf\ns" slots "ttR0"
#define FUNCTION_IN_LIST(constants, slots) "(lp0\n" FUNCTION("(dV__name__\nVother\ns", constants, slots) "a."

/* CPython lets every attribute be anything, also what the function is held by: it is no part of the code, which would
 * hold more of it each time. */
static void what_a_function_says_of_itself_may_lead_back_to_it(void **state) {
    (void)state;
    static const struct {
        const char *pickle, *expected; /* "" is one opaque node */
    } rows[] = {
        {FUNCTION_IN_LIST("Vndproof:add\n", "V__module__\ng0\ns"), "[f:add a{__module__:#0}]"},
        {FUNCTION_IN_LIST("", "V__module__\ng0\ns"), "[f:? a{__qualname__:f __module__:#0}]"},
        {FUNCTION_IN_LIST("", "V__doc__\n(lI5\nas"), "[f:? a{__doc__:[5] __qualname__:f __module__:other}]"},
        {FUNCTION_IN_LIST("", "V__annotations__\ng1\ns"),
         "[f:? a{__annotations__:#1 __qualname__:f __module__:other}]"},
        {FUNCTION_IN_LIST("", "V__doc__\nVtext\ns"), "[f:? a{__doc__:text __qualname__:f __module__:other}]"},
        {FUNCTION_IN_LIST("", "V__module__\nNs"), "[f:? a{__qualname__:f}]"},
        {FUNCTION_IN_LIST("Vndproof:add\n", "V__module__\nNs"), "[f:add]"},
        {"(lp0\n" FUNCTION("(d", "", "") "a.", "[f:? a{__qualname__:f}]"},
        {"(lp0\n" FUNCTION("(dp5\n", "Vndproof:add\n", "V__module__\nVnumpy\ns") "a" FUNCTION("g5\n", "Vndproof:add\n",
                                                                                              "") "a.",
         "[f:add a{__module__:numpy} f:add]"},
        {FUNCTION_IN_LIST("g0\n", ""), ""},
        {FUNCTION_IN_LIST("Vndproof:add\n", "V_cloudpickle_submodules\n(lg0\nas"), ""},
    };
    for (size_t i = 0; i < 2 * NDP_ARRAY_LEN(rows); i++) {
        const enum ndp_function_form library = i % 2 == 0 ? NDP_FUNCTION_CLOUDPICKLE : NDP_FUNCTION_DILL;
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct spelling spelling;
        struct ndp_bytes first, second;
        ndp_arena_init(&arena, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_bytes_view(rows[i / 2].pickle), &graph, NULL), NDP_OK);
        assert_int_equal(encode(&arena, &graph, 3, library, &first), NDP_OK);
        assert_int_equal(ndp_pickle_graph_decode(&arena, first, &graph, NULL), NDP_OK);
        spell(&spelling, &graph);
        assert_string_equal(spelling.text, rows[i / 2].expected);
        assert_int_equal(encode(&arena, &graph, 3, library, &second), NDP_OK);
        if (!ndp_bytes_is_equal(first, second)) fail_msg("row %zu", i);
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(opaque_vectors); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status == NDP_NOMEM; call++) {
            struct ndp_arena arena;
            struct ndp_graph graph;
            struct ndp_bytes bytes;
            ndp_arena_init(&arena, ARENA_BYTES);
            ndp_arena_fail_at(&arena, call + 1); /* behind the bytes of the vector */
            status = decode(&arena, i, &graph);
            if (status == NDP_OK) status = encode(&arena, &graph, 4, NDP_FUNCTION_DILL, &bytes);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("%s, call %u: %s", opaque_vectors[i].name, (unsigned)call, ndp_status_text(status));
            if (status == NDP_OK && (call < CALLS_MIN || arena.fail_at == 0))
                fail_msg("%s, call %u: nobody told", opaque_vectors[i].name, (unsigned)call);
            ndp_arena_clear(&arena);
        }
    }
}

NDP_SUITE(pickle_opaque_test, cmocka_unit_test(functions_of_any_program_keep_all_that_is_theirs),
          cmocka_unit_test(what_shares_comes_back_as_one), cmocka_unit_test(what_stands_behind_a_wrapper_goes_along),
          cmocka_unit_test(what_is_too_large_for_nodes_is_kept), cmocka_unit_test(texts_of_python_2_are_latin_1),
          cmocka_unit_test(what_was_written_is_written_again),
          cmocka_unit_test(what_a_function_says_of_itself_may_lead_back_to_it),
          cmocka_unit_test(the_program_is_for_dill_alone),
          cmocka_unit_test(arrays_of_unknown_classes_share_what_they_did),
          cmocka_unit_test(types_behind_wrappers_stay_shared), cmocka_unit_test(every_lack_of_memory_is_told));
