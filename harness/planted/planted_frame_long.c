#include "planted/defect.h"

#include "base/byteorder.h"

enum { FRAME_AT = 2, FRAME = 0x95 };

/* The first frame of protocol 4 and later follows the PROTO opcode. */
static void lengthen_frame(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                           struct ndp_buffer *bytes) {
    (void)entry;
    (void)array;
    if (bytes->size_bytes < FRAME_AT + 9 || bytes->data[FRAME_AT] != FRAME) return;
    const uint64_t size_bytes = ndp_load_u64le(bytes->data + FRAME_AT + 1);
    ndp_store_u64le(bytes->data + FRAME_AT + 1, size_bytes + 1);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, lengthen_frame)

NDP_PLANT_PICKLE(frame_long, "values", "The frame of a pickle states a length that is one byte too large.", encode,
                 decode);
