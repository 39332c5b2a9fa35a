/* mutate_npz.c: structural changes of a ZIP archive: members are added, removed, duplicated or swapped; names,
 * methods, flags, sizes and checksums change; NPY members change as NPY files.
 *
 * The mutator reads an archive by its central directory, as readers do, and writes it anew: it deflates the content if
 * the method requires that, and both headers get correct sizes, offsets and checksums. Sometimes exactly one of these
 * fields is wrong. Most inputs therefore reach the code after the directory. Source: PKWARE APPNOTE 6.3.10, 4.3. */
#include "mutate/mutate.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/byteorder.h"
#include "mutate/generated_files.h"

enum {
    MAX_MEMBERS = 6,
    MAX_CHANGES = 3,
    CONTENT_BYTES = 1 << 16,
    STORED = 0,
    DEFLATED = 8,
    VERSION_NEEDED = 20,
    HAS_DESCRIPTOR = 1 << 3
};
enum {
    LOCAL_BYTES = 30,
    ENTRY_BYTES = 46,
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    DESCRIPTOR_BYTES = 16
};
/* Readers often take 4 KiB at a time; the target takes at most 32 KiB from a member. */
enum {
    NEW_ONE_IN = 8,
    ZIP64_ONE_IN = 8,
    LONG_ONE_IN = 64,
    LONG_BYTES = 1 << 12,
    LONGEST_BYTES = 1 << 15,
    LONG_HEADER_BYTES = 128
};

struct member {
    struct ndp_bytes name, comment, extra; /* `extra` has the fields of the entry except zip64 */
    struct ndp_bytes content;              /* decompressed, if that was possible */
    struct ndp_bytes deflated;             /* as in the file, or empty: deflating takes longer than a case */
    uint16_t method, flags, version;
    uint32_t crc, content_bytes; /* of content that could not be decompressed */
    bool is_packed;              /* `content` is still compressed */
    bool is_local64;             /* the sizes of the local header are in its extra field */
    uint8_t from64, count64;     /* which of size, compressed size and offset are in it */
};

struct archive {
    struct member members[MAX_MEMBERS];
    uint32_t count;
    struct ndp_bytes comment;
    bool has_end64, has_small_end; /* the end has a zip64 record; the small end is complete as well */
    uint64_t spare_bytes;          /* after the fixed part of that record */
};

/* The wrong field of the written file, of one member or of the end; or none. */
struct lie {
    uint32_t field; /* 0: none */
    uint32_t member;
    uint32_t by;
};

/* ---- splitting ---- */

static bool inflate_all(struct ndp_arena *arena, struct ndp_bytes from, uint32_t size, struct ndp_bytes *out) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)from.data, .avail_in = (uInt)from.size_bytes};
    uint8_t *room = size <= CONTENT_BYTES ? ndp_arena_alloc(arena, (uint64_t)size + 1) : NULL;
    if (!room || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    stream.next_out = room;
    stream.avail_out = size + 1;
    const int code = inflate(&stream, Z_FINISH);
    (void)inflateEnd(&stream);
    if (code != Z_STREAM_END || stream.total_out != size) return false;
    *out = (struct ndp_bytes){room, size};
    return true;
}

/* A number of an entry: the 32-bit field, or the next 64-bit one of the extra field. */
static uint64_t number_of(uint32_t small, struct ndp_cursor *extra) {
    struct ndp_bytes large;
    return small == UINT32_MAX && ndp_cursor_take(extra, 8, &large) == NDP_OK ? ndp_load_u64le(large.data) : small;
}

