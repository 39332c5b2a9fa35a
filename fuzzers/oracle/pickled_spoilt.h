/* pickled_spoilt.h: pickled arrays that say what no NumPy writes. NumPy refuses most of it; of a type that it has built
 * in it takes version 2, an endian of '?' or 'l', and passes over names, itemsize, alignment, flags and the number of
 * items of the state (2.5.5 was run), which the reference does not. */
#ifndef NDP_FUZZ_PICKLED_SPOILT_H
#define NDP_FUZZ_PICKLED_SPOILT_H

#include "base/arena.h"
#include "base/bytes.h"

/* What is spoilt. */
enum fuzz_pickled_part {
    FUZZ_PICKLED_NOTHING,
    FUZZ_PICKLED_ARGS,
    FUZZ_PICKLED_PAIR, /* of a state and what a class adds */
    FUZZ_PICKLED_STATE,
    FUZZ_PICKLED_VERSION,
    FUZZ_PICKLED_SHAPE,
    FUZZ_PICKLED_ORDER,
    FUZZ_PICKLED_DATA,
    FUZZ_PICKLED_MASK,
    FUZZ_PICKLED_AXES,
    FUZZ_PICKLED_WORD, /* of a type, as what follows */
    FUZZ_PICKLED_TYPE_STATE,
    FUZZ_PICKLED_TYPE_VERSION,
    FUZZ_PICKLED_ENDIAN,
    FUZZ_PICKLED_ITEMSIZE,
    FUZZ_PICKLED_ALIGNMENT,
    FUZZ_PICKLED_FLAGS,
    FUZZ_PICKLED_FIELDS,
    FUZZ_PICKLED_NAMES,
    FUZZ_PICKLED_SUBARRAY,
    FUZZ_PICKLED_TIME,
    FUZZ_PICKLED_PARTS
};

/* Where a pickle (borrowed) is of an array that is read: with one part of the objects that it builds spoilt in a way
 * that follows from `pick`, it is refused. Gives that part. Empties the arena. Source: NumPy 2.4, multiarray/methods.c,
 * array_setstate; descriptor.c, arraydescr_setstate; core/numeric.py, _frombuffer; ma/core.py, _mareconstruct. */
enum fuzz_pickled_part fuzz_check_pickled_spoilt(struct ndp_arena *arena, struct ndp_bytes pickle, uint64_t pick);

#endif
