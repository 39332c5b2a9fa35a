/* fuzz_npz.c: archives through every decode path of the reference.
 * Oracle: no plain archive, and none of its members that can be had, is refused but by limits, which hold; a member is
 * found by its name and has the size and the checksum of the directory. An array is what its bytes decode to, by one
 * way of four: from a file, mapped there (to its end, whatever its checksum), from memory, or out of a plain archive of
 * its own; there graphs, too. Three members are tried, up to the first that holds one. */
#include "fuzz.h"
#include "oracle/npz_member.h"
#include "oracle/plain_archive.h"
#include "oracle/read_as.h"
#include "reader/archive.h"

enum { TURNS = 8 * FUZZ_NPZ_WAYS, TRIED = 3 };
static const struct ndp_npz_limits limits = {64, 1 << 15, 1 << 16, .free_bytes = 1 << 12, .ratio = 64};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_members(struct ndp_bytes bytes, struct ndp_npz *npz, struct ndp_npz *by, uint32_t turn) {
    const enum fuzz_npz_way way = (enum fuzz_npz_way)(turn % FUZZ_NPZ_WAYS);
    const bool is_packed = turn == FUZZ_NPZ_AGAIN; /* one of eight: it is slow */
    const uint64_t size = bytes.size_bytes, count = ndp_npz_count(npz);
    if (count == 0) return;
    FUZZ_HOLDS(fuzz_keeps_limits(bytes, &limits, npz, fuzz_pick(bytes.data, (size_t)size)));
    FUZZ_HOLDS(fuzz_finds_member(npz, size % count));
    for (uint64_t i = 0; i < count && i < TRIED; i++) {
        if (fuzz_npz_member(&arena, bytes, npz, by, (size + turn + i) % count, way, is_packed)) return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t turn = fuzz_way(data, size, TURNS), opened = turn / FUZZ_NPZ_WAYS;
    const enum fuzz_npz_way way = (enum fuzz_npz_way)(turn % FUZZ_NPZ_WAYS);
    const struct ndp_bytes bytes = {data, size};
    struct ndp_npz *npz = NULL, *file = NULL;
    const enum ndp_status want = way == FUZZ_NPZ_MAPPED ? fuzz_open_archive(bytes, opened, &limits, &npz)
                                                        : ndp_npz_open_memory(bytes, &limits, &npz, fuzz_refusal());
    fuzz_answers(0, want);
    if (way != FUZZ_NPZ_MAPPED) fuzz_says_refusal(want);
    if (way == FUZZ_NPZ_FILE) FUZZ_HOLDS(fuzz_open_archive(bytes, opened, &limits, &file) == want);
    FUZZ_HOLDS(want == NDP_OK || want == NDP_LIMIT || !fuzz_is_plain_archive(bytes));
    if (npz) fuzz_says_archive(&arena, npz);
    if (npz) check_members(bytes, npz, file ? file : npz, turn);
    ndp_npz_free(npz);
    ndp_npz_free(file);
    ndp_arena_reset(&arena);
    return 0;
}
