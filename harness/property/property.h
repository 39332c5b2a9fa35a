/* property.h: a statement that must be true for every case. Each property has its own file.
 *
 * A property is a constant struct named ndp_property_<file>. It declares the slots that it reads and the cases that it
 * judges, and judges a trial without using a target. The registry is generated from the file names.
 */
#ifndef NDP_PROPERTY_H
#define NDP_PROPERTY_H

#include "model/equality.h"
#include "property/contract.h"

/* Samples of the resources of both sides while a case is repeated, with `runs` runs before each sample. */
enum { NDP_PROPERTY_SAMPLES = 4 };
struct ndp_property_samples {
    uint32_t runs;
    bool is_known[2]; /* [0] encoder or only target; [1] decoder of a pair */
    struct ndp_resource_snapshot looks[2][NDP_PROPERTY_SAMPLES];
};

/* A case after it ran: the input of every property. All borrowed. */
struct ndp_trial {
    const struct ndp_descriptor *descriptor;
    const struct ndp_array *model; /* the array that was sent; NULL for graphs and bare bytes */
    const struct ndp_graph *graph; /* the graph that was sent, of ndp_graph_expect; else NULL */
    const char *where;             /* prefix of the paths of differences; NULL: none */
    uint64_t features;             /* of the model or of the graph */
    const struct ndp_route *route; /* complete */
    const struct ndp_target_info *encoder;
    const struct ndp_target_info *decoder;
    const struct ndp_outcome *encoded;       /* of the encoder's program */
    const struct ndp_outcome *decoded;       /* of the decoder's program; the same for one target */
    const char *peer_entries[4];             /* decoders of PEER0..PEER3, or NULL */
    const char *peer_encode_entry;           /* encoder of PEER_ENCODED, or NULL */
    const char *peer_transport;              /* transport of PEER0, or NULL */
    struct ndp_observation expected;         /* the source, by the model */
    struct ndp_observation promised;         /* the result, by the contract */
    const struct ndp_contract *contract;     /* of the route and the features; NULL: looked up per field */
    struct ndp_contract_cache *memory;       /* cache of the contract; NULL: none */
    bool is_read_by_oracle;                  /* the decoder is the reference, so the encoder is wrong */
    struct ndp_bytes input;                  /* decode cases: the input */
    const struct ndp_slot_record *oracle;    /* decode cases: the result of the reference; else NULL */
    const struct ndp_property_samples *left; /* for properties judged by repetition; else NULL */
    const struct ndp_route *second;          /* of TRANSCODED and DIRECT: another format, or NULL */
    struct ndp_arena *arena;                 /* scratch memory for judging */
};

/* The result of one property. */
struct ndp_judgement {
    enum ndp_verdict verdict; /* PASS DIVERGES REJECTS UNSUPPORTED FAULT */
    enum ndp_severity severity;
    char field[NDP_WORD_BYTES];         /* the first differing field: "dtype.order", "writeable" */
    const struct ndp_contract_row *row; /* the broken promise, or NULL */
    const char *outlier;                /* DIVERGES: the wrong library */
    const char *operation; /* DIVERGES: "encode", "decode" or "transport", the one that failed or differs */
    struct ndp_comparison comparison;
};

#define NDP_VALUE_BIT(kind) (UINT32_C(1) << NDP_VALUE_##kind)

struct ndp_property {
    const char *name;
    const char *statement; /* one sentence, for `list` and the README */
    uint32_t needs;        /* mask of 1 << enum ndp_slot: the slots that it reads */
    bool for_round_trip;
    bool for_decode;
    uint32_t values; /* mask of NDP_VALUE_BIT: the kinds of values that it judges; bare bytes count as arrays */
    /* Judged by repeating the case: if a descriptor or the user names it, or if a sweep sees a target grow. */
    bool by_repetition;
    /* Fills *out. PASS with 0 comparisons means not judged. */
    void (*judge)(const struct ndp_trial *trial, struct ndp_judgement *out);
};

/* Whether the peak memory of decoding this format has a bound. */
bool ndp_property_judges_peak(const char *format);

/* Whether the property judges this kind of case with this kind of value. */
static inline bool ndp_property_applies(const struct ndp_property *property, enum ndp_case_kind kind,
                                        enum ndp_value_kind value) {
    const bool is_for_kind = kind == NDP_CASE_DECODE ? property->for_decode : property->for_round_trip;
    return is_for_kind && (property->values & (UINT32_C(1) << value)) != 0;
}

/* In the order of their names. */
const struct ndp_property *const *ndp_property_all(uint32_t *count);

/* The property of that name, or NULL. */
const struct ndp_property *ndp_property_find(const char *name);

/* A set of properties; empty when zeroed. */
struct ndp_property_set {
    uint32_t bits; /* 1 << the place in ndp_property_all() */
};

/* The set of one property, and the set of all that are (not) judged by repetition. */
struct ndp_property_set ndp_property_set_of(const struct ndp_property *property);
struct ndp_property_set ndp_property_set_all(bool by_repetition);

void ndp_property_set_add(struct ndp_property_set *set, const struct ndp_property *property);
bool ndp_property_set_has(struct ndp_property_set set, const struct ndp_property *property);
static inline bool ndp_property_set_is_empty(struct ndp_property_set set) {
    return set.bits == 0;
}

/* The first property of the set at index *at or later; sets *at to its index. NULL after the last. For loops:
 * for (uint32_t at = 0; (property = ndp_property_set_next(set, &at)) != NULL; at++) */
const struct ndp_property *ndp_property_set_next(struct ndp_property_set set, uint32_t *at);

/* Fills *out with the properties that a descriptor names or, if it names none, all that are not judged by repetition.
 * Errors: INVALID (unknown property; the text contains its name). */
enum ndp_status ndp_property_set_named(const struct ndp_descriptor *descriptor, struct ndp_property_set *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* Mask of 1 << enum ndp_slot: the slots that the properties of the set need for this kind of value. */
uint32_t ndp_property_set_slots(struct ndp_property_set set, enum ndp_value_kind value);

#endif
