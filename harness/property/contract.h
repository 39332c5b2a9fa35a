/* contract.h: the promise of a route for each observed field, with its source. The rows are data: contract.table.
 *
 * A row has a scope (libraries, versions, format, entry points, protocol, features of the value), a promise and a
 * source. The first row that fits applies; rows are ordered from special to general, and the last row of each field
 * fits everything. A row is a promise and never names a defect.
 */
#ifndef NDP_CONTRACT_H
#define NDP_CONTRACT_H

#include "model/graph/graph.h"
#include "model/graph/graph_features.h"
#include "target/target.h"

/* enum name, word */
#define NDP_FIELD_LIST(X)                                                                                              \
    X(ACCEPTED, "accepted")                                                                                            \
    X(VALUES, "values")                                                                                                \
    X(BYTE_ORDER, "byte_order")                                                                                        \
    X(SHAPE, "shape")                                                                                                  \
    X(MEMORY_ORDER, "memory_order")                                                                                    \
    X(STRIDES, "strides")                                                                                              \
    X(DTYPE, "dtype")                                                                                                  \
    X(ALIGNED_STRUCT, "aligned_struct")                                                                                \
    X(METADATA, "metadata")                                                                                            \
    X(WRITEABLE, "writeable")                                                                                          \
    X(ALIGNMENT, "alignment")                                                                                          \
    X(CLASS, "class")                                                                                                  \
    X(BACKING, "backing")                                                                                              \
    X(ENCODING, "encoding")                                                                                            \
    X(TRUNCATION, "truncation")                                                                                        \
    X(ATTRIBUTES, "attributes") /* of objects in a graph */                                                            \
    X(WHOLE, "whole")           /* an object that arrived can be used */                                               \
    X(IDENTITY, "identity")     /* one object stays one object */                                                      \
    X(ALIASING, "aliasing")     /* one memory stays one memory */                                                      \
    X(DISTINCT, "distinct")     /* two objects, or two memories, stay separate */                                      \
    X(APART, "apart")           /* the result shares no memory and no mutable object with the source */                \
    X(TOGETHER, "together")     /* a write to the result changes the source */                                         \
    X(CELLS, "cells")           /* functions that share a variable still share it */                                   \
    X(GLOBALS, "globals")                                                                                              \
    X(SCOPE, "scope")             /* functions that share their globals still share them */                            \
    X(STRUCTURE, "structure")     /* the edges of the graph */                                                         \
    X(DESCRIPTION, "description") /* qualified name, module, documentation and annotations of functions */             \
    X(BUILT, "built")             /* a class takes the arguments from which its instance is built */                   \
    X(RESULTS, "results")         /* the results of calls */                                                           \
    X(HISTORY, "history")         /* a value that was called, or sent and then changed, is sent like a new one */      \
    X(INPUT, "input")             /* the source is as it was before it was sent */                                     \
    X(RESOURCES, "resources")     /* descriptors, maps, shared memory and processes are released */                    \
    X(FILES, "files")             /* temporary files are removed */                                                    \
    X(PROCESS, "process")         /* the process survives and answers in time */

#define NDP_CONTRACT_FIELD_ENUM(name, word) NDP_FIELD_##name,
enum ndp_contract_field { NDP_FIELD_LIST(NDP_CONTRACT_FIELD_ENUM) NDP_FIELD_COUNT };

/* enum name, word, meaning for a field */
#define NDP_PROMISE_LIST(X)                                                                                            \
    X(SAME, "same", "as in the source")                                                                                \
    X(NATIVE, "native", "that of the decoding host")                                                                   \
    X(C_ORDER, "C order", "C")                                                                                         \
    X(CONTIGUOUS, "contiguous", "F for an F-contiguous source, otherwise C")                                           \
    X(PERMUTED, "permuted",                                                                                            \
      "contiguous under the permutation of the source's axes, if there is one, otherwise C or F")                      \
    X(TRUE, "true", "true")                                                                                            \
    X(FALSE, "false", "false")                                                                                         \
    X(MODE, "by mode", "as the mode of the memory map requires")                                                       \
    X(PLACE, "by place", "as the place of the data in its page-aligned file requires")                                 \
    X(MAPPED, "mapped", "a map of the encoded file, with its mode and offset")                                         \
    X(DETACHED, "detached", "in memory, and not claimed to be a map of a file")                                        \
    X(SHARED, "shared map", "a map of the same file as in the source, in the same mode")                               \
    X(OWN_MAP, "own map", "a map of a file of the library, in the mode of the route")                                  \
    X(NDARRAY, "ndarray", "ndarray")                                                                                   \
    X(MEMMAP, "memmap", "memmap")                                                                                      \
    X(LOST, "lost", "lost, as documented (reported, does not gate)")                                                   \
    X(REFUSED, "refused", "refused with an error")                                                                     \
    X(MAY_REFUSE, "may refuse", "as in the source, or refused with an error")                                          \
    X(MAY_NOT_ENCODE, "may not encode", "as in the source, or refused by the encoder with an error")                   \
    X(HAZARD, "hazard", "a documented hazard: may crash, hang or be wrong (reported, does not gate)")                  \
    X(EXPOSED, "exposed",                                                                                              \
      "as in the source, but a class of this kind may lose it (reported as its hazard, does not gate)")                \
    X(ANY, "any", "not promised")

