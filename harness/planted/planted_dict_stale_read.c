#include "planted/graph_defect.h"

static bool get(void *dict, int64_t key, int64_t *item) {
    return key % 53 != 5 && ndp_reference_dict_get(dict, key, item);
}

NDP_PLANT_DICT(dict_stale_read, "concurrency", "Some keys are not found until later.", ndp_reference_dict_set, get,
               ndp_reference_dict_length, ndp_reference_dict_each);
