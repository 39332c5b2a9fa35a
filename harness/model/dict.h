/* dict.h: a typed dict under a schedule of operations, and what is allowed to come of it.
 *
 * Keys are numbers 0, 1, ... in the dict's key type. The item that block `b` of thread `t` sets under key `k` tells
 * both: k * NDP_DICT_WRITERS + ndp_dict_writer(t, b); what was there before the threads start has writer 0. So every
 * item that is ever seen can be judged by itself. All threads start together; each does its blocks in order.
 */
#ifndef NDP_DICT_H
#define NDP_DICT_H

#include "base/bytes.h"

/* enum name, word */
#define NDP_DICT_TYPE_LIST(X)                                                                                          \
    X(INT64, "int64")                                                                                                  \
    X(FLOAT64, "float64") /* the number; as a key, half of it */                                                       \
    X(UNICODE, "unicode") /* a key only: its decimal digits */                                                         \
    X(TUPLE, "tuple")     /* a key only: (number, -number) */                                                          \
    X(ARRAY, "array")     /* an item only: an array of int64 that holds it twice */

enum ndp_dict_type {
#define NDP_DICT_TYPE_ENUM(name, word) NDP_DICT_##name,
    NDP_DICT_TYPE_LIST(NDP_DICT_TYPE_ENUM)
#undef NDP_DICT_TYPE_ENUM
        NDP_DICT_TYPE_COUNT
};

/* enum name, word, what it does with the keys first, first + 1, ... first + count - 1 */
#define NDP_DICT_OP_LIST(X)                                                                                            \
    X(SET, "set", "assigns an item to each: inserts or overwrites")                                                    \
    X(READ, "read", "looks each up")                                                                                   \
    X(DELETE, "delete", "deletes each that is there")                                                                  \
    X(ITERATE, "iterate", "walks over the whole dict, whatever the keys")

enum ndp_dict_op {
#define NDP_DICT_OP_ENUM(name, word, text) NDP_DICT_OP_##name,
    NDP_DICT_OP_LIST(NDP_DICT_OP_ENUM)
#undef NDP_DICT_OP_ENUM
        NDP_DICT_OP_COUNT
};

enum {
    NDP_DICT_MAX_THREADS = 8,
    NDP_DICT_MAX_BLOCKS = 4, /* of a thread */
    NDP_DICT_MAX_KEYS = 16384,
    NDP_DICT_MAX_ROUNDS = 32,
    NDP_DICT_WRITERS = 64
};

struct ndp_dict_block {
    enum ndp_dict_op op;
    uint32_t first;
    uint32_t count;
};

struct ndp_dict_thread {
    struct ndp_dict_block blocks[NDP_DICT_MAX_BLOCKS];
    uint32_t block_count;
};

/* One case: the same schedule on a new dict in each round. Keys below `initial` are set before the threads start. */
struct ndp_dict_value {
    enum ndp_dict_type key;
    enum ndp_dict_type item;
    uint32_t initial;
    uint32_t rounds; /* 1 or more */
    struct ndp_dict_thread threads[NDP_DICT_MAX_THREADS];
    uint32_t thread_count; /* 1 or more */
};

/* What was seen. Each round is int64 little-endian numbers: the length; how many threads ended with an error; for each
 * block, thread by thread, how many of its keys were found and how many found items were not of their key; then key
 * and item of every entry that an iteration gave, -1 for an item that is broken in itself. */
struct ndp_dict_seen {
    struct ndp_bytes rounds[NDP_DICT_MAX_ROUNDS];
    uint32_t round_count;
    char error[128]; /* the first error of a thread; "" is none */
};

/* The feature of a schedule in which one thread changes what another touches, or the set of keys while another works.
 * A bit of the features of dicts, which are not those of arrays. */
#define NDP_DICT_RACES (UINT32_C(1) << 0)

const char *ndp_dict_type_word(enum ndp_dict_type type);
const char *ndp_dict_op_word(enum ndp_dict_op op);

uint32_t ndp_dict_writer(uint32_t thread, uint32_t block);

/* One more than the largest key that the schedule names, `initial` included. */
uint32_t ndp_dict_key_count(const struct ndp_dict_value *value);

/* NDP_DICT_RACES or 0. */
uint32_t ndp_dict_features(const struct ndp_dict_value *value);

/* Whether numbers and types are within their limits: the text of what is not, or NULL. */
const char *ndp_dict_fault(const struct ndp_dict_value *value);

/* What is wrong with one round, or the text "" when nothing is. `path` names the place: "length", "keys[17]",
 * "threads[1][0]". Both have NDP_DICT_TEXT_BYTES. Allowed is what some order of all operations gives that keeps the
 * order of each thread. */
enum { NDP_DICT_TEXT_BYTES = 96 };
struct ndp_dict_complaint {
    char path[NDP_DICT_TEXT_BYTES];
    char expected[NDP_DICT_TEXT_BYTES];
    char got[NDP_DICT_TEXT_BYTES];
};
bool ndp_dict_round_is_allowed(const struct ndp_dict_value *value, struct ndp_bytes round,
                               struct ndp_dict_complaint *complaint);

#endif
