/* known.h: which finding a raw divergence belongs to, so that a defect seen ten thousand times is made minimal once. */
#ifndef NDP_KNOWN_H
#define NDP_KNOWN_H

#include "engine/trial.h"

/* A core is made minimal for at most this many different raw signatures; later ones join its first finding. */
enum { NDP_KNOWN_PER_CORE = 6 };

struct ndp_known_entry {
    char core[NDP_SIGNATURE_BYTES];
    char raw[NDP_SIGNATURE_BYTES];
    char finding[NDP_SIGNATURE_BYTES];
};

struct ndp_known {
    struct ndp_known_entry *entries; /* owned */
    uint32_t count;
    uint32_t capacity;
};

void ndp_known_clear(struct ndp_known *known);

/* The signature of the finding that `divergence` belongs to, or NULL when it is new. Borrows `known`. */
const char *ndp_known_find(const struct ndp_known *known, const struct ndp_divergence *divergence);

/* Remembers that the raw divergence belongs to `finding`. Errors: NOMEM. */
enum ndp_status ndp_known_add(struct ndp_known *known, const char *core, const char *raw,
                              const char *finding) NDP_MUST_USE;

#endif
