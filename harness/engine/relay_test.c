#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/minimise.h"
#include "engine/retell.h"
#include "engine/sweep.h"
#include "model/dtype_samples.h"

static uint32_t ways_of(const struct fixture *fixture, const char *format, bool to_encode) {
    const struct ndp_target_info *info = &fixture->bench.targets[0]->info;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        if (strcmp(info->entries[i].format, format) != 0) continue;
        count += to_encode ? info->entries[i].encodes : info->entries[i].decodes;
    }
    return count;
}

#define VALUE(view)                                                                                                    \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[2,3],\"data\":{\"pattern\":\"index"   \
    "\"}}" view "}},"
#define RELAY(first, middle, second)                                                                                   \
    "\"route\":{" first ",\"via\":{\"target\":\"two\"," middle "}," second ",\"encoder\":\"one\",\"decoder\":\"one\"}" \
    "}"
#define NPY  "\"format\":\"npy\",\"encode\":\"memory\""
#define RAW  "\"decode\":\"memory\",\"format\":\"raw\",\"encode\":\"memory\",\"offset\":3"
#define LAST "\"decode\":\"memory\""

static void all_of_a_right_relay_is_compared(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    const struct ndp_result *result = fixture_run(&fixture, VALUE("") RELAY(NPY, RAW, LAST));
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    assert_true(result->has_source && result->has_relayed && result->has_result);
    /* Six elements are compared on each leg, by `values` and by `cross`. */
    assert_true(result->comparisons >= 24);
    assert_int_equal(result->relayed_from.data[0], 0x93);
    assert_int_equal(result->encoded.size_bytes, 3 + 24);
    fixture_close(&fixture);
}

/* A layout that a format does not keep is not asked of what comes after it: the second leg starts with what the middle
 * has. Raw data are told to be in the order that the middle holds them in. */
static void a_leg_is_held_to_what_reached_it(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    const char *const views[] = {
        VALUE(",\"views\":[{\"transpose\":[1,0]}]") RELAY(NPY, RAW, LAST),
        VALUE(",\"views\":[{\"slice\":[[1,-1,2],[2,-1,3]]}]") RELAY(NPY, RAW, LAST),
        VALUE(",\"views\":[{\"broadcast\":[2,2,3]}]") RELAY(NPY, RAW, LAST),
        VALUE("") RELAY(NPY, "\"decode\":\"mmap:r\",\"format\":\"pickle\",\"protocol\":3,\"encode\":\"c\"",
                        "\"decode\":\"c\""),
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(views); i++) {
        const struct ndp_result *result = fixture_run(&fixture, views[i]);
        if (result->verdict != NDP_VERDICT_PASS)
            fail_msg("%s: %s", views[i],
                     result->divergence_count > 0 ? result->divergences[0].signature : result->detail);
    }
    fixture_close(&fixture);
}

static void what_the_middle_alone_loses_is_a_relays(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), planted_named("input_remembered"));
    const struct ndp_result *result = fixture_run(&fixture, VALUE("") RELAY(NPY, RAW, LAST));
    /* Whoever is told the type beside the bytes, as of raw data, gets it right. */
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    result =
        fixture_run(&fixture, VALUE("") RELAY("\"format\":\"raw\",\"encode\":\"memory\"",
                                              "\"decode\":\"memory\",\"format\":\"npy\",\"encode\":\"memory\"", LAST));
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        assert_true(divergence->route.is_relayed);
        assert_string_equal(divergence->outlier, "input_remembered");
        assert_non_null(strstr(divergence->core, "|relayed npy|"));
        assert_string_equal(divergence->alone[0], "");
        assert_non_null(strstr(divergence->alone[1], "|npy|"));
    }
    fixture_close(&fixture);
}

/* What a map of the middle's shows on the second leg is shown by a map alone, of an array and in a graph. */
static void what_the_middle_got_is_told_as_a_value(void **state) {
    static const int64_t shape[] = {3}, strides_bytes[] = {1};
    static const uint8_t elements[] = {7, 8, 9};
    const struct ndp_observation map = {.class_name = ndp_bytes_view("memmap"),
                                        .dtype = &sample_u1,
                                        .ndim = 1,
                                        .shape = shape,
                                        .strides_bytes = strides_bytes,
                                        .flags = NDP_FLAG_C_CONTIGUOUS,
                                        .backing = {.is_map_class = true, .is_mapped = true},
                                        .elements = {elements, sizeof elements}};
    const char *array = "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[3]}}}}";
    const char *graph = "{\"value\":{\"graph\":{\"root\":1,\"nodes\":[{\"array\":{\"base\":{\"dtype\":\"|u1\","
                        "\"shape\":[3]}}},{\"list\":[0,0]}]}}}";
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    struct ndp_descriptor descriptor = fixture_read(&fixture, array);
    struct ndp_result *result = NDP_ARENA_NEW(&fixture.arena, struct ndp_result);
    assert_non_null(result);
    memset(result, 0, sizeof *result);
    struct ndp_value value;
    assert_false(ndp_retell(&fixture.arena, &descriptor, result, &value));
    result->has_relayed = true;
    result->relayed = map;
    assert_true(ndp_retell(&fixture.arena, &descriptor, result, &value));
    assert_true(value.array.base.has_map);

    const struct ndp_edge edges[] = {{.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 1}};
    const struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 2},
                                     {.kind = NDP_NODE_ARRAY, .has_observation = true, .observation = map}};
    const struct ndp_graph got = {0, 2, nodes};
    descriptor = fixture_read(&fixture, graph);
    assert_false(ndp_retell(&fixture.arena, &descriptor, result, &value));
    result->relayed_graph = &got;
    assert_true(ndp_retell(&fixture.arena, &descriptor, result, &value));
    assert_int_equal(value.graph->root, 1);
    assert_true(value.graph->nodes[0].array.base.has_map);
    assert_memory_equal(value.graph->nodes[0].array.base.data.bytes.data, elements, sizeof elements);
    fixture_close(&fixture);
}

