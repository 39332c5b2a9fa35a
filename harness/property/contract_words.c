/* contract_words.c: the words of fields, promises and severities in reports and in contract.table. */
#include "property/contract.h"

const char *ndp_contract_field_word(enum ndp_contract_field field) {
    switch (field) {
#define NDP_CONTRACT_FIELD_WORD(name, word)                                                                            \
    case NDP_FIELD_##name:                                                                                             \
        return word;
        NDP_FIELD_LIST(NDP_CONTRACT_FIELD_WORD)
    case NDP_FIELD_COUNT:
        break;
    }
    return "?";
}

const char *ndp_contract_promise_word(enum ndp_promise promise) {
    switch (promise) {
#define NDP_PROMISE_WORD(name, word, text)                                                                             \
    case NDP_PROMISE_##name:                                                                                           \
        return word;
        NDP_PROMISE_LIST(NDP_PROMISE_WORD)
    case NDP_PROMISE_COUNT:
        break;
    }
    return "?";
}

const char *ndp_contract_promise_meaning(enum ndp_promise promise) {
    switch (promise) {
#define NDP_PROMISE_TEXT(name, word, text)                                                                             \
    case NDP_PROMISE_##name:                                                                                           \
        return text;
        NDP_PROMISE_LIST(NDP_PROMISE_TEXT)
    case NDP_PROMISE_COUNT:
        break;
    }
    return "?";
}

const char *ndp_contract_severity_word(enum ndp_severity severity) {
    switch (severity) {
#define NDP_SEVERITY_WORD(name, word)                                                                                  \
    case NDP_SEVERITY_##name:                                                                                          \
        return word;
        NDP_SEVERITY_LIST(NDP_SEVERITY_WORD)
    case NDP_SEVERITY_COUNT:
        break;
    }
    return "?";
}
