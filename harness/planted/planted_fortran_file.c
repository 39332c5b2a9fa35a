#include "planted/defect.h"

#include <string.h>

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (strcmp(entry->entry, "file") == 0 && strcmp(entry->format, "npy") == 0) (void)ndp_defect_copy(defect);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, change, NULL)

NDP_PLANT(fortran_file, "memory_order", "The way out to a file writes Fortran-ordered arrays in C order.", encode,
          decode);
