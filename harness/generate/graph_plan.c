/* graph_plan.c: the model of the features of graphs, and the completion of a row.
 *
 * Problem. Some features exclude others: only a masked array has a mask, only a closure has cells. A rule must decide
 * for any part of a row whether a graph has these features, and a generator must find the rest of the row.
 *
 * Method. A table lists what is forbidden: two or three parameters with values that never occur together. The rule
 * rejects a part of a row that a line of the table forbids. The generator searches for values of the free parameters
 * that no line forbids, with a random first value of each parameter. The parameters that restrict others come first, so
 * the search rarely has to go back. Few parts that the rule permits have no such values; a covering array finds that
 * out when it completes its rows.
 *
 * Cost. About 30 passes over the table for each row.
 */
#include "generate/graph_plan_values.h"

#include <string.h>

#include "base/words.h"
#include "generate/generate_parts.h"

#define VALUE(x)    (1U << (x))
#define EXCEPT(...) ~(uint32_t)(__VA_ARGS__)

#define ATTRIBUTE_EXTRAS                                                                                               \
    (VALUE(NDP_EXTRA_NUMBER) | VALUE(NDP_EXTRA_TEXT) | VALUE(NDP_EXTRA_BYTES) | VALUE(NDP_EXTRA_CONSTANT) |            \
     VALUE(NDP_EXTRA_ARRAY) | VALUE(NDP_EXTRA_VIEW) | VALUE(NDP_EXTRA_ITSELF) | VALUE(NDP_EXTRA_DICT) |                \
     VALUE(NDP_EXTRA_SEVERAL))
#define MASK_EXTRAS                                                                                                    \
    (VALUE(NDP_EXTRA_NO_MASK) | VALUE(NDP_EXTRA_FULL_MASK) | VALUE(NDP_EXTRA_F_MASK) | VALUE(NDP_EXTRA_SHARED_MASK) |  \
     VALUE(NDP_EXTRA_HARD_MASK) | VALUE(NDP_EXTRA_FILL_VALUE))
#define REBUILT_CLASSES (VALUE(NDP_PLANNED_REDUCE_ONLY) | VALUE(NDP_PLANNED_REDUCE_EX))
#define EXTRA_CLASSES                                                                                                  \
    (VALUE(NDP_PLANNED_FINALIZE_NONE) | VALUE(NDP_PLANNED_FINALIZE_GETATTR) | VALUE(NDP_PLANNED_REDUCE_SETSTATE) |     \
     VALUE(NDP_PLANNED_REDUCE_PAIR) | VALUE(NDP_PLANNED_SLOTS) | REBUILT_CLASSES)
#define BARE_CLASSES                                                                                                   \
    (VALUE(NDP_PLANNED_NONE) | VALUE(NDP_PLANNED_NDARRAY) | VALUE(NDP_PLANNED_MATRIX) | VALUE(NDP_PLANNED_RECARRAY) |  \
     VALUE(NDP_PLANNED_CUDF) | VALUE(NDP_PLANNED_SCALAR))
#define QUANTITY_ELEMENTS                                                                                              \
    (VALUE(NDP_ELEMENT_FLOAT) | VALUE(NDP_ELEMENT_FLOAT_BIG) | VALUE(NDP_ELEMENT_HALF) |                               \
     VALUE(NDP_ELEMENT_LONGDOUBLE) | VALUE(NDP_ELEMENT_COMPLEX) | VALUE(NDP_ELEMENT_COMPLEX_BIG))
#define FOREIGN_ELEMENTS (VALUE(NDP_ELEMENT_INT_BIG) | VALUE(NDP_ELEMENT_FLOAT_BIG) | VALUE(NDP_ELEMENT_COMPLEX_BIG))
#define RECORDS          (VALUE(NDP_ELEMENT_RECORD) | VALUE(NDP_ELEMENT_DEEP))
#define FLAT_ONES        (VALUE(NDP_PLAN_LAYOUT_LINE) | VALUE(NDP_PLAN_LAYOUT_SCALAR))
#define WHOLE_ONES                                                                                                     \
    (VALUE(NDP_PLAN_LAYOUT_LINE) | VALUE(NDP_PLAN_LAYOUT_C) | VALUE(NDP_PLAN_LAYOUT_F) |                               \
     VALUE(NDP_PLAN_LAYOUT_C_DEEP) | VALUE(NDP_PLAN_LAYOUT_F_DEEP))
