#include "planted/graph_defect.h"

static bool get_torn(void *dict, int64_t key, int64_t *item) {
    if (!ndp_reference_dict_get(dict, key, item)) return false;
    if (key % 59 == 2) *item += INT64_C(1) << 32;
    return true;
}

NDP_PLANT_DICT(dict_torn_value, "concurrency", "A read returns an item that is half written.", ndp_reference_dict_set,
               get_torn, ndp_reference_dict_length, ndp_reference_dict_each);
