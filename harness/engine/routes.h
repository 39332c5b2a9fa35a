/* routes.h: the routes that the targets of a run claim, in groups by pair of targets, format and kind of case. */
#ifndef NDP_ROUTES_H
#define NDP_ROUTES_H

#include "engine/bench.h"
#include "property/property.h"

/* The restrictions of a run; empty lists mean everything. Borrowed. */
struct ndp_route_filter {
    const char *const *targets; /* names as for ndp_routes_count_targets; both ends must be listed */
    uint32_t target_count;
    const char *involved; /* one end must be this target; NULL: any */
    const char *const *formats;
    uint32_t format_count;
    uint32_t without_kinds; /* mask of 1 << enum ndp_case_kind */
    bool is_generated;      /* only formats with named faults have decode cases, and no variants */
};

/* "numpy>reference npy"; ">numpy npy" of decode cases; "numpy>numpy joblib.Parallel slow"; "numpy>numpy npy variants"
 */
enum { NDP_GROUP_NAME_BYTES = 3 * NDP_WORD_BYTES + 12 };

struct ndp_route_group {
    char name[NDP_GROUP_NAME_BYTES]; /* unique in a list */
    char format[NDP_WORD_BYTES];     /* of all routes */
    enum ndp_case_kind kind;
    bool is_transport;   /* all routes are transports */
    bool is_slow;        /* transports that start a process or a pool for each case */
    bool is_of_variants; /* in a sweep: routes with a variant at an end; other groups have none */
    bool is_waiting;     /* a case mostly waits: for workers, new processes, threads or compilers */
    const struct ndp_target *encoder;
    const struct ndp_target *decoder;
    struct ndp_route *routes; /* owned by the list */
    uint32_t count;
};

struct ndp_route_list {
    struct ndp_route_group *groups;
    uint32_t count;
};

/* Fills the groups in a fixed order: round trips pair by pair and format by format, then transports and decode cases
 * target by target. Errors: NOMEM. */
enum ndp_status ndp_routes_list(const struct ndp_bench *bench, const struct ndp_route_filter *filter,
                                struct ndp_route_list *out) NDP_MUST_USE;

/* The number of targets that a name selects: one target, or all targets of a library. */
uint32_t ndp_routes_count_targets(const struct ndp_bench *bench, const char *named);

/* Whether the complete `route` fits `named`, the route of a descriptor. An empty word fits everything but
 * variants. The name of an
 * implementation fits all targets of it, so findings of other machines find their target. */
bool ndp_routes_fit(const struct ndp_route *named, const struct ndp_route *route, const struct ndp_bench *bench);

/* Fills *out with the complete `route` and the settings of `named`: data offset, compression level, history,
 * settings of a transport. */
void ndp_routes_complete(const struct ndp_route *named, const struct ndp_route *route, struct ndp_route *out);

/* Calls `visit` for every route of `kind` that fits `named`, with the settings of `named`, in the order of the list,
 * until it fails. Errors: those of `visit`. */
typedef enum ndp_status ndp_routes_visitor(void *context, const struct ndp_route *route);
enum ndp_status ndp_routes_visit(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                 enum ndp_case_kind kind, const struct ndp_route *named, ndp_routes_visitor *visit,
                                 void *context) NDP_MUST_USE;

/* The route number `pick`, modulo their count, of the routes of `kind` that fit `named`; NULL if none fits. Borrows the
 * list. */
const struct ndp_route *ndp_routes_pick(const struct ndp_route_list *list, const struct ndp_bench *bench,
                                        enum ndp_case_kind kind, const struct ndp_route *named, uint64_t pick);

void ndp_routes_clear(struct ndp_route_list *list);

#endif
