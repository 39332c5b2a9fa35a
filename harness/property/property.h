/* property.h: one statement that must hold on every case, one file each.
 *
 * A property is a constant struct named ndp_property_<file>. It says which slots it needs, whether it has
 * something to say about a trial, and judges it. It never talks to a target. The registry is made from the
 * file names.
 */
#ifndef NDP_PROPERTY_H
#define NDP_PROPERTY_H

#include "model/equality.h"
#include "property/contract.h"

/* What the two sides held between the times that a case was run again. `runs` lie between two looks. */
enum { NDP_LOOKS = 4 };
struct ndp_left_behind {
    uint32_t runs;
    bool is_known[2]; /* [0] the encoder, or the only target; [1] the decoder when it is another */
    struct ndp_census looks[2][NDP_LOOKS];
};

/* One case after it ran: everything there is to judge. All borrowed. */
struct ndp_trial {
    const struct ndp_descriptor *descriptor;
    const struct ndp_array *model; /* what was sent; NULL for decode cases of bare bytes */
    const struct ndp_graph *graph; /* what was sent instead, as ndp_graph_expect gives it; else NULL */
    const char *where;             /* goes before the paths of differences; NULL is nothing */
    uint64_t features;             /* of the model or of the graph */
    const struct ndp_route *route; /* no word is "" that the format needs */
    const struct ndp_target_info *encoder;
    const struct ndp_target_info *decoder;
    const struct ndp_outcome *encoded;    /* of the encoder's program */
    const struct ndp_outcome *decoded;    /* of the decoder's program; the same when it is one target */
    const char *peer_entries[4];          /* decode entry behind PEER0..PEER3, or NULL */
    const char *peer_encode_entry;        /* encode entry behind PEER_ENCODED, or NULL */
    const char *peer_transport;           /* transport behind PEER0, or NULL */
    struct ndp_observation expected;      /* source as the model says */
    struct ndp_observation promised;      /* result as the contract says */
    const struct ndp_contract *contract;  /* of the route and the features; NULL: properties look it up */
    struct ndp_contract_memory *memory;   /* of what routes promise; NULL is none */
    bool is_read_by_oracle;               /* the decoder is the reference: its word tells who is wrong */
    struct ndp_bytes input;               /* decode cases: the bytes that were decoded */
    const struct ndp_slot_record *oracle; /* decode cases: what the reference decoder got; else NULL */
    const struct ndp_left_behind *left;   /* properties that are judged by repetition; else NULL */
    const struct ndp_route *second;       /* behind TRANSCODED and DIRECT: the decoder in another format, or NULL */
    struct ndp_arena *arena;              /* for what judging needs */
};

/* What judging one property found. */
struct ndp_judgement {
    enum ndp_verdict verdict; /* PASS DIVERGES REJECTS UNSUPPORTED FAULT */
    enum ndp_severity severity;
    char field[NDP_WORD_BYTES];         /* the first differing field: "dtype.order", "writeable" */
    const struct ndp_contract_row *row; /* the promise that was judged by, or NULL */
    const char *outlier;                /* the library that is wrong; set when the verdict is DIVERGES */
    struct ndp_comparison comparison;
};

#define NDP_VALUE_BIT(kind) (UINT32_C(1) << NDP_VALUE_##kind)

struct ndp_property {
    const char *name;
    const char *statement; /* one sentence, for `list` and the README */
    uint32_t needs;        /* 1 << enum ndp_slot of every slot that must be asked for */
    bool for_round_trip;
    bool for_decode;
    uint32_t values; /* NDP_VALUE_BIT of every kind of value that it judges; bytes to decode count as arrays */
    /* Judged by running the case repeatedly: when a descriptor or the user names it, or when a sweep sees that a target
     * grows. */
    bool by_repetition;
    /* Fills *out. A property that has nothing to say leaves comparisons at 0 and the verdict PASS: the cell
     * then counts as not compared. */
    void (*judge)(const struct ndp_trial *trial, struct ndp_judgement *out);
};

/* Whether there is a bound to what decoding this format takes at its peak. */
bool ndp_peak_is_judged(const char *format);

/* Whether the property has anything to say about cases of this kind, with values of this kind. */
static inline bool ndp_property_applies(const struct ndp_property *property, enum ndp_case_kind kind,
                                        enum ndp_value_kind value) {
    const bool is_for_kind = kind == NDP_CASE_DECODE ? property->for_decode : property->for_round_trip;
    return is_for_kind && (property->values & (UINT32_C(1) << value)) != 0;
}

/* In the order of their names. */
const struct ndp_property *const *ndp_properties(uint32_t *count);

/* By name; NULL when there is none. */
const struct ndp_property *ndp_property_find(const char *name);

/* A set of properties. Zeroed it is empty. */
struct ndp_property_set {
    uint32_t bits; /* 1 << the place in ndp_properties() */
};

/* The set of one property, and of all that one run can judge (by_repetition: of those that it cannot). */
struct ndp_property_set ndp_property_set_of(const struct ndp_property *property);
struct ndp_property_set ndp_property_set_all(bool by_repetition);

void ndp_property_set_add(struct ndp_property_set *set, const struct ndp_property *property);
bool ndp_property_set_has(struct ndp_property_set set, const struct ndp_property *property);
static inline bool ndp_property_set_is_empty(struct ndp_property_set set) {
    return set.bits == 0;
}

/* The first property of the set at place *at or behind it; *at is then its place. NULL after the last. For loops:
 * for (uint32_t at = 0; (property = ndp_property_set_next(set, &at)) != NULL; at++) */
const struct ndp_property *ndp_property_set_next(struct ndp_property_set set, uint32_t *at);

/* Fills *out with the properties that a descriptor names; with none named, with all that one run can judge. Errors:
 * INVALID (there is no such property; the text names it). */
enum ndp_status ndp_property_set_named(const struct ndp_descriptor *descriptor, struct ndp_property_set *out,
                                       struct ndp_error *error) NDP_MUST_USE;

/* The slots that the properties of the set need of a value of this kind: 1 << enum ndp_slot. */
uint32_t ndp_property_set_slots(struct ndp_property_set set, enum ndp_value_kind value);

#endif
