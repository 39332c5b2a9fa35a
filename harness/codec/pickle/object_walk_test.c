#include "base/suite.h"
#include "codec/pickle/object_walk.h"

#include "codec/pickle/pickle_reading.h"

struct seen {
    uint32_t count;
    uint32_t earlier[32]; /* of each object that was visited */
    uint32_t stop_after;
};

/* A ndp_object_visit. */
static enum ndp_status see(void *context, struct ndp_object *object, uint32_t earlier) {
    struct seen *seen = context;
    assert_non_null(object);
    assert_true(seen->count < NDP_ARRAY_LEN(seen->earlier));
    seen->earlier[seen->count++] = earlier;
    return seen->count == seen->stop_after ? NDP_LIMIT : NDP_OK;
}

/* What stands on the left leads to so many objects, itself and the empty tuple included. */
static const struct {
    struct ndp_bytes pickle;
    uint32_t count;
} rows[] = {
    {BYTES("N."), 1},
    {BYTES("](I1\nI2\ne."), 3},
    {BYTES("]p0\ng0\na."), 1}, /* a list that holds itself */
    {BYTES("(I1\nI2\nd."), 3},
    {BYTES("cm\nC\n."), 1},
    {BYTES("cm\nC\n(I1\ntR(dI2\nI3\nsb."), 7}, /* object, class, tuple, 1, dict, 2, 3 */
    {BYTES("\x80\x04\x8c\x01m\x8c\x01"
           "C\x93)}\x8c\x01"
           "aK\x01s\x92."),
     6},
    {BYTES("\x80\x04\x8f(K\x01K\x02\x90."), 3},
};

static void everything_is_met_once(void **state) {
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct reading reading;
        struct ndp_object_marks marks;
        struct seen first = {.count = 0}, second = {.count = 0}, again = {.count = 0};
        reading_start(&reading, rows[i].pickle, NULL);
        assert_int_equal(reading.status, NDP_OK);
        const struct ndp_object *root = reading.pickle.root;
        assert_int_equal(ndp_object_marks_new(&reading.objects, &marks), NDP_OK);
        assert_int_equal(ndp_object_walk(&reading.objects, root, &marks, 5, see, &first), NDP_OK);
        if (first.count != rows[i].count) fail_msg("row %zu: %u objects", i, first.count);
        for (uint32_t k = 0; k < first.count; k++) assert_int_equal(first.earlier[k], 0);
        assert_int_equal(ndp_object_walk(&reading.objects, root, &marks, 5, see, &again), NDP_OK);
        assert_int_equal(again.count, 0);
        assert_int_equal(ndp_object_walk(&reading.objects, root, &marks, 6, see, &second), NDP_OK);
        assert_int_equal(second.count, first.count);
        for (uint32_t k = 0; k < second.count; k++) assert_int_equal(second.earlier[k], 5);
        reading_end(&reading);
    }
}

static void a_visit_ends_the_walk(void **state) {
    (void)state;
    struct reading reading;
    struct ndp_object_marks marks;
    struct seen seen = {.stop_after = 2};
    reading_start(&reading, rows[1].pickle, NULL);
    assert_int_equal(ndp_object_marks_new(&reading.objects, &marks), NDP_OK);
    assert_int_equal(ndp_object_walk(&reading.objects, reading.pickle.root, &marks, 1, see, &seen), NDP_LIMIT);
    assert_int_equal(seen.count, 2);
    reading_end(&reading);
}

static void lack_of_memory_is_told(void **state) {
    (void)state;
    enum ndp_status status = NDP_NOMEM;
    for (uint64_t call = 1; status == NDP_NOMEM; call++) {
        struct reading reading;
        struct ndp_object_marks marks;
        struct seen seen = {.count = 0};
        reading_start(&reading, rows[5].pickle, NULL);
        ndp_arena_fail_at(&reading.arena, call);
        status = ndp_object_marks_new(&reading.objects, &marks);
        if (status == NDP_OK) status = ndp_object_walk(&reading.objects, reading.pickle.root, &marks, 1, see, &seen);
        assert_true(status == NDP_NOMEM || (status == NDP_OK && call > 2));
        reading_end(&reading);
    }
}

NDP_SUITE(object_walk_test, cmocka_unit_test(everything_is_met_once), cmocka_unit_test(a_visit_ends_the_walk),
          cmocka_unit_test(lack_of_memory_is_told));
