#include "base/suite.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_read_fixture.h"

#include <dirent.h>

/* Pickles of CPython 3.11 (pickle.dumps) and 2.7.18 (cPickle.dumps), or handmade. Expected: pickle.loads. */
static const struct pickle_row good[] = {
    {BYTES("N."), "None"},
    {BYTES("\x80\x04\x8f\x94(K\x01\x90."), "set(1)"},
    {BYTES("\x80\x04(K\x01\x91\x94."), "frozenset(1)"},
    {BYTES("(lp0\nI1\naI2\na."), "[1,2]"},
    {BYTES("(I1\nI2\nl."), "[1,2]"},
    {BYTES("(I1\nI2\nd."), "{1,2}"},
    {BYTES("\x80\x02](K\x01K\x02"
           "e."),
     "[1,2]"},
    {BYTES("\x80\x02}(K\x01NK\x02Nu."), "{1,None,2,None}"},
    {BYTES("\x80\x02K\x01K\x02K\x03\x87."), "(1,2,3)"},
    {BYTES("\x80\x02]q\x00h\x00"
           "a."),
     "[[[[[[[[[...]]]]]]]]]"},
    {BYTES("\x80\x02K\x01"
           "2\x86."),
     "(1,1)"},
    {BYTES("\x80\x02K\x01K\x02"
           "0."),
     "1"},
    {BYTES("\x80\x02(K\x01K\x02"
           "1K\x03."),
     "3"},
    {BYTES("\x80\x02K\x01(0."), "1"},
    {BYTES("\x80\x02"
           "cm\nC\n)\x81}K\x01K\x02sb."),
     "m.C()/{1,2}"},
    {BYTES("\x80\x04\x8c\x01m\x8c\x03"
           "C.D\x93)}\x92."),
     "m.C.D()"},
    {BYTES("ccopy_reg\n_reconstructor\n(cm\nC\nc__builtin__\nobject\nNtR."),
     "copyreg._reconstructor(m.C,builtins.object,None)"},
    {BYTES("(I1\nim\nC\n."), "m.C(1)"},
    {BYTES("(cm\nC\nI1\no."), "m.C(1)"},
    {BYTES("\x80\x02"
           "cm\nL\n)\x81(K\x01K\x02"
           "e."),
     "m.L()+[1,2]"},
    {BYTES("\x80\x02"
           "cm\nD\n)\x81K\x01K\x02s."),
     "m.D()+{1,2}"},
    {BYTES("\x80\x02"
           "cm\nf\n)Rq\x00"
           "cm\nset\nh\x00}\x86R0."),
     "m.f()//{}"},
};

static void objects_equal_pythons(void **state) {
    reading_check_good(good, NDP_ARRAY_LEN(good));
}

