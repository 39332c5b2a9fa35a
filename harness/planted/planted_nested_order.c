#include "planted/defect.h"

static void relabel(cJSON *type) {
    if (type->valuestring[0] == '>') type->valuestring[0] = '<';
}

static void relabel_fields(cJSON *dtype) {
    if (cJSON_GetObjectItem(dtype, "fields") != NULL) ndp_defect_each_type(dtype, relabel);
}

static void relabel_nested(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (defect->dtype_json[0] == '{') ndp_defect_edit_dtype(defect, relabel_fields);
}

NDP_DECODE_WITH(decode, relabel_nested)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(nested_order, "byte_order", "Big-endian fields of a structured dtype are read as little-endian.", encode,
          decode);
