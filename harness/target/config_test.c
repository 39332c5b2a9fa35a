#include "base/suite.h"
#include "target/config.h"

#define ARENA_BYTES (UINT64_C(1) << 16)

static enum ndp_status read_text(struct ndp_arena *arena, const char *path, const char *text, struct ndp_config *out,
                                 struct ndp_error *error) {
    return ndp_config_read(arena, path, ndp_bytes_view(text), out, error);
}

static void environments_are_read(void **state) {
    struct ndp_config config;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(
        read_text(&arena, "ndproof.json",
                  "{\"environments\": {\"old\": \"/opt/old/python3\", \"mine\": {\"python\": \"python3.9\", "
                  "\"codecs\": [\"a:b>c.d:e\"]}, "
                  "\"board-2\": {\"command\": [\"ssh\", \"board\", \"--serve\"]}}}",
                  &config, NULL),
        NDP_OK);
    assert_int_equal(config.count, 3);
    assert_string_equal(ndp_config_find(&config, "old")->python, "/opt/old/python3");
    assert_string_equal(ndp_config_find(&config, "mine")->python, "python3.9");
    assert_null(ndp_config_find(&config, "old")->codecs[0]);
    assert_string_equal(ndp_config_find(&config, "mine")->codecs[0], "a:b>c.d:e");
    assert_null(ndp_config_find(&config, "mine")->codecs[1]);
    const struct ndp_environment *board = ndp_config_find(&config, "board-2");
    assert_null(board->python);
    assert_string_equal(board->command[0], "ssh");
    assert_string_equal(board->command[2], "--serve");
    assert_null(board->command[3]);
    assert_null(ndp_config_find(&config, "other"));
}

/* Only words that name an existing file beside the configuration file are made absolute, never options or absolute
 * paths. */
static void relative_files_are_made_absolute(void **state) {
    struct ndp_config config;
    char folder[] = "/tmp/ndproof-config-XXXXXX", path[64], testee[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/any.json", folder);
    snprintf(testee, sizeof testee, "%s/testee.py", folder);
    FILE *file = fopen(testee, "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(read_text(&arena, path,
                               "{\"environments\": {\"a\": {\"command\": [\"python3\", \"testee.py\", \"-v\"]}}}",
                               &config, NULL),
                     NDP_OK);
    assert_string_equal(config.environments[0].command[0], "python3");
    assert_string_equal(config.environments[0].command[1], testee);
    assert_string_equal(config.environments[0].command[2], "-v");
    assert_int_equal(unlink(testee), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void errors_have_a_place(void **state) {
    static const struct {
        const char *text;
        const char *path;
    } rows[] = {
        {"[]", ""},
        {"{}", ""},
        {"{\"environments\": {\"a\": {\"python\": \"p\", \"codecs\": \"a:b>c:d\"}}}", "/environments/a/codecs"},
        {"{\"environments\": {\"a\": {\"python\": \"p\", \"codecs\": [\"a:b>c:d\", 1]}}}", "/environments/a/codecs/1"},
        {"{\"environments\": {\"a\": {\"python\": \"p\", \"codecs\": [\"a:b>c d\"]}}}", "/environments/a/codecs/0"},
        {"{\"environments\": {\"a\": {\"command\": [\"p\"], \"codecs\": []}}}", "/environments/a/codecs"},
        {"{\"environments\": []}", "/environments"},
        {"{\"environments\": {}, \"targets\": {}}", "/targets"},
        {"{\"environments\": {\"a\": 1}}", "/environments/a"},
        {"{\"environments\": {\"a\": \"\"}}", "/environments/a"},
        {"{\"environments\": {\"a b\": \"python3\"}}", "/environments/a b"},
        {"{\"environments\": {\"a/b\": \"python3\"}}", "/environments/a~1b"},
        {"{\"environments\": {\"\": \"python3\"}}", "/environments/"},
        {"{\"environments\": {\"a\": {}}}", "/environments/a"},
        {"{\"environments\": {\"a\": {\"python\": \"p\", \"command\": [\"c\"]}}}", "/environments/a"},
        {"{\"environments\": {\"a\": {\"command\": []}}}", "/environments/a/command"},
        {"{\"environments\": {\"a\": {\"command\": \"c\"}}}", "/environments/a/command"},
        {"{\"environments\": {\"a\": {\"command\": [\"c\", 1]}}}", "/environments/a/command/1"},
        {"{\"environments\": {\"a\": {\"pyhton\": \"p\"}}}", "/environments/a/pyhton"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_config config;
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (read_text(&arena, "x.json", rows[i].text, &config, &error) != NDP_INVALID) fail_msg("%s", rows[i].text);
        if (strcmp(error.path, rows[i].path) != 0) fail_msg("%s: at %s", rows[i].text, error.path);
    }
}

static void every_failed_allocation_is_an_error(void **state) {
    struct ndp_arena arena;
    struct ndp_config config;
    uint64_t call = 1;
    for (;; call++) {
        ndp_arena_init(&arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, call);
        enum ndp_status status =
            read_text(&arena, "x", "{\"environments\": {\"a\": \"python3\", \"b\": {\"command\": [\"c\", \"d\"]}}}",
                      &config, NULL);
        ndp_arena_clear(&arena);
        if (status == NDP_OK) break;
        assert_int_equal(status, NDP_NOMEM);
    }
    assert_int_equal(call, 4);
}

NDP_SUITE(config_test, NDP_TEST(environments_are_read), NDP_TEST(relative_files_are_made_absolute),
          NDP_TEST(errors_have_a_place), NDP_TEST(every_failed_allocation_is_an_error));
