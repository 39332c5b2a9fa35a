/* fuzz_pickle_numpy.c: the same pickle to the reference and to CPython with NumPy in a resident testee.
 * Oracle: what the reference takes for an array, CPython takes for the same one, by either of its implementations. What
 * the reference refuses is not sent: a pickle is a program, and nobody knows what it would do. */
#include "cases.h"
#include "codec/pickle_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true};
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_pickle_array array = {0};
    const struct ndp_bytes bytes = {data, size};
    const bool is_array = ndp_pickle_decode_memory(&arena, bytes, NULL, &array, NULL) == NDP_OK;
    ndp_pickle_array_clear(&array);
    ndp_arena_clear(&arena);
    if (is_array) fuzz_run_bytes(&cases, "pickle", data, size);
    return 0;
}
