/* planted_sign_ignored.c: The sign of an extent is skipped, so that a negative shape is taken. */
#include "target/defect.h"
#include <string.h>

/* Signs in front of digits, up to the end of the dictionary. */
static bool clear_signs(struct ndp_buffer *bytes) {
    for (uint64_t i = 10; i + 1 < bytes->size_bytes && bytes->data[i] != '}'; i++) {
        if (bytes->data[i] == '-') bytes->data[i] = ' ';
    }
    return true;
}

/* Decodes from memory a changed copy of the input when the right decoder has refused it. */
static enum ndp_plugin_result decode(NDP_DECODE_ARGUMENTS) {
    struct ndp_buffer copy;
    enum ndp_plugin_result result = ndp_defect_decode(entry, bytes, size_bytes, path, as, out, token, refusal, NULL);
    const bool is_taken = result == NDP_PLUGIN_REFUSED && strcmp(entry->entry, "memory") == 0 &&
                          strcmp(entry->format, "npy") == 0 && size_bytes > 12;
    if (!is_taken) return result;
    ndp_buffer_init(&copy, size_bytes + 1);
    if (ndp_buffer_add(&copy, bytes, size_bytes) == NDP_OK && clear_signs(&copy))
        result = ndp_defect_decode(entry, copy.data, (size_t)copy.size_bytes, path, as, out, token, refusal, NULL);
    ndp_buffer_clear(&copy);
    return result;
}
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(sign_ignored, "strictness", "The sign of an extent is skipped, so that a negative shape is taken.", encode,
          decode);
