/* route_legs.c: a relay taken apart into its two legs, and put together again. */
#include <string.h>

#include "describe/descriptor.h"

void ndp_route_leg(const struct ndp_route *route, uint32_t leg, struct ndp_route *out) {
    struct ndp_route one = *route;
    const struct ndp_via *via = &route->via;
    one.is_relayed = false;
    one.via = (struct ndp_via){.protocol = 0};
    if (route->is_relayed && leg == 0) {
        memcpy(one.decode, via->decode, sizeof one.decode);
        memcpy(one.decoder, via->target, sizeof one.decoder);
    } else if (route->is_relayed) {
        memcpy(one.format, via->format, sizeof one.format);
        memcpy(one.encode, via->encode, sizeof one.encode);
        memcpy(one.buffers, via->buffers, sizeof one.buffers);
        memcpy(one.encoder, via->target, sizeof one.encoder);
        one.protocol = via->protocol;
        one.offset_bytes = via->offset_bytes;
        one.level = via->level;
    }
    *out = one;
}

void ndp_route_join(const struct ndp_route *first, const struct ndp_route *second, struct ndp_route *out) {
    struct ndp_route relay = *first;
    struct ndp_via *via = &relay.via;
    relay.is_relayed = true;
    memcpy(via->target, second->encoder, sizeof via->target);
    memcpy(via->decode, first->decode, sizeof via->decode);
    memcpy(via->format, second->format, sizeof via->format);
    memcpy(via->encode, second->encode, sizeof via->encode);
    memcpy(via->buffers, second->buffers, sizeof via->buffers);
    via->protocol = second->protocol;
    via->offset_bytes = second->offset_bytes;
    via->level = second->level;
    memcpy(relay.decode, second->decode, sizeof relay.decode);
    memcpy(relay.decoder, second->decoder, sizeof relay.decoder);
    *out = relay;
}
