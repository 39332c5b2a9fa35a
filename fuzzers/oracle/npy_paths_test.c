/* Every path of the reference gives what decoding from memory gives, and a difference is found. */
#include "base/suite.h"
#include "oracle/npy_paths.h"
#include "oracle/npy_spelling.h"
#include "runtime/hits_fixture.h"

enum { ROUNDS = 64, PICKS = 400 };

static void test_all_paths_agree(void **state) {
    for (uint64_t cut = 0; cut < npy_bytes.size_bytes; cut++)
        fuzz_check_npy_paths((struct ndp_bytes){npy_bytes.data, npy_bytes.size_bytes - cut});
    for (int round = 0; round < ROUNDS; round++, fuzz_next_round()) fuzz_check_npy_paths(npy_bytes);
    assert_int_equal(fuzz_hits(), 0);
}

/* Files the difference between the array of the file and `other`; returns how many were filed. */
static uint64_t hits_of(enum ndp_status want, struct ndp_npy_array other) {
    struct ndp_arena arena;
    struct ndp_npy_array first;
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    decode_file(&arena, &first);
    other.data = first.data;
    fuzz_check_same_npy("test", want, &other, NDP_OK, &first);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void test_a_difference_is_found(void **state) {
    struct ndp_arena arena;
    struct ndp_npy_array first, other;
    decode_file(&arena, &first);
    assert_int_equal(hits_of(NDP_OK, first), 0);
    assert_int_equal(hits_of(NDP_INVALID, first), 1);
    other = first;
    other.header.shape[0] = 3;
    assert_int_equal(hits_of(NDP_OK, other), 1);
    other = first;
    other.header.is_fortran_order = true;
    assert_int_equal(hits_of(NDP_OK, other), 1);
    other = first;
    other.header.size_bytes--;
    assert_int_equal(hits_of(NDP_OK, other), 1);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

/* The header of the file has 118 characters, two axes, brackets two deep, and 6 bytes of data. */
static void test_limits_match_the_header(void **state) {
    struct ndp_arena arena;
    struct ndp_npy_array first;
    decode_file(&arena, &first);
    const struct ndp_npy_options needs = fuzz_npy_needs(npy_bytes, &first.header);
    assert_int_equal(needs.header_chars, 118);
    assert_int_equal(needs.max_ndim, 2);
    assert_int_equal(needs.max_nesting, 2);
    assert_int_equal(needs.data_bytes, 6);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

static bool has_text(const struct ndp_buffer *file, const char *text) {
    const size_t size = strlen(text);
    for (uint64_t i = 0; i + size <= file->size_bytes; i++)
        if (memcmp(file->data + i, text, size) == 0) return true;
    return false;
}

static void test_a_header_is_spelled_by_each_rule(void **state) {
    static const char *const spellings[] = {"\"descr\"", "'descr'\t:", "('|u1')", "(2), ", "  'shape'"};
    uint32_t seen[NDP_ARRAY_LEN(spellings)] = {0};
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena;
        struct ndp_npy_array first, next;
        struct ndp_buffer made = {.max_bytes = 1 << 12};
        decode_file(&arena, &first);
        assert_int_equal(fuzz_npy_respell(&arena, npy_bytes, pick, &made), NDP_OK);
        assert_int_equal(ndp_npy_decode_memory(&arena, ndp_buffer_view(&made),
                                               &(struct ndp_npy_options){.is_lenient = true}, &next, NULL),
                         NDP_OK);
        fuzz_check_same_npy("test", NDP_OK, &first, NDP_OK, &next);
        for (size_t i = 0; i < NDP_ARRAY_LEN(spellings); i++) seen[i] += has_text(&made, spellings[i]);
        ndp_npy_array_clear(&first);
        ndp_buffer_clear(&made);
        ndp_arena_clear(&arena);
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(spellings); i++)
        if (seen[i] == 0) fail_msg("no header with %s", spellings[i]);
}

NDP_SUITE(npy_paths_test, NDP_TEST(test_all_paths_agree), NDP_TEST(test_a_difference_is_found),
          NDP_TEST(test_limits_match_the_header), NDP_TEST(test_a_header_is_spelled_by_each_rule));
