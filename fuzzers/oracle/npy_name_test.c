#include "oracle/npy_name.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

static uint64_t hits_of(const struct ndp_npy_array *array, uint32_t way) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npy_name(&arena, array, way);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

/* Of a codec that is right, nothing is found by any way. A type whose byte order is left open is in no file: to refuse
 * it is found by every way but by those that are none. */
static void a_refusal_is_seen_by_every_way(void **state) {
    (void)state;
    static const struct ndp_dtype open_order = {.kind = NDP_KIND_INT, .itemsize_bytes = 1, .order = NDP_ORDER_NATIVE};
    struct ndp_arena arena;
    struct ndp_npy_array first = {0};
    decode_file(&arena, &first);
    struct ndp_npy_array other = first;
    other.header.dtype = &open_order;
    for (uint32_t way = 0; way < FUZZ_NPY_NAMES; way++) {
        if (hits_of(&first, way) != 0) fail_msg("way %u", (unsigned)way);
        if (hits_of(&other, way) == 0) fail_msg("way %u: a refusal", (unsigned)way);
    }
    assert_int_equal(hits_of(&other, FUZZ_NPY_NAMES), 0);
    ndp_npy_array_clear(&first);
    ndp_arena_clear(&arena);
}

NDP_SUITE(npy_name_test, cmocka_unit_test(a_refusal_is_seen_by_every_way));
