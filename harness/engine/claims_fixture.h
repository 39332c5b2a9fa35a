/* claims_fixture.h: targets that have claims and run nothing. */
#ifndef NDP_CLAIMS_FIXTURE_H
#define NDP_CLAIMS_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "engine/routes.h"

struct world {
    struct ndp_target targets[8];
    struct ndp_bench bench;
};

static inline struct ndp_target *add_target(struct world *world, const char *name, const char *implementation) {
    struct ndp_target *target = &world->targets[world->bench.count];
    world->bench.targets[world->bench.count++] = target;
    snprintf(target->info.name, NDP_WORD_BYTES, "%s", name);
    snprintf(target->info.implementation, NDP_WORD_BYTES, "%s", implementation);
    return target;
}

/* Adds an entry point; `ways`: e encodes, d decodes, t transports. The test may set other members. */
static inline struct ndp_entry *claim(struct ndp_target *target, const char *format, const char *entry,
                                      const char *ways) {
    struct ndp_entry *out = &target->info.entries[target->info.entry_count++];
    snprintf(out->format, NDP_WORD_BYTES, "%s", format);
    snprintf(out->entry, NDP_WORD_BYTES, "%s", entry);
    out->encodes = strchr(ways, 'e') != NULL;
    out->decodes = strchr(ways, 'd') != NULL;
    out->transports = strchr(ways, 't') != NULL;
    return out;
}

static const struct ndp_route_filter everything = {.targets = NULL};

static inline void list_all(const struct world *world, const struct ndp_route_filter *filter,
                            struct ndp_route_list *out) {
    assert_int_equal(ndp_routes_list(&world->bench, filter, out), NDP_OK);
}

#endif
