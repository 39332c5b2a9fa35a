/* What pickles build is said by CPython 3.11's pickle.dumps, by pickletools.dis, and by pickle.loads of the changes. */
#include "reader/told.h"

#include "base/checked.h"
#include "base/suite.h"
#include "fuzz.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

struct row {
    struct ndp_bytes pickle;
    bool is_same;
};

/* Holds the first row against all of them. */
static void check(const struct row *rows, size_t count) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    for (size_t i = 0; i < count; i++) {
        if (fuzz_tells_same(&arena, rows[0].pickle, rows[i].pickle) != rows[i].is_same) fail_msg("row %zu", i);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
}

/* pickle.dumps([-1, 300, 70000, 2 ** 40, -(2 ** 55)], p), and changes of it. */
#define NUMBERS_2                                                                                                      \
    "\x80\x02]q\x00(J\xff\xff\xff\xffM,"                                                                               \
    "\x01Jp\x11\x01\x00\x8a\x06\x00\x00\x00\x00\x00\x01\x8a\x07\x00\x00\x00\x00\x00\x00\x80"                           \
    "e."
#define NUMBERS_0 "(lp0\nI-1\naI300\naI70000\naI1099511627776\naI-36028797018963968\na."

/* pickle.dumps([0.1, -0.0, 10 ** 27, "\\\\u0041\u20ac"], p), and changes of it. */
#define VALUES_2                                                                                                       \
    "\x80\x02]q\x00(G?\xb9\x99\x99\x99\x99\x99\x9aG\x80\0\0\0\0\0\0\0\x8a\x0c\0\0\0\xe8<\x80\xd0\x9f<.;\x03"           \
    "X\x0a\0\0\0\\\\u0041\xe2\x82\xacq\x01"                                                                            \
    "e."

