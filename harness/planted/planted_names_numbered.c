#include "planted/defect.h"

#include <stdio.h>

static bool is_plain(const cJSON *name) {
    bool plain = cJSON_IsString(name);
    for (const char *c = plain ? name->valuestring : ""; *c != '\0'; c++) plain = plain && *c > ' ' && *c < 0x7f;
    return plain;
}

static void number_names(cJSON *dtype) {
    cJSON *field = NULL;
    int index = 0;
    cJSON_ArrayForEach(field, cJSON_GetObjectItem(dtype, "fields")) {
        char name[16];
        (void)snprintf(name, sizeof(name), "f%d", index++);
        if (is_plain(cJSON_GetObjectItem(field, "name"))) continue;
        cJSON_DeleteItemFromObject(field, "name");
        (void)cJSON_AddStringToObject(field, "name", name);
    }
}

static void number_all_names(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    ndp_defect_edit_dtype(defect, number_names);
}

NDP_DECODE_WITH(decode, number_all_names)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(names_numbered, "dtype", "Fields whose names are not plain ASCII are renamed to f0, f1 and so on.", encode,
          decode);