#define MODULE_FUNCTIONS (VALUE(NDP_PLAN_FUNCTION_MODULE) | VALUE(NDP_PLAN_FUNCTION_DECORATED))
#define CELL_FILLERS                                                                                                   \
    (VALUE(NDP_PLAN_FUNCTION_COUNTER) | VALUE(NDP_PLAN_FUNCTION_RECURSE) | VALUE(NDP_PLAN_FUNCTION_MUTUAL) |           \
     VALUE(NDP_PLAN_FUNCTION_CALL))
#define SINGLE_ROOTS (VALUE(NDP_ROOT_ARRAY) | VALUE(NDP_ROOT_FUNCTION))

/* Two or three parameters with values that no graph has together. */
struct forbidden {
    uint32_t parameters; /* bits */
    struct {
        uint8_t parameter;
        uint32_t values; /* bits; none: the line has no third parameter */
    } with[3];
};

#define FORBID(a, a_values, b, b_values)                                                                               \
    {                                                                                                                  \
        VALUE(NDP_PLAN_##a) | VALUE(NDP_PLAN_##b), {                                                                   \
            {NDP_PLAN_##a, a_values}, {NDP_PLAN_##b, b_values}, {                                                      \
                0, 0                                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
#define FORBID_3(a, a_values, b, b_values, c, c_values)                                                                \
    {                                                                                                                  \
        VALUE(NDP_PLAN_##a) | VALUE(NDP_PLAN_##b) | VALUE(NDP_PLAN_##c), {                                             \
            {NDP_PLAN_##a, a_values}, {NDP_PLAN_##b, b_values}, {                                                      \
                NDP_PLAN_##c, c_values                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }

static const struct forbidden forbidden[] = {
    /* Without an array, nothing describes it. */
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), POSITION, EXCEPT(VALUE(NDP_POSITION_ITEM))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE) | VALUE(NDP_SHARING_CYCLE))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), ELEMENT, EXCEPT(VALUE(0))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), LAYOUT, EXCEPT(VALUE(0))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), SIZE, EXCEPT(VALUE(0))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), MEMORY, EXCEPT(VALUE(0))),
    FORBID(CLASS, VALUE(NDP_PLANNED_NONE), ROOT, VALUE(NDP_ROOT_ARRAY)),
    /* Without a function, nothing describes it. */
    FORBID(FUNCTION, VALUE(NDP_PLAN_FUNCTION_NONE), POSITION, EXCEPT(VALUE(NDP_POSITION_ITEM))),
    FORBID(FUNCTION, VALUE(NDP_PLAN_FUNCTION_NONE), CALLER, EXCEPT(VALUE(0))),
    FORBID(FUNCTION, VALUE(NDP_PLAN_FUNCTION_NONE), SIGNATURE, EXCEPT(VALUE(0))),
    FORBID(FUNCTION, VALUE(NDP_PLAN_FUNCTION_NONE), CLOSURE, EXCEPT(VALUE(0))),
    FORBID(FUNCTION, VALUE(NDP_PLAN_FUNCTION_NONE), ROOT, VALUE(NDP_ROOT_FUNCTION)),
    /* A root that is no container. */
    FORBID(ROOT, VALUE(NDP_ROOT_ARRAY), FUNCTION, EXCEPT(VALUE(NDP_PLAN_FUNCTION_NONE))),
    FORBID(ROOT, VALUE(NDP_ROOT_ARRAY), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), CLASS, EXCEPT(VALUE(NDP_PLANNED_NONE))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), FUNCTION, EXCEPT(VALUE(NDP_PLAN_FUNCTION_NONE))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), POSITION, EXCEPT(VALUE(NDP_POSITION_ITEM))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), CALLER, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), SIGNATURE, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), CLOSURE, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), EXTRA, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), ELEMENT, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), LAYOUT, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), SIZE, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), MEMORY, EXCEPT(VALUE(0))),
    FORBID(ROOT, VALUE(NDP_ROOT_STRINGS), SCALAR, EXCEPT(VALUE(0))),
    FORBID(ROOT, SINGLE_ROOTS, SCALAR, EXCEPT(VALUE(0))),
    FORBID(ROOT, SINGLE_ROOTS, EXTRA, VALUE(NDP_EXTRA_SHARED_MASK)),
    FORBID(ROOT, VALUE(NDP_ROOT_FUNCTION), CLOSURE, VALUE(NDP_CLOSURE_SHARED)),
    FORBID(ROOT, VALUE(NDP_ROOT_FUNCTION), SHARING, VALUE(NDP_SHARING_CYCLE)),
    FORBID_3(ROOT, VALUE(NDP_ROOT_FUNCTION), POSITION, VALUE(NDP_POSITION_ITEM), CLASS,
             EXCEPT(VALUE(NDP_PLANNED_NONE))),
    /* Two cells of the function refer to shared memory. */
    FORBID_3(ROOT, VALUE(NDP_ROOT_FUNCTION), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE)), POSITION,
             EXCEPT(VALUE(NDP_POSITION_CELL))),
    FORBID_3(ROOT, VALUE(NDP_ROOT_FUNCTION), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE)), CLOSURE,
             EXCEPT(VALUE(NDP_CLOSURE_TWO) | VALUE(NDP_CLOSURE_MANY))),
    FORBID_3(ROOT, VALUE(NDP_ROOT_FUNCTION), SHARING, EXCEPT(VALUE(NDP_SHARING_NONE)), FUNCTION, CELL_FILLERS),
    /* A position needs its place. */
    FORBID(POSITION, VALUE(NDP_POSITION_CELL), CLOSURE, VALUE(NDP_CLOSURE_NONE)),
    FORBID_3(POSITION, VALUE(NDP_POSITION_CELL), CLOSURE, VALUE(NDP_CLOSURE_ONE), FUNCTION, CELL_FILLERS),
    FORBID(POSITION, VALUE(NDP_POSITION_DEFAULT), SIGNATURE,
           EXCEPT(VALUE(NDP_SIGNATURE_DEFAULT) | VALUE(NDP_SIGNATURE_DEFAULTS))),
    FORBID(POSITION, VALUE(NDP_POSITION_KWDEFAULT), SIGNATURE,
           EXCEPT(VALUE(NDP_SIGNATURE_KWDEFAULT) | VALUE(NDP_SIGNATURE_DEFAULTS))),
    FORBID(POSITION, VALUE(NDP_POSITION_ATTRIBUTE), SIGNATURE, EXCEPT(VALUE(NDP_SIGNATURE_ATTRIBUTE))),
    FORBID(POSITION, VALUE(NDP_POSITION_ANNOTATION), SIGNATURE, EXCEPT(VALUE(NDP_SIGNATURE_ANNOTATIONS))),
    FORBID(POSITION, VALUE(NDP_POSITION_GLOBAL), FUNCTION,
           EXCEPT(VALUE(NDP_PLAN_FUNCTION_LATE) | VALUE(NDP_PLAN_FUNCTION_DEEP))),
    FORBID(POSITION, VALUE(NDP_POSITION_ARGUMENT), CALLER,
           EXCEPT(VALUE(NDP_CALLER_PARTIAL) | VALUE(NDP_CALLER_KEYWORDS) | VALUE(NDP_CALLER_BOTH))),
    FORBID(POSITION, VALUE(NDP_POSITION_SELF), CALLER, EXCEPT(VALUE(NDP_CALLER_METHOD))),
    /* Functions. */
    FORBID(FUNCTION, MODULE_FUNCTIONS, CLOSURE, EXCEPT(VALUE(NDP_CLOSURE_NONE))),
    FORBID(FUNCTION, MODULE_FUNCTIONS, SIGNATURE, EXCEPT(VALUE(NDP_SIGNATURE_PLAIN))),
    FORBID(FUNCTION, CELL_FILLERS, CLOSURE, VALUE(NDP_CLOSURE_NONE)),
    /* Classes and their extras. */
    FORBID(CLASS, BARE_CLASSES, EXTRA, EXCEPT(VALUE(NDP_EXTRA_NONE))),
    FORBID(CLASS, VALUE(NDP_PLANNED_MASKED), EXTRA, EXCEPT(VALUE(NDP_EXTRA_NONE) | MASK_EXTRAS)),
    FORBID(CLASS, VALUE(NDP_PLANNED_PLAIN), EXTRA, EXCEPT(VALUE(NDP_EXTRA_NONE) | ATTRIBUTE_EXTRAS)),
    FORBID(CLASS, EXTRA_CLASSES, EXTRA, EXCEPT(ATTRIBUTE_EXTRAS)),
    FORBID(CLASS, REBUILT_CLASSES, EXTRA, VALUE(NDP_EXTRA_ITSELF)),
    FORBID(CLASS, VALUE(NDP_PLANNED_PROXY), EXTRA, EXCEPT(VALUE(NDP_EXTRA_ARRAY) | VALUE(NDP_EXTRA_VIEW))),
    FORBID(CLASS, VALUE(NDP_PLANNED_QUANTITY), EXTRA, EXCEPT(VALUE(NDP_EXTRA_TEXT))),
    FORBID(EXTRA, VALUE(NDP_EXTRA_NO_MASK), ELEMENT, RECORDS),
    FORBID(EXTRA, VALUE(NDP_EXTRA_F_MASK), LAYOUT, FLAT_ONES),
    FORBID(EXTRA, VALUE(NDP_EXTRA_FULL_MASK), SIZE, VALUE(NDP_SIZE_EMPTY)),
    FORBID(EXTRA, VALUE(NDP_EXTRA_SHARED_MASK), SHARING, EXCEPT(VALUE(NDP_SHARING_OTHER))),
    /* Classes and their arrays. */
    FORBID(CLASS, VALUE(NDP_PLANNED_RECARRAY), ELEMENT, EXCEPT(RECORDS)),
    FORBID(CLASS, VALUE(NDP_PLANNED_QUANTITY), ELEMENT, EXCEPT(QUANTITY_ELEMENTS)),
    FORBID(CLASS, VALUE(NDP_PLANNED_CUDF), ELEMENT, EXCEPT(VALUE(NDP_ELEMENT_FLOAT))),
    FORBID(CLASS, VALUE(NDP_PLANNED_CUDF), LAYOUT, EXCEPT(VALUE(NDP_PLAN_LAYOUT_LINE))),
    FORBID(CLASS, VALUE(NDP_PLANNED_CUDF), SIZE, EXCEPT(VALUE(NDP_SIZE_SMALL))),
    FORBID(CLASS, VALUE(NDP_PLANNED_CUDF), MEMORY, EXCEPT(VALUE(NDP_PLAN_MEMORY_OWN))),
    FORBID(CLASS, VALUE(NDP_PLANNED_MATRIX), LAYOUT,
           FLAT_ONES | VALUE(NDP_PLAN_LAYOUT_C_DEEP) | VALUE(NDP_PLAN_LAYOUT_F_DEEP)),
    FORBID(CLASS, VALUE(NDP_PLANNED_SCALAR), ELEMENT, FOREIGN_ELEMENTS),
    FORBID(CLASS, VALUE(NDP_PLANNED_SCALAR), LAYOUT, EXCEPT(VALUE(NDP_PLAN_LAYOUT_SCALAR))),
    FORBID(CLASS, VALUE(NDP_PLANNED_SCALAR), SIZE, EXCEPT(VALUE(NDP_SIZE_SMALL))),
    FORBID(CLASS, VALUE(NDP_PLANNED_SCALAR), MEMORY, EXCEPT(VALUE(NDP_PLAN_MEMORY_OWN))),
    FORBID(CLASS, VALUE(NDP_PLANNED_SCALAR), SHARING,
           VALUE(NDP_SHARING_VIEW) | VALUE(NDP_SHARING_PART) | VALUE(NDP_SHARING_VIEWS)),
    /* A masked array copies the attributes of a map that it is made from (numpy/ma/core.py, _update_from), which the
     * model does not have. */
    FORBID(CLASS, VALUE(NDP_PLANNED_MASKED), MEMORY, VALUE(NDP_PLAN_MEMORY_MAP) | VALUE(NDP_PLAN_MEMORY_MAP_PART)),
    /* Arrays. */
    FORBID(SIZE, VALUE(NDP_SIZE_EMPTY), LAYOUT, EXCEPT(WHOLE_ONES)),
    FORBID(SIZE, VALUE(NDP_SIZE_ONE), LAYOUT, VALUE(NDP_PLAN_LAYOUT_REPEATED)),
    FORBID(SIZE, VALUE(NDP_SIZE_HUGE), LAYOUT,
           EXCEPT(VALUE(NDP_PLAN_LAYOUT_LINE) | VALUE(NDP_PLAN_LAYOUT_C) | VALUE(NDP_PLAN_LAYOUT_F) |
                  VALUE(NDP_PLAN_LAYOUT_STRIDED))),
    FORBID(LAYOUT, VALUE(NDP_PLAN_LAYOUT_SCALAR), SIZE, EXCEPT(VALUE(NDP_SIZE_SMALL))),
    FORBID(SIZE, VALUE(NDP_SIZE_EMPTY), MEMORY, VALUE(NDP_PLAN_MEMORY_MAP)), /* NumPy before 2.2 refuses it */
    /* The garbage collector does not see the base of an array, so Python never frees this cycle (NumPy, arrayobject.c:
     * PyArray_Type has no tp_traverse). */
    FORBID(EXTRA, VALUE(NDP_EXTRA_VIEW), MEMORY, VALUE(NDP_PLAN_MEMORY_MAP) | VALUE(NDP_PLAN_MEMORY_MAP_PART)),
    /* Sharing. */
    FORBID(SHARING, VALUE(NDP_SHARING_PART), LAYOUT, VALUE(NDP_PLAN_LAYOUT_SCALAR)),
    FORBID(SHARING, VALUE(NDP_SHARING_PART), SIZE, VALUE(NDP_SIZE_ONE) | VALUE(NDP_SIZE_EMPTY)),
    FORBID(SHARING, VALUE(NDP_SHARING_VIEWS), CLASS, EXCEPT(VALUE(NDP_PLANNED_NDARRAY))),
    FORBID(SHARING, VALUE(NDP_SHARING_ALIKE), EXTRA, VALUE(NDP_EXTRA_VIEW) | VALUE(NDP_EXTRA_ITSELF)),
};

