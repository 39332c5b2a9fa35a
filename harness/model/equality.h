/* equality.h: compares two observations at several levels. Each function counts its comparisons. */
#ifndef NDP_EQUALITY_H
#define NDP_EQUALITY_H

#include "model/observation.h"

enum { NDP_DIFFERENCE_TEXT_BYTES = 96, NDP_MAX_DIFFERENCES = 8 };

/* The place and the two sides of a difference, as text for people, cut at the capacity. */
struct ndp_difference {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    char expected[NDP_DIFFERENCE_TEXT_BYTES];
    char got[NDP_DIFFERENCE_TEXT_BYTES];
};

/* A bounded list of differences, and the number of single comparisons. */
struct ndp_comparison {
    struct ndp_difference list[NDP_MAX_DIFFERENCES];
    uint32_t count;       /* differences in the list */
    uint64_t total;       /* differences found */
    uint64_t comparisons; /* compared leaves, flags, extents and so on */
};

/* Bytes to ignore. By default all bytes of a value count, including trailing NULs of S and U. Padding and the six
 * unused bytes of an x87 long double never count. */
enum ndp_value_mask { NDP_MASK_NONE = 0, NDP_MASK_TRAILING_NULS = 1 << 0, NDP_MASK_NAN_PAYLOAD = 1 << 1 };

/* Resets the counts. The list is not cleared, because entries are written when they are added. */
void ndp_equality_clear(struct ndp_comparison *comparison);

/* Adds one difference. The caller formats the texts. */
void ndp_equality_add(struct ndp_comparison *comparison, const char *path, const char *expected, const char *got);

/* VALUES: compares logical leaves, independent of byte order; paths like "[2,0].field". When shapes or kinds differ, it
 * reports that as the only difference. */
void ndp_equality_compare_values(const struct ndp_observation *expected, const struct ndp_observation *got,
                                 uint32_t mask, struct ndp_comparison *out);

/* Compares ndim and each extent ("ndim", "shape[1]"). */
void ndp_equality_compare_shape(const struct ndp_observation *expected, const struct ndp_observation *got,
                                struct ndp_comparison *out);

/* Compares the flags in `mask` ("flags.writeable"). */
void ndp_equality_compare_flags(const struct ndp_observation *expected, const struct ndp_observation *got,
                                uint32_t mask, struct ndp_comparison *out);

/* Compares the parts of the dtype in `mask` (enum ndp_dtype_difference). */
void ndp_equality_compare_dtype(const struct ndp_observation *expected, const struct ndp_observation *got,
                                uint32_t mask, struct ndp_comparison *out);

/* Compares strides of axes longer than 1 in arrays with elements; NumPy does not define others. */
void ndp_equality_compare_strides(const struct ndp_observation *expected, const struct ndp_observation *got,
                                  struct ndp_comparison *out);

/* Compares the class name and every member of `backing`. */
void ndp_equality_compare_class(const struct ndp_observation *expected, const struct ndp_observation *got,
                                struct ndp_comparison *out);
void ndp_equality_compare_backing(const struct ndp_observation *expected, const struct ndp_observation *got,
                                  struct ndp_comparison *out);

/* BYTES: reports the offset of the first differing byte, and lengths. `name` starts the path. */
void ndp_equality_compare_bytes(const char *name, struct ndp_bytes expected, struct ndp_bytes got,
                                struct ndp_comparison *out);

#endif
