/* pickle_other_test.c: objects without words keep the name of their type, and are written back as CPython wrote them.
 */
#include "codec/pickle/pickle_other.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_other_vectors.h"

enum { ARENA_BYTES = 1 << 22, PICKLE_BYTES = 1 << 20, CALLS_MIN = 10 };

static struct ndp_bytes bytes_of(struct ndp_arena *arena, const char *hex) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return bytes;
}

static enum ndp_status encode(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t protocol,
                              struct ndp_buffer *out) {
    const struct ndp_graph_form form = {.protocol = protocol, .release = NDP_NUMPY_2_3};
    ndp_buffer_init(out, PICKLE_BYTES);
    return ndp_pickle_graph_encode(arena, graph, &form, ndp_write_to_buffer, out, NULL);
}

static void check_node(const struct other_vector *vector, const struct ndp_graph *graph) {
    const struct ndp_node *node = &graph->nodes[0];
    const struct ndp_edge *edge = ndp_node_edge(node, NDP_EDGE_ATTRIBUTE, 0);
    const struct ndp_bytes name = node->kind == NDP_NODE_ARRAY ? node->model.class_name : node->text;
    if (!ndp_bytes_is_equal(name, ndp_bytes_view(vector->type)))
        fail_msg("%s: %.*s", vector->type, (int)name.size_bytes, (const char *)name.data);
    if (node->kind != NDP_NODE_ARRAY) assert_int_equal(node->kind, NDP_NODE_OTHER);
    assert_int_equal(ndp_node_edges(node, NDP_EDGE_ATTRIBUTE), vector->attribute != NULL);
    if (edge != NULL) assert_true(ndp_bytes_is_equal(graph->nodes[edge->to].text, ndp_bytes_view(vector->attribute)));
}

static void what_has_no_words_comes_back(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(other_vectors); i++) {
        const struct other_vector *vector = &other_vectors[i];
        struct ndp_arena arena;
        struct ndp_graph graph;
        struct ndp_buffer again;
        struct ndp_error error = {.text = ""};
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes bytes = bytes_of(&arena, vector->hex);
        if (ndp_pickle_graph_decode(&arena, bytes, &graph, &error) != NDP_OK)
            fail_msg("%s: %s", vector->type, error.text);
        check_node(vector, &graph);
        assert_int_equal(encode(&arena, &graph, vector->protocol, &again), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&again), bytes))
            fail_msg("%s: other bytes in protocol %u", vector->type, vector->protocol);
        ndp_buffer_clear(&again);
        ndp_arena_clear(&arena);
    }
}

/* builtins.getattr(1, 2), as CPython 3.11 would write it: whoever does not call it knows nothing of what comes. */
static void what_a_function_gives_is_opaque(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_graph graph;
    struct ndp_buffer again;
    ndp_arena_init(&arena, ARENA_BYTES);
    const struct ndp_bytes bytes = bytes_of(&arena, "8003636275696c74696e730a676574617474720a71004b014b02867101527102"
                                                    "2e");
    assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &graph, NULL), NDP_OK);
    assert_true(graph.nodes[0].is_opaque);
    assert_true(ndp_bytes_is_equal(graph.nodes[0].text, ndp_bytes_view("builtins.getattr")));
    assert_int_equal(encode(&arena, &graph, 3, &again), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&again), bytes));
    ndp_buffer_clear(&again);
    ndp_arena_clear(&arena);
}

/* By STACK_GLOBAL, whose texts may hold anything; names too long for one leave it out. */
static void a_name_is_whole(void **state) {
    (void)state;
    static const struct {
        const char *pickle, *name;
        uint64_t size, name_bytes;
    } rows[] = {
        {"\x80\x04\x8c\x01m\x8c\x03"
         "a\0b\x93)R.",
         "m.a\0b", 14, 5},
        {"\x80\x04\x8c\x02\0m\x8c\x01"
         "C\x93)R.",
         "\0m.C", 13, 4},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes bytes = {(const uint8_t *)rows[i].pickle, rows[i].size};
        const struct ndp_bytes name = {(const uint8_t *)rows[i].name, rows[i].name_bytes};
        assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &graph, NULL), NDP_OK);
        assert_true(ndp_bytes_is_equal(graph.nodes[0].text, name));
        ndp_arena_clear(&arena);
    }
}

