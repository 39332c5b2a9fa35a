/* drawn.h: native files of arrays that are drawn, as descriptors are: what has the form of a file and a whole array in
 * it, which changes of bytes and opcodes hardly ever come to. */
#ifndef NDP_FUZZ_DRAWN_H
#define NDP_FUZZ_DRAWN_H

#include "mutate.h"

/* Appends a pickle of one array, in a protocol and of a release of NumPy that are drawn. Errors: UNSUPPORTED (the array
 * has no such form), LIMIT, NOMEM. */
enum ndp_status fuzz_draw_pickle(struct ndp_arena *arena, struct ndp_choices *choices,
                                 struct ndp_buffer *out) NDP_MUST_USE;

#endif
