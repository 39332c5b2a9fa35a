/* pickle_names.h: maps global names of Python 2, which protocols below 3 write, to Python 3 and back. Source: CPython
 * 3.13, Lib/_compat_pickle.py. */
#ifndef NDP_PICKLE_NAMES_H
#define NDP_PICKLE_NAMES_H

#include "base/bytes.h"

/* Fills both with the names of Python 3; NULL for an unchanged name. */
void ndp_pickle_names_to_python_3(struct ndp_bytes module, struct ndp_bytes name, const char **modern_module,
                                  const char **modern_name);

/* The reverse mapping. _socket.socket is unchanged, because the name that CPython writes, socket._socketobject, reads
 * back as a different one. */
void ndp_pickle_names_to_python_2(struct ndp_bytes module, struct ndp_bytes name, const char **old_module,
                                  const char **old_name);

#endif
