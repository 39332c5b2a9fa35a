#include "codec/pickle_read.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec/npy_encode.h"
#include "codec/pickle_write.h"

#define BYTES(text)                                                                                                    \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* What a pickle gives, in an arena of its own. */
struct reading {
    struct ndp_arena arena;
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    struct ndp_error error;
    enum ndp_status status;
};

static void start(struct reading *reading, struct ndp_bytes bytes, const struct ndp_pickle_options *options) {
    *reading = (struct reading){.status = NDP_OK};
    ndp_arena_init(&reading->arena, UINT64_C(1) << 30);
    ndp_objects_init(&reading->objects, &reading->arena);
    struct ndp_source source = ndp_source_memory(bytes);
    reading->status = ndp_pickle_read(&reading->objects, &source, options, &reading->pickle, &reading->error);
}

static void end(struct reading *reading) {
    ndp_objects_clear(&reading->objects);
    ndp_arena_clear(&reading->arena);
}

/* Appends the object as Python's repr() would show it; calls as callable(args...), their state behind a slash. */
static void show(struct ndp_buffer *out, const struct ndp_object *object, uint32_t depth);

static void add(struct ndp_buffer *out, const char *text) {
    assert_int_equal(ndp_buffer_add(out, text, strlen(text)), NDP_OK);
}

static void show_list(struct ndp_buffer *out, const struct ndp_object_list *list, const char *open, const char *close,
                      uint32_t depth) {
    add(out, open);
    for (uint64_t i = 0; i < list->count; i++) {
        if (i > 0) add(out, ",");
        show(out, list->items[i], depth + 1);
    }
    add(out, close);
}

static void show_call(struct ndp_buffer *out, const struct ndp_call *call, uint32_t depth) {
    show(out, call->callable, depth + 1);
    show_list(out, &call->args->list, "(", ")", depth);
    if (call->items.count > 0) show_list(out, &call->items, "+[", "]", depth);
    if (call->pairs.count > 0) show_list(out, &call->pairs, "+{", "}", depth);
    if (call->state != NULL) add(out, call->setter != NULL ? "//" : "/");
    if (call->state != NULL) show(out, call->state, depth + 1);
}

static void show(struct ndp_buffer *out, const struct ndp_object *object, uint32_t depth) {
    const char *const open[] = {[NDP_OBJECT_LIST] = "[",
                                [NDP_OBJECT_TUPLE] = "(",
                                [NDP_OBJECT_DICT] = "{",
                                [NDP_OBJECT_SET] = "set(",
                                [NDP_OBJECT_FROZENSET] = "frozenset("};
    const char *const close[] = {[NDP_OBJECT_LIST] = "]",
                                 [NDP_OBJECT_TUPLE] = ")",
                                 [NDP_OBJECT_DICT] = "}",
                                 [NDP_OBJECT_SET] = ")",
                                 [NDP_OBJECT_FROZENSET] = ")"};
    if (depth > 8) {
        add(out, "...");
        return;
    }
    switch ((int)object->kind) {
    case NDP_OBJECT_NONE:
        add(out, "None");
        return;
    case NDP_OBJECT_BOOL:
        add(out, object->truth ? "True" : "False");
        return;
    case NDP_OBJECT_INT:
        if (object->is_big) add(out, "big:");
        assert_int_equal(object->is_big ? ndp_hex_add(out, object->bytes)
                                        : ndp_buffer_printf(out, "%lld", (long long)object->integer),
                         NDP_OK);
        return;
    case NDP_OBJECT_FLOAT:
        assert_int_equal(ndp_buffer_printf(out, "%.17g", object->real), NDP_OK);
        return;
    case NDP_OBJECT_GLOBAL:
        assert_int_equal(
            ndp_buffer_add(out, object->global.module->bytes.data, object->global.module->bytes.size_bytes), NDP_OK);
        add(out, ".");
        assert_int_equal(ndp_buffer_add(out, object->global.name->bytes.data, object->global.name->bytes.size_bytes),
                         NDP_OK);
        return;
    case NDP_OBJECT_CALL:
        show_call(out, object->call, depth);
        return;
    case NDP_OBJECT_BUFFER:
        assert_int_equal(
            ndp_buffer_printf(out, "buffer%llu%s", (unsigned long long)object->index, object->is_readonly ? "r" : ""),
            NDP_OK);
        return;
    case NDP_OBJECT_LIST:
    case NDP_OBJECT_TUPLE:
    case NDP_OBJECT_DICT:
    case NDP_OBJECT_SET:
    case NDP_OBJECT_FROZENSET:
        show_list(out, &object->list, open[object->kind], close[object->kind], depth);
        return;
    default:
        add(out, object->kind == NDP_OBJECT_TEXT     ? "'"
                 : object->kind == NDP_OBJECT_STRING ? "s'"
                 : object->kind == NDP_OBJECT_BYTES  ? "b'"
                                                     : "a'");
        assert_int_equal(ndp_buffer_add(out, object->bytes.data, object->bytes.size_bytes), NDP_OK);
        add(out, "'");
    }
}

