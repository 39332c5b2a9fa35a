#include "engine/blame_fixture.h"

static void readers_that_agree_show_that_the_writer_is_wrong(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    world.faulty[0].wrong_format = "npy";
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(&seen, "writer", "npy",
                 "All other readers of the bytes (witness 1, other 2) read the same as reader, so writer wrote them "
                 "wrong.");
}

static void a_reader_that_disagrees_with_all_others_is_wrong(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "writer");
    expect_blame(&seen, "reader", "npy",
                 "All other readers of the bytes (witness 1, other 2) read what was promised; only reader does not.");
}

/* The reference is one reader among others. */
static void the_reference_can_be_the_reader_that_is_wrong(void **state) {
    WORLD(world, "writer", "reference", "witness");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), NULL);
    expect_blame(&seen, "reference", "npy",
                 "All other readers of the bytes (witness 1) read what was promised; only reference does not.");
}

static void readers_that_disagree_prove_nothing(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    refuse_format(&world, 1, "npy", "no");
    refuse_format(&world, 2, "npy", "another text");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(
        &seen, "reader", "npy",
        "The readers of the bytes disagree: other 2 read what was promised, witness 1 read the same as reader.");
}

/* The writer, and two targets with one library in one version, are no other readers. */
static void one_library_is_one_reader(void **state) {
    WORLD(world, "writer", "reader", "reader", "writer");
    world.faulty[0].wrong_format = "npy";
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(&seen, "reader", "npy", "The same value passes through raw, pickle.");
}

static void two_versions_are_two_readers(void **state) {
    WORLD(world, "writer", "reader 1.0", "reader 2.0");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "writer");
    expect_blame(&seen, "reader", "npy",
                 "All other readers of the bytes (reader 2.0) read what was promised; only reader does not.");
}

/* An encoder that refuses wrote no bytes. */
static void a_refusal_to_write_needs_no_reader(void **state) {
    WORLD(world, "writer", "reader", "witness");
    add_rule(&world.faulty[0], (struct rule){"raw", "", "no", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, OF_ARRAY("raw", "t0", "t1"), NULL);
    expect_blame(&seen, "writer", "raw", "");
}

NDP_SUITE(witness_test, NDP_TEST(readers_that_agree_show_that_the_writer_is_wrong),
          NDP_TEST(a_reader_that_disagrees_with_all_others_is_wrong),
          NDP_TEST(the_reference_can_be_the_reader_that_is_wrong), NDP_TEST(readers_that_disagree_prove_nothing),
          NDP_TEST(one_library_is_one_reader), NDP_TEST(two_versions_are_two_readers),
          NDP_TEST(a_refusal_to_write_needs_no_reader));
