#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_concurrency;

/* Two threads; the first sets keys 1 and 2, the second deletes key 0 and reads keys 0 and 1. */
static const struct ndp_dict_value racing = {
    .initial = 1,
    .rounds = 1,
    .thread_count = 2,
    .threads = {{.blocks = {{NDP_DICT_OP_SET, 1, 2}}, .block_count = 1},
                {.blocks = {{NDP_DICT_OP_DELETE, 0, 1}, {NDP_DICT_OP_READ, 0, 2}}, .block_count = 2}}};

/* One thread sets key 0 twice. */
static const struct ndp_dict_value alone = {
    .rounds = 1,
    .thread_count = 1,
    .threads = {{.blocks = {{NDP_DICT_OP_SET, 0, 1}, {NDP_DICT_OP_SET, 0, 1}}, .block_count = 2}}};

/* Written by hand after model/dict.h: length, errors, found and foreign of each block, entries. */
static const struct {
    const struct ndp_dict_value *value;
    const char *name;
    int64_t numbers[16];
    uint32_t count;
    bool is_allowed;
} rows[] = {
    {&racing, "all done", {2, 0, 0, 0, 1, 0, 0, 0, 1, 64 + 1, 2, 128 + 1}, 12, true},
    {&racing, "key 1 was read", {2, 0, 0, 0, 1, 0, 1, 0, 1, 64 + 1, 2, 128 + 1}, 12, true},
    {&racing, "a key that was deleted is read", {2, 0, 0, 0, 1, 0, 2, 0, 1, 64 + 1, 2, 128 + 1}, 12, false},
    {&racing, "a key is lost", {1, 0, 0, 0, 1, 0, 0, 0, 1, 64 + 1}, 10, false},
    {&racing, "a length of its own", {3, 0, 0, 0, 1, 0, 0, 0, 1, 64 + 1, 2, 128 + 1}, 12, false},
    {&racing, "a key twice", {2, 0, 0, 0, 1, 0, 0, 0, 1, 64 + 1, 1, 64 + 1}, 12, false},
    {&racing, "another key's item", {2, 0, 0, 0, 1, 0, 0, 0, 1, 128 + 1, 2, 128 + 1}, 12, false},
    {&racing, "a foreign read", {2, 0, 0, 0, 1, 0, 0, 1, 1, 64 + 1, 2, 128 + 1}, 12, false},
    {&racing, "an error", {2, 1, 0, 0, 1, 0, 0, 0, 1, 64 + 1, 2, 128 + 1}, 12, false},
    {&racing, "cut", {2, 0, 0, 0}, 4, false},
    {&alone, "the last item", {1, 0, 0, 0, 0, 0, 0, 2}, 8, true},
    {&alone, "an item that was overwritten", {1, 0, 0, 0, 0, 0, 0, 1}, 8, false},
};

static void judge_row(size_t i, struct fixture *f) {
    static uint8_t bytes[16 * 8];
    static struct ndp_dict_observation seen;
    for (uint32_t k = 0; k < rows[i].count; k++)
        for (uint32_t b = 0; b < 8; b++) bytes[k * 8 + b] = (uint8_t)((uint64_t)rows[i].numbers[k] >> (8 * b));
    seen.rounds[0] = (struct ndp_bytes){bytes, rows[i].count * 8};
    seen.round_count = 1;
    fixture_init(f, "<f8", "typed.Dict", "threads", "threads", 0);
    f->descriptor.value = (struct ndp_value){.kind = NDP_VALUE_DICT, .dict = rows[i].value};
    f->outcome.slots[NDP_SLOT_RESULT] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .dict = &seen};
    f->trial = (struct ndp_trial){.descriptor = &f->descriptor,
                                  .features = ndp_dict_features(rows[i].value),
                                  .route = &f->route,
                                  .encoder = &f->target,
                                  .decoder = &f->target,
                                  .encoded = &f->outcome,
                                  .decoded = &f->outcome,
                                  .arena = &f->arena};
    ndp_property_concurrency.judge(&f->trial, &f->judgement);
}

static void only_results_of_some_order_are_allowed(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fixture f;
        judge_row(i, &f);
        enum ndp_verdict verdict = rows[i].is_allowed ? NDP_VERDICT_PASS : NDP_VERDICT_DIVERGES;
        if (f.judgement.verdict != verdict) print_error("%s\n", rows[i].name);
        assert_int_equal(f.judgement.verdict, verdict);
        if (!rows[i].is_allowed) {
            bool is_racing = rows[i].value == &racing;
            assert_int_equal(f.judgement.severity, is_racing ? NDP_SEVERITY_HAZARD : NDP_SEVERITY_DEFECT);
        }
        fixture_clear(&f);
    }
}

static void separate_keys_do_not_race(void **state) {
    struct ndp_dict_value value = {.initial = 2, .rounds = 1, .thread_count = 2};
    value.threads[0] = (struct ndp_dict_thread){.blocks = {{NDP_DICT_OP_SET, 0, 1}}, .block_count = 1};
    value.threads[1] = (struct ndp_dict_thread){.blocks = {{NDP_DICT_OP_SET, 1, 1}}, .block_count = 1};
    assert_int_equal(ndp_dict_features(&value), 0);
    value.threads[1].blocks[0].first = 0;
    assert_int_equal(ndp_dict_features(&value), NDP_DICT_RACES);
    value.threads[1].blocks[0].first = 2;
    assert_int_equal(ndp_dict_features(&value), NDP_DICT_RACES);
    value.threads[1].blocks[0] = (struct ndp_dict_block){NDP_DICT_OP_ITERATE, 0, 0};
    assert_int_equal(ndp_dict_features(&value), NDP_DICT_RACES);
    value.threads[0].blocks[0].op = NDP_DICT_OP_READ;
    assert_int_equal(ndp_dict_features(&value), 0);
}

NDP_SUITE(property_concurrency_test, NDP_TEST(only_results_of_some_order_are_allowed),
          NDP_TEST(separate_keys_do_not_race));
