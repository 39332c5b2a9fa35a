/* fuzz_npz.c: archives through every decode path of the reference.
 * Oracle: no plain archive, and none of its members that can be had, is refused but by limits, which hold; a member is
 * found by its name and has the size and the checksum of the directory. An array is what its bytes decode to, by one
 * way of four: from a file, mapped there (to its end, whatever its checksum), from memory, or out of a plain archive of
 * its own; there graphs, too. Three members are tried, up to the first that holds one. */
#include "fuzz.h"
#include "oracle/npz_again.h"
#include "oracle/plain_archive.h"
#include "oracle/same_array.h"
#include "reader/archive.h"

enum way { FROM_FILE, MAPPED, FROM_MEMORY, AGAIN, WAYS, TURNS = 8 * WAYS, TRIED = 3 }; /* one packs, which is slow */
static const struct ndp_npz_limits limits = {64, 1 << 15, 1 << 16, .free_bytes = 1 << 12, .ratio = 64};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_way(struct ndp_npz *npz, uint64_t i, const struct ndp_npz_member *member, enum way way, bool is_read,
                      enum ndp_status want, const struct ndp_npy_array *first) {
    static const char *const words[] = {"file", "map", "memory"};
    struct ndp_npy_array next = {0};
    const enum ndp_status got = way == MAPPED ? ndp_npz_map_array(npz, &arena, i, NDP_MAP_READ, NULL, &next, NULL)
                                              : ndp_npz_read_array(npz, &arena, i, NULL, &next, NULL);
    FUZZ_HOLDS_OF(words[way], got || (next.consumed_bytes <= member->size_bytes && (is_read || way == MAPPED)));
    if (way == MAPPED ? want == NDP_OK && member->method == 0 : is_read)
        fuzz_same_file(words[way], want, first, got, &next);
    ndp_npy_array_clear(&next);
}

static bool check_member(struct ndp_bytes bytes, struct ndp_npz *npz, struct ndp_npz *by, uint64_t i, uint32_t turn) {
    const enum way way = (enum way)(turn % WAYS);
    struct ndp_npy_array first = {0};
    struct ndp_npz_member member;
    ndp_npz_member(npz, i, &member);
    struct ndp_buffer npy = {.max_bytes = member.size_bytes};
    const enum ndp_status read = ndp_npz_read(npz, i, &npy, NULL);
    FUZZ_HOLDS(read ? read != NDP_LIMIT && !fuzz_is_plain_member(bytes, i)
                    : fuzz_is_content_of(&member, ndp_buffer_view(&npy)));
    const enum ndp_status want = read ? read : ndp_npy_decode_memory(&arena, ndp_buffer_view(&npy), NULL, &first, NULL);
    if (way != AGAIN) check_way(by, i, &member, way, read == NDP_OK, want, &first);
    if (way == FROM_FILE && want == NDP_TRUNCATED) check_way(by, i, &member, MAPPED, read == NDP_OK, want, &first);
    if (want == NDP_OK && way == AGAIN) fuzz_npz_array_again(&arena, &first, turn == AGAIN);
    if (!read && want == NDP_UNSUPPORTED && way == AGAIN) fuzz_npz_graph_again(&arena, npz, i, &npy);
    if (want == NDP_OK) fuzz_valid(2);
    return ndp_npy_array_clear(&first), ndp_buffer_clear(&npy), want == NDP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npz *npz = NULL, *file = NULL;
    const uint32_t turn = fuzz_way(data, size, TURNS), way = turn % WAYS;
    const struct ndp_bytes bytes = {data, size};
    const enum ndp_status want = way == MAPPED ? fuzz_open_archive(bytes, turn / WAYS, &limits, &npz)
                                               : ndp_npz_open_memory(bytes, &limits, &npz, NULL);
    if (way == FROM_FILE) FUZZ_HOLDS(fuzz_open_archive(bytes, turn / WAYS, &limits, &file) == want);
    FUZZ_HOLDS(want == NDP_OK || want == NDP_LIMIT || !fuzz_is_plain_archive(bytes));
    const uint64_t count = npz ? ndp_npz_count(npz) : 0;
    FUZZ_HOLDS(!count || (fuzz_keeps_limits(bytes, &limits, npz, size) && fuzz_finds_member(npz, size % count)));
    for (uint64_t i = 0, is_read = 0; i < count && i < TRIED && !is_read; i++)
        is_read = check_member(bytes, npz, file ? file : npz, (size + turn + i) % count, turn);
    ndp_npz_free(npz), ndp_npz_free(file), ndp_arena_reset(&arena);
    return 0;
}
