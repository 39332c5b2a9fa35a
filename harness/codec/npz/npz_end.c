/* npz_end.c: validates the end records of a ZIP file before libzip reads them.
 *
 * Problem: libzip allocates a table for as many members as an end record claims, and reads the claimed size of its
 * directory, for every place in the tail that looks like an end record. A small file can so cause gigabytes of
 * allocations.
 *
 * Method: each "PK\5\6" in the tail is a claim (via the ZIP64 locator if there is one). A claim whose directory has no
 * room for its members is refused, and so are directories whose total size exceeds DIRECTORIES_PER_BYTE times the file.
 * A few small impossible claims are tolerated, because array data may look like an end record.
 *
 * Cost: linear in the tail and in the claimed directories. Limits: APPNOTE.TXT 6.3 without archives on several disks,
 * which libzip refuses.
 */
#include "codec/npz/npz_end.h"

#include <errno.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"

enum { END_BYTES = 22, LOCATOR_BYTES = 20, END64_BYTES = 56, ENTRY_BYTES = 46, MAGIC_BYTES = 4 };

/* A valid file has its own directory, and possibly archives in its last members; a comment may repeat an end record. */
enum { DIRECTORIES_PER_BYTE = 4 };

/* Data of a stored array may look like an end record. libzip then allocates a table in vain and continues; it may do so
 * a few times for a few members. */
enum { STRAYS_MAX = 4, STRAY_ENTRIES_MAX = 256 };

/* A 16-bit count that overflowed represents this many additional members. */
enum { ROUND_ENTRIES = 1 << 16 };

struct claim {
    uint64_t entries;
    uint64_t size_bytes;
    uint64_t offset_bytes;
    bool is_zip64;
};

/* Returns the next offset from `at` at which an end record may start, or the size of the tail. */
static uint64_t next_end(struct ndp_bytes tail, uint64_t at) {
    while (tail.size_bytes >= END_BYTES && at <= tail.size_bytes - END_BYTES) {
        const uint8_t *found = memchr(tail.data + at, 'P', (size_t)(tail.size_bytes - END_BYTES - at + 1));
        if (found == NULL) break;
        at = (uint64_t)(found - tail.data);
        if (memcmp(found, "PK\5\6", MAGIC_BYTES) == 0) return at;
        at++;
    }
    return tail.size_bytes;
}

/* Reads the ZIP64 record at a locator. An invalid record makes no claim. */
static enum ndp_status read_end64(const struct ndp_npz_source *source, const uint8_t *locator, struct claim *claim,
                                  struct ndp_error *error) {
    uint8_t record[END64_BYTES];
    uint64_t got = 0;
    const uint64_t at = ndp_load_u64le(locator + 8);
    if (at > source->size_bytes) return NDP_OK;
    if (ndp_npz_source_read(source, record, sizeof(record), at, &got) != NDP_OK)
        return ndp_error_set(error, NDP_IO, at, "reading the file: %s", strerror(errno));
    if (got < sizeof(record) || memcmp(record, "PK\6\6", MAGIC_BYTES) != 0) return NDP_OK;
    if (ndp_load_u64le(record + 24) != ndp_load_u64le(record + 32)) return NDP_OK;
    *claim = (struct claim){.entries = ndp_load_u64le(record + 24),
                            .size_bytes = ndp_load_u64le(record + 40),
                            .offset_bytes = ndp_load_u64le(record + 48),
                            .is_zip64 = true};
    return NDP_OK;
}

/* libzip refuses several disks and differing member counts, so they make no claim. */
static enum ndp_status read_claim(const struct ndp_npz_source *source, uint64_t at, struct claim *claim,
                                  struct ndp_error *error) {
    const uint8_t *end = source->tail.data + at;
    *claim = (struct claim){0};
    if (ndp_load_u32le(end + 4) != 0) return NDP_OK;
    if (at >= LOCATOR_BYTES && memcmp(end - LOCATOR_BYTES, "PK\6\7", MAGIC_BYTES) == 0)
        return read_end64(source, end - LOCATOR_BYTES, claim, error);
    if (ndp_load_u16le(end + 8) != ndp_load_u16le(end + 10)) return NDP_OK;
    *claim = (struct claim){.entries = ndp_load_u16le(end + 8),
                            .size_bytes = ndp_load_u32le(end + 12),
                            .offset_bytes = ndp_load_u32le(end + 16)};
    return NDP_OK;
}

