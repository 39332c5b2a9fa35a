/* py_literal.h: parser of Python literals, the language of NPY headers. Nothing is evaluated.
 *
 * The accepted language is a subset of Python's literals and displays: dictionaries, lists, tuples, strings, integers,
 * True, False and None. Other input of CPython's ast.literal_eval is refused. Forms that only some versions of NumPy
 * accept are UNSUPPORTED unless `is_lenient`.
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
    uint64_t offset_bytes;           /* start of the literal, plus `start_bytes` of the options */
    struct ndp_bytes text;           /* STRING: generalised UTF-8 (base/text.h) */
    int64_t integer;                 /* INT */
    bool integer_fits;               /* INT: the number fits in int64; otherwise `integer` is 0 */
    const struct ndp_literal *first; /* LIST, TUPLE: elements; DICT: key, value, key, value... */
    const struct ndp_literal *next;  /* next in the same list, or NULL */
    uint64_t count;                  /* number of literals in the list at `first` */
};

struct ndp_literal_options {
    uint64_t start_bytes; /* added to all reported offsets */
    bool is_utf8;         /* strings are UTF-8; otherwise each byte is a latin-1 character */
    bool allows_long;     /* Python 2's 4L */
    bool is_lenient;
    uint32_t max_nesting; /* limit of nested brackets */
};

/* Gives the tree of the single literal in `text` (borrowed). Allocates in proportion to the text. Errors: INVALID,
 * LIMIT (nesting), UNSUPPORTED (see above), NOMEM, with the offset. */
enum ndp_status ndp_py_literal_read(struct ndp_arena *arena, struct ndp_bytes text,
                                    const struct ndp_literal_options *options, const struct ndp_literal **out,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
