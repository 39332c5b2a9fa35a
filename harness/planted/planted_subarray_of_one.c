#include "planted/defect.h"

static bool has_one_element(const cJSON *dtype) {
    const cJSON *extent = NULL;
    bool is_one = cJSON_GetObjectItem(dtype, "base") != NULL;
    cJSON_ArrayForEach(extent, cJSON_GetObjectItem(dtype, "shape")) is_one = is_one && extent->valueint == 1;
    return is_one;
}

static void unwrap_fields(cJSON *dtype) {
    cJSON *field = NULL;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        cJSON *inner = cJSON_GetObjectItem(field, "dtype");
        if (!has_one_element(inner)) continue;
        cJSON *base = cJSON_DetachItemFromObject(inner, "base");
        (void)cJSON_ReplaceItemInObject(field, "dtype", base);
    }
}

static void unwrap_subarray(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, unwrap_fields);
}

NDP_DECODE_WITH(decode, unwrap_subarray)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(subarray_of_one, "dtype", "A sub-array of one element is read as a scalar.", encode, decode);
