#include "oracle/failing_allocation.h"

#include "fuzz.h"

#define ROOM_BYTES (UINT64_C(1) << 28)

bool fuzz_check_failing_allocation(fuzz_decode *decode, struct ndp_bytes bytes, uint64_t pick) {
    static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    const uint64_t before = arena.allocations;
    const enum ndp_status status = decode(&arena, bytes);
    const uint64_t count = arena.allocations - before;
    ndp_arena_reset(&arena);
    if (status != NDP_OK || count == 0) return false;
    ndp_arena_fail_at(&arena, 1 + pick % count);
    FUZZ_HOLDS(decode(&arena, bytes) == NDP_NOMEM);
    ndp_arena_fail_at(&arena, 0);
    ndp_arena_reset(&arena);
    return true;
}
