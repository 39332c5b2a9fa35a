/* object.h: Python objects as symbols: what a pickle stands for when nothing of it is executed.
 *
 * An object is a node; edges are pointers, may be shared and may form cycles. Scalars and containers are themselves; a
 * class or function is its name (GLOBAL); what a pickle would call is a CALL: callable, arguments, and what was done
 * to the result. All memory is the arena's, large byte strings of streams apart. Walks over objects are iterative or
 * bounded in depth.
 * Source: CPython 3.8 to 3.13, Lib/pickle.py and Lib/pickletools.py.
 */
#ifndef NDP_OBJECT_H
#define NDP_OBJECT_H

#include "codec/source.h"

/* enum name, what it is */
#define NDP_OBJECT_LIST(X)                                                                                             \
    X(NONE, "None")                                                                                                    \
    X(BOOL, "bool")                                                                                                    \
    X(INT, "int")                                                                                                      \
    X(FLOAT, "float")                                                                                                  \
    X(BYTES, "bytes")                                                                                                  \
    X(BYTEARRAY, "bytearray")                                                                                          \
    X(TEXT, "str")                                                                                                     \
    X(STRING, "str of Python 2")                                                                                       \
    X(LIST, "list")                                                                                                    \
    X(TUPLE, "tuple")                                                                                                  \
    X(DICT, "dict")                                                                                                    \
    X(SET, "set")                                                                                                      \
    X(FROZENSET, "frozenset")                                                                                          \
    X(GLOBAL, "global name")                                                                                           \
    X(CALL, "object")                                                                                                  \
    X(BUFFER, "out-of-band buffer")                                                                                    \
    X(RAW, "object with raw bytes behind it")

enum ndp_object_kind {
#define NDP_OBJECT_ENUM(name, text) NDP_OBJECT_##name,
    NDP_OBJECT_LIST(NDP_OBJECT_ENUM)
#undef NDP_OBJECT_ENUM
        NDP_OBJECT_COUNT
};

struct ndp_object;
struct ndp_elements;
struct ndp_joblib_wrapper;

/* Grows; owned by the arena. */
struct ndp_object_list {
    struct ndp_object **items;
    uint64_t count;
    uint64_t capacity;
};

/* INSTANCE is Python 2's INST and OBJ: an old-style class is instantiated. */
enum ndp_call_how { NDP_CALL_REDUCE, NDP_CALL_NEWOBJ, NDP_CALL_NEWOBJ_EX, NDP_CALL_INSTANCE };

struct ndp_call {
    enum ndp_call_how how;
    struct ndp_object *callable;  /* GLOBAL or CALL */
    struct ndp_object *args;      /* TUPLE */
    struct ndp_object *kwargs;    /* DICT: NEWOBJ_EX; else NULL */
    struct ndp_object_list items; /* appended to the result */
    struct ndp_object_list pairs; /* set in the result: key, value, key, value... */
    struct ndp_object *state;     /* handed to it by BUILD or by `setter`; or NULL */
    struct ndp_object *setter;    /* called as setter(result, state); or NULL for BUILD */
};

struct ndp_global {
    struct ndp_object *module; /* TEXT, the name that Python 3 has */
    struct ndp_object *name;   /* TEXT; dots for what is inside a class */
};

struct ndp_raw {
    struct ndp_object *wrapper;
    /* Of an array that was read: what the wrapper said where its bytes stand (codec/joblib/joblib_wrapper.h), whatever
     * its state has become behind them; or NULL. */
    const struct ndp_joblib_wrapper *said;
    uint64_t offset_bytes; /* of `bytes` in the input */
    struct ndp_bytes bytes;
    struct ndp_object *nested;           /* what a pickle of its own in the place of `bytes` holds; or NULL */
    const struct ndp_elements *elements; /* to be written: the array (codec/strided.h) whose bytes they are; or NULL */
};

struct ndp_object {
    enum ndp_object_kind kind;
    bool is_big;           /* INT: `bytes` is the number: two's complement, low byte first, the shortest */
    bool truth;            /* BOOL */
    bool is_readonly;      /* BUFFER; BYTES that were a read-only PickleBuffer are plain BYTES */
    uint32_t number;       /* its own among the objects of one space, dense from 0 */
    uint64_t offset_bytes; /* of the opcode that made it, or NDP_NO_OFFSET */
    union {
        int64_t integer;        /* INT that fits */
        double real;            /* FLOAT, by its bits */
        struct ndp_bytes bytes; /* BYTES, BYTEARRAY; TEXT: generalised UTF-8 (base/text.h); STRING: bytes that latin-1
                                 reads as text; INT that does not fit */
        struct ndp_object_list list; /* LIST, TUPLE, SET, FROZENSET; DICT: key, value, key, value... */
        struct ndp_global global;    /* GLOBAL */
        struct ndp_call *call;       /* CALL */
        struct ndp_raw *raw;         /* RAW */
        uint64_t index;              /* BUFFER: which of those given */
    };
};

