#include "oracle/descriptor_again.h"

#include "fuzz.h"
#include "generate/generate.h"
#include "oracle/failing.h"
#include "oracle/same_descriptor.h"

void fuzz_check_descriptor_again(const struct ndp_descriptor *descriptor, struct ndp_bytes text,
                                 enum ndp_status built) {
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    static struct ndp_buffer printed = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor again;
    printed.size_bytes = 0;
    if (FUZZ_HOLDS(ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &again, NULL) == NDP_OK) &&
        FUZZ_HOLDS(ndp_descriptor_print(&printed, &again) == NDP_OK)) {
        FUZZ_HOLDS(ndp_bytes_is_equal(text, ndp_buffer_view(&printed)));
        FUZZ_HOLDS(ndp_descriptor_check(&arena, &again, NULL) == built);
        FUZZ_HOLDS(fuzz_is_same_descriptor(descriptor, &again));
    }
    if (built == NDP_OK)
        (void)fuzz_check_failing(fuzz_decodes_text, text, 0, fuzz_pick(text.data, (size_t)text.size_bytes));
    ndp_arena_reset(&arena);
}
