#include "base/suite.h"
#include "codec/data_memory.h"
#include "codec/pickle/object.h"

enum { ARENA_BYTES = 1 << 16 };

struct fixture {
    struct ndp_arena arena;
    struct ndp_objects objects;
};

static void set_up(struct fixture *fixture) {
    ndp_arena_init(&fixture->arena, ARENA_BYTES);
    ndp_objects_init(&fixture->objects, &fixture->arena);
}

static void tear_down(struct fixture *fixture) {
    ndp_objects_clear(&fixture->objects);
    ndp_arena_clear(&fixture->arena);
}

#define BYTES(literal)                                                                                                 \
    { (const uint8_t *)(literal), sizeof(literal) - 1 }

/* Expected: int.from_bytes(bytes, "little", signed=True) of CPython 3.11, and the length of its pickle.encode_long. */
static void longs_use_int64_or_the_shortest_bytes(void **state) {
    static const struct {
        struct ndp_bytes bytes;
        int64_t integer;
        uint64_t big_bytes; /* 0 if it fits in int64 */
    } rows[] = {
        {BYTES(""), 0, 0},
        {BYTES("\x00"), 0, 0},
        {BYTES("\x7f"), 127, 0},
        {BYTES("\xff"), -1, 0},
        {BYTES("\xff\x00"), 255, 0},
        {BYTES("\x00\xff"), -256, 0},
        {BYTES("\x00\x80"), -32768, 0},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), -1, 0},
        {BYTES("\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 5, 0},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\x7f"), INT64_MAX, 0},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\x7f\x00"), INT64_MAX, 0},
        {BYTES("\x00\x00\x00\x00\x00\x00\x00\x80"), INT64_MIN, 0},
        {BYTES("\x00\x00\x00\x00\x00\x00\x00\x80\xff\xff"), INT64_MIN, 0},
        {BYTES("\x00\x00\x00\x00\x00\x00\x00\x80\x00"), 0, 9},
        {BYTES("\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00"), 0, 9},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff"), 0, 9},
        {BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x01"), 0, 9},
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_object *object = ndp_object_long(&fixture.objects, rows[i].bytes);
        assert_true(ndp_object_is(object, NDP_OBJECT_INT));
        if (object->is_big != (rows[i].big_bytes > 0) || ndp_object_is_int(object) == object->is_big)
            fail_msg("row %zu: whether it fits", i);
        if (object->is_big) assert_int_equal(object->bytes.size_bytes, rows[i].big_bytes);
        if (object->is_big) assert_memory_equal(object->bytes.data, rows[i].bytes.data, rows[i].big_bytes);
        if (!object->is_big && ndp_object_integer(object) != rows[i].integer) fail_msg("row %zu: its value", i);
    }
    tear_down(&fixture);
}

static void singletons_are_shared_and_other_objects_numbered(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_object *none = ndp_object_none(&fixture.objects);
    struct ndp_object *yes = ndp_object_bool(&fixture.objects, true);
    struct ndp_object *no = ndp_object_bool(&fixture.objects, false);
    struct ndp_object *empty = ndp_object_tuple(&fixture.objects, 0, NULL);
    struct ndp_object *pair = ndp_object_tuple(&fixture.objects, 2, (struct ndp_object *[]){yes, no});
    assert_ptr_equal(ndp_object_none(&fixture.objects), none);
    assert_ptr_equal(ndp_object_bool(&fixture.objects, true), yes);
    assert_ptr_equal(ndp_object_tuple(&fixture.objects, 0, NULL), empty);
    assert_ptr_not_equal(yes, no);
    assert_ptr_not_equal(ndp_object_int(&fixture.objects, 1), ndp_object_int(&fixture.objects, 1));
    assert_int_equal(pair->number, 4);
    assert_int_equal(pair->list.count, 2);
    assert_ptr_equal(pair->list.items[1], no);
    assert_int_equal(fixture.objects.count, 7);
    assert_true(pair->offset_bytes == NDP_NO_OFFSET);
    assert_int_equal(ndp_object_integer(yes), 1);
    assert_true(ndp_object_is_int(no));
    assert_false(ndp_object_is_int(none));
    tear_down(&fixture);
}

static void questions_about_null_are_false(void **state) {
    struct ndp_bytes bytes = {NULL, 77};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    for (uint32_t kind = 0; kind < NDP_OBJECT_COUNT; kind++)
        assert_false(ndp_object_is(NULL, (enum ndp_object_kind)kind));
    assert_false(ndp_object_is_text(NULL, ""));
    assert_false(ndp_object_is_global(NULL, "a", "b"));
    assert_false(ndp_object_is_int(NULL));
    assert_null(ndp_object_lookup(NULL, "a"));
    assert_int_equal(ndp_object_read_text(&arena, NULL, &bytes), NDP_INVALID);
    assert_int_equal(ndp_object_read_bytes(&arena, NULL, &bytes), NDP_INVALID);
    assert_int_equal(bytes.size_bytes, 77);
    assert_string_equal(ndp_object_word(NDP_OBJECT_STRING), "str of Python 2");
    assert_non_null(ndp_object_word(NDP_OBJECT_COUNT));
}

