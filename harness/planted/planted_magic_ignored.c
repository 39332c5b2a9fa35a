#include "planted/defect.h"

#include <string.h>

static bool repair_magic(struct ndp_buffer *bytes, uint32_t attempt) {
    memcpy(bytes->data, "\x93NUMPY", 6);
    return attempt == 0;
}

NDP_DECODE_REPAIRED_WITH(decode, repair_magic)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(magic_ignored, "strictness", "The magic bytes are not checked.", encode, decode);
