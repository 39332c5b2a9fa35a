/* pickle_calls_test.c: calls that become values, and old names. Pickles of CPython 3.11 and 2.7.18, or handmade.
 * Expected: pickle.loads. */
#include "base/suite.h"
#include "codec/pickle/pickle_read_fixture.h"

static const struct pickle_row call_rows[] = {
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
    /* CPython 3.11 writes this for [dict.fromkeys, elsewhere.Outer.g], where g is a class method. */
    {BYTES("\x80\x02]q\x00(c__builtin__\ngetattr\nq\x01"
           "c__builtin__\ndict\nq\x02X\x08\x00\x00\x00"
           "fromkeysq\x03\x86q\x04Rq\x05h\x01"
           "celsewhere\nOuter\nq\x06X\x01\x00\x00\x00gq\x07\x86q\x08Rq\te."),
     "[builtins.dict.fromkeys,elsewhere.Outer.g]"},
    {BYTES("\x80\x04\x95_\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x08"
           "builtins\x94\x8c\x07getattr\x94\x93\x94\x8c\x08"
           "builtins\x94\x8c\x04"
           "dict\x94\x93\x94\x8c\x08"
           "fromkeys\x94\x86\x94R\x94h\x03\x8c\t"
           "elsewhere\x94\x8c\x05Outer\x94\x93\x94\x8c\x01g\x94\x86\x94R\x94"
           "e."),
     "[builtins.dict.fromkeys,elsewhere.Outer.g]"},
    {BYTES("cbuiltins\ngetattr\n(cbuiltins\ngetattr\n(cm\nA\nVB\ntRS'C'\ntR."), "m.A.B.C"},
    /* getattr that does not become a name: on an unnamed object, without arguments, with three arguments, with an
     * attribute that is not text. */
    {BYTES("cbuiltins\ngetattr\n(I1\nVB\ntR."), "builtins.getattr(1,'B')"},
    {BYTES("cbuiltins\ngetattr\n(cm\nf\n(tRVB\ntR."), "builtins.getattr(m.f(),'B')"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\nV\ntR."), "builtins.getattr(m.A,'')"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\nVB.C\ntR."), "builtins.getattr(m.A,'B.C')"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\nS'\xe9'\ntR."), "builtins.getattr(m.A,s'\xe9')"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\nI1\ntR."), "builtins.getattr(m.A,1)"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\ntR."), "builtins.getattr(m.A)"},
    {BYTES("cbuiltins\ngetattr\n(cm\nA\nVB\nNtR."), "builtins.getattr(m.A,'B',None)"},
    {BYTES("cm\ngetattr\n(cm\nA\nVB\ntR."), "m.getattr(m.A,'B')"},
    /* Arguments that contain themselves. */
    {BYTES("cbuiltins\ngetattr\n(cm\nA\n]p0\ng0\natR."), "builtins.getattr(m.A,[[[[[[[[...]]]]]]]])"},
    /* Other calls stay calls. */
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
    /* The last of two PROTO opcodes determines the mapping of names. */
    {BYTES("\x80\x04\x80\x02"
           "c__builtin__\nxrange\n."),
     "builtins.range"},
    {BYTES("\x80\x02\x80\x04"
           "c__builtin__\nxrange\n."),
     "__builtin__.xrange"},
};

static void calls_become_values(void **state) {
    reading_check_good(call_rows, NDP_ARRAY_LEN(call_rows));
}

static void refusals_have_status_and_offset(void **state) {
    static const struct bad_pickle_row rows[] = {
        {BYTES("c_codecs\nencode\n(VA\nVutf8\ntR."), NDP_UNSUPPORTED, 27},
        {BYTES("c_codecs\nencode\n(V\\u0100\nVlatin1\ntR."), NDP_INVALID, 34},
        {BYTES("c_codecs\nencode\n(tR."), NDP_UNSUPPORTED, 18},
        {BYTES("c_codecs\nencode\n(VA\ntR."), NDP_UNSUPPORTED, 21},
        {BYTES("c_codecs\nencode\n(C\x01"
               "aVlatin1\ntR."),
         NDP_UNSUPPORTED, 29},
        {BYTES("cbuiltins\nset\n((]ltR."), NDP_INVALID, 19},
        {BYTES("cbuiltins\nfrozenset\n((N}ltR."), NDP_INVALID, 26},
    };
    reading_check_bad(rows, NDP_ARRAY_LEN(rows));
}

/* The items of a set count in addition to those of the list, because one list may serve many sets. */
static void elements_of_sets_are_counted(void **state) {
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

/* A chain of attributes stops growing at the limit of a name. */
static void nested_names_are_limited(void **state) {
    enum { LINKS = 2000, NAME_BYTES_MAX = 256 };
    static const char link[] = "Vab\ntR";
    struct reading reading;
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    for (uint32_t i = 0; i < LINKS; i++) assert_int_equal(ndp_buffer_add(&bytes, "cbuiltins\ngetattr\n(", 19), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, "cm\nA\n", 5), NDP_OK);
    for (uint32_t i = 0; i < LINKS; i++) assert_int_equal(ndp_buffer_add(&bytes, link, sizeof link - 1), NDP_OK);
    assert_int_equal(ndp_buffer_add(&bytes, ".", 1), NDP_OK);
    reading_start(&reading, ndp_buffer_view(&bytes), NULL);
    assert_int_equal(reading.status, NDP_OK);
    const struct ndp_object *object = reading.pickle.root;
    uint32_t calls = 0;
    for (; object->kind == NDP_OBJECT_CALL; object = object->call->args->list.items[0]) calls++;
    assert_int_equal(object->kind, NDP_OBJECT_GLOBAL);
    const uint64_t size_bytes = object->global.name->bytes.size_bytes;
    assert_true(size_bytes <= NAME_BYTES_MAX && size_bytes + 3 > NAME_BYTES_MAX);
    assert_int_equal((size_bytes - 1) / 3 + calls, LINKS);
    reading_end(&reading);
}

static void every_failing_allocation_is_reported(void **state) {
    static const struct ndp_bytes pickle =
        BYTES("(c_codecs\nencode\n(V\xe9\nVlatin1\ntRcbuiltins\nset\n((I1\nltRcm\nf\n(tRc__builtin__\nlong\n"
              "c__builtin__\ngetattr\n(cm\nA\nVB\ntRt.");
    reading_check_memory(pickle, 30);
}

NDP_SUITE(pickle_calls_test, NDP_TEST(calls_become_values), NDP_TEST(refusals_have_status_and_offset),
          NDP_TEST(elements_of_sets_are_counted), NDP_TEST(nested_names_are_limited),
          NDP_TEST(every_failing_allocation_is_reported));
