#include "planted/defect.h"

#include <string.h>

/* The byte order character in the string opcodes of each protocol. */
static const struct {
    const char *bytes;
    size_t size_bytes;
} spellings[] = {{"V>\n", 3}, {"X\x01\0\0\0>", 6}, {"\x8c\x01>", 3}};

static void label_little_endian(const struct ndp_plugin_entry *entry, const struct ndp_plugin_array *array,
                                struct ndp_buffer *bytes) {
    (void)array;
    (void)entry;
    for (size_t k = 0; k < sizeof(spellings) / sizeof(spellings[0]); k++) {
        const size_t size = spellings[k].size_bytes;
        for (uint64_t at = 0; at + size <= bytes->size_bytes; at++) {
            if (memcmp(bytes->data + at, spellings[k].bytes, size) != 0) continue;
            *(uint8_t *)memchr(bytes->data + at, '>', size) = '<';
            return;
        }
    }
}

NDP_DECODE_WITH(decode, NULL)
NDP_ENCODE_WITH(encode, NULL, label_little_endian)

NDP_PLANT_PICKLE(pickled_order, "values", "The state of a pickled big-endian dtype states little-endian.", encode,
                 decode);
