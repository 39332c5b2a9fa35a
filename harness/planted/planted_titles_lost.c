#include "planted/defect.h"

static void drop_titles(cJSON *dtype) {
    cJSON *field = NULL;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        cJSON_DeleteItemFromObject(field, "title");
        drop_titles(cJSON_GetObjectItem(field, "dtype"));
    }
}

static void drop_all_titles(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, drop_titles);
}

NDP_DECODE_WITH(decode, drop_all_titles)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(titles_lost, "dtype", "Titles of fields are ignored.", encode, decode);
