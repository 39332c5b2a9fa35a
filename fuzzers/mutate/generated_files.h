/* generated_files.h: native files of generated arrays and graphs. Mutation of bytes and opcodes rarely produces a
 * complete array. */
#ifndef NDP_FUZZ_GENERATED_FILES_H
#define NDP_FUZZ_GENERATED_FILES_H

#include "mutate/mutate.h"

/* Appends a pickle of one array, in a generated protocol and release of NumPy. Errors: UNSUPPORTED (the array
 * has no such form), LIMIT, NOMEM. */
enum ndp_status fuzz_generate_pickle(struct ndp_arena *arena, struct ndp_choices *choices,
                                     struct ndp_buffer *out) NDP_MUST_USE;

/* Appends a pickle of a graph, in a generated protocol and release of NumPy. Errors: as above; UNSUPPORTED also for a
 * graph with functions. */
enum ndp_status fuzz_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                    struct ndp_buffer *out) NDP_MUST_USE;

/* Appends an NPY file with a generated header and data for it; now and then one part of it is wrong. In mutate_npy.c.
 * Errors: LIMIT, NOMEM. */
enum ndp_status fuzz_generate_npy(struct ndp_arena *arena, struct ndp_choices *choices,
                                  struct ndp_buffer *out) NDP_MUST_USE;

#endif