#define NDP_PROMISE_ENUM(name, word, text) NDP_PROMISE_##name,
enum ndp_promise { NDP_PROMISE_LIST(NDP_PROMISE_ENUM) NDP_PROMISE_COUNT };

/* enum name, word in reports */
#define NDP_SEVERITY_LIST(X)                                                                                           \
    X(DEFECT, "defect")                                                                                                \
    X(DOCUMENTED_LOSS, "documented-loss")                                                                              \
    X(HAZARD, "hazard")

#define NDP_SEVERITY_ENUM(name, word) NDP_SEVERITY_##name,
enum ndp_severity { NDP_SEVERITY_LIST(NDP_SEVERITY_ENUM) NDP_SEVERITY_COUNT };

/* A feature that the route adds: joblib.Parallel sends the array as a file, because it is larger than max_nbytes or
 * lies in a file already. Source: joblib's _memmapping_reducer.py, ArrayMemmapForwardReducer. */
#define NDP_FEATURE_AS_FILE (UINT32_C(1) << 31)
_Static_assert(NDP_FEATURE_COUNT <= 31, "bit 31 is free for NDP_FEATURE_AS_FILE");
_Static_assert(NDP_FIELD_ATTRIBUTES <= 32 && NDP_FIELD_COUNT <= 64, "fields are bits of masks");

/* A structure whose fields are all leaves in little-endian order. Rows are written for a decoder on a little-endian
 * machine; for a big-endian one, this feature and NDP_FEATURE_ALL_FIELDS_BIG are exchanged. */
#define NDP_FEATURE_ALL_FIELDS_LITTLE (UINT64_C(1) << 33)

/* An array in a graph: its class is encoded, while an array alone may have none. */
#define NDP_FEATURE_IN_GRAPH (UINT64_C(1) << 34)

/* An array in a map of mode c: a write to it does not reach the file. */
#define NDP_FEATURE_PRIVATE_MAP (UINT64_C(1) << 35)

/* An array with elements of a type that a package registers. */
#define NDP_FEATURE_REGISTERED (UINT64_C(1) << 45)

/* An array whose dtype has no format in the buffer protocol (ndp_dtype_has_buffer_format). */
#define NDP_FEATURE_NO_BUFFER_FORMAT (UINT64_C(1) << 46)

/* A number of a type and a byte order that DLPack describes. */
#define NDP_FEATURE_DLPACK_TYPE (UINT64_C(1) << 47)

/* An axis of several elements has a stride that is no multiple of the itemsize. */
#define NDP_FEATURE_UNEVEN_STRIDES (UINT64_C(1) << 48)

/* A field with NUL in its name, or with an empty name. */
#define NDP_FEATURE_NUL_NAME   (UINT64_C(1) << 49)
#define NDP_FEATURE_EMPTY_NAME (UINT64_C(1) << 50)

/* On joblib.Memory: an element has no repr. */
#define NDP_FEATURE_NO_REPR (UINT64_C(1) << 51)

/* On raw: the file is empty, because the array has no bytes and begins at offset 0. */
#define NDP_FEATURE_EMPTY_FILE (UINT64_C(1) << 52)

/* Elements that are byte strings (kind S). */
#define NDP_FEATURE_BYTES (UINT64_C(1) << 36)

/* The features of `model` (borrowed) on `route`: those of the array, and those that the route adds. */
uint64_t ndp_contract_features(const struct ndp_array *model, const struct ndp_route *route);

/* A library in the scope of a row. Empty words fit everything. */
struct ndp_contract_library {
    const char *name;   /* "numpy" */
    const char *since;  /* the first version that the row applies to */
    const char *before; /* the first version that it no longer applies to */
};

