#include "base/suite.h"
#include "generate/generate.h"
#include "model/dict.h"

enum { ARENA_BYTES = 1 << 16, SEEDS = 4000 };

/* Each schedule can be run and has an int64 type. Racing and non-racing ones occur, with every operation and every
 * number of threads. */
static void schedules_can_be_run_and_differ(void **state) {
    uint32_t threads[NDP_DICT_MAX_THREADS + 1] = {0};
    uint32_t ops[NDP_DICT_OP_COUNT] = {0};
    uint32_t types[NDP_DICT_TYPE_COUNT] = {0};
    uint32_t racing = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_choices choices;
        struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_dict(&arena, &choices, &value), NDP_OK);
        assert_int_equal(value.kind, NDP_VALUE_DICT);
        const char *fault = ndp_dict_invalid_reason(value.dict);
        if (fault != NULL) fail_msg("seed %u: %s", (unsigned)seed, fault);
        assert_true(value.dict->key == NDP_DICT_INT64 || value.dict->item == NDP_DICT_INT64);
        threads[value.dict->thread_count]++;
        types[value.dict->key]++;
        types[value.dict->item]++;
        racing += ndp_dict_features(value.dict) != 0;
        for (uint32_t t = 0; t < value.dict->thread_count; t++) {
            const struct ndp_dict_thread *thread = &value.dict->threads[t];
            for (uint32_t b = 0; b < thread->block_count; b++) ops[thread->blocks[b].op]++;
        }
    }
    for (uint32_t i = 1; i <= NDP_DICT_MAX_THREADS; i++) assert_true(threads[i] > 0);
    for (uint32_t i = 0; i < NDP_DICT_OP_COUNT; i++) assert_true(ops[i] > 0);
    for (uint32_t i = 0; i < NDP_DICT_TYPE_COUNT; i++) assert_true(types[i] > 0);
    assert_in_range(racing, SEEDS / 10, SEEDS * 9 / 10);
}

/* generate/generate.h: exhausted input reads as zeros, and a zero is the simplest choice. */
static void empty_input_gives_one_thread_and_no_race(void **state) {
    struct ndp_choices choices;
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_dict(&arena, &choices, &value), NDP_OK);
    assert_int_equal(value.dict->thread_count, 1);
    assert_int_equal(value.dict->initial, 0);
    assert_int_equal(value.dict->key, NDP_DICT_INT64);
    assert_int_equal(value.dict->item, NDP_DICT_INT64);
    assert_int_equal(ndp_dict_features(value.dict), 0);
    ndp_arena_clear(&arena);
    ndp_arena_fail_at(&arena, 1);
    value.kind = NDP_VALUE_ARRAY;
    assert_int_equal(ndp_generate_dict(&arena, &choices, &value), NDP_NOMEM);
    assert_int_equal(value.kind, NDP_VALUE_ARRAY);
}

NDP_SUITE(generate_dict_test, NDP_TEST(schedules_can_be_run_and_differ),
          NDP_TEST(empty_input_gives_one_thread_and_no_race));
