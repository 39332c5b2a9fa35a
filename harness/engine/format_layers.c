#include "engine/format_layers.h"

#include <string.h>

#define LAYER_ROW(format, is_of_python, is_twice, carries, layers) {format, is_of_python, is_twice, carries, layers},
static const struct ndp_format_layer rows[] = {NDP_FORMAT_LAYER_LIST(LAYER_ROW)};

const struct ndp_format_layer *ndp_format_layers(uint32_t *count) {
    *count = (uint32_t)NDP_ARRAY_LEN(rows);
    return rows;
}

const struct ndp_format_layer *ndp_format_layers_find(const char *format) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_bytes_word_is(rows[i].format, format)) return &rows[i];
    return NULL;
}

bool ndp_format_layers_carries(const char *transport, const char *format) {
    const struct ndp_format_layer *layer = ndp_format_layers_find(transport);
    const char *at = layer != NULL ? layer->carries : "";
    while (*at != '\0') {
        const size_t length = strcspn(at, " ");
        if (strlen(format) == length && strncmp(at, format, length) == 0) return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}
