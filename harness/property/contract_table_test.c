#include "base/suite.h"
#include "property/contract.h"

static bool is_named(const char *word) {
    return word != NULL && word[0] != '\0';
}

/* Fills a word of a route from a pattern, with `end` for its star. */
static void fill_word(char *word, const char *pattern, const char *end) {
    size_t length = is_named(pattern) ? strcspn(pattern, "*") : 0;
    bool is_open = is_named(pattern) && pattern[length] == '*';
    snprintf(word, NDP_WORD_BYTES, "%.*s%s", (int)length, is_named(pattern) ? pattern : "",
             is_open || !length ? end : "");
}

/* Whether the row applies to some route and features. */
static bool is_reached(const struct ndp_contract_row *row) {
    static const char *const formats[] = {"npy", "y", "raw", "pickle", "other"};
    static const char *const entries[] = {"memory", "r", "c"};
    const bool is_joblib = is_named(row->decoder.name) && strcmp(row->decoder.name, "joblib") == 0;
    const char *const sender = row->encoder.name;
    const bool is_others = is_named(sender) && strcmp(sender, "numpy") != 0 && strcmp(sender, "reference") != 0;
    const char *const libraries[] = {"numpy", "reference", is_joblib ? "joblib" : is_others ? sender : "other"};
    const char *const first = is_joblib ? "1.0.1" : is_others ? "0.3.4" : "1.23.5";
    const char *const numbers[] = {first, "1.26.4", "2.0.2", "2.2.6", "2.4.6"};
    static const uint32_t extras[] = {0, NDP_FEATURE_C_CONTIGUOUS, NDP_FEATURE_PERMUTED};
    struct ndp_target_info info[2];
    struct ndp_route route = {.protocol = row->protocol_min != 0 ? row->protocol_min : row->protocol_max};
    memset(info, 0, sizeof info);
    info[0].is_little_endian = info[1].is_little_endian = true;
    fill_word(route.buffers, row->buffers, "");
    for (uint32_t choice = 0; choice < 5 * 3 * 3 * 15 * 15 * 3; choice++) {
        uint32_t left = choice;
        fill_word(route.format, row->format, formats[left % 5]);
        fill_word(route.encode, row->encode, entries[(left /= 5) % 3]);
        fill_word(route.decode, row->decode, entries[(left /= 3) % 3]);
        left /= 3;
        for (int i = 0; i < 2; i++, left /= 15) {
            snprintf(info[i].implementation, NDP_WORD_BYTES, "%s", libraries[left % 3]);
            snprintf(info[i].version, NDP_WORD_BYTES, "%s", numbers[left / 3 % 5]);
        }
        uint64_t features = row->with | extras[left % 3];
        if (ndp_contract_find(row->field, &route, &info[0], &info[1], features) == row) return true;
    }
    return false;
}

static void expect_sources(const struct ndp_contract_row *rows, uint32_t count) {
    assert_true(count > NDP_FIELD_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(rows[i].source);
        assert_true(strncmp(rows[i].source, "README", 6) != 0); /* our own README is no source */
        assert_true(strlen(rows[i].source) > 20);
        assert_true(rows[i].field < NDP_FIELD_COUNT);
        assert_true(rows[i].promise < NDP_PROMISE_COUNT);
    }
}

static void expect_reached(const struct ndp_contract_row *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!is_reached(&rows[i])) fail_msg("%s: %s", ndp_contract_field_word(rows[i].field), rows[i].source);
}

static void every_row_has_a_source(void **state) {
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    expect_sources(rows, count);
    rows = ndp_contract_library_rows(&count);
    expect_sources(rows, count);
}

/* A library row for every format would hide the general rows. */
static void every_library_row_names_its_format(void **state) {
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_library_rows(&count);
    for (uint32_t i = 0; i < count; i++) assert_true(is_named(rows[i].format));
}

static void the_last_row_of_each_field_fits_everything(void **state) {
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    const struct ndp_contract_row *last[NDP_FIELD_COUNT] = {NULL};
    for (uint32_t i = 0; i < count; i++) {
        /* The rows of a field are adjacent. */
        if (last[rows[i].field] != NULL) assert_ptr_equal(last[rows[i].field] + 1, &rows[i]);
        last[rows[i].field] = &rows[i];
    }
    for (uint32_t i = 0; i < NDP_FIELD_COUNT; i++) {
        const struct ndp_contract_row *row = last[i];
        assert_non_null(row);
        assert_false(is_named(row->encoder.name) || is_named(row->decoder.name) || is_named(row->format) ||
                     is_named(row->buffers));
        assert_false(is_named(row->encode) || is_named(row->decode));
        assert_true(row->protocol_min == 0 && row->protocol_max == 0 && row->with == 0 && row->without == 0);
    }
}

static void every_row_can_be_reached(void **state) {
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    expect_reached(rows, count);
    rows = ndp_contract_library_rows(&count);
    expect_reached(rows, count);
}

NDP_SUITE(contract_table_test, NDP_TEST(every_row_has_a_source), NDP_TEST(every_library_row_names_its_format),
          NDP_TEST(the_last_row_of_each_field_fits_everything), NDP_TEST(every_row_can_be_reached));