/* If bytes follow the last member, libzip assumes that the count overflowed and enlarges its table by 65536 members
 * before it refuses. Other errors are left to libzip. */
static enum ndp_status check_directory_end(const struct ndp_npz_source *source, const struct claim *claim,
                                           struct ndp_error *error) {
    const uint64_t end = claim->offset_bytes + claim->size_bytes;
    uint64_t at = claim->offset_bytes;
    if (claim->is_zip64 || claim->size_bytes / ENTRY_BYTES >= ROUND_ENTRIES) return NDP_OK;
    for (uint64_t i = 0; i < claim->entries; i++) {
        uint8_t entry[ENTRY_BYTES];
        uint64_t got = 0;
        if (end - at < ENTRY_BYTES) return NDP_OK;
        if (ndp_npz_source_read(source, entry, sizeof(entry), at, &got) != NDP_OK)
            return ndp_error_set(error, NDP_IO, at, "reading the file: %s", strerror(errno));
        const uint64_t size = ENTRY_BYTES + (uint64_t)ndp_load_u16le(entry + 28) + ndp_load_u16le(entry + 30) +
                              ndp_load_u16le(entry + 32);
        if (got < sizeof(entry) || memcmp(entry, "PK\1\2", MAGIC_BYTES) != 0 || size > end - at) return NDP_OK;
        at += size;
    }
    if (at == end) return NDP_OK;
    return ndp_error_set(error, NDP_INVALID, at, "the directory continues after its %llu members",
                         (unsigned long long)claim->entries);
}

static enum ndp_status check_claim(const struct ndp_npz_source *source, const struct claim *claim, uint64_t place,
                                   uint64_t *left_bytes, struct ndp_error *error) {
    const uint64_t room_bytes = claim->size_bytes < place ? claim->size_bytes : place;
    uint64_t directory_end = 0;
    if (claim->entries > room_bytes / ENTRY_BYTES)
        return ndp_error_set(error, NDP_INVALID, place, "a directory of %llu bytes cannot contain %llu members",
                             (unsigned long long)room_bytes, (unsigned long long)claim->entries);
    /* libzip does not read a directory that ends after its record. */
    if (!ndp_checked_add_u64(claim->offset_bytes, claim->size_bytes, &directory_end) || directory_end > place)
        return NDP_OK;
    if (claim->size_bytes > *left_bytes)
        return ndp_error_set(error, NDP_INVALID, place,
                             "the total size of the directories exceeds four times the file");
    *left_bytes -= claim->size_bytes;
    return check_directory_end(source, claim, error);
}

/* Reports whether a record that is not at the end of the file has no room for its members, nor for a single one. */
static bool may_be_stray(struct ndp_bytes tail, uint64_t at, const struct claim *claim) {
    const uint64_t room = claim->size_bytes / ENTRY_BYTES;
    const bool is_last = tail.size_bytes - at - END_BYTES == ndp_load_u16le(tail.data + at + 20);
    return !claim->is_zip64 && !is_last && claim->entries <= STRAY_ENTRIES_MAX && (room == 0 || claim->entries > room);
}

enum ndp_status ndp_npz_end_check(const struct ndp_npz_source *source, struct ndp_error *error) {
    const struct ndp_bytes tail = source->tail;
    uint64_t left_bytes = 0;
    uint32_t strays = 0;
    if (!ndp_checked_mul_u64(source->size_bytes, DIRECTORIES_PER_BYTE, &left_bytes)) left_bytes = UINT64_MAX;
    for (uint64_t at = next_end(tail, 0); at < tail.size_bytes; at = next_end(tail, at + 1)) {
        struct claim claim;
        struct ndp_error detail = {0};
        NDP_TRY(read_claim(source, at, &claim, error));
        const enum ndp_status status = check_claim(source, &claim, source->tail_at_bytes + at, &left_bytes, &detail);
        if (status == NDP_INVALID && strays < STRAYS_MAX && may_be_stray(tail, at, &claim)) {
            strays++;
        } else if (status != NDP_OK) {
            if (error != NULL) *error = detail;
            return status;
        }
    }
    return NDP_OK;
}
