#include "oracle/npz_member.h"

#include "fuzz.h"
#include "oracle/npz_again.h"
#include "oracle/plain_archive.h"
#include "oracle/same_array.h"
#include "reader/archive.h"

/* A member, and what becomes of its bytes as those of a file of their own. */
struct member {
    uint64_t index;
    struct ndp_npz_member said;
    bool is_read;
    enum ndp_status want;
    struct ndp_npy_array array;
    struct ndp_npy_options options; /* with a limit that its header just meets, or none */
};

/* How many characters the header of an array's file has, padding included. */
static uint32_t header_chars(struct ndp_bytes file, const struct ndp_npy_array *array) {
    const bool is_utf8 = file.data[6] == 3;
    uint32_t chars = 0;
    for (uint64_t i = file.data[6] == 1 ? 10 : 12; i < array->header.data_offset_bytes; i++)
        chars += !is_utf8 || (file.data[i] & 0xc0) != 0x80;
    return chars;
}

static void check_way(struct ndp_arena *arena, struct ndp_npz *npz, const struct member *member,
                      enum fuzz_npz_way way) {
    static const char *const words[] = {"file", "map", "memory"};
    const uint64_t i = member->index;
    struct ndp_npy_array next = {0};
    const enum ndp_status got = way == FUZZ_NPZ_MAPPED
                                    ? ndp_npz_map_array(npz, arena, i, NDP_MAP_READ, &member->options, &next, NULL)
                                    : ndp_npz_read_array(npz, arena, i, &member->options, &next, NULL);
    FUZZ_HOLDS_OF(words[way], got || next.consumed_bytes <= member->said.size_bytes);
    FUZZ_HOLDS_OF(words[way], got || way == FUZZ_NPZ_MAPPED || member->is_read);
    if (way == FUZZ_NPZ_MAPPED ? member->want == NDP_OK && member->said.method == 0 : member->is_read)
        fuzz_same_file(words[way], member->want, &member->array, got, &next);
    ndp_npy_array_clear(&next);
}

bool fuzz_npz_member(struct ndp_arena *arena, struct ndp_bytes archive, struct ndp_npz *npz, struct ndp_npz *by,
                     uint64_t index, enum fuzz_npz_way way, bool is_packed) {
    struct member member = {.index = index};
    ndp_npz_member(npz, index, &member.said);
    struct ndp_buffer npy = {.max_bytes = member.said.size_bytes};
    member.want = ndp_npz_read(npz, index, &npy, NULL);
    member.is_read = member.want == NDP_OK;
    const struct ndp_bytes content = ndp_buffer_view(&npy);
    FUZZ_HOLDS(member.is_read ? fuzz_is_content_of(&member.said, content)
                              : member.want != NDP_LIMIT && !fuzz_is_plain_member(archive, index));
    FUZZ_HOLDS(!fuzz_is_locked_member(archive, index) || member.want == NDP_UNSUPPORTED);
    if (member.is_read) member.want = ndp_npy_decode_memory(arena, content, NULL, &member.array, NULL);
    if (index == 0) fuzz_answers(1, member.want);
    const bool is_array = member.want == NDP_OK, is_graph = member.is_read && member.want == NDP_UNSUPPORTED;
    if (is_array && member.said.crc % 2 == 0) member.options.header_chars = header_chars(content, &member.array);
    if (way != FUZZ_NPZ_AGAIN) check_way(arena, by, &member, way);
    if (way == FUZZ_NPZ_FILE && member.want == NDP_TRUNCATED) check_way(arena, by, &member, FUZZ_NPZ_MAPPED);
    if (way == FUZZ_NPZ_AGAIN && is_array) fuzz_npz_array_again(arena, &member.array, is_packed);
    if (way == FUZZ_NPZ_AGAIN && is_graph) fuzz_npz_graph_again(arena, npz, index, &npy);
    if (is_array) fuzz_valid(2);
    ndp_npy_array_clear(&member.array);
    ndp_buffer_clear(&npy);
    return is_array;
}
