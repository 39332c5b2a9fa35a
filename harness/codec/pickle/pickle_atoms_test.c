/* pickle_atoms_test.c: opcodes that push one value. Pickles of CPython 3.11 (pickle.dumps) and 2.7.18 (cPickle.dumps),
 * or handmade. Expected: pickle.loads(..., encoding="latin1"), or an exception of both of its readers. */
#include "base/suite.h"
#include "codec/pickle/pickle_read_fixture.h"

static void atoms_equal_pythons(void **state) {
    static const struct pickle_row rows[] = {
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
        {BYTES("\x80\x05\x96\x02\x00\x00\x00\x00\x00\x00\x00"
               "ab\x94."),
         "a'ab'"},
        {BYTES("V\\q\\\\u0041\\u0041\\U00000041\n."), "'\\q\\\\u0041AA'"},
        {BYTES("V\\\\\\u0041\n."), "'\\\\A'"},
        {BYTES("V\xff\n."), "'\xc3\xbf'"},
        {BYTES("V\\ud800\n."), "'\xed\xa0\x80'"},
        {BYTES("X\x03\x00\x00\x00\xed\xa0\x80."), "'\xed\xa0\x80'"},
        {BYTES("\x8c\x02\xc3\xa9."), "'\xc3\xa9'"},
        {BYTES("\x8d\x01\x00\x00\x00\x00\x00\x00\x00x."), "'x'"},
        {BYTES("B\x01\x00\x00\x00\xff."), "b'\xff'"},
        {BYTES("C\x00."), "b''"},
        {BYTES("\x8e\x01\x00\x00\x00\x00\x00\x00\x00x."), "b'x'"},
        {BYTES("S''\n."), "s''"},
        {BYTES("S'\\377\\777\\1234'\n."), "s'\xff\xffS4'"},
        {BYTES("G\x7f\xf0\x00\x00\x00\x00\x00\x00."), "inf"},
        {BYTES("J\x00\x00\x00\x80."), "-2147483648"},
        {BYTES("K\xff."), "255"},
        {BYTES("L0L\n."), "0"},
    };
    reading_check_good(rows, NDP_ARRAY_LEN(rows));
}

static void refusals_have_status_and_offset(void **state) {
    static const struct bad_pickle_row rows[] = {
        {BYTES("I 1\n."), NDP_UNSUPPORTED, 0},
        {BYTES("I1\x00\n."), NDP_INVALID, 0},
        {BYTES("F?\n."), NDP_INVALID, 0},
        {BYTES("F1e400\n."), NDP_INVALID, 0},
        {BYTES("S'a\n."), NDP_INVALID, 0},
        {BYTES("S'\\xg0'\n."), NDP_INVALID, 0},
        {BYTES("V\\ud8\n."), NDP_INVALID, 0},
        {BYTES("V\\U00110000\n."), NDP_INVALID, 0},
        {BYTES("X\x02\x00\x00\x00\xc0\x80."), NDP_INVALID, 0},
        {BYTES("T\xff\xff\xff\xff."), NDP_INVALID, 0},
        {BYTES("\x8b\xff\xff\xff\xff."), NDP_INVALID, 0},
        {BYTES("\x8e\x00\x00\x00\x00\x00\x00\x00\x40."), NDP_TRUNCATED, 0},
        {BYTES("\x96\xff\xff\xff\xff\xff\xff\xff\xff."), NDP_TRUNCATED, 0},
        {BYTES("I010\n."), NDP_UNSUPPORTED, 0},
        {BYTES("NLL\n."), NDP_INVALID, 1},
        {BYTES("L1LL\n."), NDP_INVALID, 0},
        {BYTES("F1.5 \n."), NDP_UNSUPPORTED, 0},
        {BYTES("S'\\q'\n."), NDP_UNSUPPORTED, 0},
        {BYTES("S'a\\'\n."), NDP_INVALID, 0},
        {BYTES("S'a' \n."), NDP_INVALID, 0},
        {BYTES("Sabc\n."), NDP_INVALID, 0},
        {BYTES("S'\n."), NDP_INVALID, 0},
        {BYTES("X\x01\x00\x00\x00\xff."), NDP_INVALID, 0},
        {BYTES("c\xff\nC\n."), NDP_INVALID, 0},
        {BYTES("NG\x00."), NDP_TRUNCATED, 1},
        {BYTES("V\\u004"), NDP_TRUNCATED, 0},
    };
    reading_check_bad(rows, NDP_ARRAY_LEN(rows));
}

