#include "planted/defect.h"

enum { MOST_BYTES = 1 << 16 };

static bool append_zeros(struct ndp_buffer *bytes, uint32_t attempt) {
    uint8_t *room = NULL;
    return attempt == 0 && ndp_buffer_extend(bytes, MOST_BYTES, &room) == NDP_OK;
}

NDP_DECODE_REPAIRED_WITH(decode, append_zeros)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(zero_fill, "strictness", "Data that end too early are filled up with zeros.", encode, decode);
