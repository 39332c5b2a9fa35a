#include "base/byteorder.h"
#include "base/rng.h"
#include "base/suite.h"
#include "codec/data_memory.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/npy_sample.h"
#include "codec/pickle/pickle_codec.h"
#include "codec/pickle/pickle_vectors.h"
#include "codec/source_fixture.h"

static void check_decoded(const struct sample *sample, enum ndp_status status, struct ndp_pickle_array *got) {
    const struct ndp_layout *layout = &sample->layout;
    const uint64_t size = ndp_layout_count(layout) * sample->elements.dtype->itemsize_bytes;
    assert_int_equal(status, NDP_OK);
    assert_int_equal(ndp_dtype_compare(got->dtype, sample->elements.dtype, NULL), 0);
    assert_int_equal(got->layout.ndim, layout->ndim);
    assert_memory_equal(got->layout.shape, layout->shape, layout->ndim * sizeof(layout->shape[0]));
    if (size > 0) {
        const uint64_t itemsize = sample->elements.dtype->itemsize_bytes;
        assert_int_equal(ndp_layout_is_c_contiguous(&got->layout, itemsize),
                         ndp_layout_is_c_contiguous(layout, itemsize));
        assert_int_equal(ndp_layout_is_f_contiguous(&got->layout, itemsize),
                         ndp_layout_is_f_contiguous(layout, itemsize));
    }
    assert_int_equal(got->size_bytes, size);
    if (size > 0) assert_memory_equal(got->data, sample->elements.data, size);
    ndp_pickle_codec_array_clear(got);
}

static void check_vector(size_t row, uint32_t protocol, enum ndp_numpy_release release, uint64_t size_bytes,
                         uint64_t hash) {
    struct sample sample;
    struct ndp_pickle_array got = {0};
    const struct ndp_array_form form = {.protocol = protocol};
    sample_make(&sample, &npy_vectors[row]);
    NDP_BUFFER_SCOPED(bytes, 1 << 26);
    assert_int_equal(ndp_pickle_codec_encode(&sample.arena, &sample.elements, &form, release, ndp_write_to_buffer,
                                             &bytes, NULL, NULL),
                     NDP_OK);
    if (bytes.size_bytes != size_bytes || ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START) != hash)
        fail_msg("%s, %u axes, protocol %u, release %d: not what NumPy writes", npy_vectors[row].dtype,
                 npy_vectors[row].ndim, protocol, (int)release);
    check_decoded(&sample, ndp_pickle_codec_decode_memory(&sample.arena, ndp_buffer_view(&bytes), NULL, &got, NULL),
                  &got);
    struct source source = {ndp_cursor_view(ndp_buffer_view(&bytes)), 1 + row % 7, NDP_OK};
    check_decoded(&sample, ndp_pickle_codec_decode_stream(&sample.arena, read_source, &source, NULL, &got, NULL), &got);
    ndp_arena_clear(&sample.arena);
}

static void pickles_equal_numpys_and_round_trip(void **state) {
    /* The vectors are from a little-endian machine, where big-endian dtypes are foreign. */
    if (!ndp_byteorder_host_is_little()) skip();
    assert_int_equal(NDP_ARRAY_LEN(pickle_vectors_1), NDP_ARRAY_LEN(npy_vectors));
    assert_int_equal(NDP_ARRAY_LEN(pickle_vectors_2), NDP_ARRAY_LEN(npy_vectors));
    for (size_t row = 0; row < NDP_ARRAY_LEN(npy_vectors); row++) {
        for (uint32_t protocol = 0; protocol <= 5; protocol++) {
            const struct pickle_vector *old = &pickle_vectors_1[row];
            const struct pickle_vector *new = &pickle_vectors_2[row];
            if (old->protocols[0].size_bytes > 0)
                check_vector(row, protocol, NDP_NUMPY_1, old->protocols[protocol].size_bytes,
                             old->protocols[protocol].hash);
            check_vector(row, protocol, NDP_NUMPY_2_3, new->protocols[protocol].size_bytes,
                         new->protocols[protocol].hash);
        }
    }
}

/* pickle.dumps(a, 5, buffer_callback=...) of NumPy 2.3.5 for a (2, 3) array of int16. */
static const uint8_t out_of_band[] =
    "\x80\x05\x95\x6d\x00\x00\x00\x00\x00\x00\x00\x8c\x13numpy._core.numeric\x94\x8c\x0b_frombuffer\x94\x93\x94(\x97"
    "\x8c\x05numpy\x94\x8c\x05"
    "dtype\x94\x93\x94\x8c\x02i2\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff"
    "\xffJ\xff\xff\xff\xffK\x00t\x94"
    "bK\x02K\x03\x86\x94\x8c\x01"
    "C\x94t\x94R\x94.";

