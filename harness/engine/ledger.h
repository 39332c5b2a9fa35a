/* ledger.h: the finds of a run, and the reports about them. Private to this folder.
 *
 * Divergences are offered. Each belongs to a find: the first one must be minimised and confirmed, and its result is
 * settled later, in any order. The ledger then reports the finding to the events, and each other divergence of the find
 * as a duplicate; if it is ordered, the order of settling has no effect on the reports. Finds whose minimal cases have
 * one signature are one finding.
 */
#ifndef NDP_LEDGER_H
#define NDP_LEDGER_H

#include "base/bytes.h"
#include "engine/dedup.h"
#include "engine/sweep.h"

struct ndp_ledger_find;
struct ndp_ledger_offer;

struct ndp_ledger {
    const struct ndp_sweep_events *events; /* borrowed */
    bool is_ordered;                       /* divergences are reported in the order of their offers */
    uint64_t start_ns;                     /* of the run */
    struct ndp_dedup dedup;
    struct ndp_ledger_find *finds; /* owned */
    uint32_t count;
    uint32_t capacity;
    struct ndp_ledger_offer *offers; /* owned; divergences that are not reported, oldest first */
    uint32_t offer_count;
    uint32_t offer_capacity;
};

/* Borrows the events until clear. */
void ndp_ledger_init(struct ndp_ledger *ledger, const struct ndp_sweep_events *events, bool is_ordered,
                     uint64_t start_ns);
void ndp_ledger_clear(struct ndp_ledger *ledger);

/* Counts a divergence of a case. *is_new: it must be minimised, and *find must be settled. Errors: NOMEM. */
enum ndp_status ndp_ledger_offer(struct ndp_ledger *ledger, const struct ndp_divergence *divergence, uint64_t case_id,
                                 uint32_t *find, bool *is_new) NDP_MUST_USE;

/* The first divergence of a find, and its case. Borrowed until the next offer. */
const struct ndp_divergence *ndp_ledger_divergence(const struct ndp_ledger *ledger, uint32_t find);
uint64_t ndp_ledger_case(const struct ndp_ledger *ledger, uint32_t find);
bool ndp_ledger_is_settled(const struct ndp_ledger *ledger, uint32_t find);

/* Whether no find before has the same core. */
bool ndp_ledger_is_first(const struct ndp_ledger *ledger, uint32_t find);

/* Records the result of a find: the signature of its finding and the finding as the events packed it (empty if it is
 * known under that signature). NULL: there is no finding, and its divergences are dropped. Errors: NOMEM. */
enum ndp_status ndp_ledger_settle(struct ndp_ledger *ledger, uint32_t find, const struct ndp_signature *signature,
                                  struct ndp_bytes packed) NDP_MUST_USE;

/* Fills at most `most` hashes of the signatures of settled findings, newest first. Returns their number. */
uint32_t ndp_ledger_known(const struct ndp_ledger *ledger, uint64_t *hashes, uint32_t most);

#endif
