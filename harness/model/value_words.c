#include <string.h>

#include "base/words.h"

#include "model/value.h"

const char *const ndp_map_mode_words[NDP_MAP_MODE_COUNT] = {NDP_MAP_MODE_LIST(NDP_WORD_ITEM)};

const char ndp_kind_codes[NDP_KIND_COUNT] = {NDP_KIND_LIST(NDP_WORD_ITEM)};

bool ndp_value_find_map_mode(const char *word, enum ndp_map_mode *out) {
    for (uint32_t i = 0; i < NDP_MAP_MODE_COUNT; i++) {
        if (strcmp(word, ndp_map_mode_words[i]) != 0) continue;
        *out = (enum ndp_map_mode)i;
        return true;
    }
    return false;
}
