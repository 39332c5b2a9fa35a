#include "oracle/descriptor_text.h"

#include "fuzz.h"
#include "model/array.h"
#include "model/equality.h"
#include "oracle/failing_allocation.h"

enum { FAILURE_ONE_IN = 16 };
#define VALUE_BYTES (UINT64_C(1) << 20)

/* Reads the text and builds the value, without its elements if these are many. */
static enum ndp_status decode(struct ndp_arena *arena, struct ndp_bytes bytes) {
    struct ndp_describe_limits limits = ndp_describe_default_limits;
    struct ndp_descriptor descriptor;
    struct ndp_array built;
    limits.value_bytes = VALUE_BYTES;
    NDP_TRY(ndp_descriptor_read(arena, bytes, &limits, &descriptor, NULL));
    NDP_TRY(ndp_descriptor_check(arena, &descriptor, NULL));
    if (descriptor.kind != NDP_CASE_ROUND_TRIP || descriptor.value.kind != NDP_VALUE_ARRAY) return NDP_OK;
    return ndp_array_build(arena, &descriptor.value.array, true, &built, NULL);
}

/* Whether the model builds the same array of both descriptors, and their routes are the same. The elements are not
 * built: their pattern is part of the printed text. */
static bool is_same_case(struct ndp_arena *arena, const struct ndp_descriptor *a, const struct ndp_descriptor *b) {
    struct ndp_array built[2];
    struct ndp_observation seen[2];
    struct ndp_comparison same;
    char routes[2][NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(&a->route, routes[0]);
    ndp_descriptor_print_route(&b->route, routes[1]);
    if (a->kind != b->kind || a->value.kind != b->value.kind || strcmp(routes[0], routes[1]) != 0) return false;
    if (a->kind != NDP_CASE_ROUND_TRIP || a->value.kind != NDP_VALUE_ARRAY) return true;
    for (int i = 0; i < 2; i++)
        if (ndp_array_build_layout(arena, i == 0 ? &a->value.array : &b->value.array, true, &built[i], NULL) !=
                NDP_OK ||
            ndp_array_observe(arena, &built[i], &seen[i]) != NDP_OK)
            return i == 0;
    ndp_equality_clear(&same);
    ndp_equality_compare_dtype(&seen[0], &seen[1], UINT32_MAX, &same);
    ndp_equality_compare_shape(&seen[0], &seen[1], &same);
    ndp_equality_compare_flags(&seen[0], &seen[1], UINT32_MAX, &same);
    ndp_equality_compare_class(&seen[0], &seen[1], &same);
    return same.total == 0;
}

void fuzz_check_descriptor_text(const struct ndp_descriptor *descriptor, struct ndp_bytes text, enum ndp_status built) {
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    static struct ndp_buffer printed = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor again;
    printed.size_bytes = 0;
    if (FUZZ_HOLDS(ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &again, NULL) == NDP_OK) &&
        FUZZ_HOLDS(ndp_descriptor_print(&printed, &again) == NDP_OK)) {
        FUZZ_HOLDS(ndp_bytes_is_equal(text, ndp_buffer_view(&printed)));
        FUZZ_HOLDS(ndp_descriptor_check(&arena, &again, NULL) == built);
        FUZZ_HOLDS(is_same_case(&arena, descriptor, &again));
    }
    ndp_arena_reset(&arena);
    if (built == NDP_OK && fuzz_is_due(FUZZ_COSTLY_FAILURE, FAILURE_ONE_IN))
        (void)fuzz_check_failing_allocation(decode, text, fuzz_pick(text.data, (size_t)text.size_bytes));
}
