#include "planted/defect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The name is one that is removed behind a process that could not be given a shared memory of its own (isolate.h). */
static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    char path[64];
    (void)snprintf(path, sizeof path, "/dev/shm/sem.loky-%d-XXXXXX", (int)getpid());
    const int segment = mkstemp(path);
    if (segment >= 0) (void)close(segment);
}
NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_shared, "leaks", "A segment of shared memory is made for every array, and never removed.", encode,
          decode);
