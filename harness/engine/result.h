/* result.h: the result of one case: a verdict, its divergences, and the evidence for them. */
#ifndef NDP_RESULT_H
#define NDP_RESULT_H

#include "engine/failure.h"
#include "engine/signature.h"

enum { NDP_MAX_DIVERGENCES = 16, NDP_REFUSAL_TEXT_BYTES = 264 };

/* One broken promise of one case. */
struct ndp_divergence {
    enum ndp_verdict verdict;            /* DIVERGES, CRASH, TIMEOUT, OOM */
    const struct ndp_property *property; /* NULL unless DIVERGES */
    struct ndp_judgement judgement;
    struct ndp_death death;
    char failure[NDP_FAILURE_BYTES];    /* DIVERGES: the refusal or acceptance that breaks the promise, or "" */
    char error[NDP_REFUSAL_TEXT_BYTES]; /* the whole text of the refusal, or "" */
    struct ndp_route route;
    struct ndp_signature signature; /* of the finding, if the case is minimal */
};

/* The part of one property in a result. */
struct ndp_property_counts {
    bool is_judged; /* compared something, or was refused or unsupported */
    enum ndp_verdict verdict;
    uint64_t comparisons;
};

/* The result of all properties. Borrows the batch. */
struct ndp_result {
    enum ndp_verdict verdict; /* the worst one */
    struct ndp_divergence divergences[NDP_MAX_DIVERGENCES];
    uint32_t divergence_count;
    uint64_t comparisons;
    struct ndp_property_counts by_property[NDP_MAX_PROPERTIES]; /* in the order of ndp_property_all() */
    char detail[256];                                           /* FAULT, UNSUPPORTED: the reason */
    bool has_source;
    bool has_result;
    struct ndp_observation source;
    struct ndp_observation result;
    const struct ndp_refusal *refusal;      /* by the encoder or the decoder; NULL if neither refused */
    bool is_unread;                         /* encoded, but not supported by the decoder */
    const struct ndp_slot_record *encoding; /* the slot of the encoder; NULL before the case ran */
    const struct ndp_slot_record *decoding; /* the slot of the decoder; NULL before the case ran */
    const struct ndp_slot_record *oracle;   /* decode cases: the result of the reference; else NULL */
    bool has_promised;
    struct ndp_observation promised; /* the expected result: by the contract, or for bare bytes by the oracle */
    struct ndp_bytes encoded;        /* the input of the decoder; empty if unknown */
    struct ndp_route second;         /* the second route of the property transcode; format "" if there is none */
    struct ndp_bytes stderr_tail;
};

/* Fills the signature of a divergence from its other members. `outlier` is the wrong library, `array` the case's array
 * (NULL for bare bytes and graphs), `graph_features` those of a graph (else 0). */
void ndp_result_sign_divergence(struct ndp_divergence *divergence, const char *outlier, const struct ndp_array *array,
                                uint64_t graph_features);

/* Whether the divergence is a defect: not a documented loss or hazard. */
static inline bool ndp_result_is_defect(const struct ndp_divergence *divergence) {
    return divergence->judgement.severity == NDP_SEVERITY_DEFECT;
}

/* The first divergence with the same core, or NULL. Borrows `result`. */
const struct ndp_divergence *ndp_result_find(const struct ndp_result *result, const struct ndp_signature *signature);

/* Replaces the verdict of the result by `verdict` if that is worse. */
void ndp_result_worsen(struct ndp_result *result, enum ndp_verdict verdict);

/* Whether `a` comes after `b` in: PASS, UNSUPPORTED, REJECTS, FLAKY, DIVERGES, TIMEOUT, OOM, CRASH, FAULT. */
bool ndp_result_is_worse_verdict(enum ndp_verdict a, enum ndp_verdict b);

#endif
