#include "planted/defect.h"

#include <string.h>

static void drop_multiple(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    char *text = defect->dtype_json;
    char *bracket = ndp_defect_is_leaf(defect, "Mm") ? strchr(text, '[') : NULL;
    if (bracket == NULL) return;
    const size_t digits = strspn(bracket + 1, "0123456789");
    memmove(bracket + 1, bracket + 1 + digits, strlen(bracket + 1 + digits) + 1);
}

NDP_DECODE_WITH(decode, drop_multiple)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(unit_multiple, "dtype", "The multiple of a time unit is ignored: 25 us become 1 us.", encode, decode);
