#include "planted/defect.h"

#include <sched.h>
#include <string.h>

/* One buffer for the first element of every thread. */
static volatile uint8_t scratch;

static void copy_through_scratch(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    if (ndp_defect_size_bytes(defect) == 0) return;
    uint8_t *elements = ndp_defect_copy_in_order(defect);
    if (elements == NULL) return;
    scratch = elements[0];
    (void)sched_yield();
    elements[0] = scratch;
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, copy_through_scratch, NULL)

NDP_PLANT_HISTORY(buffer_shared, "values", "The encoders of all threads share one buffer.", encode, decode);