/* Pickles of CPython 3.11 (pickle.dumps) and 2.7.18 (cPickle.dumps), or by hand, and what pickle.loads makes of them.
 */
static const struct {
    struct ndp_bytes pickle;
    const char *shown;
} good[] = {
    {BYTES("N."), "None"},
    {BYTES("I01\n."), "True"},
    {BYTES("I00\n."), "False"},
    {BYTES("I1\n."), "1"},
    {BYTES("I-2147483649\n."), "-2147483649"},
    {BYTES("L18446744073709551616L\n."), "big:000000000000000001"},
    {BYTES("L-9223372036854775808L\n."), "-9223372036854775808"},
    {BYTES("L5\n."), "5"},
    {BYTES("\x80\x02\x8a\x00."), "0"},
    {BYTES("\x80\x02\x8a\x01\xff."), "-1"},
    {BYTES("\x80\x02\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\xff."), "-9223372036854775808"},
    {BYTES("\x80\x02\x8b\x02\x00\x00\x00\x00\x80."), "-32768"},
    {BYTES("F0.1\n."), "0.10000000000000001"},
    {BYTES("Fnan\n."), "nan"},
    {BYTES("F-inf\n."), "-inf"},
    {BYTES("G\xbf\xf0\x00\x00\x00\x00\x00\x00."), "-1"},
    {BYTES("J\xff\xff\xff\xff."), "-1"},
    {BYTES("M\xff\xff."), "65535"},
    {BYTES("V\\u03b1\xe9\\U0001f600\\u005cu\np0\n."), "'\xce\xb1\xc3\xa9\xf0\x9f\x98\x80\\u'"},
    {BYTES("S'a\\'\\x62\\n\\101'\np0\n."), "s'a'b\nA'"},
    {BYTES("S\"it's\"\n."), "s'it's'"},
    {BYTES("U\x02\xe9\xff."), "s'\xe9\xff'"},
    {BYTES("T\x01\x00\x00\x00x."), "s'x'"},
    {BYTES("c_codecs\nencode\n(V\xe9\nVlatin1\ntR."), "b'\xe9'"},
    {BYTES("c__builtin__\nbytes\n(tR."), "b''"},
    {BYTES("\x80\x03"
           "cbuiltins\nbytearray\nC\x02"
           "ab\x85R."),
     "a'ab'"},
    {BYTES("\x80\x05\x96\x02\x00\x00\x00\x00\x00\x00\x00"
           "ab\x94."),
     "a'ab'"},
    {BYTES("\x80\x02"
           "c__builtin__\nset\n](K\x01K\x02"
           "e\x85R."),
     "set(1,2)"},
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
    {BYTES("(im\nC\nI1\n0."), NULL},
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
    {BYTES("\x80\x02"
           "c__builtin__\nxrange\nK\x01K\x02K\x03\x87R."),
     "builtins.range(1,2,3)"},
    {BYTES("\x80\x03"
           "c__builtin__\nxrange\n."),
     "__builtin__.xrange"},
};