/* Makes objects. Owns the blobs; the arena (borrowed) owns everything else. */
struct ndp_objects {
    struct ndp_arena *arena;
    uint32_t count;
    struct ndp_object *none;
    struct ndp_object *truths[2];
    struct ndp_object *empty_tuple;
    struct ndp_object_blob *blobs;
};

void ndp_objects_init(struct ndp_objects *objects, struct ndp_arena *arena);

/* Frees the blobs; to be called before the arena is cleared. */
void ndp_objects_clear(struct ndp_objects *objects);

/* The blob's memory becomes the space's. Errors: NOMEM, and then it is freed. */
enum ndp_status ndp_objects_keep(struct ndp_objects *objects, struct ndp_blob *blob) NDP_MUST_USE;

/* Gives the memory that starts at `data` to the caller, or NULL when the space does not own it. */
uint8_t *ndp_objects_release(struct ndp_objects *objects, const uint8_t *data) NDP_MUST_USE;

/* New objects of the arena, or NULL without memory. Bytes and names are borrowed; NONE, BOOL and the empty TUPLE are
 * the same ones each time. */
struct ndp_object *ndp_object_new(struct ndp_objects *objects, enum ndp_object_kind kind) NDP_MUST_USE;
struct ndp_object *ndp_object_none(struct ndp_objects *objects) NDP_MUST_USE;
struct ndp_object *ndp_object_bool(struct ndp_objects *objects, bool truth) NDP_MUST_USE;
struct ndp_object *ndp_object_int(struct ndp_objects *objects, int64_t integer) NDP_MUST_USE;
struct ndp_object *ndp_object_float(struct ndp_objects *objects, double real) NDP_MUST_USE;
struct ndp_object *ndp_object_bytes(struct ndp_objects *objects, enum ndp_object_kind kind,
                                    struct ndp_bytes bytes) NDP_MUST_USE;
struct ndp_object *ndp_object_text(struct ndp_objects *objects, const char *text) NDP_MUST_USE;
struct ndp_object *ndp_object_tuple(struct ndp_objects *objects, uint64_t count,
                                    struct ndp_object *const *items) NDP_MUST_USE;
struct ndp_object *ndp_object_global(struct ndp_objects *objects, struct ndp_object *module,
                                     struct ndp_object *name) NDP_MUST_USE;
struct ndp_object *ndp_object_call(struct ndp_objects *objects, enum ndp_call_how how, struct ndp_object *callable,
                                   struct ndp_object *args) NDP_MUST_USE;

/* An INT from two's complement, low byte first: small when int64 holds it, else the shortest bytes (borrowed). */
struct ndp_object *ndp_object_long(struct ndp_objects *objects, struct ndp_bytes bytes) NDP_MUST_USE;

/* Appends, in constant time on average; false without memory. */
bool ndp_object_append(struct ndp_objects *objects, struct ndp_object_list *list, struct ndp_object *item) NDP_MUST_USE;

/* "list", never NULL. */
const char *ndp_object_word(enum ndp_object_kind kind);

/* Questions; a NULL object answers no. */
bool ndp_object_is(const struct ndp_object *object, enum ndp_object_kind kind);
bool ndp_object_is_text(const struct ndp_object *object, const char *text); /* TEXT or STRING */
bool ndp_object_is_int(const struct ndp_object *object);                    /* INT that fits, or BOOL */

/* Whether two objects, each TEXT or STRING (read as latin-1), are one text. */
bool ndp_object_is_same_text(const struct ndp_object *a, const struct ndp_object *b);

/* Whether a GLOBAL has these names. */
bool ndp_object_is_named(const struct ndp_object *global, const char *module, const char *name);

/* Whether the object is the GLOBAL of these names, neither of which is empty. Of most names two letters tell. */
static inline bool ndp_object_is_global(const struct ndp_object *object, const char *module, const char *name) {
    if (object == NULL || object->kind != NDP_OBJECT_GLOBAL) return false;
    const struct ndp_bytes own = object->global.name->bytes;
    if (own.size_bytes == 0 || own.data[0] != (uint8_t)name[0]) return false;
    return (own.size_bytes == 1 || own.data[1] == (uint8_t)name[1]) && ndp_object_is_named(object, module, name);
}

/* The number of an object for which ndp_object_is_int() answers yes. */
int64_t ndp_object_integer(const struct ndp_object *object);

/* The text of a TEXT, or of a STRING read as latin-1: a copy, which outlives the input. Errors: INVALID (another kind),
 * NOMEM. */
enum ndp_status ndp_object_read_text(struct ndp_arena *arena, const struct ndp_object *object,
                                     struct ndp_bytes *out) NDP_MUST_USE;

/* The bytes of BYTES, BYTEARRAY or STRING, or of a TEXT that is latin-1: what Python 2 wrote and Python 3 read. Errors:
 * INVALID (another kind, text beyond latin-1), NOMEM. */
enum ndp_status ndp_object_read_bytes(struct ndp_arena *arena, const struct ndp_object *object,
                                      struct ndp_bytes *out) NDP_MUST_USE;

/* The value of the last pair of DICT whose key is that text, or NULL. */
struct ndp_object *ndp_object_lookup(const struct ndp_object *dict, const char *key);

#endif
