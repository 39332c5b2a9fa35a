/* joblib_legacy.h: what joblib up to 0.9 wrote beside the pickle: companion files, and z-files. For joblib_read.c. */
#ifndef NDP_JOBLIB_LEGACY_H
#define NDP_JOBLIB_LEGACY_H

#include "codec/compress/compress.h"
#include "codec/pickle/object.h"

/* A z-file: "ZF", the size of its content in hexadecimal, a zlib stream. Zeroed is closed. */
struct ndp_zfile {
    struct ndp_decompressor *stream;
    struct ndp_source *source; /* borrowed */
    bool is_started;
    bool is_over; /* more came than the header says */
    uint64_t size_bytes;
    uint64_t left_bytes;
};

enum { NDP_ZFILE_START_BYTES = 2 };

/* Whether bytes start a z-file. */
bool ndp_zfile_detect(struct ndp_bytes start);

/* Reads the header from `source` (borrowed until closed), from which the stream is read, too. `zfile` stays where it is
 * until closed. Errors: TRUNCATED, INVALID, NOMEM. */
enum ndp_status ndp_zfile_open(struct ndp_zfile *zfile, struct ndp_source *source,
                               const struct ndp_compress_limits *limits, struct ndp_error *error) NDP_MUST_USE;

/* A ndp_read_bytes for a struct ndp_zfile: exactly the size that the header says, or INVALID. */
enum ndp_status ndp_zfile_read(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) NDP_MUST_USE;

void ndp_zfile_close(struct ndp_zfile *zfile);

/* Whether a name can be one of a file in a folder: 1 to 255 bytes, no separator of any system, no NUL, not . or .. */
bool ndp_companion_is_name(const struct ndp_object *name);

/* The content of the file of that name in the folder, or, when `is_zfile`, of the z-file. Neither a link is followed
 * nor anything but a regular file read. Errors: INVALID, LIMIT (over `max_bytes`), IO, and as above. */
enum ndp_status ndp_companion_read(int folder_fd, const struct ndp_object *name, bool is_zfile, uint64_t max_bytes,
                                   const struct ndp_compress_limits *limits, struct ndp_blob *out,
                                   struct ndp_error *error) NDP_MUST_USE;

#endif
