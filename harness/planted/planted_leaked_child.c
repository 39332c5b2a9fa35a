#include "planted/defect.h"

#include <unistd.h>

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    if (fork() == 0) _exit(0);
}
NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_child, "leaks", "A process is started for every array, and never waited for.", encode, decode);
