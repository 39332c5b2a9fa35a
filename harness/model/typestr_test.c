#include "base/suite.h"
#include "model/dtype.h"

struct accepted {
    const char *text;
    enum ndp_kind kind;
    enum ndp_byte_order order;
    uint64_t itemsize_bytes;
    enum ndp_unit unit;
    uint32_t unit_multiple;
    const char *printed;
};

/* numpy.dtype(text) of NumPy 2.4.6: kind, byteorder, itemsize, str. `printed` keeps the '=' of a descriptor. */
static const struct accepted accepted[] = {
    {"|b1", NDP_KIND_BOOL, NDP_ORDER_NONE, 1, 0, 0, "|b1"},
    {"b1", NDP_KIND_BOOL, NDP_ORDER_NONE, 1, 0, 0, "|b1"},
    {"=i1", NDP_KIND_INT, NDP_ORDER_NONE, 1, 0, 0, "|i1"},
    {"<i2", NDP_KIND_INT, NDP_ORDER_LITTLE, 2, 0, 0, "<i2"},
    {">u8", NDP_KIND_UINT, NDP_ORDER_BIG, 8, 0, 0, ">u8"},
    {"i4", NDP_KIND_INT, NDP_ORDER_NATIVE, 4, 0, 0, "=i4"},
    {"=i4", NDP_KIND_INT, NDP_ORDER_NATIVE, 4, 0, 0, "=i4"},
    {"<f2", NDP_KIND_FLOAT, NDP_ORDER_LITTLE, 2, 0, 0, "<f2"},
    {">f16", NDP_KIND_FLOAT, NDP_ORDER_BIG, 16, 0, 0, ">f16"},
    {"<c32", NDP_KIND_COMPLEX, NDP_ORDER_LITTLE, 32, 0, 0, "<c32"},
    {"|S3", NDP_KIND_BYTES, NDP_ORDER_NONE, 3, 0, 0, "|S3"},
    {"=S3", NDP_KIND_BYTES, NDP_ORDER_NONE, 3, 0, 0, "|S3"},
    {"|S0", NDP_KIND_BYTES, NDP_ORDER_NONE, 0, 0, 0, "|S0"},
    {"|S2147483647", NDP_KIND_BYTES, NDP_ORDER_NONE, 2147483647, 0, 0, "|S2147483647"},
    {"<U3", NDP_KIND_TEXT, NDP_ORDER_LITTLE, 12, 0, 0, "<U3"},
    {">U536870911", NDP_KIND_TEXT, NDP_ORDER_BIG, 2147483644, 0, 0, ">U536870911"},
    {"|V5", NDP_KIND_VOID, NDP_ORDER_NONE, 5, 0, 0, "|V5"},
    {"|O", NDP_KIND_OBJECT, NDP_ORDER_NONE, 8, 0, 0, "|O"},
    {"O", NDP_KIND_OBJECT, NDP_ORDER_NONE, 8, 0, 0, "|O"},
    {"<M8", NDP_KIND_DATETIME, NDP_ORDER_LITTLE, 8, NDP_UNIT_GENERIC, 1, "<M8"},
    {"<M8[s]", NDP_KIND_DATETIME, NDP_ORDER_LITTLE, 8, NDP_UNIT_SECOND, 1, "<M8[s]"},
    {"<M8[25us]", NDP_KIND_DATETIME, NDP_ORDER_LITTLE, 8, NDP_UNIT_MICRO, 25, "<M8[25us]"},
    {">m8[2D]", NDP_KIND_TIMEDELTA, NDP_ORDER_BIG, 8, NDP_UNIT_DAY, 2, ">m8[2D]"},
    {"<M8[2147483647Y]", NDP_KIND_DATETIME, NDP_ORDER_LITTLE, 8, NDP_UNIT_YEAR, 2147483647, "<M8[2147483647Y]"},
    {"<m8[as]", NDP_KIND_TIMEDELTA, NDP_ORDER_LITTLE, 8, NDP_UNIT_ATTO, 1, "<m8[as]"},
};

