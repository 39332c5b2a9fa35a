#include "base/suite.h"
#include "codec/graph/npy_graph.h"
#include "codec/npy/npy_encode.h"

enum { ARENA_BYTES = 1 << 22, HEADER_BYTES = 128 };

#define VIEW(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* Bytes that numpy.save of NumPy 2.4.6 writes after the header. */
static const struct vector {
    const char *what;
    const char *shape;
    struct ndp_bytes pickle;
} vectors[] = {
    {"an array of None and itself", "(2,)",
     VIEW("\x80\x04\x95\x8d\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_recon"
          "struct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94\x43\x01\x62\x94"
          "\x87\x94R\x94(K\x01K\x02\x85\x94h\x03\x8c\x05\x64type\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87"
          "\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ft\x94\x62\x89]\x94(Nh"
          "\tet\x94\x62.")},
    {"a 0-d array of a string", "()",
     VIEW("\x80\x04\x95\x8a\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_recon"
          "struct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94\x43\x01\x62\x94"
          "\x87\x94R\x94(K\x01)h\x03\x8c\x05\x64type\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87\x94R\x94(K"
          "\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ft\x94\x62\x89]\x94\x8c\x01x\x94"
          "\x61t\x94\x62.")},
    {"a number and an array of numbers", "(1, 2)",
     VIEW("\x80\x04\x95\xd4\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_recon"
          "struct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94\x43\x01\x62\x94"
          "\x87\x94R\x94(K\x01K\x01K\x02\x86\x94h\x03\x8c\x05\x64type\x94\x93\x94\x8c\x02O8\x94\x89\x88"
          "\x87\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ft\x94\x62\x89]\x94"
          "(K\x07h\x02h\x05K\x00\x85\x94h\x07\x87\x94R\x94(K\x01K\x02\x85\x94h\x0c\x8c\x02u2\x94\x89"
          "\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94\x62\x89"
          "\x43\x04\x01\x00\x02\x00\x94t\x94\x62\x65t\x94\x62.")},
};

/* Makes a file with this dtype and shape in a header of the usual length. */
static void make_file(struct ndp_buffer *file, const char *descr, const char *shape, struct ndp_bytes pickle) {
    char text[HEADER_BYTES + 1];
    const int length =
        snprintf(text, sizeof text, "\x93NUMPY\x01%cv%c{'descr': %s, 'fortran_order': False, 'shape': %s, }", 0, 0,
                 descr, shape);
    assert_true(length > 10 && length < HEADER_BYTES);
    memset(text + length, ' ', (size_t)(HEADER_BYTES - length));
    text[HEADER_BYTES - 1] = '\n';
    ndp_buffer_init(file, 1 << 12);
    assert_int_equal(ndp_buffer_add(file, text, HEADER_BYTES), NDP_OK);
    assert_int_equal(ndp_buffer_add(file, pickle.data, pickle.size_bytes), NDP_OK);
}

static enum ndp_status encode_npy(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_buffer *out) {
    const struct ndp_graph_form form = {.protocol = 4, .release = NDP_NUMPY_2_3};
    ndp_buffer_init(out, 1 << 12);
    return ndp_npy_graph_encode(arena, graph, &form, ndp_write_to_buffer, out, NULL);
}

static void files_of_numpy_round_trip(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_buffer file, again;
        struct ndp_graph graph;
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        make_file(&file, "'|O'", vectors[i].shape, vectors[i].pickle);
        if (ndp_npy_graph_decode(&arena, ndp_buffer_view(&file), NULL, &graph, &error) != NDP_OK)
            fail_msg("%s: %s", vectors[i].what, error.text);
        assert_int_equal(graph.nodes[graph.root].kind, NDP_NODE_OBJECTS);
        assert_int_equal(encode_npy(&arena, &graph, &again), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&again), ndp_buffer_view(&file))) fail_msg("%s", vectors[i].what);
        ndp_buffer_clear(&again);
        ndp_buffer_clear(&file);
    }
}

static void truncated_files_are_refused_and_longer_ones_read(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(vectors); i++) {
        struct ndp_buffer file;
        make_file(&file, "'|O'", vectors[i].shape, vectors[i].pickle);
        const uint64_t whole_bytes = file.size_bytes;
        assert_int_equal(ndp_buffer_add(&file, "xyz", 3), NDP_OK);
        for (uint64_t size = 0; size <= file.size_bytes; size++) {
            struct ndp_graph graph;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            const struct ndp_bytes part = {file.data, size};
            const bool is_taken = ndp_npy_graph_decode(&arena, part, NULL, &graph, NULL) == NDP_OK;
            if (is_taken != (size >= whole_bytes)) fail_msg("%s: %u bytes", vectors[i].what, (unsigned)size);
        }
        ndp_buffer_clear(&file);
    }
}