/* Reads the entry at the cursor and its content. */
static bool read_member(struct ndp_arena *arena, struct ndp_bytes file, struct ndp_cursor *at, struct member *out) {
    struct ndp_bytes entry, name, extra, comment, rest;
    if (ndp_cursor_take(at, ENTRY_BYTES, &entry) != NDP_OK || memcmp(entry.data, "PK\1\2", 4) != 0) return false;
    if (ndp_cursor_take(at, ndp_load_u16le(entry.data + 28), &name) != NDP_OK) return false;
    if (ndp_cursor_take(at, ndp_load_u16le(entry.data + 30), &extra) != NDP_OK) return false;
    if (ndp_cursor_take(at, ndp_load_u16le(entry.data + 32), &comment) != NDP_OK) return false;
    const bool has_numbers = extra.size_bytes >= 4 && ndp_load_u16le(extra.data) == 1;
    struct ndp_cursor numbers = ndp_cursor_view(extra);
    if (extra.size_bytes > 4 && ndp_cursor_take(&numbers, 4, &rest) != NDP_OK) return false;
    const uint64_t size = number_of(ndp_load_u32le(entry.data + 24), &numbers);
    const uint64_t packed = number_of(ndp_load_u32le(entry.data + 20), &numbers);
    const uint64_t local = number_of(ndp_load_u32le(entry.data + 42), &numbers);
    if (size > UINT32_MAX || file.size_bytes < LOCAL_BYTES || local > file.size_bytes - LOCAL_BYTES) return false;
    const uint64_t start =
        local + LOCAL_BYTES + ndp_load_u16le(file.data + local + 26) + ndp_load_u16le(file.data + local + 28);
    if (start > file.size_bytes || packed > file.size_bytes - start) return false;
    const struct ndp_bytes content = {file.data + start, packed};
    *out = (struct member){.name = name,
                           .comment = comment,
                           .extra = {extra.data, has_numbers ? 0 : extra.size_bytes},
                           .content = content,
                           .method = ndp_load_u16le(entry.data + 10),
                           .flags = ndp_load_u16le(entry.data + 8),
                           .version = ndp_load_u16le(entry.data + 6),
                           .crc = ndp_load_u32le(entry.data + 16),
                           .content_bytes = (uint32_t)size,
                           .is_packed = true};
    if (out->method == STORED && packed == size) out->is_packed = false;
    if (out->method != DEFLATED) return true;
    out->is_packed = !inflate_all(arena, content, (uint32_t)size, &out->content);
    if (!out->is_packed) out->deflated = content;
    return true;
}

static bool split_archive(struct ndp_arena *arena, struct ndp_bytes file, struct archive *out) {
    if (file.size_bytes < END_BYTES) return false;
    uint64_t end = file.size_bytes - END_BYTES;
    while (end > 0 && memcmp(file.data + end, "PK\5\6", 4) != 0) end--;
    if (memcmp(file.data + end, "PK\5\6", 4) != 0) return false;
    struct ndp_cursor at = ndp_cursor_view((struct ndp_bytes){file.data, end});
    struct ndp_bytes before;
    *out = (struct archive){.comment = {file.data + end + END_BYTES, file.size_bytes - end - END_BYTES}};
    uint64_t start = ndp_load_u32le(file.data + end + 16);
    if (start == UINT32_MAX && end >= LOCATOR_BYTES + END64_BYTES) {
        const uint64_t record = ndp_load_u64le(file.data + end - LOCATOR_BYTES + 8);
        if (record <= end - LOCATOR_BYTES - END64_BYTES) start = ndp_load_u64le(file.data + record + 48);
    }
    if (ndp_cursor_take(&at, start, &before) != NDP_OK) return false;
    while (out->count < MAX_MEMBERS && read_member(arena, file, &at, &out->members[out->count])) out->count++;
    return true;
}

/* ---- changes ---- */

static enum ndp_status keep_content(struct ndp_arena *arena, const struct ndp_buffer *made, struct member *member) {
    const uint8_t *copy = ndp_arena_copy(arena, made->data, made->size_bytes);
    if (!copy) return NDP_NOMEM;
    member->content = (struct ndp_bytes){copy, made->size_bytes};
    member->deflated.size_bytes = 0;
    return NDP_OK;
}

