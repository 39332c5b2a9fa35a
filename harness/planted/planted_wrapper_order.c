#include "planted/defect.h"

#include <string.h>

static void label_little_endian(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    char type[16] = {0};
    (void)entry;
    if (!ndp_defect_is_leaf(defect, "iufc") || defect->dtype_json[1] != '>') return;
    const size_t length = strlen(defect->dtype_json);
    if (length < 3 || length - 2 >= sizeof(type)) return;
    memcpy(type, defect->dtype_json + 1, length - 2);
    type[0] = '<';
    ndp_defect_set_type(defect, type);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, label_little_endian, NULL)

NDP_PLANT_JOBLIB(wrapper_order, "values",
                 "The array wrapper of a joblib dump states little-endian for big-endian elements.", encode, decode);
