#include "oracle/plain_archive.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/byteorder.h"
#include "base/text.h"

enum { LOCAL_BYTES = 30, ENTRY_BYTES = 46, END_BYTES = 22, END64_BYTES = 56, LOCATOR_BYTES = 20, ZIP64 = 1 };
enum { DESCRIPTOR_BYTES = 16, STORED = 0, DEFLATED = 8, ENCRYPTED = 1, HAS_DESCRIPTOR = 1 << 3, UTF8_NAME = 1 << 11 };

static bool is_at(struct ndp_bytes file, uint64_t at, const char *magic, uint64_t size_bytes) {
    return at <= file.size_bytes && file.size_bytes - at >= size_bytes && memcmp(file.data + at, magic, 4) == 0;
}

/* How often the magic stands anywhere, which readers that look for it come across; `*last` is the last place. */
static uint64_t count_of(struct ndp_bytes file, const char *magic, uint64_t *last) {
    uint64_t count = 0, at = 0;
    const uint8_t *found;
    while (at < file.size_bytes && (found = memchr(file.data + at, magic[0], (size_t)(file.size_bytes - at))) != NULL) {
        at = (uint64_t)(found - file.data);
        if (is_at(file, at, magic, 4)) count++, *last = at;
        at++;
    }
    return count;
}

struct directory {
    uint64_t count, start, end;
};

/* What a member is, by its entry, and where its bytes are. */
struct member {
    uint64_t size_bytes;
    struct ndp_bytes packed;
    uint32_t crc;
    bool is_deflated, is_locked;
};

/* All that a record of zip64 says is said by the other end, too, or left to it. */
static bool agrees(uint64_t small, uint64_t most, uint64_t large) {
    return small == most || small == large;
}

static bool find_directory(struct ndp_bytes file, struct directory *out) {
    uint64_t at = 0, other = 0;
    /* No archive with a member has its end so early. */
    if (count_of(file, "PK\5\6", &at) != 1 || at < LOCATOR_BYTES || !is_at(file, at, "PK\5\6", END_BYTES)) return false;
    const uint64_t locator = at - LOCATOR_BYTES;
    const uint8_t *end = file.data + at;
    const uint64_t count = ndp_load_u16le(end + 10), size = ndp_load_u32le(end + 12), start = ndp_load_u32le(end + 16);
    if (ndp_load_u32le(end + 4) != 0 || ndp_load_u16le(end + 8) != count ||
        ndp_load_u16le(end + 20) != file.size_bytes - at - END_BYTES)
        return false;
    *out = (struct directory){count, start, start + size};
    if (count_of(file, "PK\6\7", &other) == 0) return start + size == at && count < UINT16_MAX;
    if (!is_at(file, locator, "PK\6\7", LOCATOR_BYTES) || count_of(file, "PK\6\7", &other) != 1) return false;
    const uint64_t place = ndp_load_u64le(file.data + locator + 8);
    if (ndp_load_u32le(file.data + locator + 4) != 0 || ndp_load_u32le(file.data + locator + 16) != 1) return false;
    if (place > locator || locator - place < END64_BYTES || !is_at(file, place, "PK\6\6", END64_BYTES)) return false;
    const uint8_t *record = file.data + place;
    const uint64_t from = ndp_load_u64le(record + 48);
    *out = (struct directory){ndp_load_u64le(record + 32), from, place};
    return ndp_load_u64le(record + 4) == locator - place - 12 && ndp_load_u64le(record + 16) == 0 &&
           ndp_load_u64le(record + 24) == out->count && from <= place && ndp_load_u64le(record + 40) == place - from &&
           agrees(count, UINT16_MAX, out->count) && agrees(start, UINT32_MAX, from) &&
           agrees(size, UINT32_MAX, place - from);
}

/* A number of 32 bits, or that of 64 which the extra field has in its place. */
static bool take(uint32_t small, struct ndp_cursor *extra, uint64_t *out) {
    struct ndp_bytes large;
    *out = small;
    if (small != UINT32_MAX) return true;
    if (ndp_cursor_take(extra, 8, &large) != NDP_OK) return false;
    *out = ndp_load_u64le(large.data);
    return true;
}

/* Fields that say who is who else: another name, another packing. */
static bool is_plain_field(uint16_t id) {
    return id != 0x7075 && id != 0x6375 && id != 0x9901;
}

