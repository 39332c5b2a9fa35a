/* contract.h: what a route promises for each observed field, and who says so. Data, one table.
 *
 * A row names where it holds (library, versions, format, entries, protocol, features of the value) and what
 * it promises there. The first row that fits wins; rows are ordered from special to general, and the last
 * row of each field fits everything. No row names a defect: a row is a promise with its source.
 */
#ifndef NDP_CONTRACT_H
#define NDP_CONTRACT_H

#include "model/graph.h"
#include "model/graph_features.h"
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
    X(WHOLE, "whole")           /* what is there can be used */                                                        \
    X(IDENTITY, "identity")     /* one object stays one */                                                             \
    X(ALIASING, "aliasing")     /* one memory stays one */                                                             \
    X(DISTINCT, "distinct")     /* two objects, two memories stay two */                                               \
    X(APART, "apart")           /* what arrives lies apart from what was sent */                                       \
    X(TOGETHER, "together")     /* what is written to what arrives reaches what was sent */                            \
    X(CELLS, "cells")           /* functions that share a variable still do */                                         \
    X(GLOBALS, "globals")                                                                                              \
    X(SCOPE, "scope")             /* functions of one module's names still share them */                               \
    X(STRUCTURE, "structure")     /* what leads to what */                                                             \
    X(DESCRIPTION, "description") /* qualified name, module, documentation and annotations of functions */             \
    X(RESULTS, "results")         /* what calls give */                                                                \
    X(HISTORY, "history")         /* what was called can be sent as what never was */                                  \
    X(RESOURCES, "resources")     /* what was taken is given back: descriptors, maps, shared memory, processes, */     \
    X(FILES, "files")             /* and temporary files */                                                            \
    X(PROCESS, "process")         /* it lives, in time */

enum ndp_contract_field {
#define NDP_CONTRACT_FIELD_ENUM(name, word) NDP_FIELD_##name,
    NDP_FIELD_LIST(NDP_CONTRACT_FIELD_ENUM)
#undef NDP_CONTRACT_FIELD_ENUM
        NDP_FIELD_COUNT
};

/* enum name, word, what it means for a field */
#define NDP_PROMISE_LIST(X)                                                                                            \
    X(SAME, "same", "as in the source")                                                                                \
    X(NATIVE, "native", "byte order becomes the decoder host's")                                                       \
    X(C_ORDER, "C order", "memory order becomes C")                                                                    \
    X(CONTIGUOUS, "contiguous", "C stays C, F stays F, everything else becomes C")                                     \
    X(PERMUTED, "permuted", "contiguous under the same permutation of axes; else as contiguous")                       \
    X(TRUE, "true", "always true")                                                                                     \
    X(FALSE, "false", "always false")                                                                                  \
    X(MODE, "by mode", "as the mode of the memory map says")                                                           \
    X(PLACE, "by place", "as the place of the data in its page-aligned file says")                                     \
    X(MAPPED, "mapped", "a map of the encoded file, with its mode and offset")                                         \
    X(DETACHED, "detached", "in memory, and does not claim to be a map of a file")                                     \
    X(SHARED, "shared map", "a map of the same file as in the source, in the same mode")                               \
    X(OWN_MAP, "own map", "a map of a file that the library made, in the mode of the route")                           \
    X(NDARRAY, "ndarray", "the class becomes ndarray")                                                                 \
    X(MEMMAP, "memmap", "the class becomes memmap")                                                                    \
    X(LOST, "lost", "a documented loss: reported, does not gate")                                                      \
    X(REFUSED, "refused", "refused with an error, never a wrong result")                                               \
    X(MAY_REFUSE, "may refuse", "kept or refused with an error")                                                       \
    X(HAZARD, "hazard", "a documented hazard: may crash, hang or go wrong; reported, does not gate")                   \
    X(ANY, "any", "nothing is promised")

enum ndp_promise {
#define NDP_PROMISE_ENUM(name, word, text) NDP_PROMISE_##name,
    NDP_PROMISE_LIST(NDP_PROMISE_ENUM)
#undef NDP_PROMISE_ENUM
        NDP_PROMISE_COUNT
};

/* enum name, word in reports */
#define NDP_SEVERITY_LIST(X)                                                                                           \
    X(DEFECT, "defect")                                                                                                \
    X(DOCUMENTED_LOSS, "documented-loss")                                                                              \
    X(HAZARD, "hazard")

enum ndp_severity {
#define NDP_SEVERITY_ENUM(name, word) NDP_SEVERITY_##name,
    NDP_SEVERITY_LIST(NDP_SEVERITY_ENUM)
#undef NDP_SEVERITY_ENUM
        NDP_SEVERITY_COUNT
};

/* What a route adds to the features of an array: joblib.Parallel sends it as a file, because it is larger than
 * max_nbytes or lies in a file already. Source: joblib's _memmapping_reducer.py, ArrayMemmapForwardReducer. */
#define NDP_FEATURE_AS_FILE (UINT32_C(1) << 31)
_Static_assert(NDP_FEATURE_COUNT <= 31, "the last bit is not an array's own");
_Static_assert(NDP_FIELD_COUNT <= 32, "fields are bits of masks");

/* A structure with fields, each a leaf in little-endian order: what ALL_FIELDS_BIG is to a big-endian machine. Rows
 * name the big-endian one, as for a decoder on a little-endian machine; for the other machine the two change places. */
#define NDP_FEATURE_ALL_FIELDS_LITTLE (UINT64_C(1) << 33)

/* What travels with other objects: there a class is told, where an array that travels alone may have none. */
#define NDP_FEATURE_IN_GRAPH (UINT64_C(1) << 34)

