/* array_plan_rule.c: which features of an array can occur together.
 *
 * Most rules exclude pairs of values and are rows of a table; the few rules about three parameters are code. Arrays
 * that would take long in a testee are excluded as well: large ones with many objects or with special values.
 */
#include "generate/array_plan_parts.h"

#define A(name)       (UINT32_C(1) << NDP_AXES_##name)
#define C(name)       (UINT32_C(1) << NDP_CONTENT_##name)
#define E(name)       (UINT32_C(1) << NDP_ELEMENT_##name)
#define I(name)       (UINT32_C(1) << NDP_ITEM_##name)
#define L(name)       (UINT32_C(1) << NDP_LAYOUT_##name)
#define M(name)       (UINT32_C(1) << NDP_PLACE_##name)
#define N(name)       (UINT32_C(1) << NDP_NOTES_##name)
#define O(name)       (UINT32_C(1) << NDP_OFFSET_##name)
#define P(name)       (UINT32_C(1) << NDP_LEAVES_##name)
#define S(name)       (UINT32_C(1) << NDP_SIZE_##name)
#define D(name)       (UINT32_C(1) << NDP_SIDE_##name)
#define ALL_BUT(mask) (~(uint32_t)(mask))
#define ELEMENT_STRUCTS                                                                                                \
    (E(PACKED) | E(ALIGNED) | E(PADDED) | E(NESTED) | E(SUBARRAYS) | E(OVERLAPPING) | E(WITH_OBJECT))
#define ELEMENT_OBJECTS   (E(OBJECT) | E(WITH_OBJECT))
#define ELEMENT_TIMES     (E(DATETIME) | E(TIMEDELTA))
#define ELEMENT_FLOATS    (E(FLOAT) | E(COMPLEX) | E(LONGDOUBLE))
#define ELEMENT_STRINGS   (E(BYTES) | E(TEXT) | E(VOID))
#define CONTENT_ORDINARY  (C(INDEX) | C(ZEROS) | C(RANDOM))
#define MEMORY_MAPS       (M(MAP_READ) | M(MAP_READ_WRITE) | M(MAP_WRITE) | M(MAP_COPY))
#define SIZE_STEPS        (S(64) | S(1000) | S(1K) | S(PAGE) | S(64K) | S(256K) | S(1M) | S(16M))
#define SIZE_COSTLY       (S(256K) | S(1M) | S(16M))
#define LAYOUT_BROADCASTS (L(BROADCAST_FIRST) | L(BROADCAST_INNER))
#define LAYOUT_OF_SEVERAL                                                                                              \
    (L(F) | L(STRIDED) | L(REVERSED) | L(TRANSPOSED) | L(PERMUTED) | LAYOUT_BROADCASTS | L(FLAT_TRANSPOSED) |          \
     L(OVERLAPPING) | L(CHAIN))

