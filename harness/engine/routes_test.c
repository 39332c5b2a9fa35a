#include "base/suite.h"
#include "engine/claims_fixture.h"
#include "engine/routes.h"

/* "a" and "b" share npy and pickle 2; each also has formats that the other lacks. */
static void make_world(struct world *world) {
    memset(world, 0, sizeof *world);
    struct ndp_target *a = add_target(world, "a-1.2", "a"), *b = add_target(world, "b", "b");
    claim(a, "npy", "memory", "ed");
    claim(a, "npy", "file", "e");
    claim(a, "pickle", "c", "ed")->protocol = 2;
    claim(a, "pickle", "c", "ed")->protocol = 5;
    claim(a, "pool", "threads", "t");
    claim(b, "npy", "memory", "ed");
    claim(b, "npy", "mmap:r", "d");
    claim(b, "pickle", "c", "ed")->protocol = 2;
}

/* "encoder>decoder: route route; ..." in the order of the list; a transport is "~", a decode case has no encoder. */
static void print_routes(const struct ndp_route_list *list, char *out, size_t out_bytes) {
    size_t at = 0;
    out[0] = '\0';
    for (uint32_t g = 0; g < list->count; g++) {
        const struct ndp_route_group *group = &list->groups[g];
        at += (size_t)snprintf(out + at, out_bytes - at, "%s%s%c%s:", g > 0 ? "; " : "",
                               group->kind == NDP_CASE_DECODE ? "" : group->encoder->info.name,
                               group->is_transport ? '~' : '>', group->decoder->info.name);
        for (uint32_t i = 0; i < group->count; i++) {
            char text[NDP_ROUTE_TEXT_BYTES];
            ndp_descriptor_print_route(&group->routes[i], text);
            at += (size_t)snprintf(out + at, out_bytes - at, " %s", text);
        }
    }
    assert_true(at < out_bytes);
}

static void expect_list(const struct world *world, const struct ndp_route_filter *filter, const char *expected) {
    struct ndp_route_list list;
    char text[2048];
    list_all(world, filter, &list);
    print_routes(&list, text, sizeof text);
    assert_string_equal(text, expected);
    ndp_routes_clear(&list);
    assert_int_equal(list.count, 0);
    ndp_routes_clear(&list);
}

/* Pairs first, then single targets; both ends use the same format and protocol. */
static void groups_have_a_fixed_order(void **state) {
    struct world world;
    make_world(&world);
    expect_list(&world, &everything,
                "a-1.2>a-1.2: npy:memory>memory npy:file>memory; a-1.2>a-1.2: pickle2:c>c pickle5:c>c; "
                "a-1.2>b: npy:memory>memory npy:memory>mmap:r npy:file>memory npy:file>mmap:r; a-1.2>b: pickle2:c>c; "
                "b>a-1.2: npy:memory>memory; b>a-1.2: pickle2:c>c; "
                "b>b: npy:memory>memory npy:memory>mmap:r; b>b: pickle2:c>c; "
                "a-1.2~a-1.2: pool:threads; "
                ">a-1.2: npy>memory; >a-1.2: pickle2>c pickle5>c; "
                ">b: npy>memory npy>mmap:r; >b: pickle2>c");
}

static void a_filter_excludes_other_routes(void **state) {
    struct world world;
    const char *const only_b[] = {"b"}, *const both[] = {"b", "a-1.2"}, *const npy[] = {"npy"},
                      *const pool[] = {"pool"}, *const library[] = {"a"};
    const uint32_t decodes = 1u << NDP_CASE_DECODE, trips = 1u << NDP_CASE_ROUND_TRIP;
    const struct {
        struct ndp_route_filter filter;
        const char *expected;
    } rows[] = {
        {{.targets = only_b, .target_count = 1, .formats = npy, .format_count = 1},
         "b>b: npy:memory>memory npy:memory>mmap:r; >b: npy>memory npy>mmap:r"},
        {{.targets = library, .target_count = 1, .formats = npy, .format_count = 1, .without_kinds = decodes},
         "a-1.2>a-1.2: npy:memory>memory npy:file>memory"},
        {{.targets = both,
          .target_count = 2,
          .formats = npy,
          .format_count = 1,
          .without_kinds = decodes,
          .involved = "a-1.2"},
         "a-1.2>a-1.2: npy:memory>memory npy:file>memory; "
         "a-1.2>b: npy:memory>memory npy:memory>mmap:r npy:file>memory npy:file>mmap:r; "
         "b>a-1.2: npy:memory>memory"},
        {{.formats = pool, .format_count = 1}, "a-1.2~a-1.2: pool:threads"},
        {{.formats = npy, .format_count = 1, .without_kinds = trips}, ">a-1.2: npy>memory; >b: npy>memory npy>mmap:r"},
        {{.without_kinds = trips | decodes}, ""},
        {{.involved = "nobody"}, ""},
    };
    make_world(&world);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) expect_list(&world, &rows[i].filter, rows[i].expected);
}

