#include "runtime/stats.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

static struct fuzz_stats own;
static struct fuzz_stats *stats;

/* If the file cannot be mapped, each process has its own counters. */
static void map_shared(const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return;
    void *shared = MAP_FAILED;
    if (ftruncate(fd, sizeof own) == 0) shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED) stats = shared;
    close(fd);
}

struct fuzz_stats *fuzz_stats(void) {
    if (stats) return stats;
    const char *path = getenv("NDP_FUZZ_STATS");
    stats = &own;
    if (path) map_shared(path);
    return stats;
}

void fuzz_stats_add(_Atomic uint64_t *counter, uint64_t number) {
    atomic_fetch_add_explicit(counter, number, memory_order_relaxed);
}

unsigned long long fuzz_stats_get(_Atomic uint64_t *counter) {
    return (unsigned long long)atomic_load_explicit(counter, memory_order_relaxed);
}

void fuzz_stats_tell(void) {
    struct fuzz_stats *all = fuzz_stats();
    if (fuzz_stats_get(&all->executions) == 0) return;
    fprintf(stderr,
            "ndproof: fuzz_%s: %llu executed, %llu valid (%.2f %%), %llu mutated of which %llu typed, "
            "%llu comparisons, %llu findings seen %llu times\n",
            fuzz_name, fuzz_stats_get(&all->executions), fuzz_stats_get(&all->valid),
            100.0 * (double)fuzz_stats_get(&all->valid) / (double)fuzz_stats_get(&all->executions),
            fuzz_stats_get(&all->mutated), fuzz_stats_get(&all->typed), fuzz_stats_get(&all->comparisons),
            fuzz_stats_get(&all->findings), fuzz_stats_get(&all->hits));
    if (fuzz_stats_get(&all->mutated) == 0) return;
    const unsigned long long runs = fuzz_stats_get(&all->typed_runs), valid = fuzz_stats_get(&all->typed_valid);
    fprintf(stderr,
            "ndproof: fuzz_%s: mutated by structure: %llu valid of %llu (%.2f %%); corrupted on purpose: %llu\n",
            fuzz_name, valid, runs, runs > 0 ? 100.0 * (double)valid / (double)runs : 0.0,
            fuzz_stats_get(&all->mutated) - fuzz_stats_get(&all->typed));
}

/* ---- inputs that were not executed ---- */

enum { MAX_REASONS = 64, REASON_BYTES = 100, PRINTED = 8 };

/* The last entry collects the reasons without an entry. */
static struct {
    char text[REASON_BYTES];
    uint64_t count;
} reasons[MAX_REASONS + 1];
static uint32_t reason_count;

static void print_reasons(void) {
    for (int printed = 0; printed < PRINTED; printed++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i <= MAX_REASONS; i++)
            if (reasons[i].count > reasons[most].count) most = i;
        if (reasons[most].count == 0) return;
        fprintf(stderr, "ndproof: fuzz_%s: not executed %llu times: %s\n", fuzz_name,
                (unsigned long long)reasons[most].count, reasons[most].text);
        reasons[most].count = 0;
    }
}

void fuzz_skip_reason(const char *reason) {
    char text[REASON_BYTES];
    snprintf(text, sizeof text, "%s", reason);
    uint32_t at = 0;
    while (at < reason_count && strcmp(reasons[at].text, text) != 0) at++;
    if (reason_count == 0) FUZZ_CHECK(atexit(print_reasons) == 0);
    if (at == reason_count && at < MAX_REASONS) memcpy(reasons[reason_count++].text, text, sizeof text);
    if (at == MAX_REASONS) snprintf(reasons[at].text, sizeof reasons[at].text, "other reasons");
    reasons[at].count++;
}