static const struct exclusion {
    uint8_t parameter;
    uint8_t other;
    uint32_t values;
    uint32_t excluded; /* values of the other parameter */
} exclusions[] = {
    /* Sizes and byte orders of kinds. */
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(BOOL), ALL_BUT(I(BYTE))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(UINT) | E(INT), ALL_BUT(I(BYTE) | I(SMALL))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(REGISTERED), ALL_BUT(I(BYTE) | I(SMALL))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(FLOAT) | ELEMENT_TIMES | E(OBJECT), ALL_BUT(I(SMALL))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(COMPLEX), ALL_BUT(I(SMALL) | I(WIDE))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(LONGDOUBLE), ALL_BUT(I(WIDE))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, E(TEXT), I(BYTE)},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ITEM, ELEMENT_STRUCTS &ALL_BUT(E(PACKED)), I(BYTE) | I(ZERO)},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ORDER, ELEMENT_FLOATS | E(TEXT) | ELEMENT_TIMES, P(NONE)},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ORDER, E(BOOL) | E(BYTES) | E(VOID) | E(OBJECT) | E(REGISTERED), ALL_BUT(P(NONE))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_ORDER, ALL_BUT(ELEMENT_STRUCTS), P(MIXED)},
    {NDP_PLAN_ITEM, NDP_PLAN_ORDER, I(BYTE), ALL_BUT(P(NONE))},
    {NDP_PLAN_ITEM, NDP_PLAN_ORDER, I(ZERO), P(MIXED)},
    {NDP_PLAN_NOTES, NDP_PLAN_ELEMENT, N(TITLES) | N(ODD_NAMES), ALL_BUT(ELEMENT_STRUCTS)},
    {NDP_PLAN_NOTES, NDP_PLAN_ELEMENT, N(MANY_FIELDS), ALL_BUT(E(PACKED) | E(ALIGNED) | E(PADDED) | E(OVERLAPPING))},
    {NDP_PLAN_NOTES, NDP_PLAN_ELEMENT, N(DEEP), ALL_BUT(E(NESTED))},
    {NDP_PLAN_NOTES, NDP_PLAN_ITEM, N(TITLES) | N(ODD_NAMES) | N(DEEP), I(ZERO)},
    {NDP_PLAN_NOTES, NDP_PLAN_ITEM, N(MANY_FIELDS), ALL_BUT(I(LARGE))},
    {NDP_PLAN_NOTES, NDP_PLAN_ELEMENT, N(METADATA), E(REGISTERED)},
    /* Objects are in ordinary memory, and travel one by one. */
    {NDP_PLAN_ELEMENT, NDP_PLAN_MEMORY, ELEMENT_OBJECTS, ALL_BUT(M(PLAIN) | M(READONLY_FLAG))},
    {NDP_PLAN_ELEMENT, NDP_PLAN_LAYOUT, ELEMENT_OBJECTS, L(OVERLAPPING)},
    {NDP_PLAN_ELEMENT, NDP_PLAN_SIZE, ELEMENT_OBJECTS, S(64K) | SIZE_COSTLY},
    /* Contents of kinds. */
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(NEGATIVE_ZERO) | C(INFINITE) | C(NAN), ALL_BUT(ELEMENT_FLOATS)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(NAT), ALL_BUT(ELEMENT_TIMES)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(EXTREME),
     E(BOOL) | E(BYTES) | E(TEXT) | E(VOID) | E(REGISTERED) | ELEMENT_OBJECTS},
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(HIGH), ALL_BUT(E(BOOL) | ELEMENT_STRINGS)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(INNER_NUL) | C(TRAILING_NUL), ALL_BUT(ELEMENT_STRINGS)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ELEMENT, C(RANDOM), E(WITH_OBJECT)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ITEM, ALL_BUT(CONTENT_ORDINARY), I(ZERO)},
    {NDP_PLAN_CONTENT, NDP_PLAN_ITEM, C(INNER_NUL) | C(TRAILING_NUL), I(BYTE)},
    /* An empty base has no first leaf. */
    {NDP_PLAN_CONTENT, NDP_PLAN_SIZE, ALL_BUT(CONTENT_ORDINARY), S(EMPTY)},
    /* Layouts. */
    {NDP_PLAN_LAYOUT, NDP_PLAN_AXES, ALL_BUT(L(C) | L(FIELD) | L(PART) | L(RECAST)), A(ZERO)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_AXES,
     L(F) | L(TRANSPOSED) | L(PERMUTED) | L(BROADCAST_INNER) | L(NEWAXIS) | L(FLAT) | L(FLAT_TRANSPOSED), A(ONE)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_AXES, L(PERMUTED), A(TWO) | A(SQUARE)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_AXES, L(NEWAXIS), A(SQUARE)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_SIZE, LAYOUT_OF_SEVERAL, S(ITEM)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_SIZE, LAYOUT_OF_SEVERAL | L(WINDOW) | L(FLAT), S(EMPTY)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_NOTES, L(PART), N(METADATA)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_ELEMENT, L(PART), ALL_BUT(E(FLOAT) | E(LONGDOUBLE))},
    /* Any bytes are an element of the other dtype: text and objects are not, and so structures may not be. */
    {NDP_PLAN_LAYOUT, NDP_PLAN_ELEMENT, L(RECAST), ELEMENT_STRUCTS | E(TEXT) | E(OBJECT) | E(REGISTERED)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_CONTENT, L(RECAST), ALL_BUT(CONTENT_ORDINARY)},
    {NDP_PLAN_LAYOUT, NDP_PLAN_ITEM, L(RECAST) | L(OVERLAPPING) | L(BROADCAST_INNER), I(ZERO)},
    /* Maps. */
    {NDP_PLAN_OFFSET, NDP_PLAN_MEMORY, O(NONE), MEMORY_MAPS},
    {NDP_PLAN_OFFSET, NDP_PLAN_MEMORY, ALL_BUT(O(NONE)), ALL_BUT(MEMORY_MAPS)},
    /* NumPy before 2.2 refuses an empty map at a page boundary. */
    {NDP_PLAN_OFFSET, NDP_PLAN_SIZE, O(START) | O(PAGE), S(EMPTY)},
    {NDP_PLAN_OFFSET, NDP_PLAN_ITEM, O(START) | O(PAGE), I(ZERO)},
    /* Sizes. */
    {NDP_PLAN_SIZE, NDP_PLAN_AXES, ALL_BUT(S(ITEM)), A(ZERO)},
    {NDP_PLAN_SIZE, NDP_PLAN_AXES, S(ITEM), A(TWO)},
    {NDP_PLAN_SIZE, NDP_PLAN_AXES, S(64) | S(1000) | S(1K) | S(PAGE), A(SQUARE)},
    {NDP_PLAN_SIZE, NDP_PLAN_SIDE, SIZE_STEPS, D(NONE)},
    {NDP_PLAN_SIZE, NDP_PLAN_SIDE, ALL_BUT(SIZE_STEPS), ALL_BUT(D(NONE))},
    {NDP_PLAN_SIZE, NDP_PLAN_SIDE, S(1K), D(BELOW)}, /* this is above 1000 */
    {NDP_PLAN_SIZE, NDP_PLAN_ITEM, SIZE_STEPS | S(OTHER), I(ZERO)},
    {NDP_PLAN_SIZE, NDP_PLAN_ITEM, S(64) | S(1000) | S(1K), I(LARGE)},
    {NDP_PLAN_SIZE, NDP_PLAN_NOTES, S(PAGE), N(MANY_FIELDS)},
    {NDP_PLAN_SIZE, NDP_PLAN_LAYOUT, S(64), L(PERMUTED)},
    {NDP_PLAN_SIDE, NDP_PLAN_ELEMENT, D(AT), ELEMENT_STRUCTS},
    {NDP_PLAN_SIDE, NDP_PLAN_AXES, D(AT), A(SQUARE)},
    {NDP_PLAN_SIDE, NDP_PLAN_LAYOUT, D(AT), L(PERMUTED)},
    {NDP_PLAN_SIZE, NDP_PLAN_ELEMENT, SIZE_COSTLY,
     ALL_BUT(E(UINT) | E(INT) | E(FLOAT) | E(COMPLEX) | E(BYTES) | E(PACKED))},
    {NDP_PLAN_SIZE, NDP_PLAN_CONTENT, SIZE_COSTLY, ALL_BUT(C(ZEROS) | C(RANDOM))},
    {NDP_PLAN_SIZE, NDP_PLAN_AXES, SIZE_COSTLY, A(SOME) | A(MANY) | A(HUGE)},
    {NDP_PLAN_SIZE, NDP_PLAN_ITEM, SIZE_COSTLY, I(BYTE)},
    {NDP_PLAN_SIZE, NDP_PLAN_LAYOUT, SIZE_COSTLY, L(CHAIN)},
};

