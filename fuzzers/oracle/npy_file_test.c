#include "oracle/npy_file.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

static uint64_t hits_of(struct ndp_arena *arena, uint32_t way, enum ndp_status want,
                        const struct ndp_npy_array *first) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npy_file(arena, npy_bytes, way, want, first);
    be_loud(loud);
    return fuzz_hits() - before;
}

/* Ways that write put back what was there. */
static void every_way_gives_the_file(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    decode_file(&arena, &first);
    for (uint32_t way = 0; way < FUZZ_NPY_FILE_WAYS; way++) {
        uint8_t now[sizeof npy_file];
        if (hits_of(&arena, way, NDP_OK, &first) != 0) fail_msg("way %u", (unsigned)way);
        assert_int_equal(pread(fuzz_fd(), now, sizeof now, 0), npy_bytes.size_bytes);
        assert_memory_equal(now, npy_bytes.data, npy_bytes.size_bytes);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

static void what_differs_is_seen_by_every_way(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array first = {0}, none = {0};
    decode_file(&arena, &first);
    first.data[5] ^= 1;
    for (uint32_t way = 0; way < FUZZ_NPY_FILE_WAYS; way++) {
        if (hits_of(&arena, way, NDP_OK, &first) == 0) fail_msg("way %u: another byte", (unsigned)way);
        if (hits_of(&arena, way, NDP_INVALID, &none) == 0) fail_msg("way %u: a refusal", (unsigned)way);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

NDP_SUITE(npy_file_test, cmocka_unit_test(every_way_gives_the_file),
          cmocka_unit_test(what_differs_is_seen_by_every_way));
