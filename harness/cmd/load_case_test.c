#include "base/suite.h"
#include "base/temporary.h"
#include "cmd/load_case.h"
#include "cmd/printed_fixture.h"

#include <sys/stat.h>

#define DESCRIPTOR "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[2]}}}}"

struct world {
    struct ndp_arena arena;
    char folder[256];
    char path[320];
};

static void make(struct world *world, const char *name, const void *bytes, size_t size_bytes) {
    ndp_arena_init(&world->arena, 1 << 22);
    snprintf(world->folder, sizeof world->folder, "%s/ndproof-load-XXXXXX", ndp_temporary_parent());
    assert_non_null(mkdtemp(world->folder));
    snprintf(world->path, sizeof world->path, "%s/%s", world->folder, name);
    FILE *file = fopen(world->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void clear(struct world *world) {
    assert_int_equal(unlink(world->path), 0);
    assert_int_equal(rmdir(world->folder), 0);
    ndp_arena_clear(&world->arena);
}

static void json_is_a_descriptor_a_finding_or_a_report(void **state) {
    static const struct {
        const char *text;
        uint32_t count;
        const char *signature; /* of the last */
    } rows[] = {
        {DESCRIPTOR, 1, ""},
        {" \n\t" DESCRIPTOR, 1, ""},
        {"{\"signature\":\"s\",\"descriptor\":" DESCRIPTOR ",\"count\":3}", 1, "s"},
        {"{\"findings\":[{\"signature\":\"a\",\"descriptor\":" DESCRIPTOR "},{\"descriptor\":" DESCRIPTOR
         ",\"signature\":\"b\"}]}",
         2, "b"},
        {"{\"findings\":[]}", 0, NULL},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        struct ndp_loaded loaded = {0};
        struct ndp_error error = {0};
        make(&world, "case.json", rows[i].text, strlen(rows[i].text));
        if (ndp_load_case(&world.arena, world.path, &loaded, &error) != NDP_OK) fail_msg("%s", error.text);
        assert_int_equal(loaded.count, rows[i].count);
        for (uint32_t k = 0; k < loaded.count; k++) {
            assert_int_equal(loaded.cases[k].descriptor.kind, NDP_CASE_ROUND_TRIP);
            assert_int_equal(loaded.cases[k].descriptor.value.array.base.shape[0], 2);
        }
        if (loaded.count > 0) assert_string_equal(loaded.cases[loaded.count - 1].signature, rows[i].signature);
        clear(&world);
    }
}

/* Any other file in a known format is a decode case; see file_format_test.c. */
static void other_files_are_decode_cases(void **state) {
    static const struct {
        const char *name, *bytes;
        size_t size_bytes;
        const char *format;
        int32_t protocol;
    } rows[] = {
        {"crash", "\x93NUMPY", 6, "npy", 0},       {"cut.npy", "", 0, "npy", 0},
        {"crash", "PK\3\4", 4, "npz", 0},          {"crash", "\x80\4K\1.", 5, "pickle", 4},
        {"crash", "\x80\xffK\1.", 5, "pickle", 5}, {"crash", "I1\n.", 4, "pickle", 0},
        {"crash.pkl", "", 0, "pickle", 0},         {"crash.joblib", "\x80\4K\1.", 5, "joblib", 0},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        struct ndp_loaded loaded = {0};
        make(&world, rows[i].name, rows[i].bytes, rows[i].size_bytes);
        assert_int_equal(ndp_load_case(&world.arena, world.path, &loaded, NULL), NDP_OK);
        assert_int_equal(loaded.count, 1);
        const struct ndp_descriptor *descriptor = &loaded.cases[0].descriptor;
        assert_int_equal(descriptor->kind, NDP_CASE_DECODE);
        assert_string_equal(descriptor->route.format, rows[i].format);
        assert_int_equal(descriptor->route.protocol, rows[i].protocol);
        assert_int_equal(descriptor->bytes.size_bytes, rows[i].size_bytes);
        assert_memory_equal(descriptor->bytes.data, rows[i].bytes, rows[i].size_bytes);
        clear(&world);
    }
}

/* A corpus file gets its route and expectation from the index, wherever the corpus is. */
static void corpus_files_are_described_by_the_index(void **state) {
    static const struct {
        const char *path, *file, *format, *buffers;
        int32_t protocol;
        enum ndp_expect expect;
    } rows[] = {
        {"corpus/npy/refuse/cut_data.npy", "npy/refuse/cut_data.npy", "npy", "", 0, NDP_EXPECT_REFUSE},
        {"./corpus/../corpus/npy/accept/f8_c.npy", "npy/accept/f8_c.npy", "npy", "", 0, NDP_EXPECT_ACCEPT},
        {"corpus/pickle/accept/i4_p1.pkl", "pickle/accept/i4_p1.pkl", "pickle", "", 1, NDP_EXPECT_ACCEPT},
        {"corpus/pickle/accept/readonly_p5.pkl", "pickle/accept/readonly_p5.pkl", "pickle", "in-band", 5,
         NDP_EXPECT_ACCEPT},
        {"corpus/npz/open/bomb.npz", "npz/open/bomb.npz", "npz", "", 0, NDP_EXPECT_OPEN},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_loaded loaded = {0};
        NDP_ARENA_SCOPED(arena, UINT64_C(1) << 24);
        assert_int_equal(ndp_load_case(&arena, rows[i].path, &loaded, NULL), NDP_OK);
        const struct ndp_descriptor *descriptor = &loaded.cases[0].descriptor;
        assert_string_equal(descriptor->file, rows[i].file);
        assert_true(descriptor->bytes.size_bytes > 0);
        assert_string_equal(descriptor->route.format, rows[i].format);
        assert_string_equal(descriptor->route.buffers, rows[i].buffers);
        assert_int_equal(descriptor->route.protocol, rows[i].protocol);
        assert_int_equal(descriptor->expect, rows[i].expect);
    }
}

static void a_file_in_no_known_format_is_an_error(void **state) {
    static const struct {
        const char *name, *bytes;
    } rows[] = {{"empty", ""}, {"notes.txt", "Some words.\n"}, {"archive.zip", "PX"}, {"crash-1", "\xff\xff"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        struct ndp_loaded loaded = {0};
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        make(&world, rows[i].name, rows[i].bytes, strlen(rows[i].bytes));
        assert_int_equal(ndp_load_case(&world.arena, world.path, &loaded, &error), NDP_INVALID);
        assert_int_equal(error.offset_bytes, NDP_NO_OFFSET);
        assert_non_null(strstr(error.text, "unknown format"));
        clear(&world);
    }
}

/* Only the severity of a report shows whether a finding is a documented loss. */
static void a_finding_may_be_a_documented_loss(void **state) {
    static const struct {
        const char *severity;
        bool is_documented;
    } rows[] = {{"", false},
                {",\"severity\":\"defect\"", false},
                {",\"severity\":\"documented-loss\"", true},
                {",\"severity\":\"hazard\"", true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        struct ndp_loaded loaded = {0};
        char text[512];
        snprintf(text, sizeof text, "{\"signature\":\"s\"%s,\"descriptor\":%s}", rows[i].severity, DESCRIPTOR);
        make(&world, "finding.json", text, strlen(text));
        assert_int_equal(ndp_load_case(&world.arena, world.path, &loaded, NULL), NDP_OK);
        assert_int_equal(loaded.cases[0].is_documented, rows[i].is_documented);
        clear(&world);
    }
}

/* The line and column are those in the file, also for a descriptor inside a finding. */
static void errors_have_line_and_column(void **state) {
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"{\"value\":\n {\"array\":\n  {\"base\": 5}}}", ":3:12: "},
        {"{\"findings\":[\n{\"signature\":\"x\"}]}", ":2:1: expected a descriptor"},
        {"{\"findings\":[{\"descriptor\":{\"value\":\n{\"array\":{\"base\":5}}}}]}", ":2:18: "},
        {"{\"descriptor\":\n5}", ":2:1: expected a descriptor"},
        {"{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]},"
         "\"class\":{"
         "\"name\":\"Quantity\"}},\"attributes\":{\"unit\":1}},{\"text\":\"km\"}]}}}",
         ": nodes[0]: elements of a quantity are not floats"},
        {"{", ":1:2: "},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        struct printed printed;
        struct ndp_loaded loaded = {0};
        char text[1024], expected[512];
        make(&world, "case.json", rows[i].text, strlen(rows[i].text));
        const struct ndp_words files = {.list = {world.path}, .count = 1};
        errors_begin(&printed);
        const bool is_loaded = ndp_load_case_or_print(&world.arena, world.path, &loaded);
        const bool is_readable = ndp_load_case_all_readable(&files);
        errors_end(&printed, text, sizeof text);
        assert_false(is_loaded);
        assert_false(is_readable);
        snprintf(expected, sizeof expected, "%s%s", world.path, rows[i].expected);
        if (strncmp(text, expected, strlen(expected)) != 0) fail_msg("%s, not %s", text, expected);
        clear(&world);
    }
}

static void only_existing_regular_files_are_read(void **state) {
    struct world world;
    struct ndp_bytes bytes = {NULL, 0};
    struct ndp_error error = {0};
    make(&world, "file.npy", "0123456789", 10);
    assert_int_equal(ndp_load_case_file(&world.arena, world.path, 10, &bytes, &error), NDP_OK);
    assert_int_equal(bytes.size_bytes, 10);
    assert_int_equal(ndp_load_case_file(&world.arena, world.path, 9, &bytes, &error), NDP_LIMIT);
    assert_string_equal(error.text, "the file has more than 9 bytes");
    assert_int_equal(ndp_load_case_file(&world.arena, world.folder, 10, &bytes, &error), NDP_IO);
    assert_string_equal(error.text, "not a regular file");
    assert_int_equal(ndp_load_case_file(&world.arena, "/no/such/file", 10, &bytes, &error), NDP_IO);
    ndp_arena_fail_at(&world.arena, 1);
    assert_int_equal(ndp_load_case_file(&world.arena, world.path, 10, &bytes, &error), NDP_NOMEM);
    /* Standard input is read once, and not by who only asks. */
    const struct ndp_words files = {.list = {"-", world.path}, .count = 2};
    assert_true(ndp_load_case_all_readable(&files));
    clear(&world);
}

static void out_of_memory_is_an_error(void **state) {
    static const char *const texts[] = {DESCRIPTOR, "PK\3\4", "{\"findings\":[{\"descriptor\":" DESCRIPTOR "}]}"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        struct world world;
        bool is_over = false;
        make(&world, "case", texts[i], strlen(texts[i]));
        for (uint64_t call = 1; !is_over; call++) {
            struct ndp_loaded loaded;
            ndp_arena_clear(&world.arena);
            ndp_arena_fail_at(&world.arena, call);
            const enum ndp_status status = ndp_load_case(&world.arena, world.path, &loaded, NULL);
            is_over = world.arena.fail_at != 0;
            assert_int_equal(status, is_over ? NDP_OK : NDP_NOMEM);
        }
        clear(&world);
    }
}

NDP_SUITE(load_case_test, NDP_TEST(json_is_a_descriptor_a_finding_or_a_report), NDP_TEST(other_files_are_decode_cases),
          NDP_TEST(corpus_files_are_described_by_the_index), NDP_TEST(a_file_in_no_known_format_is_an_error),
          NDP_TEST(a_finding_may_be_a_documented_loss), NDP_TEST(errors_have_line_and_column),
          NDP_TEST(only_existing_regular_files_are_read), NDP_TEST(out_of_memory_is_an_error));
