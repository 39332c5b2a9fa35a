#include "npz_again.h"

#include "fuzz.h"
#include "same_array.h"

enum { GRAPH_BYTES_MAX = 1 << 26 };

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

void fuzz_npz_array_again(struct ndp_arena *arena, const struct ndp_npy_array *array, bool is_deflated) {
    const struct ndp_npz_item item = {.key = ndp_bytes_view("a"),
                                      .elements = {array->header.dtype, &array->layout, array->data}};
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    struct ndp_npz *npz = NULL;
    FUZZ_CHECK(ndp_npz_encode(&item, 1, is_deflated, ndp_write_to_buffer, &made, NULL) == NDP_OK);
    if (FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK))
        fuzz_same_array("again", NDP_OK, array, ndp_npz_read_array(npz, arena, 0, &lenient, &next, NULL), &next);
    ndp_npz_free(npz);
    ndp_buffer_clear(&made);
}

static void check_archive(struct ndp_arena *arena, struct ndp_graph *graph) {
    const struct ndp_graph_form form = {.protocol = 5, .release = NDP_NUMPY_2_3};
    const struct ndp_bytes key = ndp_bytes_view("a");
    struct ndp_buffer npy = {.max_bytes = GRAPH_BYTES_MAX}, made = npy, member = npy;
    struct ndp_npz *npz = NULL;
    const enum ndp_status want = ndp_npy_graph_encode(arena, graph, &form, ndp_write_to_buffer, &npy, NULL);
    const enum ndp_status got = ndp_npz_graph_encode(arena, graph, key, false, &form, ndp_write_to_buffer, &made, NULL);
    if (FUZZ_HOLDS(got == want) && got == NDP_OK &&
        FUZZ_HOLDS(ndp_npz_open_memory(ndp_buffer_view(&made), NULL, &npz, NULL) == NDP_OK)) {
        FUZZ_HOLDS(ndp_npz_read(npz, 0, &member, NULL) == NDP_OK);
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&member), ndp_buffer_view(&npy)));
        FUZZ_HOLDS(ndp_npz_graph_read(npz, arena, 0, &lenient, graph, NULL) == NDP_OK);
    }
    ndp_npz_free(npz);
    ndp_buffer_clear(&npy);
    ndp_buffer_clear(&made);
    ndp_buffer_clear(&member);
}

void fuzz_npz_graph_again(struct ndp_arena *arena, struct ndp_npz *npz, uint64_t index,
                          const struct ndp_buffer *content) {
    struct ndp_graph graph;
    const enum ndp_status want = ndp_npy_graph_decode(arena, ndp_buffer_view(content), NULL, &graph, NULL);
    if (!FUZZ_HOLDS(ndp_npz_graph_read(npz, arena, index, NULL, &graph, NULL) == want) || want != NDP_OK) return;
    check_archive(arena, &graph);
    fuzz_valid(4);
}
