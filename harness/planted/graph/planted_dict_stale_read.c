#include "planted/graph_defect.h"

static bool get_stale(void *dict, int64_t key, int64_t *item) {
    return key % 53 != 5 && ndp_reference_dict_get(dict, key, item);
}

NDP_PLANT_DICT(dict_stale_read, "concurrency", "Some keys are found only at a later read.", ndp_reference_dict_set,
               get_stale, ndp_reference_dict_length, ndp_reference_dict_each);
