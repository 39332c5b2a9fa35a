/* resource_snapshot.h: counts the resources that a process has to release. It counts from outside, through /proc, so it
 * works for every language. Source: proc(5). */
#ifndef NDP_RESOURCE_SNAPSHOT_H
#define NDP_RESOURCE_SNAPSHOT_H

#include "base/status.h"

/* enum name, word, description */
#define NDP_RESOURCE_LIST(X)                                                                                           \
    X(DESCRIPTORS, "descriptors", "open file descriptors")                                                             \
    X(MAPS, "maps", "memory maps of files")                                                                            \
    X(SHARED, "shared_memory", "names in shared memory")                                                               \
    X(FILES, "temporary_files", "files and folders in its temporary folder")                                           \
    X(CHILDREN, "children", "processes below it")

#define NDP_RESOURCE_ENUM(name, word, text) NDP_RESOURCE_##name,
enum ndp_resource { NDP_RESOURCE_LIST(NDP_RESOURCE_ENUM) NDP_RESOURCE_COUNT };

struct ndp_resource_snapshot {
    uint64_t counts[NDP_RESOURCE_COUNT];
};

/* "descriptors"; "open file descriptors". Never NULL; "?" for an unknown value. */
const char *ndp_resource_snapshot_word(enum ndp_resource resource);
const char *ndp_resource_snapshot_text(enum ndp_resource resource);

/* The processes and the folder to count. */
struct ndp_resource_snapshot_scope {
    int process;        /* counted together with all its descendants, since workers that outlive a case can leak, too */
    int root;           /* an ancestor of `process` and of its orphans, or `process` itself */
    const char *folder; /* files in this folder */
    uint32_t depth;     /* and in this many levels of folders below it */
    int apart;          /* below `root`; not counted, nor is what is below it, except for `process`; 0: none */
};

/* Fills *out with the smallest counts of several samples, because counts can be higher for a moment. Shared memory is
 * counted as the process sees it: its own, or the machine's when the testee could not get its own (isolate.h). Errors:
 * GONE (no such process). */
enum ndp_status ndp_resource_snapshot_take(const struct ndp_resource_snapshot_scope *place,
                                           struct ndp_resource_snapshot *out) NDP_MUST_USE;

#endif
