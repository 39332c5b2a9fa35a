/* plan.h: from a route and what the properties need to the programs that targets run. */
#ifndef NDP_PLAN_H
#define NDP_PLAN_H

#include "property/property.h"

/* The other ways in and out that a property may compare with. */
struct ndp_peers {
    const char *decode[4]; /* NULL after the last */
    const char *encode;    /* NULL when there is none */
    const char *transport; /* NULL when there is none */
};

/* Fills the entries of the same format that are not the route's own. Which encoder's depends on the route alone, so
 * that a case that is replayed meets the same peers. */
void ndp_plan_peers(const struct ndp_route *route, const struct ndp_target_info *encoder,
                    const struct ndp_target_info *decoder, struct ndp_peers *out);

/* Fills the transport of the same format that follows the route's own, round in a circle: one that also brings the
 * value back, or also does not, and no process of its own for every value, which takes long. Those with settings only
 * where no array travels as a file (max_nbytes is -1): else pools of two backends are in each other's way. */
void ndp_plan_transport_peer(const struct ndp_route *route, const struct ndp_target_info *info, struct ndp_peers *out);

/* Fills steps: the encoder's half and the decoder's half; for one target that does both, `decoder_half` is NULL
 * and everything goes into `encoder_half`. `slots` is a mask of 1 << enum ndp_slot. Errors: LIMIT. */
enum ndp_status ndp_plan_round_trip(const struct ndp_route *route, bool is_transport, const struct ndp_peers *peers,
                                    uint32_t slots, struct ndp_program *encoder_half,
                                    struct ndp_program *decoder_half) NDP_MUST_USE;

/* What a relay can be judged by: its middle is no end, and nothing is sent twice. */
#define NDP_RELAY_SLOTS                                                                                                \
    (1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT | 1u << NDP_SLOT_POKED |                   \
     1u << NDP_SLOT_RESULT_AFTER)

/* Fills the steps of the three targets of a relay, by its two legs: the encoder's, those of the middle, which decodes
 * what it is supplied with into RESULT and encodes that into REENCODED, and the decoder's. Of `slots` only
 * NDP_RELAY_SLOTS count. Errors: LIMIT. */
enum ndp_status ndp_plan_relay(const struct ndp_route legs[2], uint32_t slots, struct ndp_program *encoder,
                               struct ndp_program *middle, struct ndp_program *decoder) NDP_MUST_USE;

/* Fills steps that put a dict under its schedule and tell what came of it. Errors: LIMIT. */
enum ndp_status ndp_plan_dict(const struct ndp_route *route, struct ndp_program *out) NDP_MUST_USE;

/* Fills steps that decode supplied bytes; `with_peak` also asks what decoding took at its peak. */
enum ndp_status ndp_plan_decode(const struct ndp_route *route, const struct ndp_peers *peers, uint32_t slots,
                                bool with_peak, struct ndp_program *out) NDP_MUST_USE;

#endif
