/* The sequential model (model/dict.h) decides which results are allowed. It does not know the dict. */
#include "base/byteorder.h"
#include "base/suite.h"
#include "target/dict_schedule.h"
#include "target/reference/reference_dict.h"

enum { ARENA_BYTES = 1 << 24 };

static const struct ndp_dict_value schedules[] = {
    {.rounds = 1, .thread_count = 1},
    {.key = NDP_DICT_UNICODE,
     .initial = 100,
     .rounds = 2,
     .thread_count = 1,
     .threads = {{.blocks = {{NDP_DICT_OP_DELETE, 0, 50}, {NDP_DICT_OP_READ, 25, 50}, {NDP_DICT_OP_ITERATE, 0, 0}},
                  .block_count = 3}}},
    {.key = NDP_DICT_TUPLE,
     .initial = 60,
     .rounds = 4,
     .thread_count = 3,
     .threads = {{.blocks = {{NDP_DICT_OP_SET, 0, 200}, {NDP_DICT_OP_DELETE, 100, 50}}, .block_count = 2},
                 {.blocks = {{NDP_DICT_OP_SET, 50, 200}, {NDP_DICT_OP_ITERATE, 0, 0}}, .block_count = 2},
                 {.blocks = {{NDP_DICT_OP_DELETE, 0, 300}, {NDP_DICT_OP_READ, 0, 300}}, .block_count = 2}}},
    {.key = NDP_DICT_FLOAT64,
     .item = NDP_DICT_FLOAT64,
     .initial = 10,
     .rounds = 2,
     .thread_count = 2,
     .threads = {{.blocks = {{NDP_DICT_OP_SET, 0, 700}}, .block_count = 1},
                 {.blocks = {{NDP_DICT_OP_READ, 0, 700}}, .block_count = 1}}},
    {.item = NDP_DICT_ARRAY,
     .initial = 10,
     .rounds = 2,
     .thread_count = 2,
     .threads = {{.blocks = {{NDP_DICT_OP_SET, 0, 30}}, .block_count = 1},
                 {.blocks = {{NDP_DICT_OP_READ, 0, 30}}, .block_count = 1}}},
};

static void the_locked_dict_is_allowed(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(schedules); i++) {
        struct ndp_dict_observation seen;
        struct ndp_dict_complaint complaint;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_null(ndp_dict_invalid_reason(&schedules[i]));
        assert_int_equal(ndp_dict_schedule_run(&arena, &ndp_reference_dict, &schedules[i], &seen), NDP_OK);
        assert_int_equal(seen.round_count, schedules[i].rounds);
        for (uint32_t k = 0; k < seen.round_count; k++) {
            if (!ndp_dict_round_is_allowed(&schedules[i], seen.rounds[k], &complaint))
                fail_msg("schedule %u: %s: %s, not %s", (unsigned)i, complaint.path, complaint.got, complaint.expected);
        }
    }
}

/* With one thread, the numbers are known. */
static void operations_are_counted(void **state) {
    struct ndp_dict_observation seen;
    static const int64_t expected[] = {50, 0, 50, 0, 25, 0, 50, 0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_dict_schedule_run(&arena, &ndp_reference_dict, &schedules[1], &seen), NDP_OK);
    assert_int_equal(seen.rounds[1].size_bytes, 8 * (8 + 2 * 50));
    for (size_t i = 0; i < NDP_ARRAY_LEN(expected); i++)
        assert_int_equal((int64_t)ndp_load_u64le(seen.rounds[1].data + 8 * i), expected[i]);
}

static void *make_none(const char *key_type, const char *item_type) {
    (void)key_type;
    (void)item_type;
    return NULL;
}

static void a_missing_dict_is_unsupported(void **state) {
    struct ndp_dict_observation seen;
    const struct ndp_plugin_dict none = {.format = "dict", .entry = "none", .make = make_none};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_dict_schedule_run(&arena, &none, &schedules[0], &seen), NDP_UNSUPPORTED);
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_dict_schedule_run(&arena, &ndp_reference_dict, &schedules[0], &seen), NDP_NOMEM);
}

NDP_SUITE(dict_schedule_test, NDP_TEST(the_locked_dict_is_allowed), NDP_TEST(operations_are_counted),
          NDP_TEST(a_missing_dict_is_unsupported));
