#include "planted/defect.h"

static void start_at_lowest_address(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    for (uint32_t k = 0; k < defect->array.ndim; k++) {
        if (defect->strides_bytes[k] >= 0 || ndp_defect_count_elems(defect) == 0) continue;
        const int64_t back = defect->strides_bytes[k] * (defect->shape[k] - 1);
        defect->array.data = (const uint8_t *)defect->array.data + back;
        defect->strides_bytes[k] = -defect->strides_bytes[k];
    }
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, start_at_lowest_address, NULL)

NDP_PLANT(negative_stride, "values", "The elements of a negative stride are written from the lowest address on.",
          encode, decode);
