/* observation.h: the canonical record of a value in a target. Comparisons use only observations. */
#ifndef NDP_OBSERVATION_H
#define NDP_OBSERVATION_H

#include "model/value.h"

/* enum name, letter on the wire, word in reports */
#define NDP_FLAG_LIST(X)                                                                                               \
    X(C_CONTIGUOUS, 'C', "c_contiguous")                                                                               \
    X(F_CONTIGUOUS, 'F', "f_contiguous")                                                                               \
    X(WRITEABLE, 'W', "writeable")                                                                                     \
    X(ALIGNED, 'A', "aligned")                                                                                         \
    X(OWNDATA, 'O', "owndata")

#define NDP_FLAG_BIT(name, letter, word) NDP_FLAG_BIT_##name,
enum ndp_flag_bit { NDP_FLAG_LIST(NDP_FLAG_BIT) NDP_FLAG_COUNT };
#define NDP_FLAG_ENUM(name, letter, word) NDP_FLAG_##name = 1 << NDP_FLAG_BIT_##name,
enum ndp_flag { NDP_FLAG_LIST(NDP_FLAG_ENUM) };

/* The file that an array claims to map, and whether it does. */
enum ndp_backing_file { NDP_BACKING_NONE, NDP_BACKING_CASE, NDP_BACKING_OTHER };
struct ndp_backing {
    bool is_map_class;            /* its class is a memory map class */
    enum ndp_backing_file claims; /* the file in its attributes */
    bool is_mapped;               /* its memory is in a mapping of the case's file */
    bool has_mode;
    enum ndp_map_mode mode;
    bool has_offset;
    uint64_t offset_bytes; /* the attribute */
    bool has_position;
    uint64_t position_bytes; /* the offset of element 0 in the file, from the addresses */
};

struct ndp_observation {
    struct ndp_bytes class_name;
    const struct ndp_dtype *dtype;
    uint32_t ndim;
    const int64_t *shape;
    const int64_t *strides_bytes; /* as reported */
    uint32_t flags;
    struct ndp_backing backing;
    struct ndp_bytes elements; /* logical C order; each item as in memory, including padding; OBJECT leaves: the
                                * marker's number as little-endian int64 */
};

#endif