/* Returns the values of parameter `at`, as bits, that the values of the other parameters forbid by one line. */
static uint32_t forbidden_by(const struct forbidden *line, const uint8_t *values, uint32_t at) {
    uint32_t own = 0;
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(line->with) && line->with[i].values != 0; i++) {
        const uint32_t bits = line->with[i].values;
        const uint8_t parameter = line->with[i].parameter;
        if (parameter == at)
            own = bits;
        else if (values[parameter] == NDP_COVERING_FREE || (bits >> values[parameter] & 1) == 0)
            return 0;
    }
    return own;
}

static uint32_t forbidden_values(const uint8_t *values, uint32_t at) {
    uint32_t bits = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(forbidden); i++)
        if ((forbidden[i].parameters >> at & 1) != 0) bits |= forbidden_by(&forbidden[i], values, at);
    return bits;
}

static bool is_forbidden(const uint8_t *values) {
    for (uint32_t at = 0; at < NDP_PLAN_COUNT; at++)
        if (values[at] != NDP_COVERING_FREE && (forbidden_values(values, at) >> values[at] & 1) != 0) return true;
    return false;
}

/* ---- the model ---- */

#define PARAMETER(word, list)                                                                                          \
    {                                                                                                                  \
        .name = word, .values = (const char *const[]){list(NDP_WORD_ITEM)},                                            \
        .count = NDP_ARRAY_LEN(((const char *[]){list(NDP_WORD_ITEM)}))                                                \
    }
