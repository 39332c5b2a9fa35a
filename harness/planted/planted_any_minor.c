#include "planted/defect.h"

static bool clear_minor(struct ndp_buffer *bytes, uint32_t attempt) {
    bytes->data[7] = 0;
    return attempt == 0;
}

NDP_DECODE_REPAIRED_WITH(decode, clear_minor)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(any_minor, "strictness", "The minor version number is not checked.", encode, decode);
