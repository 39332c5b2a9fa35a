/* dissect_zip.h: lists the members of a ZIP archive from its own records: the central directory, or the local headers
 * of an archive without one. Names and sizes are data and checked against nothing. Source: APPNOTE.TXT 6.3. */
#ifndef NDP_DISSECT_ZIP_H
#define NDP_DISSECT_ZIP_H

#include "base/bytes.h"

struct ndp_zip_entry {
    struct ndp_bytes name; /* borrowed from the archive */
    uint16_t method;
    uint16_t flags;
    uint32_t crc;
    uint64_t packed_bytes;
    uint64_t size_bytes;
    uint64_t header_at_bytes; /* of the local header */
    uint64_t data_at_bytes;   /* NDP_NO_OFFSET: the local header cannot be read */
    bool has_sizes;           /* false: a streamed member of an archive without directory */
};

struct ndp_zip_list {
    struct ndp_zip_entry *entries; /* in the arena */
    uint64_t count;
    uint64_t claimed_count; /* by the end record */
    bool has_directory;     /* the entries are those of the central directory */
    uint64_t directory_at_bytes;
    uint64_t end_at_bytes;  /* of the end record */
    struct ndp_error error; /* the first record that cannot be read; status OK: none */
};

/* Fills *out from `bytes` (borrowed). Errors: NOMEM. */
enum ndp_status ndp_zip_list_read(struct ndp_arena *arena, struct ndp_bytes bytes,
                                  struct ndp_zip_list *out) NDP_MUST_USE;

#endif
