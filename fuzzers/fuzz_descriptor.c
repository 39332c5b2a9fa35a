/* fuzz_descriptor.c: the parser and the printer of descriptors.
 * Oracle: a readable text prints to a text that reads and prints the same, within its exact limits and in memory in
 * proportion to its size, and errors report a place in the text or a failed allocation. */
#include "fuzz.h"
#include "oracle/descriptor_text.h"
#include "oracle/json_limits.h"

enum { MAX_BYTES_PER_BYTE = 4096, FREE_BYTES = 64, LIMIT_ONE_IN = 4 };

static void check_read(struct ndp_arena *arena, struct ndp_bytes input, const struct ndp_descriptor *descriptor) {
    static struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    text.size_bytes = 0;
    if (!FUZZ_HOLDS(ndp_descriptor_print(&text, descriptor) == NDP_OK)) return;
    const enum ndp_status built = ndp_descriptor_check(arena, descriptor, NULL);
    FUZZ_HOLDS(!fuzz_is_typed() || built == NDP_OK);
    fuzz_check_descriptor_text(descriptor, ndp_buffer_view(&text), built);
    if (fuzz_is_due(FUZZ_COSTLY_LIMIT, LIMIT_ONE_IN))
        fuzz_check_json_limits(input, fuzz_pick(input.data, (size_t)input.size_bytes));
    fuzz_valid(text.size_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_descriptor descriptor;
    struct ndp_error error = {0};
    const struct ndp_bytes input = {ndp_arena_copy(&arena, data, size), size};
    const enum ndp_status status =
        ndp_descriptor_read(&arena, input, &ndp_describe_default_limits, &descriptor, &error);
    FUZZ_HOLDS(!fuzz_is_typed() || status == NDP_OK);
    FUZZ_HOLDS(status == NDP_OK || error.offset_bytes <= size || error.offset_bytes == NDP_NO_OFFSET);
    FUZZ_HOLDS(arena.used_bytes <= (size + FREE_BYTES) * MAX_BYTES_PER_BYTE);
    if (status == NDP_OK) check_read(&arena, input, &descriptor);
    ndp_arena_reset(&arena);
    return 0;
}
