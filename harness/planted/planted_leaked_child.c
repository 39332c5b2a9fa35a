#include "planted/defect.h"

#include <unistd.h>

static void leak_child(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    if (fork() == 0) _exit(0);
}
NDP_DECODE_WITH(decode, leak_child)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_child, "leaks", "Every array starts a process that nobody waits for.", encode, decode);
