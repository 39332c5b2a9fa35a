/* untested.h: what a run did not test. An item that was expected and that the user does not permit by name fails the
 * gate. */
#ifndef NDP_UNTESTED_H
#define NDP_UNTESTED_H

#include "engine/cause.h"

/* enum name, word */
#define NDP_UNTESTED_LIST(X)                                                                                           \
    X(TARGET, "target")                                                                                                \
    X(LIBRARY, "library") /* inside a target */                                                                        \
    X(FORMAT, "format")                                                                                                \
    X(ROUTE, "route")                                                                                                  \
    X(PROPERTY, "property")                                                                                            \
    X(BASELINE, "baseline")       /* an entry of the baseline */                                                       \
    X(FUZZ_TARGET, "fuzz target") /* only in nightly reports */                                                        \
    X(SHARD, "shard")             /* only in merged reports */

#define NDP_UNTESTED_ENUM(name, word) NDP_UNTESTED_##name,
enum ndp_untested_kind { NDP_UNTESTED_LIST(NDP_UNTESTED_ENUM) NDP_UNTESTED_KIND_COUNT };

enum { NDP_MAX_UNTESTED = 2048 };

struct ndp_untested {
    enum ndp_untested_kind kind;
    char name[NDP_CAUSE_KEY_BYTES]; /* "numba@current", "npz"; for BASELINE the id or the pattern of the entry */
    char needs[NDP_WORD_BYTES];     /* BASELINE: the missing target or library; otherwise "" */
    char reason[240];
    bool is_expected; /* by the request, by the environment or by the baseline */
    bool is_allowed;  /* the user permits it by name */
};

struct ndp_untested_list {
    struct ndp_untested *items; /* owned */
    uint32_t count;
    uint32_t capacity;
    const char *const *allowed; /* names that the user permits; borrowed */
    uint32_t allowed_count;
};

/* Adds an item, unless the list has one of that kind and name or NDP_MAX_UNTESTED items. An empty reason is not
 * allowed. Sets `is_allowed` if the user permits it. Errors: NOMEM. */
enum ndp_status ndp_untested_add(struct ndp_untested_list *list, const struct ndp_untested *item) NDP_MUST_USE;

/* The user permits these items (borrowed until the list is cleared): a target, a library with or without its
 * environment ("numba@current", "numba"), a format, a route, a property, an entry of the baseline, or a shard
 * ("shard 3/4"). */
void ndp_untested_allow(struct ndp_untested_list *list, const char *const *names, uint32_t count);

/* Whether the name permits the item, as in ndp_untested_allow. */
bool ndp_untested_is_permitted(const struct ndp_untested *item, const char *allowed);

/* The item of that kind and name, or NULL. Borrows. */
const struct ndp_untested *ndp_untested_find(const struct ndp_untested_list *list, enum ndp_untested_kind kind,
                                             const char *name);

/* Whether the item fails the gate. */
static inline bool ndp_untested_gates(const struct ndp_untested *item) {
    return item->is_expected && !item->is_allowed;
}

/* Whether both names are of one library: "numba", "numba@current", "numba-0.60" and "numba#2" are. */
bool ndp_untested_is_same_library(const char *a, const char *b);

void ndp_untested_remove(struct ndp_untested_list *list, enum ndp_untested_kind kind);
void ndp_untested_clear(struct ndp_untested_list *list);

/* "target" */
const char *ndp_untested_word(enum ndp_untested_kind kind);

#endif
