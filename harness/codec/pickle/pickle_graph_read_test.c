/* pickle_graph_read_test.c: objects in forms that their classes do not write. */
#include "base/suite.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_graph_hostile.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

enum { ARENA_BYTES = 1 << 22, DEPTH = 1000000, DEEP_ARENA_BYTES = 1 << 30 };

static enum ndp_status decode_hex(struct ndp_arena *arena, const char *hex, struct ndp_graph *out,
                                  struct ndp_error *error) {
    struct ndp_bytes bytes;
    assert_int_equal(ndp_hex_read(arena, hex, &bytes, NULL), NDP_OK);
    return ndp_pickle_graph_decode(arena, bytes, out, error);
}

static void objects_that_numpy_refuses_are_refused(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(hostile_vectors); i++) {
        const struct hostile_vector *vector = &hostile_vectors[i];
        struct ndp_graph got;
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const enum ndp_status status = decode_hex(&arena, vector->hex, &got, &error);
        if (status != vector->status || strstr(error.text, vector->text) == NULL)
            fail_msg("%s: %s: %s", vector->what, ndp_status_text(status), error.text);
        if (status == NDP_OK && strcmp(vector->numpy, "accepted") != 0) fail_msg("%s: NumPy refuses it", vector->what);
    }
}

/* Nothing is executed, so that only the name of the callable is known. */
static void unsupported_objects_are_named(void **state) {
    static const struct {
        struct ndp_bytes pickle;
        uint64_t offset_bytes;
        const char *text;
    } rows[] = {
        {BYTES("cnumpy_testee.graph_functions\nadd\n."), 0,
         "graph: unsupported object: global numpy_testee.graph_functions.add"},
        {BYTES("(cnumpy\nint8\nl."), 1, "graph: unsupported object: global numpy.int8"},
        {BYTES("ccloudpickle.cloudpickle\n_make_function\n(tR."), 42,
         "graph: unsupported object: result of cloudpickle.cloudpickle._make_function"},
        {BYTES("ccloudpickle.cloudpickle\nsubimport\n(Vos\ntR."), 41,
         "graph: unsupported object: result of cloudpickle.cloudpickle.subimport"},
        {BYTES("cfunctools\npartial\n(cbuiltins\nlen\ntR."), 35,
         "graph: unsupported object: result of functools.partial"},
        {BYTES("cm\nf\n(tR(tR."), 10, "graph: unsupported object: result of m.f"},
        {BYTES("c\x01m\nf\n."), 0, "graph: unsupported object: global \\x01m.f"},
        {BYTES("\x80\x04\x8f."), 2, "graph: unsupported object: set"},
        {BYTES("\x80\x04\x28\x91."), 3, "graph: unsupported object: frozenset"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph got = {.count = 77};
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_pickle_graph_decode(&arena, rows[i].pickle, &got, &error), NDP_UNSUPPORTED);
        assert_string_equal(error.text, rows[i].text);
        assert_int_equal(error.offset_bytes, rows[i].offset_bytes);
        assert_int_equal(got.count, 77);
    }
}

/* NumPy and CPython: {True: 6}, {1: 6}, {"a": 6}, {"\u00e9": 6} (text of Python 2 is latin-1), and an attribute of 2.
 */
static void the_last_duplicate_counts(void **state) {
    static const struct {
        const char *hex;
        enum ndp_edge_role role;
        const char *value;
    } rows[] = {
        {"80027d28884b054b014b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d284b014b05473ff00000000000004b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d284b024b05473ff80000000000004b06752e", NDP_EDGE_VALUE, "5"},
        {"80027d285801000000614b055801000000614b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d285501614b055501614b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d285501e94b055802000000c3a94b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d285802000000c3a94b055501e94b06752e", NDP_EDGE_VALUE, "6"},
        {"80027d285501e94b055802000000c3a84b06752e", NDP_EDGE_VALUE, "5"},
        {"8002636e756d70792e5f636f72652e6d756c746961727261790a5f7265636f6e7374727563740a7100636e756d70795f7465"
         "737465652e67726170685f636c61737365730a7265647563655f73657473746174650a71014b00857102635f636f64656373"
         "0a656e636f64650a7103580100000062710458060000006c6174696e317105867106527107877108527109284b014b028571"
         "0a636e756d70790a64747970650a710b58020000006638710c898887710d52710e284b0358010000003c710f4e4e4e4affff"
         "ffff4affffffff4b0074711062896803581000000000000000000000000000000000000000711168058671125271137d7114"
         "5805000000657874726171154b0173580500000065787472614b0273747116622e",
         NDP_EDGE_ATTRIBUTE, "2"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph got;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(decode_hex(&arena, rows[i].hex, &got, NULL), NDP_OK);
        const struct ndp_edge *edge = ndp_graph_node_edge(&got.nodes[0], rows[i].role, 0);
        assert_non_null(edge);
        if (!ndp_bytes_is_equal(got.nodes[edge->to].text, ndp_bytes_view(rows[i].value)))
            fail_msg("%s: %.*s", rows[i].hex, (int)got.nodes[edge->to].text.size_bytes,
                     (const char *)got.nodes[edge->to].text.data);
        assert_int_equal(ndp_graph_node_count_edges(&got.nodes[0], rows[i].role), rows[i].value[0] == '5' ? 2 : 1);
    }
}

/* A million nested lists must not exhaust the stack; they exceed the nodes of a graph. */
static void a_graph_of_too_many_nodes_is_unsupported(void **state) {
    struct ndp_graph got;
    NDP_ARENA_SCOPED(arena, DEEP_ARENA_BYTES);
    uint8_t *bytes = ndp_arena_alloc(&arena, 2 * DEPTH);
    assert_non_null(bytes);
    memset(bytes, ']', DEPTH);
    memset(bytes + DEPTH, 'a', DEPTH - 1);
    bytes[2 * DEPTH - 1] = '.';
    assert_int_equal(ndp_pickle_graph_decode(&arena, (struct ndp_bytes){bytes, 2 * DEPTH}, &got, NULL),
                     NDP_UNSUPPORTED);
}

NDP_SUITE(pickle_graph_read_test, NDP_TEST(objects_that_numpy_refuses_are_refused),
          NDP_TEST(unsupported_objects_are_named), NDP_TEST(the_last_duplicate_counts),
          NDP_TEST(a_graph_of_too_many_nodes_is_unsupported));
