#include "planted/graph_defect.h"

static void set_new_only(void *dict, int64_t key, int64_t item) {
    int64_t before;
    if (key % 61 == 7 && ndp_reference_dict_get(dict, key, &before)) return;
    ndp_reference_dict_set(dict, key, item);
}

NDP_PLANT_DICT(dict_lost_update, "concurrency", "Replacing an item has no effect for some keys.", set_new_only,
               ndp_reference_dict_get, ndp_reference_dict_length, ndp_reference_dict_each);
