#include "base/bytes.h"
#include "base/suite.h"

/* By default the sanitizers abort on an impossible allocation size instead of returning NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static void views_compare_by_content(void **state) {
    const struct ndp_bytes nothing = {NULL, 0};
    assert_true(ndp_bytes_is_equal(nothing, ndp_bytes_view("")));
    assert_true(ndp_bytes_is_equal(ndp_bytes_view("abc"), (struct ndp_bytes){(const uint8_t *)"abcd", 3}));
    assert_false(ndp_bytes_is_equal(ndp_bytes_view("abc"), ndp_bytes_view("abd")));
    assert_false(ndp_bytes_is_equal(ndp_bytes_view("abc"), ndp_bytes_view("ab")));
    assert_int_equal(ndp_bytes_view("abc").size_bytes, 3);
}

static void a_buffer_grows_up_to_its_maximum(void **state) {
    NDP_BUFFER_SCOPED(buffer, 1000);
    for (int i = 0; i < 100; i++) assert_int_equal(ndp_buffer_add(&buffer, "0123456789", 10), NDP_OK);
    assert_int_equal(ndp_buffer_add(&buffer, "x", 1), NDP_LIMIT);
    assert_int_equal(ndp_buffer_add(&buffer, "", UINT64_MAX), NDP_LIMIT);
    const struct ndp_bytes view = ndp_buffer_view(&buffer);
    assert_int_equal(view.size_bytes, 1000);
    for (size_t i = 0; i < 1000; i++) assert_int_equal(view.data[i], '0' + i % 10);
    assert_true(buffer.capacity_bytes <= 1000);
    ndp_buffer_clear(&buffer);
    assert_int_equal(ndp_buffer_view(&buffer).size_bytes, 0);
    assert_int_equal(ndp_buffer_add(&buffer, "again", 5), NDP_OK);
}

static void a_buffer_survives_allocation_failures(void **state) {
    NDP_BUFFER_SCOPED(buffer, UINT64_MAX);
    assert_int_equal(ndp_buffer_add(&buffer, "kept", 4), NDP_OK);
    uint8_t *room = NULL;
    assert_int_equal(ndp_buffer_extend(&buffer, UINT64_C(1) << 62, &room), NDP_NOMEM);
    assert_null(room);
    assert_int_equal(ndp_buffer_extend(&buffer, UINT64_MAX, &room), NDP_LIMIT);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view("kept")));
}

static void nothing_can_be_added(void **state) {
    NDP_BUFFER_SCOPED(buffer, 0);
    uint8_t *room = NULL;
    assert_int_equal(ndp_buffer_add(&buffer, NULL, 0), NDP_OK);
    assert_int_equal(ndp_buffer_extend(&buffer, 0, &room), NDP_OK);
    assert_non_null(room);
    assert_int_equal(ndp_buffer_printf(&buffer, "%s", ""), NDP_OK);
    assert_int_equal(ndp_buffer_add(&buffer, "x", 1), NDP_LIMIT);
}

static void extended_room_is_zeroed(void **state) {
    NDP_BUFFER_SCOPED(buffer, 1 << 20);
    uint8_t *room;
    assert_int_equal(ndp_buffer_add(&buffer, "ab", 2), NDP_OK);
    assert_int_equal(ndp_buffer_extend(&buffer, 5000, &room), NDP_OK);
    for (int i = 0; i < 5000; i++) assert_int_equal(room[i], 0);
    assert_ptr_equal(room, buffer.data + 2);
    assert_int_equal(buffer.size_bytes, 5002);
}

static void formatted_text_has_no_nul_and_every_length(void **state) {
    for (int length = 0; length < 400; length += 1) {
        NDP_BUFFER_SCOPED(buffer, 400);
        assert_int_equal(ndp_buffer_printf(&buffer, "%*s", length, ""), NDP_OK);
        assert_int_equal(buffer.size_bytes, length);
        for (int i = 0; i < length; i++) assert_int_equal(buffer.data[i], ' ');
    }
    NDP_BUFFER_SCOPED(buffer, 200);
    assert_int_equal(ndp_buffer_printf(&buffer, "%*s", 201, ""), NDP_LIMIT);
    assert_int_equal(buffer.size_bytes, 0);
    assert_int_equal(ndp_buffer_printf(&buffer, "%d-%s", 7, "x"), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view("7-x")));
}

static void a_cursor_stops_at_the_end_and_stays(void **state) {
    const uint8_t input[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct ndp_cursor cursor = ndp_cursor_view((struct ndp_bytes){input, sizeof input});
    uint8_t u8;
    uint32_t u32;
    uint64_t u64;
    assert_int_equal(ndp_cursor_u8(&cursor, &u8), NDP_OK);
    assert_int_equal(u8, 1);
    assert_int_equal(ndp_cursor_u8(&cursor, &u8), NDP_OK);
    assert_int_equal(ndp_cursor_u8(&cursor, &u8), NDP_OK);
    assert_int_equal(u8, 3);
    assert_int_equal(ndp_cursor_u32le(&cursor, &u32), NDP_OK);
    assert_int_equal(u32, 0x07060504);
    assert_int_equal(ndp_cursor_u64le(&cursor, &u64), NDP_OK);
    assert_true(u64 == UINT64_C(0x0f0e0d0c0b0a0908));
    assert_int_equal(ndp_cursor_left(&cursor), 0);
    assert_int_equal(ndp_cursor_u8(&cursor, &u8), NDP_TRUNCATED);
    assert_int_equal(u8, 3);

    struct ndp_bytes taken = {NULL, 99};
    cursor.at_bytes = 9;
    assert_int_equal(ndp_cursor_take(&cursor, UINT64_MAX, &taken), NDP_TRUNCATED);
    assert_int_equal(ndp_cursor_take(&cursor, 7, &taken), NDP_TRUNCATED);
    assert_int_equal(ndp_cursor_u64le(&cursor, &u64), NDP_TRUNCATED);
    assert_int_equal(taken.size_bytes, 99);
    assert_int_equal(cursor.at_bytes, 9);
    assert_int_equal(ndp_cursor_take(&cursor, 6, &taken), NDP_OK);
    assert_ptr_equal(taken.data, input + 9);
    assert_int_equal(taken.size_bytes, 6);
}

static void an_empty_cursor_is_truncated(void **state) {
    struct ndp_cursor cursor = ndp_cursor_view((struct ndp_bytes){NULL, 0});
    struct ndp_bytes taken;
    uint8_t u8;
    assert_int_equal(ndp_cursor_take(&cursor, 0, &taken), NDP_OK);
    assert_int_equal(taken.size_bytes, 0);
    assert_int_equal(ndp_cursor_u8(&cursor, &u8), NDP_TRUNCATED);
}

static void hexadecimal_is_written_and_read(void **state) {
    NDP_ARENA_SCOPED(arena, 1 << 16);
    NDP_BUFFER_SCOPED(buffer, 1 << 16);
    const uint8_t some[] = {0x00, 0x09, 0x9a, 0xaf, 0xf0, 0xff};
    assert_int_equal(ndp_hex_add(&buffer, (struct ndp_bytes){some, sizeof some}), NDP_OK);
    assert_true(ndp_bytes_is_equal(ndp_buffer_view(&buffer), ndp_bytes_view("00099aaff0ff")));
    struct ndp_bytes read;
    assert_int_equal(ndp_hex_read(&arena, "00099aAFf0Ff", &read, NULL), NDP_OK);
    assert_true(ndp_bytes_is_equal(read, (struct ndp_bytes){some, sizeof some}));
    assert_int_equal(ndp_hex_read(&arena, "", &read, NULL), NDP_OK);
    assert_int_equal(read.size_bytes, 0);
}

static void wrong_hexadecimal_is_refused_with_its_offset(void **state) {
    static const struct {
        const char *digits;
        uint64_t offset_bytes;
    } wrong[] = {{"0g", 1}, {"00:0", 2}, {"001", 3}, {" 00", 0}, {"00/0", 2}, {"@0", 0}, {"0`", 1}, {"\xe9", 0}};
    NDP_ARENA_SCOPED(arena, 1 << 16);
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++) {
        struct ndp_bytes read = {NULL, 42};
        struct ndp_error error;
        assert_int_equal(ndp_hex_read(&arena, wrong[i].digits, &read, &error), NDP_INVALID);
        assert_int_equal(error.offset_bytes, wrong[i].offset_bytes);
        assert_int_equal(read.size_bytes, 42);
    }
    struct ndp_bytes read;
    ndp_arena_fail_at(&arena, 1);
    assert_int_equal(ndp_hex_read(&arena, "00", &read, NULL), NDP_NOMEM);
}

static void bytes_equal_a_word_only_as_a_whole(void **state) {
    static const struct {
        struct ndp_bytes bytes;
        const char *word;
        bool is_word;
    } rows[] = {
        {{NULL, 0}, "", true},
        {{NULL, 0}, "a", false},
        {{(const uint8_t *)"ab", 2}, "ab", true},
        {{(const uint8_t *)"ab", 2}, "a", false},
        {{(const uint8_t *)"ab", 2}, "abc", false},
        {{(const uint8_t *)"ab", 2}, "ac", false},
        {{(const uint8_t *)"a\0", 2}, "a", false},
        {{(const uint8_t *)"\xc3\xa9", 2}, "\xc3\xa9", true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_bytes_is_word(rows[i].bytes, rows[i].word) != rows[i].is_word) fail_msg("row %zu", i);
}

static void a_cursor_is_read_in_pieces(void **state) {
    struct ndp_cursor cursor = ndp_cursor_view(ndp_bytes_view("abcde"));
    char piece[3];
    uint64_t got;
    assert_int_equal(ndp_cursor_read(&cursor, piece, sizeof piece, &got), NDP_OK);
    assert_int_equal(got, 3);
    assert_memory_equal(piece, "abc", 3);
    assert_int_equal(ndp_cursor_read(&cursor, piece, sizeof piece, &got), NDP_OK);
    assert_int_equal(got, 2);
    assert_memory_equal(piece, "de", 2);
    assert_int_equal(ndp_cursor_read(&cursor, piece, sizeof piece, &got), NDP_OK);
    assert_int_equal(got, 0);
}

NDP_SUITE(bytes_test, NDP_TEST(a_cursor_is_read_in_pieces), NDP_TEST(views_compare_by_content),
          NDP_TEST(bytes_equal_a_word_only_as_a_whole), NDP_TEST(a_buffer_grows_up_to_its_maximum),
          NDP_TEST(a_buffer_survives_allocation_failures), NDP_TEST(nothing_can_be_added),
          NDP_TEST(extended_room_is_zeroed), NDP_TEST(formatted_text_has_no_nul_and_every_length),
          NDP_TEST(a_cursor_stops_at_the_end_and_stays), NDP_TEST(an_empty_cursor_is_truncated),
          NDP_TEST(hexadecimal_is_written_and_read), NDP_TEST(wrong_hexadecimal_is_refused_with_its_offset));
