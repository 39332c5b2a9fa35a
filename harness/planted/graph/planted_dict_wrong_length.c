#include "planted/graph_defect.h"

static int64_t length_plus_one(void *dict) {
    const int64_t right = ndp_reference_dict_length(dict);
    return right > 64 ? right + 1 : right;
}

NDP_PLANT_DICT(dict_wrong_length, "concurrency", "The length of a dict that has grown is one too large.",
               ndp_reference_dict_set, ndp_reference_dict_get, length_plus_one, ndp_reference_dict_each);
