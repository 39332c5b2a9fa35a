/* What is spelled otherwise is as CPython 3.11 reads it (ast.literal_eval gives the same for each of them; NumPy 2.4.6
 * drops the L before). */
#include "oracle/npy_spelling.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 100000 };

static bool has(struct ndp_bytes text, const char *word) {
    const uint64_t size = strlen(word);
    for (uint64_t at = 0; at + size <= text.size_bytes; at++)
        if (memcmp(text.data + at, word, (size_t)size) == 0) return true;
    return false;
}

static void every_spelling_comes_up(void **state) {
    (void)state;
    static const char *const words[] = {"\"descr\": '|u1'",
                                        "'<u1'",
                                        "'>u1'",
                                        "'=u1'",
                                        "'u1'",
                                        "'|u01'",
                                        "'u+1'",
                                        "'uint8'",
                                        "'ubyte'",
                                        "'B'",
                                        "'>B'",
                                        "'=B'",
                                        "'''|u1'''",
                                        "\"\"\"shape\"\"\"",
                                        "r'shape'",
                                        "R\"\"\"shape\"\"\"",
                                        "U\"shape\"",
                                        "'\\x73hape'",
                                        "\"\\x7Cu1\"",
                                        "'\\163hape'",
                                        "'\\u0073hape'",
                                        "'\\U0000007Cu1'",
                                        "'\\\nshape'",
                                        "'\\\r\nshape'",
                                        "'' 'shape'",
                                        "u'' r'shape' ''",
                                        "'s' 'hape'",
                                        "(0x2, 3)",
                                        "(0X_2, 3)",
                                        "(0o2, 3)",
                                        "(2, 0b11)",
                                        "(2, 3 L)",
                                        "(+2, 3)",
                                        "(0x2L, 3)",
                                        "((2), 3)",
                                        "('shape'): (",
                                        "{\n'descr'",
                                        "# { ' \n 'shape'",
                                        "\\\n'shape'",
                                        "\r}",
                                        "'sh' 'ape'",
                                        "'shap\\x65'",
                                        "}\t ",
                                        "}# }",
                                        "}\\\n "};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < PICKS && !is_found; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            struct ndp_buffer out = {.max_bytes = 1 << 12};
            assert_int_equal(fuzz_npy_respell(&arena, npy_bytes, pick, &out), NDP_OK);
            const struct ndp_bytes got = ndp_buffer_view(&out);
            /* The length tells the truth, and the data are those of the file. */
            assert_int_equal(got.data[8] + 256 * got.data[9] + 10 + 6, got.size_bytes);
            assert_memory_equal(got.data + got.size_bytes - 6, npy_bytes.data + npy_bytes.size_bytes - 6, 6);
            is_found = has(got, words[i]);
            ndp_buffer_clear(&out);
            ndp_arena_clear(&arena);
        }
        if (!is_found) fail_msg("%s", words[i]);
    }
}

/* Whether one of the picks says the header in words that have this one. */
static bool comes_up(const char *text, const char *word) {
    const uint8_t prefix[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)strlen(text), 0};
    struct ndp_buffer file = {.max_bytes = 1 << 12};
    bool is_found = false;
    assert_int_equal(ndp_buffer_add(&file, prefix, sizeof prefix), NDP_OK);
    assert_int_equal(ndp_buffer_add(&file, text, strlen(text)), NDP_OK);
    for (uint64_t pick = 0; pick < PICKS && !is_found; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_buffer out = {.max_bytes = 1 << 12};
        assert_int_equal(fuzz_npy_respell(&arena, ndp_buffer_view(&file), pick, &out), NDP_OK);
        is_found = has(ndp_buffer_view(&out), word);
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
    ndp_buffer_clear(&file);
    return is_found;
}

/* Of a field without a title, and of no other text. */
static void a_title_may_be_none(void **state) {
    (void)state;
    static const char fields[] = "{'descr': [('a', '<i4'), ('b', '|u1', (2,))], 'shape': (), }";
    assert_true(comes_up(fields, "((None, 'a'), '<i4')"));
    assert_true(comes_up(fields, "((None, 'b'), '|u1', (2,))"));
    assert_false(comes_up("{'descr': [(('t', 'n'), '|V4'), ('', '|V3')], 'shape': (), }", "None"));
}

/* numpy.dtype('>l').str of NumPy 2.4.6 is '>i8', that of '>long' is refused, and that of 'long' is the machine's. */
static void a_type_has_other_names(void **state) {
    (void)state;
    const bool is_little = ndp_host_is_little_endian();
    const char *native = is_little ? "{'descr': '<i8', 'shape': (), }" : "{'descr': '>i8', 'shape': (), }";
    const char *foreign = is_little ? "{'descr': '>i8', 'shape': (), }" : "{'descr': '<i8', 'shape': (), }";
    static const char *const named[] = {"'l'", "'=q'", "'|p'", "'long'", "'int_'"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(named); i++) {
        if (!comes_up(native, named[i])) fail_msg("%s", named[i]);
        if (comes_up(foreign, named[i])) fail_msg("%s of foreign order", named[i]);
    }
    assert_true(comes_up(foreign, is_little ? "'>l'" : "'<l'"));
    assert_true(comes_up(foreign, is_little ? "'>q'" : "'<q'"));
    assert_false(comes_up("{'descr': '|V8', 'shape': (), }", "'l'"));
}