static void typestrs_of_numpy_are_read_and_printed(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(accepted); i++) {
        const struct accepted *row = &accepted[i];
        struct ndp_dtype dtype;
        NDP_BUFFER_SCOPED(buffer, 64);
        if (ndp_dtype_read_typestr(ndp_bytes_view(row->text), &dtype, NULL) != NDP_OK)
            fail_msg("%s is refused", row->text);
        if (dtype.kind != row->kind || dtype.order != row->order || dtype.itemsize_bytes != row->itemsize_bytes ||
            dtype.unit != row->unit || dtype.unit_multiple != row->unit_multiple)
            fail_msg("%s is read wrongly", row->text);
        assert_int_equal(ndp_dtype_add_typestr(&buffer, &dtype), NDP_OK);
        if (!ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view(row->printed)))
            fail_msg("%s prints as %.*s", row->text, (int)buffer.size_bytes, (const char *)buffer.data);
    }
}

struct refused {
    const char *text;
    uint64_t offset_bytes;
};

/* Not written by NumPy, although numpy.dtype accepts some: "<i1", "<S3", "|i4", "|S03", "|O8", "<f",
 * "<M8[1us]", "<M8[0s]", "<M8[generic]". */
static const struct refused invalid[] =
    NDP_ROWS({"", 0}, {"<", 1}, {"<t2", 1}, {"<i1", 0}, {"<S3", 0}, {"|i4", 0}, {"<f", 2}, {"<f3", 3}, {"<f12", 4},
             {"<i16", 4}, {"<f8 ", 3}, {" <f8", 0}, {"|S03", 3}, {"|S00", 3}, {"|S-1", 2}, {"|S+1", 2}, {"|O8", 2},
             {"<M8[", 4}, {"<M8[s", 4}, {"<M8[s]x", 4}, {"<M8[xs]", 4}, {"<M8[1us]", 5}, {"<M8[0s]", 5}, {"<M8[]", 4},
             {"<M8[generic]", 4}, {"<f8[s]", 3}, {"|R8", 1}, {"|A8", 1}, {"<M4", 3}, {"|b2", 3}, {"<U", 2});
static const struct refused too_large[] =
    NDP_ROWS({"|S2147483648", 11}, {"<U536870912", 10}, {"<U99999999999999999999999", 10}, {"<M8[2147483648Y]", 13});

static void check_refused(const struct refused *rows, size_t count, enum ndp_status expected) {
    for (size_t i = 0; i < count; i++) {
        struct ndp_dtype dtype = {.itemsize_bytes = 77};
        struct ndp_error error;
        const enum ndp_status status = ndp_dtype_read_typestr(ndp_bytes_view(rows[i].text), &dtype, &error);
        if (status != expected || error.status != expected || error.offset_bytes != rows[i].offset_bytes)
            fail_msg("%s: %s at %lu", rows[i].text, ndp_status_name(status), (unsigned long)error.offset_bytes);
        assert_int_equal(dtype.itemsize_bytes, 77);
    }
}

static void everything_else_is_refused_with_its_place(void **state) {
    check_refused(invalid, NDP_ARRAY_LEN(invalid), NDP_INVALID);
    check_refused(too_large, NDP_ARRAY_LEN(too_large), NDP_LIMIT);
}

static void a_nul_does_not_end_the_text(void **state) {
    struct ndp_dtype dtype;
    const struct ndp_bytes text = {(const uint8_t *)"<f8\0", 4};
    assert_int_equal(ndp_dtype_read_typestr(text, &dtype, NULL), NDP_INVALID);
}

NDP_SUITE(typestr_test, NDP_TEST(typestrs_of_numpy_are_read_and_printed),
          NDP_TEST(everything_else_is_refused_with_its_place), NDP_TEST(a_nul_does_not_end_the_text));
