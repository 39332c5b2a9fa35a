/* dict_json_test.c: conversion of dict schedules from and to JSON (describe/dict_json.h, model/dict.h). */
#include "base/suite.h"
#include "describe/dict_json.h"
#include "describe/json_fixture.h"
#include "describe/value_json.h"

enum { ARENA_BYTES = 1 << 20 };

static enum ndp_status read_dict(struct ndp_arena *arena, const char *text, struct ndp_value *out,
                                 struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits, .error = error};
    cJSON *tree = NULL;
    enum ndp_status status = ndp_json_parse(ndp_json_quoted(arena, text), &ndp_describe_default_limits, &tree, error);
    assert_int_equal(status, NDP_OK);
    status = ndp_value_read_json(&reader, tree, out);
    if (status != NDP_OK) ndp_json_locate(&reader, tree, (struct ndp_bytes){NULL, 0});
    cJSON_Delete(tree);
    return status;
}

#define DICT(members)          "{'dict':{" members "}}"
#define WHOLE(key, item, rest) "'key':'" key "','item':'" item "'," rest
#define SMALL(initial, rounds, work)                                                                                   \
    WHOLE("int64", "int64", "'initial':" initial ",'rounds':" rounds ",'threads':" work)
#define THREADS(work) DICT("'threads':" work)
#define EIGHT         "[],[],[],[],[],[],[],[]"
#define READ          "['read',0,1]"

/* Missing members get the smallest value. Every limit is inclusive. */
static void schedules_are_read_and_printed_with_all_members(void **state) {
    static const struct {
        const char *text, *whole;
    } rows[] = {
        {DICT(""), DICT(SMALL("0", "1", "[[]]"))},
        {DICT("'rounds':32,'initial':16384"), DICT(SMALL("16384", "32", "[[]]"))},
        {DICT("'key':'tuple'"), DICT(WHOLE("tuple", "int64", "'initial':0,'rounds':1,'threads':[[]]"))},
        {THREADS("[" EIGHT "]"), DICT(SMALL("0", "1", "[" EIGHT "]"))},
        {THREADS("[[" READ "," READ "," READ "," READ "]]"),
         DICT(SMALL("0", "1", "[[" READ "," READ "," READ "," READ "]]"))},
        {THREADS("[[['set',100,50],['read',0,100]],[['delete',16384,0],['iterate',0,16384]]]"),
         DICT(SMALL("0", "1", "[[['set',100,50],['read',0,100]],[['delete',16384,0],['iterate',0,16384]]]"))},
        {DICT("'key':'unicode','item':'array'"),
         DICT(WHOLE("unicode", "array", "'initial':0,'rounds':1,'threads':[[]]"))},
        {DICT("'key':'float64','item':'float64'"),
         DICT(WHOLE("float64", "float64", "'initial':0,'rounds':1,'threads':[[]]"))},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_value value;
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (read_dict(&arena, rows[i].text, &value, &error) != NDP_OK) fail_msg("%s: %s", rows[i].text, error.text);
        assert_int_equal(value.kind, NDP_VALUE_DICT);
        ndp_json_check_text(ndp_value_to_json(&value, true), rows[i].whole);
        if (read_dict(&arena, rows[i].whole, &value, &error) != NDP_OK) fail_msg("%s: %s", rows[i].text, error.text);
        ndp_json_check_text(ndp_value_to_json(&value, true), rows[i].whole);
    }
}

static void words_and_numbers_are_in_their_places(void **state) {
    struct ndp_value value;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(
        read_dict(&arena,
                  DICT(WHOLE("unicode", "array", "'initial':7,'rounds':9,'threads':[[],[['set',1,2],['delete',3,4]]]")),
                  &value, NULL),
        NDP_OK);
    const struct ndp_dict_value *dict = value.dict;
    assert_int_equal(dict->key, NDP_DICT_UNICODE);
    assert_int_equal(dict->item, NDP_DICT_ARRAY);
    assert_int_equal(dict->initial, 7);
    assert_int_equal(dict->rounds, 9);
    assert_int_equal(dict->thread_count, 2);
    assert_int_equal(dict->threads[0].block_count, 0);
    assert_int_equal(dict->threads[1].block_count, 2);
    assert_int_equal(dict->threads[1].blocks[0].op, NDP_DICT_OP_SET);
    assert_int_equal(dict->threads[1].blocks[0].first, 1);
    assert_int_equal(dict->threads[1].blocks[0].count, 2);
    assert_int_equal(dict->threads[1].blocks[1].op, NDP_DICT_OP_DELETE);
    assert_int_equal(dict->threads[1].blocks[1].first, 3);
    assert_int_equal(dict->threads[1].blocks[1].count, 4);
}

