#include "planted/defect.h"

#include "base/byteorder.h"

enum { FRAME_AT = 2, FRAME = 0x95 };

/* The frame of protocol 4 and later stands behind PROTO. */
static void change_bytes(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                         struct ndp_buffer *bytes) {
    (void)entry;
    (void)array;
    if (bytes->size_bytes < FRAME_AT + 9 || bytes->data[FRAME_AT] != FRAME) return;
    const uint64_t size_bytes = ndp_load_u64le(bytes->data + FRAME_AT + 1);
    ndp_store_u64le(bytes->data + FRAME_AT + 1, size_bytes + 1);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, change_bytes)

NDP_PLANT_PICKLE(frame_long, "values", "The length of a frame of a pickle counts one byte more than there is.", encode,
                 decode);
