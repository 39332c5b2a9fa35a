/* told_function.h: what a pickle says of functions, of what they are closed over, and of what calls them, read by other
 * code than the decoder's. Only spellings that cloudpickle and dill use are read.
 * Source: cloudpickle 1.6 to 3.1, _make_function, _function_setstate; dill 0.3.4 to 0.4, _create_function, save_cell;
 * CPython 3.11, functools.partial.__reduce__; NumPy 2.4, numpy.vectorize. */
#ifndef NDP_FUZZ_TOLD_FUNCTION_H
#define NDP_FUZZ_TOLD_FUNCTION_H

#include "model/graph.h"
#include "reader/told.h"

/* What is still to be compared: what a pickle says, and the node that it is to be. */
enum { FUZZ_TOLD_PAIRS = 1 << 12 };

struct fuzz_told_pairs {
    struct {
        struct fuzz_told *told;
        uint32_t node;
    } list[FUZZ_TOLD_PAIRS];
    uint32_t count;
    bool is_full; /* one had no room: nobody can say any more */
};

void fuzz_told_add(struct fuzz_told_pairs *pairs, struct fuzz_told *told, uint32_t node);

/* Makes what a dict is given to what it has then: of one key the last value, in the first place. False where it has
 * keys that are no texts, numbers or None, or are large. */
bool fuzz_told_settle(struct fuzz_told *dict);

/* Notes, in all that `root` leads to, what is told of cells elsewhere than where they are made. Leaves `pairs` empty.
 */
void fuzz_told_note(struct fuzz_told_pairs *pairs, struct fuzz_told *root);

/* Whether a node of `graph` that can be called, or a cell, is as the CALL says; its parts are left for later. True of
 * other spellings. */
bool fuzz_is_function_told(struct fuzz_told_pairs *pairs, const struct fuzz_told *told, const struct ndp_graph *graph,
                           const struct ndp_node *node);

#endif
