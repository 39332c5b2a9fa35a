/* Expected graphs: the model's expectation (ndp_graph_expect) of the generated graph, walked in parallel with the
 * result. */
#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/graph/graph_stream.h"
#include "generate/generate.h"
#include "model/graph/graph_compare.h"

enum { CASES = 400, ARENA_BYTES = 1 << 24, STREAM_BYTES = 1 << 20 };

/* Generates a live graph and its stream. */
static void generate_stream(struct ndp_arena *arena, uint64_t index, struct ndp_graph *graph,
                            struct ndp_buffer *bytes) {
    struct ndp_choices choices;
    struct ndp_value value;
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(7, index));
    assert_int_equal(ndp_generate_graph(arena, &choices, &value), NDP_OK);
    assert_int_equal(ndp_graph_expect(arena, value.graph, ndp_byteorder_host_is_little(), graph, NULL), NDP_OK);
    bytes->size_bytes = 0;
    assert_int_equal(ndp_graph_stream_add(bytes, graph), NDP_OK);
}

/* Fills the observation of a graph that was read. */
static void observe_arrays(struct ndp_arena *arena, struct ndp_graph *graph) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    assert_non_null(nodes);
    for (uint32_t i = 0; i < graph->count; i++) {
        if (nodes[i].kind != NDP_NODE_ARRAY) continue;
        assert_int_equal(ndp_array_observe(arena, &nodes[i].model, &nodes[i].observation), NDP_OK);
        nodes[i].has_observation = true;
    }
    graph->nodes = nodes;
}

/* Writes a graph and reads it back into `arena`, which it initialises. */
static void send_graph(struct ndp_arena *arena, const struct ndp_graph *sent, struct ndp_graph *got) {
    ndp_arena_init(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
    assert_int_equal(ndp_graph_stream_add(&bytes, sent), NDP_OK);
    const uint8_t *copy = ndp_arena_copy(arena, bytes.data, bytes.size_bytes);
    assert_int_equal(ndp_graph_stream_read(arena, (struct ndp_bytes){copy, bytes.size_bytes}, got, NULL), NDP_OK);
}

static void streams_round_trip(void **state) {
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_graph sent, got;
        struct ndp_graph_compare match;
        generate_stream(&arena, i, &sent, &bytes);
        assert_int_equal(ndp_graph_stream_read(&arena, ndp_buffer_view(&bytes), &got, NULL), NDP_OK);
        observe_arrays(&arena, &got);
        assert_int_equal(ndp_graph_compare(&arena, &sent, &got, &match), NDP_OK);
        assert_int_equal(match.finding_count, 0);
        for (uint32_t k = 0; k < match.pair_count; k++) {
            const struct ndp_node *left = &sent.nodes[match.pairs[k].expected];
            const struct ndp_node *right = &got.nodes[match.pairs[k].got];
            if (!left->has_observation) continue;
            assert_true(ndp_bytes_is_equal(left->observation.elements, right->observation.elements));
            assert_true(ndp_bytes_is_equal(left->observation.class_name, right->observation.class_name));
            assert_int_equal(left->observation.flags, right->observation.flags);
        }
        ndp_arena_clear(&arena);
    }
}

/* Two one-byte arrays in a file of two bytes: the offsets of their maps distinguish one memory from two. */
static void maps_of_a_file_stay_separate(void **state) {
    for (uint64_t is_separate = 0; is_separate < 2; is_separate++) {
        static const struct ndp_edge edges[] = {{NDP_EDGE_ITEM, {NULL, 0}, 1}, {NDP_EDGE_ITEM, {NULL, 0}, 2}};
        static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
        static uint8_t file[2] = {3, 5};
        struct ndp_node nodes[3] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 2}};
        struct ndp_arena arena;
        struct ndp_graph got;
        for (uint64_t i = 0; i < 2; i++) {
            struct ndp_array *array = &nodes[1 + i].model;
            nodes[1 + i].kind = NDP_NODE_ARRAY;
            nodes[1 + i].has_model = true;
            array->dtype = &byte;
            array->buffer = file;
            array->buffer_bytes = sizeof file;
            array->class_name = ndp_bytes_view("memmap");
            array->map = (struct ndp_map_state){.is_backed = true, .offset_bytes = i * is_separate};
            array->layout.offset_bytes = (int64_t)(i * is_separate);
        }
        const struct ndp_graph sent = {0, 3, nodes};
        send_graph(&arena, &sent, &got);
        const struct ndp_array *left = &got.nodes[1].model, *right = &got.nodes[2].model;
        assert_int_equal(left->buffer != right->buffer, is_separate);
        assert_int_equal(left->buffer[left->layout.offset_bytes], 3);
        assert_int_equal(right->buffer[right->layout.offset_bytes], is_separate ? 5 : 3);
        ndp_arena_clear(&arena);
    }
}

