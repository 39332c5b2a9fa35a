/* object.h: Python objects as symbols: the content of a pickle, of which nothing is executed.
 *
 * An object is a node; edges are pointers, may be shared and may form cycles. Scalars and containers represent
 * themselves; a class or function is its name (GLOBAL); a call that unpickling would make is a CALL: callable,
 * arguments and changes of the result. The arena owns all memory except large byte strings of streams. Walks over
 * objects are iterative or bounded in depth. Source: CPython 3.8 to 3.13, Lib/pickle.py and Lib/pickletools.py.
 */
#ifndef NDP_OBJECT_H
#define NDP_OBJECT_H

#include "codec/source.h"

/* enum name, word for messages */
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
    X(RAW, "object followed by raw bytes")

#define NDP_OBJECT_ENUM(name, text) NDP_OBJECT_##name,
enum ndp_object_kind { NDP_OBJECT_LIST(NDP_OBJECT_ENUM) NDP_OBJECT_COUNT };

struct ndp_object;
struct ndp_elements;
struct ndp_joblib_wrapper;

/* Grows by doubling; the arena owns the memory. */
struct ndp_object_list {
    struct ndp_object **items;
    uint64_t count;
    uint64_t capacity;
};

/* INSTANCE is INST and OBJ of Python 2, which instantiate an old-style class. */
enum ndp_call_how { NDP_CALL_REDUCE, NDP_CALL_NEWOBJ, NDP_CALL_NEWOBJ_EX, NDP_CALL_INSTANCE };

struct ndp_call {
    enum ndp_call_how how;
    struct ndp_object *callable;  /* GLOBAL or CALL */
    struct ndp_object *args;      /* TUPLE */
    struct ndp_object *kwargs;    /* DICT: NEWOBJ_EX; else NULL */
    struct ndp_object_list items; /* appended to the result */
    struct ndp_object_list pairs; /* set in the result: key, value, key, value... */
    struct ndp_object *state;     /* argument of BUILD or of `setter`; NULL for none */
    struct ndp_object *setter;    /* called as setter(result, state); or NULL for BUILD */
};

struct ndp_global {
    struct ndp_object *module; /* TEXT, the name in Python 3 */
    struct ndp_object *name;   /* TEXT; dots separate the names of nested classes */
};

struct ndp_raw {
    struct ndp_object *wrapper;
    /* The wrapper's state at the position of the bytes (codec/joblib/joblib_wrapper.h), before later opcodes changed
     * it; NULL for an array that was not read. */
    const struct ndp_joblib_wrapper *parsed;
    uint64_t offset_bytes; /* of `bytes` in the input */
    struct ndp_bytes bytes;
    struct ndp_object *nested;           /* root of the nested pickle that replaces `bytes`; or NULL */
    const struct ndp_elements *elements; /* for the encoder: the array (codec/strided.h) with these bytes; or NULL */
};

struct ndp_object {
    enum ndp_object_kind kind;
    bool is_big;           /* INT: `bytes` is the shortest two's complement, little-endian */
    bool truth;            /* BOOL */
    bool is_readonly;      /* BUFFER; BYTES from a read-only PickleBuffer are plain BYTES */
    uint32_t number;       /* index of the object in its space, dense from 0 */
    uint64_t offset_bytes; /* of the opcode that created it, or NDP_NO_OFFSET */
    union {
        int64_t integer; /* INT that fits */
        double real;     /* FLOAT, bit-exact */
        struct ndp_bytes
            bytes; /* BYTES, BYTEARRAY; TEXT: generalised UTF-8 (base/text.h); STRING: latin-1; INT beyond int64 */
        struct ndp_object_list list; /* LIST, TUPLE, SET, FROZENSET; DICT: key, value, key, value... */
        struct ndp_global global;    /* GLOBAL */
        struct ndp_call *call;       /* CALL */
        struct ndp_raw *raw;         /* RAW */
        uint64_t index;              /* BUFFER: index of the out-of-band buffer */
    };
};

