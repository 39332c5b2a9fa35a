#include "planted/defect.h"

#include <string.h>

static void lock_array(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (strcmp(entry->entry, "memory") == 0) defect->array.is_writeable = false;
}

NDP_DECODE_WITH(decode, lock_array)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(read_only, "flags", "Arrays decoded from memory are read-only.", encode, decode);
