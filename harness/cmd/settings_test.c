#include "base/suite.h"
#include "cmd/settings.h"

#define ALL ((UINT64_C(1) << NDP_OPTION_COUNT) - 1)

/* Reads words that end with NULL. */
static enum ndp_status read_words(const char *const *words, uint64_t allowed, struct ndp_settings *out,
                                  struct ndp_error *error) {
    static char copies[16][64];
    static char *argv[17];
    int argc = 0;
    for (; words[argc] != NULL; argc++) {
        assert_true(argc < 16 && strlen(words[argc]) < sizeof copies[0]);
        strcpy(copies[argc], words[argc]);
        argv[argc] = copies[argc];
    }
    argv[argc] = NULL;
    return ndp_settings_read(argc, argv, 2, allowed, out, error);
}

static void words_become_settings(void **state) {
    static const char *const words[] = {"ndproof",      "sweep",    "--seed", "7",        "--target=a", "one.json",
                                        "--in-process", "--cases",  "0x10",   "--target", "b",          "--report=r=s",
                                        "two",          "--format", "npy",    NULL};
    static struct ndp_settings settings;
    struct ndp_error error = {0};
    assert_int_equal(read_words(words, ALL, &settings, &error), NDP_OK);
    assert_int_equal(settings.argc, 15);
    assert_int_equal(settings.seed, 7);
    assert_int_equal(settings.cases, 16);
    assert_int_equal(settings.targets.count, 2);
    assert_string_equal(settings.targets.list[0], "a");
    assert_string_equal(settings.targets.list[1], "b");
    assert_string_equal(settings.report, "r=s");
    assert_int_equal(settings.formats.count, 1);
    assert_true(settings.is_in_process && !settings.is_help);
    assert_int_equal(settings.files.count, 2);
    assert_string_equal(settings.files.list[0], "one.json");
    assert_string_equal(settings.files.list[1], "two");
    for (int i = 0; i < NDP_OPTION_COUNT; i++) {
        const bool is_given = i == NDP_OPTION_SEED || i == NDP_OPTION_CASES || i == NDP_OPTION_TARGET ||
                              i == NDP_OPTION_FORMAT || i == NDP_OPTION_REPORT || i == NDP_OPTION_IN_PROCESS;
        assert_int_equal(ndp_settings_has(&settings, (enum ndp_option)i), is_given);
    }
}

static void defaults_are_empty(void **state) {
    static const char *const words[] = {"ndproof", "sweep", NULL};
    static struct ndp_settings settings;
    memset(&settings, 0xff, sizeof settings);
    assert_int_equal(read_words(words, 0, &settings, NULL), NDP_OK);
    assert_int_equal(settings.given, 0);
    assert_int_equal(settings.seed, 0);
    assert_int_equal(settings.files.count, 0);
    assert_null(settings.report);
}

static void files_may_be_named_like_options(void **state) {
    static const char *const words[] = {"ndproof", "show", "--in-process", "--", "--in-process", "--", NULL};
    static struct ndp_settings settings;
    assert_int_equal(read_words(words, ALL, &settings, NULL), NDP_OK);
    assert_true(settings.is_in_process);
    assert_int_equal(settings.files.count, 2);
    assert_string_equal(settings.files.list[0], "--in-process");
    assert_string_equal(settings.files.list[1], "--");
}