#define PARAMETERS                                                                                                     \
    {                                                                                                                  \
        [NDP_PLAN_ROOT] = PARAMETER("root", NDP_ROOT_LIST),                                                            \
        [NDP_PLAN_CLASS] = PARAMETER("class", NDP_PLANNED_CLASS_LIST),                                                 \
        [NDP_PLAN_FUNCTION] = PARAMETER("function", NDP_PLAN_FUNCTION_LIST),                                           \
        [NDP_PLAN_POSITION] = PARAMETER("position", NDP_POSITION_LIST),                                                \
        [NDP_PLAN_CALLER] = PARAMETER("caller", NDP_CALLER_LIST),                                                      \
        [NDP_PLAN_SIGNATURE] = PARAMETER("signature", NDP_SIGNATURE_LIST),                                             \
        [NDP_PLAN_CLOSURE] = PARAMETER("closure", NDP_CLOSURE_LIST),                                                   \
        [NDP_PLAN_EXTRA] = PARAMETER("extra", NDP_EXTRA_LIST),                                                         \
        [NDP_PLAN_SHARING] = PARAMETER("sharing", NDP_SHARING_LIST),                                                   \
        [NDP_PLAN_ELEMENT] = PARAMETER("element", NDP_ELEMENT_LIST),                                                   \
        [NDP_PLAN_LAYOUT] = PARAMETER("layout", NDP_PLAN_LAYOUT_LIST),                                                 \
        [NDP_PLAN_SIZE] = PARAMETER("size", NDP_SIZE_LIST),                                                            \
        [NDP_PLAN_MEMORY] = PARAMETER("memory", NDP_PLAN_MEMORY_LIST),                                                 \
        [NDP_PLAN_SCALAR] = PARAMETER("scalar", NDP_SCALAR_LIST),                                                      \
    }

