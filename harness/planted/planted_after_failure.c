#include "planted/defect.h"

#include <string.h>

/* The flag of an encoding in progress, which a failure leaves set. The encoder takes the next call for the rest of that
 * encoding and leaves out the first element. */
static bool is_unfinished;

static void skip_first(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (!is_unfinished || ndp_defect_count_elems(defect) == 0) return;
    uint8_t *elements = ndp_defect_copy_in_order(defect);
    if (elements != NULL) elements[0] = (uint8_t)~elements[0];
}

static enum ndp_plugin_result encode(NDP_ENCODE_ARGUMENTS) {
    const enum ndp_plugin_result result = ndp_defect_encode(entry, array, write, sink, refusal, skip_first, NULL);
    is_unfinished = result == NDP_PLUGIN_REFUSED && strcmp(refusal->reason, "memory") == 0;
    return result;
}

NDP_DECODE_WITH(decode, NULL)

NDP_PLANT_HISTORY(after_failure, "values",
                  "After an encoding that failed in the middle, the next one has a wrong first byte.", encode, decode);
