#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_dtype;

static const struct ndp_dtype leaf = {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4};

/* {"a": <i4 at 0, titled "T"; "b": <i4 at 8}, 16 bytes, aligned, with metadata. */
static void structure(struct ndp_dtype *out, struct ndp_field fields[2]) {
    memset(out, 0, sizeof *out);
    fields[0] = (struct ndp_field){.name = ndp_bytes_view("a"), .title = ndp_bytes_view("T"), .has_title = true};
    fields[1] = (struct ndp_field){.name = ndp_bytes_view("b"), .offset_bytes = 8};
    fields[0].dtype = fields[1].dtype = &leaf;
    out->kind = NDP_KIND_STRUCT;
    out->itemsize_bytes = 16;
    out->fields = fields;
    out->field_count = 2;
    out->is_aligned = true;
    out->metadata = ndp_bytes_view("{\"k\":1}");
}

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<i4", "pickle", "c", "c", 2);
    struct ndp_field fields[2];
    structure(&f.dtype, fields);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_dtype);
}

static void each_part_is_compared(void **state) {
    static const char *const names[] = {"dtype.names",   "dtype.titles",   "dtype.offsets",
                                        "dtype.aligned", "dtype.metadata", "dtype.kind"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        (void)state;
        FIXTURE(f, "<i4", "pickle", "c", "c", 2);
        struct ndp_field fields[2], spoilt_fields[2];
        struct ndp_dtype spoilt;
        structure(&f.dtype, fields);
        structure(&spoilt, spoilt_fields);
        if (i == 0) spoilt_fields[1].name = ndp_bytes_view("c");
        if (i == 1) spoilt_fields[0].has_title = false;
        if (i == 2) spoilt_fields[1].offset_bytes = 4;
        if (i == 3) spoilt.is_aligned = false;
        if (i == 4) spoilt.metadata.size_bytes = 0;
        if (i == 5) spoilt.field_count = 1;
        fixture_trip(&f)->dtype = &spoilt;
        expect_broken(&f, &ndp_property_dtype, names[i]);
    }
}

static void a_documented_loss_is_not_a_defect(void **state) {
    FIXTURE(f, "<i4", "npy", "memory", "memory", 0);
    struct ndp_field fields[2], spoilt_fields[2];
    struct ndp_dtype spoilt;
    structure(&f.dtype, fields);
    structure(&spoilt, spoilt_fields);
    spoilt.is_aligned = false;
    fixture_trip(&f)->dtype = &spoilt;
    ndp_property_dtype.judge(&f.trial, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(f.judgement.severity, NDP_SEVERITY_DOCUMENTED_LOSS);
    assert_string_equal(f.judgement.field, "dtype.aligned");
    spoilt_fields[1].name = ndp_bytes_view("c");
    expect_broken(&f, &ndp_property_dtype, "dtype.names");
}

static void units_are_compared(void **state) {
    struct ndp_dtype spoilt;
    FIXTURE(f, "<M8[25us]", "npy", "memory", "memory", 0);
    struct ndp_observation *result = fixture_trip(&f);
    expect_pass(&f, &ndp_property_dtype);
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("<M8[us]"), &spoilt, NULL), NDP_OK);
    result->dtype = &spoilt;
    expect_broken(&f, &ndp_property_dtype, "dtype.kind");
}

NDP_SUITE(property_dtype_test, NDP_TEST(a_correct_result_passes), NDP_TEST(each_part_is_compared),
          NDP_TEST(a_documented_loss_is_not_a_defect), NDP_TEST(units_are_compared));