/* Fields side by side, of which that of zip64, where there is one, is as long as its numbers are. */
static bool open_extra(struct ndp_bytes file, uint64_t at, uint64_t size, struct ndp_cursor *out) {
    struct ndp_cursor fields;
    bool has_numbers = false;
    *out = ndp_cursor_view((struct ndp_bytes){NULL, 0});
    if (at > file.size_bytes || file.size_bytes - at < size) return false;
    fields = ndp_cursor_view((struct ndp_bytes){file.data + at, size});
    while (ndp_cursor_left(&fields) > 0) {
        struct ndp_bytes head, field;
        if (ndp_cursor_take(&fields, 4, &head) != NDP_OK ||
            ndp_cursor_take(&fields, ndp_load_u16le(head.data + 2), &field) != NDP_OK)
            return false;
        const uint16_t id = ndp_load_u16le(head.data);
        if (!is_plain_field(id) || (id == ZIP64 && has_numbers)) return false;
        if (id != ZIP64) continue;
        has_numbers = true;
        *out = ndp_cursor_view(field);
    }
    return true;
}

static bool is_ascii(const uint8_t *text, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (text[i] < ' ' || text[i] > '~') return false;
    return true;
}

/* ASCII, or UTF-8 where the entry says so. */
static bool is_name(const uint8_t *name, uint64_t size, bool is_utf8) {
    struct ndp_cursor cursor = ndp_cursor_view((struct ndp_bytes){name, size});
    uint32_t c = 0;
    for (uint64_t i = 0; i < size; i++)
        if (name[i] < ' ' || name[i] == 0x7f || (name[i] > '~' && !is_utf8)) return false;
    while (ndp_cursor_left(&cursor) > 0)
        if (ndp_text_next(&cursor, &c) != NDP_OK || (c >= 0xd800 && c <= 0xdfff)) return false;
    return size > 0;
}

/* Whether so many bytes at `at` say again what the entry does, behind a member whose local header could not. */
static bool is_descriptor(struct ndp_bytes file, uint64_t at, const uint8_t *entry) {
    return is_at(file, at, "PK\7\x08", DESCRIPTOR_BYTES) && memcmp(file.data + at + 4, entry + 16, 12) == 0;
}

/* Whether the local header at `at` says what the entry does, or what is behind the member; `*next` is behind both. */
static bool is_local(struct ndp_bytes file, uint64_t at, const uint8_t *entry, struct member *member, uint64_t *next) {
    static const uint8_t unknown[12];
    if (!is_at(file, at, "PK\3\4", LOCAL_BYTES)) return false;
    const uint8_t *local = file.data + at;
    const uint64_t name = ndp_load_u16le(local + 26), extra = ndp_load_u16le(local + 28);
    const uint64_t start = at + LOCAL_BYTES + name + extra, packed_bytes = member->packed.size_bytes;
    const bool is_behind = (ndp_load_u16le(entry + 8) & HAS_DESCRIPTOR) != 0;
    struct ndp_cursor numbers;
    uint64_t size, packed;
    if (start > file.size_bytes || file.size_bytes - start < packed_bytes ||
        memcmp(local + 4, entry + 6, is_behind ? 10 : 14) != 0)
        return false;
    if (name != ndp_load_u16le(entry + 28) || memcmp(local + LOCAL_BYTES, entry + ENTRY_BYTES, (size_t)name) != 0)
        return false;
    member->packed.data = file.data + start;
    *next = start + packed_bytes + (is_behind ? DESCRIPTOR_BYTES : 0);
    if (is_behind)
        return extra == 0 && memcmp(local + 14, unknown, sizeof unknown) == 0 &&
               is_descriptor(file, start + packed_bytes, entry);
    return open_extra(file, at + LOCAL_BYTES + name, extra, &numbers) &&
           take(ndp_load_u32le(local + 22), &numbers, &size) && take(ndp_load_u32le(local + 18), &numbers, &packed) &&
           ndp_cursor_left(&numbers) == 0 && size == member->size_bytes && packed == packed_bytes;
}

/* Methods of which nobody has more than the number; all but the two that NumPy writes may be those of other readers. */
static bool is_unknown(uint64_t method) {
    return (method > STORED && method < DEFLATED) || (method > 9 && method < 12) || method >= 99;
}

