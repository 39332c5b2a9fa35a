/* drawn.h: native files of arrays and graphs that are drawn, as descriptors are: what has the form of a file and a
 * whole array in it, which changes of bytes and opcodes hardly ever come to. */
#ifndef NDP_FUZZ_DRAWN_H
#define NDP_FUZZ_DRAWN_H

#include "mutate/mutate.h"

/* Appends a pickle of one array, in a protocol and of a release of NumPy that are drawn. Errors: UNSUPPORTED (the array
 * has no such form), LIMIT, NOMEM. */
enum ndp_status fuzz_draw_pickle(struct ndp_arena *arena, struct ndp_choices *choices,
                                 struct ndp_buffer *out) NDP_MUST_USE;

/* Appends a pickle of a graph, in a protocol, of a release of NumPy and by a library that are drawn: functions have
 * code that says its template, and that nobody can run. Errors: as above. */
enum ndp_status fuzz_draw_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                struct ndp_buffer *out) NDP_MUST_USE;

/* Appends an NPY file whose header, and data for it, are drawn; now and then a part of it is not as it should be.
 * Errors: LIMIT, NOMEM. It stands with what changes such files. */
enum ndp_status fuzz_draw_npy(struct ndp_arena *arena, struct ndp_choices *choices,
                              struct ndp_buffer *out) NDP_MUST_USE;

#endif