static void errors_are_reported_with_their_pointer(void **state) {
    static const struct {
        const char *text, *path;
    } rows[] = {
        {"{'dict':[]}", "/dict"},
        {"{'dict':null}", "/dict"},
        {"{'dict':{},'array':{}}", "/dict"},
        {"{'array':{},'dict':{}}", "/dict"},
        {DICT("'keys':'int64'"), "/dict/keys"},
        {DICT("'key':'int64','key':'int64'"), "/dict/key"},
        {DICT("'key':'int32'"), "/dict/key"},
        {DICT("'key':1"), "/dict/key"},
        {DICT("'key':null"), "/dict/key"},
        {DICT("'item':'INT64'"), "/dict/item"},
        {DICT("'key':'array'"), "/dict"}, /* an item only */
        {DICT("'item':'unicode'"), "/dict"},
        {DICT("'item':'tuple'"), "/dict"},
        {DICT("'initial':16385"), "/dict/initial"},
        {DICT("'initial':-1"), "/dict/initial"},
        {DICT("'initial':1.5"), "/dict/initial"},
        {DICT("'initial':'4294967296'"), "/dict/initial"},
        {DICT("'rounds':0"), "/dict"},
        {DICT("'rounds':33"), "/dict"},
        {DICT("'rounds':[1]"), "/dict/rounds"},
        {THREADS("{}"), "/dict/threads"},
        {THREADS("[]"), "/dict"},
        {THREADS("[" EIGHT ",[]]"), "/dict/threads"},
        {THREADS("[[],{}]"), "/dict/threads/1"},
        {THREADS("[[" READ "," READ "," READ "," READ "," READ "]]"), "/dict/threads/0"},
        {THREADS("[[" READ ",{}]]"), "/dict/threads/0/1"},
        {THREADS("[[['read',0]]]"), "/dict/threads/0/0"},
        {THREADS("[[['read',0,1,2]]]"), "/dict/threads/0/0"},
        {THREADS("[[['write',0,1]]]"), "/dict/threads/0/0/0"},
        {THREADS("[[[0,0,1]]]"), "/dict/threads/0/0/0"},
        {THREADS("[[['read',16385,0]]]"), "/dict/threads/0/0/1"},
        {THREADS("[[['read','x',0]]]"), "/dict/threads/0/0/1"},
        {THREADS("[[['read',0,16385]]]"), "/dict/threads/0/0/2"},
        {THREADS("[[['read',1,16384]]]"), "/dict"}, /* one key too many */
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {.path = ""};
        struct ndp_value value = {.kind = NDP_VALUE_GRAPH};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const enum ndp_status status = read_dict(&arena, rows[i].text, &value, &error);
        if (status != NDP_INVALID || strcmp(error.path, rows[i].path) != 0)
            fail_msg("%s: %s at %s: %s", rows[i].text, ndp_status_name(status), error.path, error.text);
        if (error.text[0] == '\0') fail_msg("%s: no reason", rows[i].text);
        assert_int_equal(value.kind, NDP_VALUE_GRAPH);
    }
}

static cJSON *make_tree(const void *value) {
    return ndp_dict_to_json(value);
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_value value;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(read_dict(&arena, THREADS("[[['set',1,2]],[" READ "]]"), &value, NULL), NDP_OK);
    ndp_json_starve(make_tree, value.dict, 20);
    const struct ndp_dict_value *out = NULL;
    struct ndp_json_reader reader = {.arena = &arena, .limits = &ndp_describe_default_limits};
    cJSON *tree = cJSON_CreateObject();
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_dict_read_json(&reader, tree, &out), NDP_NOMEM);
    assert_null(out);
    cJSON_Delete(tree);
}

NDP_SUITE(dict_json_test, NDP_TEST(schedules_are_read_and_printed_with_all_members),
          NDP_TEST(words_and_numbers_are_in_their_places), NDP_TEST(errors_are_reported_with_their_pointer),
          NDP_TEST(every_failing_allocation_is_reported));
