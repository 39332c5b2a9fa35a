/* shrink_parts.h: families of simpler neighbours. Private to generate/.
 *
 * A family gives candidates by number, boldest first. A candidate may be invalid or not smaller: shrink.c repairs,
 * measures and checks each, so that families stay simple.
 */
#ifndef NDP_SHRINK_PARTS_H
#define NDP_SHRINK_PARTS_H

#include "generate/generate_parts.h"

/* Changes `*out`, a copy of `from`, into candidate `index` of the family. Temporary arrays come from `scratch`. Errors:
 * INVALID (this candidate does not exist; the next may), NOMEM. */
struct ndp_shrink {
    struct ndp_arena *arena;
    struct ndp_arena *scratch;
    const struct ndp_descriptor *from;
};
typedef enum ndp_status ndp_shrink_maker(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out);
typedef uint32_t ndp_shrink_counter(const struct ndp_descriptor *from);

struct ndp_shrink_family {
    ndp_shrink_counter *count;
    ndp_shrink_maker *make;
};

/* Families by the changed part. Each list ends with a NULL counter. */
extern const struct ndp_shrink_family ndp_shrink_value_families[];  /* whole value, then its views */
extern const struct ndp_shrink_family ndp_shrink_idiom_families[];  /* well-known small layouts */
extern const struct ndp_shrink_family ndp_shrink_dtype_families[];  /* dtype of the base */
extern const struct ndp_shrink_family ndp_shrink_shape_families[];  /* extents, and the views of them */
extern const struct ndp_shrink_family ndp_shrink_detail_families[]; /* memory, data, flags, bytes, fault */
extern const struct ndp_shrink_family ndp_shrink_graph_families[];  /* graphs only */

/* The size of a descriptor, compared lexicographically. Entries are finite and non-negative, so that every decreasing
 * chain ends. */
enum { NDP_MEASURE_ENTRIES = 9 };
struct ndp_measure {
    uint64_t entries[NDP_MEASURE_ENTRIES];
};
struct ndp_measure ndp_shrink_measure(const struct ndp_descriptor *descriptor);
bool ndp_shrink_measure_is_less(const struct ndp_measure *a, const struct ndp_measure *b);

/* Smaller extents than `extent`: fills `*smaller` with number `index` of NDP_SHRINK_EXTENTS. Returns false if it is not
 * smaller or is a duplicate. */
enum { NDP_SHRINK_EXTENTS = 7 };
bool ndp_shrink_extent(int64_t extent, uint32_t index, int64_t *smaller);

#endif
