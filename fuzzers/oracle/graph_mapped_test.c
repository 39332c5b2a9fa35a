/* A dump is mapped as the graph that it is of, and the oracle sees when it is another's. */
#include "oracle/graph_mapped.h"

#include <string.h>

#include "base/suite.h"
#include "codec/joblib/joblib_graph.h"
#include "codec/npy/npy_encode.h"
#include "runtime/hits_fixture.h"

static void a_dump_is_mapped_as_it_was_written(void **state) {
    (void)state;
    static const struct ndp_edge edges[] = {{NDP_EDGE_ITEM, {NULL, 0}, 1}, {NDP_EDGE_ITEM, {NULL, 0}, 2}};
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const struct ndp_joblib_output output = {.form = {.protocol = 4, .alignment_bytes = 16},
                                                    .release = NDP_NUMPY_2_3};
    static const enum ndp_map_mode modes[] = {NDP_MAP_READ, NDP_MAP_READ_WRITE, NDP_MAP_COPY};
    for (uint32_t changed = 0; changed < 3; changed++) {
        uint8_t memory[] = {1, 2, 3, 4, 5, 6, 7};
        struct ndp_node nodes[3] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 2}};
        const struct ndp_graph graph = {0, 3, nodes};
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_buffer dump = {.max_bytes = 1 << 14};
        for (uint32_t i = 1; i < 3; i++) {
            struct ndp_array *array = &nodes[i].model;
            nodes[i].kind = NDP_NODE_ARRAY;
            nodes[i].has_model = true;
            *array = (struct ndp_array){.dtype = &byte,
                                        .class_name = ndp_bytes_view("ndarray"),
                                        .layout = {.ndim = 1, .shape = {3}, .strides_bytes = {1}},
                                        .buffer = memory + 3 * (i - 1),
                                        .buffer_bytes = 3,
                                        .owns_data = true,
                                        .is_writeable = true};
        }
        assert_int_equal(ndp_joblib_graph_encode(&arena, &graph, &output, ndp_write_to_buffer, &dump, NULL), NDP_OK);
        if (changed > 0) memory[3 * changed - 1] ^= 1;
        for (size_t i = 0; i < NDP_ARRAY_LEN(modes); i++)
            assert_int_equal(fuzz_graph_is_mapped(&arena, ndp_buffer_view(&dump), modes[i], &graph), changed == 0);
        assert_false(
            fuzz_graph_is_mapped(&arena, (struct ndp_bytes){dump.data, dump.size_bytes - 2}, NDP_MAP_READ, &graph));
        ndp_buffer_clear(&dump);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(graph_mapped_test, cmocka_unit_test(a_dump_is_mapped_as_it_was_written));