static bool is_among(const struct ndp_covering_row *row, uint32_t parameter, uint32_t values) {
    const uint8_t value = row->values[parameter];
    return value != NDP_COVERING_FREE && (values >> value & 1) != 0;
}

bool ndp_array_plan_permits_triples(const void *context, const struct ndp_covering_row *row) {
    (void)context;
    const bool is_small = is_among(row, NDP_PLAN_ITEM, I(SMALL));
    /* Integers of several bytes have an order, and a lone object has none. */
    if (is_small && is_among(row, NDP_PLAN_ELEMENT, E(UINT) | E(INT)) && is_among(row, NDP_PLAN_ORDER, P(NONE)))
        return false;
    if (is_small && is_among(row, NDP_PLAN_ELEMENT, E(WITH_OBJECT)) && is_among(row, NDP_PLAN_ORDER, ALL_BUT(P(NONE))))
        return false;
    if (is_among(row, NDP_PLAN_ITEM, I(ZERO)) && is_among(row, NDP_PLAN_ELEMENT, E(PACKED)) &&
        is_among(row, NDP_PLAN_ORDER, ALL_BUT(P(NONE))))
        return false;
    /* 1000 is no multiple of larger powers of two. */
    return !is_among(row, NDP_PLAN_SIZE, S(1000)) || !is_among(row, NDP_PLAN_SIDE, D(AT)) ||
           !is_among(row, NDP_PLAN_ITEM, I(WIDE));
}

