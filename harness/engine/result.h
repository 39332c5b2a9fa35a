/* result.h: the result of one case: a verdict, its divergences, and the evidence for them. */
#ifndef NDP_RESULT_H
#define NDP_RESULT_H

#include "engine/signature.h"

enum { NDP_MAX_DIVERGENCES = 16 };

/* One broken promise of one case. */
struct ndp_divergence {
    enum ndp_verdict verdict;            /* DIVERGES, CRASH, TIMEOUT, OOM */
    const struct ndp_property *property; /* NULL unless DIVERGES */
    struct ndp_judgement judgement;
    struct ndp_death death;
    struct ndp_route route;
    struct ndp_signature signature; /* with the library that is wrong; that of the finding once the case is minimal */
};

/* All properties together. Borrows the batch. */
struct ndp_result {
    enum ndp_verdict verdict; /* the worst of all */
    struct ndp_divergence divergences[NDP_MAX_DIVERGENCES];
    uint32_t divergence_count;
    uint64_t comparisons;
    struct {
        bool is_judged; /* compared something, was refused, or is unsupported */
        enum ndp_verdict verdict;
        uint64_t comparisons;
    } by_property[NDP_MAX_PROPERTIES]; /* in the order of ndp_properties() */
    char detail[256];                  /* FAULT, UNSUPPORTED: the reason */
    bool has_source;
    bool has_result;
    struct ndp_observation source;
    struct ndp_observation result;
    const struct ndp_refusal *refusal; /* of the encoder, else of the decoder; NULL when neither refused */
    bool is_unread;                    /* the encoder gave bytes, which the decoder does not support */
    bool has_promised;
    struct ndp_observation promised; /* of the result: by the contract, or by the oracle for bytes without a value */
    struct ndp_bytes encoded;        /* the input of the decoder, where it is known; else no bytes */
    struct ndp_route second;         /* behind the property transcode; its format is "" when there is none */
    struct ndp_bytes stderr_tail;
};

/* Fills the signature of a divergence whose other members are set. `outlier` is the library that is wrong, `array` the
 * case's array, NULL for bare bytes and graphs; `graph_features` are of a graph, else 0. */
void ndp_divergence_sign(struct ndp_divergence *divergence, const char *outlier, const struct ndp_array *array,
                         uint64_t graph_features);

/* Whether the divergence is a defect, and neither a documented loss nor a documented hazard. */
static inline bool ndp_divergence_is_defect(const struct ndp_divergence *divergence) {
    return divergence->judgement.severity == NDP_SEVERITY_DEFECT;
}

/* The divergence whose signature has the same core, or NULL. Borrows `result`. */
const struct ndp_divergence *ndp_result_find(const struct ndp_result *result, const struct ndp_signature *signature);

/* Makes the verdict of the result worse; a better one changes nothing. */
void ndp_result_worsen(struct ndp_result *result, enum ndp_verdict verdict);

/* Whether `a` is worse than `b`: PASS, UNSUPPORTED, REJECTS, FLAKY, DIVERGES, TIMEOUT, OOM, CRASH, FAULT. */
bool ndp_verdict_is_worse(enum ndp_verdict a, enum ndp_verdict b);

#endif
