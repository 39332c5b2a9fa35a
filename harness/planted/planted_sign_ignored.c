#include "planted/defect.h"

/* Replaces signs before digits by spaces, up to the end of the dictionary. */
static bool clear_signs(struct ndp_buffer *bytes, uint32_t attempt) {
    for (uint64_t i = 10; i + 1 < bytes->size_bytes && bytes->data[i] != '}'; i++)
        if (bytes->data[i] == '-') bytes->data[i] = ' ';
    return attempt == 0;
}

NDP_DECODE_REPAIRED_WITH(decode, clear_signs)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(sign_ignored, "strictness", "The sign of an extent is skipped, so a negative shape is accepted.", encode,
          decode);
