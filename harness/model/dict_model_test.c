/* dict_model_test.c: the allowed results of schedules. Expected values were derived by hand from the rule in
 * model/dict.h. */
#include "base/byteorder.h"
#include "base/suite.h"
#include "model/dict.h"

#define BLOCK(name, from, number)                                                                                      \
    { .op = NDP_DICT_OP_##name, .first = (from), .count = (number) }

/* Keys 0 and 1 exist. Thread 0 sets 0 to 2, then reads 0 to 3; thread 1 deletes 1. */
static const struct ndp_dict_value racing = {
    .initial = 2,
    .rounds = 1,
    .thread_count = 2,
    .threads = {{{BLOCK(SET, 0, 3), BLOCK(READ, 0, 4)}, 2}, {{BLOCK(DELETE, 1, 1)}, 1}}};

enum { NUMBERS_MAX = 16 };

/* A round as numbers: length, errors, found and foreign of each block, key and item of each entry. */
static bool is_allowed(const struct ndp_dict_value *value, const int64_t *numbers, uint64_t count,
                       struct ndp_dict_complaint *complaint) {
    uint8_t bytes[8 * NUMBERS_MAX];
    for (uint64_t i = 0; i < count; i++) ndp_store_u64le(bytes + 8 * i, (uint64_t)numbers[i]);
    return ndp_dict_round_is_allowed(value, (struct ndp_bytes){bytes, 8 * count}, complaint);
}

#define ITEM(key, writer) ((key)*NDP_DICT_WRITERS + (writer))

/* Writer 1 is the first block of thread 0. Key 1 ends as set or as deleted. */
static void rounds_that_some_order_explains_are_allowed(void **state) {
    static const struct {
        uint64_t count;
        int64_t numbers[NUMBERS_MAX];
        const char *path; /* NULL: allowed */
    } rows[] = {
        {14, {3, 0, 3, 0, 3, 0, 1, 0, 0, ITEM(0, 1), 1, ITEM(1, 1), 2, ITEM(2, 1)}, NULL},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 2, ITEM(2, 1), 0, ITEM(0, 1)}, NULL},
        {12, {2, 0, 0, 0, 3, 0, 0, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, NULL},
        {0, {0}, "numbers"},
        {7, {0}, "numbers"},
        {6, {0}, "numbers"},
        {12, {2, 1, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "errors"},
        {12, {3, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "length"},
        {12, {2, 0, 3, 1, 2, 0, 1, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "threads[0][0].foreign"},
        {12, {2, 0, 3, 0, 2, 0, 1, -1, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "threads[1][0].foreign"},
        {12, {2, 0, 3, 0, 1, 0, 1, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "threads[0][1].found"},
        {12, {2, 0, 3, 0, 4, 0, 1, 0, 0, ITEM(0, 1), 2, ITEM(2, 1)}, "threads[0][1].found"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 0), 2, ITEM(2, 1)}, "keys[0]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(1, 1), 2, ITEM(2, 1)}, "keys[0]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, -1, 2, ITEM(2, 1)}, "keys[0]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 0, ITEM(0, 1)}, "keys[0]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 4, ITEM(4, 1)}, "keys[4]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), -1, 5}, "keys[-1]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 1, ITEM(1, 1)}, "keys[2]"},
        /* Items that are not of the key. */
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, ITEM(0, 1), 2, INT64_MIN}, "keys[2]"},
        {12, {2, 0, 3, 0, 2, 0, 1, 0, 0, INT64_MAX, 2, ITEM(2, 1)}, "keys[0]"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_dict_complaint complaint = {.path = ""};
        const bool allowed = is_allowed(&racing, rows[i].numbers, rows[i].count, &complaint);
        if (allowed != (rows[i].path == NULL)) fail_msg("row %zu: %s", i, complaint.path);
        if (!allowed && strcmp(complaint.path, rows[i].path) != 0) fail_msg("row %zu: at %s", i, complaint.path);
        if (!allowed) assert_true(complaint.expected[0] != '\0' && complaint.got[0] != '\0');
    }
}

/* An iteration finds everything that its own thread has left, and possibly changes of other threads. */
static void iterations_find_all_undisturbed_keys(void **state) {
    static const struct ndp_dict_value value = {.initial = 2,
                                                .rounds = 1,
                                                .thread_count = 2,
                                                .threads = {{{BLOCK(ITERATE, 9, 9)}, 1}, {{BLOCK(SET, 2, 1)}, 1}}};
    for (int64_t found = 0; found < 6; found++) {
        const int64_t numbers[] = {3, 0, found, 0, 0, 0, 0, ITEM(0, 0), 1, ITEM(1, 0), 2, ITEM(2, 5)};
        struct ndp_dict_complaint complaint;
        assert_int_equal(is_allowed(&value, numbers, NDP_ARRAY_LEN(numbers), &complaint), found == 2 || found == 3);
        if (found == 5) assert_string_equal(complaint.expected, "2 to 3");
        if (found == 5) assert_string_equal(complaint.got, "5");
    }
    assert_int_equal(ndp_dict_writer(1, 0), 5);
}

