#include "planted/defect.h"

/* Exchanges the names of two fields, which is the effect of a memo index that is off by one. */
static void swap_names(cJSON *dtype) {
    cJSON *fields = cJSON_GetObjectItem(dtype, "fields");
    if (cJSON_GetArraySize(fields) < 2) return;
    cJSON *first = cJSON_DetachItemFromObject(cJSON_GetArrayItem(fields, 0), "name");
    cJSON *second = cJSON_DetachItemFromObject(cJSON_GetArrayItem(fields, 1), "name");
    (void)cJSON_AddItemToObject(cJSON_GetArrayItem(fields, 0), "name", second);
    (void)cJSON_AddItemToObject(cJSON_GetArrayItem(fields, 1), "name", first);
}

static void swap_names_everywhere(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, swap_names);
}

NDP_DECODE_WITH(decode, swap_names_everywhere)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT_PICKLE(memo_mixed, "dtype",
                 "A memo index of a pickle is off by one, which exchanges the names of two fields.", encode, decode);