/* The name of a library selects all of its targets, unless a target has exactly that name. */
static void a_name_selects_a_target_or_a_library(void **state) {
    struct world world = {.bench = {.count = 0}};
    add_target(&world, "a@old", "a");
    add_target(&world, "a-2.0", "a");
    add_target(&world, "b", "b");
    add_target(&world, "b@far", "b");
    add_target(&world, "abc", "abc");
    assert_int_equal(ndp_routes_count_targets(&world.bench, "a"), 2);
    assert_int_equal(ndp_routes_count_targets(&world.bench, "a@old"), 1);
    assert_int_equal(ndp_routes_count_targets(&world.bench, "a-1.0"), 2);
    assert_int_equal(ndp_routes_count_targets(&world.bench, "b"), 1);
    assert_int_equal(ndp_routes_count_targets(&world.bench, "ab"), 0);
    assert_int_equal(ndp_routes_count_targets(&world.bench, "nobody"), 0);
}

/* Generated decode cases corrupt encodings, so formats without named faults have none, and variants have none. */
static void generated_decode_cases_need_named_faults(void **state) {
    struct world world = {.bench = {.count = 0}};
    const struct ndp_route_filter drawn = {.is_generated = true, .without_kinds = 1u << NDP_CASE_ROUND_TRIP};
    const struct ndp_route_filter given = {.without_kinds = 1u << NDP_CASE_ROUND_TRIP};
    struct ndp_target *a = add_target(&world, "a", "a");
    claim(a, "nofaults", "memory", "ed");
    claim(a, "npy", "memory", "ed");
    claim(a, "npy", "gzip", "ed")->is_variant = true;
    expect_list(&world, &drawn, ">a: npy>memory");
    expect_list(&world, &given, ">a: nofaults>memory; >a: npy>memory npy>gzip");
}

/* Local entry points have no routes to other processes; both ends use the same kind of buffers. */
static void a_route_needs_both_ends(void **state) {
    struct world world = {.bench = {.count = 0}};
    const struct ndp_route_filter trips = {.without_kinds = 1u << NDP_CASE_DECODE};
    struct ndp_target *a = add_target(&world, "a", "a"), *b = add_target(&world, "b", "b");
    claim(a, "npy", "own", "ed")->is_local = true;
    snprintf(claim(a, "pickle", "c", "e")->buffers, NDP_WORD_BYTES, "out-of-band");
    claim(b, "npy", "own", "ed");
    claim(b, "pickle", "c", "d");
    expect_list(&world, &trips, "a>a: npy:own>own; b>b: npy:own>own");
    snprintf(b->info.entries[1].buffers, NDP_WORD_BYTES, "out-of-band");
    expect_list(&world, &trips, "a>a: npy:own>own; a>b: pickle0:c>c/out-of-band; b>b: npy:own>own");
}

