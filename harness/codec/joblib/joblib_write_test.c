#include "base/rng.h"
#include "base/suite.h"
#include "codec/joblib/joblib_sample.h"
#include "codec/joblib/joblib_vectors.h"
#include "codec/joblib/joblib_write.h"

static void dumps_equal_joblibs(void **state) {
    assert_int_equal(NDP_ARRAY_LEN(npy_vectors), NDP_ARRAY_LEN(joblib_vectors));
    for (size_t i = 0; i < NDP_ARRAY_LEN(npy_vectors); i++) {
        SAMPLE(sample, &npy_vectors[i]);
        for (uint32_t protocol = 0; protocol < 6 && joblib_vectors[i][0].size_bytes > 0; protocol++) {
            const struct joblib_vector *want = &joblib_vectors[i][protocol];
            const struct ndp_joblib_output output = output_of(protocol);
            struct ndp_buffer bytes;
            encode(&sample, &output, &bytes);
            const uint64_t hash = ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START);
            if (bytes.size_bytes != want->size_bytes || hash != want->hash)
                fail_msg("%s, %u axes, protocol %u: not what joblib writes", npy_vectors[i].dtype, npy_vectors[i].ndim,
                         protocol);
            ndp_buffer_clear(&bytes);
        }
    }
}

/* The data start on a multiple of the alignment, after a byte that counts the 0xff bytes after it. Source: joblib 1.2
 * to 1.5, numpy_pickle.py, NumpyArrayWrapper.write_array; before 1.2 there was neither. */
static void padding_reaches_every_alignment(void **state) {
    static const uint32_t alignments[] = {0, 1, 2, 16, 64, 255};
    SAMPLE(sample, &npy_vectors[0]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(alignments); i++) {
        struct ndp_joblib_output output = output_of(3);
        struct ndp_buffer bytes;
        output.form.alignment_bytes = alignments[i];
        encode(&sample, &output, &bytes);
        /* The elements of the vector are 24 bytes; the last byte of the file is STOP. */
        const uint64_t data_at = bytes.size_bytes - 1 - sample.size_bytes;
        assert_memory_equal(bytes.data + data_at, sample.elements.data, sample.size_bytes);
        assert_int_equal(bytes.data[bytes.size_bytes - 1], '.');
        if (alignments[i] > 0) {
            assert_int_equal(data_at % alignments[i], 0);
            uint64_t at = data_at;
            while (bytes.data[at - 1] == 0xff) at--;
            assert_int_equal(bytes.data[at - 1], data_at - at);
            assert_in_range(data_at - at, 1, alignments[i]);
        }
        ndp_buffer_clear(&bytes);
    }
}

static enum ndp_status write_limited(void *sink, const void *bytes, uint64_t size_bytes) {
    uint64_t *left_bytes = sink;
    (void)bytes;
    if (size_bytes > *left_bytes) return NDP_IO;
    *left_bytes -= size_bytes;
    return NDP_OK;
}

static void errors_are_reported(void **state) {
    const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    const struct ndp_layout huge = {.ndim = 2, .shape = {INT64_C(1) << 32, INT64_C(1) << 32}};
    SAMPLE(sample, &npy_vectors[0]);
    for (int i = 0; i < 5; i++) {
        static const enum ndp_status expected[] = {NDP_UNSUPPORTED, NDP_LIMIT, NDP_LIMIT, NDP_INVALID, NDP_IO};
        struct ndp_elements elements = sample.elements;
        struct ndp_joblib_output output = output_of(3);
        struct ndp_error error = {0};
        uint64_t left = i == 4 ? 0 : UINT64_MAX;
        if (i == 0) elements.dtype = &object;
        if (i == 1) elements.layout = &huge;
        if (i == 2) output.form.alignment_bytes = 256;
        if (i >= 3) output.method = NDP_COMPRESS_ZLIB;
        if (i == 3) output.level = 10;
        const enum ndp_status status =
            ndp_joblib_write_array(&sample.arena, &elements, &output, write_limited, &left, &error);
        if (status != expected[i]) fail_msg("case %d: %s, %s", i, ndp_status_name(status), error.text);
        assert_int_equal(error.status, status);
    }
    uint64_t call = 0;
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
        const struct ndp_joblib_output output = output_of(1);
        uint64_t left = UINT64_MAX;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_joblib_write_array(&arena, &sample.elements, &output, write_limited, &left, NULL);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
    }
    assert_true(call > 40);
}

NDP_SUITE(joblib_write_test, NDP_TEST(dumps_equal_joblibs), NDP_TEST(padding_reaches_every_alignment),
          NDP_TEST(errors_are_reported));
