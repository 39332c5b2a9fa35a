/* shrink_parts.h: the families of simpler neighbours. Private to describe/.
 *
 * A family gives candidates by number, boldest first. A candidate may turn out not to be valid or not to be
 * smaller: shrink.c repairs, measures and checks every one, so that families stay simple.
 */
#ifndef NDP_SHRINK_PARTS_H
#define NDP_SHRINK_PARTS_H

#include "generate/generate_parts.h"

/* Changes `*out`, a copy of `from`, into candidate `index` of the family. Errors: INVALID, this one does not
 * exist (the next may); NOMEM. Arrays that are only looked at come from `scratch`. */
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

/* Families by what they change; each list ends with a NULL counter. */
extern const struct ndp_shrink_family ndp_shrink_value_families[];  /* whole value, then its views */
extern const struct ndp_shrink_family ndp_shrink_idiom_families[];  /* well-known small layouts */
extern const struct ndp_shrink_family ndp_shrink_dtype_families[];  /* dtype of the base */
extern const struct ndp_shrink_family ndp_shrink_shape_families[];  /* extents, with the views on them */
extern const struct ndp_shrink_family ndp_shrink_detail_families[]; /* memory, data, flags, bytes, fault */
extern const struct ndp_shrink_family ndp_shrink_graph_families[];  /* graphs, and nothing else */

/* How large a descriptor is: compared entry by entry, the first difference decides. Each entry is finite and
 * never negative, so that every chain of ever smaller descriptors ends. */
enum { NDP_MEASURE_ENTRIES = 9 };
struct ndp_measure {
    uint64_t entries[NDP_MEASURE_ENTRIES];
};
struct ndp_measure ndp_descriptor_measure(const struct ndp_descriptor *descriptor);
bool ndp_measure_is_less(const struct ndp_measure *a, const struct ndp_measure *b);

/* Candidate extents below `extent`: fills `*smaller` with number `index` of NDP_SHRINK_EXTENTS; false when
 * that one is not smaller or came before. */
enum { NDP_SHRINK_EXTENTS = 7 };
bool ndp_shrink_extent(int64_t extent, uint32_t index, int64_t *smaller);

#endif
