/* What is dumped again is what was dumped, in every form, and the oracle sees when it is told of something else. */
#include "oracle/dump_again.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 6 * 102, EDGES = 3, ZEROS = 8192 };

static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};

static void arrays_come_out_as_they_went_in(void **state) {
    (void)state;
    for (uint32_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena;
        struct ndp_npy_array first = {0};
        decode_file(&arena, &first);
        const uint64_t before = fuzz_hits();
        fuzz_dump_again(&arena, &first, pick, pick % 17 == 0, &pool);
        fuzz_dump_again(&arena, &first, pick | UINT32_C(1) << 31, false, &pool);
        if (fuzz_hits() != before) fail_msg("pick %u", pick);
        ndp_npy_array_clear(&first);
        ndp_arena_clear(&arena);
    }
}

/* Zeros give many bytes for few, of every coder: the limits that they do not meet are held to. */
static void zeros_are_held_to_their_limits(void **state) {
    (void)state;
    static uint8_t zeros[ZEROS + 128];
    static const char header[] = "\x93NUMPY\1\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (8192,), }";
    memcpy(zeros, header, sizeof header - 1);
    memset(zeros + sizeof header - 1, ' ', 128 - sizeof header);
    zeros[127] = '\n';
    for (uint32_t pick = 0; pick < PICKS * EDGES; pick += 17) {
        struct ndp_arena arena = {.limit_bytes = 1 << 24};
        struct ndp_npy_array first = {0};
        assert_int_equal(ndp_npy_decode_memory(&arena, (struct ndp_bytes){zeros, sizeof zeros}, NULL, &first, NULL),
                         NDP_OK);
        const uint64_t before = fuzz_hits();
        fuzz_dump_again(&arena, &first, pick, true, &pool);
        if (fuzz_hits() != before) fail_msg("pick %u", pick);
        ndp_npy_array_clear(&first);
        ndp_arena_clear(&arena);
    }
}

/* The elements in memory say another array than the header does. */
static void another_array_is_told(void **state) {
    (void)state;
    for (int is_packed = 0; is_packed < 2; is_packed++) {
        struct ndp_arena arena;
        struct ndp_npy_array first = {0};
        decode_file(&arena, &first);
        first.layout.shape[1] = 2;
        const uint64_t before = fuzz_hits();
        const int loud = be_quiet();
        fuzz_dump_again(&arena, &first, 5, is_packed, &pool);
        be_loud(loud);
        assert_true(fuzz_hits() > before);
        ndp_npy_array_clear(&first);
        ndp_arena_clear(&arena);
    }
}

static int clear_pool(void **state) {
    (void)state;
    ndp_block_pool_clear(&pool);
    return 0;
}

NDP_SUITE_FIXTURE(dump_again_test, NULL, clear_pool, cmocka_unit_test(arrays_come_out_as_they_went_in),
                  cmocka_unit_test(zeros_are_held_to_their_limits), cmocka_unit_test(another_array_is_told));
