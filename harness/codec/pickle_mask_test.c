/* Expected: numpy.ma.make_mask_descr of NumPy 1.26.4 and 2.4.6, in the words of descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec/pickle_mask.h"
#include "describe/dtype_json.h"

static const struct ndp_dtype *parse(struct ndp_arena *arena, const char *text) {
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(ndp_dtype_parse(arena, ndp_bytes_view(text), &ndp_describe_default_limits, &dtype, NULL), NDP_OK);
    return dtype;
}

static const struct {
    const char *dtype, *mask;
} rows[] = {
    {"\"<f8\"", "\"|b1\""},
    {"\">U3\"", "\"|b1\""},
    {"\"<M8[s]\"", "\"|b1\""},
    {"{\"fields\":[{\"name\":\"a\",\"offset\":4,\"dtype\":\"<i2\"},{\"name\":\"b\",\"offset\":0,\"dtype\":\"<f4\"}],"
     "\"itemsize\":9}",
     "{\"fields\":[{\"name\":\"a\",\"offset\":0,\"dtype\":\"|b1\"},{\"name\":\"b\",\"offset\":1,\"dtype\":\"|b1\"}],"
     "\"itemsize\":2}"},
    {"{\"fields\":[{\"name\":\"a\",\"title\":\"t\",\"offset\":0,\"dtype\":{\"base\":\"<i2\",\"shape\":[2,3]}}],"
     "\"itemsize\":12}",
     "{\"fields\":[{\"name\":\"a\",\"title\":\"t\",\"offset\":0,\"dtype\":{\"base\":\"|b1\",\"shape\":[2,3]}}],"
     "\"itemsize\":6}"},
};

static void a_mask_has_a_truth_value_for_each_leaf(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        const struct ndp_dtype *mask = NULL;
        ndp_arena_init(&arena, 1 << 20);
        assert_int_equal(ndp_mask_dtype(&arena, parse(&arena, rows[i].dtype), &mask), NDP_OK);
        if (ndp_dtype_compare(mask, parse(&arena, rows[i].mask), NULL) != 0) fail_msg("%s", rows[i].dtype);
        assert_int_equal(ndp_dtype_check(mask, NULL), NDP_OK);
        ndp_arena_clear(&arena);
    }
}

static void every_lack_of_memory_is_told(void **state) {
    (void)state;
    struct ndp_arena arena;
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    ndp_arena_init(&arena, 1 << 20);
    const struct ndp_dtype *dtype = parse(&arena, rows[4].dtype);
    while (status != NDP_OK) {
        struct ndp_arena other;
        const struct ndp_dtype *mask = NULL;
        ndp_arena_init(&other, 1 << 20);
        ndp_arena_fail_at(&other, ++call);
        status = ndp_mask_dtype(&other, dtype, &mask);
        ndp_arena_clear(&other);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 3);
    ndp_arena_clear(&arena);
}

/* numpy.array(1 + 2j, ">c8").tobytes() and numpy.array(1 + 2j, "<c8").tobytes(): each part by itself. */
static void fill_values_turn_leaf_by_leaf(void **state) {
    (void)state;
    static const uint8_t big[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}, little[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    struct ndp_arena arena;
    uint8_t item[8];
    ndp_arena_init(&arena, 1 << 20);
    memcpy(item, big, sizeof item);
    ndp_fill_value_turn(parse(&arena, "\">c8\""), item);
    assert_memory_equal(item, little, sizeof item);
    ndp_fill_value_turn(parse(&arena, "\">c8\""), item);
    assert_memory_equal(item, big, sizeof item);
    ndp_fill_value_turn(parse(&arena, "\"<c8\""), item);
    assert_memory_equal(item, big, sizeof item);
    ndp_arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_has_a_truth_value_for_each_leaf),
        cmocka_unit_test(every_lack_of_memory_is_told),
        cmocka_unit_test(fill_values_turn_leaf_by_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
