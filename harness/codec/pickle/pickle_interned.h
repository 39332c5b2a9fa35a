/* pickle_interned.h: names that opcodes spell out. Equal ones are one object, as modules and functions have theirs in
 * CPython: a pickler that meets a name again writes where it stands. */
#ifndef NDP_PICKLE_INTERNED_H
#define NDP_PICKLE_INTERNED_H

#include "codec/pickle/object.h"

enum { NDP_FIRST_INTERNED = 16 };

/* Starts as zeros. */
struct ndp_interned {
    struct ndp_object *first[NDP_FIRST_INTERNED]; /* looked through; most pickles have no more */
    struct ndp_object **slots;                    /* the others, by their bytes */
    uint64_t capacity;                            /* of the slots: a power of two, or 0 */
    uint64_t count;
};

/* The name that was added with these bytes, or NULL. */
struct ndp_object *ndp_interned_find(const struct ndp_interned *names, struct ndp_bytes bytes);

/* Adds a TEXT that is not there; false without memory. */
bool ndp_interned_add(struct ndp_interned *names, struct ndp_arena *arena, struct ndp_object *name) NDP_MUST_USE;

#endif
