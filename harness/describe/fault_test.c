#include "base/suite.h"
#include "describe/fault.h"

static void names_are_words_and_unique(void **state) {
    uint32_t count = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    assert_true(count >= 150);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(rows[i].name);
        assert_in_range(size, 1, NDP_WORD_BYTES - 1);
        assert_int_equal(strspn(rows[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_.+:-"), size);
        assert_true(rows[i].argument_min <= rows[i].argument_max);
        assert_ptr_equal(ndp_fault_find(rows[i].name, rows[i].format), &rows[i]);
    }
    assert_null(ndp_fault_find("cut", "pickle"));
    assert_null(ndp_fault_find("", "npy"));
}

static void templates_use_known_escapes(void **state) {
    uint32_t count = 0;
    const struct ndp_fault_row *rows = ndp_fault_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        const char *const texts[] = {rows[i].text, rows[i].tail};
        bool is_header =
            rows[i].how == NDP_FAULT_HEADER || rows[i].how == NDP_FAULT_PAD || rows[i].how == NDP_FAULT_ALIGN;
        assert_true(!is_header || rows[i].text != NULL);
        for (int k = 0; k < 2; k++) {
            for (const char *at = texts[k] != NULL ? strchr(texts[k], '%') : NULL; at != NULL;
                 at = strchr(at + 2, '%')) {
                assert_non_null(strchr("DSF1TLXPZMR0A[]x9%", at[1]));
                assert_int_not_equal(at[1], '\0');
            }
        }
    }
}

/* Needs that each value meets, according to describe/fault.h. */
static void needs_are_those_of_the_value(void **state) {
    enum { LEAF = NDP_NEED_LEAF, FULL = NDP_NEED_ELEMENTS | NDP_NEED_DATA | NDP_NEED_ITEMSIZE };
    enum { SMALL = NDP_NEED_ASCII | NDP_NEED_SHORT };
    static const struct ndp_dtype i2 = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
    static const struct ndp_dtype b1 = {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1};
    static const struct ndp_dtype s0 = {.kind = NDP_KIND_BYTES};
    static const struct ndp_dtype u0 = {.kind = NDP_KIND_TEXT, .order = NDP_ORDER_LITTLE};
    static const struct ndp_field latin[] = {{.name = {(const uint8_t *)"\xc3\xa9", 2}, .dtype = &i2}};
    static const struct ndp_dtype pair = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = latin, .field_count = 1};
    static const struct {
        const struct ndp_dtype *dtype;
        struct ndp_layout layout;
        uint32_t has;
    } rows[] = {
        {&i2, {.ndim = 0}, LEAF | FULL | SMALL | NDP_NEED_MULTIBYTE | NDP_NEED_BOTH_ORDERS},
        {&i2,
         {.ndim = 1, .shape = {3}},
         LEAF | FULL | SMALL | NDP_NEED_MULTIBYTE | NDP_NEED_BOTH_ORDERS | NDP_NEED_DIM},
        {&i2, {.ndim = 2, .shape = {3, 2}}, LEAF | FULL | SMALL | NDP_NEED_MULTIBYTE | NDP_NEED_DIM},
        {&i2,
         {.ndim = 2, .shape = {3, 1}},
         LEAF | FULL | SMALL | NDP_NEED_MULTIBYTE | NDP_NEED_DIM | NDP_NEED_BOTH_ORDERS},
        {&i2,
         {.ndim = 2, .shape = {3, 0}},
         LEAF | SMALL | NDP_NEED_MULTIBYTE | NDP_NEED_DIM | NDP_NEED_BOTH_ORDERS | NDP_NEED_ITEMSIZE},
        {&b1, {.ndim = 0}, LEAF | FULL | SMALL | NDP_NEED_BOTH_ORDERS},
        {&s0, {.ndim = 0}, LEAF | SMALL | NDP_NEED_BOTH_ORDERS | NDP_NEED_ELEMENTS},
        {&u0, {.ndim = 0}, LEAF | SMALL | NDP_NEED_BOTH_ORDERS | NDP_NEED_ELEMENTS},
        {&pair, {.ndim = 0}, FULL | NDP_NEED_SHORT | NDP_NEED_BOTH_ORDERS},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_array array = {.dtype = rows[i].dtype, .layout = rows[i].layout};
        for (uint32_t bit = 0; bit < 9; bit++) {
            const struct ndp_fault_row row = {.needs = UINT32_C(1) << bit};
            if (ndp_fault_fits(&row, &array) != ((rows[i].has >> bit & 1) != 0)) fail_msg("row %zu, need %u", i, bit);
        }
        const struct ndp_fault_row all = {.needs = rows[i].has};
        assert_true(ndp_fault_fits(&all, &array));
    }
}

/* Independently of its row, a fault needs a value that the format represents with an acceptable header. */
static void values_outside_the_format_fit_no_fault(void **state) {
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    static const struct ndp_dtype noted = {
        .kind = NDP_KIND_BOOL, .itemsize_bytes = 1, .metadata = {(const uint8_t *)"{\"a\":1}", 7}};
    static const struct ndp_dtype b1 = {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1};
    static const struct ndp_field twice[] = {{.name = {(const uint8_t *)"a", 1}, .dtype = &b1},
                                             {.name = {(const uint8_t *)"b", 1}, .dtype = &b1}};
    static const struct ndp_dtype overlap = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = twice, .field_count = 2};
    static struct ndp_field many[200];
    for (size_t i = 0; i < NDP_ARRAY_LEN(many); i++)
        many[i] = (struct ndp_field){.name = {(const uint8_t *)"x", 1}, .offset_bytes = i, .dtype = &b1};
    const struct ndp_dtype wide = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 200, .fields = many, .field_count = NDP_ARRAY_LEN(many)};
    const struct ndp_dtype *const dtypes[] = {&object, &noted, &overlap, &wide};
    const struct ndp_fault_row row = {.needs = 0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(dtypes); i++) {
        const struct ndp_array array = {.dtype = dtypes[i]};
        if (ndp_fault_fits(&row, &array)) fail_msg("row %zu", i);
    }
    const struct ndp_array array = {.dtype = &b1};
    assert_true(ndp_fault_fits(&row, &array));
}

NDP_SUITE(fault_test, NDP_TEST(names_are_words_and_unique), NDP_TEST(templates_use_known_escapes),
          NDP_TEST(needs_are_those_of_the_value), NDP_TEST(values_outside_the_format_fit_no_fault));
