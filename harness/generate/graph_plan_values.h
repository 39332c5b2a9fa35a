/* graph_plan_values.h: the parameters of a plan (graph_plan.h) and their values. Private to generate/. */
#ifndef NDP_GRAPH_PLAN_VALUES_H
#define NDP_GRAPH_PLAN_VALUES_H

#include "generate/graph_draft.h"
#include "generate/graph_plan.h"

/* Parameters, in the order of choices: those that restrict others come first. enum name, word, how many of 16 free
 * values are the usual one without further choice, the usual value */
#define NDP_PLAN_LIST(X)                                                                                               \
    X(ROOT, "root", 0, 0)                                                                                              \
    X(CLASS, "class", 3, NDP_PLANNED_MASKED)                                                                           \
    X(FUNCTION, "function", 3, 0)                                                                                      \
    X(POSITION, "position", 4, 0)                                                                                      \
    X(CALLER, "caller", 5, 0)                                                                                          \
    X(SIGNATURE, "signature", 1, 0)                                                                                    \
    X(CLOSURE, "closure", 3, 0)                                                                                        \
    X(EXTRA, "extra", 1, 0)                                                                                            \
    X(SHARING, "sharing", 6, 0)                                                                                        \
    X(ELEMENT, "element", 1, NDP_ELEMENT_DEEP)                                                                         \
    X(LAYOUT, "layout", 4, 0)                                                                                          \
    X(SIZE, "size", 12, 0)                                                                                             \
    X(MEMORY, "memory", 9, 0)                                                                                          \
    X(SCALAR, "scalar", 8, 0)

#define NDP_PLAN_ENUM(name, word, share, usual)  NDP_PLAN_##name,
#define NDP_PLAN_SHARE(name, word, share, usual) share,
#define NDP_PLAN_USUAL(name, word, share, usual) usual,
enum ndp_plan_parameter { NDP_PLAN_LIST(NDP_PLAN_ENUM) NDP_PLAN_COUNT };

/* The root of the graph. NESTED: a list of one container; WIDE: at least NDP_PLAN_WIDE items; OBJECTS_F: two axes in
 * Fortran order; STRINGS: an array of strings of any length alone. */
#define NDP_ROOT_LIST(X)                                                                                               \
    X(LIST, "list")                                                                                                    \
    X(ARRAY, "array")                                                                                                  \
    X(FUNCTION, "function")                                                                                            \
    X(TUPLE, "tuple")                                                                                                  \
    X(DICT, "dict")                                                                                                    \
    X(NESTED, "nested")                                                                                                \
    X(WIDE, "wide")                                                                                                    \
    X(OBJECTS, "objects")                                                                                              \
    X(OBJECTS_F, "objects-f")                                                                                          \
    X(STRINGS, "strings")
#define NDP_ROOT_ENUM(name, word) NDP_ROOT_##name,
enum ndp_plan_root { NDP_ROOT_LIST(NDP_ROOT_ENUM) NDP_ROOT_COUNT };
enum { NDP_PLAN_WIDE = 16 };

/* Value 0 of the class is no array. The others are classes, without those that another parameter expresses: a memmap
 * is memory of an array. */
#define NDP_PLANNED_CLASS_LIST(X)                                                                                      \
    X(NONE, "none")                                                                                                    \
    X(NDARRAY, "ndarray")                                                                                              \
    X(MATRIX, "matrix")                                                                                                \
    X(RECARRAY, "recarray")                                                                                            \
    X(MASKED, "MaskedArray")                                                                                           \
    X(PLAIN, "plain")                                                                                                  \
    X(FINALIZE_NONE, "finalize_none")                                                                                  \
    X(FINALIZE_GETATTR, "finalize_getattr")                                                                            \
    X(REDUCE_SETSTATE, "reduce_setstate")                                                                              \
    X(REDUCE_PAIR, "reduce_pair")                                                                                      \
    X(REDUCE_ONLY, "reduce_only")                                                                                      \
    X(REDUCE_EX, "reduce_ex")                                                                                          \
    X(SLOTS, "slots")                                                                                                  \
    X(PROXY, "proxy")                                                                                                  \
    X(QUANTITY, "Quantity")                                                                                            \
    X(CUDF, "cudf.pandas")                                                                                             \
    X(SCALAR, "scalar")