/* Mutates the NPY file of a member. */
static enum ndp_status change_content(struct ndp_arena *arena, struct ndp_choices *choices, struct member *member) {
    struct ndp_buffer made = {.max_bytes = CONTENT_BYTES};
    if (member->is_packed) return NDP_OK;
    enum ndp_status status = fuzz_mutate_npy(arena, choices, member->content, &made);
    if (status == NDP_OK && made.size_bytes > 0) status = keep_content(arena, &made, member);
    ndp_buffer_clear(&made);
    return status == NDP_NOMEM ? status : NDP_OK;
}

/* Adds a few generated arrays, each with its own name. */
static enum ndp_status generate_members(struct ndp_arena *arena, struct ndp_choices *choices, struct archive *out) {
    static const char *const names[] = {"a.npy", "arr_0.npy", "b/c.npy"};
    *out = (struct archive){.count = 1 + (uint32_t)ndp_choose(choices, NDP_ARRAY_LEN(names))};
    for (uint32_t i = 0; i < out->count; i++) {
        struct ndp_buffer made = {.max_bytes = CONTENT_BYTES};
        out->members[i] = (struct member){.name = ndp_bytes_view(names[i]),
                                          .method = ndp_choose(choices, 2) ? DEFLATED : STORED,
                                          .version = VERSION_NEEDED};
        enum ndp_status status = fuzz_generate_npy(arena, choices, &made);
        if (status == NDP_OK) status = keep_content(arena, &made, &out->members[i]);
        ndp_buffer_clear(&made);
        if (status != NDP_OK) return status;
    }
    return NDP_OK;
}

/* Adds an array of a few KiB, sometimes of many, that compresses well but repeats nowhere, so that readers need
 * several portions. Its elements count up and wrap, and each KiB differs from the one before. */
static enum ndp_status make_long_member(struct ndp_arena *arena, struct ndp_choices *choices, struct member *member) {
    static const struct {
        const char *type;
        uint32_t itemsize;
    } types[] = {{"|u1", 1}, {"<u2", 2}, {">i4", 4}, {"<f8", 8}, {"|S7", 7}};
    const uint64_t k = ndp_choose(choices, NDP_ARRAY_LEN(types)), period = 2 + ndp_choose(choices, 60);
    const uint64_t most_bytes = ndp_choose_rarely(choices, 8) ? LONGEST_BYTES : LONG_BYTES * 2;
    const uint64_t size = LONG_BYTES + ndp_choose(choices, most_bytes - LONG_BYTES - LONG_HEADER_BYTES);
    const uint64_t count = size / types[k].itemsize, all = LONG_HEADER_BYTES + count * types[k].itemsize;
    uint8_t *npy = ndp_arena_alloc(arena, all + 1);
    if (!npy) return NDP_NOMEM;
    const int length = snprintf((char *)npy, LONG_HEADER_BYTES,
                                "\x93NUMPY\1%c\x76%c{'descr': '%s', 'fortran_order': %s, 'shape': (%llu,), }", 0, 0,
                                types[k].type, ndp_choose(choices, 2) ? "True" : "False", (unsigned long long)count);
    memset(npy + length, ' ', (size_t)(LONG_HEADER_BYTES - length));
    npy[LONG_HEADER_BYTES - 1] = '\n';
    for (uint64_t i = LONG_HEADER_BYTES; i < all; i++) npy[i] = (uint8_t)(i % period + i / 1024);
    member->content = (struct ndp_bytes){npy, all};
    member->deflated.size_bytes = 0;
    member->is_packed = false;
    member->method = ndp_choose_rarely(choices, 8) ? STORED : DEFLATED;
    return NDP_OK;
}

