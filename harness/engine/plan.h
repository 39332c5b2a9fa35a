/* plan.h: the programs that targets run, from a route and the slots that properties need. */
#ifndef NDP_PLAN_H
#define NDP_PLAN_H

#include "property/property.h"

/* The other entry points that properties compare with. Words are borrowed from the targets. */
struct ndp_peers {
    const char *decode[4]; /* NULL after the last */
    const char *encode;    /* NULL when there is none */
    const char *transport; /* NULL when there is none */
    bool has_second;
    struct ndp_route second; /* the same target in another format */
};

/* Fills the peers of a route: up to four other decode entry points and one other encode entry point of its format. The
 * choice depends on the route alone, so a replayed case has the same peers. */
void ndp_plan_peers(const struct ndp_route *route, const struct ndp_target_info *encoder,
                    const struct ndp_target_info *decoder, struct ndp_peers *out);

/* Fills the second format of a route on one target: the first entry points of another format or protocol that take this
 * kind of value. The choice depends on the route alone. */
void ndp_plan_second(const struct ndp_route *route, const struct ndp_target_info *info, enum ndp_value_kind kind,
                     struct ndp_peers *out);

/* Fills the peer of a transport: the next transport of the same format in the target's list, cyclically, that returns
 * the value in the same way. Transports that start a process per value are too slow to be peers. Transports with
 * settings are peers only when no array travels as a file (max_nbytes is -1): pools of two backends would interfere. */
void ndp_plan_transport_peer(const struct ndp_route *route, const struct ndp_target_info *info, struct ndp_peers *out);

/* Adds the steps of a round trip that fill the `slots` (mask of 1 << enum ndp_slot). One target: all steps go into
 * `encoder_half`, and `decoder_half` is NULL. Errors: LIMIT (more than NDP_MAX_STEPS). */
enum ndp_status ndp_plan_round_trip(const struct ndp_route *route, bool is_transport, const struct ndp_peers *peers,
                                    uint32_t slots, struct ndp_program *encoder_half,
                                    struct ndp_program *decoder_half) NDP_MUST_USE;

/* Adds the steps that run threads on a dict and observe the result. Errors: LIMIT. */
enum ndp_status ndp_plan_dict(const struct ndp_route *route, struct ndp_program *out) NDP_MUST_USE;

/* Adds the steps that decode supplied bytes; `with_peak` also measures the peak memory of decoding. Errors: LIMIT. */
enum ndp_status ndp_plan_decode(const struct ndp_route *route, const struct ndp_peers *peers, uint32_t slots,
                                bool with_peak, struct ndp_program *out) NDP_MUST_USE;

#endif
