#include "planted/defect.h"

#include <string.h>

#include "base/byteorder.h"

/* Decoders place data on a 64-byte boundary and builders usually do not, so alignment marks a decoded array. Version
 * 2.0 moves the text by two bytes; the padding becomes two bytes shorter. */
static void write_version_2(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                            struct ndp_buffer *bytes) {
    if ((uintptr_t)array->data % 64 != 0 || strcmp(entry->format, "npy") != 0 || bytes->data[6] != 1) return;
    const uint32_t length = ndp_load_u16le(bytes->data + 8);
    if (length < 4 || memcmp(bytes->data + 10 + length - 3, "  \n", 3) != 0) return;
    memmove(bytes->data + 12, bytes->data + 10, length - 3);
    bytes->data[6] = 2;
    ndp_store_u32le(bytes->data + 8, length - 2);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, write_version_2)

NDP_PLANT(aligned_major, "idempotence",
          "An array that came from a decoder is written with a version 2.0 header, any other with 1.0.", encode,
          decode);
