#include "planted/defect.h"

#include <fcntl.h>

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
}
NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_descriptor, "leaks", "A descriptor is opened for every array, and never closed.", encode, decode);