static ndp_covering_rule is_possible, is_possible_without_functions, is_permitted_further;

static const struct ndp_covering_model models[] = {
    {.parameters = PARAMETERS, .count = NDP_PLAN_COUNT, .rule = is_possible, .further_rule = is_permitted_further},
    {.parameters = PARAMETERS,
     .count = NDP_PLAN_COUNT,
     .rule = is_possible_without_functions,
     .further_rule = is_permitted_further},
};

const struct ndp_covering_model *ndp_graph_plan_model(bool for_objects_only, bool without_functions) {
    (void)for_objects_only; /* the features of the object array are those of any root */
    return &models[without_functions];
}

void ndp_graph_plan_without_functions(struct ndp_covering_row *row) {
    uint8_t none[NDP_PLAN_COUNT];
    memset(none, NDP_COVERING_FREE, sizeof none);
    row->values[NDP_PLAN_FUNCTION] = none[NDP_PLAN_FUNCTION] = NDP_PLAN_FUNCTION_NONE;
    for (uint32_t at = 0; at < NDP_PLAN_COUNT; at++)
        if (row->values[at] != NDP_COVERING_FREE && (forbidden_values(none, at) >> row->values[at] & 1) != 0)
            row->values[at] = NDP_COVERING_FREE;
}

const char *ndp_plan_class_word(uint8_t planned) {
    return models[0].parameters[NDP_PLAN_CLASS].values[planned];
}

