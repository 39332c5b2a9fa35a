/* experiment.h: runs a variant of a minimal case and compares its failure with the one that is to be explained. Private
 * to this folder. */
#ifndef NDP_EXPERIMENT_H
#define NDP_EXPERIMENT_H

#include "engine/batch.h"

/* The end of an experiment. SILENT: nothing that can be compared, such as an unsupported case, a refusal that the
 * contract allows, or a documented loss. */
enum ndp_experiment_end {
    NDP_EXPERIMENT_SILENT,
    NDP_EXPERIMENT_KEPT, /* the promise was kept */
    NDP_EXPERIMENT_SAME, /* the same failure */
    NDP_EXPERIMENT_OTHER /* another failure in the same property */
};

struct ndp_experiment {
    enum ndp_experiment_end end;
    struct ndp_divergence divergence; /* SAME, OTHER */
};

/* Whether two failures are the same on two routes: equal verdict, property, severity and field, both on encoding or
 * both on decoding, and for errors an equal text but for names, numbers and quotations. The error of a transport is not
 * compared with that of a format in which it sends values, because it wraps that error. */
bool ndp_experiment_is_same(const struct ndp_divergence *a, const struct ndp_divergence *b);

/* Whether a failure is an error, or its absence: a wrong refusal or a wrong acceptance. */
bool ndp_experiment_is_of_errors(const struct ndp_divergence *failure);

/* Runs `descriptor` (borrowed) and compares it with `failure`. Uses and clears `batch`. Errors: those of
 * ndp_batch_start. */
enum ndp_status ndp_experiment_run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                   const struct ndp_divergence *failure, struct ndp_experiment *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with the route of `format` from `encoder` to `decoder` (names of targets) that takes a value of this kind
 * and is nearest to `like`: equal protocol, then buffers, then decoder, then encoder; the first of equals in the order
 * of ndp_routes_list. *is_found: there is one. Errors: NOMEM. */
enum ndp_status ndp_experiment_find_route(const struct ndp_bench *bench, const char *format,
                                          const struct ndp_route *like, const char *encoder, const char *decoder,
                                          enum ndp_value_kind kind, struct ndp_route *out, bool *is_found) NDP_MUST_USE;

#endif