#define NDP_PLANNED_CLASS_ENUM(name, word) NDP_PLANNED_##name,
enum ndp_planned_class { NDP_PLANNED_CLASS_LIST(NDP_PLANNED_CLASS_ENUM) NDP_PLANNED_COUNT };

/* Places of the main array. ITEM: the root, or in a container. */
#define NDP_POSITION_LIST(X)                                                                                           \
    X(ITEM, "item")                                                                                                    \
    X(CELL, "cell")                                                                                                    \
    X(DEFAULT, "default")                                                                                              \
    X(KWDEFAULT, "kwdefault")                                                                                          \
    X(GLOBAL, "global")                                                                                                \
    X(ATTRIBUTE, "function-attribute")                                                                                 \
    X(ANNOTATION, "annotation")                                                                                        \
    X(ARGUMENT, "argument")                                                                                            \
    X(SELF, "self")
#define NDP_POSITION_ENUM(name, word) NDP_POSITION_##name,
enum ndp_plan_position { NDP_POSITION_LIST(NDP_POSITION_ENUM) NDP_POSITION_COUNT };

/* The elements of the main array. RECORD: a structure of leaves; DEEP: with structures or sub-arrays. */
#define NDP_ELEMENT_LIST(X)                                                                                            \
    X(BYTE, "byte")                                                                                                    \
    X(BOOL, "bool")                                                                                                    \
    X(INT, "int")                                                                                                      \
    X(INT_BIG, "int-big")                                                                                              \
    X(FLOAT, "float")                                                                                                  \
    X(FLOAT_BIG, "float-big")                                                                                          \
    X(HALF, "half")                                                                                                    \
    X(LONGDOUBLE, "longdouble")                                                                                        \
    X(COMPLEX, "complex")                                                                                              \
    X(COMPLEX_BIG, "complex-big")                                                                                      \
    X(DATETIME, "datetime")                                                                                            \
    X(TIMEDELTA, "timedelta")                                                                                          \
    X(BYTES, "bytes")                                                                                                  \
    X(TEXT, "text")                                                                                                    \
    X(VOID, "void")                                                                                                    \
    X(RECORD, "record")                                                                                                \
    X(DEEP, "deep-record")
#define NDP_ELEMENT_ENUM(name, word) NDP_ELEMENT_##name,
enum ndp_plan_element { NDP_ELEMENT_LIST(NDP_ELEMENT_ENUM) NDP_ELEMENT_COUNT };

/* LINE, SCALAR: one axis, none. C, F: two or three axes; the DEEP ones four or more. STRIDED: every second element of
 * an axis; REVERSED: a negative stride; PART: contiguous behind the start of its base; REPEATED: a stride of 0. Other
 * views have no value. */
#define NDP_PLAN_LAYOUT_LIST(X)                                                                                        \
    X(LINE, "line")                                                                                                    \
    X(SCALAR, "0-d")                                                                                                   \
    X(C, "C")                                                                                                          \
    X(F, "F")                                                                                                          \
    X(C_DEEP, "C-deep")                                                                                                \
    X(F_DEEP, "F-deep")                                                                                                \
    X(STRIDED, "strided")                                                                                              \
    X(REVERSED, "reversed")                                                                                            \
    X(PART, "part")                                                                                                    \
    X(PERMUTED, "permuted")                                                                                            \
    X(REPEATED, "repeated")
#define NDP_PLAN_LAYOUT_ENUM(name, word) NDP_PLAN_LAYOUT_##name,
enum ndp_plan_layout { NDP_PLAN_LAYOUT_LIST(NDP_PLAN_LAYOUT_ENUM) NDP_PLAN_LAYOUT_COUNT };

/* Bytes of the elements: more than NDP_PLAN_INLINE_BYTES, from which libraries alias a buffer, or than a pipe takes. */
#define NDP_SIZE_LIST(X)                                                                                               \
    X(SMALL, "small")                                                                                                  \
    X(ONE, "one-element")                                                                                              \
    X(EMPTY, "empty")                                                                                                  \
    X(LARGE, "over-1000-bytes")                                                                                        \
    X(HUGE, "over-64-KiB")
#define NDP_SIZE_ENUM(name, word) NDP_SIZE_##name,
enum ndp_plan_size { NDP_SIZE_LIST(NDP_SIZE_ENUM) NDP_SIZE_COUNT };
enum { NDP_PLAN_INLINE_BYTES = 1000, NDP_PLAN_PIPE_BYTES = 1 << 16 };

