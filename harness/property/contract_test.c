/* Expected observations come from NumPy 1.23.5 to 2.4.6 themselves, run on x86-64: an array of `dtype` in the given
 * order through the route, then dtype.str and flags of what came back. Raw bytes stand at offset 1; where nothing
 * promises the alignment, A is that of the source. */
#include "property/contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "property/property_fixture.h"

static const struct {
    const char *older;
    const char *newer;
} versions[] = {{"1.9.3", "1.10.0"},
                {"1.23.5", "1.24"},
                {"2.0.0rc1", "2.0.0"},
                {"2.0.0rc1", "2.0.0rc2"},
                {"2.0.0b1", "2.0.0rc1"},
                {"2.6.0.dev0+git2", "2.6.0a1"},
                {"2.6.0.dev0", "2.6.0"},
                {"2.4.6", "2.4.6.post1"},
                {"2", "2.0.1"},
                {"", "0.0.1"},
                {"1.0.0", "99999999999999999999"}};

static void versions_are_ordered(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(versions); i++) {
        assert_true(ndp_version_compare(versions[i].older, versions[i].newer) < 0);
        assert_true(ndp_version_compare(versions[i].newer, versions[i].older) > 0);
        assert_int_equal(ndp_version_compare(versions[i].newer, versions[i].newer), 0);
    }
    assert_int_equal(ndp_version_compare("2.0", "2.0.0"), 0);
    assert_int_equal(ndp_version_compare("2.4.6+local.1", "2.4.6"), 0);
}

static void every_row_has_a_source(void **state) {
    (void)state;
    uint32_t count = 0;
    for (int table = 0; table < 2; table++) {
        const struct ndp_contract_row *rows =
            table == 0 ? ndp_contract_rows(&count) : ndp_contract_library_rows(&count);
        assert_true(count > NDP_FIELD_COUNT);
        for (uint32_t i = 0; i < count; i++) {
            assert_non_null(rows[i].source);
            assert_true(strlen(rows[i].source) > 20);
            assert_true(rows[i].field < NDP_FIELD_COUNT);
            assert_true(rows[i].promise < NDP_PROMISE_COUNT);
            if (table == 1) assert_true(rows[i].format != NULL && rows[i].format[0] != '\0');
        }
    }
}

static bool has(const char *word) {
    return word != NULL && word[0] != '\0';
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

/* Puts the pattern without its star and `end` into a route's word. */
static void fill(char *word, const char *pattern, const char *end) {
    size_t length = has(pattern) ? strcspn(pattern, "*") : 0;
    bool is_open = has(pattern) && pattern[length] == '*';
    snprintf(word, NDP_WORD_BYTES, "%.*s%s", (int)length, has(pattern) ? pattern : "", is_open || !length ? end : "");
}

/* Whether some route and features lead to the row. */
static bool is_reached(const struct ndp_contract_row *row) {
    static const char *const formats[] = {"npy", "y", "raw", "pickle", "other"};
    static const char *const entries[] = {"memory", "r", "c"};
    static const char *const libraries[] = {"numpy", "reference", "other"};
    static const char *const numbers[] = {"1.23.5", "1.26.4", "2.0.2", "2.2.6", "2.4.6"};
    static const uint32_t extras[] = {0, NDP_FEATURE_C_CONTIGUOUS, NDP_FEATURE_PERMUTED};
    struct ndp_target_info info[2];
    struct ndp_route route = {.protocol = row->protocol_min != 0 ? row->protocol_min : row->protocol_max};
    memset(info, 0, sizeof info);
    info[0].is_little_endian = info[1].is_little_endian = true;
    fill(route.buffers, row->buffers, "");
    for (uint32_t choice = 0; choice < 5 * 3 * 3 * 15 * 15 * 3; choice++) {
        uint32_t left = choice;
        fill(route.format, row->format, formats[left % 5]);
        fill(route.encode, row->encode, entries[(left /= 5) % 3]);
        fill(route.decode, row->decode, entries[(left /= 3) % 3]);
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

static void every_row_can_be_reached(void **state) {
    (void)state;
    uint32_t count = 0;
    const struct ndp_contract_row *rows = ndp_contract_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_reached(&rows[i])) fail_msg("%s: %s", ndp_contract_field_word(rows[i].field), rows[i].source);
    }
    rows = ndp_contract_library_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_reached(&rows[i])) fail_msg("%s: %s", ndp_contract_field_word(rows[i].field), rows[i].source);
    }
}

