#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/given.h"

struct heard {
    uint64_t cases;
    char routes[2048];
    volatile sig_atomic_t stop;
    uint64_t stop_after; /* cases; 0: never */
    char compared[16];   /* of each given case: '+' or '-' */
};

static void on_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct heard *heard = context;
    char route[NDP_ROUTE_TEXT_BYTES];
    const size_t at = strlen(heard->routes);
    (void)result;
    ndp_descriptor_print_route(&descriptor->route, route);
    snprintf(heard->routes + at, sizeof heard->routes - at, "%s ", route);
    if (++heard->cases == heard->stop_after) heard->stop = 1;
}

static void on_given(void *context, uint32_t number, bool is_compared) {
    struct heard *heard = context;
    assert_in_range(number, 0, sizeof heard->compared - 2);
    heard->compared[number] = is_compared ? '+' : '-';
}

static enum ndp_stop_reason run_given(struct fixture *fixture, const struct ndp_given_case *cases, uint32_t count,
                                      struct heard *heard) {
    const struct ndp_sweep_events events = {.context = heard, .on_case = on_case, .on_given = on_given};
    const struct ndp_sweep_options options = {.stop = &heard->stop};
    enum ndp_stop_reason reason = NDP_STOP_NO_ROUTES;
    struct ndp_error error = {0};
    if (ndp_given_run(&fixture->bench, &options, cases, count, &events, &reason, &error) != NDP_OK)
        fail_msg("%s", error.text);
    return reason;
}

static struct ndp_given_case bare(struct fixture *fixture, const char *text) {
    return (struct ndp_given_case){.descriptor = fixture_read(fixture, text), .count = 1};
}

static struct ndp_given_case shown(struct ndp_given_case item, const char *signature) {
    item.has_signature = true;
    assert_int_equal(ndp_signature_parse(signature, &item.signature), NDP_OK);
    return item;
}

static void a_case_runs_on_every_route_that_it_names(void **state) {
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_given_case given[] = {
        bare(&fixture, INTEGERS("[2]", "")),
        bare(&fixture, "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]}}},\"route\":{"
                       "\"format\":\"npz\",\"encode\":\"compressed\"}}"),
        bare(&fixture, "{\"bytes\":\"00\",\"route\":{\"format\":\"npy\"},\"properties\":[\"strictness\"]}"),
        bare(&fixture, "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]}}},\"route\":{"
                       "\"format\":\"npz\",\"encode\":\"never\"}}"),
        /* Pickle has no named faults. */
        bare(&fixture, "{\"bytes\":\"00\",\"route\":{\"format\":\"pickle\",\"protocol\":2}}"),
    };
    assert_int_equal(run_given(&fixture, given, NDP_ARRAY_LEN(given), &heard), NDP_STOP_CASES);
    assert_string_equal(heard.routes, "npy:memory>memory npz:compressed>memory npz:compressed>file "
                                      "npy>memory npy>file npy>mmap:r npy>mmap:r+ npy>mmap:c "
                                      "pickle2>c pickle2>python ");
    /* The fourth has no route. */
    assert_string_equal(heard.compared, "+++-+");
    memset(&heard, 0, sizeof heard);
    heard.stop_after = 1;
    assert_int_equal(run_given(&fixture, given, NDP_ARRAY_LEN(given), &heard), NDP_STOP_SIGNAL);
    assert_int_equal(heard.cases, 1);
}

/* A case with a signature runs on the routes of the signature or, if there are none, on those of its descriptor. */
static void a_signature_selects_the_routes(void **state) {
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_given_case one =
        bare(&fixture,
             "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]}}},\"route\":{\"format\":\"npy\"}}");
    const struct ndp_given_case given[] = {
        shown(one, "DIVERGES|values|npz|values|reference|npz:compressed>file|u|||any|1"), one,
        shown(one, "DIVERGES|values|npz|values|reference|npz:never>file|u|||any|1")};
    assert_int_equal(run_given(&fixture, given, NDP_ARRAY_LEN(given), &heard), NDP_STOP_CASES);
    const char *const first = "npz:compressed>file ";
    assert_int_equal(strncmp(heard.routes, first, strlen(first)), 0);
    assert_null(strstr(heard.routes + strlen(first), "npz"));
    assert_non_null(strstr(heard.routes, "npy:memory>memory "));
}

NDP_SUITE(given_test, NDP_TEST(a_case_runs_on_every_route_that_it_names), NDP_TEST(a_signature_selects_the_routes));
