#include "engine/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"

#define PACKED_BYTES (UINT64_C(64) << 20)

struct ndp_ledger_find {
    struct ndp_divergence divergence;
    uint64_t case_id;
    bool is_settled;
    bool is_nothing; /* settled without a finding */
    struct ndp_signature signature;
    struct ndp_buffer packed;
    uint64_t seen_ns;             /* since the start of the run */
    struct ndp_route *duplicates; /* owned; until the finding is reported */
    uint32_t duplicate_count;
    uint32_t duplicate_capacity;
    bool is_reported;
};

void ndp_ledger_init(struct ndp_ledger *ledger, const struct ndp_sweep_events *events, bool is_ordered,
                     uint64_t start_ns) {
    *ledger = (struct ndp_ledger){.events = events, .is_ordered = is_ordered, .start_ns = start_ns};
}

void ndp_ledger_clear(struct ndp_ledger *ledger) {
    for (uint32_t i = 0; i < ledger->count; i++) {
        ndp_buffer_clear(&ledger->finds[i].packed);
        free(ledger->finds[i].duplicates);
    }
    free(ledger->finds);
    ndp_dedup_clear(&ledger->dedup);
    *ledger = (struct ndp_ledger){.events = NULL};
}

const struct ndp_divergence *ndp_ledger_divergence(const struct ndp_ledger *ledger, uint32_t find) {
    return &ledger->finds[find].divergence;
}

uint64_t ndp_ledger_case(const struct ndp_ledger *ledger, uint32_t find) {
    return ledger->finds[find].case_id;
}

bool ndp_ledger_is_settled(const struct ndp_ledger *ledger, uint32_t find) {
    return ledger->finds[find].is_settled;
}

bool ndp_ledger_is_first(const struct ndp_ledger *ledger, uint32_t find) {
    const struct ndp_signature *signature = &ledger->finds[find].divergence.signature;
    for (uint32_t i = 0; i < find; i++)
        if (ndp_signature_has_same_core(&ledger->finds[i].divergence.signature, signature)) return false;
    return true;
}

/* ---- reporting ---- */

static void report_duplicate(const struct ndp_ledger *ledger, const struct ndp_signature *signature,
                             const struct ndp_route *route) {
    const struct ndp_sweep_events *events = ledger->events;
    if (events->on_duplicate != NULL) events->on_duplicate(events->context, signature, route);
}

/* The first settled find with the same signature that has a packed finding. */
static const struct ndp_ledger_find *find_packed(const struct ndp_ledger *ledger, const struct ndp_ledger_find *like) {
    for (uint32_t i = 0; i < ledger->count; i++) {
        const struct ndp_ledger_find *one = &ledger->finds[i];
        if (one->is_settled && !one->is_nothing && one->packed.size_bytes > 0 &&
            ndp_signature_is_same(&one->signature, &like->signature))
            return one;
    }
    return NULL;
}

static bool has_reported(const struct ndp_ledger *ledger, const struct ndp_signature *signature) {
    for (uint32_t i = 0; i < ledger->count; i++) {
        const struct ndp_ledger_find *one = &ledger->finds[i];
        if (one->is_reported && !one->is_nothing && ndp_signature_is_same(&one->signature, signature)) return true;
    }
    return false;
}

/* Reports a settled find: its finding, unless another find had the same, and its duplicates. */
static void report_find(struct ndp_ledger *ledger, struct ndp_ledger_find *one) {
    const struct ndp_sweep_events *events = ledger->events;
    const struct ndp_ledger_find *packed = one->is_nothing ? NULL : find_packed(ledger, one);
    if (!one->is_nothing && has_reported(ledger, &one->signature))
        report_duplicate(ledger, &one->signature, &one->divergence.route);
    else if (packed != NULL && events->on_finding != NULL)
        events->on_finding(events->context, ndp_buffer_view(&packed->packed), one->seen_ns);
    one->is_reported = true;
    for (uint32_t i = 0; i < one->duplicate_count && !one->is_nothing; i++)
        report_duplicate(ledger, &one->signature, &one->duplicates[i]);
    free(one->duplicates);
    one->duplicates = NULL;
    one->duplicate_count = one->duplicate_capacity = 0;
}

/* ---- offers ---- */

static enum ndp_status keep_duplicate(struct ndp_ledger_find *one, const struct ndp_route *route) {
    if (one->duplicate_count == one->duplicate_capacity) {
        const uint32_t capacity = one->duplicate_capacity == 0 ? 8 : 2 * one->duplicate_capacity;
        struct ndp_route *grown = realloc(one->duplicates, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        one->duplicates = grown;
        one->duplicate_capacity = capacity;
    }
    one->duplicates[one->duplicate_count++] = *route;
    return NDP_OK;
}

static enum ndp_status add_find(struct ndp_ledger *ledger, const struct ndp_divergence *divergence, uint64_t case_id) {
    if (ledger->count == ledger->capacity) {
        const uint32_t capacity = ledger->capacity == 0 ? 16 : 2 * ledger->capacity;
        struct ndp_ledger_find *grown = realloc(ledger->finds, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        ledger->finds = grown;
        ledger->capacity = capacity;
    }
    struct ndp_ledger_find *one = &ledger->finds[ledger->count++];
    *one = (struct ndp_ledger_find){
        .divergence = *divergence, .case_id = case_id, .seen_ns = ndp_clock_ns() - ledger->start_ns};
    ndp_buffer_init(&one->packed, PACKED_BYTES);
    return NDP_OK;
}

enum ndp_status ndp_ledger_offer(struct ndp_ledger *ledger, const struct ndp_divergence *divergence, uint64_t case_id,
                                 uint32_t *find, bool *is_new) {
    *is_new = false;
    if (ledger->events->on_finding == NULL) return NDP_OK;
    NDP_TRY(ndp_dedup_offer(&ledger->dedup, divergence, find, is_new));
    if (*is_new) return add_find(ledger, divergence, case_id);
    struct ndp_ledger_find *one = &ledger->finds[*find];
    if (!one->is_reported) return keep_duplicate(one, &divergence->route);
    if (!one->is_nothing) report_duplicate(ledger, &one->signature, &divergence->route);
    return NDP_OK;
}

enum ndp_status ndp_ledger_settle(struct ndp_ledger *ledger, uint32_t find, const struct ndp_signature *signature,
                                  struct ndp_bytes packed) {
    struct ndp_ledger_find *one = &ledger->finds[find];
    one->is_settled = true;
    one->is_nothing = signature == NULL;
    if (signature != NULL) one->signature = *signature;
    NDP_TRY(ndp_buffer_add(&one->packed, packed.data, packed.size_bytes));
    if (!ledger->is_ordered) report_find(ledger, one);
    for (; ledger->is_ordered && ledger->reported < ledger->count; ledger->reported++) {
        if (!ledger->finds[ledger->reported].is_settled) break;
        report_find(ledger, &ledger->finds[ledger->reported]);
    }
    return NDP_OK;
}

uint32_t ndp_ledger_known(const struct ndp_ledger *ledger, uint64_t *hashes, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = ledger->count; i > 0 && count < most; i--) {
        const struct ndp_ledger_find *one = &ledger->finds[i - 1];
        char text[NDP_SIGNATURE_BYTES];
        if (!one->is_settled || one->is_nothing || one->packed.size_bytes == 0) continue;
        ndp_signature_print(&one->signature, text);
        hashes[count++] = ndp_hash_bytes(text, strlen(text), NDP_HASH_START);
    }
    return count;
}