/* Streams a byte at a time; the next read overwrites the last bytes, so that unkept arguments change. */
static enum ndp_status read_byte(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = from;
    struct ndp_bytes taken;
    const uint64_t left = ndp_cursor_left(cursor);
    /* Reads the middle of a large payload in one piece for speed. */
    uint64_t size = cursor->at_bytes < 64 || left < 64 ? 1 : left - 32;
    if (size > left) size = left;
    if (size > room_bytes) size = room_bytes;
    NDP_TRY(ndp_cursor_take(cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}

/* Sizes around 16 KiB, from which a payload has its own memory, and 64 KiB, the size of the window. */
static void payloads_of_streams_outlive_the_window(void **state) {
    static const uint32_t sizes[] = {0, 1, 16384, 16385, 65536, 200000};
    static const struct {
        char opcode;
        enum ndp_object_kind kind;
    } rows[] = {{'B', NDP_OBJECT_BYTES}, {'X', NDP_OBJECT_TEXT}, {'T', NDP_OBJECT_STRING}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(sizes) * NDP_ARRAY_LEN(rows); i++) {
        const uint32_t size = sizes[i / NDP_ARRAY_LEN(rows)];
        const uint8_t head[] = {(uint8_t)rows[i % NDP_ARRAY_LEN(rows)].opcode, (uint8_t)size, (uint8_t)(size >> 8),
                                (uint8_t)(size >> 16), 0};
        struct reading reading = {.status = NDP_OK};
        uint8_t *room = NULL;
        NDP_BUFFER_SCOPED(pickle, 1 << 20);
        assert_int_equal(ndp_buffer_add(&pickle, "(", 1), NDP_OK);
        assert_int_equal(ndp_buffer_add(&pickle, head, sizeof(head)), NDP_OK);
        assert_int_equal(ndp_buffer_extend(&pickle, size, &room), NDP_OK);
        for (uint32_t k = 0; k < size; k++) room[k] = (uint8_t)(k % 127);
        assert_int_equal(ndp_buffer_add(&pickle, "cmodule\nname\nt.", 15), NDP_OK);
        struct ndp_cursor cursor = ndp_cursor_view(ndp_buffer_view(&pickle));
        struct ndp_source source = ndp_source_stream(read_byte, &cursor, UINT64_MAX);
        ndp_arena_init(&reading.arena, 1 << 22);
        ndp_objects_init(&reading.objects, &reading.arena);
        assert_int_equal(ndp_pickle_read(&reading.objects, &source, NULL, &reading.pickle, &reading.error), NDP_OK);
        ndp_source_clear(&source);
        const struct ndp_object *atom = reading.pickle.root->list.items[0];
        assert_int_equal(atom->kind, rows[i % NDP_ARRAY_LEN(rows)].kind);
        assert_int_equal(atom->offset_bytes, 1);
        assert_true(ndp_bytes_is_equal(atom->bytes, (struct ndp_bytes){pickle.data + 6, size}));
        assert_true(ndp_object_is_global(reading.pickle.root->list.items[1], "module", "name"));
        reading_end(&reading);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    static const struct ndp_bytes pickle =
        BYTES("(I1\nL99999999999999999999L\nF1.0\nVa\nS'b'\nK\x01X\x01\x00\x00\x00xC\x01ycm\nC\nt.");
    reading_check_memory(pickle, 12);
}

NDP_SUITE(pickle_atoms_test, NDP_TEST(atoms_equal_pythons), NDP_TEST(refusals_have_status_and_offset),
          NDP_TEST(payloads_of_streams_outlive_the_window), NDP_TEST(every_failing_allocation_is_reported));
