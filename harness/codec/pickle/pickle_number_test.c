/* pickle_number_test.c: numbers of protocol 0. Expected: repr(), float() and pickle.encode_long() of CPython 3.11;
 * statuses from both of its readers, pickle.loads and pickle._loads. */
#include "base/suite.h"
#include "codec/pickle/pickle_number.h"

enum { ARENA_BYTES = 1 << 16 };

static void integers_round_trip(void **state) {
    static const struct {
        const char *text;
        const char *hex; /* encode_long */
    } rows[] = NDP_ROWS({"0", ""}, {"1", "01"}, {"-1", "ff"}, {"127", "7f"}, {"128", "8000"}, {"-128", "80"},
                        {"-129", "7fff"}, {"2147483647", "ffffff7f"}, {"9223372036854775807", "ffffffffffffff7f"},
                        {"-9223372036854775808", "0000000000000080"}, {"9223372036854775808", "000000000000008000"},
                        {"-9223372036854775809", "ffffffffffffff7fff"}, {"18446744073709551616", "000000000000000001"},
                        {"1000000000000000000000000000000", "00000040eaed7446d09c2c9f0c"},
                        {"-1000000000000000000000000000000", "000000c015128bb92f63d360f3"},
                        {"-170141183460469231731687303715884105728", "00000000000000000000000000000080"});
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_objects objects;
        struct ndp_bytes bytes;
        struct ndp_object *object = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_objects_init(&objects, &arena);
        NDP_BUFFER_SCOPED(buffer, 100);
        assert_int_equal(ndp_hex_read(&arena, rows[i].hex, &bytes, NULL), NDP_OK);
        assert_int_equal(ndp_pickle_number_read_int(&objects, ndp_bytes_view(rows[i].text), &object), NDP_OK);
        const struct ndp_object *expected = ndp_object_long(&objects, bytes);
        if (object->is_big != expected->is_big) fail_msg("%s: its size", rows[i].text);
        if (object->is_big ? !ndp_bytes_is_equal(object->bytes, bytes) : object->integer != expected->integer)
            fail_msg("%s: its value", rows[i].text);
        assert_int_equal(ndp_pickle_number_add_int(&buffer, expected), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].text)))
            fail_msg("%s is written %.*s", rows[i].text, (int)buffer.size_bytes, (const char *)buffer.data);
    }
}

static void check_integers(const char *const *texts, size_t count, enum ndp_status expected) {
    for (size_t i = 0; i < count; i++) {
        struct ndp_objects objects;
        struct ndp_object *object = NULL;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_objects_init(&objects, &arena);
        const enum ndp_status status = ndp_pickle_number_read_int(&objects, ndp_bytes_view(texts[i]), &object);
        if (status != expected) fail_msg("'%s': %s", texts[i], ndp_status_name(status));
        assert_int_equal(object == NULL, status != NDP_OK);
    }
}

static void unsupported_forms_of_integers_differ_from_invalid_ones(void **state) {
    static const char *const accepted[] = {"+7", "-0", "000"};
    static const char *const unsupported[] = {"0x10", "0X_f", "+0o17", "0b1", "1_0", "0_0",
                                              " 1",   "1 ",   "\t1",   "010", "-007"};
    static const char *const invalid[] = {"",     "-",  "+",  "--1", "- 1", "_1",  "1_",  "1__0", "0_7",
                                          "00_1", "0x", "0b", "0xg", "0b2", "1e5", "1.0", "1a",   "x"};
    check_integers(accepted, NDP_ARRAY_LEN(accepted), NDP_OK);
    check_integers(unsupported, NDP_ARRAY_LEN(unsupported), NDP_UNSUPPORTED);
    check_integers(invalid, NDP_ARRAY_LEN(invalid), NDP_INVALID);
}