static void out_of_band_buffers_round_trip(void **state) {
    static const struct npy_vector vector = {"\"<i2\"", 2, {2, 3}, false, NULL, 0, 0};
    struct sample sample;
    struct ndp_blob data = {0};
    struct ndp_pickle_array got = {0};
    struct ndp_array_form form = {.protocol = 5, .is_out_of_band = true};
    sample_make(&sample, &vector);
    NDP_BUFFER_SCOPED(bytes, 1 << 16);
    assert_int_equal(ndp_pickle_codec_encode(&sample.arena, &sample.elements, &form, NDP_NUMPY_2_3, ndp_write_to_buffer,
                                             &bytes, &data, NULL),
                     NDP_OK);
    assert_int_equal(bytes.size_bytes, sizeof(out_of_band) - 1);
    assert_memory_equal(bytes.data, out_of_band, sizeof(out_of_band) - 1);
    assert_ptr_equal(data.bytes.data, sample.elements.data);
    struct ndp_pickle_buffer buffers[2] = {{data.bytes, false}, {data.bytes, false}};
    struct ndp_pickle_input input = {buffers, 1};
    check_decoded(&sample, ndp_pickle_codec_decode_memory(&sample.arena, ndp_buffer_view(&bytes), &input, &got, NULL),
                  &got);
    for (uint64_t wrong = 0; wrong <= 2; wrong += 2) {
        input.buffer_count = wrong;
        assert_int_equal(ndp_pickle_codec_decode_memory(&sample.arena, ndp_buffer_view(&bytes), &input, &got, NULL),
                         NDP_INVALID);
    }
    input.buffer_count = 1;
    buffers[0].is_readonly = true;
    assert_int_equal(ndp_pickle_codec_decode_memory(&sample.arena, ndp_buffer_view(&bytes), &input, &got, NULL),
                     NDP_OK);
    assert_false(got.is_writeable);
    ndp_pickle_codec_array_clear(&got);
    buffers[0].bytes.size_bytes--;
    assert_int_equal(ndp_pickle_codec_decode_memory(&sample.arena, ndp_buffer_view(&bytes), &input, &got, NULL),
                     NDP_INVALID);
    ndp_arena_clear(&sample.arena);
}

/* The decoder fails cleanly at the n-th allocation and leaks nothing. */
static void every_failing_allocation_is_reported(void **state) {
    static const struct npy_vector vector = {
        "{\"fields\":[{\"name\":\"a\",\"title\":\"T\",\"offset\":0,\"dtype\":\"<M8[ns]\"},{\"name\":\"b\",\"offset\":8,"
        "\"dtype\":{\"base\":\"|S2\",\"shape\":[2]}}],\"itemsize\":12}",
        1,
        {3},
        false,
        NULL,
        0,
        0};
    struct sample sample;
    sample_make(&sample, &vector);
    for (uint32_t protocol = 0; protocol <= 5; protocol += 5) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status == NDP_NOMEM; call++) {
            struct ndp_pickle_array got = {0};
            const struct ndp_array_form form = {.protocol = protocol};
            NDP_ARENA_SCOPED(arena, 1 << 20);
            NDP_BUFFER_SCOPED(bytes, 1 << 16);
            ndp_arena_fail_at(&arena, call);
            status = ndp_pickle_codec_encode(&arena, &sample.elements, &form, NDP_NUMPY_2_3, ndp_write_to_buffer,
                                             &bytes, NULL, NULL);
            if (status == NDP_OK)
                status = ndp_pickle_codec_decode_memory(&arena, ndp_buffer_view(&bytes), NULL, &got, NULL);
            if (status != NDP_OK && status != NDP_NOMEM)
                fail_msg("protocol %u, call %u: %s", protocol, (unsigned)call, ndp_status_text(status));
            assert_true(status == NDP_OK || got.data == NULL);
            if (status == NDP_OK) assert_true(call > 100);
            ndp_pickle_codec_array_clear(&got);
        }
        assert_int_equal(status, NDP_OK);
    }
    ndp_arena_clear(&sample.arena);
}

/* A stream that claims 2^40 bytes and delivers few: the memory is bounded by the bytes delivered. */
struct source_of_zeros {
    struct ndp_cursor head;
    uint64_t left_bytes;
};

static enum ndp_status read_zeros(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct source_of_zeros *zeros = from;
    struct ndp_bytes piece;
    uint64_t count = room_bytes;
    if (ndp_cursor_left(&zeros->head) > 0) {
        if (count > ndp_cursor_left(&zeros->head)) count = ndp_cursor_left(&zeros->head);
        NDP_TRY(ndp_cursor_take(&zeros->head, count, &piece));
        memcpy(to, piece.data, (size_t)count);
    } else {
        if (count > zeros->left_bytes) count = zeros->left_bytes;
        if (count > 0) memset(to, 0, (size_t)count);
        zeros->left_bytes -= count;
    }
    *got_bytes = count;
    return NDP_OK;
}

static void a_claimed_length_is_not_allocated(void **state) {
    static const uint8_t head[] = "\x80\x05\x96\x00\x00\x00\x00\x00\x01\x00\x00";
    struct source_of_zeros zeros = {ndp_cursor_view((struct ndp_bytes){head, sizeof(head) - 1}), 3 << 20};
    struct ndp_pickle_array got = {0};
    struct ndp_error error = {0};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    assert_int_equal(ndp_pickle_codec_decode_stream(&arena, read_zeros, &zeros, NULL, &got, &error), NDP_TRUNCATED);
    assert_int_equal(error.offset_bytes, 2);
    assert_null(got.data);
}

NDP_SUITE(pickle_codec_test, NDP_TEST(pickles_equal_numpys_and_round_trip), NDP_TEST(out_of_band_buffers_round_trip),
          NDP_TEST(every_failing_allocation_is_reported), NDP_TEST(a_claimed_length_is_not_allocated));
