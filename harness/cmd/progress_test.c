#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/progress.h"

#define SECOND_NS UINT64_C(1000000000)

static struct ndp_target targets[2] = {{.counts = {.restarts = 3}}, {.counts = {.restarts = 4}}};
static const struct ndp_bench bench = {.targets = {&targets[0], &targets[1]}, .count = 2};

/* Ticks for a run that began and last printed so many seconds ago. Standard error is not a terminal here. */
static void tick(struct ndp_progress *progress, uint64_t seconds_ago, uint64_t last_ago, char *out, size_t out_bytes) {
    struct printed printed;
    errors_begin(&printed);
    const bool is_terminal = progress->is_terminal;
    struct ndp_progress now;
    ndp_progress_init(&now, progress->bench, progress->case_bound, progress->duration_ns);
    assert_false(now.is_terminal);
    assert_int_equal(now.cases, 0);
    assert_int_equal(now.last_ns, now.start_ns);
    progress->start_ns = now.start_ns - seconds_ago * SECOND_NS;
    progress->last_ns = now.start_ns - last_ago * SECOND_NS;
    progress->is_terminal = is_terminal;
    const uint64_t last_ns = progress->last_ns;
    ndp_progress_tick(progress);
    const bool has_moved = progress->last_ns != last_ns;
    errors_end(&printed, out, out_bytes);
    assert_int_equal(has_moved, out[0] != '\0');
}

static void a_line_has_counts_speed_and_time_left(void **state) {
    struct ndp_progress progress = {.bench = &bench, .case_bound = 1000000, .cases = 500000, .findings = 2};
    char text[256];
    tick(&progress, 1000, 20, text, sizeof text);
    /* Half of them took a thousand seconds. */
    unsigned long long cases = 0, restarts = 0, findings = 0;
    unsigned count = 0, left = 0;
    float speed = 0;
    assert_int_equal(sscanf(text, "%llu cases, %f per second, %u targets, %llu restarts, %llu findings, %u s left\n",
                            &cases, &speed, &count, &restarts, &findings, &left),
                     6);
    assert_int_equal(cases, 500000);
    /* However slow this test itself may be. */
    assert_true(speed > 0 && speed <= 500);
    assert_int_equal(count, 2);
    assert_int_equal(restarts, 7);
    assert_int_equal(findings, 2);
    /* However long this test itself may be kept waiting. */
    assert_true(left >= 999);
    assert_int_equal(text[strlen(text) - 1], '\n');
}

/* Below one case per second, the line has the time of one case. */
static void slow_cases_have_a_time(void **state) {
    struct ndp_progress progress = {.bench = &bench, .cases = 4};
    char text[256];
    tick(&progress, 1000, 20, text, sizeof text);
    double one = 0;
    assert_int_equal(sscanf(text, "4 cases, one in %lf s, 2 targets", &one), 1);
    assert_true(one >= 250);
}

/* The time left is that to the nearer limit, and never negative; without a limit it is absent. */
static void the_nearer_limit_counts(void **state) {
    struct ndp_progress progress = {
        .bench = &bench, .case_bound = 1000, .cases = 1, .duration_ns = UINT64_C(1000) * SECOND_NS};
    char text[256];
    tick(&progress, 1000000, 20, text, sizeof text);
    assert_non_null(strstr(text, ", 0 s left"));
    progress = (struct ndp_progress){.bench = &bench, .case_bound = 500, .cases = 500};
    tick(&progress, 1000, 20, text, sizeof text);
    assert_non_null(strstr(text, ", 0 s left"));
    progress = (struct ndp_progress){.bench = &bench};
    tick(&progress, 1000, 20, text, sizeof text);
    assert_non_null(strstr(text, "0 cases, 0 per second"));
    assert_null(strstr(text, "left"));
}

/* A terminal has one line that is overwritten; other outputs have none before the interval ends. */
static void a_terminal_has_one_line(void **state) {
    struct ndp_progress progress = {.bench = &bench, .is_terminal = true};
    char text[256];
    tick(&progress, 1000, 1, text, sizeof text);
    assert_memory_equal(text, "\r\033[K0 cases", 11);
    assert_null(strchr(text, '\n'));
    struct printed printed;
    errors_begin(&printed);
    ndp_progress_pause(&progress);
    errors_end(&printed, text, sizeof text);
    assert_string_equal(text, "\r\033[K");
    progress.is_terminal = false;
    errors_begin(&printed);
    ndp_progress_pause(&progress);
    /* Its time is an hour from now: nothing makes that the past. */
    progress.last_ns += 3600 * SECOND_NS;
    progress.start_ns = progress.last_ns;
    errors_end(&printed, text, sizeof text);
    assert_string_equal(text, "");
}

NDP_SUITE(progress_test, NDP_TEST(a_line_has_counts_speed_and_time_left), NDP_TEST(slow_cases_have_a_time),
          NDP_TEST(the_nearer_limit_counts), NDP_TEST(a_terminal_has_one_line));
