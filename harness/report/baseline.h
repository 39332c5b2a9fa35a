/* baseline.h: accepted divergences, each with its reason, a link and a stored descriptor.
 *
 *     {"schema": 1, "entries": [{"signature": "...", "reason": "...", "link": "https://...",
 *                                "expires": "2027-01-31", "descriptor": {...}}]}
 *
 * The baseline is strict both ways: a divergence without an entry gates, and so does an entry whose divergence is no
 * longer seen or whose date has passed.
 */
#ifndef NDP_BASELINE_H
#define NDP_BASELINE_H

#include "report/report.h"

enum { NDP_MAX_BASELINE = 1000 };

/* enum name, word */
#define NDP_BASELINE_STATE_LIST(X)                                                                                     \
    X(UNTESTED, "untested")                                                                                            \
    X(MATCHED, "matched")                                                                                              \
    X(STALE, "stale")                                                                                                  \
    X(EXPIRED, "expired")

#define NDP_BASELINE_STATE_ENUM(name, word) NDP_BASELINE_##name,
enum ndp_baseline_state { NDP_BASELINE_STATE_LIST(NDP_BASELINE_STATE_ENUM) NDP_BASELINE_STATE_COUNT };

struct ndp_baseline_entry {
    char signature[NDP_SIGNATURE_BYTES];
    struct ndp_bytes reason;
    struct ndp_bytes link;
    char expires[11];      /* last valid day, "2027-01-31"; "" never expires */
    struct ndp_bytes text; /* the descriptor, one line of JSON */
    struct ndp_descriptor *descriptor;
    bool is_seen; /* the run shows it */
    bool is_expired;
    enum ndp_baseline_state state; /* EXPIRED before STALE before MATCHED */
};

struct ndp_baseline {
    char file[1024];                    /* as the user named it; "" without a baseline */
    struct ndp_baseline_entry *entries; /* in the arena that it was read into */
    uint32_t count;
};

/* Fills *out from the text of the file `name` (borrowed). Rejects unknown keys, missing keys, duplicate signatures and
 * invalid descriptors. Errors: INVALID, LIMIT with path and offset; NOMEM. */
enum ndp_status ndp_baseline_read(struct ndp_arena *arena, const char *name, struct ndp_bytes text,
                                  struct ndp_baseline *out, struct ndp_error *error) NDP_MUST_USE;

/* Finds the entry with this signature; NULL if none has it. */
struct ndp_baseline_entry *ndp_baseline_find(const struct ndp_baseline *baseline, const char *signature);

/* Sets the state of every entry and the status of every finding. `today` has the form "2026-01-31". An unseen entry is
 * stale only if the run covers its route; otherwise it is untested. */
void ndp_baseline_apply(struct ndp_baseline *baseline, struct ndp_report *report, const char *today);

const char *ndp_baseline_state_word(enum ndp_baseline_state state);

#endif
