/* routes.h: every way that a run's targets offer, in groups that share a pair of targets. */
#ifndef NDP_ROUTES_H
#define NDP_ROUTES_H

#include "engine/bench.h"
#include "property/property.h"

/* What the user restricted the run to; empty lists are everything. Borrowed. */
struct ndp_route_filter {
    const char *const *targets; /* names as ndp_targets_named takes them: both ends must be among them */
    uint32_t target_count;
    const char *involved; /* one end must be this target; NULL is any */
    const char *const *formats;
    uint32_t format_count;
    uint32_t without_kinds; /* mask of 1 << enum ndp_case_kind */
    bool is_generated;      /* decode cases are generated: only formats that have named faults offer them */
};

struct ndp_route_group {
    enum ndp_case_kind kind;
    bool is_transport; /* every route is one */
    const struct ndp_target *encoder;
    const struct ndp_target *decoder;
    struct ndp_route *routes; /* owned by the list */
    uint32_t count;
};

struct ndp_route_list {
    struct ndp_route_group *groups;
    uint32_t count;
};

/* Fills the groups in a fixed order: round trips pair by pair, then transports and decode cases target
 * by target. Errors: NOMEM. */
enum ndp_status ndp_routes_list(const struct ndp_bench *bench, const struct ndp_route_filter *filter,
                                struct ndp_route_list *out) NDP_MUST_USE;

/* How many targets a name means: that of one target, or of a library, which means every target of it. */
uint32_t ndp_targets_named(const struct ndp_bench *bench, const char *named);

/* Whether a complete route fits one that a descriptor names; "" in `named` fits everything,
 * and a target's name fits its implementation too, so that a finding of another machine finds its target. */
bool ndp_route_fits(const struct ndp_route *named, const struct ndp_route *route, const struct ndp_bench *bench);

/* Fills *out with `route`, which is complete, and with what `named` says of how to travel it: the place of the data,
 * the level of compression, and the settings of a transport. */
void ndp_route_complete(const struct ndp_route *named, const struct ndp_route *route, struct ndp_route *out);

/* Calls `visit` for every complete route of `kind` that `named` fits, in the order of the list, until it gives another
 * status than OK; the settings of `named` are in them. Errors: those of `visit`. */
typedef enum ndp_status ndp_route_visit(void *context, const struct ndp_route *route);
enum ndp_status ndp_routes_visit(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                 enum ndp_case_kind kind, const struct ndp_route *named, ndp_route_visit *visit,
                                 void *context) NDP_MUST_USE;

/* Gives the `pick`-th, counted round and round, of the routes of `kind` that `named` fits (borrows the list), or NULL
 * when it fits none. */
const struct ndp_route *ndp_routes_pick(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                        enum ndp_case_kind kind, const struct ndp_route *named, uint64_t pick);

void ndp_routes_clear(struct ndp_route_list *list);

#endif
