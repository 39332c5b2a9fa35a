/* told.h: what a pickle says, read by other code than the decoder's machine: the objects that it builds, which of them
 * are one, and in which order they stand. A mistake that all ways of the machine make, or that it shares with the
 * writer, shows here. Source: CPython 3.11, Lib/pickletools.py; Lib/pickle.py, _Unpickler. */
#ifndef NDP_FUZZ_TOLD_H
#define NDP_FUZZ_TOLD_H

#include "base/arena.h"
#include "base/bytes.h"

enum fuzz_told_kind {
    FUZZ_TOLD_NONE,
    FUZZ_TOLD_TRUTH,
    FUZZ_TOLD_NUMBER,
    FUZZ_TOLD_REAL,
    FUZZ_TOLD_TEXT,
    FUZZ_TOLD_STRING, /* of Python 2 */
    FUZZ_TOLD_BYTES,
    FUZZ_TOLD_BYTEARRAY,
    FUZZ_TOLD_LIST,
    FUZZ_TOLD_TUPLE,
    FUZZ_TOLD_DICT, /* keys and values in turn */
    FUZZ_TOLD_SET,
    FUZZ_TOLD_FROZENSET,
    FUZZ_TOLD_GLOBAL,
    FUZZ_TOLD_CALL,
};

enum fuzz_told_how { FUZZ_TOLD_REDUCE, FUZZ_TOLD_NEWOBJ, FUZZ_TOLD_NEWOBJ_EX, FUZZ_TOLD_INSTANCE };

struct fuzz_told {
    enum fuzz_told_kind kind;
    bool is_old;            /* GLOBAL: of a protocol in which some things have another name */
    uint64_t bits;          /* what an atom is; of a call how it is made */
    int64_t number;         /* NUMBER and TRUTH: of at most eight bytes, else INT64_MIN */
    struct ndp_bytes bytes; /* TEXT in UTF-8, STRING, BYTES, BYTEARRAY; NULL where the pickle has it in escapes. GLOBAL:
                             * the module */
    struct ndp_bytes name;  /* GLOBAL */
    struct fuzz_told **items;
    uint32_t count, room;
    struct fuzz_told *callable, *args, *keywords, *state, *pairs; /* CALL; NULL where there is none */
    struct fuzz_told *later;      /* CALL: a TUPLE of calls that were made once it was there, and dropped; or NULL */
    const struct fuzz_told *pair; /* in a comparison: the one that it is */
    uint32_t node;                /* in a comparison with a graph: the number of the node that it is, and one */
    struct fuzz_told *content;    /* there: what a cell comes to hold */
    bool is_unsure; /* there: that it is told of twice, and not the same; CALL of a function: its module is; REAL:
                     * which NaN it is */
};

/* Reads a pickle (borrowed) up to its STOP; or, where `is_dump`, up to the state of the object that it is, behind which
 * joblib has other things. Gives what stands behind. False where nobody can say what it builds without running it, or
 * it is large. */
bool fuzz_tell(struct ndp_arena *arena, struct ndp_bytes pickle, bool is_dump, struct fuzz_told **out,
               struct ndp_bytes *behind);

/* Whether two pickles (each up to its STOP) build the same objects, in whatever opcodes, and the second has the names
 * of its protocol for what the first names. True where nobody can say. */
bool fuzz_tells_same(struct ndp_arena *arena, struct ndp_bytes a, struct ndp_bytes b);

/* Whether a pickle by itself builds what another one builds somewhere inside, where strings of Python 2 may have become
 * the texts that latin-1 makes of them, and the code of functions is not looked into. True where nobody can say, or
 * where what it is has a `pair` already. */
bool fuzz_tells_of(struct ndp_arena *arena, struct fuzz_told *told, struct ndp_bytes pickle);

#endif
