#include "planted/defect.h"

/* Two names of fields change places, as where an index of the memo is one off. */
static void swap_names(cJSON *dtype) {
    cJSON *fields = cJSON_GetObjectItem(dtype, "fields");
    if (cJSON_GetArraySize(fields) < 2) return;
    cJSON *first = cJSON_DetachItemFromObject(cJSON_GetArrayItem(fields, 0), "name");
    cJSON *second = cJSON_DetachItemFromObject(cJSON_GetArrayItem(fields, 1), "name");
    (void)cJSON_AddItemToObject(cJSON_GetArrayItem(fields, 0), "name", second);
    (void)cJSON_AddItemToObject(cJSON_GetArrayItem(fields, 1), "name", first);
}

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, swap_names);
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT_PICKLE(memo_mixed, "dtype", "A reference into the memo of a pickle is one off, and two fields change names.",
                 encode, decode);
