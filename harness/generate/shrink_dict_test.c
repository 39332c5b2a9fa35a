/* shrink_dict_test.c: simpler neighbours of a schedule are valid, smaller, and ordered from the boldest. */
#include "base/suite.h"
#include "generate/generate.h"
#include "generate/shrink_fixture.h"
#include "model/dict.h"

#define DICT(key, item, initial, rounds, threads)                                                                      \
    "{'ndproof':1,'value':{'dict':{'key':'" key "','item':'" item "','initial':" initial ",'rounds':" rounds           \
    ",'threads':[" threads "]}}}"
#define INTS(initial, rounds, threads) DICT("int64", "int64", initial, rounds, threads)

/* All neighbours, in order. */
static const struct ndp_shrink_row rows[] = {
    /* four threads, two threads, simpler types, fewer keys in three steps, none; then each thread */
    {DICT("unicode", "float64", "8", "4", "[],[],[],[['read',8,8]],[],[]"),
     {DICT("unicode", "float64", "8", "4", "[],[]"), DICT("unicode", "float64", "8", "4", "[],[],[],[['read',8,8]]"),
      INTS("8", "4", "[],[],[],[['read',8,8]],[],[]"),
      DICT("unicode", "float64", "2", "4", "[],[],[],[['read',2,2]],[],[]"),
      DICT("unicode", "float64", "4", "4", "[],[],[],[['read',4,4]],[],[]"),
      DICT("unicode", "float64", "6", "4", "[],[],[],[['read',6,6]],[],[]"),
      DICT("unicode", "float64", "0", "4", "[],[],[],[['read',8,8]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[['read',8,8]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[['read',8,8]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[['read',8,8]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[['read',8,8]],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[['read',8,8]],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[['read',0,8]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[['read',8,4]],[],[]"),
      DICT("unicode", "float64", "8", "4", "[],[],[],[['set',8,8]],[],[]"),
      DICT("unicode", "float64", "8", "2", "[],[],[],[['read',8,8]],[],[]")},
     NDP_ALL_OTHERS},
    /* each block: removed, from the first key, half as many, the simplest operation; rounds last */
    {INTS("0", "3", "[['set',0,1],['delete',5,2]],[['iterate',0,0]]"),
     {INTS("0", "3", "[['set',0,0],['delete',1,0]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,0],['delete',2,1]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,0],['delete',3,2]],[['iterate',0,0]]"), INTS("0", "3", "[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,1],['delete',5,2]]"), INTS("0", "3", "[['delete',5,2]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,0],['delete',5,2]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,1]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,1],['delete',0,2]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,1],['delete',5,1]],[['iterate',0,0]]"),
      INTS("0", "3", "[['set',0,1],['set',5,2]],[['iterate',0,0]]"), INTS("0", "3", "[['set',0,1],['delete',5,2]],[]"),
      INTS("0", "3", "[['set',0,1],['delete',5,2]],[['set',0,0]]"),
      INTS("0", "1", "[['set',0,1],['delete',5,2]],[['iterate',0,0]]")},
     NDP_ALL_OTHERS},
    {INTS("0", "1", "[]"), {NULL}, NDP_ALL_OTHERS},
    {INTS("1", "1", "[]"),
     {INTS("0", "1", "[]"), INTS("0", "1", "[]"), INTS("0", "1", "[]"), INTS("0", "1", "[]")},
     NDP_ALL_OTHERS},
};

static void neighbours_are_ordered_boldest_first(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor from, out;
        size_t come = 0;
        bool is_done = false;
        NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
        ndp_shrink_read(&arena, rows[i].from, &from);
        for (uint32_t step = 0; !is_done; step++) {
            assert_int_equal(ndp_shrink_step(&arena, &from, step, &out, &is_done), NDP_OK);
            if (is_done) break;
            assert_null(ndp_dict_invalid_reason(out.value.dict));
            come = ndp_shrink_take(&arena, &rows[i], come, ndp_shrink_print(&arena, &out));
        }
        if (rows[i].candidates[come] != NULL)
            fail_msg("%s: candidate %s is missing", rows[i].from, rows[i].candidates[come]);
        assert_true(ndp_bytes_is_equal(ndp_shrink_print(&arena, &from), ndp_json_quoted(&arena, rows[i].from)));
    }
}

/* Every sequence of steps ends with one thread that does nothing. */
static void every_sequence_of_steps_ends(void **state) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct ndp_choices choices;
        struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
        bool is_done = false;
        uint32_t taken = 0;
        NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_dict(&arena, &choices, &descriptor.value), NDP_OK);
        while (!is_done) {
            struct ndp_descriptor next;
            const uint32_t step = taken % 3; /* not always the boldest */
            assert_int_equal(ndp_shrink_step(&arena, &descriptor, step, &next, &is_done), NDP_OK);
            if (is_done && step > 0) assert_int_equal(ndp_shrink_step(&arena, &descriptor, 0, &next, &is_done), NDP_OK);
            if (!is_done) descriptor = next;
            assert_true(++taken < 10000);
        }
        assert_true(
            ndp_bytes_is_equal(ndp_shrink_print(&arena, &descriptor), ndp_json_quoted(&arena, INTS("0", "1", "[]"))));
    }
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_descriptor from, out = {.kind = NDP_CASE_DECODE};
    bool is_done = true;
    NDP_ARENA_SCOPED(arena, NDP_SHRINK_ARENA_BYTES);
    ndp_shrink_read(&arena, rows[0].from, &from);
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_shrink_step(&arena, &from, 0, &out, &is_done), NDP_NOMEM);
    assert_int_equal(out.kind, NDP_CASE_DECODE);
    assert_true(is_done);
}

NDP_SUITE(shrink_dict_test, NDP_TEST(neighbours_are_ordered_boldest_first), NDP_TEST(every_sequence_of_steps_ends),
          NDP_TEST(every_failing_allocation_is_reported));
