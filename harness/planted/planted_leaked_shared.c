#include "planted/defect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A name that isolate.h removes after a process which has no shared memory of its own. */
static void leak_shared_memory(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    char path[64];
    (void)snprintf(path, sizeof path, "/dev/shm/sem.loky-%d-XXXXXX", (int)getpid());
    const int segment = mkstemp(path);
    if (segment >= 0) (void)close(segment);
}
NDP_DECODE_WITH(decode, leak_shared_memory)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_shared, "leaks", "Every array creates a segment of shared memory that stays.", encode, decode);