static void named_words_must_fit_and_empty_words_always_do(void **state) {
    struct world world;
    make_world(&world);
    add_target(&world, "c@old", "c");
    const struct ndp_route route = {
        .format = "pickle", .protocol = 2, .encode = "c", .decode = "python", .encoder = "a-1.2", .decoder = "b"};
    const struct {
        struct ndp_route named;
        bool fits;
    } rows[] = {
        {{.format = ""}, true},
        {{.format = "pickle", .protocol = 2}, true},
        {{.format = "pickle", .protocol = 3}, false},
        {{.format = "", .protocol = 3}, true},
        {{.format = "npy", .protocol = 2}, false},
        {{.encode = "c", .decode = "python"}, true},
        {{.encode = "python"}, false},
        {{.decode = "c"}, false},
        {{.buffers = "out-of-band"}, false},
        {{.encoder = "a-1.2", .decoder = "b"}, true},
        {{.encoder = "b"}, false},
        {{.decoder = "a-1.2"}, false},
        /* The target of another run selects its implementation. */
        {{.encoder = "a-9.9"}, true},
        {{.encoder = "a@seeds"}, true},
        {{.encoder = "a#2"}, true},
        {{.encoder = "a"}, true},
        {{.encoder = "ax"}, false},
        {{.decoder = "b-0.1"}, true},
        {{.decoder = "c-0.1"}, false},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_routes_fit(&rows[i].named, &route, &world.bench) != rows[i].fits) fail_msg("row %zu", i);
    /* A target of exactly that name has priority. */
    add_target(&world, "a-9.9", "a");
    assert_false(ndp_routes_fit(&rows[12].named, &route, &world.bench));
}

