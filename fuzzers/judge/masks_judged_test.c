#include "judge/masks_judged.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 512, BYTES = 64 };

/* Of a comparison that is right nothing is found. */
static void every_type_is_compared_so(void **state) {
    (void)state;
    static const char *const types[] = {"<f2", ">f2", "<f4", ">f8", "<c8",       ">c16",   ">f16", "<c32", "<U2", ">U4",
                                        "|S1", "|S8", "|V4", "<M8", "<m8[25us]", ">M8[D]", ">i2",  "|b1",  "|O"};
    uint8_t bytes[BYTES];
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)(i * 37 + 1);
    for (size_t i = 0; i < NDP_ARRAY_LEN(types); i++) {
        struct ndp_dtype dtype;
        assert_int_equal(ndp_typestr_read(ndp_bytes_view(types[i]), &dtype, NULL), NDP_OK);
        const int64_t shape[] = {(int64_t)(BYTES / dtype.itemsize_bytes)};
        const struct ndp_observation value = {
            .dtype = &dtype, .ndim = 1, .shape = shape, .strides_bytes = shape, .elements = {bytes, BYTES}};
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_masks(&value, pick * UINT64_C(0x9e3779b97f4a7c15));
        if (fuzz_hits() != before) fail_msg("type %s", types[i]);
    }
}

static void structures_are_compared_so(void **state) {
    (void)state;
    static const struct ndp_dtype word = {.kind = NDP_KIND_INT, .order = NDP_ORDER_BIG, .itemsize_bytes = 2};
    static const struct ndp_field field = {.name = {(const uint8_t *)"a", 1}, .dtype = &word};
    static const int64_t shape[] = {2};
    const uint64_t before = fuzz_hits();
    for (uint64_t count = 0; count < 2; count++) {
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = &field, .field_count = count};
        const struct ndp_observation value = {.dtype = &dtype,
                                              .ndim = 1,
                                              .shape = shape,
                                              .strides_bytes = shape,
                                              .elements = {(const uint8_t *)"abcd", 4}};
        fuzz_check_masks(&value, 0);
    }
    assert_true(fuzz_hits() == before);
}

/* Elements that are fewer than the shape has are no value's. */
static void what_compares_wrongly_is_told(void **state) {
    (void)state;
    static const int64_t shape[] = {3};
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_INT, .order = NDP_ORDER_BIG, .itemsize_bytes = 2};
    const struct ndp_observation value = {
        .dtype = &dtype, .ndim = 1, .shape = shape, .strides_bytes = shape, .elements = {(const uint8_t *)"abcd", 4}};
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_check_masks(&value, 0);
    be_loud(loud);
    assert_true(fuzz_hits() > before);
}

NDP_SUITE(masks_judged_test, cmocka_unit_test(every_type_is_compared_so), cmocka_unit_test(structures_are_compared_so),
          cmocka_unit_test(what_compares_wrongly_is_told));