static void change_name(struct ndp_choices *choices, const struct archive *archive, struct member *member) {
    static const char *const names[] = {"a.npy",    "arr_0.npy", "x",    "",        ".npy",         "a.npy.npy",
                                        "b/c.npy",  "../a.npy",  "/a",   "a\\b",    "\xce\xb1.npy", "A.NPY",
                                        "file.npy", "a.npz",     "dir/", "\xff.npy"};
    member->name = ndp_bytes_view(names[ndp_choose(choices, NDP_ARRAY_LEN(names))]);
    if (ndp_choose_rarely(choices, 4)) member->name = archive->members[ndp_choose(choices, archive->count)].name;
    if (ndp_choose_rarely(choices, 2)) member->flags ^= 1 << 11; /* the name is UTF-8 */
}

static void change_method(struct ndp_choices *choices, struct member *member) {
    static const uint16_t methods[] = {STORED, DEFLATED, STORED, DEFLATED, 1, 9, 12, 14, 93, 99, 0xffff};
    member->method = methods[ndp_choose(choices, NDP_ARRAY_LEN(methods))];
}

static void insert_member(struct archive *archive, uint64_t at, const struct member *member) {
    const struct member kept = *member;
    if (archive->count == MAX_MEMBERS) return;
    memmove(&archive->members[at + 1], &archive->members[at], (archive->count - at) * sizeof kept);
    archive->members[at] = kept;
    archive->count++;
}

static void remove_one(struct archive *archive, uint64_t at) {
    archive->count--;
    memmove(&archive->members[at], &archive->members[at + 1], (archive->count - at) * sizeof archive->members[0]);
}

/* Adds data that readers skip: a comment, and extra fields of other programs (a timestamp, Java's marker), one of them
 * truncated. */
static void change_comment_or_extra(struct ndp_choices *choices, struct member *member) {
    static const char *const comments[] = {"", "a", "a comment of more bytes than an entry has before it"};
    static const struct ndp_bytes extras[] = {{NULL, 0},
                                              {(const uint8_t *)"UT\5\0\1abcd", 9},
                                              {(const uint8_t *)"\xfe\xca\0", 4},
                                              {(const uint8_t *)"\xfe\xca\0\0UT\5\0\1abcd", 13},
                                              {(const uint8_t *)"UT\5\0\1abc", 8}};
    if (ndp_choose(choices, 2))
        member->comment = ndp_bytes_view(comments[ndp_choose(choices, NDP_ARRAY_LEN(comments))]);
    else
        member->extra = extras[ndp_choose(choices, NDP_ARRAY_LEN(extras))];
}

static enum ndp_status change_archive(struct ndp_arena *arena, struct ndp_choices *choices, struct archive *archive) {
    static const uint16_t flags[] = {1, HAS_DESCRIPTOR, 1 << 5, 1 << 6, 1 << 11, 1 << 13};
    static const char *const comments[] = {"", "a", "a comment of more bytes than an end has", "PK\5\6"};
    const uint64_t at = ndp_choose(choices, archive->count), how = ndp_choose(choices, 14);
    struct member *member = &archive->members[at];
    if (ndp_choose_rarely(choices, LONG_ONE_IN)) return make_long_member(arena, choices, member);
    if (how < 5) return change_content(arena, choices, member);
    if (how < 7) change_name(choices, archive, member);
    if (how == 7) change_method(choices, member);
    if (how == 8) member->flags ^= flags[ndp_choose(choices, NDP_ARRAY_LEN(flags))];
    if (how == 9) insert_member(archive, ndp_choose(choices, archive->count + UINT64_C(1)), member);
    if (how == 10 && archive->count > 1) remove_one(archive, at);
    if (how == 12) archive->comment = ndp_bytes_view(comments[ndp_choose(choices, NDP_ARRAY_LEN(comments))]);
    if (how == 13) change_comment_or_extra(choices, member);
    if (how == 11) {
        const struct member kept = *member;
        struct member *other = &archive->members[ndp_choose(choices, archive->count)];
        *member = *other;
        *other = kept;
    }
    return NDP_OK;
}

/* ---- assembling ---- */

