#include "base/byteorder.h"
#include "base/suite.h"
#include "codec/npy/npy_descr.h"

/* Lenient mode reads each text as the strict one next to it. Source: numpy.dtype(text).str, NumPy 2.4.6. */
static void lenient_types_mean_what_numpy_means(void **state) {
    static const char *const rows[][2] =
        NDP_ROWS({"bool", "|b1"}, {"bool_", "|b1"}, {"?", "|b1"}, {"byte", "|i1"}, {"b", "|i1"}, {"int8", "|i1"},
                 {"ubyte", "|u1"}, {"B", "|u1"}, {"uint8", "|u1"}, {"short", "<i2"}, {"h", "<i2"}, {"int16", "<i2"},
                 {"ushort", "<u2"}, {"H", "<u2"}, {"uint16", "<u2"}, {"intc", "<i4"}, {"i", "<i4"}, {"int32", "<i4"},
                 {"uintc", "<u4"}, {"I", "<u4"}, {"uint32", "<u4"}, {"int", "<i8"}, {"int_", "<i8"}, {"long", "<i8"},
                 {"l", "<i8"}, {"q", "<i8"}, {"p", "<i8"}, {"int64", "<i8"}, {"intp", "<i8"}, {"longlong", "<i8"},
                 {"uint", "<u8"}, {"ulong", "<u8"}, {"L", "<u8"}, {"Q", "<u8"}, {"P", "<u8"}, {"uint64", "<u8"},
                 {"uintp", "<u8"}, {"ulonglong", "<u8"}, {"half", "<f2"}, {"e", "<f2"}, {"float16", "<f2"},
                 {"single", "<f4"}, {"f", "<f4"}, {"float32", "<f4"}, {"double", "<f8"}, {"d", "<f8"}, {"float", "<f8"},
                 {"float64", "<f8"}, {"longdouble", "<f16"}, {"g", "<f16"}, {"float128", "<f16"}, {"csingle", "<c8"},
                 {"F", "<c8"}, {"complex64", "<c8"}, {"cdouble", "<c16"}, {"D", "<c16"}, {"complex", "<c16"},
                 {"complex128", "<c16"}, {"clongdouble", "<c32"}, {"G", "<c32"}, {"complex256", "<c32"}, {"S", "|S0"},
                 {"bytes", "|S0"}, {"bytes_", "|S0"}, {"c", "|S1"}, {"U", "<U0"}, {"str", "<U0"}, {"str_", "<U0"},
                 {"V", "|V0"}, {"void", "|V0"}, {"O", "|O"}, {"object", "|O"}, {"object_", "|O"}, {"O4", "|O"},
                 {"M", "<M8"}, {"datetime64", "<M8"}, {"m", "<m8"}, {"timedelta64", "<m8"}, {"=i4", "<i4"},
                 {"|i2", "<i2"}, {"<b1", "|b1"}, {">u1", "|u1"}, {">S2", "|S2"}, {"<V3", "|V3"}, {"i02", "<i2"},
                 {"i+2", "<i2"}, {"datetime64[ns]", "<M8[ns]"}, {"m8[25us]", "<m8[25us]"}, {"timedelta64[D]", "<m8[D]"},
                 {"|O8", "|O"}, {">U3", ">U3"}, {"=M8[s]", "<M8[s]"}, {"|f8", "<f8"}, {">O", "|O"});
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dtype read, expected;
        bool is_canonical = false;
        assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(rows[i][1]), &expected, NULL), NDP_OK);
        /* The rows are for a little-endian machine. Texts without an order character mean the machine's order. */
        if (expected.order == NDP_ORDER_LITTLE && !ndp_byteorder_host_is_little()) expected.order = NDP_ORDER_BIG;
        if (ndp_npy_typestr_read(ndp_bytes_view(rows[i][0]), &read, &is_canonical, NULL) != NDP_OK ||
            ndp_dtype_compare(&read, &expected, NULL) != 0)
            fail_msg("%s is not read as %s", rows[i][0], rows[i][1]);
    }
}

