/* Expected: joblib 1.6.0 writes elements of every array on a multiple of 16 of the file, behind a byte that says how
 * many of 0xff follow, and order "F" where they lie in that order alone (numpy_pickle.py). */
#include "reader/dump_inside.h"

#include <string.h>

#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/npy/npy_encode.h"
#include "runtime/hits_fixture.h"

enum { ITEMS = 6, ALIGNMENT = 16 };

/* A list of two arrays of bytes and of one of (2, 3) objects in Fortran order. */
static struct ndp_bytes make(struct ndp_arena *arena, struct ndp_buffer *out) {
    static uint8_t bytes[ITEMS] = {1, 2, 3, 4, 5, 6};
    static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const int64_t shape[] = {2, 3};
    struct ndp_node nodes[5];
    struct ndp_edge items[ITEMS], list[3];
    for (uint32_t i = 0; i < ITEMS; i++) items[i] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = 4};
    for (uint32_t i = 0; i < 3; i++) list[i] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = i + 1};
    memset(nodes, 0, sizeof nodes);
    nodes[0] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = list, .edge_count = 3};
    for (uint32_t i = 1; i <= 2; i++) {
        nodes[i] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .has_model = true};
        nodes[i].model = (struct ndp_array){.dtype = &u1,
                                            .layout = {.ndim = 1, .shape = {ITEMS}, .strides_bytes = {1}},
                                            .buffer = bytes,
                                            .buffer_bytes = ITEMS,
                                            .is_writeable = true,
                                            .owns_data = true,
                                            .host_is_little_endian = true,
                                            .class_name = ndp_bytes_view("ndarray")};
    }
    nodes[3] = (struct ndp_node){
        .kind = NDP_NODE_OBJECTS, .ndim = 2, .shape = shape, .is_fortran = true, .edges = items, .edge_count = ITEMS};
    nodes[4] = (struct ndp_node){.kind = NDP_NODE_NONE};
    const struct ndp_graph graph = {.nodes = nodes, .count = 5};
    const struct ndp_joblib_output form = {.form = {4, .alignment_bytes = ALIGNMENT}, .release = NDP_NUMPY_2_3};
    assert_int_equal(ndp_joblib_graph_encode(arena, &graph, &form, ndp_write_to_buffer, out, NULL), NDP_OK);
    return ndp_buffer_view(out);
}

static void arrays_of_a_dump_are_padded_and_ordered(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 22};
    struct ndp_buffer made = {.max_bytes = 1 << 20};
    const struct ndp_bytes dump = make(&arena, &made);
    const uint64_t before = fuzz_hits();
    assert_int_equal(fuzz_dump_inside(&arena, dump, ALIGNMENT), 3);
    assert_int_equal(fuzz_hits(), before);
    ndp_arena_clear(&arena);
    ndp_buffer_clear(&made);
}

/* A byte more at its start moves them all; an array whose wrapper says C is another than the one in its pickle. */
static void what_stands_elsewhere_or_says_otherwise_is_told(void **state) {
    (void)state;
    static const char start[] = "\x80\x04\x88"
                                "0";
    struct ndp_arena arena = {.limit_bytes = 1 << 22};
    struct ndp_buffer made = {.max_bytes = 1 << 20};
    const struct ndp_bytes dump = make(&arena, &made);
    const int loud = be_quiet();
    uint64_t before = fuzz_hits();
    uint8_t *moved = ndp_arena_alloc(&arena, dump.size_bytes + 2);
    assert_non_null(moved);
    memcpy(moved, start, 4);
    memcpy(moved + 4, dump.data + 2, (size_t)dump.size_bytes - 2);
    assert_int_equal(fuzz_dump_inside(&arena, (struct ndp_bytes){moved, dump.size_bytes + 2}, ALIGNMENT), 3);
    assert_int_equal(fuzz_hits(), before + 2);
    before = fuzz_hits();
    uint8_t *order = NULL;
    for (uint64_t i = 0; i + 3 < made.size_bytes; i++)
        if (memcmp(made.data + i, "\x01\0\0\0F", 5) == 0 || memcmp(made.data + i,
                                                                   "\x8c\x01"
                                                                   "F",
                                                                   3) == 0)
            order = made.data + i;
    assert_non_null(order);
    order[order[0] == 0x8c ? 2 : 4] = 'C';
    assert_int_equal(fuzz_dump_inside(&arena, dump, ALIGNMENT), 3);
    assert_int_equal(fuzz_hits(), before + 1);
    be_loud(loud);
    ndp_arena_clear(&arena);
    ndp_buffer_clear(&made);
}

NDP_SUITE(dump_inside_test, cmocka_unit_test(arrays_of_a_dump_are_padded_and_ordered),
          cmocka_unit_test(what_stands_elsewhere_or_says_otherwise_is_told));
