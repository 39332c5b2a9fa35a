/* value.h: the content of a descriptor as plain structs: the recipe of a value, not the value itself.
 *
 * Everything points into the arena of the case. Zeroed memory is the smallest value of each kind.
 */
#ifndef NDP_VALUE_H
#define NDP_VALUE_H

#include "model/layout.h"

/* enum name, word in a descriptor, content of the base */
#define NDP_PATTERN_LIST(X)                                                                                            \
    X(ZEROS, "zeros", "zero bytes")                                                                                    \
    X(INDEX, "index", "leaf number k, converted to the leaf's type")                                                   \
    X(RANDOM, "random", "random bytes from `seed`, padding included")                                                  \
    X(SPECIAL, "special", "boundary values of each leaf's type, rotated by `seed`")                                    \
    X(HEX, "hex", "the given bytes")

#define NDP_PATTERN_ENUM(name, word, text) NDP_PATTERN_##name,
enum ndp_pattern { NDP_PATTERN_LIST(NDP_PATTERN_ENUM) NDP_PATTERN_COUNT };

struct ndp_data {
    enum ndp_pattern pattern;
    uint64_t seed;          /* RANDOM, SPECIAL */
    struct ndp_bytes bytes; /* HEX: exactly the base's size */
};

/* enum name, word */
#define NDP_MAP_MODE_LIST(X)                                                                                           \
    X(READ, "r")                                                                                                       \
    X(READ_WRITE, "r+")                                                                                                \
    X(WRITE, "w+")                                                                                                     \
    X(COPY, "c")

#define NDP_MAP_MODE_ENUM(name, word) NDP_MAP_##name,
enum ndp_map_mode { NDP_MAP_MODE_LIST(NDP_MAP_MODE_ENUM) NDP_MAP_MODE_COUNT };

/* The word of each mode: "r", "r+"... */
extern const char *const ndp_map_mode_words[NDP_MAP_MODE_COUNT];

/* Fills *out with the mode of a word. False for an unknown word. */
bool ndp_value_find_map_mode(const char *word, enum ndp_map_mode *out);

/* The memory below the views: a new contiguous array, or a memory map of a file of its own. */
struct ndp_base {
    const struct ndp_dtype *dtype;
    uint32_t ndim;
    const int64_t *shape;
    enum ndp_memory_order order;
    struct ndp_data data;
    uint32_t misalign_bytes; /* 0..15: distance from a 64-byte boundary; not with has_map */
    bool is_readonly;        /* the memory is read-only (a bytes object) */
    bool has_map;
    enum ndp_map_mode map_mode;
    uint64_t map_offset_bytes;
};

/* enum name, key in a descriptor */
#define NDP_VIEW_LIST(X)                                                                                               \
    X(RESHAPE, "reshape")     /* shape, order */                                                                       \
    X(TRANSPOSE, "transpose") /* axes: a permutation */                                                                \
    X(SLICE, "slice")         /* slices: one per axis */                                                               \
    X(NEWAXIS, "newaxis")     /* axis */                                                                               \
    X(BROADCAST, "broadcast") /* shape */                                                                              \
    X(FIELD, "field")         /* name: of a field */                                                                   \
    X(AS_DTYPE, "as_dtype")   /* dtype: reinterprets the bytes (ndarray.view) */                                       \
    X(REAL, "real")                                                                                                    \
    X(IMAG, "imag")                                                                                                    \
    X(STRIDED, "strided") /* shape, strides, offset: inside the memory of the preceding array (as_strided) */

#define NDP_VIEW_ENUM(name, key) NDP_VIEW_##name,
enum ndp_view_op { NDP_VIEW_LIST(NDP_VIEW_ENUM) NDP_VIEW_COUNT };

/* A normalised Python slice: elements start, start + step, ..., `count` of them. step is not 0. */
struct ndp_slice {
    int64_t start;
    int64_t step;
    int64_t count;
};

struct ndp_view {
    enum ndp_view_op op;
    uint32_t ndim;                  /* number of entries in the arrays below */
    const int64_t *shape;           /* RESHAPE, BROADCAST, STRIDED */
    const int64_t *strides_bytes;   /* STRIDED */
    int64_t offset_bytes;           /* STRIDED: from element 0 of the preceding array */
    const uint32_t *axes;           /* TRANSPOSE */
    const struct ndp_slice *slices; /* SLICE */
    uint32_t axis;                  /* NEWAXIS */
    enum ndp_memory_order order;    /* RESHAPE */
    struct ndp_bytes name;          /* FIELD */
    const struct ndp_dtype *dtype;  /* AS_DTYPE */
};

enum { NDP_MAX_VIEWS = 16 };

struct ndp_array_value {
    struct ndp_base base;
    const struct ndp_view *views;
    uint32_t view_count;
    struct ndp_bytes
        class_name;   /* "", "ndarray", "memmap": the class of base and views; or another class for the result */
    bool is_readonly; /* the result is made read-only */
};

struct ndp_graph;
struct ndp_dict_value;

/* The kinds of values: an array, objects that refer to each other (model/graph/graph.h), or a dict. */
enum ndp_value_kind { NDP_VALUE_ARRAY, NDP_VALUE_GRAPH, NDP_VALUE_DICT, NDP_VALUE_KIND_COUNT };

struct ndp_value {
    enum ndp_value_kind kind;
    struct ndp_array_value array;      /* ARRAY */
    const struct ndp_graph *graph;     /* GRAPH */
    const struct ndp_dict_value *dict; /* DICT: model/dict.h */
};

#endif
