/* array.h: builds the array of a descriptor: computes every element, flag and attribute without any library. */
#ifndef NDP_ARRAY_H
#define NDP_ARRAY_H

#include "model/observation.h"
#include "model/value.h"

/* The relation of an array to its base's file. The two bools differ for arrays of zero bytes: these share no memory, so
 * NumPy drops the attributes of their views, but the base of a map always has them. Source:
 * np.memmap.__array_finalize__ (numpy/_core/memmap.py, 1.23 to 2.4). */
struct ndp_map_state {
    bool is_backed;      /* the memory is in the map */
    bool has_attributes; /* the attributes (file name, mode, offset) are set */
    enum ndp_map_mode mode;
    uint64_t offset_bytes; /* the attribute: the start of the map in the file; views do not change it */
};

struct ndp_array {
    const struct ndp_dtype *dtype; /* resolved: no NATIVE */
    struct ndp_layout layout;
    uint8_t *buffer; /* in the arena, `buffer_bytes` long; for a map: the whole file */
    uint64_t buffer_bytes;
    uint32_t misalign_bytes;
    uint32_t copy_count; /* view operations that copied; after the first, the buffer is not the base's */
    bool is_writeable;
    bool owns_data;                      /* NumPy's OWNDATA: true only for the imaginary part of a real array */
    bool host_is_little_endian;          /* of the machine that builds the array */
    uint32_t longdouble_alignment_bytes; /* on that machine; 0 means 16 */
    bool has_undefined_padding;          /* a copy was made: NumPy copies only fields, so padding is undefined */
    bool has_hidden_bytes;               /* a field view whose items have references or undefined padding beside it */
    bool is_filled; /* the strides were computed for `filled_order`, not taken from another array */
    enum ndp_memory_order filled_order;
    uint32_t base_ndim; /* of the array before any view */
    struct ndp_map_state map;
    struct ndp_bytes class_name;
};

/* Builds `value` (borrowed) in `arena`. `host_is_little_endian` describes the machine of the target that builds it.
 * Follows NumPy's rules of which view operations share memory and which copy (_attempt_nocopy_reshape in
 * multiarray/shape.c). Errors: INVALID when a view does not apply (`path` names it), LIMIT when the size exceeds the
 * arena. */
enum ndp_status ndp_array_build(struct ndp_arena *arena, const struct ndp_array_value *value,
                                bool host_is_little_endian, struct ndp_array *out,
                                struct ndp_error *error) NDP_MUST_USE;

/* The same without computing elements, when only the layout is needed: all bytes are zero, except given ones, whose
 * size is checked. The cost does not depend on the size of the base. */
