/* find.h: turns a divergence into a finding. Private to this folder; find.c explains the method. */
#ifndef NDP_FIND_H
#define NDP_FIND_H

#include <signal.h>

#include "base/bytes.h"
#include "engine/batch.h"
#include "engine/finding.h"

enum { NDP_CONFIRM_RUNS = 3 };

struct ndp_find {
    const volatile sig_atomic_t *stop; /* ends minimising; NULL: none */
    struct ndp_batch *scratch;         /* for minimising */
    struct ndp_batch *fresh;           /* for confirming */
    struct ndp_buffer text;            /* the descriptor being minimised or confirmed */
    struct ndp_buffer generated;       /* the same, as generated */
    uint64_t start_ns;                 /* of the find */
};

/* A divergence to find. All borrowed. */
struct ndp_find_request {
    const struct ndp_descriptor *descriptor; /* the case that showed it */
    struct ndp_property_set properties;      /* that judged the case */
    const struct ndp_divergence *divergence;
    uint64_t case_id;
    /* When minimising ends, by ndp_clock_ns(); 0: MOST_MINIMISE_NS after the start. If that has passed at the start,
     * one run confirms the divergence as it was generated, without experiments. */
    uint64_t until_ns;
    const uint64_t *known; /* hashes of printed signatures that need no confirmation */
    uint32_t known_count;
};

enum ndp_find_outcome {
    NDP_FIND_NOTHING, /* a hazard that did not reproduce every time */
    NDP_FIND_KNOWN,   /* the minimal case has a known signature; only the divergence of the finding is filled */
    NDP_FIND_FINDING
};

/* Borrows the bench until clear. Errors: NOMEM (nothing to clear). */
enum ndp_status ndp_find_init(struct ndp_find *find, const struct ndp_bench *bench) NDP_MUST_USE;
void ndp_find_clear(struct ndp_find *find);

/* Minimises and confirms. *out is borrowed until the next call. Errors: those of ndp_batch_start. */
enum ndp_status ndp_find_run(struct ndp_find *find, const struct ndp_find_request *request, struct ndp_finding *out,
                             enum ndp_find_outcome *outcome, struct ndp_error *error) NDP_MUST_USE;

/* Prints the case of a request into `find->text`, with the properties that judge its divergence. Errors: NOMEM. */
enum ndp_status ndp_find_print(struct ndp_find *find, const struct ndp_find_request *request) NDP_MUST_USE;

/* Runs `text` (a descriptor) `runs` times, each time in fresh processes. *hits counts the runs with a divergence that
 * has the core of `wanted`. Uses and clears `batch`. Errors: those of ndp_batch_start. */
enum ndp_status ndp_find_confirm(struct ndp_batch *batch, struct ndp_bytes text, const struct ndp_signature *wanted,
                                 uint32_t runs, uint32_t *hits, struct ndp_error *error) NDP_MUST_USE;

#endif
