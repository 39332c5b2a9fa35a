#include "planted/graph_defect.h"

static int64_t length(void *dict) {
    const int64_t right = ndp_reference_dict_length(dict);
    return right > 64 ? right + 1 : right;
}

NDP_PLANT_DICT(dict_wrong_length, "concurrency", "A table that has grown counts one entry too many.",
               ndp_reference_dict_set, ndp_reference_dict_get, length, ndp_reference_dict_each);
