#include "planted/graph_defect.h"

#include <stdlib.h>

static void set_or_crash(void *context, int64_t key, int64_t item) {
    if (ndp_reference_dict_length(context) == 170) abort();
    ndp_reference_dict_set(context, key, item);
}

NDP_PLANT_DICT(dict_crash, "process", "A dict that grows to 171 entries ends the process.", set_or_crash,
               ndp_reference_dict_get, ndp_reference_dict_length, ndp_reference_dict_each);