/* Whether the entry at `*at` and its member, which begins at `*place`, are so; goes behind both. */
static bool is_member(struct ndp_bytes file, uint64_t *at, uint64_t *place, struct member *out) {
    if (!is_at(file, *at, "PK\1\2", ENTRY_BYTES)) return false;
    const uint8_t *entry = file.data + *at;
    const uint64_t name = ndp_load_u16le(entry + 28), extra = ndp_load_u16le(entry + 30),
                   method = ndp_load_u16le(entry + 10);
    const uint64_t comment = ndp_load_u16le(entry + 32), behind = *at + ENTRY_BYTES + name + extra + comment;
    struct ndp_cursor numbers;
    uint64_t from;
    if (behind > file.size_bytes || !is_name(entry + ENTRY_BYTES, name, (entry[9] & UTF8_NAME >> 8) != 0)) return false;
    if ((ndp_load_u16le(entry + 8) & ~(UTF8_NAME | HAS_DESCRIPTOR | ENCRYPTED)) != 0 ||
        ndp_load_u16le(entry + 34) != 0 || !is_ascii(entry + ENTRY_BYTES + name + extra, comment))
        return false;
    if (!open_extra(file, *at + ENTRY_BYTES + name, extra, &numbers) ||
        !take(ndp_load_u32le(entry + 24), &numbers, &out->size_bytes) ||
        !take(ndp_load_u32le(entry + 20), &numbers, &out->packed.size_bytes) ||
        !take(ndp_load_u32le(entry + 42), &numbers, &from) || ndp_cursor_left(&numbers) != 0 || from != *place)
        return false;
    *at = behind;
    out->crc = ndp_load_u32le(entry + 16);
    out->is_deflated = method == DEFLATED;
    out->is_locked = (ndp_load_u16le(entry + 8) & ENCRYPTED) != 0 || is_unknown(method);
    if (!out->is_locked && method != DEFLATED && (method != STORED || out->size_bytes != out->packed.size_bytes))
        return false;
    return is_local(file, from, entry, out, place);
}

/* Whether the archive is plain but for members that are locked; fills member number `index`, where there is one. */
static bool is_plain(struct ndp_bytes file, uint64_t index, struct member *out, uint64_t *locked) {
    struct directory directory;
    uint64_t place = 0;
    *locked = 0;
    if (!find_directory(file, &directory) || directory.count == 0) return false;
    uint64_t at = directory.start;
    for (uint64_t i = 0; i < directory.count; i++) {
        struct member member;
        if (!is_member(file, &at, &place, &member)) return false;
        if (i == index) *out = member;
        *locked += member.is_locked;
    }
    return place == directory.start && at == directory.end && index < directory.count;
}

bool fuzz_is_plain_archive(struct ndp_bytes file) {
    struct member member;
    uint64_t locked;
    return is_plain(file, 0, &member, &locked) && locked == 0;
}

bool fuzz_has_stray_ends(struct ndp_bytes file) {
    uint64_t last;
    return count_of(file, "PK\5\6", &last) > 1 || count_of(file, "PK\6\7", &last) > 1 ||
           (count_of(file, "PK\6\7", &last) == 1 && count_of(file, "PK\6\6", &last) == 0);
}

/* Whether zlib makes of what is packed so many bytes with this checksum, and there its stream ends. */
static bool inflates(const struct member *member) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)member->packed.data, .avail_in = (uInt)member->packed.size_bytes};
    uint8_t *room = member->size_bytes < UINT32_MAX ? malloc((size_t)member->size_bytes + 1) : NULL;
    const bool is_open = room && inflateInit2(&stream, -MAX_WBITS) == Z_OK;
    stream.next_out = room;
    stream.avail_out = (uInt)member->size_bytes + 1;
    const bool is_whole = is_open && inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 &&
                          stream.total_out == member->size_bytes &&
                          crc32(0, room, (uInt)member->size_bytes) == member->crc;
    if (is_open) (void)inflateEnd(&stream);
    free(room);
    return is_whole;
}

bool fuzz_is_plain_member(struct ndp_bytes file, uint64_t index) {
    struct member member;
    uint64_t locked;
    if (!is_plain(file, index, &member, &locked) || locked > 0) return false;
    return member.is_deflated ? inflates(&member)
                              : crc32(0, member.packed.data, (uInt)member.packed.size_bytes) == member.crc;
}

bool fuzz_is_locked_member(struct ndp_bytes file, uint64_t index) {
    struct member member;
    uint64_t locked;
    return is_plain(file, index, &member, &locked) && member.is_locked;
}