/* Refused pickles with status and offset. */
static const struct bad_pickle_row bad[] = {
    {BYTES(""), NDP_TRUNCATED, 0},
    {BYTES("N"), NDP_TRUNCATED, 1},
    {BYTES("."), NDP_INVALID, 0},
    {BYTES("\xff"), NDP_INVALID, 0},
    {BYTES("\x80\x06."), NDP_UNSUPPORTED, 0},
    {BYTES("Pid\n."), NDP_UNSUPPORTED, 0},
    {BYTES("NQ."), NDP_UNSUPPORTED, 1},
    {BYTES("\x83\x01\x00."), NDP_UNSUPPORTED, 0},
    {BYTES("\x84\x01\x00\x00\x00."), NDP_UNSUPPORTED, 0},
    {BYTES("Np-1\n."), NDP_INVALID, 1},
    {BYTES("Np4294967296\n."), NDP_LIMIT, 1},
    {BYTES("Np99999999999999999999\n."), NDP_LIMIT, 1},
    {BYTES("j\x00\x00\x00\x01."), NDP_INVALID, 0},
    {BYTES("N(N."), NDP_INVALID, 3},
    {BYTES("NN."), NDP_INVALID, 2},
    {BYTES("N\x86."), NDP_INVALID, 1},
    {BYTES("0."), NDP_INVALID, 0},
    {BYTES("cm\nf\n)Rcbuiltins\nsetattr\n()Va\nK\x01tR0."), NDP_UNSUPPORTED, 34},
    {BYTES("(NNN0000."), NDP_INVALID, 8},
    {BYTES("\x95\x01\x00\x00\x00\x00\x00\x00\x00K\x01."), NDP_INVALID, 9},
    {BYTES("\x95\x01\x00\x00\x00\x00\x00\x00\x00N."), NDP_OK, 0},
    {BYTES("\x95\x03\x00\x00\x00\x00\x00\x00\x00N."), NDP_INVALID, 10},
    {BYTES("\x95\x0a\x00\x00\x00\x00\x00\x00\x00\x95\x01\x00\x00\x00\x00\x00\x00\x00N."), NDP_INVALID, 9},
    {BYTES("}]Ns."), NDP_INVALID, 3},
    {BYTES("}(Nu."), NDP_INVALID, 3},
    {BYTES("NNs."), NDP_INVALID, 2},
    {BYTES("NNa."), NDP_INVALID, 2},
    {BYTES("N(N\x90."), NDP_INVALID, 3},
    {BYTES("N)R."), NDP_INVALID, 2},
    {BYTES("cm\nC\n]R."), NDP_INVALID, 6},
    {BYTES("cm\nC\n)N\x92."), NDP_INVALID, 7},
    {BYTES("NNb."), NDP_INVALID, 2},
    {BYTES("cm\nC\n)\x81NbNb."), NDP_UNSUPPORTED, 10},
    {BYTES("NN\x93."), NDP_INVALID, 2},
    {BYTES("cm\n.C\n."), NDP_INVALID, 0},
    {BYTES("Ncm\nC..D\n."), NDP_INVALID, 1},
    {BYTES("\x8c\x01m\x8c\x02x.\x93."), NDP_INVALID, 7},
    {BYTES("N\x98."), NDP_INVALID, 1},
    {BYTES("\x97."), NDP_INVALID, 0},
};

static void refusals_have_status_and_offset(void **state) {
    reading_check_bad(bad, NDP_ARRAY_LEN(bad));
}

/* The id is any bytes except a newline. */
static void a_persistent_id_is_reported_completely(void **state) {
    struct reading reading;
    reading_start(&reading, (struct ndp_bytes)BYTES("Pa\0b\xff\n."), NULL);
    assert_int_equal(reading.status, NDP_UNSUPPORTED);
    assert_string_equal(reading.error.text, "persistent id 'a\\x00b\\xff'");
    reading_end(&reading);
}

/* Inputs of n parts between a start and an end. */
static const struct {
    const char *what;
    struct ndp_bytes head, part, tail;
} growing[] = {
    {"lists in lists", BYTES("N"), BYTES("\x85"), BYTES(".")},
    {"marks and pops", BYTES("N"), BYTES("(0"), BYTES(".")},
    {"items one by one", BYTES("]"), BYTES("Na"), BYTES(".")},
    {"items at once", BYTES("]("), BYTES("N"), BYTES("e.")},
    {"pairs", BYTES("}("), BYTES("NN"), BYTES("u.")},
    {"memo", BYTES("]"),
     BYTES("N\x94"
           "0"),
     BYTES(".")},
    {"the same index again", BYTES("N"), BYTES("p4294967295\n"), BYTES(".")},
    {"duplicates", BYTES("(N"), BYTES("2"), BYTES("t.")},
    {"names", BYTES("]"), BYTES("cabc\ndef\na"), BYTES(".")},
    {"long integers", BYTES("]"), BYTES("L12345678901234567890123456789012345678901234567890L\na"), BYTES(".")},
    {"text of protocol 0", BYTES("V"), BYTES("\\u1234\xe9"), BYTES("\n.")},
    {"a set of a list, again and again",
     BYTES("](NN"
           "e"),
     BYTES("q\x00"
           "0c__builtin__\nset\nh\x00\x85R0h\x00"),
     BYTES(".")},
};