/* Three arrays without elements; the last two share a memory. */
static void memories_without_bytes_stay_separate(void **state) {
    static const struct ndp_edge edges[] = {
        {NDP_EDGE_ITEM, {NULL, 0}, 1}, {NDP_EDGE_ITEM, {NULL, 0}, 2}, {NDP_EDGE_ITEM, {NULL, 0}, 3}};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static uint8_t places[2];
    struct ndp_node nodes[4] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 3}};
    const struct ndp_graph sent = {0, 4, nodes};
    struct ndp_arena arena;
    struct ndp_graph got;
    for (uint32_t i = 1; i < 4; i++) {
        nodes[i].kind = NDP_NODE_ARRAY;
        nodes[i].has_model = true;
        nodes[i].model = (struct ndp_array){.dtype = &byte,
                                            .buffer = &places[i > 1],
                                            .class_name = ndp_bytes_view("ndarray"),
                                            .layout = {.ndim = 1, .strides_bytes = {1}}};
    }
    send_graph(&arena, &sent, &got);
    assert_false(ndp_array_shares_memory(&got.nodes[1].model, &got.nodes[2].model));
    assert_true(ndp_array_shares_memory(&got.nodes[2].model, &got.nodes[3].model));
    ndp_arena_clear(&arena);
}

/* Items of size 0: only the creation order determines the array's memory order. */
static void orders_without_bytes_are_kept(void **state) {
    static const struct ndp_dtype nothing = {.kind = NDP_KIND_BYTES};
    static uint8_t memory[1];
    for (uint32_t i = 0; i < 3; i++) {
        struct ndp_node node = {.kind = NDP_NODE_ARRAY, .has_model = true};
        struct ndp_array *array = &node.model;
        const struct ndp_graph sent = {0, 1, &node};
        struct ndp_arena arena;
        struct ndp_graph got;
        array->dtype = &nothing;
        array->buffer = memory;
        array->layout = (struct ndp_layout){.ndim = 2, .shape = {5, 2}};
        array->is_filled = i > 0;
        array->filled_order = i == 2 ? NDP_MEMORY_F : NDP_MEMORY_C;
        send_graph(&arena, &sent, &got);
        assert_int_equal(ndp_array_is_contiguous(&got.nodes[0].model, NDP_MEMORY_C), i != 2);
        assert_int_equal(ndp_array_is_contiguous(&got.nodes[0].model, NDP_MEMORY_F), i != 1);
        ndp_arena_clear(&arena);
    }
}

static void missing_parts_are_reported(void **state) {
    static const enum ndp_edge_role roles[] = {NDP_EDGE_ATTRIBUTE, NDP_EDGE_ITEM};
    for (size_t i = 0; i < NDP_ARRAY_LEN(roles); i++) {
        const struct ndp_edge edge = {roles[i], ndp_bytes_view("extra"), NDP_GRAPH_UNSET};
        const struct ndp_node node = {.kind = NDP_NODE_LIST, .edges = &edge, .edge_count = 1};
        const struct ndp_graph sent = {0, 1, &node};
        struct ndp_graph got;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
        const enum ndp_status status = ndp_graph_stream_add(&bytes, &sent);
        assert_int_equal(status, i == 0 ? NDP_OK : NDP_INVALID);
        if (status == NDP_OK) {
            assert_int_equal(ndp_graph_stream_read(&arena, ndp_buffer_view(&bytes), &got, NULL), NDP_OK);
            assert_int_equal(got.nodes[0].edges[0].to, NDP_GRAPH_UNSET);
        }
    }
}

static void every_truncation_is_refused(void **state) {
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
    for (uint64_t i = 0; i < 24; i++) {
        struct ndp_arena arena;
        struct ndp_graph sent, got = {.count = 77};
        generate_stream(&arena, i, &sent, &bytes);
        for (uint64_t size_bytes = 0; size_bytes < bytes.size_bytes; size_bytes++) {
            struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
            const struct ndp_bytes cut = {bytes.data, size_bytes};
            assert_int_not_equal(ndp_graph_stream_read(&arena, cut, &got, &error), NDP_OK);
            assert_true(error.offset_bytes <= size_bytes);
            assert_int_equal(got.count, 77);
        }
        ndp_arena_clear(&arena);
    }
}