static enum ndp_status compress_member(struct ndp_arena *arena, struct member *member, struct ndp_bytes *out) {
    *out = member->content;
    if (member->is_packed) return NDP_OK;
    member->crc = (uint32_t)crc32(0, member->content.data, (uInt)member->content.size_bytes);
    member->content_bytes = (uint32_t)member->content.size_bytes;
    if (member->method != DEFLATED) return NDP_OK;
    *out = member->deflated;
    if (out->size_bytes > 0) return NDP_OK;
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)member->content.data,
                       .avail_in = (uInt)member->content.size_bytes};
    /* The smallest window: clearing a larger one takes longer than the case. */
    if (deflateInit2(&stream, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY) != Z_OK) return NDP_NOMEM;
    const uint64_t room_bytes = deflateBound(&stream, (uLong)member->content.size_bytes);
    uint8_t *room = ndp_arena_alloc(arena, room_bytes);
    stream.next_out = room;
    stream.avail_out = (uInt)room_bytes;
    const int code = room ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    *out = (struct ndp_bytes){room, stream.total_out};
    (void)deflateEnd(&stream);
    return code == Z_STREAM_END ? NDP_OK : NDP_NOMEM;
}

/* Writes the 24 bytes that both headers share, from the version needed to the length of the name. */
static void fill_shared(const struct member *member, uint64_t packed_bytes, uint8_t *out) {
    ndp_store_u16le(out, member->version);
    ndp_store_u16le(out + 2, member->flags);
    ndp_store_u16le(out + 4, member->method);
    ndp_store_u32le(out + 6, UINT32_C(0x00210000)); /* 1980-01-01 */
    ndp_store_u32le(out + 10, member->crc);
    ndp_store_u32le(out + 14, (uint32_t)packed_bytes);
    ndp_store_u32le(out + 18, member->content_bytes);
    ndp_store_u16le(out + 22, (uint16_t)member->name.size_bytes);
}

/* Corrupts the field `lie->by >> 8` of a header if the lie is about it. */
static void corrupt_field(const struct lie *lie, uint32_t field, uint32_t member, uint8_t *header,
                          uint64_t size_bytes) {
    if (lie->field != field || lie->member != member) return;
    header[4 + (lie->by >> 8) % (size_bytes - 4)] ^= (uint8_t)(lie->by | 1);
}

/* Moves `count` numbers at these offsets of a header into an extra field, whose size is added to `size_at`. An offset
 * of 0 stands for a number that zip64 was not chosen for. */
static uint64_t move_to_extra(uint8_t *header, const uint8_t *places, uint32_t count, uint64_t size_at,
                              uint8_t *extra) {
    ndp_store_u16le(extra, 1);
    ndp_store_u16le(extra + 2, (uint16_t)(8 * count));
    for (uint32_t i = 0; i < count; i++) {
        ndp_store_u64le(extra + 4 + 8 * (uint64_t)i, ndp_load_u32le(header + places[i]));
        ndp_store_u32le(header + places[i], UINT32_MAX);
    }
    const uint64_t size = count > 0 ? 4 + 8 * (uint64_t)count : 0;
    ndp_store_u16le(header + size_at, (uint16_t)size);
    return size;
}

/* Writes size and checksum after the member, as writers into a pipe do (4.3.9). */
static enum ndp_status add_local(struct ndp_arena *arena, struct member *member, const struct lie *lie, uint32_t index,
                                 uint64_t *packed_bytes, struct ndp_buffer *out) {
    static const uint8_t places[] = {22, 18}; /* the size comes first */
    uint8_t header[LOCAL_BYTES] = {'P', 'K', 3, 4}, extra[4 + 16], descriptor[DESCRIPTOR_BYTES] = {'P', 'K', 7, 8};
    struct ndp_bytes packed;
    NDP_TRY(compress_member(arena, member, &packed));
    *packed_bytes = packed.size_bytes;
    fill_shared(member, packed.size_bytes, header + 4);
    const uint64_t extra_bytes = move_to_extra(header, places, member->is_local64 ? 2 : 0, 28, extra);
    const bool has_descriptor = (member->flags & HAS_DESCRIPTOR) != 0 && extra_bytes == 0;
    memcpy(descriptor + 4, header + 14, 12);
    if (has_descriptor) memset(header + 14, 0, 12);
    corrupt_field(lie, 1, index, header, sizeof header);
    corrupt_field(lie, 4, index, descriptor, sizeof descriptor);
    NDP_TRY(ndp_buffer_add(out, header, sizeof header));
    NDP_TRY(ndp_buffer_add(out, member->name.data, member->name.size_bytes));
    NDP_TRY(ndp_buffer_add(out, extra, extra_bytes));
    NDP_TRY(ndp_buffer_add(out, packed.data, packed.size_bytes));
    return has_descriptor ? ndp_buffer_add(out, descriptor, sizeof descriptor) : NDP_OK;
}

