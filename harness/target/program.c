#include "target/program.h"

const char *const ndp_slot_words[NDP_SLOT_COUNT] = {
#define SLOT_WORD(name, word, text) word,
    NDP_SLOT_LIST(SLOT_WORD)
#undef SLOT_WORD
};

const char *const ndp_refusal_words[NDP_REFUSAL_COUNT] = {
#define REFUSAL_WORD(name, word) word,
    NDP_REFUSAL_LIST(REFUSAL_WORD)
#undef REFUSAL_WORD
};

const char *ndp_verdict_word(enum ndp_verdict verdict) {
    static const char *const words[] = {
#define VERDICT_WORD(name, word, text) word,
        NDP_VERDICT_LIST(VERDICT_WORD)
#undef VERDICT_WORD
    };
    return verdict < NDP_VERDICT_COUNT ? words[verdict] : "?";
}
