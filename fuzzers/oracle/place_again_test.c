/* Every place of the list, by picks that are numbers of it. */
#include "oracle/place_again.h"

#include <string.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 16 * 64, FILE_BYTES = 6 };

/* numpy.array([[1, 2, 3], [4, 5, 6]], "u1", order="F") as it lies in memory, under a form that says so. */
static uint64_t hits_of(const struct ndp_raw_form *form, const struct ndp_npy_array *array, uint64_t pick) {
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    (void)fuzz_path(array->data, FILE_BYTES);
    fuzz_place_again(form, array, FILE_BYTES, pick);
    be_loud(loud);
    return fuzz_hits() - before;
}

static void what_is_written_far_away_is_there(void **state) {
    (void)state;
    static uint8_t elements[] = {1, 4, 2, 5, 3, 6};
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    static const int64_t shape[] = {2, 3};
    const struct ndp_raw_form form = {.dtype = &dtype, .shape = shape, .ndim = 2, .order = NDP_MEMORY_F};
    const struct ndp_raw_form other = {.dtype = &dtype, .shape = shape, .ndim = 2, .order = NDP_MEMORY_C};
    struct ndp_npy_array array = {0};
    uint64_t checked = 0;
    assert_int_equal(ndp_raw_decode_memory(&form, (struct ndp_bytes){elements, FILE_BYTES}, &array, NULL), NDP_OK);
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        uint8_t now[FILE_BYTES + 1];
        if (hits_of(&form, &array, pick) != 0) fail_msg("pick %u", (unsigned)pick);
        assert_int_equal(pread(fuzz_fd(), now, sizeof now, 0), FILE_BYTES);
        assert_memory_equal(now, elements, FILE_BYTES);
    }
    /* The file is read in place of the array, where it holds something else. */
    array.header.size_bytes--;
    for (uint64_t pick = 0; pick < PICKS; pick++) checked += hits_of(&other, &array, pick) != 0;
    assert_int_equal(checked, PICKS / 16);
    array.header.size_bytes++;
    ndp_npy_array_clear(&array);
}

static void another_byte_in_the_file_is_seen(void **state) {
    (void)state;
    static const uint8_t before[] = {9, 1, 2, 3, 4, 5, 6, 9}, after[] = {9, 1, 2, 3, 4, 5, 7, 9};
    static uint8_t elements[] = {1, 2, 3, 4, 5, 7};
    const struct ndp_npy_array array = {.data = elements, .header = {.size_bytes = sizeof elements}};
    const uint64_t none = fuzz_hits();
    (void)fuzz_path(after, sizeof after);
    fuzz_check_file(&array, 1, before, sizeof before);
    assert_int_equal(fuzz_hits(), none);
    const int loud = be_quiet();
    (void)fuzz_path(before, sizeof before);
    fuzz_check_file(&array, 1, before, sizeof before);
    be_loud(loud);
    assert_true(fuzz_hits() > none);
}

static void a_mapped_file_is_filler_and_elements(void **state) {
    (void)state;
    static uint8_t elements[] = {1, 2, 3};
    static const uint8_t good[] = {0xee, 0xee, 1, 2, 3, 4}, zeros[] = {0, 0, 1, 2, 3};
    static const struct ndp_dtype dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    const struct ndp_layout layout = {.ndim = 1, .shape = {3}, .strides_bytes = {1}};
    const struct ndp_elements array = {&dtype, &layout, elements};
    const struct {
        struct ndp_bytes want;
        bool holds;
    } rows[] = {{{good, 5}, true}, {{good, 6}, false}, {{good, 4}, false}, {{zeros, 5}, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const uint64_t before = fuzz_hits();
        const int loud = be_quiet();
        fuzz_check_mapped(&array, 2, rows[i].want);
        be_loud(loud);
        if ((fuzz_hits() == before) != rows[i].holds) fail_msg("row %zu", i);
    }
}

NDP_SUITE(place_again_test, cmocka_unit_test(what_is_written_far_away_is_there),
          cmocka_unit_test(another_byte_in_the_file_is_seen), cmocka_unit_test(a_mapped_file_is_filler_and_elements));
