/* What an archive gives again is what went in, and the oracle sees when it is told of something else. The file with
 * objects is numpy.save of numpy.array([None], "O"), NumPy 1.26.4. */
#include "oracle/npz_again.h"

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "runtime/hits_fixture.h"

static const char none_file[] = "\x93NUMPY\1\0v\0{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
                                "                                                             \n"
                                "\x80\x03"
                                "cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nq\1K\0\x85q\2C\1bq\3"
                                "\x87q\4Rq\5(K\1K\1\x85q\6cnumpy\ndtype\nq\7X\2\0\0\0O8q\x08\x89\x88\x87q\tRq\n"
                                "(K\3X\1\0\0\0|q\x0bNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tq\x0c"
                                "b\x89]q\rNatq\x0e"
                                "b.";

/* Of eight sizes: with archives of one a sink fails, of another a directory is spoilt. */
static void archives_of_many_sizes_are_looked_at(void **state) {
    (void)state;
    for (int rows = '1'; rows <= '8'; rows++) {
        struct ndp_arena arena;
        struct ndp_npy_array array = {0};
        char file[sizeof npy_file + 24] = {0};
        memcpy(file, npy_file, sizeof npy_file);
        *strstr(file + 10, "2, 3") = (char)rows;
        ndp_arena_init(&arena, 1 << 20);
        assert_int_equal(
            ndp_npy_decode_memory(&arena, (struct ndp_bytes){(uint8_t *)file, sizeof file}, NULL, &array, NULL),
            NDP_OK);
        const uint64_t before = fuzz_hits();
        fuzz_npz_array_again(&arena, &array, false);
        assert_int_equal(fuzz_hits(), before);
        ndp_npy_array_clear(&array);
        ndp_arena_clear(&arena);
    }
}

static void arrays_come_out_as_they_went_in(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    decode_file(&arena, &first);
    for (int is_deflated = 0; is_deflated < 2; is_deflated++) {
        const uint64_t before = fuzz_hits();
        fuzz_npz_array_again(&arena, &first, is_deflated);
        assert_int_equal(fuzz_hits(), before);
    }
    /* Bytes that a reader could take for the end of an archive are elements like others. */
    memcpy(first.data, "PK\5\6", 4);
    const uint64_t strays = fuzz_hits();
    fuzz_npz_array_again(&arena, &first, false);
    assert_int_equal(fuzz_hits(), strays);
    /* The elements in memory say another array than the header does. */
    first.layout.shape[1] = 2;
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npz_array_again(&arena, &first, false);
    be_loud(loud);
    assert_true(fuzz_hits() > before);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

/* How often the oracle finds fault with an archive of `npy` when it is told of `content`. */
static uint64_t graph_hits(struct ndp_bytes npy, struct ndp_bytes content) {
    struct ndp_arena arena, made_arena;
    struct ndp_graph graph;
    struct ndp_npz *npz = NULL;
    const struct ndp_graph_form form = {.protocol = 3, .release = NDP_NUMPY_1};
    struct ndp_buffer archive = {.max_bytes = 1 << 20}, told = archive;
    ndp_arena_init(&arena, 1 << 24);
    ndp_arena_init(&made_arena, 1 << 24);
    assert_int_equal(ndp_npy_graph_decode(&made_arena, npy, NULL, &graph, NULL), NDP_OK);
    assert_int_equal(ndp_npz_graph_encode(&made_arena, &graph, ndp_bytes_view("a"), false, &form, ndp_write_to_buffer,
                                          &archive, NULL),
                     NDP_OK);
    assert_int_equal(ndp_npz_open_memory(ndp_buffer_view(&archive), NULL, &npz, NULL), NDP_OK);
    assert_int_equal(ndp_buffer_add(&told, content.data, content.size_bytes), NDP_OK);
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npz_graph_again(&arena, npz, 0, &told);
    be_loud(loud);
    ndp_npz_free(npz);
    ndp_buffer_clear(&archive);
    ndp_buffer_clear(&told);
    ndp_arena_clear(&made_arena);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void graphs_come_out_as_they_went_in(void **state) {
    (void)state;
    const struct ndp_bytes npy = {(const uint8_t *)none_file, sizeof none_file - 1};
    assert_int_equal(graph_hits(npy, npy), 0);
    assert_true(graph_hits(npy, (struct ndp_bytes){npy.data, npy.size_bytes - 1}) > 0);
    assert_true(graph_hits(npy, npy_bytes) > 0);
}

NDP_SUITE(npz_again_test, cmocka_unit_test(archives_of_many_sizes_are_looked_at),
          cmocka_unit_test(arrays_come_out_as_they_went_in), cmocka_unit_test(graphs_come_out_as_they_went_in));
