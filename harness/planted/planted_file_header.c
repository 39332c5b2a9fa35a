#include "planted/defect.h"

#include <string.h>

#include "base/byteorder.h"

enum { BLOCK_BYTES = 64 };

/* In version 1.0 the length field is at byte 8. The header ends with a newline. */
static void pad_by_block(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                         struct ndp_buffer *bytes) {
    (void)array;
    if (strcmp(entry->entry, "file") != 0 || strcmp(entry->format, "npy") != 0 || bytes->data[6] != 1) return;
    const uint32_t length = ndp_load_u16le(bytes->data + 8);
    uint8_t *room = NULL;
    if (length + BLOCK_BYTES > UINT16_MAX || ndp_buffer_extend(bytes, BLOCK_BYTES, &room) != NDP_OK) return;
    uint8_t *end = bytes->data + 10 + length - 1;
    memmove(end + BLOCK_BYTES, end, (size_t)(bytes->size_bytes - BLOCK_BYTES - 10 - length + 1));
    memset(end, ' ', BLOCK_BYTES);
    ndp_store_u16le(bytes->data + 8, (uint16_t)(length + BLOCK_BYTES));
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, pad_by_block)

NDP_PLANT(file_header, "entry_points",
          "The encoder pads the header by one more block when it writes to a file than in memory.", encode, decode);
