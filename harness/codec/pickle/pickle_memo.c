#include "codec/pickle/pickle_memo.h"

/* Whether a tree of this height contains the index. */
static bool tree_contains(uint32_t height, uint32_t index) {
    return height >= 8 || (height > 0 && index >> (4 * height) == 0);
}

struct ndp_object *ndp_pickle_memo_get(const struct ndp_pickle_memo *memo, uint32_t index) {
    if (index < NDP_MEMO_FIRST) return memo->first[index];
    if (!tree_contains(memo->height, index)) return NULL;
    const struct ndp_memo_node *node = memo->root;
    for (uint32_t level = memo->height - 1; level > 0 && node != NULL; level--)
        node = node->slots[index >> (4 * level) & 15];
    return node == NULL ? NULL : node->slots[index & 15];
}

/* Adds roots above the old root, whose indices all start with zeros. */
static bool grow_tree(struct ndp_pickle_memo *memo, struct ndp_arena *arena, uint32_t index) {
    while (!tree_contains(memo->height, index)) {
        struct ndp_memo_node *root = NDP_ARENA_NEW(arena, struct ndp_memo_node);
        if (root == NULL) return false;
        root->slots[0] = memo->root;
        memo->root = root;
        memo->height++;
    }
    return true;
}

bool ndp_pickle_memo_put(struct ndp_pickle_memo *memo, struct ndp_arena *arena, uint32_t index,
                         struct ndp_object *object) {
    if (index < NDP_MEMO_FIRST) {
        if (memo->first[index] == NULL) memo->entries++;
        memo->first[index] = object;
        return true;
    }
    if (!grow_tree(memo, arena, index)) return false;
    struct ndp_memo_node *node = memo->root;
    for (uint32_t level = memo->height - 1; level > 0; level--) {
        void **slot = &node->slots[index >> (4 * level) & 15];
        if (*slot == NULL) *slot = NDP_ARENA_NEW(arena, struct ndp_memo_node);
        if (*slot == NULL) return false;
        node = *slot;
    }
    if (node->slots[index & 15] == NULL) memo->entries++;
    node->slots[index & 15] = object;
    return true;
}