/* A descriptor without entry points means the same with any number of variants. */
static void a_variant_must_be_named(void **state) {
    struct world world = {.bench = {.count = 0}};
    struct ndp_target *a = add_target(&world, "a", "a");
    claim(a, "npy", "memory", "ed");
    claim(a, "npy", "gzip", "ed")->is_variant = true;
    static const struct {
        const char *route[2]; /* encode, decode */
        const char *named[2];
        bool fits;
    } rows[] = {{{"memory", "memory"}, {"", ""}, true},        {{"memory", "gzip"}, {"", ""}, false},
                {{"gzip", "memory"}, {"", ""}, false},         {{"gzip", "memory"}, {"gzip", ""}, true},
                {{"gzip", "gzip"}, {"gzip", ""}, false},       {{"gzip", "gzip"}, {"gzip", "gzip"}, true},
                {{"memory", "gzip"}, {"memory", "gzip"}, true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_route route = {.format = "npy", .encoder = "a", .decoder = "a"}, named = {.format = "npy"};
        snprintf(route.encode, sizeof route.encode, "%s", rows[i].route[0]);
        snprintf(route.decode, sizeof route.decode, "%s", rows[i].route[1]);
        snprintf(named.encode, sizeof named.encode, "%s", rows[i].named[0]);
        snprintf(named.decode, sizeof named.decode, "%s", rows[i].named[1]);
        if (ndp_routes_fit(&named, &route, &world.bench) != rows[i].fits) fail_msg("row %zu", i);
    }
    const struct ndp_route bare = {.format = "npy", .decode = "gzip", .decoder = "a"}, any = {.format = "npy"};
    assert_false(ndp_routes_fit(&any, &bare, &world.bench));
    assert_true(ndp_routes_fit(&bare, &bare, &world.bench));
}

/* Only of a sweep, whose groups get time each. Variants of two names do not meet there. */
static void variants_have_a_group_of_their_own(void **state) {
    struct world world = {.bench = {.count = 0}};
    struct ndp_target *a = add_target(&world, "a", "a");
    claim(a, "npy", "memory", "ed");
    claim(a, "npy", "gzip", "ed")->is_variant = true;
    claim(a, "npy", "path", "e")->is_variant = true;
    const struct ndp_route_filter swept = {.is_generated = true, .without_kinds = 1u << NDP_CASE_DECODE},
                                  all = {.without_kinds = 1u << NDP_CASE_DECODE};
    expect_list(&world, &swept,
                "a>a: npy:memory>memory; a>a: npy:memory>gzip npy:gzip>memory npy:gzip>gzip npy:path>memory");
    expect_list(&world, &all,
                "a>a: npy:memory>memory npy:memory>gzip npy:gzip>memory npy:gzip>gzip npy:path>memory npy:path>gzip");
}

static void a_route_is_completed_by_the_named_settings(void **state) {
    const struct ndp_route named = {
        .format = "npy", .offset_bytes = 5, .level = 3, .max_nbytes = 64, .map_mode = "r+", .encoder = "x"};
    const struct ndp_route route = {
        .format = "raw", .encode = "file", .decode = "memory", .encoder = "a", .protocol = 1};
    struct ndp_route out;
    ndp_routes_complete(&named, &route, &out);
    assert_string_equal(out.format, "raw");
    assert_string_equal(out.encode, "file");
    assert_string_equal(out.decode, "memory");
    assert_string_equal(out.encoder, "a");
    assert_int_equal(out.protocol, 1);
    assert_int_equal(out.offset_bytes, 5);
    assert_int_equal(out.level, 3);
    assert_int_equal(out.max_nbytes, 64);
    assert_string_equal(out.map_mode, "r+");
}

struct seen {
    char text[2048];
    uint32_t count;
    uint32_t most; /* the visit fails at this route */
};

static enum ndp_status note(void *context, const struct ndp_route *route) {
    struct seen *seen = context;
    char text[NDP_ROUTE_TEXT_BYTES];
    const size_t at = strlen(seen->text);
    if (seen->count == seen->most) return NDP_LIMIT;
    seen->count++;
    ndp_descriptor_print_route(route, text);
    snprintf(seen->text + at, sizeof seen->text - at, "%s%s %s %s", at > 0 ? "; " : "", route->encoder, text,
             route->decoder);
    return NDP_OK;
}

static void visits_come_in_order_until_one_fails(void **state) {
    struct world world;
    struct ndp_route_list list;
    struct seen seen = {.most = 99};
    const struct ndp_route named = {.format = "npy", .decode = "mmap:r"};
    make_world(&world);
    list_all(&world, &everything, &list);
    assert_int_equal(ndp_routes_visit(&list, &world.bench, NDP_CASE_ROUND_TRIP, &named, note, &seen), NDP_OK);
    assert_string_equal(seen.text, "a-1.2 npy:memory>mmap:r b; a-1.2 npy:file>mmap:r b; b npy:memory>mmap:r b");
    seen = (struct seen){.most = 1};
    assert_int_equal(ndp_routes_visit(&list, &world.bench, NDP_CASE_ROUND_TRIP, &named, note, &seen), NDP_LIMIT);
    assert_int_equal(seen.count, 1);
    seen = (struct seen){.most = 99};
    assert_int_equal(ndp_routes_visit(&list, &world.bench, NDP_CASE_DECODE, &named, note, &seen), NDP_OK);
    assert_string_equal(seen.text, " npy>mmap:r b");
    ndp_routes_clear(&list);
}

static void a_pick_wraps_around(void **state) {
    struct world world;
    struct ndp_route_list list;
    const struct ndp_route named = {.format = "npy", .decode = "mmap:r"}, none = {.format = "npz"};
    static const uint64_t picks[] = {0, 1, 2, 3, 5, UINT64_MAX};
    static const char *const encodes[] = {"memory", "file", "memory", "memory", "memory", "memory"};
    static const char *const encoders[] = {"a-1.2", "a-1.2", "b", "a-1.2", "b", "a-1.2"};
    make_world(&world);
    list_all(&world, &everything, &list);
    for (size_t i = 0; i < NDP_ARRAY_LEN(picks); i++) {
        const struct ndp_route *route = ndp_routes_pick(&list, &world.bench, NDP_CASE_ROUND_TRIP, &named, picks[i]);
        assert_non_null(route);
        assert_string_equal(route->encode, encodes[i]);
        assert_string_equal(route->encoder, encoders[i]);
    }
    assert_null(ndp_routes_pick(&list, &world.bench, NDP_CASE_ROUND_TRIP, &none, 0));
    ndp_routes_clear(&list);
}

NDP_SUITE(routes_test, NDP_TEST(groups_have_a_fixed_order), NDP_TEST(a_filter_excludes_other_routes),
          NDP_TEST(a_name_selects_a_target_or_a_library), NDP_TEST(generated_decode_cases_need_named_faults),
          NDP_TEST(a_route_needs_both_ends), NDP_TEST(named_words_must_fit_and_empty_words_always_do),
          NDP_TEST(a_variant_must_be_named), NDP_TEST(variants_have_a_group_of_their_own),
          NDP_TEST(a_route_is_completed_by_the_named_settings), NDP_TEST(visits_come_in_order_until_one_fails),
          NDP_TEST(a_pick_wraps_around));
