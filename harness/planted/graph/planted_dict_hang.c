#include "planted/graph_defect.h"

#include <unistd.h>

static void set_or_hang(void *context, int64_t key, int64_t item) {
    while (ndp_reference_dict_length(context) == 341) (void)pause();
    ndp_reference_dict_set(context, key, item);
}

NDP_PLANT_DICT(dict_hang, "process", "A dict that grows to 342 entries hangs.", set_or_hang, ndp_reference_dict_get,
               ndp_reference_dict_length, ndp_reference_dict_each);