/* ast.literal_eval() of CPython gives 0 for each of them. */
static void zeros_are_one(void **state) {
    (void)state;
    static const char text[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }";
    static const uint64_t added[] = {1, 19, 4299, 4300};
    const uint8_t prefix[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)strlen(text), 0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(added); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < PICKS && !is_found; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            struct ndp_buffer file = {.max_bytes = 1 << 13}, out = file;
            struct ndp_npy_array array = {0};
            assert_int_equal(ndp_buffer_add(&file, prefix, sizeof prefix), NDP_OK);
            assert_int_equal(ndp_buffer_add(&file, text, strlen(text)), NDP_OK);
            assert_int_equal(fuzz_npy_respell(&arena, ndp_buffer_view(&file), pick, &out), NDP_OK);
            is_found = out.size_bytes == file.size_bytes + added[i] && has(ndp_buffer_view(&out), "00,)");
            if (is_found)
                assert_int_equal(ndp_npy_decode_memory(&arena, ndp_buffer_view(&out), NULL, &array, NULL), NDP_OK);
            ndp_npy_array_clear(&array);
            ndp_buffer_clear(&file);
            ndp_buffer_clear(&out);
            ndp_arena_clear(&arena);
        }
        if (!is_found) fail_msg("%d zeros", (int)added[i] + 1);
    }
}

/* Escapes of a name, and signs that are not of ASCII, by other escapes; a line end as it is. */
static void signs_of_a_name_are_said_in_every_way(void **state) {
    (void)state;
    static const char text[] =
        "{'descr': [('a\\nb', '<i4'), ('\xc4\x81', '|u1'), ('\xe2\x82\xac\\x7f', '<f8')], 'shape': (), }";
    static const char *const words[] = {"'''a\nb'''", "'''a\r\nb'''",  "'''a\rb'''",      "'a\\012b'",
                                        "'a\\x0ab'",  "'a\\u000Ab'",   "'a\\U0000000ab'", "'\\401'",
                                        "'\\u0101'",  "'\\U00000101'", "'\\u20AC\\x7f'",  "'\xe2\x82\xac\\177'"};
    const uint8_t prefix[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 3, 0, (uint8_t)strlen(text), 0, 0, 0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++) {
        bool is_found = false;
        for (uint64_t pick = 0; pick < 4 * PICKS && !is_found; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 20};
            struct ndp_buffer file = {.max_bytes = 1 << 12}, out = file;
            assert_int_equal(ndp_buffer_add(&file, prefix, sizeof prefix), NDP_OK);
            assert_int_equal(ndp_buffer_add(&file, text, strlen(text)), NDP_OK);
            assert_int_equal(fuzz_npy_respell(&arena, ndp_buffer_view(&file), pick, &out), NDP_OK);
            is_found = has(ndp_buffer_view(&out), words[i]);
            ndp_buffer_clear(&file);
            ndp_buffer_clear(&out);
            ndp_arena_clear(&arena);
        }
        if (!is_found) fail_msg("%s", words[i]);
    }
}

static void what_is_spelled_otherwise_is_the_array(void **state) {
    (void)state;
    struct ndp_arena arena;
    struct ndp_npy_array array = {0};
    decode_file(&arena, &array);
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena room = {.limit_bytes = 1 << 20};
        fuzz_npy_spelling(&room, npy_bytes, &array, pick);
        ndp_arena_clear(&room);
    }
    assert_int_equal(fuzz_hits(), before);
    /* Another array is none of them. */
    const int loud = be_quiet();
    struct ndp_arena room = {.limit_bytes = 1 << 20};
    array.data[5] ^= 1;
    fuzz_npy_spelling(&room, npy_bytes, &array, 1);
    be_loud(loud);
    assert_int_equal(fuzz_hits(), before + 1);
    ndp_arena_clear(&room);
    ndp_npy_array_clear(&array);
    ndp_arena_clear(&arena);
}

NDP_SUITE(npy_spelling_test, cmocka_unit_test(every_spelling_comes_up), cmocka_unit_test(zeros_are_one),
          cmocka_unit_test(a_title_may_be_none), cmocka_unit_test(a_type_has_other_names),
          cmocka_unit_test(signs_of_a_name_are_said_in_every_way),
          cmocka_unit_test(what_is_spelled_otherwise_is_the_array));
