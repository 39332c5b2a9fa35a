#include "oracle/failing.h"

#include "codec/joblib/joblib_read.h"
#include "codec/pickle/pickle_codec.h"
#include "fuzz.h"
#include "generate/generate.h"
#include "oracle/graph_again.h"

enum { ONE_IN = 8 };
#define ROOM_BYTES  (UINT64_C(1) << 28)
#define VALUE_BYTES (UINT64_C(1) << 20)

enum ndp_status fuzz_decodes_npy(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    struct ndp_npy_array array = {0};
    (void)form;
    const enum ndp_status status = ndp_npy_decode_memory(arena, bytes, NULL, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

enum ndp_status fuzz_decodes_pickled(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    struct ndp_pickle_array array = {0};
    (void)form;
    const enum ndp_status status = ndp_pickle_decode_memory(arena, bytes, NULL, &array, NULL);
    ndp_pickle_array_clear(&array);
    return status;
}

enum ndp_status fuzz_decodes_dump(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24}};
    struct ndp_npy_array array = {0};
    (void)form;
    const enum ndp_status status = ndp_joblib_decode_memory(arena, bytes, &options, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

enum ndp_status fuzz_decodes_graph(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    struct ndp_graph graph;
    return fuzz_graph_decode(arena, (enum fuzz_container)form, bytes, &graph, NULL);
}

enum ndp_status fuzz_decodes_text(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) {
    struct ndp_describe_limits limits = ndp_describe_default_limits;
    struct ndp_descriptor descriptor;
    struct ndp_array built;
    (void)form;
    limits.value_bytes = VALUE_BYTES;
    NDP_TRY(ndp_descriptor_read(arena, bytes, &limits, &descriptor, NULL));
    NDP_TRY(ndp_descriptor_check(arena, &descriptor, NULL));
    if (descriptor.kind != NDP_CASE_ROUND_TRIP || descriptor.value.kind != NDP_VALUE_ARRAY) return NDP_OK;
    return ndp_array_build(arena, &descriptor.value.array, true, &built, NULL);
}

bool fuzz_check_failing(enum ndp_status (*decode)(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form),
                        struct ndp_bytes bytes, uint64_t form, uint64_t pick) {
    static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    if (pick % ONE_IN != 0) return false;
    const uint64_t before = arena.allocations;
    const enum ndp_status status = decode(&arena, bytes, form);
    const uint64_t count = arena.allocations - before;
    ndp_arena_reset(&arena);
    if (status != NDP_OK || count == 0) return false;
    ndp_arena_fail_at(&arena, 1 + pick / ONE_IN % count);
    FUZZ_HOLDS(decode(&arena, bytes, form) == NDP_NOMEM);
    ndp_arena_fail_at(&arena, 0);
    ndp_arena_reset(&arena);
    return true;
}