static void errors_name_the_word(void **state) {
    static const struct {
        const char *words[5];
        uint64_t allowed;
        const char *why;
    } rows[] = {
        {{"n", "c", "--nothing"}, ALL, "unknown option '--nothing'"},
        {{"n", "c", "--see", "1"}, ALL, "unknown option '--see'"},
        {{"n", "c", "--seed", "1"}, NDP_OPTION_BIT(CASES), "unknown option '--seed'"},
        {{"n", "c", "---"}, ALL, "unknown option '---'"},
        {{"n", "c", "--seed"}, ALL, "--seed takes N"},
        {{"n", "c", "--report"}, ALL, "--report takes FILE"},
        {{"n", "c", "--in-process=yes"}, ALL, "--in-process takes no value"},
        {{"n", "c", "--seed", "x"}, ALL, "--seed takes a number, not 'x'"},
        {{"n", "c", "--seed", "-1"}, ALL, "--seed takes a number, not '-1'"},
        {{"n", "c", "--seed", "1x"}, ALL, "--seed takes a number, not '1x'"},
        {{"n", "c", "--seed="}, ALL, "--seed takes a number, not ''"},
        {{"n", "c", "--seed", "18446744073709551616"}, ALL, "--seed takes a number, not '18446744073709551616'"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        static struct ndp_settings settings;
        struct ndp_error error = {0};
        settings.seed = 99;
        assert_int_equal(read_words(rows[i].words, rows[i].allowed, &settings, &error), NDP_INVALID);
        assert_string_equal(error.text, rows[i].why);
        assert_int_equal(settings.seed, 99);
    }
}

/* The bits of the last options are beyond 32. */
static void late_options_have_bits(void **state) {
    static const char *const words[] = {"n", "c", "--min-triples", "90", "--shard=1/2", NULL};
    static struct ndp_settings settings;
    struct ndp_error error = {0};
    const uint64_t allowed = NDP_OPTION_BIT(MIN_TRIPLES) | NDP_OPTION_BIT(SHARD);
    assert_int_equal(read_words(words, allowed, &settings, &error), NDP_OK);
    assert_int_equal(settings.min_triples, 90);
    assert_string_equal(settings.shard, "1/2");
    assert_int_equal(settings.given, allowed);
    assert_int_equal(read_words(words, NDP_OPTION_BIT(SHARD), &settings, &error), NDP_INVALID);
    assert_string_equal(error.text, "unknown option '--min-triples'");
}

/* Every command takes --help, spelled exactly so. */
static void help_is_always_allowed(void **state) {
    static const char *const words[] = {"n", "c", "--help", NULL};
    static struct ndp_settings settings;
    assert_int_equal(read_words(words, 0, &settings, NULL), NDP_OK);
    assert_true(settings.is_help);
    assert_true(ndp_settings_has(&settings, NDP_OPTION_HELP));
}

static void the_number_of_words_is_limited(void **state) {
    static char word[] = "file";
    static char *argv[NDP_MAX_WORDS + 3];
    static struct ndp_settings settings;
    struct ndp_error error = {0};
    for (int i = 0; i < NDP_MAX_WORDS + 3; i++) argv[i] = word;
    assert_int_equal(ndp_settings_read(NDP_MAX_WORDS + 2, argv, 2, ALL, &settings, &error), NDP_OK);
    assert_int_equal(settings.files.count, NDP_MAX_WORDS);
    assert_int_equal(ndp_settings_read(NDP_MAX_WORDS + 3, argv, 2, ALL, &settings, &error), NDP_INVALID);
    assert_string_equal(error.text, "too many arguments at 'file'");
}

static void every_option_has_its_help(void **state) {
    for (int i = 0; i < NDP_OPTION_COUNT; i++) {
        const struct ndp_option_row *row = ndp_option_row((enum ndp_option)i);
        assert_true(strlen(row->word) > 0 && strlen(row->help) > 0);
        for (int k = 0; k < i; k++) assert_string_not_equal(row->word, ndp_option_row((enum ndp_option)k)->word);
    }
    assert_string_equal(ndp_option_row(NDP_OPTION_SEED)->word, "seed");
    assert_true(NDP_OPTION_COUNT > 32 && NDP_OPTION_BIT(HELP) == UINT64_C(1) << (NDP_OPTION_COUNT - 1));
    assert_string_equal(ndp_option_row(NDP_OPTION_SEED)->argument, "N");
}

NDP_SUITE(settings_test, NDP_TEST(words_become_settings), NDP_TEST(defaults_are_empty),
          NDP_TEST(files_may_be_named_like_options), NDP_TEST(errors_name_the_word), NDP_TEST(help_is_always_allowed),
          NDP_TEST(late_options_have_bits), NDP_TEST(the_number_of_words_is_limited),
          NDP_TEST(every_option_has_its_help));
