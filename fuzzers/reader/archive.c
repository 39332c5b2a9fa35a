#include "reader/archive.h"

#include <string.h>
#include <zlib.h>

#include "fuzz.h"

enum { ENDING_BYTES = 4, MET_ONE_IN = 16 };

enum ndp_status fuzz_open_archive(struct ndp_bytes bytes, uint32_t turn, const struct ndp_npz_limits *limits,
                                  struct ndp_npz **out) {
    const char *path = fuzz_path(bytes.data, (size_t)bytes.size_bytes);
    return turn % 4 == 0 ? ndp_npz_open_file(path, limits, out, NULL) : ndp_npz_open_fd(fuzz_fd(), limits, out, NULL);
}

bool fuzz_is_within(const struct ndp_npz_limits *limits, const struct ndp_npz_member *member) {
    const uint64_t size = member->size_bytes, packed = member->packed_bytes;
    if (member->method == 0 && size != packed) return false;
    return size <= limits->member_bytes && (size <= limits->free_bytes || size / limits->ratio <= packed);
}

bool fuzz_is_content_of(const struct ndp_npz_member *member, struct ndp_bytes bytes) {
    return bytes.size_bytes == member->size_bytes && crc32(0, bytes.data, (uInt)bytes.size_bytes) == member->crc;
}

bool fuzz_are_within(const struct ndp_npz_limits *limits, const struct ndp_npz *npz) {
    const uint64_t count = ndp_npz_count(npz);
    uint64_t all = 0;
    if (count > limits->members) return false;
    for (uint64_t i = 0; i < count; i++) {
        struct ndp_npz_member member;
        ndp_npz_member(npz, i, &member);
        all += member.size_bytes;
        if (!fuzz_is_within(limits, &member) || all > limits->total_bytes) return false;
    }
    return true;
}

static enum ndp_status open_within(struct ndp_bytes bytes, const struct ndp_npz_limits *limits) {
    struct ndp_npz *npz = NULL;
    const enum ndp_status status = ndp_npz_open_memory(bytes, limits, &npz, NULL);
    ndp_npz_free(npz);
    return status;
}

/* One less than a limit; false where that would be none, which stands for no limit of one's own. */
static bool is_less(uint64_t *limit) {
    return *limit > 0 && --*limit > 0;
}

/* Whether limits that are just met let the archive in, and one less, which one the turn says, keeps it out. */
static bool are_met(struct ndp_bytes bytes, const struct ndp_npz *npz, uint64_t turn) {
    struct ndp_npz_limits exact = {.members = ndp_npz_count(npz)};
    for (uint64_t i = 0; i < exact.members; i++) {
        struct ndp_npz_member member;
        ndp_npz_member(npz, i, &member);
        exact.total_bytes += member.size_bytes;
        if (member.size_bytes > exact.member_bytes) exact.member_bytes = member.size_bytes;
    }
    if (open_within(bytes, &exact) != NDP_OK) return false;
    const bool can_be_less = is_less(turn % 3 == 0   ? &exact.members
                                     : turn % 3 == 1 ? &exact.total_bytes
                                                     : &exact.member_bytes);
    return !can_be_less || open_within(bytes, &exact) == NDP_LIMIT;
}

bool fuzz_keeps_limits(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, const struct ndp_npz *npz,
                       uint64_t turn) {
    return fuzz_are_within(limits, npz) && (turn % MET_ONE_IN != 0 || are_met(bytes, npz, turn / MET_ONE_IN));
}

/* The last member of the name made of both parts; the number of members when there is none. */
static uint64_t last_of(const struct ndp_npz *npz, struct ndp_bytes name, struct ndp_bytes ending) {
    const uint64_t count = ndp_npz_count(npz);
    uint64_t found = count;
    for (uint64_t i = 0; i < count; i++) {
        struct ndp_npz_member member;
        ndp_npz_member(npz, i, &member);
        const struct ndp_bytes other = member.name;
        if (other.size_bytes != name.size_bytes + ending.size_bytes) continue;
        if (name.size_bytes > 0 && memcmp(other.data, name.data, (size_t)name.size_bytes) != 0) continue;
        if (ending.size_bytes > 0 && memcmp(other.data + name.size_bytes, ending.data, ENDING_BYTES) != 0) continue;
        found = i;
    }
    return found;
}

static bool finds(const struct ndp_npz *npz, struct ndp_bytes key) {
    const uint64_t count = ndp_npz_count(npz), whole = last_of(npz, key, (struct ndp_bytes){NULL, 0});
    const uint64_t want = whole < count ? whole : last_of(npz, key, ndp_bytes_view(".npy"));
    uint64_t found = count;
    const enum ndp_status status = ndp_npz_find(npz, key, &found, NULL);
    return status == NDP_OK ? found == want && want < count : want == count;
}

bool fuzz_finds_member(const struct ndp_npz *npz, uint64_t index) {
    struct ndp_npz_member member;
    ndp_npz_member(npz, index, &member);
    struct ndp_bytes key = member.name;
    if (!finds(npz, key)) return false;
    if (key.size_bytes < ENDING_BYTES || memcmp(key.data + key.size_bytes - ENDING_BYTES, ".npy", ENDING_BYTES) != 0)
        return true;
    key.size_bytes -= ENDING_BYTES;
    return finds(npz, key);
}
