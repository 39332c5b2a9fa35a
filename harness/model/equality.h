/* equality.h: graded comparison of two observations. Each function counts what it compared. */
#ifndef NDP_EQUALITY_H
#define NDP_EQUALITY_H

#include "model/observation.h"

enum { NDP_DIFFERENCE_TEXT_BYTES = 96, NDP_MAX_DIFFERENCES = 8 };

/* Where two things first differ. All three are text for people, cut at their size. */
struct ndp_difference {
    char path[NDP_DIFFERENCE_TEXT_BYTES];
    char expected[NDP_DIFFERENCE_TEXT_BYTES];
    char got[NDP_DIFFERENCE_TEXT_BYTES];
};

/* Bounded list, and the number of single comparisons made on the way to it. */
struct ndp_comparison {
    struct ndp_difference list[NDP_MAX_DIFFERENCES];
    uint32_t count;       /* differences kept */
    uint64_t total;       /* differences seen */
    uint64_t comparisons; /* leaves, flags, extents... compared */
};

/* Which bytes count. Zero is the strictest but for what nobody promises: padding never counts, nor the six
 * bytes behind an x87 long double; trailing NULs of S and U do, because bytes were given. */
enum ndp_value_mask { NDP_MASK_NONE = 0, NDP_MASK_TRAILING_NULS = 1 << 0, NDP_MASK_NAN_PAYLOAD = 1 << 1 };

/* Forgets all. The places of differences stay as they are: each is written when it is taken. */
void ndp_comparison_clear(struct ndp_comparison *comparison);

/* Adds one difference; the texts are formatted by the caller. */
void ndp_comparison_add(struct ndp_comparison *comparison, const char *path, const char *expected, const char *got);

/* VALUES: logical leaf by logical leaf, whatever the byte orders of the two; paths like "[2,0].field".
 * When shapes or kinds do not allow it, one difference says so. */
void ndp_compare_values(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                        struct ndp_comparison *out);

/* Shape, extent by extent ("shape[1]", "ndim"). */
void ndp_compare_shape(const struct ndp_observation *expected, const struct ndp_observation *got,
                       struct ndp_comparison *out);

/* The flags in `mask` ("flags.writeable"). */
void ndp_compare_flags(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                       struct ndp_comparison *out);

/* The parts of the dtype in `mask` (enum ndp_dtype_difference). */
void ndp_compare_dtype(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                       struct ndp_comparison *out);

/* Strides of axes longer than 1 in arrays without zero extent; others are not defined. */
void ndp_compare_strides(const struct ndp_observation *expected, const struct ndp_observation *got,
                         struct ndp_comparison *out);

/* Class name and every field of `backing`. */
void ndp_compare_class(const struct ndp_observation *expected, const struct ndp_observation *got,
                       struct ndp_comparison *out);
void ndp_compare_backing(const struct ndp_observation *expected, const struct ndp_observation *got,
                         struct ndp_comparison *out);

/* BYTES: offset of the first differing byte, lengths. `name` starts the path. */
void ndp_compare_bytes(const char *name, struct ndp_bytes expected, struct ndp_bytes got, struct ndp_comparison *out);

#endif
