#include "base/suite.h"
#include "cmd/list_untested.h"
#include "cmd/printed_fixture.h"

/* A run with the targets reference, numpy and numba, of which only the first two have compared something. */
struct world {
    struct ndp_target targets[3];
    struct ndp_opened opened;
    struct ndp_settings settings;
    struct ndp_report report;
    struct ndp_untested_request request;
};

static void set_target(struct world *world, uint32_t index, const char *name, const char *environment,
                       const char *format, const char *libraries) {
    struct ndp_target_info *info = &world->targets[index].info;
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(info->implementation, sizeof info->implementation, "%s", name);
    snprintf(info->environment, sizeof info->environment, "%s", environment);
    snprintf(info->language, sizeof info->language, "CPython 3.11.2");
    snprintf(info->entries[0].format, sizeof info->entries[0].format, "%s", format);
    info->entries[0].takes_dicts = strcmp(format, "typed.Dict") == 0;
    info->entry_count = 1;
    for (const char *at = libraries; *at != '\0'; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        struct ndp_library *library = &info->libraries[info->library_count++];
        snprintf(library->name, sizeof library->name, "%.*s", (int)size, at);
        snprintf(library->version, sizeof library->version, "1");
        at += size;
    }
    world->opened.bench.targets[index] = &world->targets[index];
    world->opened.bench.count = index + 1;
}

static struct world *make_world(const char *environment) {
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    const struct ndp_report_run run = {.version = "1", .commit = "c"};
    assert_int_equal(ndp_report_init(&world->report, &run), NDP_OK);
    set_target(world, 0, "reference", "", "npy", "reference");
    set_target(world, 1, "numpy", environment, "npy", "numpy joblib cloudpickle dill multiprocess astropy");
    set_target(world, 2, "numba", environment, "typed.Dict", "numba");
    for (uint32_t i = 0; i < 3; i++) ndp_report_target(&world->report, &world->targets[i]);
    world->report.comparisons = world->report.targets[0].comparisons = world->report.targets[1].comparisons = 7;
    world->request = (struct ndp_untested_request){.settings = &world->settings, .opened = &world->opened};
    return world;
}

static void free_world(struct world *world) {
    ndp_report_clear(&world->report);
    free(world);
}

static void miss_target(struct world *world, const char *library, const char *environment, bool is_main) {
    struct ndp_missing *missing = &world->opened.missing[world->opened.missing_count++];
    snprintf(missing->name, sizeof missing->name, "%s@%s", library, environment);
    snprintf(missing->library, sizeof missing->library, "%s", library);
    snprintf(missing->environment, sizeof missing->environment, "%s", environment);
    snprintf(missing->reason, sizeof missing->reason, "no %s here", library);
    missing->is_main = is_main;
}

static void own(struct world *world, const char *environment) {
    snprintf(world->opened.own[world->opened.own_count++], NDP_WORD_BYTES, "%s", environment);
}

/* Prints the items that gate, "NAME, NAME", and compares. */
static void expect_gating(struct world *world, const char *expected) {
    char text[1024] = "";
    struct ndp_error error = {0};
    if (ndp_list_untested(&world->request, &world->report, &error) != NDP_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < world->report.untested.count; i++) {
        const struct ndp_untested *item = &world->report.untested.items[i];
        assert_true(item->reason[0] != '\0');
        if (!ndp_untested_gates(item)) continue;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] != '\0' ? ", " : "", item->name);
    }
    if (strcmp(text, expected) != 0) fail_msg("expected %s, got %s", expected, text);
}

static void every_target_of_the_request_is_expected(void **state) {
    struct world *world = make_world("mine");
    expect_gating(world, "numba");
    free_world(world);
    /* Built-in targets without work are not. */
    world = make_world("mine");
    world->report.targets[0].comparisons = 0;
    snprintf(world->targets[0].info.entries[0].format, NDP_WORD_BYTES, "raw");
    world->settings.formats = (struct ndp_words){.list = {"npy"}, .count = 1};
    expect_gating(world, "");
    free_world(world);
}

