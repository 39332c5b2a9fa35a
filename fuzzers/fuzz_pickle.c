/* fuzz_pickle.c: pickles through the machine, from memory and from a stream in small pieces.
 * Oracle: both ways in give the same objects, or refuse for the same reason at the same place. What was read is written
 * in one protocol, and those bytes, read and written again, are the same bytes. Its opcodes are whole in its frames,
 * leave one value, and are CPython's, and another reader sees the same objects in what is written. The numbering of its
 * memo makes no difference, nor do, of one in 32, as many copies beside it as fill a frame, and of one in 128 batches
 * of a container fill it; spoilt it is refused. Operations stay in proportion to the input, time to it and what is
 * written. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "codec/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/crowd.h"
#include "oracle/pickle_spoilt.h"
#include "oracle/rewritten.h"
#include "reader/told.h"
#include "reader/whole.h"

static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t protocol = (uint32_t)(size % 6);
    static struct ndp_buffer first = {.max_bytes = 1 << 24};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    const struct ndp_source memory = ndp_source_memory((struct ndp_bytes){data, size});
    const struct ndp_source stream = ndp_source_stream(fuzz_read_pieces, &cursor, UINT64_MAX);
    first.size_bytes = 0;
    const enum ndp_status status = fuzz_rewrite(&arena, memory, protocol, false, ndp_write_to_buffer, &first);
    fuzz_wrote(first.size_bytes);
    struct fuzz_expected next = {ndp_buffer_view(&first), false}, last = next;
    if (FUZZ_HOLDS(fuzz_rewrite(&arena, stream, protocol, false, fuzz_write_expected, &next) == status) &&
        status == NDP_OK) {
        FUZZ_HOLDS(fuzz_is_expected(&next));
        FUZZ_HOLDS(fuzz_is_as_pickled(ndp_buffer_view(&first), protocol));
        FUZZ_HOLDS(fuzz_tells_same(&arena, (struct ndp_bytes){data, size}, ndp_buffer_view(&first)));
        fuzz_check_moved(&arena, (struct ndp_bytes){data, size}, protocol,
                         (struct ndp_bytes){first.data, first.size_bytes});
        if (fuzz_pick(data, size) % 32 == 1)
            fuzz_check_crowd(&arena, (struct ndp_bytes){data, size}, protocol, ndp_buffer_view(&first));
        if (fuzz_pick(data, size) % 4 == 3)
            fuzz_check_pickle_spoilt(&arena, (struct ndp_bytes){data, size}, fuzz_pick(data, size) / 4);
        if (fuzz_pick(data, size) % 128 == 2)
            fuzz_check_batches(&arena, ndp_buffer_view(&first), protocol, fuzz_pick(data, size) / 128);
        /* In a block of their size, whose end a sanitizer sees. */
        struct ndp_bytes again = {ndp_arena_copy(&arena, first.data, first.size_bytes), first.size_bytes};
        FUZZ_HOLDS(fuzz_rewrite(&arena, ndp_source_memory(again), protocol, true, fuzz_write_expected, &last) ==
                   NDP_OK);
        FUZZ_HOLDS(fuzz_is_expected(&last));
        fuzz_valid(5);
    }
    return 0;
}