#define NDP_PLAN_MEMORY_LIST(X)                                                                                        \
    X(OWN, "own")                                                                                                      \
    X(FLAG, "read-only")                                                                                               \
    X(READONLY, "read-only-memory")                                                                                    \
    X(MISALIGNED, "misaligned")                                                                                        \
    X(MAP, "memmap")                                                                                                   \
    X(MAP_PART, "memmap-offset")
#define NDP_PLAN_MEMORY_ENUM(name, word) NDP_PLAN_MEMORY_##name,
enum ndp_plan_memory { NDP_PLAN_MEMORY_LIST(NDP_PLAN_MEMORY_ENUM) NDP_PLAN_MEMORY_COUNT };

/* The addition of a class to an array: its attribute, or its mask; without any of these a masked array has a mask. */
#define NDP_EXTRA_LIST(X)                                                                                              \
    X(NONE, "none")                                                                                                    \
    X(NUMBER, "number")                                                                                                \
    X(TEXT, "text")                                                                                                    \
    X(BYTES, "bytes")                                                                                                  \
    X(CONSTANT, "constant")                                                                                            \
    X(ARRAY, "array")                                                                                                  \
    X(VIEW, "view-of-itself")                                                                                          \
    X(ITSELF, "itself")                                                                                                \
    X(DICT, "dict")                                                                                                    \
    X(SEVERAL, "several")                                                                                              \
    X(NO_MASK, "no-mask")                                                                                              \
    X(FULL_MASK, "full-mask")                                                                                          \
    X(F_MASK, "F-mask")                                                                                                \
    X(SHARED_MASK, "shared-mask")                                                                                      \
    X(HARD_MASK, "hard-mask")                                                                                          \
    X(FILL_VALUE, "fill-value")
#define NDP_EXTRA_ENUM(name, word) NDP_EXTRA_##name,
enum ndp_plan_extra { NDP_EXTRA_LIST(NDP_EXTRA_ENUM) NDP_EXTRA_COUNT };

/* Other references to the main array or its memory. VIEWS: only views, not the array itself. ALIKE: another array with
 * the same content; OTHER: any other array. CYCLE: a container refers to the root. */
#define NDP_SHARING_LIST(X)                                                                                            \
    X(NONE, "none")                                                                                                    \
    X(OTHER, "other-array")                                                                                            \
    X(TWICE, "twice")                                                                                                  \
    X(VIEW, "view")                                                                                                    \
    X(PART, "part-view")                                                                                               \
    X(VIEWS, "views-only")                                                                                             \
    X(ALIKE, "equal-array")                                                                                            \
    X(CYCLE, "cycle")
#define NDP_SHARING_ENUM(name, word) NDP_SHARING_##name,
enum ndp_plan_sharing { NDP_SHARING_LIST(NDP_SHARING_ENUM) NDP_SHARING_COUNT };

/* MODULE: importable. DECORATED: importable, but hidden by its decorator. The others are codes (graph_words.h). */
#define NDP_PLAN_FUNCTION_LIST(X)                                                                                      \
    X(NONE, "none")                                                                                                    \
    X(MODULE, "module")                                                                                                \
    X(DECORATED, "decorated")                                                                                          \
    X(IDENTITY, "identity")                                                                                            \
    X(CONST, "const")                                                                                                  \
    X(ADD, "add")                                                                                                      \
    X(COUNTER, "counter")                                                                                              \
    X(RECURSE, "recurse")                                                                                              \
    X(MUTUAL, "mutual")                                                                                                \
    X(LATE, "late")                                                                                                    \
    X(DEEP, "deep")                                                                                                    \
    X(CALL, "call")                                                                                                    \
    X(INNER, "nested")
#define NDP_PLAN_FUNCTION_ENUM(name, word) NDP_PLAN_FUNCTION_##name,
enum ndp_plan_function { NDP_PLAN_FUNCTION_LIST(NDP_PLAN_FUNCTION_ENUM) NDP_PLAN_FUNCTION_COUNT };

/* The cells of the function; SHARED: with another function. */
#define NDP_CLOSURE_LIST(X)                                                                                            \
    X(NONE, "none")                                                                                                    \
    X(ONE, "one-cell")                                                                                                 \
    X(TWO, "two-cells")                                                                                                \
    X(MANY, "many-cells")                                                                                              \
    X(EMPTY, "empty-cell")                                                                                             \
    X(SHARED, "shared-cell")
