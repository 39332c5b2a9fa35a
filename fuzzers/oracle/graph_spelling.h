/* graph_spelling.h: pickles of graphs whose objects say the same in other words, and graphs that differ in what inputs
 * seldom have. */
#ifndef NDP_FUZZ_GRAPH_SPELLING_H
#define NDP_FUZZ_GRAPH_SPELLING_H

#include "codec/graph/npy_graph.h"
#include "oracle/same_graph.h"

/* What is said otherwise. */
enum fuzz_respelled {
    FUZZ_RESPELLED_NOTHING,
    FUZZ_RESPELLED_KEY,      /* a key of a dict comes twice, at first with another value */
    FUZZ_RESPELLED_NUMBER,   /* a number that is a key comes again as an equal number of another type */
    FUZZ_RESPELLED_ORDER,    /* the order of an array's elements is a number, not a truth, or the other way round */
    FUZZ_RESPELLED_METADATA, /* the state of a type is of the version that has metadata, which are none */
    FUZZ_RESPELLED_PARTIAL,  /* partial is called with another function than its state has, which counts */
};

/* Says one of the objects that `root` leads to, which follows from `pick`, in other words that Python and NumPy take
 * for the same. NOTHING where there is none, or no memory. Source: CPython 3.11, Objects/dictobject.c,
 * Modules/_functoolsmodule.c, partial_setstate; NumPy 2.4, methods.c, array_setstate; descriptor.c,
 * arraydescr_setstate. */
enum fuzz_respelled fuzz_respell_objects(struct ndp_objects *objects, struct ndp_object *root, uint64_t pick);

/* Whether the bytes are an NPY file: no pickle begins so. */
bool fuzz_is_npy(struct ndp_bytes bytes);

/* Holds that a pickle that gave the graph gives it again when one of its objects is spelled otherwise, and an NPY file
 * of objects with another header (npy_spelling.h), or with the type that NumPy up to 1.9 wrote, which the strict mode
 * takes, too; of a dump nothing. The arena is for what is read. */
void fuzz_graph_spelling(struct ndp_arena *arena, struct ndp_bytes bytes, bool is_dump, const struct ndp_graph *graph,
                         uint64_t pick);

/* Gives the graph, or by `pick` a copy whose masked arrays have a fill value of zeros, where they may (model/masked.h),
 * or none. The arena is for the copy. */
struct ndp_graph fuzz_vary_graph(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick);

#endif
