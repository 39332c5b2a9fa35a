/* signature.h: what a divergence is known by. Never bytes, addresses, line numbers, times or versions.
 *
 * Printed, a signature is one line of words between bars:
 *
 *     DIVERGES|values|npy|values|numpy|npy:memory>file|f|>|C|2|structured     a broken promise, by an array
 *     DIVERGES|class|npy|whole.proxy|numpy|npy:memory>memory|object-array     by a graph: the features that it has
 *     DIVERGES|class|npy|class|numpy                                          a documented loss: on every route one
 *     CRASH|-|raw|process|signal 11 memcpy|numpy|raw:file>memory|u|||C|2      a process death, and the first frame
 *     HAZARD|-|dict|process|numba                                             a documented hazard: one for every end
 *     DIVERGES|fuzz_npy|...                                                   of the oracle of a fuzz target
 *
 * Nothing else prints or parses it. Reports, baselines and findings files keep the printed line.
 */
#ifndef NDP_SIGNATURE_H
#define NDP_SIGNATURE_H

#include "property/property.h"

enum { NDP_SIGNATURE_BYTES = 256, NDP_SIGNATURE_ROUTE_BYTES = 91 };

/* What a signature says of the value. PLACE: an array of which only the place of its bytes matters ("-|-|-|-"). */
enum ndp_signature_value { NDP_SIGNATURE_NO_VALUE, NDP_SIGNATURE_PLACE, NDP_SIGNATURE_ARRAY, NDP_SIGNATURE_GRAPH };

/* enum name, word: how the bytes of the elements, and the elements in memory, are ordered */
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
    bool is_hazard;                        /* a documented hazard: how it ends is chance, and so not part of it */
    bool is_of_fuzzer;                     /* `property` is a fuzz target; `detail` is all that follows, or with no
                                              target named all that there is */
    char property[NDP_WORD_BYTES];         /* "" for a process death */
    char format[NDP_WORD_BYTES];           /* of the route */
    char field[NDP_WORD_BYTES];            /* the first differing field, or "process" */
    struct ndp_death death;                /* CRASH */
    char outlier[NDP_WORD_BYTES];          /* the library that is wrong */
    char route[NDP_SIGNATURE_ROUTE_BYTES]; /* without targets and offset; "" for what is one on every route */
    enum ndp_signature_value value;
    char kind;          /* ARRAY: code of the dtype's kind */
    uint8_t byte_order; /* ARRAY: place in the list above, as the next three */
    uint8_t memory_order;
    uint8_t ndim;  /* 0..3; 3 is 3 or more */
    uint8_t flags; /* 1 << place */
    uint64_t graph_features;
    char detail[NDP_SIGNATURE_BYTES];
};

/* Prints into `out`, which has NDP_SIGNATURE_BYTES; what does not fit is left out, features of graphs as whole words.
 */
void ndp_signature_print(const struct ndp_signature *signature, char *out);

/* Whether `text` is the signature as it is printed. */
bool ndp_signature_is_text(const struct ndp_signature *signature, const char *text);

/* Prints the core alone: "DIVERGES|values|npy|values". */
void ndp_signature_print_core(const struct ndp_signature *signature, char *out);

/* Fills *out with the signature of the oracle of a fuzz target, whatever it printed. */
void ndp_signature_set_fuzzer(struct ndp_signature *out, enum ndp_verdict verdict, const char *text);

/* Fills *out from a printed signature, of this or an older version. Errors: INVALID (it is none). */
enum ndp_status ndp_signature_parse(const char *text, struct ndp_signature *out) NDP_MUST_USE;

/* Three degrees of sameness. The core stays the same however small the case becomes: verdict, property, format, field
 * and death. The way is core, library and route. */
bool ndp_signature_has_same_core(const struct ndp_signature *a, const struct ndp_signature *b);
bool ndp_signature_has_same_way(const struct ndp_signature *a, const struct ndp_signature *b);
bool ndp_signature_is_same(const struct ndp_signature *a, const struct ndp_signature *b);

/* Whether a process death is part of it, or may be: then a repetition can cost the start of a process. */
static inline bool ndp_signature_is_fatal(const struct ndp_signature *signature) {
    return signature->is_hazard || signature->verdict != NDP_VERDICT_DIVERGES;
}

/* Whether a divergence on this route can have the signature: it names the route or, where it names none, the format. */
bool ndp_signature_names(const struct ndp_signature *signature, const struct ndp_route *route);

/* Fills the route as signatures name it. The place of the bytes depends on all that is before them: for a signature
 * about the place, the protocol of a dump is part of the header and does not count. */
void ndp_signature_set_route(struct ndp_signature *signature, const struct ndp_route *route);

/* Fills what the signature says of an array, or of a graph with these features; of neither (NULL, 0) nothing. */
void ndp_signature_set_value(struct ndp_signature *signature, const struct ndp_array *array, uint64_t graph_features);

#endif
