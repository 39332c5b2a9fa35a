/* pickle_calls_test.c: calls that stand for something simpler, and old names. Pickles of CPython 3.11 and 2.7.18, or by
 * hand, and what pickle.loads makes of them. */
#include "codec/pickle_reading.h"

static void calls_are_what_they_stand_for(void **state) {
    (void)state;
    static const struct pickle_row rows[] = {
        {BYTES("c_codecs\nencode\n(V\xe9\nVlatin1\ntR."), "b'\xe9'"},
        {BYTES("c__builtin__\nbytes\n(tR."), "b''"},
        {BYTES("\x80\x03"
               "cbuiltins\nbytearray\nC\x02"
               "ab\x85R."),
         "a'ab'"},
        {BYTES("\x80\x02"
               "c__builtin__\nset\n](K\x01K\x02"
               "e\x85R."),
         "set(1,2)"},
        {BYTES("\x80\x02"
               "c__builtin__\nxrange\nK\x01K\x02K\x03\x87R."),
         "builtins.range(1,2,3)"},
        {BYTES("\x80\x03"
               "c__builtin__\nxrange\n."),
         "__builtin__.xrange"},
        {BYTES("c_codecs\nencode\n(V\xe9\nVlatin-1\ntR."), "b'\xe9'"},
        {BYTES("c__builtin__\nbytearray\n(V\xe9\nVlatin-1\ntR."), "a'\xe9'"},
        {BYTES("c__builtin__\nbytearray\n(tR."), "a''"},
        {BYTES("cbuiltins\nset\n((I1\nltR."), "set(1)"},
        {BYTES("cbuiltins\nfrozenset\n((I1\nltR."), "frozenset(1)"},
        /* What dill 0.3.4 writes under Python 3.8 of a function of a C module. */
        {BYTES("cdill._dill\n_get_attr\n(cdill._dill\n_import_module\n(V_codecs\ntRVencode\ntR."), "_codecs.encode"},
        /* Calls that are nothing simpler stay calls. */
        {BYTES("cdill._dill\n_get_attr\n(V_codecs\nVencode\ntR."), "dill._dill._get_attr('_codecs','encode')"},
        {BYTES("cbuiltins\nset\n(tR."), "builtins.set()"},
        {BYTES("cbuiltins\nset\n(NtR."), "builtins.set(None)"},
        {BYTES("cbuiltins\nbytes\n(I3\ntR."), "builtins.bytes(3)"},
        {BYTES("cbuiltins\nbytes\n(Va\nVlatin1\ntR."), "builtins.bytes('a','latin1')"},
        {BYTES("cbuiltins\nbytearray\n(I3\ntR."), "builtins.bytearray(3)"},
        {BYTES("cbuiltins\nbytearray\n(Va\nVutf-8\ntR."), "builtins.bytearray('a','utf-8')"},
        {BYTES("cexceptions\nKeyError\n(Va\ntR."), "builtins.KeyError('a')"},
        {BYTES("\x80\x02"
               "cexceptions\nKeyError\n."),
         "builtins.KeyError"},
        {BYTES("\x80\x03"
               "cexceptions\nKeyError\n."),
         "exceptions.KeyError"},
        /* dill's name for the globals of the program that it runs in, in every protocol. */
        {BYTES("c__builtin__\n__main__\n."), "__builtin__.__main__"},
        {BYTES("\x80\x04"
               "c__builtin__\n__main__\n."),
         "__builtin__.__main__"},
    };
    reading_check_good(rows, NDP_ARRAY_LEN(rows));
}

static void refusals_name_reason_and_place(void **state) {
    (void)state;
    static const struct bad_pickle_row rows[] = {
        {BYTES("c_codecs\nencode\n(VA\nVutf8\ntR."), NDP_UNSUPPORTED, 27},
        {BYTES("c_codecs\nencode\n(V\\u0100\nVlatin1\ntR."), NDP_INVALID, 34},
        {BYTES("c_codecs\nencode\n(tR."), NDP_UNSUPPORTED, 18},
        {BYTES("c_codecs\nencode\n(VA\ntR."), NDP_UNSUPPORTED, 21},
        {BYTES("c_codecs\nencode\n(C\x01"
               "aVlatin1\ntR."),
         NDP_UNSUPPORTED, 29},
    };
    reading_check_bad(rows, NDP_ARRAY_LEN(rows));
}

/* The items of a set are counted again: the list that they come from may be there for many. */
static void elements_of_sets_are_counted(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES("cbuiltins\nset\n((I1\nI2\nltR.");
    for (uint64_t limit = 2; limit < 8; limit++) {
        const struct ndp_pickle_options options = {.elements_max = limit};
        struct reading reading;
        reading_start(&reading, pickle, &options);
        /* Two of the list, one of the tuple, two of the set. */
        assert_int_equal(reading.status, limit < 5 ? NDP_LIMIT : NDP_OK);
        reading_end(&reading);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    (void)state;
    static const struct ndp_bytes pickle =
        BYTES("(c_codecs\nencode\n(V\xe9\nVlatin1\ntRcbuiltins\nset\n((I1\nltRcm\nf\n(tRc__builtin__\nlong\nt.");
    reading_check_memory(pickle, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_what_they_stand_for),
        cmocka_unit_test(refusals_name_reason_and_place),
        cmocka_unit_test(elements_of_sets_are_counted),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
