#include "describe/history.h"

#include <string.h>

#include "base/words.h"

const char *const ndp_history_words[NDP_HISTORY_COUNT] = {NDP_HISTORY_LIST(NDP_WORD_ITEM)};

bool ndp_history_find(const char *word, enum ndp_history *out) {
    for (int i = 0; i < NDP_HISTORY_COUNT; i++) {
        if (strcmp(ndp_history_words[i], word) != 0) continue;
        *out = (enum ndp_history)i;
        return true;
    }
    return false;
}
