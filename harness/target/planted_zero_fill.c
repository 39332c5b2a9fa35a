/* planted_zero_fill.c: What is missing at the end of the data is taken for zeros. */
#include "target/defect.h"
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

static bool fill(struct ndp_buffer *bytes) {
    uint8_t *room = NULL;
    return ndp_buffer_extend(bytes, MOST_BYTES, &room) == NDP_OK;
}

/* Decodes from memory a changed copy of the input when the right decoder has refused it. */
static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    struct ndp_buffer copy;
    enum ndp_plugin_result result = ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, NULL);
    const bool is_taken = result == NDP_PLUGIN_REFUSED && strcmp(entry->entry, "memory") == 0 &&
                          strcmp(entry->format, "npy") == 0 && size_bytes > 12;
    if (!is_taken) return result;
    ndp_buffer_init(&copy, size_bytes + MOST_BYTES);
    if (ndp_buffer_add(&copy, bytes, size_bytes) == NDP_OK && fill(&copy))
        result = ndp_defect_decode(entry, copy.data, (size_t)copy.size_bytes, path, as, out, token, refusal, NULL);
    ndp_buffer_clear(&copy);
    return result;
}
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(zero_fill, "strictness", "What is missing at the end of the data is taken for zeros.", encode, decode);
