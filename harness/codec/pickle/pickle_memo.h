/* pickle_memo.h: the memo of a pickle: a sparse map from 32-bit indices to objects.
 *
 * A radix tree of 16 ways that is as high as the highest index needs, behind an array for the first indices. Finding
 * and setting take at most eight steps, whatever the input chose.
 */
#ifndef NDP_PICKLE_MEMO_H
#define NDP_PICKLE_MEMO_H

#include "codec/pickle/object.h"

enum { NDP_MEMO_FIRST = 32 };

struct ndp_memo_node {
    void *slots[16]; /* nodes, or objects at the lowest level */
};

struct ndp_memo {
    struct ndp_object *first[NDP_MEMO_FIRST];
    struct ndp_memo_node *root;
    uint32_t height;  /* levels of nodes */
    uint64_t entries; /* indices that are set */
};

/* The object at `index`, or NULL. */
struct ndp_object *ndp_memo_get(const struct ndp_memo *memo, uint32_t index);

/* Sets or replaces; false without memory. */
bool ndp_memo_put(struct ndp_memo *memo, struct ndp_arena *arena, uint32_t index,
                  struct ndp_object *object) NDP_MUST_USE;

#endif
