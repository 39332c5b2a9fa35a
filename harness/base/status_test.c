#include "base/status.h"
#include "base/suite.h"

static void every_status_has_a_name_and_a_text(void **state) {
    assert_string_equal(ndp_status_name(NDP_OK), "OK");
    assert_string_equal(ndp_status_name(NDP_FAULT), "FAULT");
    assert_string_equal(ndp_status_text(NDP_TRUNCATED), "input ends too early");
    for (int a = 0; a < NDP_STATUS_COUNT; a++) {
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(ndp_status_name((enum ndp_status)a), ndp_status_name((enum ndp_status)b));
            assert_string_not_equal(ndp_status_text((enum ndp_status)a), ndp_status_text((enum ndp_status)b));
        }
    }
    assert_string_equal(ndp_status_name(NDP_STATUS_COUNT), "?");
    assert_non_null(ndp_status_text(NDP_STATUS_COUNT));
}

static void an_error_contains_position_and_text(void **state) {
    struct ndp_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(ndp_error_set(&error, NDP_INVALID, 17, "byte %d of %s", 3, "header"), NDP_INVALID);
    assert_int_equal(error.status, NDP_INVALID);
    assert_int_equal(error.offset_bytes, 17);
    assert_string_equal(error.path, "");
    assert_string_equal(error.text, "byte 3 of header");
}

static void a_long_error_text_is_truncated(void **state) {
    char longer[2 * NDP_ERROR_TEXT_BYTES];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    struct ndp_error error;
    assert_int_equal(ndp_error_set(&error, NDP_IO, NDP_NO_OFFSET, "%s", longer), NDP_IO);
    assert_int_equal(strlen(error.text), NDP_ERROR_TEXT_BYTES - 1);
}

static void an_error_is_optional(void **state) {
    assert_int_equal(ndp_error_set(NULL, NDP_LIMIT, 0, "nobody reads this"), NDP_LIMIT);
}

static enum ndp_status try_twice(enum ndp_status first, int *reached) {
    NDP_TRY(first);
    *reached = 1;
    return NDP_OK;
}

static void try_returns_the_first_failure(void **state) {
    int reached = 0;
    assert_int_equal(try_twice(NDP_GONE, &reached), NDP_GONE);
    assert_int_equal(reached, 0);
    assert_int_equal(try_twice(NDP_OK, &reached), NDP_OK);
    assert_int_equal(reached, 1);
}

NDP_SUITE(status_test, NDP_TEST(every_status_has_a_name_and_a_text), NDP_TEST(an_error_contains_position_and_text),
          NDP_TEST(a_long_error_text_is_truncated), NDP_TEST(an_error_is_optional),
          NDP_TEST(try_returns_the_first_failure));