/* A space of objects. Owns the blobs; the arena (borrowed) owns everything else. */
struct ndp_objects {
    struct ndp_arena *arena;
    uint32_t count;
    struct ndp_object *none;
    struct ndp_object *truths[2];
    struct ndp_object *empty_tuple;
    struct ndp_object_blob *blobs;
};

void ndp_objects_init(struct ndp_objects *objects, struct ndp_arena *arena);

/* Frees the blobs. Call it before the arena is cleared. */
void ndp_objects_clear(struct ndp_objects *objects);

/* Takes the blob's memory. Errors: NOMEM, which frees it. */
enum ndp_status ndp_objects_keep(struct ndp_objects *objects, struct ndp_blob *blob) NDP_MUST_USE;

/* Gives the memory that starts at `data`, or NULL when the space does not own it. */
uint8_t *ndp_objects_release(struct ndp_objects *objects, const uint8_t *data) NDP_MUST_USE;

/* New objects in the arena, or NULL when out of memory. Bytes and names are borrowed; NONE, BOOL and the empty TUPLE
 * are singletons of the space. */
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

/* An INT from two's complement, little-endian: an integer when it fits in int64, else the shortest bytes (borrowed). */
struct ndp_object *ndp_object_long(struct ndp_objects *objects, struct ndp_bytes bytes) NDP_MUST_USE;

/* Appends in amortised constant time; false when out of memory. */
bool ndp_object_append(struct ndp_objects *objects, struct ndp_object_list *list, struct ndp_object *item) NDP_MUST_USE;

/* Word for messages such as "list", never NULL. */
const char *ndp_object_word(enum ndp_object_kind kind);

/* Questions; a NULL object answers no. */
bool ndp_object_is(const struct ndp_object *object, enum ndp_object_kind kind);
bool ndp_object_is_text(const struct ndp_object *object, const char *text); /* TEXT or STRING */
bool ndp_object_is_int(const struct ndp_object *object);                    /* INT that fits, or BOOL */

/* Compares two objects as text; each is TEXT or STRING (latin-1). */
bool ndp_object_is_same_text(const struct ndp_object *a, const struct ndp_object *b);

/* Whether a GLOBAL has these names. */
bool ndp_object_is_named(const struct ndp_object *global, const char *module, const char *name);

/* Whether the object is the GLOBAL of these names, neither of which is empty. The first two letters reject most names.
 */
static inline bool ndp_object_is_global(const struct ndp_object *object, const char *module, const char *name) {
    if (object == NULL || object->kind != NDP_OBJECT_GLOBAL) return false;
    const struct ndp_bytes own = object->global.name->bytes;
    if (own.size_bytes == 0 || own.data[0] != (uint8_t)name[0]) return false;
    return (own.size_bytes == 1 || own.data[1] == (uint8_t)name[1]) && ndp_object_is_named(object, module, name);
}

/* The number of an object for which ndp_object_is_int() is true. */
int64_t ndp_object_integer(const struct ndp_object *object);

/* Fills a copy of a TEXT, or of a STRING decoded as latin-1, that outlives the input. Errors: INVALID (another kind),
 * NOMEM. */
enum ndp_status ndp_object_read_text(struct ndp_arena *arena, const struct ndp_object *object,
                                     struct ndp_bytes *out) NDP_MUST_USE;

/* Fills the bytes of BYTES, BYTEARRAY or STRING, or of a TEXT in latin-1 (written by Python 2, read by Python 3).
 * Errors: INVALID (another kind, text beyond latin-1), NOMEM. */
enum ndp_status ndp_object_read_bytes(struct ndp_arena *arena, const struct ndp_object *object,
                                      struct ndp_bytes *out) NDP_MUST_USE;

/* The value of the last pair of a DICT whose key is this text, or NULL. */
struct ndp_object *ndp_object_lookup(const struct ndp_object *dict, const char *key);

#endif