/* ---- completion ---- */

/* A search that exceeds this has never been seen; it ends as if there were no completion. */
enum { MAX_TRIES = 10000 };

/* Fills the free values from parameter `at` on. Each starts at its first value. Recursion is as deep as the model has
 * parameters. */
static bool complete_from(uint8_t *values, const uint8_t *first, uint32_t at, uint32_t *tries) {
    while (at < NDP_PLAN_COUNT && values[at] != NDP_COVERING_FREE) at++;
    if (at == NDP_PLAN_COUNT) return true;
    const uint32_t count = models[0].parameters[at].count, no = forbidden_values(values, at);
    for (uint32_t i = 0; i < count && *tries < MAX_TRIES; i++) {
        const uint32_t value = (first[at] + i) % count;
        if ((no >> value & 1) != 0) continue;
        values[at] = (uint8_t)value;
        ++*tries;
        if (complete_from(values, first, at + 1, tries)) return true;
    }
    values[at] = NDP_COVERING_FREE;
    return false;
}

bool ndp_plan_complete(struct ndp_choices *choices, struct ndp_covering_row *row) {
    enum { SHARES = 16 };
    static const uint8_t shares[NDP_PLAN_COUNT] = {NDP_PLAN_LIST(NDP_PLAN_SHARE)};
    static const uint8_t usual[NDP_PLAN_COUNT] = {NDP_PLAN_LIST(NDP_PLAN_USUAL)};
    uint8_t first[NDP_PLAN_COUNT] = {0};
    uint32_t tries = 0;
    if (is_forbidden(row->values)) return false;
    for (uint32_t i = 0; i < NDP_PLAN_COUNT; i++) {
        if (row->values[i] != NDP_COVERING_FREE) continue;
        const uint64_t count = models[0].parameters[i].count, drawn = ndp_choose(choices, SHARES * count);
        first[i] = (uint8_t)(drawn < (SHARES - shares[i]) * count ? drawn % count : usual[i]);
    }
    return complete_from(row->values, first, 0, &tries);
}

static bool is_possible(const void *context, const struct ndp_covering_row *row) {
    (void)context;
    return !is_forbidden(row->values);
}

static bool is_possible_without_functions(const void *context, const struct ndp_covering_row *row) {
    struct ndp_covering_row whole = *row;
    if (whole.values[NDP_PLAN_FUNCTION] == NDP_COVERING_FREE) whole.values[NDP_PLAN_FUNCTION] = NDP_PLAN_FUNCTION_NONE;
    return whole.values[NDP_PLAN_FUNCTION] == NDP_PLAN_FUNCTION_NONE && is_possible(context, &whole);
}

static bool is_permitted_further(const void *context, const struct ndp_covering_row *row) {
    (void)context;
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(forbidden); i++) {
        const struct forbidden *line = &forbidden[i];
        bool applies = line->with[2].values != 0;
        for (uint32_t k = 0; applies && k < 3; k++) {
            const uint8_t value = row->values[line->with[k].parameter];
            applies = value != NDP_COVERING_FREE && (line->with[k].values >> value & 1) != 0;
        }
        if (applies) return false;
    }
    return true;
}