/* sys.int_info.default_max_str_digits: int("9" * 4300) succeeds, one more digit fails, and so does str(). */
static void digits_are_limited_as_in_python(void **state) {
    static uint8_t text[4302];
    struct ndp_objects objects;
    struct ndp_object *object = NULL;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_objects_init(&objects, &arena);
    NDP_BUFFER_SCOPED(buffer, 5000);
    memset(text, '9', sizeof(text));
    text[0] = '-';
    assert_int_equal(ndp_pickle_number_read_int(&objects, (struct ndp_bytes){text, 4302}, &object), NDP_LIMIT);
    assert_int_equal(ndp_pickle_number_read_int(&objects, (struct ndp_bytes){text, 4301}, &object), NDP_OK);
    assert_int_equal(ndp_pickle_number_add_int(&buffer, object), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), (struct ndp_bytes){text, 4301}));
    /* 256 ** 1786 has 4302 digits, 256 ** 1785 has 4299. */
    static uint8_t bytes[1787];
    bytes[1786] = 1;
    assert_int_equal(ndp_pickle_number_add_int(&buffer, ndp_object_long(&objects, (struct ndp_bytes){bytes, 1787})),
                     NDP_LIMIT);
    buffer.size_bytes = 0;
    assert_int_equal(ndp_pickle_number_add_int(&buffer, ndp_object_long(&objects, (struct ndp_bytes){bytes + 1, 1786})),
                     NDP_OK);
    assert_int_equal(buffer.size_bytes, 4299);
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_pickle_number_read_int(&objects, ndp_bytes_view("5"), &object), NDP_NOMEM);
    ndp_arena_fail_at(&arena, 2);
    assert_int_equal(ndp_pickle_number_read_int(&objects, ndp_bytes_view("5"), &object), NDP_NOMEM);
}

static double of_bits(uint64_t bits) {
    double real = 0;
    memcpy(&real, &bits, sizeof(real));
    return real;
}

static uint64_t bits_of(double real) {
    uint64_t bits = 0;
    memcpy(&bits, &real, sizeof(bits));
    return bits;
}

static void reals_round_trip(void **state) {
    static const struct {
        uint64_t bits;
        const char *repr;
    } rows[] = {
        {UINT64_C(0x0000000000000000), "0.0"},
        {UINT64_C(0x8000000000000000), "-0.0"},
        {UINT64_C(0x3ff0000000000000), "1.0"},
        {UINT64_C(0x3fb999999999999a), "0.1"},
        {UINT64_C(0xc004000000000000), "-2.5"},
        {UINT64_C(0x4341c37937e08000), "1e+16"},
        {UINT64_C(0x4341c37937e07fff), "9999999999999998.0"},
        {UINT64_C(0x430c6bf526340000), "1000000000000000.0"},
        {UINT64_C(0x419d6f3454800000), "123456789.125"},
        {UINT64_C(0x3f1a36e2eb1c432d), "0.0001"},
        {UINT64_C(0x3f202c9dedbc309d), "0.0001234"},
        {UINT64_C(0x3f1a36d1bd105b06), "9.9999e-05"},
        {UINT64_C(0x3ee4f8b588e368f1), "1e-05"},
        {UINT64_C(0x0000000000000001), "5e-324"},
        {UINT64_C(0x7fefffffffffffff), "1.7976931348623157e+308"},
        {UINT64_C(0x0010000000000000), "2.2250738585072014e-308"},
        {UINT64_C(0x4480f0cf064dd592), "1e+22"},
        {UINT64_C(0x44b52d02c7e14af6), "1e+23"},
        {UINT64_C(0x3fd3333333333333), "0.3"},
        {UINT64_C(0x4059000000000000), "100.0"},
        {UINT64_C(0x54b249ad2594c37d), "1e+100"},
        {UINT64_C(0xbe7ad7f29abcaf48), "-1e-07"},
        {UINT64_C(0x3fd5555555555555), "0.3333333333333333"},
        {UINT64_C(0x4340000000000000), "9007199254740992.0"},
        {UINT64_C(0x7e41eb2d66005835), "1.5e+300"},
        {UINT64_C(0x4330000000000002), "4503599627370498.0"},
        {UINT64_C(0x43e56a95319d63e1), "1.2345678901234567e+19"},
        {UINT64_C(0x7ff0000000000000), "inf"},
        {UINT64_C(0xfff0000000000000), "-inf"},
        {UINT64_C(0x7ff8000000000000), "nan"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        double real = 7;
        NDP_BUFFER_SCOPED(buffer, 100);
        assert_int_equal(ndp_pickle_number_add_float(&buffer, of_bits(rows[i].bits)), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(rows[i].repr)))
            fail_msg("%s is written %.*s", rows[i].repr, (int)buffer.size_bytes, (const char *)buffer.data);
        assert_int_equal(ndp_pickle_number_read_float(ndp_bytes_view(rows[i].repr), &real), NDP_OK);
        if (bits_of(real) != rows[i].bits) fail_msg("%s: its value", rows[i].repr);
    }
}