static void what_the_first_leg_breaks_is_told_of_that_leg(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), planted_named("native_order"));
    const struct ndp_result *result = fixture_run(&fixture, VALUE("") RELAY(NPY, RAW, LAST));
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        char text[NDP_ROUTE_TEXT_BYTES];
        ndp_route_print(&result->divergences[i].route, text);
        assert_string_equal(text, "npy:memory>memory");
        assert_string_equal(result->divergences[i].route.decoder, "two");
        assert_string_equal(result->divergences[i].alone[1], "");
    }
    fixture_close(&fixture);
}

static void a_middle_that_is_not_there_is_an_error(void **state) {
    (void)state;
    struct fixture fixture;
    struct ndp_error error = {0};
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    struct ndp_descriptor descriptor = fixture_read(&fixture, VALUE("") RELAY(NPY, RAW, LAST));
    snprintf(descriptor.route.via.target, NDP_WORD_BYTES, "nobody");
    ndp_batch_clear(fixture.batch);
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, 0, &error), NDP_INVALID);
    assert_non_null(strstr(error.text, "nobody"));
    descriptor.route.via.target[0] = '\0';
    assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, 0, &error), NDP_INVALID);
    fixture_close(&fixture);
}

static void a_way_that_is_not_claimed_is_unsupported(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    const struct ndp_result *result = fixture_run(
        &fixture, VALUE("") RELAY(NPY, "\"decode\":\"memory\",\"format\":\"raw\",\"encode\":\"none\"", LAST));
    assert_int_equal(result->verdict, NDP_VERDICT_UNSUPPORTED);
    fixture_close(&fixture);
}

/* The first leg shrinks to the first way of the first other format that shows it, the second to the first way of its
 * own. */
static void a_relay_shrinks_to_the_simplest_ways(void **state) {
    (void)state;
    struct fixture fixture;
    struct ndp_error error = {0};
    struct ndp_buffer text;
    struct ndp_descriptor small;
    uint32_t runs;
    fixture_open(&fixture, reference_plugin(), planted_named("input_remembered"));
    const char *start = VALUE(",\"views\":[{\"transpose\":[1,0]}]") RELAY(
        "\"format\":\"raw\",\"encode\":\"file\",\"offset\":65",
        "\"decode\":\"mmap:c\",\"format\":\"pickle\",\"protocol\":4,\"encode\":\"python\"", "\"decode\":\"python\"");
    ndp_buffer_init(&text, 1 << 20);
    assert_int_equal(ndp_buffer_add(&text, start, strlen(start)), NDP_OK);
    const struct ndp_result *result = fixture_run(&fixture, start);
    /* From one foreign format to another it is right. */
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    start = VALUE(",\"views\":[{\"transpose\":[1,0]}]")
        RELAY("\"format\":\"pickle\",\"protocol\":4,\"encode\":\"python\"",
              "\"decode\":\"python\",\"format\":\"npy\",\"encode\":\"file\"", "\"decode\":\"mmap:r\"");
    text.size_bytes = 0;
    assert_int_equal(ndp_buffer_add(&text, start, strlen(start)), NDP_OK);
    result = fixture_run(&fixture, start);
    char core[NDP_SIGNATURE_BYTES] = "";
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        if (strcmp(result->divergences[i].property->name, "byte_order") == 0)
            memcpy(core, result->divergences[i].core, sizeof core);
    }
    assert_string_equal(core, "DIVERGES|byte_order|relayed npy|dtype.order");
    assert_int_equal(ndp_minimise(fixture.batch, &text, core, 1000, &(struct ndp_patience){0}, &runs, &error), NDP_OK);
    assert_int_equal(
        ndp_descriptor_read(&fixture.arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &small, &error),
        NDP_OK);
    char route[NDP_ROUTE_TEXT_BYTES];
    ndp_route_print(&small.route, route);
    assert_string_equal(route, "raw:memory>memory then npy:memory>memory");
    assert_int_equal(small.value.array.base.ndim, 0);
    assert_int_equal(small.value.array.view_count, 0);
    ndp_buffer_clear(&text);
    fixture_close(&fixture);
}

