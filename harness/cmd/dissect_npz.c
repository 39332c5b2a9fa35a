#include "cmd/dissect_npz.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/dissect_npy.h"
#include "cmd/dissect_text.h"
#include "cmd/dissect_zip.h"
#include "codec/npz/npz_read.h"

#define MAX_CONTENT_BYTES (UINT64_C(16) << 20)
enum { MAX_MEMBERS = 64, MAX_NAME_SHOWN = 200, STORED = 0 };

struct dissection {
    FILE *out;
    uint32_t indent;
    struct ndp_arena *arena;
    struct ndp_bytes bytes;
    struct ndp_zip_list list;
    struct ndp_npz *npz; /* NULL: the reader refuses the archive */
};

static const char *method_word(uint16_t method) {
    static const struct {
        uint16_t method;
        const char *word;
    } words[] = NDP_ROWS({0, "stored"}, {8, "deflated"}, {9, "deflate64"}, {12, "bzip2"}, {14, "lzma"}, {93, "zstd"},
                         {95, "xz"});
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (words[i].method == method) return words[i].word;
    return "unknown";
}

/* The number of earlier members with the same name. NumPy reads the last one. */
static uint32_t count_before(const struct dissection *d, uint64_t index) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < index; i++)
        if (ndp_bytes_is_equal(d->list.entries[i].name, d->list.entries[index].name)) count++;
    return count;
}

static void draw_entry(const struct dissection *d, uint64_t index) {
    const struct ndp_zip_entry *entry = &d->list.entries[index];
    const uint32_t before = count_before(d, index);
    fprintf(d->out, "%*smember %" PRIu64 " '", (int)d->indent, "", index);
    ndp_dissect_text(d->out, entry->name, MAX_NAME_SHOWN);
    fprintf(d->out, "': %s (%u)", method_word(entry->method), entry->method);
    if (entry->has_sizes)
        fprintf(d->out, ", %" PRIu64 " bytes in %" PRIu64 ", CRC %08" PRIx32, entry->size_bytes, entry->packed_bytes,
                entry->crc);
    else
        fputs(", sizes after the data", d->out);
    fprintf(d->out, ", header at byte %" PRIu64, entry->header_at_bytes);
    if (entry->data_at_bytes != NDP_NO_OFFSET) fprintf(d->out, ", data at byte %" PRIu64, entry->data_at_bytes);
    if ((entry->flags & 1) != 0) fputs(", encrypted", d->out);
    if (before > 0) fprintf(d->out, ", duplicate number %u of this name", before);
    fputc('\n', d->out);
}

/* Dissects the content of a member, which has `total_bytes` bytes, as far as it is known. */
static enum ndp_status draw_content(const struct dissection *d, struct ndp_bytes content, uint64_t total_bytes) {
    if (content.size_bytes == 0) return NDP_OK;
    return ndp_dissect_npy(d->out, d->indent + 2, d->arena, content, total_bytes);
}

/* Reads a member with its CRC. The beginning of a large member is enough. */
static enum ndp_status draw_member(const struct dissection *d, uint64_t index) {
    NDP_BUFFER_SCOPED(content, MAX_CONTENT_BYTES);
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    const struct ndp_zip_entry *entry = &d->list.entries[index];
    const enum ndp_status status = ndp_npz_read(d->npz, index, &content, &error);
    const bool is_large = status == NDP_LIMIT && entry->size_bytes > MAX_CONTENT_BYTES;
    enum ndp_status drawn =
        draw_content(d, ndp_buffer_view(&content), is_large ? entry->size_bytes : content.size_bytes);
    if (status != NDP_OK && !is_large) ndp_dissect_error(d->out, d->indent + 2, 0, &error);
    return drawn;
}

/* Reads a stored member where the archive has it. Offsets count from the start of the member. */
static enum ndp_status draw_in_place(const struct dissection *d, const struct ndp_zip_entry *entry) {
    const uint64_t at = entry->data_at_bytes;
    if (entry->method != STORED || !entry->has_sizes || at == NDP_NO_OFFSET || at >= d->bytes.size_bytes ||
        (entry->flags & 1) != 0) {
        fprintf(d->out, "%*sits content cannot be read\n", (int)d->indent + 2, "");
        return NDP_OK;
    }
    const uint64_t left = d->bytes.size_bytes - at;
    const uint64_t size = entry->packed_bytes < left ? entry->packed_bytes : left;
    return draw_content(d, (struct ndp_bytes){d->bytes.data + at, size}, size);
}

/* libzip lists the members in the order of the directory. */
static bool is_same_member(const struct dissection *d, uint64_t index) {
    struct ndp_npz_member member;
    if (d->npz == NULL || index >= ndp_npz_count(d->npz)) return false;
    ndp_npz_member(d->npz, index, &member);
    return member.crc == d->list.entries[index].crc && member.size_bytes == d->list.entries[index].size_bytes;
}

static enum ndp_status draw_members(const struct dissection *d) {
    for (uint64_t i = 0; i < d->list.count && i < MAX_MEMBERS; i++) {
        draw_entry(d, i);
        NDP_TRY(is_same_member(d, i) ? draw_member(d, i) : draw_in_place(d, &d->list.entries[i]));
    }
    if (d->list.count > MAX_MEMBERS)
        fprintf(d->out, "%*sand %" PRIu64 " more members\n", (int)d->indent, "", d->list.count - MAX_MEMBERS);
    return NDP_OK;
}

enum ndp_status ndp_dissect_npz(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes) {
    struct dissection d = {.out = out, .indent = indent, .arena = arena, .bytes = bytes};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    NDP_TRY(ndp_zip_list_read(arena, bytes, &d.list));
    if (d.list.has_directory)
        fprintf(out, "%*sdirectory at byte %" PRIu64 ", end record at byte %" PRIu64 ": %" PRIu64 " members\n",
                (int)indent, "", d.list.directory_at_bytes, d.list.end_at_bytes, d.list.claimed_count);
    else
        fprintf(out, "%*sno directory: %" PRIu64 " local headers\n", (int)indent, "", d.list.count);
    const enum ndp_status opened = ndp_npz_open_memory(bytes, NULL, &d.npz, &error);
    if (opened != NDP_OK) ndp_dissect_error(out, indent, 0, &error);
    if (d.list.error.status != NDP_OK) ndp_dissect_error(out, indent, 0, &d.list.error);
    const enum ndp_status status = draw_members(&d);
    ndp_npz_free(d.npz);
    return opened == NDP_NOMEM ? opened : status;
}
