#include "planted/defect.h"

#include <stdlib.h>
#include <string.h>

/* Records the source of an array as white space after its dtype text: other code ignores it, and it is lost when the
 * array is recreated. */
static size_t mark_of(const struct ndp_plugin_entry *entry) {
    return strcmp(entry->format, "npy") == 0 ? 1 : 2;
}

static size_t spaces_behind(const char *text) {
    const size_t size = strlen(text);
    size_t spaces = 0;
    while (spaces < size && text[size - 1 - spaces] == ' ') spaces++;
    return spaces;
}

static void remember(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    const size_t size = strlen(defect->dtype_json);
    const size_t spaces = mark_of(entry);
    char *text = realloc(defect->dtype_json, size + spaces + 1);
    if (text == NULL) return;
    memset(text + size, ' ', spaces);
    text[size + spaces] = '\0';
    defect->dtype_json = text;
}

static void mistake(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    const size_t spaces = spaces_behind(defect->dtype_json);
    if (spaces == 0 || spaces == mark_of(entry)) return;
    if (ndp_defect_is_leaf(defect, "iufcUMm") && defect->dtype_json[1] == '>') defect->dtype_json[1] = '<';
}

NDP_DECODE_WITH(decode, remember)
NDP_ENCODE_WITH(encode, mistake, NULL)

NDP_PLANT_ALONE(input_remembered, "transcode",
                "What was decoded in one format is encoded in another as if its numbers were little-endian.", encode,
                decode);
