/* contract_crafted.h: the part of the contract that is about crafted files: where what the libraries themselves do with
 * a file of the corpus differs from what the reference decoder does, and why.
 *
 * Files of the folder `accept` are taken by the reference, those of `refuse` are not, and in `open` it does the
 * opposite of what a row says. A file without a row is taken by all or by none. Clauses are those of
 * corpus/README.md.
 */
#ifndef NDP_CONTRACT_CRAFTED_H
#define NDP_CONTRACT_CRAFTED_H

#include "base/status.h"

/* What the library does. EITHER: its version decides, the machine, or the
 * memory that it reads where no bytes of the file are; it may end there. */
enum ndp_crafted_does { NDP_CRAFTED_TAKES, NDP_CRAFTED_REFUSES, NDP_CRAFTED_EITHER };

struct ndp_crafted_row {
    const char *file;   /* in the corpus, without its suffix */
    const char *decode; /* the library's ways in; may end in '*'; with "graph:" before them, for objects of any kind */
    enum ndp_crafted_does does;
    const char *clause;
    const char *reason; /* source and what it says; never empty */
};

const struct ndp_crafted_row *ndp_crafted_rows(uint32_t *count);

/* The row about a file ("npz/open/bomb.npz") by one way in, or NULL. */
const struct ndp_crafted_row *ndp_crafted_find(const char *file, const char *decode);

#endif