static enum ndp_status add_entry(const struct member *member, const struct lie *lie, uint32_t index, uint64_t place,
                                 uint64_t packed_bytes, struct ndp_buffer *out) {
    static const uint8_t places[] = {24, 20, 42};
    uint8_t header[ENTRY_BYTES] = {'P', 'K', 1, 2, 20, 3}, extra[4 + 24];
    fill_shared(member, packed_bytes, header + 6);
    ndp_store_u32le(header + 42, (uint32_t)place);
    const uint64_t extra_bytes = move_to_extra(header, places + member->from64, member->count64, 30, extra);
    ndp_store_u16le(header + 30, (uint16_t)(extra_bytes + member->extra.size_bytes));
    ndp_store_u16le(header + 32, (uint16_t)member->comment.size_bytes);
    corrupt_field(lie, 2, index, header, sizeof header);
    NDP_TRY(ndp_buffer_add(out, header, sizeof header));
    NDP_TRY(ndp_buffer_add(out, member->name.data, member->name.size_bytes));
    NDP_TRY(ndp_buffer_add(out, extra, extra_bytes));
    NDP_TRY(ndp_buffer_add(out, member->extra.data, member->extra.size_bytes));
    return ndp_buffer_add(out, member->comment.data, member->comment.size_bytes);
}

/* Writes the zip64 record and its locator. The extensible part of the record is optional (4.3.14.2). */
static enum ndp_status add_end64(const struct archive *archive, uint64_t place, struct ndp_buffer *out) {
    const uint64_t size = out->size_bytes - place, here = out->size_bytes;
    uint8_t record[END64_BYTES] = {'P', 'K', 6, 6}, locator[LOCATOR_BYTES] = {'P', 'K', 6, 7}, *spare = NULL;
    ndp_store_u64le(record + 4, END64_BYTES - 12 + archive->spare_bytes);
    record[12] = record[14] = 45;
    ndp_store_u64le(record + 24, archive->count);
    ndp_store_u64le(record + 32, archive->count);
    ndp_store_u64le(record + 40, size);
    ndp_store_u64le(record + 48, place);
    ndp_store_u64le(locator + 8, here);
    locator[16] = 1;
    NDP_TRY(ndp_buffer_add(out, record, sizeof record));
    NDP_TRY(ndp_buffer_extend(out, archive->spare_bytes, &spare));
    for (uint64_t i = 0; i < archive->spare_bytes; i++) spare[i] = (uint8_t)i;
    return ndp_buffer_add(out, locator, sizeof locator);
}

static enum ndp_status add_end(const struct archive *archive, const struct lie *lie, uint64_t place,
                               struct ndp_buffer *out) {
    uint8_t end[END_BYTES] = {'P', 'K', 5, 6};
    ndp_store_u16le(end + 8, (uint16_t)archive->count);
    ndp_store_u16le(end + 10, (uint16_t)archive->count);
    ndp_store_u32le(end + 12, (uint32_t)(out->size_bytes - place));
    ndp_store_u32le(end + 16, (uint32_t)place);
    if (archive->has_end64 && !archive->has_small_end) memset(end + 8, 0xff, 12);
    if (archive->has_end64) NDP_TRY(add_end64(archive, place, out));
    ndp_store_u16le(end + 20, (uint16_t)archive->comment.size_bytes);
    corrupt_field(lie, 3, lie->member, end, sizeof end);
    NDP_TRY(ndp_buffer_add(out, end, sizeof end));
    return ndp_buffer_add(out, archive->comment.data, archive->comment.size_bytes);
}

