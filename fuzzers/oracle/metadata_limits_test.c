/* Of every number around the last one, whether it is read is as it should be; what has metadata of its own is asked,
 * too. */
#include "oracle/metadata_limits.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 48 };

static void numbers_are_read_up_to_the_last(void **state) {
    (void)state;
    static uint8_t data[4];
    static const struct ndp_dtype types[] = {
        {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4},
        {.kind = NDP_KIND_INT,
         .order = NDP_ORDER_LITTLE,
         .itemsize_bytes = 4,
         .metadata = {(const uint8_t *)"{\"a\":1}", 7}},
        {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 4},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(types); i++) {
        const struct ndp_pickle_array array = {.dtype = &types[i], .data = data, .size_bytes = sizeof data};
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 22};
            const uint64_t before = fuzz_hits();
            assert_true(fuzz_check_metadata_limits(&arena, &array, pick));
            if (fuzz_hits() != before) fail_msg("type %zu, pick %u", i, (unsigned)pick);
            ndp_arena_clear(&arena);
        }
    }
}

/* No dtype of objects is this encoder's to write. */
static void what_is_not_written_is_left_out(void **state) {
    (void)state;
    static uint8_t data[8];
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    const struct ndp_pickle_array array = {.dtype = &object, .data = data, .size_bytes = sizeof data};
    struct ndp_arena arena = {.limit_bytes = 1 << 22};
    assert_false(fuzz_check_metadata_limits(&arena, &array, 0));
    ndp_arena_clear(&arena);
}

/* The metadata of a type stands behind its fields. */
static void what_is_behind_too_much_is_left_out(void **state) {
    (void)state;
    enum { FIELDS = 600 };
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    static uint8_t data[FIELDS];
    static struct ndp_field fields[FIELDS];
    static char names[FIELDS][8];
    for (int i = 0; i < FIELDS; i++) {
        for (int k = 0, left = i; k < 3; k++, left /= 10) names[i][k] = (char)('0' + left % 10);
        fields[i] = (struct ndp_field){.name = ndp_bytes_view(names[i]), .offset_bytes = (uint64_t)i, .dtype = &byte};
    }
    const struct ndp_dtype dtype = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = FIELDS, .fields = fields, .field_count = FIELDS};
    const struct ndp_pickle_array array = {.dtype = &dtype, .data = data, .size_bytes = sizeof data};
    const uint64_t before = fuzz_hits();
    for (uint64_t pick = 0; pick < PICKS; pick++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 24};
        assert_false(fuzz_check_metadata_limits(&arena, &array, pick));
        ndp_arena_clear(&arena);
    }
    assert_true(fuzz_hits() == before);
}

NDP_SUITE(metadata_limits_test, cmocka_unit_test(numbers_are_read_up_to_the_last),
          cmocka_unit_test(what_is_behind_too_much_is_left_out), cmocka_unit_test(what_is_not_written_is_left_out));
