/* pickle_names.h: names that Python 2 had for what Python 3 has, as pickles below protocol 3 spell them.
 * Source: CPython 3.13, Lib/_compat_pickle.py, names and modules alike. */
#ifndef NDP_PICKLE_NAMES_H
#define NDP_PICKLE_NAMES_H

#include "base/bytes.h"

/* Fills both out-parameters with the names of Python 3, each NULL when it stays as it is. */
void ndp_name_modern(struct ndp_bytes module, struct ndp_bytes name, const char **modern_module,
                     const char **modern_name);

/* The other way round. _socket.socket stays, which CPython writes as socket._socketobject: that is read as another
 * name, which is written as it is. */
void ndp_name_old(struct ndp_bytes module, struct ndp_bytes name, const char **old_module, const char **old_name);

#endif