/* Selects the numbers that use zip64 although they fit: some or all. */
static void choose_zip64(struct ndp_choices *choices, struct archive *archive) {
    for (uint32_t i = 0; i < archive->count; i++) {
        struct member *member = &archive->members[i];
        member->is_local64 = ndp_choose(choices, 2) == 0;
        member->from64 = (uint8_t)ndp_choose(choices, 3);
        member->count64 = (uint8_t)ndp_choose(choices, 4 - member->from64);
    }
    archive->has_end64 = !ndp_choose_rarely(choices, 4);
    archive->has_small_end = ndp_choose_rarely(choices, 4);
    archive->spare_bytes = ndp_choose_rarely(choices, 3) ? ndp_choose(choices, 64) : 0;
}

static enum ndp_status join_archive(struct ndp_arena *arena, struct ndp_choices *choices, struct archive *archive,
                                    struct ndp_buffer *out) {
    uint64_t places[MAX_MEMBERS], packed_bytes[MAX_MEMBERS];
    struct lie lie = {0};
    if (ndp_choose_rarely(choices, 4)) {
        lie.field = 1 + (uint32_t)ndp_choose(choices, 4);
        lie.member = (uint32_t)ndp_choose(choices, archive->count + UINT64_C(1));
        lie.by = (uint32_t)ndp_choose(choices, 1 << 16);
    }
    if (ndp_choose_rarely(choices, ZIP64_ONE_IN)) choose_zip64(choices, archive);
    for (uint32_t i = 0; i < archive->count; i++) {
        places[i] = out->size_bytes;
        NDP_TRY(add_local(arena, &archive->members[i], &lie, i, &packed_bytes[i], out));
    }
    const uint64_t start = out->size_bytes;
    for (uint32_t i = 0; i < archive->count; i++)
        NDP_TRY(add_entry(&archive->members[i], &lie, i, places[i], packed_bytes[i], out));
    NDP_TRY(add_end(archive, &lie, start, out));
    if (ndp_choose_rarely(choices, 32)) out->size_bytes -= ndp_choose(choices, out->size_bytes); /* cut anywhere */
    return NDP_OK;
}

enum ndp_status fuzz_mutate_npz(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                struct ndp_buffer *out) {
    struct archive archive;
    const bool has_form = split_archive(arena, text, &archive);
    if (!has_form && ndp_choose(choices, 2) == 0) return NDP_INVALID;
    if (!has_form || ndp_choose_rarely(choices, NEW_ONE_IN)) {
        NDP_TRY(generate_members(arena, choices, &archive));
        return join_archive(arena, choices, &archive, out);
    }
    for (uint64_t left = 1 + ndp_choose(choices, MAX_CHANGES); left > 0 && archive.count > 0; left--)
        NDP_TRY(change_archive(arena, choices, &archive));
    return join_archive(arena, choices, &archive, out);
}

/* Members of both archives, each with its own name. */
enum ndp_status fuzz_cross_npz(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                               struct ndp_bytes second, struct ndp_buffer *out) {
    struct archive archive, other;
    if (!split_archive(arena, first, &archive) || !split_archive(arena, second, &other)) return NDP_INVALID;
    for (uint32_t i = 0; i < other.count; i++) {
        const uint64_t at = ndp_choose(choices, archive.count + UINT64_C(1));
        if (ndp_choose_rarely(choices, 2) && at < archive.count) archive.members[at] = other.members[i];
        if (ndp_choose_rarely(choices, 2)) insert_member(&archive, at, &other.members[i]);
    }
    return join_archive(arena, choices, &archive, out);
}
