/* fuzz_pickle.c: pickles through the machine, from memory and from a stream in small pieces.
 * Oracle: both ways in give the same objects, or refuse for the same reason at the same place. What was read is written
 * in one protocol, and those bytes, read and written again, are the same bytes. Its frames hold whole opcodes.
 * Operations and time stay in proportion to the input. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "codec/npy_encode.h"
#include "codec/pickle_read.h"
#include "codec/pickle_write.h"
#include "fuzz.h"
#include "pieces.h"
#include "whole.h"

/* Reads a pickle, which must be one if `is_ours`, and appends what the protocol makes of it to `out`. */
static enum ndp_status rewrite(struct ndp_source source, uint32_t protocol, bool is_ours, struct ndp_buffer *out) {
    const struct ndp_pickle_options options = {.opcodes_max = 1 << 20};
    const struct ndp_pickle_form form = {.protocol = protocol};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    const uint8_t *start = source.read ? NULL : source.data;
    ndp_objects_init(&objects, &arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, &options, &pickle, NULL);
    FUZZ_HOLDS(!is_ours || status == NDP_OK);
    if (status == NDP_OK) {
        FUZZ_HOLDS(pickle.operations <= 8 * pickle.consumed_bytes + 64);
        if (start) FUZZ_HOLDS(fuzz_has_whole_frames((struct ndp_bytes){start, pickle.consumed_bytes}));
        status = ndp_pickle_write(&objects, pickle.root, &form, ndp_write_to_buffer, out, NULL);
        FUZZ_HOLDS(status == NDP_OK || status == NDP_UNSUPPORTED || status == NDP_LIMIT || status == NDP_NOMEM);
    }
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
    ndp_arena_reset(&arena);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t protocol = (uint32_t)(size % 6);
    struct ndp_buffer first = {.max_bytes = 1 << 24}, next = {.max_bytes = 1 << 24}, last = {.max_bytes = 1 << 24};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    const enum ndp_status status = rewrite(ndp_source_memory((struct ndp_bytes){data, size}), protocol, false, &first);
    const struct ndp_source stream = ndp_source_stream(fuzz_read_pieces, &cursor, UINT64_MAX);
    if (FUZZ_HOLDS(rewrite(stream, protocol, false, &next) == status) && status == NDP_OK) {
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&next)));
        FUZZ_HOLDS(rewrite(ndp_source_memory(ndp_buffer_view(&first)), protocol, true, &last) == NDP_OK);
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&last)));
        fuzz_valid(3);
    }
    ndp_buffer_clear(&last);
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&next);
    return 0;
}
