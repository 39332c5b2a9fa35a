#include "base/suite.h"
#include "codec/graph/npz_graph.h"
#include "codec/npy/npy_encode.h"

enum { ARENA_BYTES = 1 << 22 };

/* numpy.savez_compressed(f, a=...) of NumPy 2.4.6: an array of shape (1, 2) with the number 7 and an array. */
static const char archive[] =
    "504b03042d0000000800000021002784897dffffffffffffffff05001400612e6e7079010010005f01000000000000e900000000000000"
    "9bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05ee3afaea3a09e965f54529498179f5f94920a12764bcc294e058a17672416a402f9"
    "1a863a0a469a3a0ab50ae403ae0696a9571820a0472caf34b7a0522f3e39bf28552fb734a72433b1a828b1724a0f4f7c516a727e5e7149"
    "516972c994c9537a58c12aa7f4b0e7a540944c9ee2cdd03ac59931694afb94a0291ade8c40c8d4362583b98735a5a4b22015a489c9df62"
    "4a6707449eb987b1668a9f9f9fd77f200013def62553923a638172ec194c19ac20e332d861863101393c3d4ca546c806d8a019c00032c0"
    "9985918189610a90990ac47a00504b01022d032d0000000800000021002784897de90000005f0100000500000000000000000000008001"
    "00000000612e6e7079504b0506000000000100010033000000200100000000";

static const struct ndp_graph_form form = {.protocol = 4, .release = NDP_NUMPY_2_3};

static struct ndp_bytes archive_bytes(struct ndp_arena *arena) {
    struct ndp_bytes bytes = {0};
    assert_int_equal(ndp_hex_read(arena, archive, &bytes, NULL), NDP_OK);
    return bytes;
}

static enum ndp_status read_archive(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                    struct ndp_error *error) {
    struct ndp_npz *npz = NULL;
    uint64_t index = 0;
    NDP_TRY(ndp_npz_open_memory(bytes, NULL, &npz, error));
    enum ndp_status status = ndp_npz_find(npz, ndp_bytes_view("a"), &index, error);
    if (status == NDP_OK) status = ndp_npz_graph_read(npz, arena, index, NULL, out, error);
    ndp_npz_free(npz);
    return status;
}

static void check_graph(const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    assert_int_equal(root->kind, NDP_NODE_OBJECTS);
    assert_int_equal(root->ndim, 2);
    assert_int_equal(root->shape[0], 1);
    assert_int_equal(root->shape[1], 2);
    assert_int_equal(root->edge_count, 2);
    const struct ndp_node *number = &graph->nodes[root->edges[0].to], *array = &graph->nodes[root->edges[1].to];
    assert_int_equal(number->kind, NDP_NODE_INT);
    assert_true(ndp_bytes_is_equal(number->text, ndp_bytes_view("7")));
    assert_int_equal(array->kind, NDP_NODE_ARRAY);
    assert_memory_equal(array->model.buffer, "\1\0\2\0", 4);
}

static void an_archive_of_numpy_is_read(void **state) {
    struct ndp_graph graph;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(read_archive(&arena, archive_bytes(&arena), &graph, NULL), NDP_OK);
    check_graph(&graph);
}

/* The member equals the output of numpy.save, compressed or stored. */
static void archives_round_trip(void **state) {
    for (uint32_t is_deflated = 0; is_deflated < 2; is_deflated++) {
        struct ndp_graph graph, again;
        struct ndp_npz *npz = NULL;
        struct ndp_npz_member member;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        NDP_BUFFER_SCOPED(made, 1 << 12);
        NDP_BUFFER_SCOPED(content, 1 << 12);
        NDP_BUFFER_SCOPED(numpys, 1 << 12);
        const struct ndp_bytes bytes = archive_bytes(&arena);
        assert_int_equal(read_archive(&arena, bytes, &graph, NULL), NDP_OK);
        assert_int_equal(ndp_npz_graph_encode(&arena, &graph, ndp_bytes_view("a"), is_deflated, &form,
                                              ndp_write_to_buffer, &made, NULL),
                         NDP_OK);
        assert_int_equal(read_archive(&arena, ndp_buffer_view(&made), &again, NULL), NDP_OK);
        check_graph(&again);
        assert_int_equal(ndp_npz_open_memory(bytes, NULL, &npz, NULL), NDP_OK);
        assert_int_equal(ndp_npz_read(npz, 0, &numpys, NULL), NDP_OK);
        ndp_npz_free(npz);
        assert_int_equal(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL), NDP_OK);
        ndp_npz_member(npz, 0, &member);
        assert_int_equal(member.method, is_deflated ? 8 : 0);
        assert_int_equal(ndp_npz_read(npz, 0, &content, NULL), NDP_OK);
        assert_true(ndp_bytes_is_equal(ndp_buffer_view(&content), ndp_buffer_view(&numpys)));
        ndp_npz_free(npz);
    }
}

static void a_wrong_crc_is_found(void **state) {
    struct ndp_graph graph, got = {.count = 77};
    struct ndp_error error = {.text = ""};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(made, 1 << 12);
    assert_int_equal(read_archive(&arena, archive_bytes(&arena), &graph, NULL), NDP_OK);
    assert_int_equal(
        ndp_npz_graph_encode(&arena, &graph, ndp_bytes_view("a"), false, &form, ndp_write_to_buffer, &made, NULL),
        NDP_OK);
    uint8_t *number = memchr(made.data, 7, (size_t)made.size_bytes);
    while (number != NULL && number[-1] != 'K')
        number = memchr(number + 1, 7, (size_t)(made.data + made.size_bytes - number - 1));
    assert_non_null(number);
    *number = 8;
    assert_int_equal(read_archive(&arena, ndp_buffer_view(&made), &got, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "CRC"));
    assert_int_equal(got.count, 77);
}

static void other_graphs_write_nothing(void **state) {
    const struct ndp_node node = {.kind = NDP_NODE_LIST};
    const struct ndp_graph graph = {.root = 0, .count = 1, .nodes = &node};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(made, 1 << 12);
    assert_int_equal(
        ndp_npz_graph_encode(&arena, &graph, ndp_bytes_view("a"), false, &form, ndp_write_to_buffer, &made, NULL),
        NDP_UNSUPPORTED);
    assert_int_equal(made.size_bytes, 0);
}

NDP_SUITE(npz_graph_test, NDP_TEST(an_archive_of_numpy_is_read), NDP_TEST(archives_round_trip),
          NDP_TEST(a_wrong_crc_is_found), NDP_TEST(other_graphs_write_nothing));
