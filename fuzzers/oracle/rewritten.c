#include "oracle/rewritten.h"

#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/memo_moved.h"
#include "oracle/read_as.h"
#include "reader/whole.h"

enum ndp_status fuzz_rewrite(struct ndp_arena *arena, struct ndp_source source, uint32_t protocol, bool is_ours,
                             ndp_write_bytes *write, void *sink) {
    const struct ndp_pickle_options options = {.opcodes_max = 1 << 20};
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    const uint8_t *start = source.read ? NULL : source.data;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, &options, &pickle, is_ours ? NULL : fuzz_refusal());
    if (!is_ours) fuzz_says_refusal(status);
    FUZZ_HOLDS(!is_ours || status == NDP_OK);
    if (status == NDP_OK) {
        FUZZ_HOLDS(pickle.operations <= 8 * pickle.consumed_bytes + 64);
        const struct ndp_bytes taken = {start, pickle.consumed_bytes};
        /* Of what is ours the caller asks for more. */
        const bool is_looked_at = start && !is_ours;
        const struct fuzz_whole whole = is_looked_at ? fuzz_whole_pickle(taken) : (struct fuzz_whole){true, true};
        FUZZ_HOLDS(whole.are_frames);
        FUZZ_HOLDS(whole.is_stack);
        status = ndp_pickle_write(&objects, pickle.root, &form, write, sink, NULL);
        FUZZ_HOLDS(status == NDP_OK || status == NDP_UNSUPPORTED || status == NDP_LIMIT || status == NDP_NOMEM);
    }
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
    return status;
}

void fuzz_check_rewritten(struct ndp_arena *arena, struct ndp_bytes written, uint32_t protocol) {
    const struct ndp_bytes copy = {ndp_arena_copy(arena, written.data, written.size_bytes), written.size_bytes};
    struct fuzz_expected next = {written, false};
    FUZZ_HOLDS(fuzz_rewrite(arena, ndp_source_memory(copy), protocol, true, fuzz_write_expected, &next) == NDP_OK);
    FUZZ_HOLDS(fuzz_is_expected(&next));
}

void fuzz_check_moved(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want) {
    /* The first meet what stands before them where a table forgets their high bits; the last differ in those alone. */
    static const struct {
        uint32_t by, shift;
    } rows[] = {{0xff, 0},   {0xfff, 0},  {0xffff, 0}, {0xffffff, 0}, {0x7ffffeff, 0},
                {0x101, 12}, {0x101, 16}, {0x101, 20}, {0x101, 24},   {0x101, 28}};
    struct fuzz_expected next = {want, false};
    struct ndp_bytes moved;
    const uint64_t pick = fuzz_pick(pickle.data, (size_t)pickle.size_bytes);
    const uint64_t row = pick / 8 % NDP_ARRAY_LEN(rows);
    if (!fuzz_move_memo(arena, pickle, rows[row].by, rows[row].shift, &moved)) return;
    FUZZ_HOLDS(fuzz_rewrite(arena, ndp_source_memory(moved), protocol, true, fuzz_write_expected, &next) == NDP_OK);
    FUZZ_HOLDS(fuzz_is_expected(&next));
}
