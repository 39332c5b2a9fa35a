#include "engine/blame_fixture.h"
#include "engine/format_layers.h"

/* ---- formats with fewer layers ---- */

static void the_order_of_formats_begins_with_copies(void **state) {
    uint32_t count;
    const struct ndp_format_layer *layers = ndp_format_layers(&count);
    assert_string_equal(layers[0].format, "copy");
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(ndp_format_layers_find(layers[i].format), &layers[i]);
        assert_true(layers[i].layers[0] != '\0');
        assert_true(layers[i].is_of_python || !layers[i].is_twice);
    }
    assert_null(ndp_format_layers_find("typed.Dict"));
    assert_true(ndp_format_layers_carries("multiprocess", "dill"));
    assert_false(ndp_format_layers_carries("multiprocess", "dil"));
    assert_false(ndp_format_layers_carries("multiprocessing", "dill"));
    assert_false(ndp_format_layers_carries("dill", "pickle"));
    assert_false(ndp_format_layers_carries("typed.Dict", "pickle"));
}

/* The entries of npz belong to another library. */
static void name_archiver(struct world *world) {
    struct ndp_target_info *info = &world->bench.targets[0]->info;
    for (uint32_t i = 0; i < info->entry_count; i++)
        if (ndp_bytes_word_is(info->entries[i].format, "npz"))
            snprintf(info->entries[i].library, NDP_WORD_BYTES, "archiver");
}

static void the_first_format_that_fails_alike_is_blamed(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npy", "field 'a' at 12");
    refuse_format(&world, 0, "npz", "field 'other' at 7");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "library", "npy", "The same value fails in the same way through npy alone, without npz.");
}

static void a_failure_of_one_format_stays_there(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npz", "no archive");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "archiver", "npz", "The same value passes through raw, pickle, npy.");
}

static void another_error_is_another_failure(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npy", "no header");
    refuse_format(&world, 0, "npz", "no archive");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "archiver", "npz", "The same value passes through raw, pickle.");
}

/* A refusal by the encoder and one by the decoder are different failures. */
static void the_other_end_is_another_failure(void **state) {
    WORLD(world, "library");
    add_rule(&world.faulty[0], (struct rule){"npy", "", "no", NDP_NODE_COUNT});
    refuse_format(&world, 0, "npz", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "library", "npz", "The same value passes through raw, pickle.");
}

static void crafted_bytes_need_no_experiment(void **state) {
    WORLD(world, "library");
    refuse_format(&world, 0, "npy", "no");
    const struct ndp_blame seen = blame(&world,
                                        "{\"ndproof\":1,\"bytes\":\"934e554d5059010076007b276465736372273a20277c753127"
                                        "2c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028292c"
                                        "207d20202020202020202020202020202020202020202020202020202020202020202020202020"
                                        "2020202020202020202020202020202020202020202020200a07\",\"expect\":\"accept\","
                                        "\"properties\":[\"strictness\"],"
                                        "\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"decoder\":\"t0\"}}",
                                        NULL);
    expect_blame(&seen, "library", "npy", "");
}

/* A dump of joblib, whose pickler is CPython's, shows the failure of the Python pickler, which has errors of its own.
 */
static void both_picklers_are_tried(void **state) {
    WORLD(world, "library");
    add_rule(&world.faulty[0], (struct rule){"pickle", "c", "in C", NDP_NODE_COUNT});
    add_rule(&world.faulty[0], (struct rule){"pickle", "python", "in Python", NDP_NODE_COUNT});
    add_rule(&world.faulty[0], (struct rule){"joblib", "", "in Python", NDP_NODE_COUNT});
    const struct ndp_blame seen =
        blame(&world, ARRAY ROUTE("joblib", "t0", "t0", ",\"encode\":\"file\",\"decode\":\"file\"") "}", NULL);
    expect_blame(&seen, "library", "pickle",
                 "The same value fails in the same way through pickle alone, without joblib.");
}

static void a_stand_in_is_named(void **state) {
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP, .route = {.format = "unknown"}};
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES, .property = ndp_property_find("class")};
    struct ndp_error error = {0};
    struct ndp_blame seen;
    WORLD(world, "library");
    static const char *const rows[][2] = {
        {"whole.proxy",
         "proxy is ndproof's stand-in for cudf.pandas, whose own pickling is hidden by that of ndarray."},
        {"attributes.reduce_pair", "reduce_pair is ndproof's stand-in for Quantity."},
        {"hard_mask.MaskedArray", ""},
        {"whole.cudf.pandas", ""},
        {"whole", ""}};
    snprintf(descriptor.route.encoder, NDP_WORD_BYTES, "t0");
    snprintf(descriptor.route.decoder, NDP_WORD_BYTES, "t0");
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        snprintf(divergence.judgement.field, NDP_WORD_BYTES, "%s", rows[i][0]);
        assert_int_equal(ndp_blame_find(world.experiments, &descriptor, &divergence, &seen, &error), NDP_OK);
        assert_string_equal(seen.evidence, rows[i][1]);
    }
}

#define OF_INSTANCE                                                                                                    \
    "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"class\":{\"import\":\"units.core:Quantity\","       \
    "\"keywords\":{\"unit\":1},\"keep\":[\"unit\"]}},{\"int\":\"1\"}]}},\"properties\":[\"picklability\"],"            \
    "\"route\":{\"format\":\"graph\",\"encode\":\"memory\",\"decode\":\"memory\",\"encoder\":\"t0\",\"decoder\":"      \
    "\"t0\"}}"

static void name_units(struct world *world) {
    struct ndp_target_info *info = &world->bench.targets[0]->info;
    snprintf(info->libraries[0].name, NDP_WORD_BYTES, "units");
    snprintf(info->libraries[0].version, NDP_WORD_BYTES, "1");
    info->library_count = 1;
}

/* The library of a class is to blame if what it was made from passes without it. */
static void the_library_of_a_class_is_blamed(void **state) {
    WORLD(world, "library");
    add_rule(&world.faulty[0], (struct rule){"graph", "", "no", NDP_NODE_INSTANCE});
    struct ndp_blame seen = blame(&world, OF_INSTANCE, NULL);
    expect_blame(&seen, "library", "graph", "");
    name_units(&world);
    seen = blame(&world, OF_INSTANCE, NULL);
    expect_blame(&seen, "units", "graph", "The arguments of the call pass without the instance of units.");
}

static void the_library_of_a_class_is_not_blamed_for_others(void **state) {
    WORLD(world, "library");
    name_units(&world);
    add_rule(&world.faulty[0], (struct rule){"graph", "", "no", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, OF_INSTANCE, NULL);
    expect_blame(&seen, "library", "graph", "");
}

NDP_SUITE(blame_test, NDP_TEST(the_order_of_formats_begins_with_copies),
          NDP_TEST(the_first_format_that_fails_alike_is_blamed), NDP_TEST(a_failure_of_one_format_stays_there),
          NDP_TEST(another_error_is_another_failure), NDP_TEST(the_other_end_is_another_failure),
          NDP_TEST(crafted_bytes_need_no_experiment), NDP_TEST(both_picklers_are_tried), NDP_TEST(a_stand_in_is_named),
          NDP_TEST(the_library_of_a_class_is_blamed), NDP_TEST(the_library_of_a_class_is_not_blamed_for_others));
