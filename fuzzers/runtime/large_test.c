/* A value is large by what its shapes say, and by no more than that. */
#include <string.h>

#include "base/status.h"
#include "base/suite.h"
#include "runtime/large.h"

#define BASE(more)  "{\"base\":{\"dtype\":\"<f8\",\"shape\":[5,4]" more "}"
#define ARRAY(more) "{\"value\":{\"array\":" BASE("") more "}}}"

/* The bytes of the base, once more for each view, with what is before a map. */
static const struct {
    const char *text;
    uint64_t bytes;
} values[] = {
    {ARRAY(""), 160},
    {ARRAY(",\"views\":[{\"transpose\":[1,0]}]"), 320},
    {ARRAY(",\"views\":[{\"broadcast\":[3,5,4]},{\"newaxis\":0}]"), 160 + 2 * 480},
    {ARRAY(",\"views\":[{\"as_dtype\":\"|S16\"},{\"broadcast\":[2,5,2]}]"), 160 + 160 + 320},
    {ARRAY(",\"views\":[{\"broadcast\":[9000000000000000,9000000000000000,5,4]},{\"newaxis\":0}]"), UINT64_MAX},
    {"{\"value\":{\"array\":" BASE(",\"memmap\":{\"mode\":\"r\",\"offset\":7}") "}}}", 167},
    {"{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[0,9000000000000000]}}}}", 0},
    {"{\"value\":{\"graph\":{\"nodes\":[{\"list\":[1,2]},{\"array\":" BASE("") "}},{\"array\":" BASE("") "}}]}}}", 320},
    {"{\"value\":{\"graph\":{\"nodes\":[{\"list\":[]}]}}}", 0},
};

static void sizes_are_multiplied_out(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    for (size_t i = 0; i < NDP_ARRAY_LEN(values); i++) {
        struct ndp_descriptor read;
        struct ndp_error error = {0};
        const struct ndp_bytes text = {(const uint8_t *)values[i].text, strlen(values[i].text)};
        if (ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &read, &error) != NDP_OK)
            fail_msg("%s: %s", values[i].text, error.text);
        const uint64_t bytes = values[i].bytes;
        if (fuzz_is_large(&read.value, bytes) || (bytes > 0 && !fuzz_is_large(&read.value, bytes - 1)))
            fail_msg("%s: not %llu", values[i].text, (unsigned long long)bytes);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
}

NDP_SUITE(large_test, cmocka_unit_test(sizes_are_multiplied_out));
