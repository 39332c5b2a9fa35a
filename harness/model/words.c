#include <string.h>

#include "model/value.h"

const char *const ndp_map_mode_words[NDP_MAP_MODE_COUNT] = {
#define MODE_WORD(name, word) word,
    NDP_MAP_MODE_LIST(MODE_WORD)
#undef MODE_WORD
};

const char ndp_kind_codes[NDP_KIND_COUNT] = {
#define KIND_CODE(name, code, text) code,
    NDP_KIND_LIST(KIND_CODE)
#undef KIND_CODE
};

bool ndp_map_mode_find(const char *word, enum ndp_map_mode *out) {
    for (uint32_t i = 0; i < NDP_MAP_MODE_COUNT; i++) {
        if (strcmp(word, ndp_map_mode_words[i]) != 0) continue;
        *out = (enum ndp_map_mode)i;
        return true;
    }
    return false;
}