/* Expected: bytes.decode("latin-1") and str.encode("latin-1") of CPython 3.11, the conversion that Python 3 applies to
 * pickles of Python 2; NULL if it raises. */
static void text_and_bytes_pass_through_latin1(void **state) {
    static const struct {
        enum ndp_object_kind kind;
        const char *bytes;
        const char *as_text;
        const char *as_bytes;
    } rows[] = {
        {NDP_OBJECT_TEXT, "abc", "abc", "abc"},
        {NDP_OBJECT_TEXT, "\xc3\xa9", "\xc3\xa9", "\xe9"},
        {NDP_OBJECT_TEXT, "a\xc2\x80\xc3\xbf", "a\xc2\x80\xc3\xbf", "a\x80\xff"},
        {NDP_OBJECT_TEXT, "\xc4\x80", "\xc4\x80", NULL},
        {NDP_OBJECT_TEXT, "\xe2\x82\xac", "\xe2\x82\xac", NULL},
        {NDP_OBJECT_STRING, "\x7f\x80\xff", "\x7f\xc2\x80\xc3\xbf", "\x7f\x80\xff"},
        {NDP_OBJECT_STRING, "", "", ""},
        {NDP_OBJECT_BYTES, "\x80", NULL, "\x80"},
        {NDP_OBJECT_BYTEARRAY, "x", NULL, "x"},
        {NDP_OBJECT_LIST, "", NULL, NULL},
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_bytes text = {NULL, 0};
        struct ndp_bytes bytes = {NULL, 0};
        const struct ndp_object *object =
            ndp_object_bytes(&fixture.objects, rows[i].kind, ndp_bytes_view(rows[i].bytes));
        const enum ndp_status as_text = ndp_object_read_text(&fixture.arena, object, &text);
        const enum ndp_status as_bytes = ndp_object_read_bytes(&fixture.arena, object, &bytes);
        if (as_text != (rows[i].as_text == NULL ? NDP_INVALID : NDP_OK)) fail_msg("row %zu as text", i);
        if (as_bytes != (rows[i].as_bytes == NULL ? NDP_INVALID : NDP_OK)) fail_msg("row %zu as bytes", i);
        if (as_text == NDP_OK && !ndp_bytes_is_equal(text, ndp_bytes_view(rows[i].as_text))) fail_msg("text %zu", i);
        if (as_bytes == NDP_OK && !ndp_bytes_is_equal(bytes, ndp_bytes_view(rows[i].as_bytes)))
            fail_msg("bytes %zu", i);
        if (as_text == NDP_OK && text.size_bytes > 0) assert_ptr_not_equal(text.data, object->bytes.data);
    }
    tear_down(&fixture);
}

/* Expected: whether bytes.decode("latin-1") equals the text. */
static void python_2_text_is_compared_as_latin1(void **state) {
    static const struct {
        const char *string;
        const char *text;
        bool is_same;
    } rows[] = {{"", "", true},
                {"abc", "abc", true},
                {"abc", "ab", false},
                {"ab", "abc", false},
                {"abc", "abd", false},
                {"\x80\xff", "\xc2\x80\xc3\xbf", true},
                {"\xe9", "\xc3\xa8", false},
                {"\xe9", "\xc3", false},
                {"\xe9", "\xc4\xa9", false},
                {"\xc3\xa9", "\xc3\xa9", false}};
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_object *string =
            ndp_object_bytes(&fixture.objects, NDP_OBJECT_STRING, ndp_bytes_view(rows[i].string));
        const struct ndp_object *text =
            ndp_object_bytes(&fixture.objects, NDP_OBJECT_TEXT, ndp_bytes_view(rows[i].text));
        if (ndp_object_is_same_text(string, text) != rows[i].is_same) fail_msg("row %zu", i);
        if (ndp_object_is_same_text(text, string) != rows[i].is_same) fail_msg("row %zu turned", i);
        assert_true(ndp_object_is_same_text(text, text) && ndp_object_is_same_text(string, string));
    }
    tear_down(&fixture);
}

