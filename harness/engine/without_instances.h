/* without_instances.h: whether the library that defines a class, and not the one that sends it, is to blame for a
 * failure. */
#ifndef NDP_WITHOUT_INSTANCES_H
#define NDP_WITHOUT_INSTANCES_H

#include "engine/experiment.h"

/* Runs the case with a list of its arguments in place of each instance. If the promise is then kept, fills `library`
 * with the package of the first instance and `evidence` with a sentence for people; otherwise, and for a package that
 * the encoder does not claim, both become "". Uses and clears `batch`. Errors: NOMEM; those of ndp_batch_start. */
enum ndp_status ndp_without_instances_ask(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                          const struct ndp_divergence *failure, char library[NDP_WORD_BYTES],
                                          char *evidence, size_t evidence_bytes, struct ndp_error *error) NDP_MUST_USE;

#endif
