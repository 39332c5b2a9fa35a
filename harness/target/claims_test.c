#include "base/suite.h"
#include "target/claims.h"
#include "target/plugin_dict.h"

static const struct ndp_plugin_entry entries[] = {{"bytes", "memory", true, true},
                                                  {"bytes", "file", false, true},
                                                  {"pickle:5:in-band", "c", true, false},
                                                  {NULL, NULL, false, false}};

static const struct ndp_plugin plugin = {
    .abi = NDP_PLUGIN_ABI, .name = "told", .version = "1", .kinds = "u", .max_ndim = 99, .entries = entries};

static void an_entry_is_found_by_format_entry_and_direction(void **state) {
    static const struct {
        struct ndp_step step;
        bool to_encode;
        int found; /* -1: none */
    } rows[] = {
        {{.format = "bytes", .entry = "memory"}, true, 0},
        {{.format = "bytes", .entry = "file"}, false, 1},
        {{.format = "bytes", .entry = "file"}, true, -1},
        {{.format = "other", .entry = "memory"}, true, -1},
        {{.format = "pickle", .entry = "c", .protocol = 5, .buffers = "in-band"}, true, 2},
        {{.format = "pickle", .entry = "c", .protocol = 4, .buffers = "in-band"}, true, -1},
        {{.format = "pickle", .entry = "c", .protocol = 5, .buffers = "out-of-band"}, true, -1},
        {{.format = "pickle", .entry = "c", .protocol = 5, .buffers = "in-band"}, false, -1},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_plugin_entry *found = ndp_claims_find(entries, &rows[i].step, rows[i].to_encode);
        if (found != (rows[i].found < 0 ? NULL : &entries[rows[i].found])) fail_msg("row %u", (unsigned)i);
    }
}

static void claims_of_a_plugin_are_converted(void **state) {
    static struct ndp_target_info info;
    ndp_claims_to_info(&plugin, &info);
    assert_string_equal(info.name, "told");
    assert_string_equal(info.implementation, "told");
    assert_string_equal(info.version, "1");
    assert_string_equal(info.language, "C");
    assert_string_equal(info.environment, "");
    assert_string_equal(info.kinds, "u");
    assert_int_equal(info.max_ndim, NDP_MAX_NDIM);
    assert_int_equal(info.library_count, 1);
    assert_string_equal(info.libraries[0].name, "told");
    assert_int_equal(info.entry_count, 3);
    assert_string_equal(info.entries[2].format, "pickle");
    assert_int_equal(info.entries[2].protocol, 5);
    assert_string_equal(info.entries[2].buffers, "in-band");
    assert_true(info.entries[2].encodes && !info.entries[2].decodes);
    assert_string_equal(info.entries[2].library, "told");
}

static void an_invalid_plugin_is_refused_with_the_reason(void **state) {
    static const struct ndp_plugin_entry long_word[] = {{"a-format-with-a-name-that-is-too-long", "memory", true, true},
                                                        {NULL, NULL, false, false}};
    static const struct ndp_plugin_entry no_word[] = {{"npy", NULL, true, true}, {NULL, NULL, false, false}};
    static struct ndp_plugin_entry many[NDP_MAX_ENTRIES + 2];
    for (int i = 0; i <= NDP_MAX_ENTRIES; i++) many[i] = entries[0];
    enum { ABI, NAME, VERSION, KINDS, ENTRIES, LONG_NAME, LONG_WORD, NO_WORD, MANY, DICT, COUNT };
    static const char *const why[COUNT] = {[ABI] = "another version of plugin.h",
                                           [NAME] = "a required member is missing",
                                           [VERSION] = "a required member is missing",
                                           [KINDS] = "a required member is missing",
                                           [ENTRIES] = "a required member is missing",
                                           [LONG_NAME] = "too long",
                                           [LONG_WORD] = "too long",
                                           [NO_WORD] = "has no format",
                                           [MANY] = "too many entries",
                                           [DICT] = "lacks a function"};
    static const struct ndp_plugin_dict no_dict = {.format = "dict"};
    for (int what = 0; what < COUNT; what++) {
        struct ndp_plugin bad = plugin;
        struct ndp_error error = {0};
        if (what == ABI) bad.abi = 0;
        if (what == NAME) bad.name = NULL;
        if (what == VERSION) bad.version = NULL;
        if (what == KINDS) bad.kinds = NULL;
        if (what == ENTRIES) bad.entries = NULL;
        if (what == LONG_NAME) bad.name = "a-name-that-does-not-fit-into-a-word";
        if (what == LONG_WORD) bad.entries = long_word;
        if (what == NO_WORD) bad.entries = no_word;
        if (what == MANY) bad.entries = many;
        if (what == DICT) bad.dict = &no_dict;
        assert_int_equal(ndp_claims_check(&bad, &error), NDP_INVALID);
        if (strstr(error.text, why[what]) == NULL) fail_msg("%d: %s", what, error.text);
    }
    assert_int_equal(ndp_claims_check(&plugin, NULL), NDP_OK);
}

NDP_SUITE(claims_test, NDP_TEST(an_entry_is_found_by_format_entry_and_direction),
          NDP_TEST(claims_of_a_plugin_are_converted), NDP_TEST(an_invalid_plugin_is_refused_with_the_reason));
