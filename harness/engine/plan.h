/* plan.h: from a route and what the properties need to the programs that targets run. */
#ifndef NDP_PLAN_H
#define NDP_PLAN_H

#include "property/property.h"

/* The other entry points that a property may compare with. Words are borrowed from the targets. */
struct ndp_peers {
    const char *decode[4]; /* NULL after the last */
    const char *encode;    /* NULL when there is none */
    const char *transport; /* NULL when there is none */
    bool has_second;
    struct ndp_route second; /* the same target in another format */
};

/* Fills the entries of the same format that are not the route's own. Which encoder's depends on the route alone, so
 * that a case that is replayed meets the same peers. */
void ndp_plan_peers(const struct ndp_route *route, const struct ndp_target_info *encoder,
                    const struct ndp_target_info *decoder, struct ndp_peers *out);

/* Fills the second format of a route that one target encodes and decodes: the decoder's first entry points in another
 * format, or of another protocol, for values of this kind. Which one depends on the route alone, as above. */
void ndp_plan_second(const struct ndp_route *route, const struct ndp_target_info *info, enum ndp_value_kind kind,
                     struct ndp_peers *out);

/* Fills the transport of the same format that follows the route's own, round in a circle: one that also brings the
 * value back, or also does not, and no process of its own for every value, which takes long. Those with settings only
 * where no array travels as a file (max_nbytes is -1): else pools of two backends are in each other's way. */
void ndp_plan_transport_peer(const struct ndp_route *route, const struct ndp_target_info *info, struct ndp_peers *out);

/* Fills steps: the encoder's half and the decoder's half; for one target that does both, `decoder_half` is NULL
 * and everything goes into `encoder_half`. `slots` is a mask of 1 << enum ndp_slot. Errors: LIMIT. */
enum ndp_status ndp_plan_round_trip(const struct ndp_route *route, bool is_transport, const struct ndp_peers *peers,
                                    uint32_t slots, struct ndp_program *encoder_half,
                                    struct ndp_program *decoder_half) NDP_MUST_USE;

/* Fills steps that put a dict under its schedule and tell what came of it. Errors: LIMIT. */
enum ndp_status ndp_plan_dict(const struct ndp_route *route, struct ndp_program *out) NDP_MUST_USE;

/* Fills steps that decode supplied bytes; `with_peak` also asks what decoding took at its peak. */
enum ndp_status ndp_plan_decode(const struct ndp_route *route, const struct ndp_peers *peers, uint32_t slots,
                                bool with_peak, struct ndp_program *out) NDP_MUST_USE;

#endif