static void names_and_keys_are_compared_completely(void **state) {
    struct fixture fixture;
    set_up(&fixture);
    struct ndp_objects *objects = &fixture.objects;
    const struct ndp_object *global =
        ndp_object_global(objects, ndp_object_text(objects, "numpy"), ndp_object_text(objects, "dtype"));
    assert_true(ndp_object_is_global(global, "numpy", "dtype"));
    assert_false(ndp_object_is_global(global, "numpy", "dtyp"));
    assert_false(ndp_object_is_global(global, "numpy.x", "dtype"));
    assert_false(ndp_object_is_global(global, "", "dtype"));
    struct ndp_object *dict = ndp_object_new(objects, NDP_OBJECT_DICT);
    static const char *const keys[] = {"a", "b", "\xc3\xa9", "b"};
    for (int64_t i = 0; i < 4; i++) {
        const enum ndp_object_kind kind = i == 1 ? NDP_OBJECT_STRING : NDP_OBJECT_TEXT;
        assert_true(ndp_object_append(objects, &dict->list, ndp_object_bytes(objects, kind, ndp_bytes_view(keys[i]))));
        assert_true(ndp_object_append(objects, &dict->list, ndp_object_int(objects, i)));
    }
    assert_int_equal(ndp_object_lookup(dict, "a")->integer, 0);
    assert_int_equal(ndp_object_lookup(dict, "b")->integer, 3);
    assert_int_equal(ndp_object_lookup(dict, "\xc3\xa9")->integer, 2);
    assert_null(ndp_object_lookup(dict, ""));
    assert_null(ndp_object_lookup(dict->list.items[0], "a"));
    tear_down(&fixture);
}

static void lists_grow_and_keep_their_order(void **state) {
    struct fixture fixture;
    struct ndp_object_list list = {NULL, 0, 0};
    set_up(&fixture);
    for (int64_t i = 0; i < 100; i++)
        assert_true(ndp_object_append(&fixture.objects, &list, ndp_object_int(&fixture.objects, i)));
    assert_int_equal(list.count, 100);
    for (int64_t i = 0; i < 100; i++) assert_int_equal(list.items[i]->integer, i);
    tear_down(&fixture);
}

/* The space frees kept blobs, but not released ones; LeakSanitizer reports a mistake. */
static void blobs_belong_to_the_space_until_released(void **state) {
    struct fixture fixture;
    uint8_t *data[3];
    set_up(&fixture);
    for (size_t i = 0; i < 3; i++) {
        data[i] = ndp_data_new(8);
        assert_non_null(data[i]);
        struct ndp_blob blob = {{data[i], 8}, data[i]};
        if (i == 2) ndp_arena_fail_at(&fixture.arena, 1);
        assert_int_equal(ndp_objects_keep(&fixture.objects, &blob), i == 2 ? NDP_NOMEM : NDP_OK);
    }
    struct ndp_blob borrowed = {BYTES("x"), NULL};
    assert_int_equal(ndp_objects_keep(&fixture.objects, &borrowed), NDP_OK);
    assert_null(ndp_objects_release(&fixture.objects, borrowed.bytes.data));
    assert_null(ndp_objects_release(&fixture.objects, NULL));
    assert_ptr_equal(ndp_objects_release(&fixture.objects, data[0]), data[0]);
    assert_null(ndp_objects_release(&fixture.objects, data[0]));
    ndp_data_free(data[0]);
    tear_down(&fixture);
}

/* Makes one object through each function. */
static bool make_all(struct fixture *fixture) {
    struct ndp_objects *objects = &fixture->objects;
    struct ndp_object *text = ndp_object_text(objects, "a");
    struct ndp_object *yes = ndp_object_bool(objects, true);
    struct ndp_object *none = ndp_object_none(objects);
    struct ndp_object *big = ndp_object_long(objects, (struct ndp_bytes)BYTES("\0\0\0\0\0\0\0\0\1"));
    struct ndp_object *real = ndp_object_float(objects, 0.5);
    if (text == NULL || yes == NULL || none == NULL || big == NULL || real == NULL) return false;
    struct ndp_object *tuple = ndp_object_tuple(objects, 1, &text);
    struct ndp_object *global = ndp_object_global(objects, text, text);
    struct ndp_object *call = ndp_object_call(objects, NDP_CALL_REDUCE, global, tuple);
    if (tuple == NULL || global == NULL || call == NULL) return false;
    assert_ptr_equal(call->call->args, tuple);
    assert_null(call->call->state);
    struct ndp_bytes out;
    return ndp_object_append(objects, &call->call->items, text) &&
           ndp_object_read_text(&fixture->arena, text, &out) == NDP_OK;
}

static void every_failing_allocation_is_reported(void **state) {
    uint64_t call = 0;
    bool is_made = false;
    while (!is_made) {
        struct fixture fixture;
        set_up(&fixture);
        ndp_arena_fail_at(&fixture.arena, ++call);
        is_made = make_all(&fixture);
        if (!is_made) assert_int_equal(fixture.arena.fail_at, 0);
        tear_down(&fixture);
    }
    assert_int_equal(call, 13); /* eight objects, the tuple's items, the call, the list, the copy, success */
}

NDP_SUITE(object_test, NDP_TEST(longs_use_int64_or_the_shortest_bytes),
          NDP_TEST(singletons_are_shared_and_other_objects_numbered), NDP_TEST(questions_about_null_are_false),
          NDP_TEST(text_and_bytes_pass_through_latin1), NDP_TEST(python_2_text_is_compared_as_latin1),
          NDP_TEST(names_and_keys_are_compared_completely), NDP_TEST(lists_grow_and_keep_their_order),
          NDP_TEST(blobs_belong_to_the_space_until_released), NDP_TEST(every_failing_allocation_is_reported));
