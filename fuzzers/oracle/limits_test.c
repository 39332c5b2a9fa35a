#include "oracle/limits.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { TURNS = 8 };

/* How often the oracle finds fault when it is told of `first`. */
static uint64_t hits_of(struct ndp_arena *arena, const struct ndp_npy_array *first, uint64_t which) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npy_limits(arena, npy_bytes, first, which);
    be_loud(loud);
    return fuzz_hits() - before;
}

static void what_is_just_enough_is_enough(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    decode_file(&arena, &first);
    for (uint64_t which = 0; which < TURNS; which++) assert_int_equal(hits_of(&arena, &first, which), 0);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

/* To the oracle, a decoder that is one off looks like an array that is. */
static void one_more_or_less_is_seen(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    decode_file(&arena, &first);
    struct ndp_npy_array other = first;
    other.header.ndim = 1;
    assert_true(hits_of(&arena, &other, 3) > 0);
    other.header.ndim = 3;
    assert_true(hits_of(&arena, &other, 1) > 0);
    other = first;
    other.header.size_bytes -= 1;
    assert_true(hits_of(&arena, &other, 3) > 0);
    other = first;
    other.header.data_offset_bytes -= 1; /* a character less */
    assert_true(hits_of(&arena, &other, 3) > 0);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

NDP_SUITE(limits_test, cmocka_unit_test(what_is_just_enough_is_enough), cmocka_unit_test(one_more_or_less_is_seen));
