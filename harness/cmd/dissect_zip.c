/* dissect_zip.c: the members of a ZIP archive.
 *
 * Problem: libzip refuses an archive as a whole, but of a truncated or inconsistent one the members that exist are of
 * interest. Method: the last end record in the tail gives the directory; ZIP64 records replace its numbers. Without an
 * end record, local headers are read one after the other from the start. Cost: linear in the directory. Limits:
 * MAX_ENTRIES. References: APPNOTE.TXT 6.3, 4.3.7, 4.3.12 to 4.3.16, 4.5.3. */
#include "cmd/dissect_zip.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"

enum {
    LOCAL_BYTES = 30,
    ENTRY_BYTES = 46,
    END_BYTES = 22,
    LOCATOR_BYTES = 20,
    END64_BYTES = 56,
    COMMENT_BYTES = 65535,
    MAX_ENTRIES = 4096,
    HAS_DESCRIPTOR = 1 << 3, /* flag: the sizes follow the data */
    ZIP64_TAG = 1
};

struct reader {
    struct ndp_bytes bytes;
    struct ndp_zip_list *list;
    uint64_t capacity;
};

/* The record of `size_bytes` bytes with this signature at `at`, or NULL. */
static const uint8_t *find_record(const struct reader *r, uint64_t at, const char *signature, uint64_t size_bytes) {
    if (at > r->bytes.size_bytes || r->bytes.size_bytes - at < size_bytes) return NULL;
    return memcmp(r->bytes.data + at, signature, 4) == 0 ? r->bytes.data + at : NULL;
}

static struct ndp_bytes part(const struct reader *r, uint64_t at, uint64_t size_bytes) {
    if (at > r->bytes.size_bytes) return (struct ndp_bytes){NULL, 0};
    const uint64_t left = r->bytes.size_bytes - at;
    return (struct ndp_bytes){r->bytes.data + at, size_bytes < left ? size_bytes : left};
}

/* Replaces the numbers that are all ones by those of the ZIP64 field, which has them in this order. */
static void apply_zip64(struct ndp_bytes extra, uint64_t *const *numbers, uint32_t count) {
    struct ndp_cursor cursor = ndp_cursor_view(extra);
    uint32_t head;
    struct ndp_bytes field = {NULL, 0};
    for (;;) {
        if (ndp_cursor_u32le(&cursor, &head) != NDP_OK) return;
        if (ndp_cursor_take(&cursor, head >> 16, &field) != NDP_OK) return;
        if ((head & 0xffff) == ZIP64_TAG) break;
    }
    cursor = ndp_cursor_view(field);
    for (uint32_t i = 0; i < count; i++)
        if (*numbers[i] == UINT32_MAX && ndp_cursor_u64le(&cursor, numbers[i]) != NDP_OK) return;
}

static enum ndp_status add_entry(struct ndp_arena *arena, struct reader *r, const struct ndp_zip_entry *entry) {
    struct ndp_zip_list *list = r->list;
    if (list->count == r->capacity) {
        const uint64_t capacity = r->capacity == 0 ? 16 : r->capacity * 2;
        struct ndp_zip_entry *grown = NDP_ARENA_ITEMS(arena, struct ndp_zip_entry, capacity);
        if (grown == NULL) return NDP_NOMEM;
        if (list->count > 0) memcpy(grown, list->entries, (size_t)list->count * sizeof *grown);
        list->entries = grown;
        r->capacity = capacity;
    }
    list->entries[list->count++] = *entry;
    return NDP_OK;
}

/* Finds the data of a member behind its local header. */
static uint64_t find_data(const struct reader *r, uint64_t header_at) {
    const uint8_t *local = find_record(r, header_at, "PK\3\4", LOCAL_BYTES);
    if (local == NULL) return NDP_NO_OFFSET;
    return header_at + LOCAL_BYTES + ndp_load_u16le(local + 26) + ndp_load_u16le(local + 28);
}

/* ---- with a directory ---- */

/* Finds the last end record; NULL if there is none. */
static const uint8_t *find_end(const struct reader *r, uint64_t *at_bytes) {
    const uint64_t size = r->bytes.size_bytes;
    if (size < END_BYTES) return NULL;
    const uint64_t first = size - END_BYTES > COMMENT_BYTES ? size - END_BYTES - COMMENT_BYTES : 0;
    for (uint64_t at = size - END_BYTES + 1; at-- > first;) {
        const uint8_t *end = find_record(r, at, "PK\5\6", END_BYTES);
        if (end == NULL) continue;
        *at_bytes = at;
        return end;
    }
    return NULL;
}

