/* old_names.h: what things were called in Python 2, which pickles of protocols under 3 still call them. Other code than
 * the codec's, and a table that CPython's own made (.ci/make_corpus.py old_names). Source: CPython 3.11,
 * Lib/_compat_pickle.py; Lib/pickle.py, _Unpickler.find_class and _Pickler.save_global. */
#ifndef NDP_FUZZ_OLD_NAMES_H
#define NDP_FUZZ_OLD_NAMES_H

#include "base/bytes.h"

/* A global by its module and its name there (borrowed). */
struct fuzz_global {
    struct ndp_bytes module, name;
};

/* What a protocol under 3 means by a global, and what it calls one. Gives the same where nothing else is said. dill's
 * name for the globals of a program, in a module that had another name, is no such global and stays. */
struct fuzz_global fuzz_name_read(struct fuzz_global global);
struct fuzz_global fuzz_name_written(struct fuzz_global global);

/* One of those that are called otherwise now, or were; any name where all of a module is. */
struct fuzz_global fuzz_name_pick(uint64_t pick);

#endif
