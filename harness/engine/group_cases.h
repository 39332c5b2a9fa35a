/* group_cases.h: the cases of a group of routes, by number.
 *
 * Case number n of a group depends on the seed, the name and the routes of the group, and n alone. Numbers are used in
 * units: unit u has the cases u * per_unit to (u + 1) * per_unit - 1. All cases of a unit of a transport have one route
 * and one setting, because libraries with worker pools start new workers for other settings. Private to this folder.
 */
#ifndef NDP_GROUP_CASES_H
#define NDP_GROUP_CASES_H

#include "engine/routes.h"
#include "generate/covering.h"

struct ndp_group_cases;

/* Borrows the group. `properties` (empty: all) judge the cases. Errors: NOMEM. */
enum ndp_status ndp_group_cases_new(const struct ndp_route_group *group, uint64_t seed,
                                    struct ndp_property_set properties, struct ndp_group_cases **out) NDP_MUST_USE;
void ndp_group_cases_free(struct ndp_group_cases *cases);

/* Lets arrays have up to about `value_bytes` bytes. To be called before the first case is made; the default is 1 MiB,
 * or 64 KiB between different targets. Errors: NOMEM. */
enum ndp_status ndp_group_cases_set_largest(struct ndp_group_cases *cases, uint64_t value_bytes) NDP_MUST_USE;

uint32_t ndp_group_cases_per_unit(const struct ndp_group_cases *cases);

/* The expected time of a case, in cases of the cheapest routes. */
uint32_t ndp_group_cases_cost(const struct ndp_group_cases *cases);

/* A case: its descriptor, the properties that judge it, and the values of the features that it has. They are found from
 * the descriptor, so that wishes that failed do not count. */
struct ndp_group_case {
    struct ndp_descriptor descriptor;
    struct ndp_property_set properties;
    struct ndp_covering_row features;
};

/* Fills *out, with memory from `arena`. Rows of the covering array are computed in sequence, so the first call for a
 * high number takes long: some 20 microseconds per row. Errors: NOMEM, FAULT. */
enum ndp_status ndp_group_cases_make(struct ndp_group_cases *cases, struct ndp_arena *arena, uint64_t number,
                                     struct ndp_group_case *out) NDP_MUST_USE;

/* The features of the group and their values. Borrows `cases`. */
const struct ndp_covering_model *ndp_group_cases_model(const struct ndp_group_cases *cases);

/* Whether a case with the features `more` has every feature of a case with `few` that is not the simplest one. */
bool ndp_group_cases_contain(const struct ndp_covering_row *more, const struct ndp_covering_row *few);

/* Fills *out with the features of any descriptor on a route of the group, such as a minimal one. */
void ndp_group_cases_features(const struct ndp_group_cases *cases, const struct ndp_descriptor *descriptor,
                              struct ndp_covering_row *out);

#endif
