/* pickle_metadata_test.c: metadata as a dict and as JSON text. Expected: RFC 8259, in the form of json.dumps(metadata,
 * separators=(",", ":"), ensure_ascii=False) of CPython 3.11. */
#include "base/suite.h"
#include "codec/pickle/pickle_metadata.h"

#include <math.h>

enum { ARENA_BYTES = 1 << 20 };

struct fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
};

static void set_up(struct fixture *fixture) {
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    ndp_objects_init(&fixture->objects, &fixture->arena);
}

static void add_pair(struct fixture *fixture, struct ndp_object *dict, struct ndp_object *key,
                     struct ndp_object *value) {
    assert_true(ndp_object_append(&fixture->objects, &dict->list, key));
    assert_true(ndp_object_append(&fixture->objects, &dict->list, value));
}

/* {key: value} */
static struct ndp_object *pair(struct fixture *fixture, const char *key, struct ndp_object *value) {
    struct ndp_object *dict = ndp_object_new(&fixture->objects, NDP_OBJECT_DICT);
    add_pair(fixture, dict, ndp_object_text(&fixture->objects, key), value);
    return dict;
}

static void check_text(struct fixture *fixture, const struct ndp_object *object, const char *expected) {
    struct ndp_bytes text = {NULL, 77};
    assert_int_equal(ndp_pickle_metadata_read(&fixture->arena, object, &text), NDP_OK);
    if (!ndp_bytes_is_equal(text, ndp_bytes_view(expected)))
        fail_msg("%.*s, not %s", (int)text.size_bytes, (const char *)text.data, expected);
}

static void dicts_become_json(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_objects *objects = &fixture.objects;
    struct ndp_object *list = ndp_object_new(objects, NDP_OBJECT_LIST);
    check_text(&fixture, ndp_object_none(objects), "");
    check_text(&fixture, ndp_object_new(objects, NDP_OBJECT_DICT), "");
    check_text(&fixture, pair(&fixture, "unit", ndp_object_text(objects, "m/s \"\xc3\xa9\"\n")),
               "{\"unit\":\"m/s \\\"\xc3\xa9\\\"\\n\"}");
    check_text(&fixture, pair(&fixture, "x", ndp_object_bytes(objects, NDP_OBJECT_STRING, ndp_bytes_view("caf\xe9"))),
               "{\"x\":\"caf\xc3\xa9\"}");
    check_text(&fixture, pair(&fixture, "", ndp_object_new(objects, NDP_OBJECT_DICT)), "{\"\":{}}");
    check_text(&fixture, pair(&fixture, "x", ndp_object_int(objects, -(INT64_C(1) << 53))),
               "{\"x\":-9007199254740992}");
    check_text(&fixture, pair(&fixture, "x", ndp_object_float(objects, 0.1)), "{\"x\":0.1}");
    /* A whole real prints as an integer and thus reads back as one. */
    check_text(&fixture, pair(&fixture, "x", ndp_object_float(objects, -1.4473e15)), "{\"x\":-1.4473e+15}");
    check_text(&fixture, pair(&fixture, "x", ndp_object_int(objects, -1447300000000000)), "{\"x\":-1.4473e+15}");
    check_text(&fixture, pair(&fixture, "x", ndp_object_int(objects, INT64_MIN >> 31)), "{\"x\":-4294967296}");
    assert_true(ndp_object_append(objects, &list->list, ndp_object_bool(objects, true)));
    assert_true(ndp_object_append(objects, &list->list, ndp_object_none(objects)));
    struct ndp_object *dict = pair(&fixture, "a", list);
    add_pair(&fixture, dict, ndp_object_text(objects, "b"), pair(&fixture, "c", ndp_object_bool(objects, false)));
    check_text(&fixture, dict, "{\"a\":[true,null],\"b\":{\"c\":false}}");
    add_pair(&fixture, dict, ndp_object_text(objects, "a"), ndp_object_int(objects, 3));
    check_text(&fixture, dict, "{\"a\":3,\"b\":{\"c\":false}}");
    ndp_arena_clear(&fixture.arena);
}

/* In cJSON's escapes, up to the length limit of descriptors. */
static void texts_are_escaped_as_in_descriptors(void **state) {
    static const char letters[] = "a\"\\\x01\x7f/\n";
    static const char *const escaped[] = {"a", "\\\"", "\\\\", "\\u0001", "\x7f", "/", "\\n"};
    char raw[4000] = "";
    struct fixture fixture;
    set_up(&fixture);
    NDP_BUFFER_SCOPED(wanted, 1 << 16);
    assert_int_equal(ndp_buffer_printf(&wanted, "{\"x\":\""), NDP_OK);
    for (size_t i = 0; i + 1 < sizeof(raw); i++) {
        raw[i] = letters[i % NDP_ARRAY_LEN(escaped)];
        assert_int_equal(ndp_buffer_printf(&wanted, "%s", escaped[i % NDP_ARRAY_LEN(escaped)]), NDP_OK);
    }
    assert_int_equal(ndp_buffer_add(&wanted, "\"}", 3), NDP_OK);
    check_text(&fixture, pair(&fixture, "x", ndp_object_text(&fixture.objects, raw)), (const char *)wanted.data);
    ndp_arena_clear(&fixture.arena);
}