static void objects_are_what_python_makes_of_them(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(good); i++) {
        struct reading reading;
        struct ndp_buffer text;
        if (good[i].shown == NULL) continue;
        start(&reading, good[i].pickle, NULL);
        if (reading.status != NDP_OK) fail_msg("row %zu (%s): %s", i, good[i].shown, reading.error.text);
        ndp_buffer_init(&text, 1 << 16);
        show(&text, reading.pickle.root, 0);
        assert_int_equal(ndp_buffer_add(&text, "", 1), NDP_OK);
        assert_string_equal((const char *)text.data, good[i].shown);
        assert_int_equal(reading.pickle.consumed_bytes, good[i].pickle.size_bytes);
        ndp_buffer_clear(&text);
        end(&reading);
    }
}

/* What is refused, why, and at which byte. */
static const struct {
    struct ndp_bytes pickle;
    enum ndp_status status;
    uint64_t offset_bytes;
} bad[] = {
    {BYTES(""), NDP_TRUNCATED, 0},
    {BYTES("N"), NDP_TRUNCATED, 1},
    {BYTES("."), NDP_INVALID, 0},
    {BYTES("\xff"), NDP_INVALID, 0},
    {BYTES("\x80\x06."), NDP_UNSUPPORTED, 0},
    {BYTES("Pid\n."), NDP_UNSUPPORTED, 0},
    {BYTES("NQ."), NDP_UNSUPPORTED, 1},
    {BYTES("\x83\x01\x00."), NDP_UNSUPPORTED, 0},
    {BYTES("\x84\x01\x00\x00\x00."), NDP_UNSUPPORTED, 0},
    {BYTES("I 1\n."), NDP_UNSUPPORTED, 0},
    {BYTES("I1\x00\n."), NDP_INVALID, 0},
    {BYTES("F?\n."), NDP_INVALID, 0},
    {BYTES("F1e400\n."), NDP_INVALID, 0},
    {BYTES("Np-1\n."), NDP_INVALID, 1},
    {BYTES("Np4294967296\n."), NDP_LIMIT, 1},
    {BYTES("Np99999999999999999999\n."), NDP_LIMIT, 1},
    {BYTES("j\x00\x00\x00\x01."), NDP_INVALID, 0},
    {BYTES("N(N."), NDP_INVALID, 3},
    {BYTES("NN."), NDP_INVALID, 2},
    {BYTES("N\x86."), NDP_INVALID, 1},
    {BYTES("0."), NDP_INVALID, 0},
    {BYTES("(NNN0000."), NDP_INVALID, 8},
    {BYTES("S'a\n."), NDP_INVALID, 0},
    {BYTES("S'\\xg0'\n."), NDP_INVALID, 0},
    {BYTES("V\\ud8\n."), NDP_INVALID, 0},
    {BYTES("V\\U00110000\n."), NDP_INVALID, 0},
    {BYTES("X\x02\x00\x00\x00\xc0\x80."), NDP_INVALID, 0},
    {BYTES("T\xff\xff\xff\xff."), NDP_INVALID, 0},
    {BYTES("\x8b\xff\xff\xff\xff."), NDP_INVALID, 0},
    {BYTES("\x8e\x00\x00\x00\x00\x00\x00\x00\x40."), NDP_TRUNCATED, 0},
    {BYTES("\x96\xff\xff\xff\xff\xff\xff\xff\xff."), NDP_TRUNCATED, 0},
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
    {BYTES("N\x98."), NDP_INVALID, 1},
    {BYTES("\x97."), NDP_INVALID, 0},
    {BYTES("c_codecs\nencode\n(VA\nVutf8\ntR."), NDP_UNSUPPORTED, 27},
    {BYTES("c_codecs\nencode\n(V\\u0100\nVlatin1\ntR."), NDP_INVALID, 34},
};

