#include "base/suite.h"
#include "engine/crew.h"
#include "engine/sweep_fixture.h"
#include "engine/worker_fixture.h"

#include <poll.h>

#define SECOND_NS UINT64_C(1000000000)
enum { PATIENCE_S = 60 };

static const char *const raw[] = {"raw"};
static const struct ndp_sweep_options options = {.seed = 3, .filter = {.formats = raw, .format_count = 1}};
static const struct ndp_sweep_events silent = {.context = NULL};

struct world {
    struct ndp_plugin plugin;
    struct fixture fixture;
    struct ndp_schedule schedule;
    struct ndp_crew crew;
    uint64_t orders;
};

static void open_world(struct world *world, uint32_t workers, struct moods moods) {
    const uint32_t per_lane[NDP_LANE_COUNT] = {[NDP_LANE_COMPUTE] = workers};
    struct ndp_error error = {0};
    memset(world, 0, sizeof *world);
    let_workers_die();
    world->plugin = moody_plugin(reference_plugin(), moods);
    fixture_open(&world->fixture, &world->plugin, NULL);
    assert_int_equal(ndp_schedule_init(&world->schedule, &world->fixture.bench, &options), NDP_OK);
    assert_int_equal(ndp_crew_init(&world->crew, &world->fixture.bench, &world->schedule, &silent, per_lane, &error),
                     NDP_OK);
}

static void close_world(struct world *world) {
    ndp_crew_clear(&world->crew);
    assert_false(has_children());
    ndp_schedule_clear(&world->schedule);
    fixture_close(&world->fixture);
}

#define WORLD(name, workers, ...)                                                                                      \
    struct world name __attribute__((cleanup(close_world)));                                                           \
    open_world(&name, workers, (struct moods){__VA_ARGS__})

/* Gives an idle worker the next unit. */
static struct ndp_worker *order_unit(struct world *world) {
    struct ndp_worker *worker = ndp_crew_idle(&world->crew, NDP_LANE_COMPUTE);
    assert_non_null(worker);
    memset(&worker->order, 0, sizeof worker->order);
    worker->order.kind = NDP_ORDER_RUN;
    worker->order.number = world->orders++;
    assert_true(ndp_schedule_next(&world->schedule, NDP_LANE_COUNT, &worker->order.unit));
    assert_int_equal(ndp_crew_order(&world->crew, worker), NDP_OK);
    return worker;
}

static struct ndp_crew_news await_news(struct world *world) {
    struct ndp_crew_news news = {.worker = NULL};
    for (int i = 0; i < PATIENCE_S && news.worker == NULL; i++)
        assert_int_equal(ndp_crew_wait(&world->crew, SECOND_NS, &news), NDP_OK);
    assert_non_null(news.worker);
    assert_false(news.worker->is_busy);
    return news;
}

/* Waits until a worker encodes an array. */
static void await_array(struct world *world) {
    struct ndp_crew_news news;
    for (int i = 0; i < PATIENCE_S * 1000 && moods_shared()->encoded == 0; i++)
        assert_int_equal(ndp_crew_wait(&world->crew, SECOND_NS / 1000, &news), NDP_OK);
}

static struct ndp_answer_view view_answer(const struct ndp_worker *worker) {
    struct ndp_answer_view view;
    assert_true(ndp_answer_view(ndp_worker_answer(worker), &view));
    assert_int_equal(view.head->status, NDP_OK);
    assert_int_equal(view.head->case_count, worker->order.unit.count);
    assert_true(view.head->number == worker->order.number);
    return view;
}

static void workers_answer_as_this_process_does(void **state) {
    enum { UNITS = 6 };
    uint64_t marks[2][UNITS] = {{0}};
    for (uint32_t workers = 0; workers <= 2; workers += 2) {
        WORLD(world, workers, .dies_at = 0);
        const struct ndp_worker *seen[2] = {NULL};
        for (int i = 0; i < UNITS; i += 2) {
            seen[0] = order_unit(&world);
            if (workers > 0) seen[1] = order_unit(&world);
            assert_null(ndp_crew_idle(&world.crew, NDP_LANE_COMPUTE));
            assert_true(seen[0] != seen[1]);
            for (int k = 0; k < 2; k++) {
                const struct ndp_crew_news news = await_news(&world);
                const struct ndp_answer_view view = view_answer(news.worker);
                assert_true(news.was_busy && !news.is_dead);
                marks[workers / 2][view.head->number] =
                    ndp_hash_bytes(view.cases, view.head->case_count * sizeof *view.cases, NDP_HASH_START);
                if (workers == 0 && k == 0) (void)order_unit(&world);
            }
        }
    }
    assert_memory_equal(marks[0], marks[1], sizeof marks[0]);
}

