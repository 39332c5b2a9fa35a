/* baseline.h: divergences already known and accepted, each with reason, link and a stored descriptor.
 *
 *     {"schema": 1, "entries": [{"signature": "...", "reason": "...", "link": "https://...",
 *                                "expires": "2027-01-31", "descriptor": {...}}]}
 *
 * The baseline is strict both ways: what is not in it gates, and what is in it but no longer seen, or past its day,
 * gates too.
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

enum ndp_baseline_state {
#define NDP_BASELINE_STATE_ENUM(name, word) NDP_BASELINE_##name,
    NDP_BASELINE_STATE_LIST(NDP_BASELINE_STATE_ENUM)
#undef NDP_BASELINE_STATE_ENUM
        NDP_BASELINE_STATE_COUNT
};

struct ndp_baseline_entry {
    char signature[NDP_SIGNATURE_BYTES];
    struct ndp_bytes reason;
    struct ndp_bytes link;
    char expires[11];      /* "2027-01-31": good up to and with that day; "" is for ever */
    struct ndp_bytes text; /* the descriptor, one line of JSON */
    struct ndp_descriptor *descriptor;
    bool is_seen; /* the run shows it */
    bool is_expired;
    enum ndp_baseline_state state; /* EXPIRED before STALE before MATCHED */
};

struct ndp_baseline {
    char file[1024];                    /* as it was named; "" when there is none */
    struct ndp_baseline_entry *entries; /* in the arena that it was read into */
    uint32_t count;
};

/* Fills *out from the text of the file `name` (borrowed). Unknown and missing keys, two entries with one signature
 * and descriptors that do not read are errors. Errors: INVALID, LIMIT with path and offset; NOMEM. */
enum ndp_status ndp_baseline_read(struct ndp_arena *arena, const char *name, struct ndp_bytes text,
                                  struct ndp_baseline *out, struct ndp_error *error) NDP_MUST_USE;

/* By signature; NULL when there is none. */
struct ndp_baseline_entry *ndp_baseline_find(const struct ndp_baseline *baseline, const char *signature);

/* Sets the state of every entry and the status of every finding. `today` is like "2026-01-31". An entry that is not
 * seen is stale only when the run covers its route. */
void ndp_baseline_apply(struct ndp_baseline *baseline, struct ndp_report *report, const char *today);

const char *ndp_baseline_state_word(enum ndp_baseline_state state);

#endif