bool ndp_array_plan_permits(const void *context, const struct ndp_covering_row *row) {
    const struct ndp_array_plan *plan = context;
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++)
        if (is_among(row, p, ~plan->allowed[p])) return false;
    for (size_t i = 0; i < NDP_ARRAY_LEN(exclusions); i++)
        if (is_among(row, exclusions[i].parameter, exclusions[i].values) &&
            is_among(row, exclusions[i].other, exclusions[i].excluded))
            return false;
    return ndp_array_plan_permits_triples(context, row);
}

void ndp_array_plan_init(uint64_t value_bytes, struct ndp_array_plan *out) {
    /* Random arrays exceed the chunks of 256 KiB that numpy.load and zipfile read by at most one page. */
    const uint64_t random_bytes = (256 + 4) * 1024;
    *out = (struct ndp_array_plan){.limits = {.value_bytes = value_bytes < random_bytes ? value_bytes : random_bytes}};
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++) out->allowed[p] = UINT32_MAX;
    out->allowed[NDP_PLAN_ELEMENT] = ALL_BUT(E(REGISTERED));
    for (uint32_t size = 0; size < NDP_SIZE_COUNT; size++)
        if (ndp_array_plan_threshold((enum ndp_plan_size)size) > value_bytes)
            out->allowed[NDP_PLAN_SIZE] &= ALL_BUT(UINT32_C(1) << size);
}

void ndp_array_plan_init_for_faults(struct ndp_array_plan *out) {
    enum { VALUE_BYTES = 8192 };
    ndp_array_plan_init(VALUE_BYTES, out);
    out->limits.without_objects = true;
    out->limits.without_maps = true;
    out->allowed[NDP_PLAN_ELEMENT] = E(UINT) | E(FLOAT) | E(BYTES) | E(TEXT) | E(DATETIME) | E(PACKED) | E(SUBARRAYS);
    out->allowed[NDP_PLAN_ITEM] = ALL_BUT(I(LARGE));
    out->allowed[NDP_PLAN_NOTES] = N(NONE) | N(TITLES) | N(ODD_NAMES);
    out->allowed[NDP_PLAN_AXES] = A(ONE) | A(ZERO) | A(TWO) | A(THREE);
    out->allowed[NDP_PLAN_LAYOUT] = L(C) | L(F);
    out->allowed[NDP_PLAN_MEMORY] = M(PLAIN);
    out->allowed[NDP_PLAN_CONTENT] = C(INDEX) | C(RANDOM);
    out->allowed[NDP_PLAN_SIZE] = S(SMALL) | S(ITEM) | S(EMPTY) | S(PAGE);
}