static void changed_bytes_are_read_safely(void **state) {
    uint64_t read = 0;
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_graph graph;
        generate_stream(&arena, i, &graph, &bytes);
        bytes.data[ndp_rng_mix(3, i) % bytes.size_bytes] ^= (uint8_t)(1 + ndp_rng_mix(4, i) % 255);
        read += ndp_graph_stream_read(&arena, ndp_buffer_view(&bytes), &graph, NULL) == NDP_OK;
        ndp_arena_clear(&arena);
    }
    assert_in_range(read, 1, CASES - 1);
}

/* A handmade node: count, root, no memory, kind, and its members as zeros. Each row changes one number. */
static void numbers_are_checked(void **state) {
    static const struct {
        enum ndp_node_kind kind;
        uint32_t numbers;
        uint32_t place;
        uint32_t number;
        enum ndp_status status;
    } rows[] = {{NDP_NODE_NONE, 5, 0, 1, NDP_OK},
                {NDP_NODE_NONE, 5, 0, 0, NDP_INVALID},
                {NDP_NODE_NONE, 5, 0, 513, NDP_INVALID},
                {NDP_NODE_NONE, 5, 1, 1, NDP_INVALID},
                {NDP_NODE_NONE, 5, 2, 513, NDP_INVALID},
                {NDP_NODE_NONE, 5, 3, NDP_NODE_COUNT, NDP_INVALID},
                {NDP_NODE_NONE, 5, 4, 257, NDP_INVALID},
                {NDP_NODE_BOOL, 6, 4, 1, NDP_OK},
                {NDP_NODE_BOOL, 6, 4, 2, NDP_INVALID},
                {NDP_NODE_TEXT, 6, 4, 1, NDP_TRUNCATED},
                {NDP_NODE_FUNCTION, 9, 4, 1, NDP_OK},
                {NDP_NODE_FUNCTION, 9, 5, NDP_CODE_COUNT, NDP_INVALID},
                {NDP_NODE_FUNCTION, 9, 7, 1, NDP_TRUNCATED},
                {NDP_NODE_VECTORIZE, 11, 9, 0, NDP_OK},
                {NDP_NODE_VECTORIZE, 11, 9, 5, NDP_INVALID},
                {NDP_NODE_OBJECTS, 7, 5, 0, NDP_OK},
                {NDP_NODE_OBJECTS, 7, 5, 65, NDP_INVALID}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph graph;
        uint8_t bytes[4 + 4 * 11] = {'N', 'D', 'G', '1', 1};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_store_u32le(bytes + 4 + 4 * 3, rows[i].kind);
        ndp_store_u32le(bytes + 4 + 4 * rows[i].place, rows[i].number);
        const struct ndp_bytes view = {bytes, 4 + 4 * rows[i].numbers};
        const enum ndp_status status = ndp_graph_stream_read(&arena, view, &graph, NULL);
        if (status != rows[i].status) fail_msg("row %u: %s", (unsigned)i, ndp_status_text(status));
        if (status == NDP_OK) assert_int_equal(graph.nodes[0].kind, rows[i].kind);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_arena source;
    struct ndp_graph graph;
    NDP_BUFFER_SCOPED(bytes, STREAM_BYTES);
    generate_stream(&source, 3, &graph, &bytes);
    for (uint64_t call = 1;; call++) {
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, call);
        const enum ndp_status status = ndp_graph_stream_read(&arena, ndp_buffer_view(&bytes), &graph, NULL);
        if (status == NDP_OK) break;
        assert_in_range(call, 1, 1000);
    }
    ndp_arena_clear(&source);
}

NDP_SUITE(graph_stream_test, NDP_TEST(streams_round_trip), NDP_TEST(maps_of_a_file_stay_separate),
          NDP_TEST(memories_without_bytes_stay_separate), NDP_TEST(orders_without_bytes_are_kept),
          NDP_TEST(missing_parts_are_reported), NDP_TEST(every_truncation_is_refused),
          NDP_TEST(changed_bytes_are_read_safely), NDP_TEST(numbers_are_checked),
          NDP_TEST(every_failing_allocation_is_reported));
