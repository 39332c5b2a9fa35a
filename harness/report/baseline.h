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
    char cause[NDP_CAUSE_ID_BYTES];    /* the accepted cause; "" for a pattern */
    char pattern[NDP_CAUSE_KEY_BYTES]; /* of the keys of causes, '*' stands for any text; "" for a cause */
    char title[NDP_CAUSE_TITLE_BYTES]; /* for people; "" for none */
    struct ndp_bytes reason;
    struct ndp_bytes link;             /* empty for none */
    char expires[11];                  /* last valid day, "2027-01-31"; "" never expires */
    struct ndp_bytes text;             /* the descriptor, one line of JSON; empty for a pattern without one */
    struct ndp_descriptor *descriptor; /* NULL without one */
    bool is_seen;                      /* the run shows it */
    bool is_replayed;                  /* its descriptor was replayed and compared */
    bool is_shown_by_replay;           /* and the replay shows it */
    bool is_expired;
    enum ndp_baseline_state state; /* EXPIRED before STALE before MATCHED */
};

struct ndp_baseline {
    char file[1024];                    /* as the user named it; "" without a baseline */
    struct ndp_baseline_entry *entries; /* in the arena that it was read into */
    uint32_t count;
};

/* Fills *out from the text of the file `name` (borrowed). Rejects unknown keys, missing keys, duplicate causes and
 * invalid descriptors. Errors: INVALID, LIMIT with path and offset; NOMEM. */
enum ndp_status ndp_baseline_read(struct ndp_arena *arena, const char *name, struct ndp_bytes text,
                                  struct ndp_baseline *out, struct ndp_error *error) NDP_MUST_USE;

/* The first entry that accepts the cause; NULL if none does. */
struct ndp_baseline_entry *ndp_baseline_find(const struct ndp_baseline *baseline, const struct ndp_cause *cause);

/* The id or the pattern of an entry. Borrows. */
static inline const char *ndp_baseline_name(const struct ndp_baseline_entry *entry) {
    return entry->cause[0] != '\0' ? entry->cause : entry->pattern;
}

/* Prints a baseline with the entries of *baseline as JSON. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_baseline_print(struct ndp_buffer *out, const struct ndp_baseline *baseline) NDP_MUST_USE;

/* Sets the state of every entry and the status of every finding. `today` has the form "2026-01-31". An unseen entry is
 * stale only if its descriptor was replayed; otherwise it is untested: its case was not generated in this run. */
void ndp_baseline_apply(struct ndp_baseline *baseline, struct ndp_report *report, const char *today);

const char *ndp_baseline_state_word(enum ndp_baseline_state state);

#endif
