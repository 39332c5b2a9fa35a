#include "planted/defect.h"

#include <string.h>

static void copy_in_c_order(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (strcmp(entry->entry, "file") == 0 && strcmp(entry->format, "npy") == 0) (void)ndp_defect_copy(defect);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, copy_in_c_order, NULL)

NDP_PLANT(fortran_file, "memory_order",
          "The encoder writes Fortran-ordered arrays in C order when it writes to a file.", encode, decode);