enum ndp_status ndp_array_build_layout(struct ndp_arena *arena, const struct ndp_array_value *value,
                                       bool host_is_little_endian, struct ndp_array *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Builds a view of a built array: first a plain one as of numpy's view(), then the operations of `value`. It shares the
 * memory of `of` unless an operation copies. Errors: as ndp_array_build. */
enum ndp_status ndp_array_build_view(struct ndp_arena *arena, const struct ndp_array *of,
                                     const struct ndp_array_value *value, struct ndp_array *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with a plain view: a memmap when `of` is one, else an ndarray. */
void ndp_array_view_plain(const struct ndp_array *of, struct ndp_array *out);

/* Applies one view operation. Errors as ndp_array_build. */
enum ndp_status ndp_array_view(struct ndp_arena *arena, const struct ndp_array *from, const struct ndp_view *view,
                               struct ndp_array *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills the memory of a base: contiguous, `size_bytes` long. Errors: NOMEM; INVALID (HEX of another size). */
enum ndp_status ndp_array_fill_data(const struct ndp_data *data, const struct ndp_dtype *dtype, uint64_t count_elems,
                                    uint8_t *to, uint64_t size_bytes, struct ndp_error *error) NDP_MUST_USE;

/* Copies the elements in logical C order (or F order) into `to`, of count * itemsize bytes. */
void ndp_array_gather(const struct ndp_array *array, enum ndp_memory_order order, uint8_t *to);

/* NumPy's contiguity flag. It follows the layout (model/layout.h), except for items of size 0, whose strides mean
 * nothing: an array with computed strides then has the order that it was created in, and a view of it both. Source:
 * _array_fill_strides and PyArray_UpdateFlags (multiarray/ctors.c, flagsobject.c, NumPy 1.23 to 2.4). */
bool ndp_array_is_contiguous(const struct ndp_array *array, enum ndp_memory_order order);

/* Whether every element is on a multiple of the alignment of its dtype. */
bool ndp_array_is_aligned(const struct ndp_array *array);

/* Whether two arrays share memory: they have the same buffer. Arrays in memory maps must also have the same map offset,
 * because a decoder that maps a file creates a map per offset. */
bool ndp_array_shares_memory(const struct ndp_array *a, const struct ndp_array *b);

/* Fills *out with the observation that a correct target reports for this array. */
enum ndp_status ndp_array_observe(struct ndp_arena *arena, const struct ndp_array *array,
                                  struct ndp_observation *out) NDP_MUST_USE;

/* Builds an array from an observation, so that a decoded array can become a source. `observed` is borrowed; its strides
 * may be anything, and memory is laid out anew. Unobserved properties (the start of the base) are those of a new array.
 * Errors: LIMIT, NOMEM; UNSUPPORTED when the elements are spread over more than a few times their size, or overlap. */
enum ndp_status ndp_array_from_observation(struct ndp_arena *arena, const struct ndp_observation *observed,
                                           bool host_is_little_endian, uint32_t longdouble_alignment_bytes,
                                           struct ndp_array *out) NDP_MUST_USE;

/* Builds the recipe of a plain array or map from an observation: dtype, shape, elements, memory order and writeable
 * flag. Errors: NOMEM; UNSUPPORTED when no permutation of the axes is contiguous. */
enum ndp_status ndp_array_value_from_observation(struct ndp_arena *arena, const struct ndp_observation *observed,
                                                 struct ndp_array_value *out) NDP_MUST_USE;

/* Features: a mask on which promises and signatures depend. Features whose word does not explain them:
 * NATIVE_ORDER   no leaf is in the byte order opposite to the building machine's
 * ALL_FIELDS_BIG a structure with fields, each of which is a big-endian leaf
 * PERMUTED       neither C nor F, but contiguous after sorting the axes
 * MAP            the memory is in the map of the base's file
 * DETACHED       a view operation copied
 * SUBCLASS       the class is not ndarray (memmap counts, too)
 * BASE_1D        more than one dimension, viewed in memory that was built with one
 * LONG_HEADER    the NPY header is near or over the 10000 characters that numpy.load accepts by default
 * enum name, word */
#define NDP_FEATURE_LIST(X)                                                                                            \
    X(STRUCTURED, "structured")                                                                                        \
    X(SUBARRAY, "sub-array")                                                                                           \
    X(BIG, "big-endian")                                                                                               \
    X(OBJECT, "object")                                                                                                \
    X(TIME, "datetime")                                                                                                \
    X(LONGDOUBLE, "longdouble")                                                                                        \
    X(TEXT, "text")                                                                                                    \
    X(VOID, "void")                                                                                                    \
    X(PADDING, "padding")                                                                                              \
    X(OVERLAP, "overlapping-fields")                                                                                   \
    X(TITLES, "titles")                                                                                                \
    X(ALIGNED_STRUCT, "aligned-struct")                                                                                \
    X(METADATA, "metadata")                                                                                            \
    X(ITEMSIZE_ZERO, "itemsize-zero")                                                                                  \
    X(ZERO_SIZE, "zero-size")                                                                                          \
    X(ZERO_DIM, "0-d")                                                                                                 \
    X(C_CONTIGUOUS, "C")                                                                                               \
    X(F_CONTIGUOUS, "F")                                                                                               \
    X(PERMUTED, "permuted")                                                                                            \
    X(READONLY, "readonly")                                                                                            \
    X(UNALIGNED, "unaligned")                                                                                          \
    X(MAP, "memmap")                                                                                                   \
    X(SUBCLASS, "subclass")                                                                                            \
    X(OVER_32_DIMS, "over-32-dims")                                                                                    \
    X(ALL_FIELDS_BIG, "all-fields-big-endian")                                                                         \
    X(DETACHED, "detached")                                                                                            \
    X(BASE_1D, "1-d-base")                                                                                             \
    X(NATIVE_ORDER, "native-order")                                                                                    \
    X(NON_LATIN_NAMES, "non-latin-names")                                                                              \
    X(PADDING_NAME, "padding-like-name")                                                                               \
    X(LONG_HEADER, "long-header")

#define NDP_FEATURE_BIT(name, word) NDP_FEATURE_BIT_##name,
enum ndp_feature_bit { NDP_FEATURE_LIST(NDP_FEATURE_BIT) NDP_FEATURE_COUNT };
#define NDP_FEATURE_ENUM(name, word) NDP_FEATURE_##name = 1 << NDP_FEATURE_BIT_##name,
enum ndp_feature { NDP_FEATURE_LIST(NDP_FEATURE_ENUM) };
uint32_t ndp_array_features(const struct ndp_array *array);

#endif
