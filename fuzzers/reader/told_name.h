/* told_name.h: what a pickle means by a name, whose it is.
 * Source: CPython 3.11, Lib/_compat_pickle.py; the modules of cloudpickle 1.3 to 3.1 and of dill 0.3.4 to 0.4. */
#ifndef NDP_FUZZ_TOLD_NAME_H
#define NDP_FUZZ_TOLD_NAME_H

#include "form/old_names.h"
#include "reader/told.h"

/* What a GLOBAL means, whatever its protocol called it. */
struct fuzz_global fuzz_told_global(const struct fuzz_told *told);

/* Where a name is at home: in a module of one of two names, which for the libraries may lie in another package. */
enum fuzz_home { FUZZ_CLOUDPICKLE, FUZZ_DILL, FUZZ_TYPES, FUZZ_FUNCTOOLS, FUZZ_BUILTINS };

/* Whether it is the GLOBAL of that name there. */
bool fuzz_is_told_name(const struct fuzz_told *told, enum fuzz_home home, const char *name);

#endif
