/* temporary.h: folder for short-lived files. */
#ifndef NDP_TEMPORARY_H
#define NDP_TEMPORARY_H

#include "base/status.h"

/* Returns the folder for temporary files: $TMPDIR if it is an absolute path; else /dev/shm if it has at least
 * NDP_TEMPORARY_FREE_BYTES free, because a case creates and removes several small files and a disk would dominate its
 * cost; else /tmp. Borrows constant text or the environment; never NULL. */
const char *ndp_temporary_parent(void);

#define NDP_TEMPORARY_FREE_BYTES (UINT64_C(1) << 30)

/* Checks that this folder has NDP_TEMPORARY_LEAST_BYTES free, or that its file system reports no size. Otherwise
 * libraries would fail for lack of space, and results would reveal nothing about them. Errors: FAULT (too little
 * space), IO (no such folder). */
enum ndp_status ndp_temporary_check(struct ndp_error *error) NDP_MUST_USE;

#define NDP_TEMPORARY_LEAST_BYTES (UINT64_C(16) << 20)

#endif
