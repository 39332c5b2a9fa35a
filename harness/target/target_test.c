#include "base/suite.h"
#include "model/graph/array_class.h"
#include "target/plugin.h"
#include "target/registry.h"
#include "target/target.h"

/* Rows with encoder and decoder together or apart, and graphs instead of or in addition to arrays. */
static const struct ndp_target_info info = {
    .libraries = {{.name = "numpy", .version = "2.4.6"}, {.name = "joblib", .version = "1.5"}},
    .library_count = 2,
    .entries =
        {{.format = "npy", .entry = "memory", .encodes = true},
         {.format = "npy", .entry = "memory", .decodes = true},
         {.format = "npy", .entry = "mapped", .encodes = true},
         {.format = "pickle", .entry = "c", .protocol = 4, .encodes = true, .decodes = true},
         {.format = "pickle", .entry = "c", .protocol = 5, .buffers = "in-band", .encodes = true, .takes_graphs = true},
         {.format = "graph",
          .entry = "own",
          .encodes = true,
          .decodes = true,
          .takes_graphs = true,
          .takes_no_arrays = true},
         {.format = "dict", .entry = "thread", .transports = true, .takes_dicts = true}},
    .entry_count = 7,
};

/* A route with one word for both of its entry points. */
static struct ndp_route route_by(const char *format, const char *entry, const char *buffers, int32_t protocol) {
    struct ndp_route route = {.protocol = protocol};
    strcpy(route.format, format);
    strcpy(route.encode, entry);
    strcpy(route.decode, entry);
    strcpy(route.buffers, buffers);
    return route;
}

