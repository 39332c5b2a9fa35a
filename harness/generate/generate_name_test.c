#include "base/suite.h"
#include "base/text.h"
#include "generate/generate_parts.h"

enum { ARENA_BYTES = 1 << 21, STRUCTURES = 1500, FIELDS = 8 };

/* generate/generate.h: a zero is the simplest choice, and exhausted input reads as zeros. */
static struct ndp_bytes simplest_name(struct ndp_arena *arena, const struct ndp_field *fields, uint64_t index) {
    struct ndp_choices choices;
    struct ndp_bytes name = {NULL, 0};
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_name(arena, &choices, fields, index, &name), NDP_OK);
    return name;
}

#define TEXT(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

/* Titles that equal likely names. */
static const struct ndp_bytes titles[FIELDS / 2] = {TEXT("f1"), TEXT("a"), TEXT("n5"), TEXT("None")};

/* The name differs from all names and titles of the first `index` fields; later fields do not matter. */
static void the_simplest_name_is_a_number_that_is_free(void **state) {
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
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        const struct ndp_bytes name = simplest_name(&arena, rows[i].fields, rows[i].index);
        if (!ndp_bytes_is_equal(name, ndp_bytes_view(rows[i].name)))
            fail_msg("row %zu: %.*s", i, (int)name.size_bytes, (const char *)name.data);
    }
}

/* Kinds of names that clause 8.3 row 27 of corpus/index.json requires. */
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
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (point >= rows[i].first && point <= rows[i].last) return UINT32_C(1) << rows[i].kind;
    return 0;
}

/* Returns the kinds of a name. */
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

/* For every seed, the names of a structure are valid text, distinct, and differ from all titles. They are
 * deterministic. All kinds occur. */
static void names_differ_and_all_kinds_occur(void **state) {
    uint32_t kinds = 0, odd = 0;
    for (uint64_t seed = 0; seed < STRUCTURES; seed++) {
        struct ndp_choices choices, repeated;
        struct ndp_field fields[FIELDS] = {{.name = {NULL, 0}}};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        ndp_choices_init_seed(&repeated, seed);
        for (uint64_t i = 0; i < FIELDS; i++) {
            struct ndp_bytes name, same;
            assert_int_equal(ndp_generate_name(&arena, &choices, fields, i, &name), NDP_OK);
            assert_int_equal(ndp_generate_name(&arena, &repeated, fields, i, &same), NDP_OK);
            assert_true(ndp_bytes_is_equal(name, same));
            assert_true(name.size_bytes <= 65600); /* an NPY header of version 1.0 has at most 65535 bytes */
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
    }
    for (uint32_t kind = 0; kind < NAME_KINDS; kind++)
        if ((kinds >> kind & 1) == 0) fail_msg("kind %u does not occur", kind);
    /* A sufficient share of names is plain. */
    assert_in_range(odd, STRUCTURES * FIELDS / 5, STRUCTURES * FIELDS * 4 / 5);
}

/* A name is either allocated or constant, so an allocation failure is reported or has no effect. */
static void allocation_failures_are_reported(void **state) {
    static const struct ndp_field taken = {.name = TEXT("f1")};
    uint32_t failures = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct ndp_choices choices;
        struct ndp_bytes name = {NULL, 77};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_choices_init_seed(&choices, seed);
        ndp_arena_fail_at(&arena, 1);
        const enum ndp_status status = ndp_generate_name(&arena, &choices, &taken, 1, &name);
        assert_int_equal(status, arena.fail_at == 0 ? NDP_NOMEM : NDP_OK);
        if (status == NDP_NOMEM) assert_int_equal(name.size_bytes, 77);
        failures += status == NDP_NOMEM;
    }
    assert_in_range(failures, 20, 90);
    struct ndp_choices choices;
    struct ndp_bytes name = {NULL, 77};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    ndp_arena_fail_at(&arena, 2); /* allocation of the replacement for a name in use */
    assert_int_equal(ndp_generate_name(&arena, &choices, &taken, 1, &name), NDP_NOMEM);
    assert_int_equal(name.size_bytes, 77);
}

NDP_SUITE(generate_name_test, NDP_TEST(the_simplest_name_is_a_number_that_is_free),
          NDP_TEST(names_differ_and_all_kinds_occur), NDP_TEST(allocation_failures_are_reported));
