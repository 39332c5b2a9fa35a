#include "planted/defect.h"

#include <string.h>

/* Lowers the first extent until the data suffice. The number of digits is kept, so nothing moves. */
static bool count_down(struct ndp_buffer *bytes, uint32_t attempt) {
    static const char key[] = "'shape': (";
    (void)attempt;
    for (uint64_t i = 10; i + sizeof(key) < bytes->size_bytes && bytes->data[i] != '\n'; i++) {
        uint8_t *digit = bytes->data + i + sizeof(key) - 1;
        if (memcmp(bytes->data + i, key, sizeof(key) - 1) != 0) continue;
        if (*digit < '1' || *digit > '9') return false;
        *digit = (uint8_t)(*digit - 1);
        return true;
    }
    return false;
}

NDP_DECODE_REPAIRED_WITH(decode, count_down)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(partial_rows, "strictness", "Data that end too early are returned as a smaller array of whole rows.", encode,
          decode);