static void a_claim_needs_all_its_words(void **state) {
    static const struct {
        const char *format, *entry, *buffers;
        int32_t protocol;
        bool encodes, decodes, takes_graphs;
    } rows[] = {
        {"npy", "memory", "", 0, true, true, false},   {"npy", "mapped", "", 0, true, false, false},
        {"npy", "file", "", 0, false, false, false},   {"npz", "memory", "", 0, false, false, false},
        {"npy", "memory", "", 1, false, false, false}, {"npy", "memory", "in-band", 0, false, false, false},
        {"pickle", "c", "", 4, true, true, false},     {"pickle", "c", "in-band", 5, true, false, true},
        {"pickle", "c", "", 5, false, false, false},   {"graph", "own", "", 0, true, true, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_route route = route_by(rows[i].format, rows[i].entry, rows[i].buffers, rows[i].protocol);
        const struct ndp_entry *encode = ndp_entry_find(&info, &route, NDP_END_ENCODER);
        assert_int_equal(encode != NULL, rows[i].encodes);
        assert_int_equal(ndp_entry_find(&info, &route, NDP_END_DECODER) != NULL, rows[i].decodes);
        assert_int_equal(encode != NULL && encode->takes_graphs, rows[i].takes_graphs);
    }
}

/* numpy and joblib are present, astropy and cudf are not. */
static void classes_depend_on_their_library(void **state) {
    assert_true(ndp_target_lacks_class(&info, NDP_CLASS_CUDF));
    assert_true(ndp_target_lacks_class(&info, NDP_CLASS_QUANTITY));
    assert_false(ndp_target_lacks_class(&info, NDP_CLASS_PROXY));
    assert_false(ndp_target_lacks_class(&info, NDP_CLASS_NDARRAY));
    struct ndp_target_info other = info;
    strcpy(other.libraries[1].name, "cudf");
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
    other = info;
    other.entry_count = 4; /* no graphs */
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
    other = info;
    other.library_count = 1;
    assert_false(ndp_target_lacks_class(&other, NDP_CLASS_CUDF));
}

/* Both ends are asked, by direction; a transport has one entry point for both. */
static void a_route_takes_what_both_ends_claim(void **state) {
    static const struct {
        const char *format, *entry;
        int32_t protocol;
        const char *objections[3]; /* to an array, a graph, a dict; NULL is none */
    } rows[] = {
        {"npy", "memory", 0, {NULL, "the route takes no graphs", "the route takes no dicts"}},
        {"npy", "mapped", 0, {"the route is not claimed", "the route takes no graphs", "the route takes no dicts"}},
        {"npz", "memory", 0, {"the route is not claimed", "the route is not claimed", "the route is not claimed"}},
        {"pickle", "c", 4, {NULL, "the route takes no graphs", "the route takes no dicts"}},
        {"graph", "own", 0, {"the route takes graphs only", NULL, "the route takes no dicts"}},
        {"dict", "thread", 0, {"the route takes dicts only", "the route takes no graphs", NULL}},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_route route = route_by(rows[i].format, rows[i].entry, "", rows[i].protocol);
        for (int kind = 0; kind < 3; kind++) {
            const char *objection = ndp_route_objection(&info, &info, &route, (enum ndp_value_kind)kind);
            assert_int_equal(ndp_route_takes(&info, &info, &route, (enum ndp_value_kind)kind), objection == NULL);
            if ((objection == NULL) != (rows[i].objections[kind] == NULL))
                fail_msg("%s:%s of kind %d: %s", rows[i].format, rows[i].entry, kind, objection);
            if (objection != NULL) assert_string_equal(objection, rows[i].objections[kind]);
        }
    }
}

/* Both ends must claim the history of a route. */
static void a_history_must_be_claimed(void **state) {
    struct ndp_target_info other = info;
    struct ndp_route route = route_by("npy", "memory", "", 0);
    route.history = NDP_HISTORY_FREED;
    for (uint32_t i = 0; i < other.entry_count; i++) other.entries[i].histories = NDP_HISTORY_BIT(NDP_HISTORY_FREED);
    assert_true(ndp_route_takes(&other, &other, &route, NDP_VALUE_ARRAY));
    assert_string_equal(ndp_route_objection(&info, &other, &route, NDP_VALUE_ARRAY),
                        "the route does not claim the history");
    assert_false(ndp_route_takes(&other, &info, &route, NDP_VALUE_ARRAY));
    route.history = NDP_HISTORY_REUSED;
    assert_false(ndp_route_takes(&other, &other, &route, NDP_VALUE_ARRAY));
}

/* The library behind an entry point, else the main one. */
static void an_entry_point_has_a_library(void **state) {
    struct ndp_target_info other = info;
    struct ndp_route route = route_by("npy", "memory", "", 0);
    strcpy(other.implementation, "main");
    strcpy(other.entries[0].library, "joblib");
    assert_string_equal(ndp_entry_library(&other, &route, NDP_END_ENCODER), "joblib");
    assert_string_equal(ndp_entry_library(&other, &route, NDP_END_DECODER), "main");
    route.protocol = 1;
    assert_string_equal(ndp_entry_library(&other, &route, NDP_END_ENCODER), "main");
}

static void a_library_has_its_version(void **state) {
    assert_string_equal(ndp_target_library_version(&info, "numpy"), "2.4.6");
    assert_string_equal(ndp_target_library_version(&info, "joblib"), "1.5");
    assert_null(ndp_target_library_version(&info, "num"));
    assert_null(ndp_target_library_version(&info, ""));
}

/* Counts how often a target is closed. */
static void close_and_count(struct ndp_target *target) {
    target->counts.cases++;
}

static void closing_null_does_nothing(void **state) {
    static const struct ndp_target_ops ops = {.close = close_and_count};
    struct ndp_target target = {.ops = &ops};
    ndp_target_close(NULL);
    ndp_target_close(&target);
    assert_int_equal(target.counts.cases, 1);
}

static void plugins_are_found_by_their_names(void **state) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_registry_plugins(&count);
    assert_true(count >= 1);
    for (uint32_t i = 0; i < count; i++) assert_ptr_equal(ndp_registry_find(plugins[i]->name), plugins[i]);
    assert_null(plugins[count]);
    assert_null(ndp_registry_find("no such plugin"));
    assert_null(ndp_registry_find(""));
}

NDP_SUITE(target_test, NDP_TEST(plugins_are_found_by_their_names), NDP_TEST(classes_depend_on_their_library),
          NDP_TEST(a_claim_needs_all_its_words), NDP_TEST(a_route_takes_what_both_ends_claim),
          NDP_TEST(a_history_must_be_claimed), NDP_TEST(an_entry_point_has_a_library),
          NDP_TEST(a_library_has_its_version), NDP_TEST(closing_null_does_nothing));
