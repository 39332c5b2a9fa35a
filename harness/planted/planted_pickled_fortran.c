#include "planted/defect.h"

/* A reader that ignores is_fortran reads the elements in C order. */
static void read_in_c_order(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (defect->array.ndim < 2) return;
    const int64_t itemsize = (int64_t)defect->array.itemsize_bytes;
    if (defect->strides_bytes[0] == itemsize && ndp_defect_count_elems(defect) > 0) ndp_defect_set_order(defect, false);
}

NDP_DECODE_WITH(decode, read_in_c_order)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT_PICKLE(pickled_fortran, "values", "The Fortran flag in the state of a pickled array is ignored.", encode,
                 decode);