static void the_library_is_the_one_behind_the_entry(void **state) {
    (void)state;
    struct fixture f;
    fixture_init(&f, "<f8", "pickle", "c", "c", 5);
    assert_int_equal(
        ndp_contract_find(NDP_FIELD_WRITEABLE, &f.route, &f.target, &f.target, NDP_FEATURE_C_CONTIGUOUS)->promise,
        NDP_PROMISE_SAME);
    snprintf(f.target.entries[1].library, NDP_WORD_BYTES, "somebody");
    snprintf(f.target.libraries[0].name, NDP_WORD_BYTES, "somebody");
    assert_int_equal(
        ndp_contract_find(NDP_FIELD_WRITEABLE, &f.route, &f.target, &f.target, NDP_FEATURE_C_CONTIGUOUS)->promise,
        NDP_PROMISE_ANY);
    fixture_clear(&f);
}

enum { READONLY = 1, PERMUTED = 2, BIG_MACHINE = 4 };

static const struct {
    const char *version;
    const char *dtype;
    int32_t protocol;
    enum ndp_memory_order order;
    int how;
    const char *format;
    const char *decode;
    const char *expected_dtype;
    const char *expected_flags; /* "-" where nothing is contiguous */
} trips[] = {
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, 0, "npy", "memory", ">f8", "CWA"},
    {"1.23.5", ">f8", 0, NDP_MEMORY_F, READONLY, "npy", "file", ">f8", "FWA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, 0, "npy", "mmap:r", ">f8", "CA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_F, READONLY, "npy", "mmap:r+", ">f8", "FWA"},
    {"2.4.6", ">f8", 0, NDP_MEMORY_C, PERMUTED, "npz", "memory", ">f8", "CWA"},
    {"2.4.6", "<f8", 0, NDP_MEMORY_C, 0, "raw", "memory", "<f8", "CA"},
    {"2.4.6", "<f8", 0, NDP_MEMORY_C, 0, "raw", "mmap:c", "<f8", "CW"},
    {"2.4.6", ">f8", 4, NDP_MEMORY_C, READONLY, "pickle", "c", "<f8", "CWA"},
    {"1.23.5", ">U2", 0, NDP_MEMORY_F, 0, "pickle", "c", "<U2", "FWA"},
    {"2.4.6", ">f8", 5, NDP_MEMORY_C, READONLY, "pickle", "c", ">f8", "CA"},
    {"1.23.5", ">f8", 5, NDP_MEMORY_F, 0, "pickle", "c", ">f8", "FWA"},
    {"2.4.6", ">M8[s]", 5, NDP_MEMORY_C, READONLY, "pickle", "c", "<M8[s]", "CWA"},
    {"2.4.6", ">c32", 5, NDP_MEMORY_C, READONLY, "pickle", "c", "<c32", "CWA"},
    {"2.2.6", ">f8", 5, NDP_MEMORY_C, PERMUTED | READONLY, "pickle", "c", "<f8", "CWA"},
    {"2.4.6", ">f8", 5, NDP_MEMORY_C, PERMUTED | READONLY, "pickle", "c", ">f8", "-A"},
    /* What Debian's NumPy 1.24.2 gives on s390x. */
    {"1.24.2", "<f8", 4, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">f8", "CWA"},
    {"1.24.2", ">f8", 4, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">f8", "CWA"},
    {"1.24.2", "<f8", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", "<f8", "CA"},
    {"1.24.2", "<M8[s]", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">M8[s]", "CWA"},
    {"1.24.2", "<c32", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">c32", "CWA"},
    {"1.24.2", ">c32", 5, NDP_MEMORY_C, BIG_MACHINE | READONLY, "pickle", "c", ">c32", "CA"},
};

