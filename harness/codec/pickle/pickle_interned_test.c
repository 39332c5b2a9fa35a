/* pickle_interned_test.c: lookup of names by their bytes. */
#include "base/suite.h"
#include "codec/pickle/pickle_interned.h"

enum { ARENA_BYTES = 1 << 20, NAMES = 1000 };

/* Distinct names of one to three bytes; the first is empty. */
static struct ndp_bytes name_of(uint8_t (*texts)[3], uint32_t number) {
    for (uint32_t k = 0; k < 3; k++) texts[number][k] = (uint8_t)('a' + number / (k == 0 ? 1 : k == 1 ? 26 : 676) % 26);
    return (struct ndp_bytes){texts[number], number == 0 ? 0 : number < 26 ? 1 : number < 676 ? 2 : 3};
}

static void added_names_are_found(void **state) {
    static uint8_t texts[NAMES][3], copies[NAMES][3];
    static struct ndp_object objects[NAMES];
    struct ndp_pickle_interned names = {.count = 0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    for (uint32_t i = 0; i < NAMES; i++) {
        objects[i] = (struct ndp_object){.kind = NDP_OBJECT_TEXT, .bytes = name_of(texts, i)};
        assert_null(ndp_pickle_interned_find(&names, objects[i].bytes));
        assert_true(ndp_pickle_interned_add(&names, &arena, &objects[i]));
        assert_int_equal(names.count, i + 1);
        for (uint32_t k = 0; k <= i; k += k < i && i - k > 40 ? 7 : 1)
            assert_ptr_equal(ndp_pickle_interned_find(&names, name_of(copies, k)), &objects[k]);
    }
}

static void a_failing_allocation_adds_nothing(void **state) {
    static uint8_t texts[NAMES][3];
    static struct ndp_object objects[NAMES];
    struct ndp_pickle_interned names = {.count = 0};
    NDP_ARENA_SCOPED(arena, 1);
    for (uint32_t i = 0; i <= NDP_FIRST_INTERNED; i++) {
        objects[i] = (struct ndp_object){.kind = NDP_OBJECT_TEXT, .bytes = name_of(texts, i)};
        assert_int_equal(ndp_pickle_interned_add(&names, &arena, &objects[i]), i < NDP_FIRST_INTERNED);
    }
    assert_int_equal(names.count, NDP_FIRST_INTERNED);
    assert_null(ndp_pickle_interned_find(&names, objects[NDP_FIRST_INTERNED].bytes));
    assert_ptr_equal(ndp_pickle_interned_find(&names, objects[0].bytes), &objects[0]);
}

NDP_SUITE(pickle_interned_test, NDP_TEST(added_names_are_found), NDP_TEST(a_failing_allocation_adds_nothing));
