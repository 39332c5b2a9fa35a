/* library_list.h: the libraries that an environment is made of, from its list of requirements (.ci/env/NAME.txt).
 *
 *     numba==0.68.1; python_version < "3.15"
 *     # ---- needed by these, not tested themselves ----
 *     llvmlite==0.50.0
 *
 * A marker, after ";", compares python_version with versions, joined by "and".
 */
#ifndef NDP_LIBRARY_LIST_H
#define NDP_LIBRARY_LIST_H

#include "base/bytes.h"
#include "describe/descriptor.h"

enum { NDP_MAX_LISTED_LIBRARIES = 64 };

struct ndp_listed_library {
    char name[NDP_WORD_BYTES]; /* in lower case, with "-" for "_" and "." (PEP 503) */
    bool is_tested;            /* above the line "# ----" */
    bool is_for_python;        /* a marker of it admits the version of Python */
};

struct ndp_library_list {
    struct ndp_listed_library items[NDP_MAX_LISTED_LIBRARIES];
    uint32_t count;
};

/* Fills *out from the text of a list. `python` is a version such as "3.11.2"; "" is unknown and fits every marker, as
 * do markers of other variables. Options of pip (lines that begin with "-") are skipped. Errors: INVALID (a line that
 * is no requirement) and LIMIT, with the number of the line. */
enum ndp_status ndp_library_list_read(struct ndp_bytes text, const char *python, struct ndp_library_list *out,
                                      struct ndp_error *error) NDP_MUST_USE;

/* Whether `name` is the library of that canonical name in another spelling: ML-dtypes is ml_dtypes. */
bool ndp_library_list_is(const char *canonical, const char *name);

/* The library of that name, in any spelling, or NULL. Borrows. */
const struct ndp_listed_library *ndp_library_list_find(const struct ndp_library_list *list, const char *name);

#endif
