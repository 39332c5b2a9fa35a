/* fault_again.h: faults are put in as their words say, and lead to what is said of them, by other code and another
 * list than those that put them in. */
#ifndef NDP_FUZZ_FAULT_AGAIN_H
#define NDP_FUZZ_FAULT_AGAIN_H

#include "describe/fault.h"

/* What good decoders do with a fault of this name. Source: clauses 8.4 rows 37 to 43 and 45 of corpus/README.md. */
enum ndp_expect fuzz_fault_expects(const char *name);

/* Puts the fault of that row, with an argument in its range, into a file of numbers, by `pick`: what comes of it is
 * what describe/fault.h says, byte by byte. */
void fuzz_check_fault_row(const struct ndp_fault_row *row, uint64_t pick);

/* That of some row of the table, if it spoils NPY; and any row expects what is known of it. */
void fuzz_check_fault(uint64_t pick);

#endif
