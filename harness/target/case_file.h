/* case_file.h: the files of one case, in a temporary folder of the interpreter's own. */
#ifndef NDP_CASE_FILE_H
#define NDP_CASE_FILE_H

#include "base/bytes.h"

enum { NDP_FOLDER_PATH_BYTES = 256, NDP_FILE_PATH_BYTES = NDP_FOLDER_PATH_BYTES + 32 };

/* Zeroed: not made yet. */
struct ndp_case_folder {
    char path[NDP_FOLDER_PATH_BYTES];
};

/* Zeroed: no file. */
struct ndp_case_file {
    char path[NDP_FILE_PATH_BYTES];
};

/* Removes the folder, which holds no file any more. */
void ndp_case_folder_remove(struct ndp_case_folder *folder);

/* Makes the file number `number` of the folder (which is made in $TMPDIR, or /tmp, when it is the first) with
 * `bytes` in it. A file of that number is replaced. Errors: IO. */
enum ndp_status ndp_case_file_make(struct ndp_case_folder *folder, uint32_t number, struct ndp_bytes bytes,
                                   struct ndp_case_file *out) NDP_MUST_USE;

void ndp_case_file_remove(struct ndp_case_file *file);

/* Fills *out with the bytes of the file as they are on disk now, in memory of `arena`. Errors: IO, NOMEM. */
enum ndp_status ndp_case_file_read(const struct ndp_case_file *file, struct ndp_arena *arena,
                                   struct ndp_bytes *out) NDP_MUST_USE;

/* Whether `address` lies in a mapping of the file, and where in the file then. Source: proc(5), /proc/pid/maps.
 * Where the system does not tell, the answer is yes and `*position_bytes` stays as it is. */
bool ndp_case_file_maps(const struct ndp_case_file *file, const void *address, uint64_t *position_bytes);

#endif
