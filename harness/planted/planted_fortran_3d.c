#include "planted/defect.h"

static void copy_in_c_order(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    const int64_t item = (int64_t)defect->array.itemsize_bytes;
    const bool is_fortran = defect->array.ndim >= 3 && defect->strides_bytes[0] == item;
    if (is_fortran && !defect->array.is_mapped) (void)ndp_defect_copy(defect);
}

NDP_DECODE_WITH(decode, copy_in_c_order)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(fortran_3d, "memory_order",
          "Arrays of three or more dimensions lose their Fortran order: the values are right, the order is C.", encode,
          decode);
