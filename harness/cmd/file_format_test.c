#include "base/suite.h"
#include "cmd/file_format.h"

#include <string.h>

struct row {
    const char *path, *bytes;
    size_t size_bytes;
    const char *format; /* NULL: unknown */
};

static void expect_formats(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct ndp_bytes bytes = {(const uint8_t *)rows[i].bytes, rows[i].size_bytes};
        const char *format = ndp_file_format_find(rows[i].path, bytes);
        if ((format == NULL) != (rows[i].format == NULL) || (format != NULL && strcmp(format, rows[i].format) != 0))
            fail_msg("row %zu, %s: %s", i, rows[i].path, format != NULL ? format : "unknown");
    }
}

/* The magics of NPY (numpy/lib/format.py), ZIP (APPNOTE.TXT, 4.3), zlib (RFC 1950), gzip (RFC 1952), and of bz2, xz,
 * lzma, lz4 and the old Z format (joblib, compressor.py and numpy_pickle_compat.py). */
static void the_first_bytes_decide(void **state) {
    static const struct row rows[] = {
        {"a", "\x93NUMPY", 6, "npy"},
        {"a.pkl", "\x93NUMPY", 6, "npy"},
        {"a", "PK\3\4", 4, "npz"},
        {"a.npy", "PK\5\6", 4, "npz"},
        {"a", "PK\7\x8", 4, "npz"},
        {"a", "\x80\4K\1.", 5, "pickle"},
        {"a.npy", "\x80\4K\1.", 5, "pickle"},
        {"a.joblib", "\x80\4K\1.", 5, "joblib"},
        {"a", "\x80\4cjoblib\nNumpyArrayWrapper\n", 27, "joblib"},
        {"a", "\x78\x9c\1", 3, "joblib"},
        {"a", "\x78\x01\1", 3, "joblib"},
        {"a", "\x1f\x8b\x08\0\0\0\0\0\0\3", 10, "joblib"},
        {"a", "BZh91AY&SY", 10, "joblib"},
        {"a", "\xfd\x37zXZ\0", 6, "joblib"},
        {"a.pkl", "\x5d\0\0\x80\0", 5, "joblib"},
        {"a", "\x04\x22\x4d\x18", 4, "joblib"},
        {"a", "ZF0x3              ", 19, "joblib"},
    };
    expect_formats(rows, NDP_ARRAY_LEN(rows));
}

/* A damaged file has the format of its name; without a known name it has none. */
static void else_the_ending_decides(void **state) {
    static const struct row rows[] = {
        {"a.npy", "\x93NUM", 4, "npy"},
        {"a.npz", "PK", 2, "npz"},
        {"a.npz", "", 0, "npz"},
        {"a.pkl", "hello", 5, "pickle"},
        {"a.pickle", "", 0, "pickle"},
        {"a.joblib", "", 0, "joblib"},
        {"a", "\x93NUM", 4, NULL},
        {"a", "PK", 2, NULL},
        {"a", "", 0, NULL},
        {"a.txt", "hello\n", 6, NULL},
        {"a.npy/b", "hello", 5, NULL},
        {"a.zip", "PQ\3\4", 4, NULL},
        {"x", "x marks it\n", 11, NULL},
        {"x", "BZ stands alone\n", 16, NULL},
        {"a", "\xff\xff\xff", 3, NULL},
        {"a", "] and more\n", 11, NULL},
        {"npy", "hello", 5, NULL},
    };
    expect_formats(rows, NDP_ARRAY_LEN(rows));
}

/* The outputs of pickle.dumps(value, 0) and (value, 1) of CPython 3.11, and texts that only resemble them. */
static void a_pickle_without_magic_is_parsed(void **state) {
    static const struct {
        const char *bytes;
        size_t size_bytes;
        bool is_pickle;
    } rows[] = {
        {"I1\n.", 4, true},
        {"L12345678901L\n.", 15, true},
        {"F1.5\n.", 6, true},
        {"Vtext\np0\n.", 10, true},
        {"(lp0\nI1\naI2\na.", 14, true},
        {"(dp0\nVa\np1\nNs.", 14, true},
        {"(I1\nI2\ntp0\n.", 12, true},
        {"c_codecs\nencode\np0\n(Va\np1\nVlatin1\np2\ntp3\nRp4\n.", 46, true},
        {"]q\0(K\1K\2e.", 10, true},
        {"}q\0X\1\0\0\0aq\1Ns.", 14, true},
        {"G?\xf8\0\0\0\0\0\0.", 10, true},
        {"(K\1J\0\0\1\0tq\0.", 12, true},
        {"", 0, false},
        {".", 1, false},
        {"N", 1, false},
        {"N.N.", 4, false},
        {"NN.", 3, false},
        {"(N.", 3, false},
        {"a.", 2, false},
        {"(a.", 3, false},
        {"t.", 2, false},
        {"I am a text.\n.", 14, false},
        {"Some words.", 11, false},
        {"X\5\0\0\0ab.", 8, false},
        {"U\5ab.", 5, false},
        {"Stext\n.", 7, false},
        {"c\n\n.", 4, false},
        {"I1", 2, false},
        {"\x80\2N.", 4, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_bytes bytes = {(const uint8_t *)rows[i].bytes, rows[i].size_bytes};
        if (ndp_file_format_is_old_pickle(bytes) != rows[i].is_pickle) fail_msg("row %zu", i);
    }
}

/* More marks than are followed are not a pickle, and no write beyond the stack of marks. */
static void many_marks_are_no_pickle(void **state) {
    uint8_t bytes[1000];
    memset(bytes, '(', sizeof bytes);
    assert_false(ndp_file_format_is_old_pickle((struct ndp_bytes){bytes, sizeof bytes}));
}

NDP_SUITE(file_format_test, NDP_TEST(the_first_bytes_decide), NDP_TEST(else_the_ending_decides),
          NDP_TEST(a_pickle_without_magic_is_parsed), NDP_TEST(many_marks_are_no_pickle));
