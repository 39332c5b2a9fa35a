/* census.h: what a process holds that it must give back: counted from outside, by what the system tells of it, so that
 * it is the same for every language. Source: proc(5).
 */
#ifndef NDP_CENSUS_H
#define NDP_CENSUS_H

#include "base/status.h"

/* enum name, word, what is counted */
#define NDP_RESOURCE_LIST(X)                                                                                           \
    X(DESCRIPTORS, "descriptors", "open file descriptors")                                                             \
    X(MAPS, "maps", "memory maps of files")                                                                            \
    X(SHARED, "shared_memory", "names in shared memory")                                                               \
    X(FILES, "temporary_files", "files and folders in its temporary folder")                                           \
    X(CHILDREN, "children", "processes below it")

enum ndp_resource {
#define NDP_RESOURCE_ENUM(name, word, text) NDP_RESOURCE_##name,
    NDP_RESOURCE_LIST(NDP_RESOURCE_ENUM)
#undef NDP_RESOURCE_ENUM
        NDP_RESOURCE_COUNT
};

struct ndp_census {
    uint64_t counts[NDP_RESOURCE_COUNT];
};

/* "descriptors"; "open file descriptors". Never NULL. */
const char *ndp_resource_word(enum ndp_resource resource);
const char *ndp_resource_text(enum ndp_resource resource);

/* What to count. */
struct ndp_census_place {
    int process;        /* the one that is counted, with all below it: a worker that is kept loses things, too */
    int root;           /* it and all orphans of it are below this one; or it is this one */
    const char *folder; /* files in it, */
    uint32_t depth;     /* and in folders so far below it */
};

/* Fills *out. What changes by itself for a moment is counted when it is least: several looks are taken. Shared memory
 * is what the process sees: its own, or the machine's where it could not be given one (isolate.h). Errors: GONE (no
 * such process).
 */
enum ndp_status ndp_census_take(const struct ndp_census_place *place, struct ndp_census *out) NDP_MUST_USE;

#endif
