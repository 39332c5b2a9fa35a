
#include "base/suite.h"
#include "property/contract_fixture.h"

static void every_row_has_a_source(void **state) {
    (void)state;
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    expect_sources(rows, count);
}

static void the_last_row_of_each_field_fits_all(void **state) {
    (void)state;
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    const struct ndp_contract_row *last[NDP_FIELD_COUNT] = {NULL};
    for (uint32_t i = 0; i < count; i++) {
        /* Rows of one field stand together, so that a reader sees all of them. */
        if (last[rows[i].field] != NULL) assert_ptr_equal(last[rows[i].field] + 1, &rows[i]);
        last[rows[i].field] = &rows[i];
    }
    for (uint32_t i = 0; i < NDP_FIELD_COUNT; i++) {
        const struct ndp_contract_row *row = last[i];
        assert_non_null(row);
        assert_false(has(row->encoder.name) || has(row->decoder.name) || has(row->format) || has(row->buffers));
        assert_false(has(row->encode) || has(row->decode));
        assert_true(row->protocol_min == 0 && row->protocol_max == 0 && row->with == 0 && row->without == 0);
    }
}

static void every_row_can_be_reached(void **state) {
    (void)state;
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    expect_reached(rows, count);
}

NDP_SUITE(contract_table_test, cmocka_unit_test(every_row_has_a_source),
          cmocka_unit_test(the_last_row_of_each_field_fits_all), cmocka_unit_test(every_row_can_be_reached));
