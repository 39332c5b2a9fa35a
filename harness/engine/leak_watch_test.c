#include "base/suite.h"
#include "engine/case.h"
#include "engine/leak_watch.h"

/* A target whose counts the test sets. */
struct world {
    struct ndp_target target;
    struct ndp_bench bench;
    struct ndp_batch *batch;
    struct ndp_leak_watch watch;
    uint64_t held;
    bool is_at_rest; /* its process does not run until it is refreshed */
    uint32_t refreshes;
};

static enum ndp_status census(struct ndp_target *target, struct ndp_resource_snapshot *out) {
    const struct world *world = target->state;
    if (world->is_at_rest) return NDP_UNSUPPORTED;
    *out = (struct ndp_resource_snapshot){.counts = {[NDP_RESOURCE_MAPS] = world->held}};
    return NDP_OK;
}

static enum ndp_status refresh(struct ndp_target *target, struct ndp_error *error) {
    struct world *world = target->state;
    (void)error;
    world->is_at_rest = false;
    world->refreshes++;
    target->counts.restarts++;
    return NDP_OK;
}

static const struct ndp_target_ops ops = {.census = census, .refresh = refresh};

static void make_world(struct world *world) {
    *world = (struct world){.held = 10};
    world->target.ops = &ops;
    world->target.state = world;
    world->bench.targets[0] = &world->target;
    world->bench.count = 1;
    assert_int_equal(ndp_batch_new(&world->bench, 1 << 20, &world->batch), NDP_OK);
    world->batch->encoder = world->batch->decoder = &world->target;
}

/* Runs batches that leak `lost` each. Returns the number of batches before a suspicion, 0 for none. */
static uint32_t run(struct world *world, uint32_t batches, uint64_t lost, uint64_t *compared) {
    for (uint32_t i = 0; i < batches; i++) {
        uint64_t now = 0;
        bool is_suspect = false;
        ndp_leak_watch_begin(&world->watch, &world->bench, world->batch);
        world->held += lost;
        ndp_leak_watch_sample(&world->watch, &world->bench, world->batch, &now, &is_suspect);
        *compared += now;
        if (is_suspect) return i + 1;
    }
    return 0;
}

static void constant_counts_are_never_suspected(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    assert_int_equal(run(&world, 1000, 0, &compared), 0);
    assert_int_equal(compared, 1000 * NDP_RESOURCE_COUNT);
    ndp_batch_free(world.batch);
}

static void one_growth_is_not_suspected(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    (void)run(&world, 100, 0, &compared);
    assert_int_equal(run(&world, 1, 50, &compared), 0);
    assert_int_equal(run(&world, 1000, 0, &compared), 0);
    ndp_batch_free(world.batch);
}

static void continued_growth_is_suspected(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    assert_in_range(run(&world, 200, 1, &compared), 1, 60);
    ndp_leak_watch_relax(&world.watch, &world.bench, world.batch);
    assert_int_equal(run(&world, 8, 0, &compared), 0);
    ndp_batch_free(world.batch);
}

/* A batch is compared with the sample before it, so a process that restarts between batches is not suspected. */
static void a_restarted_process_has_new_maxima(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    for (uint32_t i = 0; i < 40; i++) {
        world.target.counts.restarts++;
        world.held += 100;
        assert_int_equal(run(&world, 4, 0, &compared), 0);
    }
    assert_int_equal(compared, 40 * 4 * NDP_RESOURCE_COUNT);
    /* Restarts during a batch. */
    ndp_leak_watch_begin(&world.watch, &world.bench, world.batch);
    world.target.counts.restarts++;
    uint64_t now;
    bool is_suspect;
    ndp_leak_watch_sample(&world.watch, &world.bench, world.batch, &now, &is_suspect);
    assert_int_equal(now, 0);
    assert_false(is_suspect);
    ndp_batch_free(world.batch);
}

/* A process at rest is started before its batch, and no other process. */
static void the_first_batch_of_a_process_is_compared(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    world.is_at_rest = true;
    assert_int_equal(run(&world, 1, 0, &compared), 0);
    assert_int_equal(world.refreshes, 1);
    assert_int_equal(compared, NDP_RESOURCE_COUNT);
    assert_int_equal(run(&world, 10, 0, &compared), 0);
    assert_int_equal(world.refreshes, 1);
    ndp_batch_free(world.batch);
}

/* The batch after a death is compared with a sample of the new process. */
static void a_process_that_ended_is_replaced_at_once(void **state) {
    struct world world;
    uint64_t compared = 0;
    make_world(&world);
    assert_int_equal(run(&world, 1, 0, &compared), 0);
    ndp_leak_watch_begin(&world.watch, &world.bench, world.batch);
    world.is_at_rest = true;
    uint64_t now;
    bool is_suspect;
    ndp_leak_watch_sample(&world.watch, &world.bench, world.batch, &now, &is_suspect);
    assert_int_equal(now, 0);
    assert_int_equal(world.refreshes, 1);
    world.held += 100;
    compared = 0;
    assert_int_equal(run(&world, 1, 0, &compared), 0);
    assert_int_equal(compared, NDP_RESOURCE_COUNT);
    ndp_batch_free(world.batch);
}

NDP_SUITE(leak_watch_test, NDP_TEST(constant_counts_are_never_suspected), NDP_TEST(one_growth_is_not_suspected),
          NDP_TEST(continued_growth_is_suspected), NDP_TEST(a_restarted_process_has_new_maxima),
          NDP_TEST(the_first_batch_of_a_process_is_compared), NDP_TEST(a_process_that_ended_is_replaced_at_once));
