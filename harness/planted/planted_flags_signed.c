#include "planted/defect.h"

static void drop_aligned(cJSON *dtype) {
    cJSON *field = NULL;
    cJSON_DeleteItemFromObject(dtype, "aligned");
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        drop_aligned(cJSON_GetObjectItem(field, "dtype"));
    }
}

static void drop_aligned_everywhere(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, drop_aligned);
}

NDP_DECODE_WITH(decode, drop_aligned_everywhere)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT_PICKLE(flags_signed, "dtype",
                 "The flags of a pickled dtype are read as a signed number, and the align flag is lost.", encode,
                 decode);
