/* temporary.h: where short-lived files go. */
#ifndef NDP_TEMPORARY_H
#define NDP_TEMPORARY_H

#include "base/status.h"

/* The folder in which to make temporary ones: $TMPDIR when it is an absolute path; else a file system in memory
 * (/dev/shm) with at least NDP_TEMPORARY_FREE_BYTES free, because a case makes and removes several small files and a
 * disk file system would be most of its cost; else /tmp. Constant text or of the environment; never NULL. */
const char *ndp_temporary_parent(void);

#define NDP_TEMPORARY_FREE_BYTES (UINT64_C(1) << 30)

/* Whether that folder has NDP_TEMPORARY_LEAST_BYTES free, or its file system tells no size. Where it has not,
 * libraries fail for want of room, and what cases show then says nothing about them. Errors: FAULT; IO (there is no
 * such folder). */
enum ndp_status ndp_temporary_check(struct ndp_error *error) NDP_MUST_USE;

#define NDP_TEMPORARY_LEAST_BYTES (UINT64_C(16) << 20)

#endif