struct counted {
    const struct ndp_bench *bench;
    uint32_t routes;
    uint32_t fitting;
};

static enum ndp_status count_route(void *context, const struct ndp_route *route) {
    struct counted *counted = context;
    counted->routes++;
    assert_true(route->is_relayed);
    assert_string_equal(route->via.target, "two");
    assert_int_equal(route->offset_bytes, 5);
    assert_int_equal(route->via.offset_bytes, 7);
    counted->fitting += strcmp(route->format, "raw") == 0 && strcmp(route->via.format, "raw") == 0 &&
                        strcmp(route->encode, "memory") == 0;
    return NDP_OK;
}

/* Words that a descriptor leaves out stand for all that there are; both targets can be the first. */
static void a_relay_is_visited_in_all_the_ways_that_it_names(void **state) {
    (void)state;
    struct fixture fixture;
    struct ndp_route_list list;
    const struct ndp_route_filter everything = {.targets = NULL};
    struct ndp_route named = {.format = "raw",
                              .encode = "memory",
                              .offset_bytes = 5,
                              .is_relayed = true,
                              .decoder = "one",
                              .via = {.target = "two", .format = "raw", .offset_bytes = 7}};
    fixture_open(&fixture, reference_plugin(), reference_plugin());
    struct counted counted = {.bench = &fixture.bench};
    assert_int_equal(ndp_routes_list(&fixture.bench, &everything, &list), NDP_OK);
    assert_int_equal(ndp_routes_visit(&list, &fixture.bench, NDP_CASE_ROUND_TRIP, &named, count_route, &counted),
                     NDP_OK);
    const uint32_t raw_encoders = ways_of(&fixture, "raw", true), raw_decoders = ways_of(&fixture, "raw", false);
    assert_true(raw_decoders > 1);
    assert_int_equal(counted.routes, 2 * raw_decoders * raw_encoders * raw_decoders);
    assert_int_equal(counted.fitting, counted.routes);
    ndp_routes_clear(&list);
    fixture_close(&fixture);
}

/* What a sweep tells, by how many of its routes have a middle. */
struct told {
    uint32_t relays;
    uint32_t direct;
    uint64_t cases;
    uint64_t relayed_cases;
};

static void count_found(void *context, const struct ndp_found *found) {
    struct told *told = context;
    const bool is_relay = found->divergence->route.is_relayed;
    assert_int_equal(found->confirm_hits, found->confirm_runs);
    told->relays += is_relay;
    told->direct += !is_relay;
}

static void count_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct told *told = context;
    (void)result;
    told->cases++;
    told->relayed_cases += descriptor->route.is_relayed;
}

static struct told sweep(const char *name, const char *property) {
    struct fixture fixture;
    struct ndp_error error = {0};
    struct told told = {0};
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    const char *const formats[] = {"npy", "raw"};
    struct ndp_sweep_options options = {
        .seed = 1, .cases = 3000, .filter = {.involved = "two", .formats = formats, .format_count = 2}};
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(properties[i]->name, property) == 0) options.properties = 1u << i;
    }
    const struct ndp_sweep_events events = {.context = &told, .on_case = count_case, .on_found = count_found};
    enum ndp_stop_reason reason;
    fixture_open(&fixture, reference_plugin(), planted_named(name));
    if (ndp_sweep_run(&fixture.bench, &options, &events, &reason, &error) != NDP_OK) fail_msg("%s", error.text);
    fixture_close(&fixture);
    return told;
}

static void a_sweep_tells_of_relays_only_what_no_leg_shows(void **state) {
    (void)state;
    const struct told own = sweep("input_remembered", "byte_order");
    assert_true(own.relays > 0);
    assert_int_equal(own.direct, 0);
    const struct told legs = sweep("native_order", "byte_order");
    assert_true(legs.direct > 0);
    assert_int_equal(legs.relays, 0);
    /* One batch in eight. */
    assert_in_range(legs.relayed_cases * 8, legs.cases / 2, legs.cases * 2);
}

NDP_SUITE(relay_test, cmocka_unit_test(all_of_a_right_relay_is_compared),
          cmocka_unit_test(a_leg_is_held_to_what_reached_it), cmocka_unit_test(what_the_middle_alone_loses_is_a_relays),
          cmocka_unit_test(what_the_middle_got_is_told_as_a_value),
          cmocka_unit_test(what_the_first_leg_breaks_is_told_of_that_leg),
          cmocka_unit_test(a_middle_that_is_not_there_is_an_error),
          cmocka_unit_test(a_way_that_is_not_claimed_is_unsupported),
          cmocka_unit_test(a_relay_shrinks_to_the_simplest_ways),
          cmocka_unit_test(a_relay_is_visited_in_all_the_ways_that_it_names),
          cmocka_unit_test(a_sweep_tells_of_relays_only_what_no_leg_shows));
