/* dict.h: a typed dict under a schedule of operations, and which results are allowed.
 *
 * Keys are numbers 0, 1, ... in the dict's key type. Block `b` of thread `t` stores the item k * NDP_DICT_WRITERS +
 * ndp_dict_writer(t, b) under key `k`; items from before the start have writer 0. An item thus identifies its key and
 * writer, so each can be checked separately. All threads start together, and each runs its blocks in order.
 */
#ifndef NDP_DICT_H
#define NDP_DICT_H

#include "base/bytes.h"

/* enum name, word */
#define NDP_DICT_TYPE_LIST(X)                                                                                          \
    X(INT64, "int64")                                                                                                  \
    X(FLOAT64, "float64") /* the number; a key is half of it */                                                        \
    X(UNICODE, "unicode") /* keys only: decimal digits */                                                              \
    X(TUPLE, "tuple")     /* keys only: (number, -number) */                                                           \
    X(ARRAY, "array")     /* items only: an int64 array with the number twice */

#define NDP_DICT_TYPE_ENUM(name, word) NDP_DICT_##name,
enum ndp_dict_type { NDP_DICT_TYPE_LIST(NDP_DICT_TYPE_ENUM) NDP_DICT_TYPE_COUNT };

/* enum name, word, effect on the keys first, first + 1, ... first + count - 1 */
#define NDP_DICT_OP_LIST(X)                                                                                            \
    X(SET, "set", "assigns an item to each: inserts or overwrites")                                                    \
    X(READ, "read", "looks each up")                                                                                   \
    X(DELETE, "delete", "deletes each that exists")                                                                    \
    X(ITERATE, "iterate", "iterates over the whole dict; keys are ignored")

#define NDP_DICT_OP_ENUM(name, word, text) NDP_DICT_OP_##name,
enum ndp_dict_op { NDP_DICT_OP_LIST(NDP_DICT_OP_ENUM) NDP_DICT_OP_COUNT };

enum {
    NDP_DICT_MAX_THREADS = 8,
    NDP_DICT_MAX_BLOCKS = 4, /* per thread */
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

/* A case: the same schedule on a new dict in each round. Keys below `initial` are set before the threads start. */
struct ndp_dict_value {
    enum ndp_dict_type key;
    enum ndp_dict_type item;
    uint32_t initial;
    uint32_t rounds; /* 1 or more */
    struct ndp_dict_thread threads[NDP_DICT_MAX_THREADS];
    uint32_t thread_count; /* 1 or more */
};

/* The observation. Each round is a list of little-endian int64 numbers: the length; the number of threads that ended
 * with an error; for each block, thread by thread, how many of its keys were found and how many items belonged to other
 * keys; then key and item of every entry of an iteration, with -1 for a broken item. */
struct ndp_dict_observation {
    struct ndp_bytes rounds[NDP_DICT_MAX_ROUNDS];
    uint32_t round_count;
    char error[128]; /* the first error of a thread; "": none */
};

/* The feature of a schedule with races: a thread changes keys that another uses, or the set of keys while another
 * works. It belongs to the features of dicts, not of arrays. */
#define NDP_DICT_RACES (UINT32_C(1) << 0)

const char *ndp_dict_type_word(enum ndp_dict_type type);
const char *ndp_dict_op_word(enum ndp_dict_op op);

uint32_t ndp_dict_writer(uint32_t thread, uint32_t block);

/* The largest key of the schedule plus one, `initial` included. */
uint32_t ndp_dict_key_count(const struct ndp_dict_value *value);

/* NDP_DICT_RACES or 0. */
uint32_t ndp_dict_features(const struct ndp_dict_value *value);

/* Returns NULL, or why a number or type is invalid. */
const char *ndp_dict_invalid_reason(const struct ndp_dict_value *value);

/* Checks one round against the sequential model: some order of all operations that keeps the order of each thread must
 * explain it. Fills the complaint with the error, or with "" when there is none. `path` is the place: "length",
 * "keys[17]", "threads[1][0]". */
enum { NDP_DICT_TEXT_BYTES = 96 };
struct ndp_dict_complaint {
    char path[NDP_DICT_TEXT_BYTES];
    char expected[NDP_DICT_TEXT_BYTES];
    char got[NDP_DICT_TEXT_BYTES];
};
bool ndp_dict_round_is_allowed(const struct ndp_dict_value *value, struct ndp_bytes round,
                               struct ndp_dict_complaint *complaint);

#endif
