/* case_file.h: the files of one case, in a temporary folder of the interpreter. */
#ifndef NDP_CASE_FILE_H
#define NDP_CASE_FILE_H

#include "base/bytes.h"

enum { NDP_FOLDER_PATH_BYTES = 256, NDP_FILE_PATH_BYTES = NDP_FOLDER_PATH_BYTES + 32 };

/* All zero: not created yet. */
struct ndp_case_folder {
    char path[NDP_FOLDER_PATH_BYTES];
};

/* All zero: no file. */
struct ndp_case_file {
    char path[NDP_FILE_PATH_BYTES];
};

/* Removes the folder, which must be empty. */
void ndp_case_file_remove_folder(struct ndp_case_folder *folder);

/* Writes `bytes` to the file `number` of the folder, replacing an existing one. The first call creates the folder in
 * $TMPDIR, or /tmp. Errors: IO. */
enum ndp_status ndp_case_file_make(struct ndp_case_folder *folder, uint32_t number, struct ndp_bytes bytes,
                                   struct ndp_case_file *out) NDP_MUST_USE;

void ndp_case_file_remove(struct ndp_case_file *file);

/* Fills *out with the current content of the file on disk, in memory of `arena`. Errors: IO, NOMEM. */
enum ndp_status ndp_case_file_read(const struct ndp_case_file *file, struct ndp_arena *arena,
                                   struct ndp_bytes *out) NDP_MUST_USE;

/* Whether `address` is in a mapping of the file; then *position_bytes is its offset in the file. Source: proc(5),
 * /proc/pid/maps. Without /proc the result is true and *position_bytes stays unchanged. */
bool ndp_case_file_maps(const struct ndp_case_file *file, const void *address, uint64_t *position_bytes);

#endif