static struct ndp_bytes grow(struct ndp_buffer *buffer, size_t row, uint64_t count) {
    buffer->size_bytes = 0;
    assert_int_equal(ndp_buffer_add(buffer, growing[row].head.data, growing[row].head.size_bytes), NDP_OK);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(ndp_buffer_add(buffer, growing[row].part.data, growing[row].part.size_bytes), NDP_OK);
    assert_int_equal(ndp_buffer_add(buffer, growing[row].tail.data, growing[row].tail.size_bytes), NDP_OK);
    return ndp_buffer_view(buffer);
}

/* Operations count opcodes, bytes and items; the arena counts bytes allocated. Doubling the input must not much more
 * than double them. */
static void work_and_memory_are_linear_in_the_input(void **state) {
    NDP_BUFFER_SCOPED(buffer, 1 << 26);
    for (size_t row = 0; row < NDP_ARRAY_LEN(growing); row++) {
        uint64_t operations[2], memory[2];
        for (uint32_t i = 0; i < 2; i++) {
            struct reading reading;
            reading_start(&reading, grow(&buffer, row, UINT64_C(20000) << i), NULL);
            if (reading.status != NDP_OK) fail_msg("%s: %s", growing[row].what, reading.error.text);
            operations[i] = reading.pickle.operations;
            memory[i] = reading.arena.used_bytes;
            reading_end(&reading);
        }
        assert_in_range(operations[1], operations[0], operations[0] * 2 + 64);
        if (memory[1] > memory[0] * 5 / 2) fail_msg("%s: memory grows faster than the input", growing[row].what);
    }
}

static void limits_are_enforced(void **state) {
    static const struct ndp_bytes pickle = BYTES("\x80\x02]q\x00(K\x01q\x01K\x02q\x02"
                                                 "e.");
    static const struct ndp_pickle_options options[] = {
        {.opcodes_max = 9}, {.memo_entries_max = 2}, {.elements_max = 1}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(options); i++) {
        struct reading reading;
        reading_start(&reading, pickle, NULL);
        assert_int_equal(reading.status, NDP_OK);
        reading_end(&reading);
        reading_start(&reading, pickle, &options[i]);
        assert_int_equal(reading.status, NDP_LIMIT);
        reading_end(&reading);
    }
}

/* Copies a corpus file to an exact-size heap block, so that the sanitizer detects reads past its end. */
static struct ndp_bytes read_file(const char *folder, const char *name) {
    char path[512];
    static uint8_t piece[1 << 16];
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(piece, 1, sizeof(piece), file);
    assert_int_equal(fclose(file), 0);
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, piece, size);
    return (struct ndp_bytes){copy, size};
}

/* Every truncation is TRUNCATED, or INVALID at the end of a frame, and nothing else. */
static void every_truncation_is_refused(void **state) {
    uint32_t files = 0;
    static const char folder[] = "corpus/pickle/accept";
    DIR *list = opendir(folder);
    if (list == NULL) skip();
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".pkl") != 0) continue;
        const struct ndp_bytes bytes = read_file(folder, entry->d_name);
        struct reading whole;
        reading_start(&whole, bytes, NULL);
        assert_int_equal(whole.status, NDP_OK);
        const uint64_t end_bytes = whole.pickle.consumed_bytes;
        reading_end(&whole);
        for (uint64_t size = 0; size < end_bytes; size++) {
            struct reading cut;
            uint8_t *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, bytes.data, size);
            reading_start(&cut, (struct ndp_bytes){copy, size}, NULL);
            if (cut.status != NDP_TRUNCATED) fail_msg("%s cut at %llu", entry->d_name, (unsigned long long)size);
            reading_end(&cut);
            free(copy);
        }
        free((void *)(uintptr_t)bytes.data);
        files++;
    }
    assert_int_equal(closedir(list), 0);
    assert_true(files > 20);
}

NDP_SUITE(pickle_read_test, NDP_TEST(objects_equal_pythons), NDP_TEST(refusals_have_status_and_offset),
          NDP_TEST(a_persistent_id_is_reported_completely), NDP_TEST(work_and_memory_are_linear_in_the_input),
          NDP_TEST(limits_are_enforced), NDP_TEST(every_truncation_is_refused));