static void refusals_name_reason_and_place(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        struct reading reading;
        start(&reading, bad[i].pickle, NULL);
        if (reading.status != bad[i].status ||
            (bad[i].status != NDP_OK && reading.error.offset_bytes != bad[i].offset_bytes))
            fail_msg("row %zu: %s at %llu: %s", i, ndp_status_name(reading.status),
                     (unsigned long long)reading.error.offset_bytes, reading.error.text);
        end(&reading);
    }
}

/* Inputs that grow: what one part is, and what stands around them. */
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

/* Operations are opcodes, bytes and items touched; the arena is what was asked for. Both at most double and a little.
 */
static void work_and_memory_are_linear_in_the_input(void **state) {
    (void)state;
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, 1 << 26);
    for (size_t row = 0; row < NDP_ARRAY_LEN(growing); row++) {
        uint64_t operations[2];
        uint64_t memory[2];
        for (uint32_t i = 0; i < 2; i++) {
            struct reading reading;
            start(&reading, grow(&buffer, row, UINT64_C(20000) << i), NULL);
            if (reading.status != NDP_OK) fail_msg("%s: %s", growing[row].what, reading.error.text);
            operations[i] = reading.pickle.operations;
            memory[i] = reading.arena.used_bytes;
            end(&reading);
        }
        assert_in_range(operations[1], operations[0], operations[0] * 2 + 64);
        if (memory[1] > memory[0] * 5 / 2) fail_msg("%s: memory grows faster than the input", growing[row].what);
    }
    ndp_buffer_clear(&buffer);
}

static void limits_hold(void **state) {
    (void)state;
    static const struct ndp_bytes pickle = BYTES("\x80\x02]q\x00(K\x01q\x01K\x02q\x02"
                                                 "e.");
    static const struct ndp_pickle_options options[] = {
        {.opcodes_max = 9}, {.memo_entries_max = 2}, {.elements_max = 1}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(options); i++) {
        struct reading reading;
        start(&reading, pickle, NULL);
        assert_int_equal(reading.status, NDP_OK);
        end(&reading);
        start(&reading, pickle, &options[i]);
        assert_int_equal(reading.status, NDP_LIMIT);
        end(&reading);
    }
}

/* Bytes of a file of the corpus on the exact-size heap, so that reading past their end is seen. */
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

/* Every cut of a pickle that is one is an early end, or wrong where its frame was to end; never more than that. */
static void every_cut_is_refused(void **state) {
    (void)state;
    uint32_t files = 0;
    static const char folder[] = "corpus/pickle/accept";
    DIR *list = opendir(folder);
    if (list == NULL) skip();
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".pkl") != 0) continue;
        const struct ndp_bytes bytes = read_file(folder, entry->d_name);
        struct reading whole;
        start(&whole, bytes, NULL);
        assert_int_equal(whole.status, NDP_OK);
        const uint64_t end_bytes = whole.pickle.consumed_bytes;
        end(&whole);
        for (uint64_t size = 0; size < end_bytes; size++) {
            struct reading cut;
            uint8_t *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, bytes.data, size);
            start(&cut, (struct ndp_bytes){copy, size}, NULL);
            if (cut.status != NDP_TRUNCATED) fail_msg("%s cut at %llu", entry->d_name, (unsigned long long)size);
            end(&cut);
            free(copy);
        }
        free((void *)(uintptr_t)bytes.data);
        files++;
    }
    assert_int_equal(closedir(list), 0);
    assert_true(files > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_what_python_makes_of_them),
        cmocka_unit_test(refusals_name_reason_and_place),
        cmocka_unit_test(work_and_memory_are_linear_in_the_input),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(every_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
