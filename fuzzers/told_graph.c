#include "told_graph.h"

#include <stdio.h>
#include <string.h>

#include "codec/pickle_graph.h"
#include "fuzz.h"
#include "said_pickle.h"
#include "told_atom.h"

enum { PAIRS_MAX = 1 << 12 };

struct pairs {
    struct {
        struct fuzz_told *told;
        uint32_t node;
    } list[PAIRS_MAX];
    uint32_t count;
};

static bool is_integer(const struct fuzz_told *told, struct ndp_bytes text) {
    char digits[24];
    if (told->number == INT64_MIN) return true;
    (void)snprintf(digits, sizeof digits, "%lld", (long long)told->number);
    return ndp_bytes_is_equal(text, ndp_bytes_view(digits));
}

static bool is_real(const struct fuzz_told *told, struct ndp_bytes text) {
    uint64_t bits = 0;
    for (uint64_t i = 0; i < text.size_bytes; i++) bits = bits << 8 | text.data[i];
    const bool is_nan = bits << 1 > UINT64_C(0xffe) << 52;
    return told->bits == (is_nan ? UINT64_C(0x7ff8) << 48 : bits);
}

static bool is_atom(const struct fuzz_told *told, const struct ndp_node *node) {
    switch ((int)told->kind) {
    case FUZZ_TOLD_NONE:
        return node->kind == NDP_NODE_NONE;
    case FUZZ_TOLD_TRUTH:
        return node->kind == NDP_NODE_BOOL && node->truth == (told->bits != 0);
    case FUZZ_TOLD_NUMBER:
        return node->kind == NDP_NODE_INT && is_integer(told, node->text);
    case FUZZ_TOLD_REAL:
        return node->kind == NDP_NODE_FLOAT && is_real(told, node->text);
    case FUZZ_TOLD_TEXT:
    case FUZZ_TOLD_STRING: /* as latin-1 */
        return node->kind == NDP_NODE_TEXT && told->bits == fuzz_bits_of_text(node->text);
    case FUZZ_TOLD_BYTES:
        return node->kind == NDP_NODE_BYTES && told->bits == fuzz_bits_of_bytes(node->text);
    default:
        return true;
    }
}

static bool add_pair(struct pairs *pairs, struct fuzz_told *told, const struct ndp_node *node, uint32_t edge) {
    if (pairs->count == PAIRS_MAX) return false;
    pairs->list[pairs->count].told = told;
    pairs->list[pairs->count++].node = node->edges[edge].to;
    return true;
}

/* Makes what a dict of texts is given to what it has then; false where it has other keys. */
static bool settle(struct fuzz_told *dict) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < dict->count; i += 2) {
        uint32_t at = 0;
        if (dict->items[i]->kind != FUZZ_TOLD_TEXT) return false;
        while (at < count && dict->items[at]->bits != dict->items[i]->bits) at += 2;
        if (at == count) {
            dict->items[count] = dict->items[i];
            count += 2;
        }
        dict->items[at + 1] = dict->items[i + 1];
    }
    dict->count = count;
    return true;
}

/* Keys are the first half of the edges. Gives false where there is no room. */
static bool compare_dict(struct pairs *pairs, struct fuzz_told *told, const struct ndp_node *node, bool *is_so) {
    const bool is_settled = settle(told);
    *is_so = node->kind == NDP_NODE_DICT && (!is_settled || node->edge_count == told->count);
    for (uint32_t i = 0; *is_so && is_settled && i < told->count; i++)
        if (!add_pair(pairs, told->items[i], node, i / 2 + (i % 2) * (told->count / 2))) return false;
    return true;
}

static bool compare(struct pairs *pairs, struct fuzz_told *told, const struct ndp_node *node, bool *is_so) {
    const bool is_list = told->kind == FUZZ_TOLD_LIST;
    *is_so = is_atom(told, node);
    if (told->kind == FUZZ_TOLD_CALL && node->kind == NDP_NODE_ARRAY)
        *is_so = fuzz_told_says(told, node->model.dtype, &node->model.layout, node->model.buffer);
    if (told->kind == FUZZ_TOLD_DICT) return compare_dict(pairs, told, node, is_so);
    if (!is_list && told->kind != FUZZ_TOLD_TUPLE) return true;
    *is_so = node->kind == (is_list ? NDP_NODE_LIST : NDP_NODE_TUPLE) && node->edge_count == told->count;
    for (uint32_t i = 0; *is_so && i < told->count; i++)
        if (!add_pair(pairs, told->items[i], node, i)) return false;
    return true;
}

bool fuzz_graph_is_told(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_graph *graph) {
    static struct pairs pairs;
    struct fuzz_told *root;
    struct ndp_bytes behind;
    bool is_so = true;
    if (!fuzz_tell(arena, pickle, false, &root, &behind)) return true;
    pairs.count = 1;
    pairs.list[0].told = root;
    pairs.list[0].node = graph->root;
    while (pairs.count > 0 && is_so) {
        struct fuzz_told *told = pairs.list[--pairs.count].told;
        const uint32_t number = pairs.list[pairs.count].node;
        if (number >= graph->count) return true;
        const struct ndp_node *node = &graph->nodes[number];
        /* Globals are a dict, too; what one object is, is one node. */
        if (node->kind == NDP_NODE_GLOBALS || node->kind == NDP_NODE_OTHER) continue;
        if (told->node != 0 && told->kind > FUZZ_TOLD_BYTES) is_so = told->node == number + 1;
        if (told->node != 0) continue;
        told->node = number + 1;
        if (!compare(&pairs, told, node, &is_so)) return true;
    }
    return is_so;
}

enum ndp_status fuzz_decode_told(struct ndp_arena *arena, struct ndp_bytes pickle, struct ndp_graph *out) {
    NDP_TRY(ndp_pickle_graph_decode(arena, pickle, out, NULL));
    FUZZ_HOLDS(fuzz_graph_is_told(arena, pickle, out));
    return NDP_OK;
}
