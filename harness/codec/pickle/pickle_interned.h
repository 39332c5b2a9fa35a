/* pickle_interned.h: table of the names in opcodes. Equal names become one object, like the names of modules and
 * functions in CPython, so that a pickler memoizes them once. */
#ifndef NDP_PICKLE_INTERNED_H
#define NDP_PICKLE_INTERNED_H

#include "codec/pickle/object.h"

enum { NDP_FIRST_INTERNED = 16 };

/* Starts as zeros. */
struct ndp_pickle_interned {
    struct ndp_object *first[NDP_FIRST_INTERNED]; /* searched linearly; enough for most pickles */
    struct ndp_object **slots;                    /* the rest, hashed by their bytes */
    uint64_t capacity;                            /* of `slots`: a power of two, or 0 */
    uint64_t count;
};

/* The name with these bytes, or NULL. */
struct ndp_object *ndp_pickle_interned_find(const struct ndp_pickle_interned *names, struct ndp_bytes bytes);

/* Adds a TEXT that is not in the table; false when out of memory. */
bool ndp_pickle_interned_add(struct ndp_pickle_interned *names, struct ndp_arena *arena,
                             struct ndp_object *name) NDP_MUST_USE;

#endif
