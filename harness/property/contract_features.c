/* contract_features.c: the features that decide which rows apply to an array on a route. */
#include <string.h>

#include "property/contract.h"

static bool is_all_little(const struct ndp_dtype *dtype) {
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (dtype->fields[i].dtype->order != NDP_ORDER_LITTLE) return false;
    }
    return dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0;
}

uint64_t ndp_contract_features(const struct ndp_array *model, const struct ndp_route *route) {
    const uint64_t default_max_nbytes = UINT64_C(1) << 20; /* joblib.Parallel documentation */
    uint64_t features = ndp_array_features(model);
    if (is_all_little(model->dtype)) features |= NDP_FEATURE_ALL_FIELDS_LITTLE;
    bool is_plain = ndp_bytes_is_word(model->class_name, "ndarray") || ndp_bytes_is_word(model->class_name, "memmap");
    bool is_process = strncmp(route->encode, "loky", 4) == 0 || strncmp(route->encode, "multiprocessing", 15) == 0;
    if (!ndp_word_is(route->format, "joblib.Parallel") || !is_process || !is_plain) return features;
    if (model->map.is_backed) return features | NDP_FEATURE_AS_FILE;
    uint64_t nbytes = ndp_layout_count(&model->layout) * model->dtype->itemsize_bytes;
    uint64_t limit = route->max_nbytes > 0 ? (uint64_t)route->max_nbytes : default_max_nbytes;
    bool is_mapped = route->max_nbytes >= 0 && !ndp_word_is(route->map_mode, "none");
    if (is_mapped && nbytes > limit && (features & (uint32_t)NDP_FEATURE_OBJECT) == 0) features |= NDP_FEATURE_AS_FILE;
    return features;
}