/* Forms that writers emit: the array interface's typestr, in which only one-byte kinds may lack an order. */
static void only_what_writers_emit_is_canonical(void **state) {
    static const struct {
        const char *text;
        bool is_canonical;
    } rows[] = {
        {"<f8", true}, {">f8", true}, {"|b1", true},  {"b1", true},       {"i1", true},
        {"|u1", true}, {"|S3", true}, {"|V0", true},  {"|O", true},       {"<M8[25us]", true},
        {"<U0", true}, {"f8", false}, {"=f8", false}, {"=b1", false},     {"|f8", false},
        {"S3", false}, {"V3", false}, {"S1", false},  {"<S3", false},     {">i1", false},
        {"|O8", true}, {"|O4", true}, {"O", false},   {"float64", false}, {"i02", false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dtype dtype;
        bool is_canonical = !rows[i].is_canonical;
        assert_int_equal(ndp_npy_typestr_read(ndp_bytes_view(rows[i].text), &dtype, &is_canonical, NULL), NDP_OK);
        if (is_canonical != rows[i].is_canonical) fail_msg("%s", rows[i].text);
    }
}

/* INVALID: numpy.dtype of NumPy 2.4.6 refuses it; UNSUPPORTED: NumPy makes a structure, a sub-array or another unit of
 * it; LIMIT: more than 2^31 - 1 bytes. */
static void other_strings_are_refused(void **state) {
    static const struct {
        const char *text;
        enum ndp_status status;
    } rows[] = NDP_ROWS(
        {"", NDP_INVALID}, {"<", NDP_INVALID}, {"=", NDP_INVALID}, {" <f8", NDP_INVALID}, {"<f8 ", NDP_INVALID},
        {"<f3", NDP_INVALID}, {"<i-2", NDP_INVALID}, {">float64", NDP_INVALID}, {"float65", NDP_INVALID},
        {"<M8[x]", NDP_INVALID}, {"<f8[ns]", NDP_INVALID}, {"Float64", NDP_INVALID}, {"i2,i2", NDP_UNSUPPORTED},
        {"2i2", NDP_UNSUPPORTED}, {"<2i2", NDP_UNSUPPORTED}, {"|2|V5", NDP_UNSUPPORTED}, {"=0i2", NDP_UNSUPPORTED},
        {"<2", NDP_INVALID}, {"(2,)i2", NDP_UNSUPPORTED}, {"\x07", NDP_UNSUPPORTED}, {"<M8[0ns]", NDP_UNSUPPORTED},
        {"<M8[generic]", NDP_UNSUPPORTED}, {"<m8[2generic]", NDP_UNSUPPORTED}, {"<M8[\xce\xbcs]", NDP_UNSUPPORTED},
        {"<M8[generics]", NDP_INVALID}, {"<M8[", NDP_INVALID}, {"<M8[s/2]", NDP_UNSUPPORTED}, {"a", NDP_UNSUPPORTED},
        {"a5", NDP_UNSUPPORTED}, {"|a+05", NDP_UNSUPPORTED}, {"a2147483648", NDP_UNSUPPORTED}, {"ab", NDP_INVALID},
        {"a-5", NDP_INVALID}, {"|S2147483648", NDP_LIMIT}, {"|S99999999999999999999", NDP_LIMIT});
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dtype dtype = {.itemsize_bytes = 77};
        struct ndp_error error = {0};
        bool is_canonical = true;
        const enum ndp_status status =
            ndp_npy_typestr_read(ndp_bytes_view(rows[i].text), &dtype, &is_canonical, &error);
        if (status != rows[i].status) fail_msg("%s: %s", rows[i].text, ndp_status_name(status));
        assert_int_equal(error.status, status);
        assert_true(error.text[0] != '\0');
        assert_int_equal(dtype.itemsize_bytes, 77);
    }
}

NDP_SUITE(npy_typestr_test, NDP_TEST(lenient_types_mean_what_numpy_means),
          NDP_TEST(only_what_writers_emit_is_canonical), NDP_TEST(other_strings_are_refused));
