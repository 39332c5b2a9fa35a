#include "property/contract_crafted.h"

#include <string.h>

#include "base/suite.h"

static void every_row_has_a_clause_and_a_reason(void **state) {
    (void)state;
    uint32_t count;
    const struct ndp_crafted_row *rows = ndp_crafted_rows(&count);
    assert_true(count > 20);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(strncmp(rows[i].clause, "8.", 2), 0);
        assert_non_null(strchr(rows[i].reason, ':'));
        for (uint32_t k = 0; k < i; k++)
            assert_false(strcmp(rows[i].file, rows[k].file) == 0 && strcmp(rows[i].decode, rows[k].decode) == 0);
    }
}

static void a_row_is_found_by_file_and_way_in(void **state) {
    (void)state;
    const struct ndp_crafted_row *row = ndp_crafted_find("pickle/open/frame_short.pkl", "c");
    assert_non_null(row);
    assert_int_equal(row->does, NDP_CRAFTED_TAKES);
    assert_null(ndp_crafted_find("pickle/open/frame_short.pkl", "python"));
    assert_null(ndp_crafted_find("pickle/open/frame.pkl", "c"));
    assert_null(ndp_crafted_find("pickle/accept/frame_short.pkl", "c"));
    assert_null(ndp_crafted_find("", "c"));
    row = ndp_crafted_find("joblib/open/order_other.joblib", "mmap:r+");
    assert_non_null(row);
    assert_int_equal(row->does, NDP_CRAFTED_REFUSES);
    assert_null(ndp_crafted_find("joblib/open/order_other.joblib", "file"));
    assert_non_null(ndp_crafted_find("npz/open/bomb.npz", "memory"));
}

NDP_SUITE(contract_crafted_test, cmocka_unit_test(every_row_has_a_clause_and_a_reason),
          cmocka_unit_test(a_row_is_found_by_file_and_way_in));
