#include "planted/defect.h"

static void drop_titles(cJSON *dtype) {
    cJSON *field = NULL;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        cJSON_DeleteItemFromObject(field, "title");
        drop_titles(cJSON_GetObjectItem(field, "dtype"));
    }
}

static void change(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, drop_titles);
}

NDP_DECODE_WITH(decode, change)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(titles_lost, "dtype", "Titles of fields are read over.", encode, decode);
