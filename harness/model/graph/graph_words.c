#include "model/graph/graph_words.h"

#include "base/words.h"

NDP_WORDS(ndp_graph_words_node, enum ndp_node_kind, NDP_NODE_LIST, "?")
NDP_WORDS(ndp_graph_words_edge, enum ndp_edge_role, NDP_EDGE_LIST, "?")
NDP_WORDS(ndp_graph_words_code, enum ndp_code, NDP_CODE_LIST, "?")

bool ndp_graph_words_edge_is_named(enum ndp_edge_role role) {
    static const bool named[NDP_EDGE_COUNT] = {
#define EDGE_NAMED(name, word, is_named) is_named,
        NDP_EDGE_LIST(EDGE_NAMED)};
    return role < NDP_EDGE_COUNT && named[role];
}

bool ndp_graph_words_code_reads_globals(enum ndp_code code) {
    return code == NDP_CODE_LATE || code == NDP_CODE_DEEP;
}

bool ndp_graph_words_has_identity(enum ndp_node_kind kind) {
    return kind > NDP_NODE_TUPLE && kind < NDP_NODE_COUNT;
}

bool ndp_graph_words_is_callable(enum ndp_node_kind kind) {
    return kind == NDP_NODE_FUNCTION || (kind >= NDP_NODE_METHOD && kind <= NDP_NODE_FROMPYFUNC);
}

const char *ndp_graph_words_description(struct ndp_bytes name) {
    static const char *const words[] = {"__doc__", "__annotations__", "__qualname__", "__module__"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (ndp_bytes_is_word(name, words[i])) return words[i];
    return NULL;
}
