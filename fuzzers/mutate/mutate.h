/* mutate.h: structural mutation of an input, one function per form, shared by all engines. All choices derive from the
 * engine's seed, so that a run can be repeated. */
#ifndef NDP_FUZZ_MUTATE_H
#define NDP_FUZZ_MUTATE_H

#include "generate/generate.h"

/* Appends `text` with one or a few typed changes to `out`. Errors: INVALID if `text` does not have the form, LIMIT if
 * the result does not fit, NOMEM. */
typedef enum ndp_status fuzz_mutate(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes text,
                                    struct ndp_buffer *out);

/* The same, from parts of two inputs. */
typedef enum ndp_status fuzz_cross(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_bytes first,
                                   struct ndp_bytes second, struct ndp_buffer *out);

fuzz_mutate fuzz_mutate_descriptor, fuzz_mutate_npy, fuzz_mutate_npz, fuzz_mutate_pickle, fuzz_mutate_joblib,
    fuzz_mutate_memmap, fuzz_mutate_frame, fuzz_mutate_graph;
/* Changes tokens of the text; the result may be invalid. */
fuzz_mutate fuzz_corrupt_descriptor;
fuzz_cross fuzz_cross_descriptor, fuzz_cross_npy, fuzz_cross_npz, fuzz_cross_pickle, fuzz_cross_joblib,
    fuzz_cross_memmap, fuzz_cross_frame;

struct fuzz_ops;

/* Makes one change of a list of opcodes (form/pickle_ops.h): replaces, removes, repeats, inserts or swaps one, or
 * changes its argument. In mutate_pickle.c. Errors: NOMEM. */
enum ndp_status fuzz_ops_change(struct ndp_arena *arena, struct ndp_choices *choices,
                                struct fuzz_ops *ops) NDP_MUST_USE;

#endif
