/* py_literal.h: a Python literal as a tree: what an NPY header is written in. It is parsed, never evaluated.
 *
 * The accepted language is part of what Python's reference calls literals and displays: dictionaries, lists, tuples,
 * strings, integers, True, False and None. What CPython's ast.literal_eval takes beyond it is refused; what NumPy takes
 * in some of its versions only is UNSUPPORTED unless `is_lenient`.
 */
#ifndef NDP_PY_LITERAL_H
#define NDP_PY_LITERAL_H

#include "base/bytes.h"

enum ndp_literal_kind {
    NDP_LITERAL_STRING,
    NDP_LITERAL_INT,
    NDP_LITERAL_TRUE,
    NDP_LITERAL_FALSE,
    NDP_LITERAL_NONE,
    NDP_LITERAL_LIST,
    NDP_LITERAL_TUPLE,
    NDP_LITERAL_DICT
};

struct ndp_literal {
    enum ndp_literal_kind kind;
    uint64_t offset_bytes;           /* where it starts, counted as `start_bytes` below says */
    struct ndp_bytes text;           /* STRING: generalised UTF-8 (base/text.h) */
    int64_t integer;                 /* INT */
    bool integer_fits;               /* INT: whether int64 holds it; else `integer` is 0 */
    const struct ndp_literal *first; /* LIST, TUPLE: elements; DICT: key, value, key, value... */
    const struct ndp_literal *next;  /* in the list it stands in, or NULL */
    uint64_t count;                  /* how many stand behind `first` */
};

struct ndp_literal_options {
    uint64_t start_bytes; /* added to every offset that is reported */
    bool is_utf8;         /* strings are UTF-8; else every byte is a latin-1 character */
    bool allows_long;     /* Python 2's 4L */
    bool is_lenient;
    uint32_t max_nesting; /* brackets inside brackets */
};

/* Gives the tree of the one literal that `text` (borrowed) holds. Allocates in proportion to the text.
 * Errors: INVALID, LIMIT (nesting), UNSUPPORTED (see above), NOMEM; each with the byte it met. */
enum ndp_status ndp_literal_read(struct ndp_arena *arena, struct ndp_bytes text,
                                 const struct ndp_literal_options *options, const struct ndp_literal **out,
                                 struct ndp_error *error) NDP_MUST_USE;

#endif