static void check_refused_reals(const char *const *texts, size_t count, enum ndp_status expected) {
    for (size_t i = 0; i < count; i++) {
        double real = 7;
        const enum ndp_status status = ndp_pickle_number_read_float(ndp_bytes_view(texts[i]), &real);
        if (status != expected) fail_msg("'%s': %s", texts[i], ndp_status_name(status));
        assert_true(real == 7);
    }
}

static void unsupported_forms_of_reals_differ_from_invalid_ones(void **state) {
    static const struct {
        const char *text;
        uint64_t bits;
    } accepted[] = NDP_ROWS({"1", UINT64_C(0x3ff0000000000000)}, {"+1", UINT64_C(0x3ff0000000000000)},
                            {".5", UINT64_C(0x3fe0000000000000)}, {"5.", UINT64_C(0x4014000000000000)},
                            {"1E+05", UINT64_C(0x40f86a0000000000)}, {"-Infinity", UINT64_C(0xfff0000000000000)},
                            {"nAn", UINT64_C(0x7ff8000000000000)}, {"00.10", UINT64_C(0x3fb999999999999a)},
                            {"1e-400", 0}, {"-0", UINT64_C(0x8000000000000000)});
    static const char *const unsupported[] = {" 1", "1.5 ", "1_0.5", "	inf"};
    static const char *const invalid[] = NDP_ROWS("1.7976931348623159e308", "1e400", "1_", "_1", "", "-", ".", "e5",
                                                  "1e", "1e+", "1.2.3", "0x10", "--1", "infx", "in", "nan(1)", "1,5");
    for (size_t i = 0; i < NDP_ARRAY_LEN(accepted); i++) {
        double real = 7;
        assert_int_equal(ndp_pickle_number_read_float(ndp_bytes_view(accepted[i].text), &real), NDP_OK);
        if (bits_of(real) != accepted[i].bits) fail_msg("'%s': its value", accepted[i].text);
    }
    check_refused_reals(unsupported, NDP_ARRAY_LEN(unsupported), NDP_UNSUPPORTED);
    check_refused_reals(invalid, NDP_ARRAY_LEN(invalid), NDP_INVALID);
    static uint8_t zeros[4097];
    double real = 7;
    memset(zeros, '0', sizeof(zeros));
    assert_int_equal(ndp_pickle_number_read_float((struct ndp_bytes){zeros, 4097}, &real), NDP_LIMIT);
    assert_int_equal(ndp_pickle_number_read_float((struct ndp_bytes){zeros, 4096}, &real), NDP_OK);
}

static void indices_consist_of_digits(void **state) {
    static const struct {
        const char *text;
        enum ndp_status status;
        uint64_t index;
    } rows[] = {
        {"0", NDP_OK, 0},
        {"007", NDP_OK, 7},
        {"18446744073709551615", NDP_OK, UINT64_MAX},
        {"18446744073709551616", NDP_LIMIT, 77},
        {"99999999999999999999999", NDP_LIMIT, 77},
        {"", NDP_INVALID, 77},
        {"-1", NDP_INVALID, 77},
        {"1 ", NDP_INVALID, 77},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint64_t index = 77;
        assert_int_equal(ndp_pickle_number_read_index(ndp_bytes_view(rows[i].text), &index), rows[i].status);
        assert_true(index == rows[i].index);
    }
}

NDP_SUITE(pickle_number_test, NDP_TEST(integers_round_trip),
          NDP_TEST(unsupported_forms_of_integers_differ_from_invalid_ones), NDP_TEST(digits_are_limited_as_in_python),
          NDP_TEST(reals_round_trip), NDP_TEST(unsupported_forms_of_reals_differ_from_invalid_ones),
          NDP_TEST(indices_consist_of_digits));
