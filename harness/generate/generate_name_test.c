#include "generate/generate_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "base/text.h"

enum { ARENA_BYTES = 1 << 21, STRUCTURES = 1500, FIELDS = 8 };

/* generate/generate.h: a zero is the simplest choice, and no input reads as zeros. */
static struct ndp_bytes simplest(struct ndp_arena *arena, const struct ndp_field *fields, uint64_t index) {
    struct ndp_choices choices;
    struct ndp_bytes name = {NULL, 0};
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_name(arena, &choices, fields, index, &name), NDP_OK);
    return name;
}

#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* Titles that are names which are likely to come. */
static const struct ndp_bytes titles[FIELDS / 2] = {TEXT("f1"), TEXT("a"), TEXT("n5"), TEXT("None")};

/* What is taken already, as a name or as a title, is not given; what comes behind the first `index` fields is no
 * matter.
 */
static void the_simplest_name_is_a_number_that_is_free(void **state) {
    (void)state;
    static const struct {
        struct ndp_field fields[4];
        uint64_t index;
        const char *name;
    } rows[] = {
        {{{.name = TEXT("x")}}, 0, "f0"},
        {{{.name = TEXT("f0")}}, 0, "f0"},
        {{{.name = TEXT("x")}}, 1, "f1"},
        {{{.name = TEXT("f1")}}, 1, "n1"},
        {{{.name = TEXT("x"), .title = TEXT("f1"), .has_title = true}}, 1, "n1"},
        {{{.name = TEXT("x"), .title = TEXT("f1")}}, 1, "f1"},
        {{{.name = TEXT("n2"), .title = TEXT("f2"), .has_title = true}, {.name = TEXT("x")}}, 2, "n3"},
        {{{.name = TEXT("n2"), .title = TEXT("f2"), .has_title = true},
          {.name = TEXT("n3"), .title = TEXT("n4"), .has_title = true}},
         2,
         "n5"},
        {{{.name = TEXT("f10")}}, 1, "f1"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena;
        ndp_arena_init(&arena, ARENA_BYTES);
        const struct ndp_bytes name = simplest(&arena, rows[i].fields, rows[i].index);
        if (!ndp_bytes_is_equal(name, ndp_bytes_view(rows[i].name)))
            fail_msg("row %zu: %.*s", i, (int)name.size_bytes, (const char *)name.data);
        ndp_arena_clear(&arena);
    }
}

/* What clause 8.3 row 27 of corpus/README.md asks for in names. */
enum name_kind {
    EMPTY,
    QUOTE,
    QUOTES,
    BACKSLASH,
    NEWLINE,
    NUL,
    LATIN_1,
    ALPHA,
    SMILE,
    SURROGATE,
    INVISIBLE,
    DIGIT,
    LONG,
    EDGE,
    NAME_KINDS
};

static uint32_t kind_of_point(uint32_t point) {
    static const struct {
        uint32_t first, last;
        enum name_kind kind;
    } rows[] = {{0, 0, NUL},
                {'\n', '\n', NEWLINE},
                {'\\', '\\', BACKSLASH},
                {'0', '9', DIGIT},
                {0xe9, 0xe9, LATIN_1},
                {0x3b1, 0x3b1, ALPHA},
                {0xd800, 0xdfff, SURROGATE},
                {0x200b, 0x200b, INVISIBLE},
                {0x1f600, 0x1f600, SMILE}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (point >= rows[i].first && point <= rows[i].last) return UINT32_C(1) << rows[i].kind;
    }
    return 0;
}

/* The kinds that a name is of. */
static uint32_t kinds_of(struct ndp_bytes name) {
    struct ndp_cursor cursor = ndp_cursor_view(name);
    uint32_t kinds = name.size_bytes == 0 ? UINT32_C(1) << EMPTY : 0;
    bool has_single = false, has_double = false;
    while (ndp_cursor_left(&cursor) > 0) {
        uint32_t point = 0;
        assert_int_equal(ndp_text_next(&cursor, &point), NDP_OK);
        has_single |= point == '\'';
        has_double |= point == '"';
        kinds |= kind_of_point(point);
    }
    if (has_single != has_double) kinds |= UINT32_C(1) << QUOTE;
    if (has_single && has_double) kinds |= UINT32_C(1) << QUOTES;
    if (name.size_bytes >= 200 && name.size_bytes <= 300) kinds |= UINT32_C(1) << LONG;
    if (name.size_bytes >= 65300 && name.size_bytes <= 65600) kinds |= UINT32_C(1) << EDGE;
    return kinds;
}

/* Whatever the seed, the fields of a structure have names that are texts, no two alike and none that is a title; the
 * same seed gives the same ones; all kinds come up. */
static void names_differ_and_all_kinds_come(void **state) {
    (void)state;
    uint32_t kinds = 0, odd = 0;
    for (uint64_t seed = 0; seed < STRUCTURES; seed++) {
        struct ndp_arena arena;
        struct ndp_choices choices, again;
        struct ndp_field fields[FIELDS] = {{.name = {NULL, 0}}};
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        ndp_choices_init_seed(&again, seed);
        for (uint64_t i = 0; i < FIELDS; i++) {
            struct ndp_bytes name, same;
            assert_int_equal(ndp_generate_name(&arena, &choices, fields, i, &name), NDP_OK);
            assert_int_equal(ndp_generate_name(&arena, &again, fields, i, &same), NDP_OK);
            assert_true(ndp_bytes_is_equal(name, same));
            assert_true(name.size_bytes <= 65600); /* an NPY header of version 1.0 has room for 65535 */
            for (uint64_t k = 0; k < i; k++) {
                assert_false(ndp_bytes_is_equal(name, fields[k].name));
                assert_false(fields[k].has_title && ndp_bytes_is_equal(name, fields[k].title));
            }
            fields[i].name = name;
            fields[i].has_title = i % 2 == 0;
            fields[i].title = titles[i / 2];
            kinds |= kinds_of(name);
            odd += name.size_bytes != 2 || name.data[0] != 'f';
        }
        ndp_arena_clear(&arena);
    }
    for (uint32_t kind = 0; kind < NAME_KINDS; kind++) {
        if ((kinds >> kind & 1) == 0) fail_msg("kind %u does not come", kind);
    }
    /* Enough of them are plain. */
    assert_in_range(odd, STRUCTURES * FIELDS / 5, STRUCTURES * FIELDS * 4 / 5);
}

/* A name is of the arena or of the program, so a lack of memory is told or does not matter. */
static void lack_of_memory_is_told(void **state) {
    (void)state;
    static const struct ndp_field taken = {.name = TEXT("f1")};
    uint32_t told = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct ndp_arena arena;
        struct ndp_choices choices;
        struct ndp_bytes name = {NULL, 77};
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        ndp_arena_fail_at(&arena, 1);
        const enum ndp_status status = ndp_generate_name(&arena, &choices, &taken, 1, &name);
        assert_int_equal(status, arena.fail_at == 0 ? NDP_NOMEM : NDP_OK);
        if (status == NDP_NOMEM) assert_int_equal(name.size_bytes, 77);
        told += status == NDP_NOMEM;
        ndp_arena_clear(&arena);
    }
    assert_in_range(told, 20, 90);
    struct ndp_arena arena;
    struct ndp_choices choices;
    struct ndp_bytes name = {NULL, 77};
    ndp_arena_init(&arena, ARENA_BYTES);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    ndp_arena_fail_at(&arena, 2); /* of the name in place of the one that is taken */
    assert_int_equal(ndp_generate_name(&arena, &choices, &taken, 1, &name), NDP_NOMEM);
    assert_int_equal(name.size_bytes, 77);
    ndp_arena_clear(&arena);
}

NDP_SUITE(generate_name_test, cmocka_unit_test(the_simplest_name_is_a_number_that_is_free),
          cmocka_unit_test(names_differ_and_all_kinds_come), cmocka_unit_test(lack_of_memory_is_told));