static void values_are_what_opcodes_push(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES(VALUES_2), true},
        {BYTES("(lp0\nF0.1\naF-0.0\naL1000000000000000000000000000L\naV\\u005c\\u005cu0041\\u20ac\np1\na."), true},
        {BYTES("(lp0\nF0.1\naF-0.0\naL1000000000000000000000000000L\naV\\\\\\u0075u0041\\u20ac\np1\na."), false},
        {BYTES("(lp0\nF0.1\naF0.0\naL1000000000000000000000000000L\naV\\u005c\\u005cu0041\\u20ac\np1\na."), false},
        {BYTES("(lp0\nF0.10000000000000001\naF-0.0\naL1000000000000000000000000000L\naV\\\\u0041\\u20ac\np1\na."),
         true},
        {BYTES("(lp0\nF0.1\naF-0.0\naL100000000000000000000000000L\naV\\\\u0041\\u20ac\np1\na."), false},
        {BYTES("(lp0\nF0.1\naF-0.0\naL1000000000000000000000000000L\naV\\u0041\\u20ac\np1\na."), false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

static void numbers_are_what_opcodes_push(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES(NUMBERS_2), true},
        {BYTES(NUMBERS_0), true},
        {BYTES("(lp0\nL-1L\naL300L\naI70000\naL1099511627776L\naL-36028797018963968L\na."), true},
        {BYTES("(lp0\nL-36028797018963968L\naI300\naL-1L\naI70000\naL1099511627776L\na."), false},
        {BYTES("(lp0\nI-1\naI300\naI70000\naI1099511627776\naI36028797018963968\na."), false},
        {BYTES("(lp0\nI-1\naI300\naI70000\naI1099511627776\na."), false},
        {BYTES("(lp0\nI-1\naI300\naI70000\naI1099511627776\naI-36028797018963968\naN0."), true}, /* POP */
        {BYTES("(lp0\nI-1\naI300\naI70000\naI1099511627776\naI-36028797018963968\naI01\na."), false},
        {BYTES("(lp0\nI-1\naI300\naI70000\naI1099511627776\naI-36028797018963968\naI0\na."), false},
        {BYTES("I5\n"), true}, /* no STOP */
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* pickle.dumps((1, [2], {3: 4, 5: 6}, {7}, frozenset([8]), b"9", bytearray(b"0")), p), and changes of it. */
static void containers_are_what_they_are(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         true},
        {BYTES("(I1\n(lp0\nI2\na(dp1\nI3\nI4\nsI5\nI6\nsc__builtin__\nset\np2\n((lp3\nI7\natp4\nRp5\nc__builtin__"
               "\nfrozenset\np6\n((lp7\nI8\natp8\nRp9\nc_codecs\nencode\np10\n(V9\np11\nVlatin1\np12\ntp13\nRp14\nc__"
               "builtin__\nbytearray\np15\n(g10\n(V0\np16\ng12\ntp17\nRp18\ntp19\nRp20\ntp21\n."),
         true},
        {BYTES("(K\x01]q\x00K\x02"
               "a}q\x01(K\x03K\x04K\x05K\x06uc__builtin__\nset\nq\x02(]q\x03K\x07"
               "atq\x04Rq\x05"
               "c__builtin__\nfrozenset\nq\x06(]q\x07K\x08"
               "atq\x08Rq\x09"
               "c_codecs\nencode\nq\n(X\x01\x00\x00\x00"
               "9q\x0bX\x06\x00\x00\x00latin1q\x0ctq\x0dRq\x0e"
               "c__builtin__\nbytearray\nq\x0f(h\n(X\x01\x00\x00\x00"
               "0q\x10h\x0ctq\x11Rq\x12tq\x13Rq\x14tq\x15."),
         true},
        {BYTES("\x80\x02(K\x01]q\x00K\x02"
               "a}q\x01(K\x03K\x04K\x05K\x06uc__builtin__\nset\nq\x02]q\x03K\x07"
               "a\x85q\x04Rq\x05"
               "c__builtin__\nfrozenset\nq\x06]q\x07K\x08"
               "a\x85q\x08Rq\x09"
               "c_codecs\nencode\nq\nX\x01\x00\x00\x00"
               "9q\x0bX\x06\x00\x00\x00latin1q\x0c\x86q\x0dRq\x0e"
               "c__builtin__\nbytearray\nq\x0fh\nX\x01\x00\x00\x00"
               "0q\x10h\x0c\x86q\x11Rq\x12\x85q\x13Rq\x14tq\x15."),
         true},
        {BYTES("\x80\x03(K\x01]q\x00K\x02"
               "a}q\x01(K\x03K\x04K\x05K\x06ucbuiltins\nset\nq\x02]q\x03K\x07"
               "a\x85q\x04Rq\x05"
               "cbuiltins\nfrozenset\nq\x06]q\x07K\x08"
               "a\x85q\x08Rq\x09"
               "C\x01"
               "9q\ncbuiltins\nbytearray\nq\x0b"
               "C\x01"
               "0q\x0c\x85q\x0dRq\x0etq\x0f."),
         true},
        {BYTES("\x80\x05\x95"
               "1\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x96\x01\x00\x00\x00\x00\x00\x00\x00"
               "0\x94t\x94."),
         true},
        {BYTES("(I1\n(lp0\nI2\na(dp1\nI3\nI4\nsI5\nI6\nsc__builtin__\nset\np2\n((lp3\nI7\natp4\nRp5\nc__builtin__"
               "\nfrozenset\np6\n((lp7\nI8\natp8\nRp9\nc_codecs\nencode\np10\n(V9\np11\nVlatin1\np12\ntp13\nRp14\nc__"
               "builtin__\nbytearray\np15\n(g10\n(V0\np16\ng12\ntp17\nRp18\ntp19\nRp20\ntp21\n."),
         true},
        {BYTES("\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         true},
        {BYTES("\x80\x04\x95"
               "F\x00\x00\x00\x00\x00\x00\x00(K\x01K\x02\x85\x94}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90("
               "K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x05K\x06K\x03K\x04u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95"
               "F\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u(K\x07\x91\x94(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95H\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90\x8f\x94(K\x08\x90"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95M\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "9\x94\x85\x94R\x94h\x06"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "8\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95"
               "B\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94)R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95G\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94\x8c\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95"
               "F\x00\x00\x00\x00\x00\x00\x00(\x88]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95&\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94K\x02"
               "a}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95"
               "D\x00\x00\x00\x00\x00\x00\x00(K\x01]\x94}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x04\x95"
               "C\x00\x00\x00\x00\x00\x00\x00(K\x01N}\x94(K\x03K\x04K\x05K\x06u\x8f\x94(K\x07\x90(K\x08\x91\x94"
               "C\x01"
               "9\x94\x8c\x08"
               "builtins\x94\x8c\x09"
               "bytearray\x94\x93\x94"
               "C\x01"
               "0\x94\x85\x94R\x94t\x94."),
         false},
        {BYTES("\x80\x02(K\x01]q\x00K\x02"
               "a}q\x01(K\x03K\x04K\x05K\x06uc__builtin__\nfrozenset\nq\x02]q\x03K\x07"
               "a\x85q\x04Rq\x05h\x02]q\x06K\x08"
               "a\x85q\x07Rq\x08"
               "c_codecs\nencode\nq\x09X\x01\x00\x00\x00"
               "9q\nX\x06\x00\x00\x00latin1q\x0b\x86q\x0cRq\x0d"
               "c__builtin__\nbytearray\nq\x0eh\x09X\x01\x00\x00\x00"
               "0q\x0fh\x0b\x86q\x10Rq\x11\x85q\x12Rq\x13tq\x14."),
         false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* a = []; pickle.dumps([a, a], p); and two that are equal. */
/* CPython 3.11, Lib/pickle.py, find_class: names are those of Python 2 below protocol 3. */
static void old_names_are_old_protocols(void **state) {
    (void)state;
    static const struct row rows[] = {{BYTES("\x80\x04\x8f."), true},
                                      {BYTES("c__builtin__\nset\n]\x85R."), true},
                                      {BYTES("\x80\x02"
                                             "c__builtin__\nset\n]\x85R."),
                                       true},
                                      {BYTES("\x80\x03"
                                             "cbuiltins\nset\n]\x85R."),
                                       true},
                                      {BYTES("\x80\x03"
                                             "c__builtin__\nset\n]\x85R."),
                                       false},
                                      {BYTES("K\0\x80\x04"
                                             "0c__builtin__\nset\n]\x85R."),
                                       false}};
    check(rows, NDP_ARRAY_LEN(rows));
}

static void what_is_one_stays_one(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("\x80\x04\x95\x09\x00\x00\x00\x00\x00\x00\x00]\x94(]\x94h\x01"
               "e."),
         true},
        {BYTES("(lp0\n(lp1\nag1\na."), true},
        {BYTES("\x80\x02]q\x00(]q\x01h\x01"
               "e."),
         true},
        {BYTES("\x80\x04\x95\x09\x00\x00\x00\x00\x00\x00\x00]\x94(]\x94]\x94"
               "e."),
         false},
        {BYTES("(lp0\n(lp1\na(lp2\na."), false},
        {BYTES("\x80\x02](]r\x00\x04\x00\x00j\x00\x04\x00\x00"
               "e."),
         true},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* a = []; t = (a,); a.append(t); pickle.dumps(t, p); and one of which the second is another. */
static void what_holds_itself_does(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00]\x94h\x00\x85\x94"
               "a0h\x01."),
         true},
        {BYTES("((lp0\n(g0\ntp1\na00g1\n."), true},
        {BYTES("(]q\x00(h\x00tq\x01"
               "a1h\x01."),
         true},
        {BYTES("\x80\x02]q\x00h\x00\x85q\x01"
               "a0h\x01."),
         true},
        {BYTES("\x80\x04\x95\n\x00\x00\x00\x00\x00\x00\x00]\x94h\x00\x85\x94"
               "a\x85\x94."),
         false},
        {BYTES("(]q\x00(h\x00tq\x01"
               "atq\x02."),
         false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* collections.OrderedDict([(1, 2)]) and a slice: calls, with what is put into them. */
static void calls_have_their_parts(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("\x80\x04\x95H\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94K\x01K\x02s\x8c\x08"
               "builtins\x94\x8c\x05slice\x94\x93\x94K\x01NN\x87\x94R\x94"
               "e."),
         true},
        {BYTES("\x80\x05\x95H\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94K\x01K\x02s\x8c\x08"
               "builtins\x94\x8c\x05slice\x94\x93\x94K\x01NN\x87\x94R\x94"
               "e."),
         true},
        {BYTES("\x80\x03]q\x00(ccollections\nOrderedDict\nq\x01)"
               "Rq\x02K\x01K\x02scbuiltins\nslice\nq\x03K\x01NN\x87q\x04Rq\x05"
               "e."),
         true},
        {BYTES("\x80\x04\x95H\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94K\x01K\x03s\x8c\x08"
               "builtins\x94\x8c\x05slice\x94\x93\x94K\x01NN\x87\x94R\x94"
               "e."),
         false},
        {BYTES("\x80\x04\x95I\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94K\x01K\x02s\x8c\x08"
               "builtins\x94\x8c\x05slice\x94\x93\x94K\x01K\x02N\x87\x94R\x94"
               "e."),
         false},
        {BYTES("\x80\x04\x95"
               "C\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94\x8c\x08"
               "builtins\x94\x8c\x05slice\x94\x93\x94K\x01NN\x87\x94R\x94"
               "e."),
         false},
        {BYTES("\x80\x04\x95J\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x0b"
               "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94K\x01K\x02s\x8c\x08"
               "builtins\x94\x8c\x05range\x94\x93\x94K\x01K\x02K\x01\x87\x94R\x94"
               "e."),
         false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* Python 2.7: cPickle.dumps("a'\n\xe9\0" + "7", 0) and (..., 2), and octal digits, which its reader takes. */
static void strings_of_python_2_are_bytes(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("S'a\\'\\n\\xe9\\x007'\np0\n."), true},
        {BYTES("U\x06"
               "a'\n\xe9\x00"
               "7q\x00."),
         true},
        {BYTES("S\"a'\\n\\351\\0007\"\n."), true},
        {BYTES("S\"a'\\012\\351\\x007\"\n."), true},
        {BYTES("S'a\\'\\n\\xe9\\07'\n."), false},
        {BYTES("U\x06"
               "a'\n\xe8\x00"
               "7."),
         false},
        {BYTES("X\x07\x00\x00\x00"
               "a'\n\xc3\xa9\x00"
               "7."),
         false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* pickle.loads of the first, and pickle.dumps of that in protocols 4 and 2; and changes of it. */
static void old_names_are_those_of_the_protocol(void **state) {
    (void)state;
    static const struct row rows[] = {{BYTES("\x80\x02"
                                             "cexceptions\nStandardError\n."),
                                       false},
                                      {BYTES("\x80\x04\x8c\x08"
                                             "builtins\x94\x8c\x09"
                                             "Exception\x94\x93\x94."),
                                       true},
                                      {BYTES("\x80\x02"
                                             "cexceptions\nException\nq\x00."),
                                       true},
                                      {BYTES("\x80\x02"
                                             "c__builtin__\nException\nq\x00."),
                                       false},
                                      {BYTES("\x80\x04\x8c\x0a"
                                             "exceptions\x94\x8c\x0d"
                                             "StandardError\x94\x93\x94."),
                                       false}};
    check(rows, NDP_ARRAY_LEN(rows));
}

/* pickle.dumps of a NaN of this payload (struct.unpack("<d", ...)), and of others; a text has none. */
static void a_nan_has_its_payload(void **state) {
    (void)state;
    static const struct row rows[] = {
        {BYTES("G\x7f\xf8\0\0\0\0\0\1."), true},
        {BYTES("\x80\4G\x7f\xf8\0\0\0\0\0\1."), true},
        {BYTES("Fnan\n."), true},
        {BYTES("F-nan\n."), true},
        {BYTES("G\x7f\xf8\0\0\0\0\0\2."), false},
        {BYTES("G\xff\xf8\0\0\0\0\0\1."), false},
        {BYTES("G\x7f\xf0\0\0\0\0\0\0."), false},
        {BYTES("Finf\n."), false},
        {BYTES("G\x7f\xf8\0\0\0\0\0\0."), false},
        {BYTES("F1.0\n."), false},
        {BYTES("N."), false},
    };
    check(rows, NDP_ARRAY_LEN(rows));
}

/* pickle.dumps of [{1}, "\xe9"], and of what stands in it or does not, by themselves. */
static void a_part_is_what_a_pickle_by_itself_builds(void **state) {
    (void)state;
    static const struct {
        uint32_t item;
        struct row row;
    } rows[] = {{0, {BYTES("\x80\x04\x8f(K\x01\x90."), true}},
                {0, {BYTES("\x80\x04\x8f(K\x02\x90."), false}},
                {0, {BYTES("\x80\x04\x8f."), false}},
                {1, {BYTES("X\x02\0\0\0\xc3\xa9."), true}},
                {1, {BYTES("X\x02\0\0\0\xc3\xa8."), false}}};
    static const struct ndp_bytes whole = BYTES("\x80\x04](\x8f(K\x01\x90U\x01\xe9"
                                                "e.");
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    struct fuzz_told *root;
    struct ndp_bytes behind;
    assert_true(fuzz_tell(&arena, whole, false, &root, &behind));
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_tells_of(&arena, root->items[rows[i].item], rows[i].row.pickle) != rows[i].row.is_same)
            fail_msg("row %zu", i);
    ndp_arena_clear(&arena);
}

/* dill._dill._create_array(m.f, (1,), 2, ...) is m.f(1) with the state 2, where there are no attributes. */
static void an_array_of_dill_is_one_of_pickle(void **state) {
    (void)state;
#define MADE(last)                                                                                                     \
    BYTES("\x80\x04"                                                                                                   \
          "cdill._dill\n_create_array\n(cm\nf\nK\x01\x85K\x02" last "tR.")
    static const struct {
        struct ndp_bytes made, plain;
        bool is_same;
    } rows[] = {{MADE("N"),
                 BYTES("cm\nf\nK\x01\x85RK\x02"
                       "b."),
                 true},
                {MADE(""),
                 BYTES("cm\nf\nK\x01\x85RK\x02"
                       "b."),
                 true},
                {MADE("}"),
                 BYTES("cm\nf\nK\x01\x85RK\x02"
                       "b."),
                 true},
                {MADE("}K\x01K\x01s"),
                 BYTES("cm\nf\nK\x01\x85RK\x02"
                       "b."),
                 false},
                {MADE("N"),
                 BYTES("cm\nf\nK\x01\x85RK\x03"
                       "b."),
                 false},
                {MADE("N"),
                 BYTES("cm\nf\nK\x02\x85RK\x02"
                       "b."),
                 false},
                {MADE("N"),
                 BYTES("cm\ng\nK\x01\x85RK\x02"
                       "b."),
                 false},
                {MADE("N"), BYTES("cm\nf\nK\x01\x85R."), false},
                /* No pair at all is nothing that was set. */
                {BYTES("cm\nf\n)R(u."), BYTES("cm\nf\n)R."), true},
                {BYTES("cm\nf\n)R(K\x01K\x02u."), BYTES("cm\nf\n)R."), false},
                /* One of another library stays what it is. */
                {BYTES("\x80\x04"
                       "cDill._dill\n_create_array\n(cm\nf\nK\x01\x85K\x02NtR."),
                 BYTES("\x80\x04"
                       "cDill._dill\n_create_array\n(cm\nf\nK\x01\x85K\x02NtR."),
                 true}};
#undef MADE
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 24};
        struct fuzz_told *root;
        struct ndp_bytes behind;
        assert_true(fuzz_tell(&arena, rows[i].made, false, &root, &behind));
        if (fuzz_tells_of(&arena, root, rows[i].plain) != rows[i].is_same) fail_msg("row %zu", i);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(told_test, cmocka_unit_test(a_nan_has_its_payload), cmocka_unit_test(an_array_of_dill_is_one_of_pickle),
          cmocka_unit_test(numbers_are_what_opcodes_push), cmocka_unit_test(values_are_what_opcodes_push),
          cmocka_unit_test(containers_are_what_they_are), cmocka_unit_test(old_names_are_old_protocols),
          cmocka_unit_test(what_is_one_stays_one), cmocka_unit_test(what_holds_itself_does),
          cmocka_unit_test(calls_have_their_parts), cmocka_unit_test(old_names_are_those_of_the_protocol),
          cmocka_unit_test(strings_of_python_2_are_bytes), cmocka_unit_test(a_part_is_what_a_pickle_by_itself_builds));
