/* Every path through the machine writes the same pickle, and the streams of these checks fail where they should. */
#include "base/suite.h"
#include "form/streams.h"
#include "oracle/joblib_paths.h"
#include "oracle/pickle_paths.h"
#include "runtime/hits_fixture.h"

enum { ROUNDS = 256 };

/* pickle.dumps([1, "abc", shared, shared], 2) of CPython 3.11, where shared = []. */
static const char pickle[] = "\x80\2]q\0(K\1X\3\0\0\0abcq\1]q\2h\2e.";
static const struct ndp_bytes bytes = {(const uint8_t *)pickle, sizeof pickle - 1};

static void test_all_paths_agree(void **state) {
    for (int round = 0; round < ROUNDS; round++, fuzz_next_round()) {
        fuzz_check_pickle_paths(bytes);
        fuzz_check_pickle_paths((struct ndp_bytes){bytes.data, (uint64_t)round % bytes.size_bytes});
        fuzz_check_joblib_paths(bytes);
    }
    assert_int_equal(fuzz_hits(), 0);
}

static void test_another_protocol_writes_other_bytes(void **state) {
    struct fuzz_expected same = {bytes, false}, other = same;
    assert_int_equal(fuzz_rewrite_pickle(ndp_source_memory(bytes), 2, fuzz_write_expected, &same), NDP_OK);
    assert_int_equal(fuzz_rewrite_pickle(ndp_source_memory(bytes), 3, fuzz_write_expected, &other), NDP_OK);
    assert_true(fuzz_is_expected(&same));
    assert_false(fuzz_is_expected(&other));
}

static void test_a_stream_fails_once_after_its_bytes(void **state) {
    for (uint64_t place = 0; place <= bytes.size_bytes; place++) {
        struct fuzz_failing stream = fuzz_failing_stream(bytes, place);
        uint8_t got[64];
        uint64_t have = 0, more = 1;
        enum ndp_status status = NDP_OK;
        while (status == NDP_OK && more > 0) {
            more = 0;
            status = fuzz_read_failing(&stream, got + have, sizeof got - have, &more);
            have += more;
        }
        assert_int_equal(have, place);
        assert_memory_equal(got, bytes.data, place);
        assert_int_equal(status, place < bytes.size_bytes ? NDP_IO : NDP_OK);
        assert_int_equal(fuzz_is_reported(&stream, NDP_OK, NDP_OK), place == bytes.size_bytes);
        if (place < bytes.size_bytes) assert_int_equal(fuzz_read_failing(&stream, got, sizeof got, &more), NDP_OK);
    }
}

static void test_a_sink_fails_once_after_its_bytes(void **state) {
    struct fuzz_failing sink = {.left_bytes = 4};
    assert_int_equal(fuzz_write_failing(&sink, "abcd", 4), NDP_OK);
    assert_true(fuzz_is_reported(&sink, NDP_OK, NDP_OK));
    assert_int_equal(fuzz_write_failing(&sink, "ef", 2), NDP_IO);
    assert_int_equal(fuzz_write_failing(&sink, "gh", 2), NDP_OK);
    assert_true(fuzz_is_reported(&sink, NDP_IO, NDP_OK));
    assert_false(fuzz_is_reported(&sink, NDP_TRUNCATED, NDP_TRUNCATED));
}

NDP_SUITE(pickle_paths_test, NDP_TEST(test_all_paths_agree), NDP_TEST(test_another_protocol_writes_other_bytes),
          NDP_TEST(test_a_stream_fails_once_after_its_bytes), NDP_TEST(test_a_sink_fails_once_after_its_bytes));