static void check_flags(const struct ndp_observation *got, const char *expected) {
    static const char letters[] = {'C', 'F', 'W', 'A'};
    static const uint32_t flags[] = {NDP_FLAG_C_CONTIGUOUS, NDP_FLAG_F_CONTIGUOUS, NDP_FLAG_WRITEABLE,
                                     NDP_FLAG_ALIGNED};
    for (size_t i = 0; i < NDP_ARRAY_LEN(flags); i++) {
        assert_int_equal((got->flags & flags[i]) != 0, strchr(expected, letters[i]) != NULL);
    }
}

static void promises_are_what_numpy_does(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(trips); i++) {
        struct fixture f;
        fixture_init(&f, trips[i].dtype, trips[i].format, trips[i].protocol == 0 ? "memory" : "c", trips[i].decode,
                     trips[i].protocol);
        snprintf(f.target.version, NDP_WORD_BYTES, "%s", trips[i].version);
        snprintf(f.target.libraries[0].version, NDP_WORD_BYTES, "%s", trips[i].version);
        f.route.offset_bytes = strcmp(trips[i].format, "raw") == 0 ? 1 : 0;
        f.value.base.order = trips[i].order;
        f.value.is_readonly = (trips[i].how & READONLY) != 0;
        if (trips[i].how & PERMUTED) fixture_permute(&f);
        f.target.is_little_endian = (trips[i].how & BIG_MACHINE) == 0;
        fixture_build(&f);
        struct ndp_dtype dtype;
        struct ndp_comparison comparison = {0};
        struct ndp_observation expected = f.trial.promised;
        assert_int_equal(ndp_typestr_read(ndp_bytes_view(trips[i].expected_dtype), &dtype, NULL), NDP_OK);
        expected.dtype = &dtype;
        ndp_compare_dtype(&expected, &f.trial.promised, UINT32_MAX, &comparison);
        assert_int_equal(comparison.total, 0);
        check_flags(&f.trial.promised, trips[i].expected_flags);
        ndp_compare_values(&f.trial.expected, &f.trial.promised, 0, &comparison);
        assert_int_equal(comparison.total, 0);
        fixture_clear(&f);
    }
}

/* Structures of foreign fields alone, by where they are read. Source: joblib's numpy_pickle_utils.py. */
static void foreign_fields_are_those_of_the_reader(void **state) {
    (void)state;
    static const struct {
        uint64_t features;
        bool is_little_endian;
        enum ndp_promise promise;
    } rows[] = {
        {(uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, true, NDP_PROMISE_NATIVE},
        {(uint32_t)NDP_FEATURE_ALL_FIELDS_BIG, false, NDP_PROMISE_SAME},
        {NDP_FEATURE_ALL_FIELDS_LITTLE, true, NDP_PROMISE_SAME},
        {NDP_FEATURE_ALL_FIELDS_LITTLE, false, NDP_PROMISE_NATIVE},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture f;
        fixture_init(&f, "<f8", "joblib", "file", "file", 4);
        f.other = f.target;
        f.other.is_little_endian = rows[i].is_little_endian;
        const uint64_t features = rows[i].features | (uint32_t)NDP_FEATURE_STRUCTURED;
        assert_int_equal(ndp_contract_find(NDP_FIELD_BYTE_ORDER, &f.route, &f.target, &f.other, features)->promise,
                         rows[i].promise);
        fixture_clear(&f);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    struct fixture f;
    struct ndp_observation out;
    fixture_init(&f, ">f8", "pickle", "c", "c", 4);
    fixture_build(&f);
    uint64_t call = 1;
    for (;; call++) {
        ndp_arena_fail_at(&f.arena, call);
        enum ndp_status status = ndp_contract_expect(&f.arena, &f.model, &f.route, &f.target, &f.target, &out);
        if (status == NDP_OK) break;
        assert_int_equal(status, NDP_NOMEM);
        assert_true(call < 100);
    }
    assert_true(call > 3);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_ordered),
        cmocka_unit_test(every_row_has_a_source),
        cmocka_unit_test(the_last_row_of_each_field_fits_all),
        cmocka_unit_test(every_row_can_be_reached),
        cmocka_unit_test(the_library_is_the_one_behind_the_entry),
        cmocka_unit_test(promises_are_what_numpy_does),
        cmocka_unit_test(foreign_fields_are_those_of_the_reader),
        cmocka_unit_test(every_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
