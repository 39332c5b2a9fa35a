#include "planted/defect.h"

static void detach_map(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const bool was_mapped = defect->array.is_mapped;
    const uint64_t position = defect->array.file_position_bytes;
    if (!was_mapped || ndp_defect_copy_in_order(defect) == NULL) return;
    defect->array.is_mapped = true;
    defect->array.file_position_bytes = position;
}

NDP_DECODE_WITH(decode, detach_map)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(detached_map, "memmap", "A copy in memory is reported as a map of the file.", encode, decode);
