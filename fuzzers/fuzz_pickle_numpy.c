/* fuzz_pickle_numpy.c: the same pickle to the reference and to CPython with NumPy in a resident testee.
 * Oracle: what the reference takes for an array, CPython takes for the same one, by either of its implementations: its
 * shape and every element. What the reference refuses is not sent: a pickle is a program, and nobody knows what it
 * would do. */
#include "codec/pickle/pickle_codec.h"
#include "runtime/cases.h"

static void compare(struct ndp_arena *arena, const struct ndp_pickle_array *array, const struct ndp_result *result) {
    const struct ndp_array ours = {.dtype = array->dtype,
                                   .layout = array->layout,
                                   .buffer = array->data,
                                   .buffer_bytes = array->size_bytes,
                                   .is_writeable = array->is_writeable,
                                   .host_is_little_endian = true,
                                   .class_name = ndp_bytes_view("ndarray")};
    struct ndp_observation seen;
    struct ndp_comparison same;
    ndp_comparison_clear(&same);
    if (!result || !result->has_result || !result->result.dtype) return;
    if (ndp_array_observe(arena, &ours, &seen) != NDP_OK) return;
    ndp_compare_shape(&seen, &result->result, &same);
    if (FUZZ_HOLDS_OF("shape", same.total == 0)) {
        ndp_compare_values(&seen, &result->result, NDP_MASK_TRAILING_NULS, &same);
        FUZZ_HOLDS_OF("values", same.total == 0);
    }
    fuzz_valid(same.comparisons);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"pickle", NULL};
    static const struct fuzz_cases cases = {.formats = formats, .with_testee = true};
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_pickle_array array = {0};
    const struct ndp_bytes bytes = {data, size};
    if (ndp_pickle_decode_memory(&arena, bytes, NULL, &array, NULL) == NDP_OK)
        compare(&arena, &array, fuzz_run_bytes(&cases, "pickle", data, size));
    ndp_pickle_array_clear(&array);
    ndp_arena_clear(&arena);
    return 0;
}
