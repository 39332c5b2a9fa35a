/* What is encoded again is what was read, byte for byte where NumPy wrote it, and the oracle sees when it is told of
 * something else. */
#include "oracle/npy_again.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

/* How often the oracle finds fault with an array; `out` is the file that it made. */
static uint64_t hits(struct ndp_arena *arena, const struct ndp_npy_array *array, struct ndp_buffer *out) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npy_again(arena, array, out);
    be_loud(loud);
    return fuzz_hits() - before;
}

static void arrays_come_out_as_they_went_in(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    struct ndp_buffer file = {.max_bytes = 1 << 10}, other = file;
    decode_file(&arena, &first);
    assert_int_equal(hits(&arena, &first, &file), 0);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&file), npy_bytes));
    /* The elements in memory say another array than the header does. */
    first.layout.shape[1] = 2;
    assert_true(hits(&arena, &first, &other) > 0);
    ndp_buffer_clear(&file);
    ndp_buffer_clear(&other);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

NDP_SUITE(npy_again_test, cmocka_unit_test(arrays_come_out_as_they_went_in));
