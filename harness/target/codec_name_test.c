#include "base/suite.h"
#include "target/codec_name.h"

static void import_paths_are_accepted(void **state) {
    static const char *const texts[] = {"jsonpickle:encode>jsonpickle:decode", "a.b_1:C.f>_x:g",
                                        "a:b>c:d>e.f:register"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        struct ndp_error error = {.text = ""};
        if (ndp_codec_name_check(texts[i], &error) != NDP_OK) fail_msg("%s: %s", texts[i], error.text);
    }
}

static void other_texts_are_refused_with_their_place(void **state) {
    static const struct {
        const char *text;
        uint64_t offset;
    } rows[] = {{"", 0},        {"jsonpickle", 10}, {"json pickle:a>b:c", 4}, {"a:b", 3},           {"a:b>c", 5},
                {"a:b>c:", 6},  {"a.:b>c:d", 2},    {".a:b>c:d", 0},          {"a:b>c:d>e:f>", 11}, {"a:b>c:d>", 8},
                {"a:1>c:d", 2}, {"a/b:c>d:e", 1},   {"a:b>c:d;import os", 7}, {"\xc3\xa9:b>c:d", 0}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_error error = {.text = ""};
        assert_int_equal(ndp_codec_name_check(rows[i].text, &error), NDP_INVALID);
        if (error.offset_bytes != rows[i].offset)
            fail_msg("%s: %s at %u", rows[i].text, error.text, (unsigned)error.offset_bytes);
    }
    struct ndp_error error = {.text = ""};
    assert_int_equal(ndp_codec_name_check("a_module_with_a_name_of_32_bytes:b>c:d", &error), NDP_LIMIT);
    assert_int_equal(ndp_codec_name_check("a_module_with_a_name_of_31_byte:b>c:d", &error), NDP_OK);
}

NDP_SUITE(codec_name_test, NDP_TEST(import_paths_are_accepted), NDP_TEST(other_texts_are_refused_with_their_place));