#define NDP_CLOSURE_ENUM(name, word) NDP_CLOSURE_##name,
enum ndp_plan_closure { NDP_CLOSURE_LIST(NDP_CLOSURE_ENUM) NDP_CLOSURE_COUNT };

/* Defaults, attributes and description of the function. */
#define NDP_SIGNATURE_LIST(X)                                                                                          \
    X(PLAIN, "plain")                                                                                                  \
    X(DEFAULT, "default")                                                                                              \
    X(KWDEFAULT, "kwdefault")                                                                                          \
    X(DEFAULTS, "defaults")                                                                                            \
    X(ATTRIBUTE, "attribute")                                                                                          \
    X(OWN, "attribute-itself")                                                                                         \
    X(DOC, "doc")                                                                                                      \
    X(QUALNAME, "qualname")                                                                                            \
    X(MODULE, "other-module")                                                                                          \
    X(ANNOTATIONS, "annotations")
#define NDP_SIGNATURE_ENUM(name, word) NDP_SIGNATURE_##name,
enum ndp_plan_signature { NDP_SIGNATURE_LIST(NDP_SIGNATURE_ENUM) NDP_SIGNATURE_COUNT };

/* The object that calls the function. */
#define NDP_CALLER_LIST(X)                                                                                             \
    X(NONE, "none")                                                                                                    \
    X(VECTORIZE, "vectorize")                                                                                          \
    X(OTYPES, "vectorize-otypes")                                                                                      \
    X(VECTOR_SIGNATURE, "vectorize-signature")                                                                         \
    X(EXCLUDED, "vectorize-excluded")                                                                                  \
    X(CALLED, "vectorize-called")                                                                                      \
    X(FROMPYFUNC, "frompyfunc")                                                                                        \
    X(METHOD, "method")                                                                                                \
    X(PARTIAL, "partial")                                                                                              \
    X(KEYWORDS, "partial-keywords")                                                                                    \
    X(BOTH, "partial-both")
#define NDP_CALLER_ENUM(name, word) NDP_CALLER_##name,
enum ndp_plan_caller { NDP_CALLER_LIST(NDP_CALLER_ENUM) NDP_CALLER_COUNT };

/* The first item of the container. */
#define NDP_SCALAR_LIST(X)                                                                                             \
    X(NONE, "none")                                                                                                    \
    X(INT, "int")                                                                                                      \
    X(LONG, "long-int")                                                                                                \
    X(FLOAT, "float")                                                                                                  \
    X(TEXT, "text")                                                                                                    \
    X(UNICODE, "unicode")                                                                                              \
    X(BYTES, "bytes")                                                                                                  \
    X(BOOL, "bool")                                                                                                    \
    X(CONSTANT, "None")                                                                                                \
    X(LIST, "empty-list")                                                                                              \
    X(TUPLE, "empty-tuple")                                                                                            \
    X(DICT, "empty-dict")                                                                                              \
    X(STRINGS, "strings")
#define NDP_SCALAR_ENUM(name, word) NDP_SCALAR_##name,
enum ndp_plan_scalar { NDP_SCALAR_LIST(NDP_SCALAR_ENUM) NDP_SCALAR_COUNT };

/* The word of the class of a value of CLASS. */
const char *ndp_plan_class_word(uint8_t planned);

/* Fills the free parameters of the row, at random, with values that the rule of the model accepts. One choice each.
 * Returns false if there are none. */
bool ndp_plan_complete(struct ndp_choices *choices, struct ndp_covering_row *row);

/* A graph under construction by a plan. */
struct ndp_plan_draft {
    struct ndp_graph_draft *d; /* borrowed */
    const uint8_t *row;        /* values of NDP_PLAN_COUNT parameters; none is free */
    uint32_t main, second;     /* the main array, or a view of it, and the other object; NDP_GRAPH_UNSET: none */
    uint32_t peer;             /* another function, or NDP_GRAPH_UNSET */
    bool is_any;               /* the row left the content of the main array to chance */
};

/* Adds the main array and its companion, and sets `main` and `second`. */
void ndp_plan_add_arrays(struct ndp_plan_draft *plan);

/* Adds the function and its caller, and sets `peer`. Returns the caller, or the function that has none. */
uint32_t ndp_plan_add_function(struct ndp_plan_draft *plan);

#endif
