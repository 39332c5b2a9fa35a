#include "planted/defect.h"

#include <string.h>

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (strcmp(entry->entry, "file") == 0) (void)ndp_defect_copy(defect);
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(file_order, "entry_points",
          "The way in from a file gives Fortran-ordered arrays in C order, the way in from memory does not.", encode,
          decode);
