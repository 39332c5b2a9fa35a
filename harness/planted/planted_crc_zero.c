#include "planted/defect.h"

#include <string.h>

#include "base/byteorder.h"

enum { END_BYTES = 22, CRC_AT = 16, DIRECTORY_AT = 16 };

static const struct ndp_plugin_entry entries[] = {
    {"npz", "memory", true, true}, {"npz", "file", true, true}, {NULL, NULL, false, false}};

/* The end record contains the offset of the directory. Its first entry describes the only member. */
static void clear_crc(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                      struct ndp_buffer *bytes) {
    (void)entry;
    (void)array;
    if (bytes->size_bytes < END_BYTES) return;
    const uint64_t directory = ndp_load_u32le(bytes->data + bytes->size_bytes - END_BYTES + DIRECTORY_AT);
    if (directory + CRC_AT + 4 <= bytes->size_bytes) ndp_store_u32le(bytes->data + directory + CRC_AT, 0);
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, clear_crc)

NDP_PLANT_OF(crc_zero, entries, "values", "The directory of an archive contains a CRC of zero.", encode, decode);
