#include "planted/defect.h"

#include <string.h>

static void copy_in_c_order(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (strcmp(entry->entry, "file") == 0) (void)ndp_defect_copy(defect);
}

NDP_DECODE_WITH(decode, copy_in_c_order)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(file_order, "entry_points",
          "The decoder returns Fortran-ordered arrays in C order when it reads a file, but not from memory.", encode,
          decode);