static void values_that_json_lacks_are_unsupported(void **state) {
    static uint8_t big[9] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_objects *objects = &fixture.objects;
    struct ndp_object *number_key = ndp_object_new(objects, NDP_OBJECT_DICT);
    add_pair(&fixture, number_key, ndp_object_int(objects, 1), ndp_object_int(objects, 1));
    struct ndp_object *const rows[] = {
        number_key,
        ndp_object_int(objects, 1),
        ndp_object_new(objects, NDP_OBJECT_LIST),
        pair(&fixture, "x", ndp_object_float(objects, NAN)),
        pair(&fixture, "x", ndp_object_float(objects, HUGE_VAL)),
        pair(&fixture, "x", ndp_object_long(objects, (struct ndp_bytes){big, sizeof(big)})),
        pair(&fixture, "x", ndp_object_int(objects, (INT64_C(1) << 53) + 1)),
        pair(&fixture, "x", ndp_object_int(objects, -(INT64_C(1) << 53) - 1)),
        pair(&fixture, "x", ndp_object_tuple(objects, 0, NULL)),
        pair(&fixture, "x", ndp_object_bytes(objects, NDP_OBJECT_BYTES, ndp_bytes_view("b"))),
        pair(&fixture, "x", ndp_object_text(objects, "\xed\xa0\x80")),
        pair(&fixture, "x", ndp_object_bytes(objects, NDP_OBJECT_TEXT, (struct ndp_bytes){(const uint8_t *)"a\0b", 3})),
        pair(&fixture, "\xed\xa0\x80", ndp_object_none(objects)),
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_bytes text = {NULL, 77};
        if (ndp_pickle_metadata_read(&fixture.arena, rows[i], &text) != NDP_UNSUPPORTED) fail_msg("row %zu", i);
        assert_int_equal(text.size_bytes, 77);
    }
    ndp_arena_clear(&fixture.arena);
}

/* The limit is a dict in 64 others, as in descriptors; a dict that contains itself exceeds it. */
static void depth_is_bounded(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    for (uint32_t depth = 1; depth < 70; depth++) {
        struct ndp_object *dict = ndp_object_none(&fixture.objects);
        struct ndp_bytes text;
        for (uint32_t i = 0; i < depth; i++) dict = pair(&fixture, "x", dict);
        assert_int_equal(ndp_pickle_metadata_read(&fixture.arena, dict, &text), depth <= 64 ? NDP_OK : NDP_UNSUPPORTED);
    }
    struct ndp_bytes text;
    struct ndp_object *endless = pair(&fixture, "x", ndp_object_none(&fixture.objects));
    endless->list.items[1] = endless;
    assert_int_equal(ndp_pickle_metadata_read(&fixture.arena, endless, &text), NDP_UNSUPPORTED);
    ndp_arena_clear(&fixture.arena);
}

static void json_objects_become_dicts(void **state) {
    struct fixture fixture;
    struct ndp_object *dict = NULL;
    set_up(&fixture);
    static const char json[] = "{\"a\": [1, -2.5, true, null, \"\\u00e9\", 0.0, -0.0], \"b\": {}}";
    assert_int_equal(ndp_pickle_metadata_make(&fixture.objects, ndp_bytes_view(json), &dict), NDP_OK);
    assert_true(ndp_object_is(dict, NDP_OBJECT_DICT));
    assert_int_equal(dict->list.count, 4);
    const struct ndp_object *list = ndp_object_lookup(dict, "a");
    assert_int_equal(list->list.count, 7);
    assert_int_equal(list->list.items[0]->kind, NDP_OBJECT_INT);
    assert_int_equal(list->list.items[0]->integer, 1);
    assert_true(list->list.items[1]->real == -2.5);
    assert_true(list->list.items[2]->truth);
    assert_int_equal(list->list.items[3]->kind, NDP_OBJECT_NONE);
    assert_true(ndp_object_is_text(list->list.items[4], "\xc3\xa9"));
    /* An integer zero has no sign. */
    assert_true(ndp_object_is_int(list->list.items[5]));
    assert_true(list->list.items[6]->kind == NDP_OBJECT_FLOAT && signbit(list->list.items[6]->real));
    assert_int_equal(ndp_object_lookup(dict, "b")->list.count, 0);
    ndp_arena_clear(&fixture.arena);
}

static void other_texts_are_refused(void **state) {
    static const char *const rows[] = {"", "[]", "1", "null", "{", "{\"a\":}", "x"};
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_object *dict = NULL;
        if (ndp_pickle_metadata_make(&fixture.objects, ndp_bytes_view(rows[i]), &dict) != NDP_UNSUPPORTED)
            fail_msg("%s", rows[i]);
        assert_null(dict);
    }
    ndp_arena_clear(&fixture.arena);
}

static void every_failing_allocation_is_reported(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    while (status != NDP_OK) {
        struct fixture fixture;
        struct ndp_object *dict = NULL;
        struct ndp_bytes text = {NULL, 0};
        set_up(&fixture);
        ndp_arena_fail_at(&fixture.arena, ++call);
        status = ndp_pickle_metadata_make(&fixture.objects, ndp_bytes_view("{\"a\":[1,\"x\",true],\"b\":{}}"), &dict);
        if (status == NDP_OK) status = ndp_pickle_metadata_read(&fixture.arena, dict, &text);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        assert_int_equal(text.data == NULL, status != NDP_OK);
        ndp_arena_clear(&fixture.arena);
    }
    assert_true(call > 10);
}

NDP_SUITE(pickle_metadata_test, NDP_TEST(dicts_become_json), NDP_TEST(texts_are_escaped_as_in_descriptors),
          NDP_TEST(values_that_json_lacks_are_unsupported), NDP_TEST(depth_is_bounded),
          NDP_TEST(json_objects_become_dicts), NDP_TEST(other_texts_are_refused),
          NDP_TEST(every_failing_allocation_is_reported));