/* The features of `model` (borrowed) on `route`: its own, and what the route adds. */
uint64_t ndp_contract_features(const struct ndp_array *model, const struct ndp_route *route);

/* Which library a row speaks of. Empty words fit everything. */
struct ndp_contract_library {
    const char *name;   /* of the library behind the entry, "numpy" */
    const char *since;  /* first version where the row holds */
    const char *before; /* first version where it no longer holds */
};

/* NULL and empty words and zero masks fit everything. A pattern may end in '*'. */
struct ndp_contract_row {
    enum ndp_contract_field field;
    enum ndp_promise promise;
    struct ndp_contract_library encoder; /* the encoder's library must fit */
    struct ndp_contract_library decoder; /* and the decoder's */
    const char *format;
    const char *encode; /* pattern of the encoder's entry */
    const char *decode; /* pattern of the decoder's entry */
    const char *buffers;
    int32_t protocol_min;
    int32_t protocol_max; /* 0 is any protocol */
    uint64_t with;        /* features that must all be there; with NDP_GRAPH_VALUE those of graphs */
    uint64_t without;     /* features of which none may be there, of the same kind */
    const char *source;   /* documentation, release note or code with its version; never empty */
};

/* Words for reports: "memory_order", "contiguous"; the promise's meaning as a sentence part. Never NULL. */
const char *ndp_contract_field_word(enum ndp_contract_field field);
const char *ndp_promise_word(enum ndp_promise promise);
const char *ndp_promise_meaning(enum ndp_promise promise);
const char *ndp_severity_word(enum ndp_severity severity);

/* The promise for `field`: the first row that fits, never NULL. The library of each side is the one behind
 * the entry that the route names (`library` in struct ndp_entry), the target's main one when the route names
 * no entry that the target claims. `features` are the model's, 0 for bare bytes. */
const struct ndp_contract_row *ndp_contract_find(enum ndp_contract_field field, const struct ndp_route *route,
                                                 const struct ndp_target_info *encoder,
                                                 const struct ndp_target_info *decoder, uint64_t features);

/* The promises of one route for one value, all fields at once. */
struct ndp_contract {
    const struct ndp_contract_row *rows[NDP_FIELD_COUNT]; /* never NULL once filled */
};

/* Fills *out with what ndp_contract_find gives for every field; cheaper than asking field by field. */
void ndp_contract_fill(const struct ndp_route *told, const struct ndp_target_info *encoder,
                       const struct ndp_target_info *decoder, uint64_t array_features, struct ndp_contract *out);

/* The rows that are of one way between two targets, special before general: of what is sent, each has its say. */
enum { NDP_CONTRACT_WAY_ROWS = 384, NDP_CONTRACT_WAYS = 512 };
struct ndp_contract_way {
    const struct ndp_target_info *encoder; /* borrowed; NULL: nothing is kept here */
    const struct ndp_target_info *decoder;
    bool is_graph; /* a graph is sent */
    int32_t protocol;
    char format[NDP_WORD_BYTES];
    char encode[NDP_WORD_BYTES];
    char decode[NDP_WORD_BYTES];
    char buffers[NDP_WORD_BYTES];
    uint32_t count;
    const struct ndp_contract_row *rows[NDP_CONTRACT_WAY_ROWS];
};

/* What was looked up before, for targets that claim the same as long as it lives. Zeroed, it knows nothing. */
struct ndp_contract_memory {
    struct ndp_contract_way ways[NDP_CONTRACT_WAYS];
};

/* The same as ndp_contract_fill and ndp_contract_find, with a memory (NULL: none): the tables are looked through once
 * for each way, not for each value. */
void ndp_contract_recall(struct ndp_contract_memory *memory, const struct ndp_route *told,
                         const struct ndp_target_info *encoder, const struct ndp_target_info *decoder,
                         uint64_t array_features, struct ndp_contract *out);
const struct ndp_contract_row *ndp_contract_recall_field(struct ndp_contract_memory *memory,
                                                         enum ndp_contract_field field, const struct ndp_route *route,
                                                         const struct ndp_target_info *encoder,
                                                         const struct ndp_target_info *decoder, uint64_t features);

/* The whole table, for `list`, `show` and the test that every row has a source and can be reached. */
const struct ndp_contract_row *ndp_contract_rows(uint32_t *count);

/* The rows before them: of libraries that carry arrays by other means than NumPy's pickling. */
const struct ndp_contract_row *ndp_contract_library_rows(uint32_t *count);

/* Compares dotted versions number by number; missing numbers are 0, "2.0.0rc1" comes before "2.0.0", what
 * stands behind '+' does not count. Negative, 0, positive. */
int ndp_version_compare(const char *a, const char *b);

/* Fills what must be observed of `model` (borrowed) after the route: ndp_array_observe with every promise
 * applied. Memory from `arena`; parts are shared with the model. What nobody promises (ANY), what is lost
 * (LOST) and what cannot be known before the bytes exist (the place of the data in an NPY file: has_offset and
 * has_position are false then) stays as in the source: look at the rows before judging a field.
 * Errors: NOMEM. */
enum ndp_status ndp_contract_expect(struct ndp_arena *arena, const struct ndp_array *model,
                                    const struct ndp_route *route, const struct ndp_target_info *encoder,
                                    const struct ndp_target_info *decoder, struct ndp_observation *out) NDP_MUST_USE;

/* The same by a contract that has been filled, for these features. */
enum ndp_status ndp_contract_apply(struct ndp_arena *arena, const struct ndp_array *model,
                                   const struct ndp_route *route, const struct ndp_target_info *decoder,
                                   uint64_t features, const struct ndp_contract *contract,
                                   struct ndp_observation *out) NDP_MUST_USE;

#endif
