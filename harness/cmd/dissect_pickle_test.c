/* dissect_pickle_test.c: pickles of CPython 3.11.7 and NumPy 2.4.6, and broken ones. Expected: pickletools.dis, and for
 * broken ones the meaning of the opcodes in Lib/pickletools.py. */
#include "cmd/dissect_fixture.h"

/* pickle.dumps([1.5, -3, 2**70, b"\0a", "x\n", None, 300], 4) */
static const char plain[] =
    "8004952c000000000000005d9428473ff80000000000004afdffffff8a0900000000000000004043020061948c02780a"
    "944e4d2c01652e";

static void opcodes_have_offsets_arguments_and_memo(void **state) {
    char *text = dissect_hex("pickle", plain, UINT64_MAX);
    assert_string_equal(text, "55 bytes, read as pickle\n"
                              "         0  PROTO            4\n"
                              "         2  FRAME            44, to byte 55\n"
                              "        11  EMPTY_LIST\n"
                              "        12  MEMOIZE          memo 0\n"
                              "        13  MARK\n"
                              "        14  BINFLOAT         1.5\n"
                              "        23  BININT           -3\n"
                              "        28  LONG1            9 bytes, little-endian: "
                              "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00@\n"
                              "        39  SHORT_BINBYTES   '\\x00a'\n"
                              "        43  MEMOIZE          memo 1\n"
                              "        44  SHORT_BINUNICODE 'x\\x0a'\n"
                              "        48  MEMOIZE          memo 2\n"
                              "        49  NONE\n"
                              "        50  BININT2          300\n"
                              "        53  APPENDS\n"
                              "        54  STOP\n"
                              "  protocol 4, 16 opcodes, 1 frames, STOP at byte 54\n");
    free(text);
}

/* pickle.dumps(numpy.arange(2, dtype=">i2"), 4) */
static const char array[] = "8004958d000000000000008c166e756d70792e5f636f72652e6d756c74696172726179948c0c5f7265636f6e73"
                            "74727563749493948c056e756d"
                            "7079948c076e6461727261799493944b0085944301629487945294284b014b02859468038c0564747970659493"
                            "948c02693294898887945294284b"
                            "038c013e944e4e4e4affffffff4affffffff4b0074946289430400000001947494622e";

static void arrays_and_globals_are_found(void **state) {
    EXPECT_PARTS("pickle", array, UINT64_MAX, "BINGET           memo 3 'numpy'\n", "STACK_GLOBAL     numpy dtype\n",
                 "protocol 4, ", "globals that a library imports", "numpy._core.multiarray _reconstruct\n",
                 "numpy ndarray\n", "numpy dtype\n",
                 "class numpy.ndarray, shape (2,), C order, 4 bytes of elements\n    dtype >i2, 2 bytes per item\n");
}

static void broken_pickles_are_listed_up_to_the_error(void **state) {
    EXPECT_PARTS("pickle", plain, 30, "        23  BININT           -3\n",
                 "error at byte 28 (input ends too early): LONG1 has no complete argument\n");
    EXPECT_PARTS("pickle", plain, 53, "        50  BININT2          300\n",
                 "error at byte 53 (input ends too early): the pickle ends before STOP\n");
    /* 0xff is no opcode. */
    EXPECT_PARTS("pickle", "80044eff2e", UINT64_MAX, "         2  NONE\n",
                 "error at byte 3 (malformed input): unknown opcode 0xff\n");
    /* A list without errors that the reader refuses: a value is left on the stack. */
    EXPECT_PARTS("pickle", "4e4e2e", UINT64_MAX, "STOP at byte 2\n", "error at byte 2 (malformed input)");
    /* A length of 2^63 bytes. */
    EXPECT_PARTS("pickle", "8e0000000000000080", UINT64_MAX, "error at byte 0 (input ends too early): BINBYTES8 has");
    EXPECT_PARTS("pickle", "4e2e4e4e", UINT64_MAX, "STOP at byte 1, 2 bytes follow\n");
    EXPECT_PARTS("pickle", "95ffffffffffffffff4e2e", UINT64_MAX, "FRAME            18446744073709551615, to byte ");
}

/* Names that opcodes hide from a search for text. */
static void globals_are_followed_through_stack_and_memo(void **state) {
    static const struct {
        const char *hex;
        const char *global;
    } rows[] = {
        /* GLOBAL 'os' 'system' */
        {"636f730a73797374656d0a2e", "byte 0       os system\n"},
        /* 'os' PUT 0, POP, GET 0, 'system', STACK_GLOBAL */
        {"8c026f73700a", NULL},
        {"8c026f7371003068008c0673797374656d932e", "os system\n"},
        /* The texts are below a mark that POP_MARK removes with the decoys above it. */
        {"8c026f738c0673797374656d288c01618c016231932e", "os system\n"},
        /* 'os' DUP POP 'system' */
        {"8c026f7332308c0673797374656d932e", "os system\n"},
        /* The module is not a text. */
        {"4e8c0673797374656d932e", "byte 9       a name that no text on the stack gives\n"},
        /* MARK INST 'os' 'system' */
        {"28696f730a73797374656d0a2e", "byte 1       os system\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char *text = dissect_hex("pickle", rows[i].hex, UINT64_MAX);
        const char *globals = strstr(text, "globals that");
        if ((rows[i].global == NULL) != (globals == NULL)) fail_msg("row %zu:\n%s", i, text);
        if (globals != NULL && strstr(globals, rows[i].global) == NULL) fail_msg("row %zu:\n%s", i, text);
        free(text);
    }
}

/* Endless stacks, memos and names stay within limits. */
static void hostile_pickles_have_bounded_output(void **state) {
    static char hex[2 * 20000 + 8];
    static const char *const opcodes[] = {"28", "4e", "32", "4e94", "5d", "8c0161", "28696f0a730a"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(opcodes); i++) {
        hex[0] = '\0';
        size_t at = 0;
        const size_t step = strlen(opcodes[i]);
        while (at + step < 2 * 20000) {
            memcpy(hex + at, opcodes[i], step + 1);
            at += step;
        }
        char *text = dissect_hex("pickle", hex, UINT64_MAX);
        assert_non_null(strstr(text, "more opcodes\n"));
        assert_true(strlen(text) < 20000);
        free(text);
    }
}

NDP_SUITE(dissect_pickle_test, NDP_TEST(opcodes_have_offsets_arguments_and_memo),
          NDP_TEST(arrays_and_globals_are_found), NDP_TEST(broken_pickles_are_listed_up_to_the_error),
          NDP_TEST(globals_are_followed_through_stack_and_memo), NDP_TEST(hostile_pickles_have_bounded_output));
