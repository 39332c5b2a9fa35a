/* case_again.h: whether what a descriptor says around its value, and numbers at their limits, survive being printed. */
#ifndef NDP_FUZZ_CASE_AGAIN_H
#define NDP_FUZZ_CASE_AGAIN_H

#include "describe/descriptor.h"

/* Draws, as the hash of the text (borrowed) says and in one of several, a route with its middle or a transport,
 * properties, the ways of a case to decode, and a value: that of `from` (borrowed), a dict, or an array whose numbers
 * are the largest and the smallest. Holds that it is read, as the same, from what is printed of it; that it is refused
 * with one thing in it that none may say; and what json_strict.h holds of its text, in several ways. In another of
 * several, what fault_again.h holds of some fault. */
void fuzz_check_case(const struct ndp_descriptor *from, struct ndp_bytes text);

/* Draws such a case; *is_bad says whether it is to be refused. False without memory. */
bool fuzz_draw_case(struct ndp_arena *arena, const struct ndp_descriptor *from, uint64_t seed,
                    struct ndp_descriptor *out, bool *is_bad);

#endif