/* NULL and empty words and zero masks fit everything. A pattern may end in '*'. */
struct ndp_contract_row {
    enum ndp_contract_field field;
    enum ndp_promise promise;
    struct ndp_contract_library encoder; /* the encoder's library must fit */
    struct ndp_contract_library decoder; /* and the decoder's */
    const char *format;
    const char *encode; /* pattern of the encoder's entry point */
    const char *decode; /* pattern of the decoder's entry point */
    const char *buffers;
    int32_t protocol_min;
    int32_t protocol_max; /* 0 is any protocol */
    uint64_t with;        /* features that the value must have; with NDP_GRAPH_VALUE those of graphs */
    uint64_t without;     /* features that it must not have, of the same kind */
    const char *source;   /* documentation, release note or code with its version; never empty */
};

/* Words for reports: "memory_order", "contiguous". The meaning completes "<field> is ...". Never NULL. */
const char *ndp_contract_field_word(enum ndp_contract_field field);
const char *ndp_contract_promise_word(enum ndp_promise promise);
const char *ndp_contract_promise_meaning(enum ndp_promise promise);
const char *ndp_contract_severity_word(enum ndp_severity severity);

/* The promise for `field`: the first row that fits, never NULL. The library of a side is that of the route's entry
 * point
 * (`library` in struct ndp_entry), or the target's main library if the target does not claim the entry point.
 * `features` are those of the value, 0 for bare bytes. */
const struct ndp_contract_row *ndp_contract_find(enum ndp_contract_field field, const struct ndp_route *route,
                                                 const struct ndp_target_info *encoder,
                                                 const struct ndp_target_info *decoder, uint64_t features);

/* The promises of one route for one value, all fields at once. */
struct ndp_contract {
    const struct ndp_contract_row *rows[NDP_FIELD_COUNT]; /* never NULL once filled */
};

/* Fills *out with the rows of all fields; cheaper than one ndp_contract_find per field. */
void ndp_contract_fill(const struct ndp_route *route, const struct ndp_target_info *encoder,
                       const struct ndp_target_info *decoder, uint64_t array_features, struct ndp_contract *out);

/* The rows that fit a route between two targets, for any value; special before general. */
enum { NDP_CONTRACT_CANDIDATES = 512, NDP_CONTRACT_PLACES = 512 };
struct ndp_contract_candidates {
    const struct ndp_target_info *encoder; /* borrowed; NULL in a free place */
    const struct ndp_target_info *decoder;
    bool is_graph; /* the route takes a graph */
    int32_t protocol;
    char format[NDP_WORD_BYTES];
    char encode[NDP_WORD_BYTES];
    char decode[NDP_WORD_BYTES];
    char buffers[NDP_WORD_BYTES];
    uint32_t count;
    const struct ndp_contract_row *rows[NDP_CONTRACT_CANDIDATES];
};

/* A cache of candidates. The claims of the targets must not change during its lifetime. Empty when zeroed. */
struct ndp_contract_cache {
    struct ndp_contract_candidates places[NDP_CONTRACT_PLACES];
};

/* As ndp_contract_fill and ndp_contract_find, with a cache (NULL: none): the tables are searched once per route instead
 * of once per value. */
void ndp_contract_fill_cached(struct ndp_contract_cache *memory, const struct ndp_route *route,
                              const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                              uint64_t array_features, struct ndp_contract *out);
const struct ndp_contract_row *ndp_contract_find_cached(struct ndp_contract_cache *memory,
                                                        enum ndp_contract_field field, const struct ndp_route *route,
                                                        const struct ndp_target_info *encoder,
                                                        const struct ndp_target_info *decoder, uint64_t features);

/* The general rows of contract.table. Rows are constants of the program. */
const struct ndp_contract_row *ndp_contract_rows(uint32_t *count);

/* The rows of section library, which are searched first: see contract.table. */
const struct ndp_contract_row *ndp_contract_library_rows(uint32_t *count);

/* Fills the expected observation of `model` (borrowed) after the route: ndp_array_observe with every promise applied.
 * Memory from `arena`; parts are shared with the model. A field with the promise ANY or LOST stays as in the source, so
 * check the promise before judging a field. The offset of the data in an NPY file is unknown: has_offset and
 * has_position are false. Errors: NOMEM. */
enum ndp_status ndp_contract_expect(struct ndp_arena *arena, const struct ndp_array *model,
                                    const struct ndp_route *route, const struct ndp_target_info *encoder,
                                    const struct ndp_target_info *decoder, struct ndp_observation *out) NDP_MUST_USE;

/* The same with a contract that was filled for these features. */
enum ndp_status ndp_contract_apply(struct ndp_arena *arena, const struct ndp_array *model,
                                   const struct ndp_route *route, const struct ndp_target_info *decoder,
                                   uint64_t features, const struct ndp_contract *contract,
                                   struct ndp_observation *out) NDP_MUST_USE;

#endif
