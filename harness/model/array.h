/* array.h: a value built: what every element, flag and attribute must be, computed without any library. */
#ifndef NDP_ARRAY_H
#define NDP_ARRAY_H

#include "model/observation.h"
#include "model/value.h"

/* What ties the array to its base's file. The two bools differ: an array without a byte shares no memory, so
 * that NumPy drops the attributes of its views, but the base of a map has them whatever its size. Source:
 * np.memmap.__array_finalize__ (numpy/_core/memmap.py, 1.23 to 2.4). */
struct ndp_map_state {
    bool is_backed;      /* its memory lies in the map */
    bool has_attributes; /* its attributes (file name, mode, offset) are set */
    enum ndp_map_mode mode;
    uint64_t offset_bytes; /* the attribute: where the map starts in the file; views do not move it */
};

struct ndp_array {
    const struct ndp_dtype *dtype; /* resolved: no NATIVE */
    struct ndp_layout layout;
    uint8_t *buffer; /* borrowed from the arena; `buffer_bytes` long; for a map: the whole file */
    uint64_t buffer_bytes;
    uint32_t misalign_bytes;
    uint32_t copy_count; /* view operations that had to copy; after the first the buffer is not the base's */
    bool is_writeable;
    bool owns_data; /* NumPy's OWNDATA: only the imaginary part of what is not complex is an array of its own */
    bool host_is_little_endian;          /* of the machine that builds it */
    uint32_t longdouble_alignment_bytes; /* there; 0 is 16 */
    bool has_undefined_padding; /* a copy was made: NumPy copies fields, and what lies between them is not defined */
    bool has_hidden_bytes;      /* a field whose items hold references or undefined padding beside it */
    bool is_filled;             /* its strides were made for it in `filled_order`, not taken from another array */
    enum ndp_memory_order filled_order;
    uint32_t base_ndim; /* of the array that the views are taken of */
    struct ndp_map_state map;
    struct ndp_bytes class_name;
};

/* Builds `value` (borrowed) in `arena`. `host_is_little_endian` is about the machine of the target that
 * builds it. Follows NumPy's rules of which view operations share memory and which copy
 * (_attempt_nocopy_reshape in multiarray/shape.c). Errors: INVALID when a view does not apply (`path`
 * names it), LIMIT when sizes pass the arena. */
enum ndp_status ndp_array_build(struct ndp_arena *arena, const struct ndp_array_value *value,
                                bool host_is_little_endian, struct ndp_array *out,
                                struct ndp_error *error) NDP_MUST_USE;

/* The same, for who asks for the layout alone: no elements are computed, all are zero but where bytes are given, which
 * can be wrong. A base of any size then takes no longer than a small one. */
enum ndp_status ndp_array_lay_out(struct ndp_arena *arena, const struct ndp_array_value *value,
                                  bool host_is_little_endian, struct ndp_array *out,
                                  struct ndp_error *error) NDP_MUST_USE;

/* Builds a view of a built array: a plain one first, as numpy's view() gives, then the operations of `value`. Its
 * memory is that of `of` unless an operation had to copy. Errors as ndp_array_build. */
enum ndp_status ndp_array_build_view(struct ndp_arena *arena, const struct ndp_array *of,
                                     const struct ndp_array_value *value, struct ndp_array *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* The array as another object: of no class but ndarray, or memmap where it is one. */
void ndp_array_view_plain(const struct ndp_array *of, struct ndp_array *out);

/* Applies one view operation. Errors as ndp_array_build. */
enum ndp_status ndp_array_view(struct ndp_arena *arena, const struct ndp_array *from, const struct ndp_view *view,
                               struct ndp_array *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills the bytes of a base: `size_bytes` long, contiguous. Errors: NOMEM; INVALID (HEX of another size). */
enum ndp_status ndp_data_fill(const struct ndp_data *data, const struct ndp_dtype *dtype, uint64_t count_elems,
                              uint8_t *to, uint64_t size_bytes, struct ndp_error *error) NDP_MUST_USE;

/* Copies the elements in logical C order (or F order) into `to`, which holds count * itemsize bytes. */
void ndp_array_gather(const struct ndp_array *array, enum ndp_memory_order order, uint8_t *to);

/* NumPy's contiguity flag. It is the layout's (model/layout.h) but for items of size 0, whose strides say nothing:
 * there an array whose strides were filled has the order that it was made in, and a view of it both. Source:
 * _array_fill_strides and PyArray_UpdateFlags (multiarray/ctors.c, flagsobject.c, NumPy 1.23 to 2.4). */
bool ndp_array_is_contiguous(const struct ndp_array *array, enum ndp_memory_order order);

/* Whether every element lies on a multiple of its type's alignment. */
bool ndp_array_is_aligned(const struct ndp_array *array);

/* Whether two arrays lie in one memory: they say the same bytes of this process. Of a file that is mapped as a whole
 * they share only what both begin with: each is a map of its own to who asks for maps. */
bool ndp_array_shares_memory(const struct ndp_array *a, const struct ndp_array *b);

/* What a faithful target must report of this array. */
enum ndp_status ndp_array_observe(struct ndp_arena *arena, const struct ndp_array *array,
                                  struct ndp_observation *out) NDP_MUST_USE;

/* Gives the array that an observation tells of: what a decoder got, as a source of its own. `observed` is borrowed; its
 * strides may be anything, memory is laid out anew. What an observation does not tell (where its base
 * began) is as in an array that was just made. Errors: LIMIT, NOMEM; UNSUPPORTED when its elements lie in more
 * than some times their size, or over each other. */
enum ndp_status ndp_array_hold(struct ndp_arena *arena, const struct ndp_observation *observed,
                               bool host_is_little_endian, uint32_t longdouble_alignment_bytes,
                               struct ndp_array *out) NDP_MUST_USE;

/* Gives the recipe of a plain array, or a map, with the dtype, shape, elements, memory order and writeable flag of an
 * observation.
 * Errors: NOMEM; UNSUPPORTED when no permutation of its axes is contiguous. */
enum ndp_status ndp_array_retell(struct ndp_arena *arena, const struct ndp_observation *observed,
                                 struct ndp_array_value *out) NDP_MUST_USE;

/* Features: what promises and signatures depend on. A mask. Those that the word does not tell:
 * NATIVE_ORDER   no leaf has the byte order that is not the building machine's
 * ALL_FIELDS_BIG a structure with fields, each a leaf in big-endian order
 * PERMUTED       neither C nor F, but contiguous once its axes are sorted
 * MAP            its memory lies in the map of its base's file
 * DETACHED       a view operation had to copy
 * SUBCLASS       the class is not ndarray (memmap is such a class)
 * BASE_1D        more than one axis, seen in memory that was built with one
 * LONG_HEADER    its NPY header is near or over the 10000 characters that numpy.load takes by default
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

enum ndp_feature_bit {
#define NDP_FEATURE_BIT(name, word) NDP_FEATURE_BIT_##name,
    NDP_FEATURE_LIST(NDP_FEATURE_BIT)
#undef NDP_FEATURE_BIT
        NDP_FEATURE_COUNT
};
enum ndp_feature {
#define NDP_FEATURE_ENUM(name, word) NDP_FEATURE_##name = 1 << NDP_FEATURE_BIT_##name,
    NDP_FEATURE_LIST(NDP_FEATURE_ENUM)
#undef NDP_FEATURE_ENUM
};
uint32_t ndp_array_features(const struct ndp_array *array);

#endif