static void names_select_targets(void **state) {
    static const struct {
        const char *named;
        const char *expected;
    } rows[] = {{"numpy", ""}, {"reference", ""}, {"numba", "numba"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world *world = make_world("current");
        own(world, "current");
        world->settings.targets = (struct ndp_words){.list = {rows[i].named}, .count = 1};
        expect_gating(world, rows[i].expected);
        free_world(world);
    }
}

/* A format or property for which a target has no entry point leaves its peers to do the work. */
static void a_narrow_request_expects_what_it_leaves(void **state) {
    static const struct {
        const char *format;
        const char *property;
        bool is_idle; /* numpy compared nothing */
        const char *expected;
    } rows[] = {
        {"npy", NULL, false, ""},          {"npy", NULL, true, "numpy, numba"},   {"typed.Dict", NULL, false, "numba"},
        {NULL, "shape", false, ""},        {NULL, "concurrency", false, "numba"}, {NULL, "shape", true, "numpy, numba"},
        {"npy", "concurrency", false, ""},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world *world = make_world("mine");
        if (rows[i].format != NULL) world->settings.formats = (struct ndp_words){.list = {rows[i].format}, .count = 1};
        if (rows[i].property != NULL)
            ndp_property_set_add(&world->request.properties, ndp_property_find(rows[i].property));
        if (rows[i].is_idle) world->report.targets[1].comparisons = 0;
        expect_gating(world, rows[i].expected);
        free_world(world);
    }
}

/* Given cases name their targets themselves. */
static void given_cases_expect_no_target(void **state) {
    struct world *world = make_world("current");
    own(world, "current");
    miss_target(world, "dill", "current", false);
    world->request.is_given = true;
    expect_gating(world, "");
    free_world(world);
}

/* The list of `current` contains numba, astropy and joblib, but not cudf or "other". */
static void the_list_of_an_environment_decides(void **state) {
    struct world *world = make_world("current");
    own(world, "current");
    world->opened.bench.count = 2;
    world->targets[1].info.library_count = 2; /* numpy and joblib */
    world->targets[1].info.entries[0].takes_graphs = true;
    miss_target(world, "numba", "current", false);
    miss_target(world, "other", "current", false);
    expect_gating(world, "numba@current, cloudpickle@current, dill@current, multiprocess@current, astropy@current, "
                         "scipy@current, ml_dtypes@current");
    const struct ndp_untested_list *list = &world->report.untested;
    assert_string_equal(ndp_untested_find(list, NDP_UNTESTED_TARGET, "other@current")->reason,
                        "its environment does not list it");
    assert_string_equal(ndp_untested_find(list, NDP_UNTESTED_LIBRARY, "cudf@current")->reason,
                        "its environment does not list it");
    assert_null(ndp_untested_find(list, NDP_UNTESTED_LIBRARY, "llvmlite@current"));
    free_world(world);
    /* An environment without a list lacks nothing but its main target. */
    world = make_world("mine");
    world->opened.bench.count = 2;
    miss_target(world, "numba", "mine", false);
    expect_gating(world, "");
    free_world(world);
    world = make_world("mine");
    world->opened.bench.count = 1;
    miss_target(world, "numpy", "mine", true);
    expect_gating(world, "numpy@mine");
    free_world(world);
}

/* Formats of a library that is not there begin with its name. */
static void formats_narrow_the_list(void **state) {
    static const struct {
        const char *format;
        const char *expected;
    } rows[] = {{"npy", "numpy@current"},
                {"joblib.hash", "numpy@current, joblib@current"},
                {"multiprocessing", "numpy@current"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world *world = make_world("current");
        own(world, "current");
        world->opened.bench.count = 1;
        miss_target(world, "numpy", "current", true);
        miss_target(world, "numba", "current", false);
        world->settings.formats = (struct ndp_words){.list = {rows[i].format}, .count = 1};
        expect_gating(world, rows[i].expected);
        free_world(world);
    }
}

static void floors_without_comparisons_are_items(void **state) {
    struct world *world = make_world("mine");
    world->report.targets[2].comparisons = 1;
    ndp_report_add_floor(&world->report, NDP_FLOOR_CASES, "", 100);
    ndp_report_add_floor(&world->report, NDP_FLOOR_FORMAT, "npz", 10);
    ndp_report_add_floor(&world->report, NDP_FLOOR_PROPERTY, "identity", 10);
    ndp_report_add_floor(&world->report, NDP_FLOOR_PROPERTY, "shape", 10);
    world->report.floors[3].done = 4;
    expect_gating(world, "npz, identity");
    free_world(world);
}

/* ---- printing ---- */

static void add_item(struct ndp_report *report, enum ndp_untested_kind kind, const char *name, const char *reason,
                     bool is_expected) {
    struct ndp_untested item = {.kind = kind, .is_expected = is_expected};
    snprintf(item.name, sizeof item.name, "%s", name);
    snprintf(item.reason, sizeof item.reason, "%s", reason);
    if (kind == NDP_UNTESTED_BASELINE) snprintf(item.needs, sizeof item.needs, "numpy");
    assert_int_equal(ndp_untested_add(&report->untested, &item), NDP_OK);
}

static void the_last_line_names_what_is_missing(void **state) {
    struct ndp_report report = {.comparisons = 1};
    struct printed printed;
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "");
    const char *const allowed[] = {"numpy", "cudf"};
    ndp_untested_allow(&report.untested, allowed, 1);
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "--allow-missing numpy: nothing of this name is missing\n");
    ndp_untested_allow(&report.untested, &allowed[1], 1);
    add_item(&report, NDP_UNTESTED_LIBRARY, "cudf@current", "not in its list", false);
    add_item(&report, NDP_UNTESTED_TARGET, "numba@current", "not installed", true);
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "not tested, as permitted: cudf@current (not in its list)\n"
                             "NOT TESTED: numba@current (not installed); use --allow-missing numba to accept that\n");
    add_item(&report, NDP_UNTESTED_FORMAT, "npz", "0 comparisons", true);
    add_item(&report, NDP_UNTESTED_LIBRARY, "dill@current", "not installed", true);
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "not tested, as permitted: cudf@current (not in its list)\n"
                             "NOT TESTED: numba@current, dill@current (not installed); npz (0 comparisons); use "
                             "--allow-missing NAME to accept that\n");
    ndp_untested_clear(&report.untested);
}

