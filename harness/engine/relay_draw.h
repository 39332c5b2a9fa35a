/* relay_draw.h: which relays a sweep tries: two legs out of the routes of the run, drawn anew for every case. */
#ifndef NDP_RELAY_DRAW_H
#define NDP_RELAY_DRAW_H

#include "engine/routes.h"
#include "generate/generate.h"

/* The groups that the legs of one batch of relays are of. Borrowed from the list. */
struct ndp_relay_groups {
    const struct ndp_route_group *first;
    const struct ndp_route_group *second; /* its encoder is the decoder of the first */
};

/* Fills *out with the groups that `number` draws. Whether there are any. */
bool ndp_relay_draw_groups(const struct ndp_route_list *list, uint64_t number, struct ndp_relay_groups *out);

/* Draws two legs which take values of a kind that both do; a format first, so that those with many entries do not come
 * more often than others. Whether there are any; *is_graph then says of which kind the value is to be. Ways in and out
 * that take the time of several cases are left to routes without a middle. */
bool ndp_relay_draw_legs(const struct ndp_relay_groups *groups, struct ndp_choices *choices, struct ndp_route legs[2],
                         bool *is_graph);

#endif
