#include "planted/defect.h"

static void swap_titles(cJSON *dtype) {
    cJSON *field = NULL;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        cJSON *title = cJSON_DetachItemFromObject(field, "title");
        if (title == NULL) continue;
        cJSON *name = cJSON_DetachItemFromObject(field, "name");
        (void)cJSON_AddItemToObject(field, "name", title);
        (void)cJSON_AddItemToObject(field, "title", name);
    }
}

static void swap_all_titles(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, swap_titles);
}

NDP_DECODE_WITH(decode, swap_all_titles)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(title_swap, "idempotence", "Each round trip exchanges title and name of a field.", encode, decode);
