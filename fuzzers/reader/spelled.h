/* spelled.h: how CPython spells what it pickles. Other spellings say the same, and every reader takes them: only here
 * it shows when our own writer has one. */
#ifndef NDP_FUZZ_SPELLED_H
#define NDP_FUZZ_SPELLED_H

#include "base/bytes.h"

enum { FUZZ_SPELLED_MARKS = 64 };

/* What is known of a pickle up to an opcode. */
struct fuzz_spelling {
    uint32_t protocol;
    uint32_t put_count; /* entries of the memo */
    uint8_t made;       /* the opcode that has just made what goes into the memo; 0: none */
    uint8_t full;       /* the opcode that has just put a whole batch in; 0: none */
    bool is_begun;
    bool is_next[FUZZ_SPELLED_MARKS]; /* of each mark that is open: that it follows such an opcode */
};

/* Whether CPython's pickler, in this protocol, comes to this opcode (with its argument): one that the protocol has, the
 * shortest that says what it does, with no more items than a batch has, the next index of the memo, and all in it
 * that has to be there. So many
 * marks are open, and so many values stand above the last. What only Python 2 has is not looked at. Source:
 * CPython 3.11, Modules/_pickle.c, save_long, save_bytes, write_unicode_binary, batch_list_exact, batch_dict_exact,
 * memo_put. */
bool fuzz_is_spelled(struct fuzz_spelling *spelling, struct ndp_bytes op, uint32_t above, uint32_t marks);

#endif
