/* pickle_memo.h: memo of a pickle, a sparse map from 32-bit indices to objects.
 *
 * Problem: a pickle chooses the indices, so that a plain array could need 32 GiB and a hash table could degenerate.
 * Method: an array for the first indices, and a radix tree of 16 ways that is as high as the highest index needs. Cost:
 * at most eight steps per operation, one node of 16 pointers per new path segment.
 */
#ifndef NDP_PICKLE_MEMO_H
#define NDP_PICKLE_MEMO_H

#include "codec/pickle/object.h"

enum { NDP_MEMO_FIRST = 32 };

struct ndp_memo_node {
    void *slots[16]; /* nodes, or objects at the lowest level */
};

struct ndp_pickle_memo {
    struct ndp_object *first[NDP_MEMO_FIRST];
    struct ndp_memo_node *root;
    uint32_t height;  /* levels of nodes */
    uint64_t entries; /* number of indices in use */
};

/* The object at `index`, or NULL. */
struct ndp_object *ndp_pickle_memo_get(const struct ndp_pickle_memo *memo, uint32_t index);

/* Sets or replaces; false when out of memory. */
bool ndp_pickle_memo_put(struct ndp_pickle_memo *memo, struct ndp_arena *arena, uint32_t index,
                         struct ndp_object *object) NDP_MUST_USE;

#endif