static void a_wait_ends_without_news(void **state) {
    WORLD(world, 1, .dies_at = 0);
    struct ndp_crew_news news;
    assert_int_equal(ndp_crew_wait(&world.crew, 1, &news), NDP_OK);
    assert_null(news.worker);
    assert_non_null(ndp_crew_idle(&world.crew, NDP_LANE_COMPUTE));
    assert_null(ndp_crew_idle(&world.crew, NDP_LANE_WAIT));
}

/* Its order survives, and the worker that replaces it answers. */
static void a_worker_that_dies_while_busy_is_reported(void **state) {
    WORLD(world, 2, .dies_at = 1);
    struct ndp_error error = {0};
    struct ndp_worker *worker = order_unit(&world);
    const struct ndp_work_unit unit = worker->order.unit;
    struct ndp_crew_news news = await_news(&world);
    assert_ptr_equal(news.worker, worker);
    assert_true(news.is_dead && news.was_busy);
    assert_string_equal(news.ending, "was killed by signal 6");
    assert_memory_equal(&worker->order.unit, &unit, sizeof unit);
    assert_int_equal(worker->pid, 0);
    assert_int_equal(ndp_crew_restart(&world.crew, worker, &error), NDP_OK);
    assert_int_equal(ndp_crew_order(&world.crew, worker), NDP_OK);
    news = await_news(&world);
    assert_ptr_equal(news.worker, worker);
    assert_false(news.is_dead);
    (void)view_answer(worker);
}

/* A worker that was killed, before and after it got an order. */
static void a_worker_that_dies_while_idle_is_reported(void **state) {
    WORLD(world, 1, .dies_at = 0);
    struct ndp_error error = {0};
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        struct ndp_worker *worker = ndp_crew_idle(&world.crew, NDP_LANE_COMPUTE);
        siginfo_t ended;
        assert_non_null(worker);
        assert_int_equal(kill(worker->pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)worker->pid, &ended, WEXITED | WNOWAIT), 0);
        if (is_ordered) (void)order_unit(&world);
        const struct ndp_crew_news news = await_news(&world);
        assert_ptr_equal(news.worker, worker);
        assert_true(news.is_dead);
        assert_int_equal(news.was_busy, is_ordered);
        assert_string_equal(news.ending, "was killed by signal 9");
        assert_int_equal(ndp_crew_restart(&world.crew, worker, &error), NDP_OK);
    }
    (void)order_unit(&world);
    (void)view_answer(await_news(&world).worker);
}

/* A worker has one socket, and no file of another worker. */
static void workers_share_no_files(void **state) {
    WORLD(world, 5, .dies_at = 0);
    const uint32_t here = count_fds();
    struct ndp_error error = {0};
    for (uint32_t i = 0; i < world.crew.count; i++) {
        struct ndp_worker *worker = &world.crew.workers[i];
        assert_int_equal(kill(worker->pid, SIGKILL), 0);
        assert_true(await_news(&world).is_dead);
        assert_int_equal(ndp_crew_restart(&world.crew, worker, &error), NDP_OK);
        struct ndp_worker *ordered = order_unit(&world);
        (void)view_answer(await_news(&world).worker);
        assert_int_equal(moods_shared()->fds, here - world.crew.count + 1);
        ordered->is_busy = true; /* the next order goes to another worker */
    }
    for (uint32_t i = 0; i < world.crew.count; i++) world.crew.workers[i].is_busy = false;
}

/* Not even one that never answers. */
static void a_cleared_crew_leaves_no_process(void **state) {
    WORLD(world, 3, .waits_from = 1);
    struct ndp_worker *worker = order_unit(&world);
    await_array(&world);
    assert_int_equal(kill(worker->pid, 0), 0);
    /* close_world checks that no process is left. */
}

/* The coordinator of a crew that waits for its workers; it is killed. */
static void be_killed_as_coordinator(void) {
    struct world world;
    open_world(&world, 3, (struct moods){.waits_from = 1});
    (void)order_unit(&world);
    await_array(&world);
    (void)kill(getpid(), SIGKILL);
}

/* All workers keep the other end of a pipe open. */
static void workers_end_with_their_coordinator(void **state) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        be_killed_as_coordinator();
        _exit(1);
    }
    assert_true(pid > 0);
    assert_int_equal(close(ends[1]), 0);
    struct pollfd ended = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&ended, 1, PATIENCE_S * 1000), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(close(ends[0]), 0);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue; /* adopted */
}

NDP_SUITE_FIXTURE(crew_test, workers_open, workers_close, NDP_TEST(workers_answer_as_this_process_does),
                  NDP_TEST(a_wait_ends_without_news), NDP_TEST(a_worker_that_dies_while_busy_is_reported),
                  NDP_TEST(a_worker_that_dies_while_idle_is_reported), NDP_TEST(workers_share_no_files),
                  NDP_TEST(a_cleared_crew_leaves_no_process), NDP_TEST(workers_end_with_their_coordinator));