/* Reads number of members and offset of the directory, from the ZIP64 record if the end record has no room for them. */
static void read_end(const struct reader *r, const uint8_t *end, uint64_t at) {
    struct ndp_zip_list *list = r->list;
    list->has_directory = true;
    list->end_at_bytes = at;
    list->claimed_count = ndp_load_u16le(end + 10);
    list->directory_at_bytes = ndp_load_u32le(end + 16);
    const uint8_t *locator = at >= LOCATOR_BYTES ? find_record(r, at - LOCATOR_BYTES, "PK\6\7", LOCATOR_BYTES) : NULL;
    if (locator == NULL) return;
    const uint8_t *end64 = find_record(r, ndp_load_u64le(locator + 8), "PK\6\6", END64_BYTES);
    if (end64 == NULL) return;
    if (list->claimed_count == UINT16_MAX) list->claimed_count = ndp_load_u64le(end64 + 32);
    if (list->directory_at_bytes == UINT32_MAX) list->directory_at_bytes = ndp_load_u64le(end64 + 48);
}

/* Reads the entry at `*at` and moves to the next one. Returns false if there is none. */
static bool read_entry(const struct reader *r, uint64_t *at, struct ndp_zip_entry *out) {
    const uint8_t *record = find_record(r, *at, "PK\1\2", ENTRY_BYTES);
    if (record == NULL) return false;
    const uint64_t name = ndp_load_u16le(record + 28), extra = ndp_load_u16le(record + 30);
    *out = (struct ndp_zip_entry){.name = part(r, *at + ENTRY_BYTES, name),
                                  .flags = ndp_load_u16le(record + 8),
                                  .method = ndp_load_u16le(record + 10),
                                  .crc = ndp_load_u32le(record + 16),
                                  .packed_bytes = ndp_load_u32le(record + 20),
                                  .size_bytes = ndp_load_u32le(record + 24),
                                  .header_at_bytes = ndp_load_u32le(record + 42),
                                  .has_sizes = true};
    uint64_t *const numbers[] = {&out->size_bytes, &out->packed_bytes, &out->header_at_bytes};
    apply_zip64(part(r, *at + ENTRY_BYTES + name, extra), numbers, NDP_ARRAY_LEN(numbers));
    out->data_at_bytes = find_data(r, out->header_at_bytes);
    *at += ENTRY_BYTES + name + extra + ndp_load_u16le(record + 32);
    return true;
}

static enum ndp_status read_directory(struct ndp_arena *arena, struct reader *r) {
    struct ndp_zip_list *list = r->list;
    uint64_t at = list->directory_at_bytes;
    for (uint64_t i = 0; i < list->claimed_count && i < MAX_ENTRIES; i++) {
        struct ndp_zip_entry entry;
        if (!read_entry(r, &at, &entry)) {
            (void)ndp_error_set(&list->error, NDP_INVALID, at, "the directory has no member %llu of %llu here",
                                (unsigned long long)i, (unsigned long long)list->claimed_count);
            return NDP_OK;
        }
        NDP_TRY(add_entry(arena, r, &entry));
    }
    return NDP_OK;
}

/* ---- without one ---- */

static bool read_local(const struct reader *r, uint64_t at, struct ndp_zip_entry *out) {
    const uint8_t *record = find_record(r, at, "PK\3\4", LOCAL_BYTES);
    if (record == NULL) return false;
    const uint64_t name = ndp_load_u16le(record + 26), extra = ndp_load_u16le(record + 28);
    *out = (struct ndp_zip_entry){.name = part(r, at + LOCAL_BYTES, name),
                                  .flags = ndp_load_u16le(record + 6),
                                  .method = ndp_load_u16le(record + 8),
                                  .crc = ndp_load_u32le(record + 14),
                                  .packed_bytes = ndp_load_u32le(record + 18),
                                  .size_bytes = ndp_load_u32le(record + 22),
                                  .header_at_bytes = at,
                                  .data_at_bytes = at + LOCAL_BYTES + name + extra};
    out->has_sizes = (out->flags & HAS_DESCRIPTOR) == 0;
    uint64_t *const numbers[] = {&out->size_bytes, &out->packed_bytes};
    apply_zip64(part(r, at + LOCAL_BYTES + name, extra), numbers, NDP_ARRAY_LEN(numbers));
    return true;
}

/* Reads local headers from the start, as long as each one gives the place of the next. */
static enum ndp_status read_locals(struct ndp_arena *arena, struct reader *r) {
    struct ndp_zip_list *list = r->list;
    uint64_t at = 0;
    for (;;) {
        struct ndp_zip_entry entry;
        if (list->count == MAX_ENTRIES || !read_local(r, at, &entry)) break;
        NDP_TRY(add_entry(arena, r, &entry));
        if (!entry.has_sizes || !ndp_checked_add_u64(entry.data_at_bytes, entry.packed_bytes, &at)) break;
    }
    return NDP_OK;
}

enum ndp_status ndp_zip_list_read(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_zip_list *out) {
    struct ndp_zip_list list = {0};
    struct reader r = {.bytes = bytes, .list = &list};
    uint64_t at = 0;
    const uint8_t *end = find_end(&r, &at);
    if (end != NULL) {
        read_end(&r, end, at);
        NDP_TRY(read_directory(arena, &r));
    } else {
        (void)ndp_error_set(&list.error, NDP_TRUNCATED, bytes.size_bytes, "the archive has no end record");
        NDP_TRY(read_locals(arena, &r));
    }
    *out = list;
    return NDP_OK;
}
