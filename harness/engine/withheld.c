#include "engine/withheld.h"

#include <stdio.h>
#include <string.h>

/* The formats whose readers run no code. NumPy unpickles the object arrays of npy and npz only with permission, which a
 * case gives for values that it builds itself, never for given bytes. */
static const char *const inert_formats[] = {"npy", "npz", "raw"};

bool ndp_withheld_format(const char *format) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(inert_formats); i++)
        if (strcmp(format, inert_formats[i]) == 0) return false;
    return true;
}

bool ndp_withheld_runs_code(const struct ndp_target_info *decoder, const struct ndp_route *route) {
    const struct ndp_entry *entry = ndp_entry_find(decoder, route, NDP_END_DECODER);
    return ndp_withheld_format(route->format) && (entry == NULL || !entry->is_inert);
}

void ndp_withheld_add(struct ndp_withheld *withheld, const char *library, const char *format) {
    for (uint32_t i = 0; i < withheld->count; i++)
        if (strcmp(withheld->list[i].library, library) == 0 && strcmp(withheld->list[i].format, format) == 0) return;
    if (withheld->count == NDP_MAX_WITHHELD) return;
    snprintf(withheld->list[withheld->count].library, NDP_WORD_BYTES, "%s", library);
    snprintf(withheld->list[withheld->count].format, NDP_WORD_BYTES, "%s", format);
    withheld->count++;
}
