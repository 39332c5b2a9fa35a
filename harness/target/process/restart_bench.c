/* The cost of a new process of a testee: `restart_bench python3 /path/to/ndproof_testee.py`. Whole starts and processes
 * of its fork server take turns in one run. */
#include "base/clock.h"
#include "target/process/isolate.h"
#include "target/process/process_start.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, WAYS = 2, WORDS = 16 };

/* One testee, and the sums of what it has cost. */
struct way {
    const char *name;
    struct ndp_target *target;
    double wall_ms[2], cpu_ms[2]; /* of a refresh, of a restart after a crash */
};

static _Noreturn void give_up(const struct ndp_error *error) {
    fprintf(stderr, "restart_bench: %s\n", error->text);
    exit(1);
}

static double cpu_ms(void) {
    struct timespec own;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return (double)ndp_isolate_tree_cpu_us((int)getpid()) / 1e3 + (double)own.tv_sec * 1e3 + (double)own.tv_nsec / 1e6;
}

/* A case that only supplies bytes and fetches them. */
static void run_case(struct ndp_target *target) {
    static struct ndp_outcome outcome;
    struct ndp_program program = {.case_id = 1, .step_count = 2, .supplied = ndp_bytes_view("x")};
    struct ndp_error error = {.status = NDP_OK};
    program.steps[0] = (struct ndp_step){.op = NDP_STEP_SUPPLY, .to = NDP_SLOT_ENCODED};
    program.steps[1] = (struct ndp_step){.op = NDP_STEP_FETCH, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_ENCODED};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    if (target->ops->submit(target, &program, 1, &error) != NDP_OK) give_up(&error);
    if (target->ops->collect(target, &arena, &outcome, 1, &error) != NDP_OK) give_up(&error);
    if (outcome.ended != NDP_VERDICT_PASS || !outcome.slots[NDP_SLOT_ENCODED].has_bytes) exit(1);
}

static void crash(struct ndp_target *target) {
    struct ndp_process *process = target->state;
    const struct ndp_child *child = &process->child;
    const int testee =
        child->process > 0 ? child->process : ndp_guard_find_testee((int)child->guard, child->protection);
    (void)kill(testee, SIGSEGV);
    while (process->child.ending == NDP_ENDING_RUNNING)
        if (ndp_child_wait(&process->child, false, UINT64_C(1000000)) != NDP_OK) exit(1);
}

static void measure(struct way *way, int what) {
    struct ndp_error error = {.status = NDP_OK};
    const uint64_t start_ns = ndp_clock_ns();
    const double start_ms = cpu_ms();
    if (what == 1)
        crash(way->target);
    else if (way->target->ops->refresh(way->target, &error) != NDP_OK)
        give_up(&error);
    run_case(way->target);
    way->wall_ms[what] += (double)(ndp_clock_ns() - start_ns) / 1e6 / ROUNDS;
    way->cpu_ms[what] += (cpu_ms() - start_ms) / ROUNDS;
}

int main(int argc, char **argv) {
    struct ndp_error error = {.status = NDP_OK};
    char env[] = "/usr/bin/env", option[] = "-u", variable[] = "NDPROOF_FORKS";
    char *whole[WORDS] = {env, option, variable};
    struct way ways[WAYS] = {{.name = "whole start"}, {.name = "fork server"}};
    if (argc < 2 || argc > WORDS - 3) return 2;
    for (int i = 1; i < argc; i++) whole[2 + i] = argv[i];
    if (ndp_target_open_process("whole", "", whole, NULL, &ways[0].target, &error) != NDP_OK) give_up(&error);
    if (ndp_target_open_process("forks", "", argv + 1, NULL, &ways[1].target, &error) != NDP_OK) give_up(&error);
    /* The successor of the fork server imports in the background. */
    for (int i = 0; i < WAYS; i++) run_case(ways[i].target);
    (void)sleep(3);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < WAYS * 2; i++) measure(&ways[i / 2], i % 2);
    for (int i = 0; i < WAYS; i++) {
        printf("%s: refresh %.1f ms (%.1f ms of processor time), restart after a crash %.1f ms (%.1f ms)\n",
               ways[i].name, ways[i].wall_ms[0], ways[i].cpu_ms[0], ways[i].wall_ms[1], ways[i].cpu_ms[1]);
        ndp_target_close(ways[i].target);
    }
    return 0;
}