static void entries_are_counted(void **state) {
    struct ndp_report report = {.comparisons = 1};
    struct printed printed;
    add_item(&report, NDP_UNTESTED_BASELINE, "3f9a12bc", "numpy was not compared", true);
    add_item(&report, NDP_UNTESTED_BASELINE, "3f9a12bd", "numpy was not compared", true);
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed,
                   "NOT TESTED: 2 entries of the baseline (numpy was not compared); use --allow-missing numpy "
                   "to accept that\n");
    report.comparisons = 0;
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "NOT TESTED: 2 entries of the baseline (numpy was not compared); nothing was compared\n");
    ndp_untested_clear(&report.untested);
    ndp_list_untested_print(printed_open(&printed), &report);
    printed_expect(&printed, "NOT TESTED: nothing was compared\n");
}

NDP_SUITE(list_untested_test, NDP_TEST(every_target_of_the_request_is_expected), NDP_TEST(names_select_targets),
          NDP_TEST(a_narrow_request_expects_what_it_leaves), NDP_TEST(given_cases_expect_no_target),
          NDP_TEST(the_list_of_an_environment_decides), NDP_TEST(formats_narrow_the_list),
          NDP_TEST(floors_without_comparisons_are_items), NDP_TEST(the_last_line_names_what_is_missing),
          NDP_TEST(entries_are_counted));