/* A thread sees its own earlier blocks, and no later ones. */
static void a_thread_sees_its_own_blocks_in_order(void **state) {
    static const struct ndp_dict_value value = {
        .initial = 1,
        .rounds = 1,
        .thread_count = 1,
        .threads = {{{BLOCK(READ, 0, 1), BLOCK(DELETE, 0, 1), BLOCK(READ, 0, 1)}, 3}}};
    for (int64_t i = 0; i < 4; i++) {
        const int64_t numbers[] = {0, 0, i % 2, 0, 1, 0, i / 2, 0};
        struct ndp_dict_complaint complaint;
        assert_int_equal(is_allowed(&value, numbers, NDP_ARRAY_LEN(numbers), &complaint), i == 1);
    }
}

/* Only assigning to existing keys that no other thread uses is free of races. */
static void races_are_detected(void **state) {
    static const struct {
        struct ndp_dict_block mine;
        struct ndp_dict_block other;
        uint32_t features;
    } rows[] = {
        {BLOCK(READ, 0, 9), BLOCK(READ, 0, 9), 0},
        {BLOCK(READ, 0, 9), BLOCK(ITERATE, 0, 0), 0},
        {BLOCK(SET, 0, 2), BLOCK(READ, 2, 2), 0},
        {BLOCK(SET, 0, 2), BLOCK(SET, 2, 2), 0},
        {BLOCK(SET, 0, 3), BLOCK(READ, 2, 2), NDP_DICT_RACES},
        {BLOCK(SET, 0, 2), BLOCK(ITERATE, 0, 0), NDP_DICT_RACES},
        {BLOCK(SET, 3, 2), BLOCK(READ, 0, 1), NDP_DICT_RACES}, /* key 4 is new */
        {BLOCK(DELETE, 3, 1), BLOCK(READ, 0, 1), NDP_DICT_RACES},
        {BLOCK(DELETE, 3, 0), BLOCK(READ, 0, 1), 0},
        {BLOCK(DELETE, 3, 1), BLOCK(READ, 0, 0), 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (int turned = 0; turned < 2; turned++) {
            struct ndp_dict_value value = {.initial = 4, .rounds = 1, .thread_count = 2};
            value.threads[turned] = (struct ndp_dict_thread){{rows[i].mine}, 1};
            value.threads[1 - turned] = (struct ndp_dict_thread){{rows[i].other}, 1};
            if (ndp_dict_features(&value) != rows[i].features) fail_msg("row %zu", i);
        }
        const struct ndp_dict_value alone = {
            .initial = 4, .rounds = 1, .thread_count = 1, .threads = {{{rows[i].mine, rows[i].other}, 2}}};
        assert_int_equal(ndp_dict_features(&alone), 0);
    }
}

static void numbers_and_types_are_within_their_limits(void **state) {
    struct ndp_dict_value value = racing;
    assert_null(ndp_dict_invalid_reason(&value));
    assert_int_equal(ndp_dict_key_count(&value), 4);
    value.threads[1].blocks[0] = (struct ndp_dict_block)BLOCK(ITERATE, 100, 100);
    assert_int_equal(ndp_dict_key_count(&value), 4);
    for (int i = 0; i < 12; i++) {
        value = racing;
        if (i == 0) value.key = NDP_DICT_ARRAY;
        if (i == 1) value.key = NDP_DICT_TYPE_COUNT;
        if (i == 2) value.item = NDP_DICT_UNICODE;
        if (i == 3) value.item = NDP_DICT_TUPLE;
        if (i == 4) value.initial = NDP_DICT_MAX_KEYS + 1;
        if (i == 5) value.rounds = 0;
        if (i == 6) value.rounds = NDP_DICT_MAX_ROUNDS + 1;
        if (i == 7) value.thread_count = 0;
        if (i == 8) value.thread_count = NDP_DICT_MAX_THREADS + 1;
        if (i == 9) value.threads[1].block_count = NDP_DICT_MAX_BLOCKS + 1;
        if (i == 10) value.threads[1].blocks[0].count = NDP_DICT_MAX_KEYS;
        if (i == 11) value.threads[1].blocks[0].first = UINT32_MAX;
        if (ndp_dict_invalid_reason(&value) == NULL) fail_msg("row %d", i);
    }
    value = racing;
    value.threads[1].blocks[0].count = NDP_DICT_MAX_KEYS - 1;
    assert_null(ndp_dict_invalid_reason(&value));
    assert_string_equal(ndp_dict_type_word(NDP_DICT_TUPLE), "tuple");
    assert_string_equal(ndp_dict_op_word(NDP_DICT_OP_ITERATE), "iterate");
}

NDP_SUITE(dict_model_test, NDP_TEST(rounds_that_some_order_explains_are_allowed),
          NDP_TEST(iterations_find_all_undisturbed_keys), NDP_TEST(a_thread_sees_its_own_blocks_in_order),
          NDP_TEST(races_are_detected), NDP_TEST(numbers_and_types_are_within_their_limits));