/* No short name is none, however it is parted. */
static void a_long_name_is_left_out(void **state) {
    (void)state;
    for (unsigned module = 1; module < 255; module++) {
        const unsigned name = 255 - module;
        uint8_t pickle[300] = "\x80\x04\x8c";
        unsigned at = 3;
        pickle[at++] = (uint8_t)module;
        memset(pickle + at, 'm', module);
        at += module;
        pickle[at++] = 0x8c;
        pickle[at++] = (uint8_t)name;
        memset(pickle + at, 'C', name);
        at += name;
        memcpy(pickle + at, "\x93)R.", 4);
        struct ndp_arena arena;
        struct ndp_graph graph;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes bytes = {pickle, at + 4};
        assert_int_equal(ndp_pickle_graph_decode(&arena, bytes, &graph, NULL), NDP_OK);
        assert_int_equal(graph.nodes[0].text.size_bytes, 0);
        ndp_arena_clear(&arena);
    }
}

/* A list of 200 sets that all hold the same 64 KiB, which only one pickle can keep as they are. */
static void what_is_shared_is_not_multiplied(void **state) {
    (void)state;
    enum { SIZE = 1 << 16, SETS = 200 };
    struct ndp_arena arena;
    struct ndp_graph graph;
    struct ndp_buffer bytes;
    static const uint8_t zeros[SIZE];
    ndp_arena_init(&arena, 1 << 28);
    ndp_buffer_init(&bytes, 1 << 20);
    assert_int_equal(ndp_buffer_add(&bytes, "\x80\x04](B\0\0\1\0", 9), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, zeros, SIZE), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, "\x94", 1), NDP_OK);
    for (uint32_t i = 0; i < SETS; i++) assert_int_equal(ndp_buffer_add(&bytes, "\x8f(h\0\x90", 5), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, "e.", 2), NDP_OK);
    assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_buffer_view(&bytes), &graph, NULL), NDP_OK);
    assert_int_equal(graph.count, 1);
    assert_true(graph.nodes[0].is_opaque && graph.nodes[0].body.size_bytes < 2 * bytes.size_bytes);
    ndp_buffer_clear(&bytes);
    ndp_arena_clear(&arena);
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(other_vectors); i++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status == NDP_NOMEM; call++) {
            struct ndp_arena arena;
            struct ndp_buffer bytes;
            struct ndp_graph graph;
            ndp_arena_init(&arena, ARENA_BYTES);
            const struct ndp_bytes input = bytes_of(&arena, other_vectors[i].hex);
            ndp_buffer_init(&bytes, PICKLE_BYTES);
            ndp_arena_fail_at(&arena, call);
            status = ndp_pickle_graph_decode(&arena, input, &graph, NULL);
            if (status == NDP_OK) status = encode(&arena, &graph, 4, &bytes);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("%s, call %u: %s", other_vectors[i].type, (unsigned)call, ndp_status_text(status));
            if (status == NDP_OK && (call < CALLS_MIN || arena.fail_at == 0))
                fail_msg("%s, call %u: nobody told", other_vectors[i].type, (unsigned)call);
            ndp_buffer_clear(&bytes);
            ndp_arena_clear(&arena);
        }
    }
}

NDP_SUITE(pickle_other_test, cmocka_unit_test(what_has_no_words_comes_back),
          cmocka_unit_test(what_a_function_gives_is_opaque), cmocka_unit_test(a_name_is_whole),
          cmocka_unit_test(a_long_name_is_left_out), cmocka_unit_test(what_is_shared_is_not_multiplied),
          cmocka_unit_test(every_lack_of_memory_is_told));
