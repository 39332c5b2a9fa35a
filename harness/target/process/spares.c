#include "target/process/spares.h"

bool ndp_spares_take(struct ndp_spares *spares, struct ndp_child *child) {
    if (spares->count == 0) return false;
    *child = spares->waiting[0];
    spares->count--;
    for (uint32_t i = 0; i < spares->count; i++) spares->waiting[i] = spares->waiting[i + 1];
    return true;
}

void ndp_spares_fill(struct ndp_spares *spares, uint32_t count, char *const *argv,
                     const struct ndp_target_limits *limits) {
    while (spares->count < count && spares->count < NDP_MAX_SPARES) {
        if (ndp_child_start(&spares->waiting[spares->count], argv, limits, NULL) != NDP_OK) return;
        spares->count++;
    }
}

void ndp_spares_stop(struct ndp_spares *spares) {
    for (uint32_t i = 0; i < spares->count; i++) ndp_child_stop(&spares->waiting[i]);
    spares->count = 0;
}
