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
    bool is_packed;  /* settled with a finding of its own */
    bool is_reported;
    struct ndp_signature signature;
    struct ndp_buffer packed; /* until it is reported */
    uint64_t seen_ns;         /* since the start of the run */
};

/* A divergence that was offered and not reported. */
struct ndp_ledger_offer {
    uint32_t find;
    bool is_first; /* of its find */
    struct ndp_route route;
};

void ndp_ledger_init(struct ndp_ledger *ledger, const struct ndp_sweep_events *events, bool is_ordered,
                     uint64_t start_ns) {
    *ledger = (struct ndp_ledger){.events = events, .is_ordered = is_ordered, .start_ns = start_ns};
}

void ndp_ledger_clear(struct ndp_ledger *ledger) {
    for (uint32_t i = 0; i < ledger->count; i++) ndp_buffer_clear(&ledger->finds[i].packed);
    free(ledger->finds);
    free(ledger->offers);
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

static bool has_reported(const struct ndp_ledger *ledger, const struct ndp_signature *signature) {
    for (uint32_t i = 0; i < ledger->count; i++) {
        const struct ndp_ledger_find *one = &ledger->finds[i];
        if (one->is_reported && !one->is_nothing && ndp_signature_is_same(&one->signature, signature)) return true;
    }
    return false;
}

/* Reports a divergence of a settled find: the finding if it is the first one, unless another find had the same. */
static void report_offer(struct ndp_ledger *ledger, const struct ndp_ledger_offer *offer) {
    const struct ndp_sweep_events *events = ledger->events;
    struct ndp_ledger_find *one = &ledger->finds[offer->find];
    if (one->is_nothing) return;
    if (offer->is_first && !has_reported(ledger, &one->signature))
        events->on_finding(events->context, ndp_buffer_view(&one->packed), one->seen_ns);
    else if (events->on_duplicate != NULL)
        events->on_duplicate(events->context, &one->signature, &offer->route);
    one->is_reported = true;
    if (offer->is_first) ndp_buffer_clear(&one->packed); /* it can have megabytes */
}

/* Reports all divergences whose find is settled; with an order, those before the first one whose find is not. */
static void report_offers(struct ndp_ledger *ledger) {
    uint32_t kept = 0;
    bool is_blocked = false;
    for (uint32_t i = 0; i < ledger->offer_count; i++) {
        const struct ndp_ledger_offer *offer = &ledger->offers[i];
        is_blocked = is_blocked && ledger->is_ordered;
        if (is_blocked || !ledger->finds[offer->find].is_settled) {
            is_blocked = true;
            ledger->offers[kept++] = *offer;
        } else {
            report_offer(ledger, offer);
        }
    }
    ledger->offer_count = kept;
}

/* ---- offers ---- */

static enum ndp_status add_offer(struct ndp_ledger *ledger, const struct ndp_ledger_offer *offer) {
    if (ledger->offer_count == ledger->offer_capacity) {
        const uint32_t capacity = ledger->offer_capacity == 0 ? 16 : 2 * ledger->offer_capacity;
        struct ndp_ledger_offer *grown = realloc(ledger->offers, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        ledger->offers = grown;
        ledger->offer_capacity = capacity;
    }
    ledger->offers[ledger->offer_count++] = *offer;
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
    if (*is_new) NDP_TRY(add_find(ledger, divergence, case_id));
    const struct ndp_ledger_offer offer = {.find = *find, .is_first = *is_new, .route = divergence->route};
    const bool is_due = ledger->finds[*find].is_settled && (!ledger->is_ordered || ledger->offer_count == 0);
    if (!is_due) return add_offer(ledger, &offer);
    report_offer(ledger, &offer);
    return NDP_OK;
}

enum ndp_status ndp_ledger_settle(struct ndp_ledger *ledger, uint32_t find, const struct ndp_signature *signature,
                                  struct ndp_bytes packed) {
    struct ndp_ledger_find *one = &ledger->finds[find];
    one->is_settled = true;
    one->is_nothing = signature == NULL;
    if (signature != NULL) one->signature = *signature;
    one->is_packed = packed.size_bytes > 0;
    NDP_TRY(ndp_buffer_add(&one->packed, packed.data, packed.size_bytes));
    report_offers(ledger);
    return NDP_OK;
}

uint32_t ndp_ledger_known(const struct ndp_ledger *ledger, uint64_t *hashes, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = ledger->count; i > 0 && count < most; i--) {
        const struct ndp_ledger_find *one = &ledger->finds[i - 1];
        char text[NDP_SIGNATURE_BYTES];
        if (!one->is_settled || one->is_nothing || !one->is_packed) continue;
        ndp_signature_print(&one->signature, text);
        hashes[count++] = ndp_hash_bytes(text, strlen(text), NDP_HASH_START);
    }
    return count;
}
