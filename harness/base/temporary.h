/* temporary.h: where short-lived files go. */
#ifndef NDP_TEMPORARY_H
#define NDP_TEMPORARY_H

/* The folder in which to make temporary ones: $TMPDIR when it is an absolute path; else a file system in memory
 * (/dev/shm) with at least NDP_TEMPORARY_FREE_BYTES free, because a case makes and removes several small files and a
 * disk file system would be most of its cost; else /tmp. Constant text or of the environment; never NULL. */
const char *ndp_temporary_parent(void);

#define NDP_TEMPORARY_FREE_BYTES (UINT64_C(1) << 30)

#endif
