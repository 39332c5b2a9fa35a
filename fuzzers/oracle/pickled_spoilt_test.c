/* What is spoilt is refused; what it is made of is read: pickles of NumPy 2.4.6. */
#include "oracle/pickled_spoilt.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 4000 };

#define PICKLE(text)                                                                                                   \
    { (const uint8_t *)(text), sizeof(text) - 1 }
/* pickle.dumps(a, p): an array of <i2 in protocol 2, and the same with a state of its type of version 2; the transposed
 * one of >f4 in 5; fields with a title and a sub-array in 3; a masked one in 2; M8[25us] in 4; <i2 with
 * two of three axes in each other's place in 5; a subclass whose state is a pair, in 3 (NumPy 2.5.5). */
static const struct ndp_bytes pickles[] = {
    PICKLE("\200\002cnumpy._core.multiarray\012_reconstruct\012q\000cnumpy\012ndarray\012q\001K\000\205q\002"
           "c_codecs\012encode\012q\003X\001\000\000\000bq\004X\006\000\000\000latin1q\005\206q\006Rq\007"
           "\207q\010Rq\011(K\001K\002K\002\206q\012cnumpy\012dtype\012q\013X\002\000\000\000i2q\014\211\210"
           "\207q\015Rq\016(K\003X\001\000\000\000<q\017NNNJ\377\377\377\377J\377\377\377\377K\000tq\020b"
           "\211h\003X\010\000\000\000\001\000\002\000\003\000\004\000q\021h\005\206q\022Rq\023tq\024b."),
    PICKLE("\200\002cnumpy._core.multiarray\012_reconstruct\012q\000cnumpy\012ndarray\012q\001K\000\205q\002"
           "c_codecs\012encode\012q\003X\001\000\000\000bq\004X\006\000\000\000latin1q\005\206q\006Rq\007"
           "\207q\010Rq\011(K\001K\002K\002\206q\012cnumpy\012dtype\012q\013X\002\000\000\000i2q\014\211\210"
           "\207q\015Rq\016(K\002X\001\000\000\000<q\017NNNJ\377\377\377\377J\377\377\377\377tq\020b"
           "\211h\003X\010\000\000\000\001\000\002\000\003\000\004\000q\021h\005\206q\022Rq\023tq\024b."),
    PICKLE("\200\005\225\206\000\000\000\000\000\000\000\214\023numpy._core.numeric\224\214\013_frombuffer"
           "\224\223\224(\226\020\000\000\000\000\000\000\000\077\200\000\000@\000\000\000@@\000\000@\200"
           "\000\000\224\214\005numpy\224\214\005dtype\224\223\224\214\002f4\224\211\210\207\224R\224(K\003"
           "\214\001>\224NNNJ\377\377\377\377J\377\377\377\377K\000t\224bK\002K\002\206\224\214\001F\224t"
           "\224R\224."),
    PICKLE("\200\003cnumpy._core.multiarray\012_reconstruct\012q\000cnumpy\012ndarray\012q\001K\000\205q\002"
           "C\001bq\003\207q\004Rq\005(K\001K\002\205q\006cnumpy\012dtype\012q\007X\002\000\000\000V8q\010"
           "\211\210\207q\011Rq\012(K\003X\001\000\000\000|q\013NX\001\000\000\000aq\014X\001\000\000\000bq"
           "\015\206q\016}q\017(h\014h\007X\002\000\000\000i4q\020\211\210\207q\021Rq\022(K\003X\001\000\000"
           "\000<q\023NNNJ\377\377\377\377J\377\377\377\377K\000tq\024bK\000\206q\025h\015h\007X\002\000\000"
           "\000V4q\026\211\210\207q\027Rq\030(K\003h\013h\007X\002\000\000\000u2q\031\211\210\207q\032Rq"
           "\033(K\003X\001\000\000\000>q\034NNNJ\377\377\377\377J\377\377\377\377K\000tq\035bK\002\205q\036"
           "\206q\037NNK\004K\002K\000tq bK\004X\001\000\000\000tq!\207q\042h!h\042uK\010K\001K\020tq#b\211C"
           "\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000q$tq%b."),
    PICKLE("\200\002cnumpy.ma.core\012_mareconstruct\012q\000(cnumpy.ma\012MaskedArray\012q\001cnumpy\012nda"
           "rray\012q\002K\000\205q\003X\001\000\000\000bq\004tq\005Rq\006(K\001K\002\205q\007cnumpy\012dtyp"
           "e\012q\010X\002\000\000\000u1q\011\211\210\207q\012Rq\013(K\003X\001\000\000\000|q\014NNNJ\377"
           "\377\377\377J\377\377\377\377K\000tq\015b\211c_codecs\012encode\012q\016X\002\000\000\000\001"
           "\002q\017X\006\000\000\000latin1q\020\206q\021Rq\022h\016X\002\000\000\000\000\001q\023h\020\206"
           "q\024Rq\025Ntq\026b."),
    PICKLE("\200\004\225\242\000\000\000\000\000\000\000\214\026numpy._core.multiarray\224\214\014_reconstru"
           "ct\224\223\224\214\005numpy\224\214\007ndarray\224\223\224K\000\205\224C\001b\224\207\224R\224(K"
           "\001K\001\205\224h\003\214\005dtype\224\223\224\214\002M8\224\211\210\207\224R\224(K\004\214\001"
           "<\224NNNJ\377\377\377\377J\377\377\377\377K\000N(C\002us\224K\031K\001K\001t\224\206\224t\224b"
           "\211C\010\005\000\000\000\000\000\000\000\224t\224b."),
    PICKLE("\200\005\225\220\000\000\000\000\000\000\000\214\023numpy._core.numeric\224\214\013_frombuffer"
           "\224\223\224(\226\020\000\000\000\000\000\000\000\000\000\001\000\002\000\003\000\004\000\005"
           "\000\006\000\007\000\224\214\005numpy\224\214\005dtype\224\223\224\214\002i2\224\211\210\207\224"
           "R\224(K\003\214\001<\224NNNJ\377\377\377\377J\377\377\377\377K\000t\224bK\002K\002K\002\207\224"
           "\214\001K\224K\001K\000K\002\207\224t\224R\224."),
    PICKLE("\200\003cnumpy._core.multiarray\012_reconstruct\012q\000cmine\012A\012q\001K\000\205q\002C\001bq"
           "\003\207q\004Rq\005(K\001K\002\205q\006cnumpy\012dtype\012q\007X\002\000\000\000i2q\010\211\210"
           "\207q\011Rq\012(K\003X\001\000\000\000<q\013NNNJ\377\377\377\377J\377\377\377\377K\000tq\014b\211C"
           "\004\000\000\001\000q\015tq\016}q\017X\004\000\000\000unitq\020X\001\000\000\000mq\021s\206q\022b."),
};

static void what_is_spoilt_is_refused(void **state) {
    (void)state;
    const uint64_t before = fuzz_hits();
    uint32_t seen = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(pickles); i++) {
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            seen |= UINT32_C(1) << fuzz_check_pickled_spoilt(&arena, pickles[i], pick * 40503 * 7);
            ndp_arena_clear(&arena);
        }
    }
    assert_int_equal(fuzz_hits(), before);
    /* Every part of them. */
    assert_int_equal(seen | 1, (UINT32_C(1) << FUZZ_PICKLED_PARTS) - 1);
}

static void others_stay(void **state) {
    (void)state;
    static const struct ndp_bytes others[] = {PICKLE(""), PICKLE("N."), PICKLE("]."), PICKLE("cnumpy\ndtype\n.")};
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        assert_int_equal(fuzz_check_pickled_spoilt(&arena, others[i], i), FUZZ_PICKLED_NOTHING);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(pickled_spoilt_test, cmocka_unit_test(what_is_spoilt_is_refused), cmocka_unit_test(others_stay));
