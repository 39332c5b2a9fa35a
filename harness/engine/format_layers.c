#include "engine/format_layers.h"

#define LAYER_ROW(format, is_of_python, is_twice, layers) {format, is_of_python, is_twice, layers},
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
