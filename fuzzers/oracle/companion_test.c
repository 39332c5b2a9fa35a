/* companion_test.c: what the oracle says of arrays out of dumps with companions, and of other dumps and companions.
 * z-files: zlib.compress(bytes([1, 2, 3, 4, 5, 6])) of CPython 3.11. */
#include "oracle/companion.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

/* Dumps as joblib 0.9 has them, of numpy.array([[1, 2, 3], [4, 5, 6]], "u1"). */
#define BYTES(literal)                                                                                                 \
    { (const uint8_t *)(literal), sizeof(literal) - 1 }
#define PLAIN(name)                                                                                                    \
    "\x80\2cjoblib.numpy_pickle\nNDArrayWrapper\n)\x81}(X\x8\0\0\0filenameX\1\0\0\0" name                              \
    "X\x8\0\0\0subclasscnumpy\nndarray\nX\xa\0\0\0allow_mmap\x88ub."
#define PACKED(shape, order) PACKED_AS("ndarray", shape, order)
#define PACKED_AS(class, shape, order)                                                                                 \
    "\x80\2cjoblib.numpy_pickle\nZNDArrayWrapper\n)\x81}(X\x8\0\0\0filenameX\1\0\0\0aX\5\0\0\0state(K\1" shape "\x86"  \
    "cnumpy\ndtype\nX\2\0\0\0u1\x89\x88\x87R(K\3X\1\0\0\0|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb" order            \
    "tX\x9\0\0\0init_argscnumpy\n" class "\nK\0\x85X\1\0\0\0b\x87ub."
#define STREAM                                                                                                         \
    "x\x9c"                                                                                                            \
    "cdbfae\3\0\0>\0\x16"

static const struct ndp_bytes plain = BYTES(PLAIN("a")), packed = BYTES(PACKED("K\2K\3", "\x89")),
                              fortran = BYTES(PACKED("K\2K\3", "\x88")), turned = BYTES(PACKED("K\3K\2", "\x89")),
                              matrix = BYTES(PACKED_AS("matrix", "K\2K\3", "\x89")),
                              record = BYTES(PACKED_AS("recarray", "K\2K\3", "\x89")),
                              zfile = BYTES("ZF0x6                " STREAM),
                              other = BYTES("ZF0x5                " STREAM);

/* Decodes a dump with a companion, and tells what is said of the array with other ones. */
static bool is_said(struct ndp_bytes dump, struct ndp_bytes companion, struct ndp_bytes as, struct ndp_bytes beside,
                    bool is_spoilt) {
    struct ndp_arena arena;
    struct ndp_npy_array array = {0};
    struct ndp_joblib_options options = {.has_folder = true, .folder_fd = fuzz_companion_folder(companion)};
    const uint64_t before = fuzz_hits();
    ndp_arena_init(&arena, 1 << 20);
    assert_int_equal(ndp_joblib_decode_memory(&arena, dump, &options, &array, NULL), NDP_OK);
    if (is_spoilt) array.data[5]++;
    const int loud = be_quiet();
    fuzz_check_companion(&arena, as, beside, &options, true, &array);
    be_loud(loud);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
    return fuzz_hits() == before;
}

static void what_is_read_is_what_is_said(void **state) {
    (void)state;
    assert_true(is_said(plain, npy_bytes, plain, npy_bytes, false));
    assert_false(is_said(plain, npy_bytes, plain, npy_bytes, true));
    assert_false(is_said(plain, npy_bytes, plain, zfile, false));
    assert_true(is_said(packed, zfile, packed, zfile, false));
    assert_true(is_said(fortran, zfile, fortran, zfile, false));
    assert_false(is_said(packed, zfile, packed, zfile, true));
    assert_false(is_said(packed, zfile, packed, other, false));
    assert_false(is_said(packed, zfile, fortran, zfile, false));
    assert_false(is_said(packed, zfile, turned, zfile, false));
    assert_true(is_said(packed, zfile, matrix, zfile, false));
    assert_false(is_said(packed, zfile, record, zfile, false));
}

static void z_files_are_told_from_what_is_none(void **state) {
    (void)state;
    static const struct {
        struct ndp_bytes bytes;
        bool is_zfile;
    } rows[] = {
        {BYTES("ZF0x6                " STREAM), true},
        {BYTES("ZF0x6L               " STREAM), true},
        {BYTES("ZF0x00000000000000006" STREAM), true},
        {BYTES("ZF0x6                 " STREAM), true},
        {BYTES("ZF0x5                " STREAM), false},
        {BYTES("ZF0x7                " STREAM), false},
        {BYTES("ZF0x6 L              " STREAM), false},
        {BYTES("ZF0x                 " STREAM), false},
        {BYTES("ZF0x6                  " STREAM), false},
        {BYTES("ZF0x6\0               " STREAM), false},
        {BYTES("ZF6                  " STREAM), false},
        {BYTES("ZF0x6                x\x9c"), false},
        {BYTES("ZF"), false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_is_zfile(rows[i].bytes) != rows[i].is_zfile) fail_msg("row %zu", i);
}

static void a_dump_ends_at_its_stop(void **state) {
    (void)state;
    assert_int_equal(fuzz_dump_bytes((struct ndp_bytes)BYTES("\x80\2K.ZF")), 6);
    assert_int_equal(fuzz_dump_bytes((struct ndp_bytes)BYTES("\x80\2K..ZF")), 5);
    assert_int_equal(fuzz_dump_bytes((struct ndp_bytes)BYTES("\x80\2N")), 3);
    assert_int_equal(fuzz_dump_bytes((struct ndp_bytes)BYTES("ZF.")), 3);
    assert_int_equal(fuzz_dump_bytes((struct ndp_bytes){NULL, 0}), 0);
}

static void files_hold_what_was_given_last(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array array = {0};
    ndp_arena_init(&arena, 1 << 20);
    (void)fuzz_companion_dump(packed);
    (void)fuzz_companion_folder(zfile);
    (void)fuzz_companion_folder(npy_bytes);
    const char *path = fuzz_companion_dump(plain);
    assert_int_equal(ndp_joblib_decode_file(&arena, path, NULL, &array, NULL), NDP_OK);
    assert_int_equal(array.header.size_bytes, 6);
    assert_memory_equal(array.data, "\1\2\3\4\5\6", 6);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

NDP_SUITE(companion_test, cmocka_unit_test(what_is_read_is_what_is_said),
          cmocka_unit_test(z_files_are_told_from_what_is_none), cmocka_unit_test(a_dump_ends_at_its_stop),
          cmocka_unit_test(files_hold_what_was_given_last));
