#include "oracle/limits.h"

#include "fuzz.h"
#include "oracle/failing.h"
#include "oracle/same_array.h"
#include "reader/said.h"

/* Zero stands for no limit of one's own. */
static bool is_less(struct ndp_npy_options *options, uint64_t which) {
    switch (which % 8) {
    case 0:
        return options->header_chars > 0 && --options->header_chars > 0;
    case 1:
        return options->max_ndim > 0 && --options->max_ndim > 0;
    case 2:
        return options->data_bytes > 0 && --options->data_bytes > 0;
    case 3:
        return options->max_nesting > 0 && --options->max_nesting > 0;
    default:
        return false;
    }
}

void fuzz_npy_limits(struct ndp_arena *arena, struct ndp_bytes bytes, const struct ndp_npy_array *first,
                     uint64_t which) {
    const struct ndp_npy_header *header = &first->header;
    struct ndp_npy_options options = {.is_lenient = true,
                                      .header_chars = (uint32_t)fuzz_header_chars(bytes, header),
                                      .max_ndim = header->ndim,
                                      .max_nesting = fuzz_header_depth(bytes, header),
                                      .data_bytes = header->size_bytes};
    const struct ndp_npy_options all = {.is_lenient = true};
    struct ndp_npy_array next = {0};
    fuzz_same_file("lenient", NDP_OK, first, ndp_npy_decode_memory(arena, bytes, &options, &next, NULL), &next);
    if (is_less(&options, which)) FUZZ_HOLDS(ndp_npy_decode_memory(arena, bytes, &options, &next, NULL) == NDP_LIMIT);
    ndp_npy_array_clear(&next);
    /* Nothing of them stays. */
    FUZZ_HOLDS(ndp_npy_decode_memory(arena, bytes, &all, &next, NULL) == NDP_OK);
    ndp_npy_array_clear(&next);
    (void)fuzz_check_failing(fuzz_decodes_npy, bytes, 0, fuzz_pick(bytes.data, (size_t)bytes.size_bytes));
}
