/* signature.h: the name of a divergence. It contains no bytes, addresses, line numbers, times or versions.
 *
 * Printed, a signature is one line of words between bars:
 *
 *     DIVERGES|values|npy|values|numpy|npy:memory>file|f|>|C|2|structured     a broken promise, shown by an array
 *     DIVERGES|class|npy|whole.proxy|numpy|npy:memory>memory|object-array     by a graph with these features
 *     DIVERGES|values|npy|accepted#3f9a12bc|numpy|...                         a refusal, with the hash of its failure
 *     DIVERGES|class|npy|class|numpy                                          a documented loss: one for all routes
 *     CRASH|-|raw|process|signal 11 memcpy|numpy|raw:file>memory|u|||C|2      a process death with its first frame
 *     HAZARD|-|dict|process|numba                                             a documented hazard, however it ends
 *     DIVERGES|fuzz_npy|...                                                   from the oracle of a fuzz target
 *
 * signature.c alone prints and parses it. Reports, baselines and findings files contain the printed line.
 */
#ifndef NDP_SIGNATURE_H
#define NDP_SIGNATURE_H

#include "property/property.h"

enum { NDP_SIGNATURE_BYTES = 256, NDP_SIGNATURE_ROUTE_BYTES = 91 };

/* The value in a signature. PLACE: an array of which only the address matters, printed as "-|-|-|-". */
enum ndp_signature_value { NDP_SIGNATURE_NO_VALUE, NDP_SIGNATURE_PLACE, NDP_SIGNATURE_ARRAY, NDP_SIGNATURE_GRAPH };

/* enum name, word: byte order of the elements, and memory order of the array */
#define NDP_SIGNATURE_BYTE_ORDER_LIST(X) X(NONE, "|") X(BIG, ">") X(LITTLE, "<") X(MIXED, "mixed")
#define NDP_SIGNATURE_MEMORY_LIST(X)     X(ANY, "any") X(C, "C") X(F, "F") X(STRIDED, "strided")
/* enum name, word: in the order of printing */
#define NDP_SIGNATURE_FLAG_LIST(X)                                                                                     \
    X(STRUCTURED, "structured")                                                                                        \
    X(SUBCLASS, "subclass")                                                                                            \
    X(MEMMAP, "memmap")                                                                                                \
    X(BASE_1D, "1-d-base") /* a map of one dimension, seen in more */                                                  \
    X(ZERO_SIZE, "zero-size")

struct ndp_signature {
    enum ndp_verdict verdict;              /* DIVERGES, CRASH, TIMEOUT, OOM; FAULT of a fuzz target */
    bool is_hazard;                        /* a documented hazard: its outcome is random, and not part of it */
    bool is_of_fuzzer;                     /* `property` is a fuzz target, or "" if the text names none;
                                              `detail` is the rest of the text */
    char property[NDP_WORD_BYTES];         /* "" for a process death */
    char format[NDP_WORD_BYTES];           /* of the route */
    char field[NDP_WORD_BYTES];            /* the first differing field, or "process" */
    uint32_t failure;                      /* hash of the failure (failure.h); 0 for none */
    struct ndp_death death;                /* CRASH */
    char outlier[NDP_WORD_BYTES];          /* the library that is wrong */
    char route[NDP_SIGNATURE_ROUTE_BYTES]; /* without targets and offset; "" for a loss or hazard of all routes */
    enum ndp_signature_value value;
    char kind;          /* ARRAY: code of the dtype's kind */
    uint8_t byte_order; /* ARRAY: place in the list above, as the next three */
    uint8_t memory_order;
    uint8_t ndim;  /* 0..3; 3 is 3 or more */
    uint8_t flags; /* 1 << place */
    uint64_t graph_features;
    char detail[NDP_SIGNATURE_BYTES];
};

/* Prints into `out`, which has NDP_SIGNATURE_BYTES. A longer signature is cut; features of graphs are cut as whole
 * words.
 */
void ndp_signature_print(const struct ndp_signature *signature, char *out);

/* Whether `text` is the printed signature. */
bool ndp_signature_is_text(const struct ndp_signature *signature, const char *text);

/* Prints the core: "DIVERGES|values|npy|values". */
void ndp_signature_print_core(const struct ndp_signature *signature, char *out);

/* Fills *out from the text that the oracle of a fuzz target printed; any text is accepted. */
void ndp_signature_set_fuzzer(struct ndp_signature *out, enum ndp_verdict verdict, const char *text);

/* Fills *out from a printed signature of this or an older version. Errors: INVALID (not a signature). */
enum ndp_status ndp_signature_parse(const char *text, struct ndp_signature *out) NDP_MUST_USE;

/* Three levels of equality. Core: verdict, property, format, field, failure and death; minimising does not change it.
 * Way: core, library and route. Whole signature: also the value. */
bool ndp_signature_has_same_core(const struct ndp_signature *a, const struct ndp_signature *b);
bool ndp_signature_has_same_way(const struct ndp_signature *a, const struct ndp_signature *b);
bool ndp_signature_is_same(const struct ndp_signature *a, const struct ndp_signature *b);

/* Whether the values are alike: their kind, orders, number of axes and features. */
bool ndp_signature_has_same_value(const struct ndp_signature *a, const struct ndp_signature *b);

/* Whether showing it ends, or may end, the process. */
static inline bool ndp_signature_is_fatal(const struct ndp_signature *signature) {
    return signature->is_hazard || signature->verdict != NDP_VERDICT_DIVERGES;
}

/* Whether a divergence on `route` can have the signature: its route is equal or, if it has none, its format is. */
bool ndp_signature_names(const struct ndp_signature *signature, const struct ndp_route *route);

/* Fills the route, without targets and offset. In a signature about the address of a joblib array the protocol is left
 * out, because it changes the length of the header. */
void ndp_signature_set_route(struct ndp_signature *signature, const struct ndp_route *route);

/* Fills the value from an array, or from the features of a graph; (NULL, 0) is neither. Borrows for the call. */
void ndp_signature_set_value(struct ndp_signature *signature, const struct ndp_array *array, uint64_t graph_features);

#endif
