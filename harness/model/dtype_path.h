/* dtype_path.h: the bounded text of a place in an item: "a.b[3]", or "/fields/0/dtype". */
#ifndef NDP_DTYPE_PATH_H
#define NDP_DTYPE_PATH_H

#include "base/status.h"
#include "model/dtype.h"

/* A path under construction. Text beyond the capacity is cut; `length` never exceeds it. */
struct ndp_dtype_path {
    char text[NDP_ERROR_PATH_BYTES];
    size_t length;
};

/* Appends text. ndp_dtype_path_cut goes back to an earlier `length`. */
void ndp_dtype_path_add(struct ndp_dtype_path *path, const char *format, ...) NDP_PRINTF(2, 3);
void ndp_dtype_path_add_word(struct ndp_dtype_path *path, const char *word);
void ndp_dtype_path_add_key(struct ndp_dtype_path *path, const char *word, uint64_t number);
void ndp_dtype_path_cut(struct ndp_dtype_path *path, size_t length);

/* Appends a field name: printable ASCII unchanged, other bytes as \xNN. A dot precedes it unless the path is empty. */
void ndp_dtype_path_add_name(struct ndp_dtype_path *path, struct ndp_bytes name);

/* Appends the index of element `number` of an array of that shape: "[2,0]"; "[]" for zero dimensions. */
void ndp_dtype_path_add_index(struct ndp_dtype_path *path, const int64_t *shape, uint32_t ndim, uint64_t number);

/* A difference of two dtypes. `a` and `b` are the nodes; `x` and `y` are their fields when names, titles or offsets
 * differ, else NULL. */
struct ndp_dtype_path_difference {
    uint32_t bit; /* enum ndp_dtype_difference */
    const char *path;
    const struct ndp_dtype *a;
    const struct ndp_dtype *b;
    const struct ndp_field *x;
    const struct ndp_field *y;
};

/* Calls `visit` for every difference, in field order. */
typedef void ndp_dtype_path_difference_visitor(void *context, const struct ndp_dtype_path_difference *finding);
void ndp_dtype_path_each_difference(const struct ndp_dtype *a, const struct ndp_dtype *b,
                                    ndp_dtype_path_difference_visitor *visit, void *context);

#endif
