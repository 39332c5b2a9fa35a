#include "planted/defect.h"

#include <fcntl.h>

static void leak_descriptor(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
}
NDP_DECODE_WITH(decode, leak_descriptor)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_descriptor, "leaks", "Every array opens a file descriptor that stays open.", encode, decode);
