#include "planted/defect.h"

static void round_to_page(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (defect->array.is_mapped) defect->array.file_position_bytes -= defect->array.file_position_bytes % 4096;
}

NDP_DECODE_WITH(decode, round_to_page)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(page_rounding, "memmap", "A map reports the start of its page as the address of its data.", encode, decode);