/* The pickle of an array of two items, whose type is made by the opcodes `dtype`. */
#define ARRAY_OF(dtype)                                                                                                \
    "\x80\x03"                                                                                                         \
    "cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tC\x01"                                            \
    "btR(K\x01(K\x02t" dtype "\x89]tb."

static void headers_and_pickles_must_agree(void **state) {
    static const struct {
        const char *descr;
        const char *shape;
        struct ndp_bytes pickle;
        enum ndp_status status;
        uint64_t offset_bytes;
    } rows[] = {
        {"'|O'", "(3,)", {NULL, 0}, NDP_INVALID, HEADER_BYTES},
        {"'|O'", "(1, 2)", {NULL, 0}, NDP_INVALID, HEADER_BYTES},
        {"'|O'", "()", {NULL, 0}, NDP_INVALID, HEADER_BYTES},
        {"'|O'", "(2,)", VIEW("]."), NDP_INVALID, HEADER_BYTES},
        {"'|O'", "(2,)", VIEW("\x80\x06."), NDP_UNSUPPORTED, HEADER_BYTES},
        {"'<i2'", "(2,)", {NULL, 0}, NDP_UNSUPPORTED, HEADER_BYTES},
        {"[('a', '|O')]", "(2,)", {NULL, 0}, NDP_INVALID, HEADER_BYTES},
        {"'|O8'", "(3,)", {NULL, 0}, NDP_INVALID, HEADER_BYTES},
        /* result of an unknown function, and of one that makes numbers */
        {"'|O'", "(2,)", VIEW("cm\nf\n)R."), NDP_UNSUPPORTED, HEADER_BYTES + 6},
        {"'|O'", "(2,)", VIEW("cnumpy\nndarray\n."), NDP_INVALID, HEADER_BYTES},
        /* an array whose type is the result of an unknown function, and of numpy.dtype with a type of a package */
        {"'|O'", "(2,)", VIEW(ARRAY_OF("cm\nf\n)R")), NDP_UNSUPPORTED, HEADER_BYTES + 77},
        {"'|O'", "(2,)", VIEW(ARRAY_OF("cnumpy\ndtype\n(cm\nt\ntR")), NDP_INVALID, HEADER_BYTES},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_buffer file;
        struct ndp_graph graph = {.count = 77};
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        make_file(&file, rows[i].descr, rows[i].shape,
                  rows[i].pickle.data != NULL ? rows[i].pickle : vectors[0].pickle);
        const enum ndp_status status = ndp_npy_graph_decode(&arena, ndp_buffer_view(&file), NULL, &graph, &error);
        if (status != rows[i].status || error.offset_bytes != rows[i].offset_bytes)
            fail_msg("row %zu: %s at %u", i, error.text, (unsigned)error.offset_bytes);
        assert_int_equal(graph.count, 77);
        ndp_buffer_clear(&file);
    }
}

static void other_roots_write_nothing(void **state) {
    static const enum ndp_node_kind kinds[] = {NDP_NODE_LIST, NDP_NODE_NONE, NDP_NODE_DICT};
    for (size_t i = 0; i < NDP_ARRAY_LEN(kinds); i++) {
        struct ndp_buffer bytes;
        const struct ndp_node node = {.kind = kinds[i]};
        const struct ndp_graph graph = {.root = 0, .count = 1, .nodes = &node};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(encode_npy(&arena, &graph, &bytes), NDP_UNSUPPORTED);
        assert_int_equal(bytes.size_bytes, 0);
        ndp_buffer_clear(&bytes);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_buffer file;
    make_file(&file, "'|O'", vectors[2].shape, vectors[2].pickle);
    enum ndp_status status = NDP_NOMEM;
    for (uint64_t call = 1; status != NDP_OK; call++) {
        struct ndp_graph graph;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, call);
        status = ndp_npy_graph_decode(&arena, ndp_buffer_view(&file), NULL, &graph, NULL);
        if (status != NDP_OK) assert_int_equal(status, NDP_NOMEM);
    }
    ndp_buffer_clear(&file);
}

NDP_SUITE(npy_graph_test, NDP_TEST(files_of_numpy_round_trip),
          NDP_TEST(truncated_files_are_refused_and_longer_ones_read), NDP_TEST(headers_and_pickles_must_agree),
          NDP_TEST(other_roots_write_nothing), NDP_TEST(every_failing_allocation_is_reported));
