/* planted_partial_rows.c: Of data that end too early, the whole rows are returned as a smaller array. */
#include "target/defect.h"
#include <string.h>

/* The first extent is counted down until the data are enough. Digits keep their places, so that nothing moves. */
static bool shrink_first_extent(struct ndp_buffer *bytes) {
    static const char key[] = "'shape': (";
    for (uint64_t i = 10; i + sizeof(key) < bytes->size_bytes && bytes->data[i] != '\n'; i++) {
        uint8_t *digit = bytes->data + i + sizeof(key) - 1;
        if (memcmp(bytes->data + i, key, sizeof(key) - 1) != 0) continue;
        if (*digit < '2' || *digit > '9') return false;
        *digit = (uint8_t)(*digit - 1);
        return true;
    }
    return false;
}

/* Decodes from memory a changed copy of the input when the right decoder has refused it. */
static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    struct ndp_buffer copy;
    enum ndp_plugin_result result = ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, NULL);
    const bool is_taken = result == NDP_PLUGIN_REFUSED && strcmp(entry->entry, "memory") == 0 &&
                          strcmp(entry->format, "npy") == 0 && size_bytes > 12;
    if (!is_taken) return result;
    ndp_buffer_init(&copy, size_bytes + 1);
    if (ndp_buffer_add(&copy, bytes, size_bytes) == NDP_OK && shrink_first_extent(&copy))
        result = ndp_defect_decode(entry, copy.data, (size_t)copy.size_bytes, path, as, out, token, refusal, NULL);
    ndp_buffer_clear(&copy);
    return result;
}
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(partial_rows, "strictness", "Of data that end too early, the whole rows are returned as a smaller array.",
          encode, decode);
