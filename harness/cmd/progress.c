#include "cmd/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "engine/sweep.h"

#define SECOND_NS        UINT64_C(1000000000)
#define TERMINAL_STEP_NS (SECOND_NS / 5)
#define PLAIN_STEP_NS    (SECOND_NS * 10)
enum { LEFT_BYTES = 64, SPEED_BYTES = 64 };

void ndp_progress_init(struct ndp_progress *progress, const struct ndp_bench *bench, uint64_t cases,
                       uint64_t duration_ns) {
    *progress = (struct ndp_progress){
        .bench = bench,
        .start_ns = ndp_clock_ns(),
        .duration_ns = duration_ns,
        .case_bound = cases,
        .is_terminal = isatty(STDERR_FILENO) == 1,
    };
    progress->last_ns = progress->start_ns;
}

/* Prints the seconds until the nearer limit at the speed so far; nothing without a limit. */
static void print_left(const struct ndp_progress *progress, double spent, char text[LEFT_BYTES]) {
    double left = 0;
    bool has_bound = false;
    if (progress->duration_ns != 0) {
        left = (double)progress->duration_ns / SECOND_NS - spent;
        has_bound = true;
    }
    if (progress->case_bound != 0 && progress->cases > 0) {
        double by_cases = spent * ((double)progress->case_bound / (double)progress->cases - 1);
        if (!has_bound || by_cases < left) left = by_cases;
        has_bound = true;
    }
    text[0] = '\0';
    if (has_bound) snprintf(text, LEFT_BYTES, ", %.0f s left", left > 0 ? left : 0);
}

/* Prints a rate, or for slow cases the time of one case. */
static void print_speed(uint64_t cases, double spent, char text[SPEED_BYTES]) {
    const double speed = (double)cases / spent;
    if (cases == 0 || speed >= 1)
        snprintf(text, SPEED_BYTES, "%.0f per second", speed);
    else
        snprintf(text, SPEED_BYTES, "one in %.1f s", spent / (double)cases);
}

void ndp_progress_tick(struct ndp_progress *progress) {
    uint64_t now = ndp_clock_ns();
    if (now - progress->last_ns < (progress->is_terminal ? TERMINAL_STEP_NS : PLAIN_STEP_NS)) return;
    progress->last_ns = now;
    double spent = (double)(now - progress->start_ns) / SECOND_NS;
    uint64_t restarts = 0;
    char left[LEFT_BYTES], speed[SPEED_BYTES];
    print_left(progress, spent, left);
    print_speed(progress->cases, spent, speed);
    for (uint32_t i = 0; i < progress->bench->count; i++) restarts += progress->bench->targets[i]->counts.restarts;
    fprintf(stderr, "%s%llu cases, %s, %u targets, %llu restarts, %llu findings%s%s",
            progress->is_terminal ? "\r\033[K" : "", (unsigned long long)progress->cases, speed,
            (unsigned)progress->bench->count, (unsigned long long)restarts, (unsigned long long)progress->findings,
            left, progress->is_terminal ? "" : "\n");
    fflush(stderr);
}

void ndp_progress_pause(struct ndp_progress *progress) {
    if (progress->is_terminal) fprintf(stderr, "\r\033[K");
}
