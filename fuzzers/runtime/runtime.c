/* runtime.c: the layer between an engine and a target: counts executions, runs seeds in every turn, and checks that an
 * input frees its memory, closes its files and takes time in proportion to its size.
 *
 * Environment: NDP_FUZZ_EMPTY counts inputs without running them, to measure an engine, and with the value "engine"
 * also leaves out the mutator; stats.h and findings.h read more variables. */
#include "fuzz.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/rng.h"
#include "runtime/coverage.h"
#include "runtime/findings.h"
#include "runtime/json_memory.h"
#include "runtime/resource_count.h"
#include "runtime/stats.h"

enum { FREE_HASHES = 10000000, HASHED_BYTES = 1 << 18, GLANCE_NS = 4000000 };
enum { RUNS_AGAIN = 3, HELD_AGAIN = 16, SEEDS_MAX = 1 << 14, WATCHED_ONE_IN = 64 };

static bool is_counted;            /* this input counts as valid */
static const uint8_t *judged_data; /* the current input (borrowed) */
static size_t judged_size;
static uint64_t judged_hash;                /* hash of the current input */
static uint64_t written_bytes;              /* output of this input, reported by fuzz_wrote() */
static bool is_left_out;                    /* the engine must not see this input */
static bool is_again;                       /* this run was counted before */
static bool is_typed;                       /* this input is the mutator's last typed result */
static bool is_open, is_empty;              /* empty: the target does nothing, to measure the engine */
static bool is_alone;                       /* the mutator does nothing either */
static bool has_mutated, measures, shrinks; /* no more seeds; measuring speed; minimising an input */
static uint32_t turn;                       /* of a seed: 0 is the turn that an engine would run */
static uint32_t rounds;                     /* over all inputs, when speed is measured */
static bool has_turns, runs_once;           /* some check depends on the turn; seeds run once nevertheless */

static void open_once(void) {
    if (is_open) return;
    is_open = true;
    /* Without TZ, each date in an archive makes the C library read the time zone again. */
    (void)setenv("TZ", "UTC0", 0);
    fuzz_json_memory_open();
    fuzz_heap_watch();
    const char *empty = getenv("NDP_FUZZ_EMPTY");
    is_empty = empty != NULL;
    is_alone = is_empty && strcmp(empty, "engine") == 0;
    fuzz_findings_open();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    for (int i = 1; i < *argc; i++) {
        const char *word = (*argv)[i];
        struct stat status;
        if (strncmp(word, "-artifact_prefix=", 17) == 0) fuzz_findings_prefix(word + 17);
        if (strncmp(word, "-seconds=", 9) == 0 || strcmp(word, "-costs") == 0) measures = true;
        if (strncmp(word, "-minimize_crash", 15) == 0 || strncmp(word, "-cleanse_crash", 14) == 0) shrinks = true;
        if (word[0] == '-' || stat(word, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        if (LLVMFuzzerMutate) fuzz_findings_stop();
        if (fuzz_mutate_again) fuzz_mutate_again(word);
    }
    if (shrinks) fuzz_findings_stop();
    open_once();
    return 0;
}

void fuzz_cannot_work(const char *reason) {
    fprintf(stderr, "ndproof: cannot work: %s\n", reason);
#ifdef __AFL_COMPILER
    abort(); /* AFL++ restarts a target that exits */
#else
    _exit(3);
#endif
}

/* Hashes all bytes, several at a time. */
static uint64_t hash_of(const uint8_t *data, size_t size) {
    uint64_t hash = size, word = 0;
    for (; size >= sizeof word; data += sizeof word, size -= sizeof word) {
        memcpy(&word, data, sizeof word);
        hash = ndp_rng_mix(hash, word);
    }
    word = 0;
    if (size > 0) memcpy(&word, data, size);
    return ndp_rng_mix(hash, word);
}

/* The hash of the current input, computed once although the target asks several times. */
static uint64_t hash_of_judged(const uint8_t *data, size_t size) {
    return data == judged_data && size == judged_size ? judged_hash : hash_of(data, size);
}

static void mark_accepted(uint64_t hash) {
    atomic_store_explicit(&fuzz_stats()->accepted[hash % FUZZ_ACCEPTED_MAX], hash, memory_order_relaxed);
}

void fuzz_compared(uint64_t comparisons) {
    if (!is_again) fuzz_stats_add(&fuzz_stats()->comparisons, comparisons);
}

void fuzz_valid(uint64_t comparisons) {
    struct fuzz_stats *stats = fuzz_stats();
    fuzz_compared(comparisons);
    if (is_counted) return;
    is_counted = true;
    const struct ndp_bytes input = fuzz_findings_input();
    fuzz_stats_add(&stats->valid, 1);
    if (is_typed) fuzz_stats_add(&stats->typed_valid, 1);
    mark_accepted(hash_of(input.data, (size_t)input.size_bytes));
}

bool fuzz_is_accepted(const uint8_t *data, size_t size) {
    open_once();
    const uint64_t hash = hash_of(data, size);
    return atomic_load_explicit(&fuzz_stats()->accepted[hash % FUZZ_ACCEPTED_MAX], memory_order_relaxed) == hash;
}

void fuzz_wrote(uint64_t size_bytes) {
    written_bytes += size_bytes;
}

void fuzz_mutated(const uint8_t *typed, size_t size) {
    open_once();
    has_mutated = true;
    fuzz_stats_add(&fuzz_stats()->mutated, 1);
    if (!typed) return;
    fuzz_stats_add(&fuzz_stats()->typed, 1);
    atomic_store_explicit(&fuzz_stats()->typed_hash, hash_of(typed, size), memory_order_relaxed);
}

void fuzz_leave_out(void) {
    is_left_out = true;
}

bool fuzz_is_typed(void) {
    return is_typed;
}

bool fuzz_is_engine_alone(void) {
    return is_alone;
}

void fuzz_has_feedback(uint32_t counters) {
    open_once();
    atomic_store_explicit(&fuzz_stats()->feedback, counters, memory_order_relaxed);
}

#ifdef __AFL_COMPILER
/* AFL++ stops this process between inputs and kills its parent; without this setting, the stopped process would
 * remain. */
static void end_with_parent(void) {
    static bool is_tied;
    if (!is_tied && getenv("__AFL_SHM_ID")) (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    is_tied = true;
}
#endif

/* Adds the processor time since the last call, at intervals. */
static void count_time(void) {
    static uint64_t counted_us, calls;
    struct timespec now;
    if (calls++ % 64 != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return;
    const uint64_t testee_us = fuzz_testee_us ? fuzz_testee_us() : 0;
    const uint64_t now_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000 + testee_us;
    if (now_us <= counted_us) return;
    if (counted_us > 0) fuzz_stats_add(&fuzz_stats()->cpu_us, now_us - counted_us);
    counted_us = now_us;
}

static int run(const uint8_t *data, size_t size) {
    if (fuzz_before_input) fuzz_before_input();
    written_bytes = 0;
    const int status = fuzz_one_input(data, size);
    fuzz_runs_instead(data, size);
    if (fuzz_after_input) fuzz_after_input();
    return status;
}

/* Runs the input again, to check whether an effect repeats. */
static void run_again(const uint8_t *data, size_t size) {
    is_again = true;
    fuzz_forget_coverage();
    (void)run(data, size);
    is_again = false;
}

/* The first input may allocate memory that stays, and a pool may grow; an input that allocates more in each run leaks.
 * The engine sees one run. */
static void check_heap(const uint8_t *data, size_t size, int64_t held) {
    for (int i = 0; i < HELD_AGAIN && fuzz_heap_held() > held; i++) {
        held = fuzz_heap_held();
        run_again(data, size);
    }
    FUZZ_HOLDS_OF("memory is given back", fuzz_heap_held() <= held);
}

/* Checks the same for open files. Counting them takes as long as a short input, so only a few inputs are checked,
 * always the same ones. */
static void check_files(const uint8_t *data, size_t size, uint32_t open_files) {
    for (int i = 0; i < RUNS_AGAIN && fuzz_files_open() > open_files; i++) {
        open_files = fuzz_files_open();
        run_again(data, size);
    }
    FUZZ_HOLDS_OF("files are closed", fuzz_files_open() <= open_files);
}

static uint64_t own_time_ns(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The time limit of an input, as a multiple of the time of hashing at this moment, so that it follows the speed and
 * load of the machine. */
static uint64_t allowed_ns(uint64_t size_bytes) {
    static uint8_t zeros[HASHED_BYTES];
    const uint64_t start_ns = own_time_ns(CLOCK_THREAD_CPUTIME_ID);
    zeros[0] = (uint8_t)ndp_hash_bytes(zeros, sizeof zeros, NDP_HASH_START);
    const uint64_t hash_ns = own_time_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
    return (FREE_HASHES + (uint64_t)fuzz_hashes_per_byte * size_bytes) / 1024 * hash_ns / (HASHED_BYTES / 1024);
}

static bool is_slow(const uint8_t *data, size_t size) {
    for (int i = 0; i < RUNS_AGAIN; i++) {
        const uint64_t start_ns = own_time_ns(CLOCK_THREAD_CPUTIME_ID);
        run_again(data, size);
        const uint64_t own_ns = own_time_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
        if (own_ns <= GLANCE_NS || own_ns <= allowed_ns(size + written_bytes)) return false;
    }
    return true;
}

/* An input is slow if every run is slow; load makes only some runs slow. The coverage that the engine sees does not
 * depend on the load. */
static void check_time(const uint8_t *data, size_t size) {
    fuzz_coverage_keep();
    const bool is_always_slow = is_slow(data, size);
    fuzz_coverage_put_back();
    if (is_always_slow) FUZZ_HOLDS_OF("time is in proportion to the input", fuzz_hashes_per_byte == 0);
}

static int judge(const uint8_t *data, size_t size) {
    judged_data = data, judged_size = size;
    const int64_t held = fuzz_heap_held();
    const uint32_t open_files = shrinks || judged_hash % WATCHED_ONE_IN == 0 ? fuzz_files_open() : 0;
    const uint64_t start_ns = own_time_ns(CLOCK_MONOTONIC);
    fuzz_runs_instead(data, size);
    const int status = run(data, size);
    if (fuzz_heap_held() > held) check_heap(data, size, held);
    if (open_files > 0) check_files(data, size, open_files);
    if (fuzz_hashes_per_byte > 0 && own_time_ns(CLOCK_MONOTONIC) - start_ns > GLANCE_NS) check_time(data, size);
    judged_data = NULL;
    return status;
}

#ifndef __AFL_COMPILER
/* Whether the input is new, as far as the table remembers: folders shared between engines contain copies. */
static bool is_first(const uint8_t *data, size_t size) {
    static uint64_t hashes[SEEDS_MAX];
    const uint64_t hash = hash_of(data, size);
    uint64_t *known = &hashes[hash % SEEDS_MAX];
    const bool is_known = *known == hash;
    *known = hash;
    return !is_known;
}
#endif

/* Runs a seed or a replayed file in every turn, each counted as an execution, so that it meets every costly check. An
 * input of the engine runs in its own turn only; AFL++ must see the same coverage in each run of an input. */
static int judge_turns(const uint8_t *data, size_t size) {
    int status = judge(data, size);
#ifndef __AFL_COMPILER
    static uint32_t inputs;
    const bool is_seed = !has_mutated && !measures && inputs < SEEDS_MAX && is_first(data, size);
    inputs += is_seed;
    for (turn = 1; (shrinks || is_seed) && has_turns && !runs_once && turn < FUZZ_TURNS; turn++) {
        is_counted = is_typed = false;
        fuzz_stats_add(&fuzz_stats()->executions, 1);
        fuzz_coverage_hold();
        status |= judge(data, size);
    }
    turn = 0;
    fuzz_coverage_begin();
#endif
    if (is_left_out) fuzz_forget_coverage();
    if (is_left_out && fuzz_forget_input) fuzz_forget_input();
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_stats *stats = fuzz_stats();
    open_once();
    count_time();
    is_counted = is_left_out = false;
    judged_hash = hash_of(data, size);
    is_typed = fuzz_stats_get(&stats->typed_hash) != 0 && fuzz_stats_get(&stats->typed_hash) == judged_hash;
    fuzz_stats_add(&stats->executions, 1);
    if (is_typed) {
        /* Counts an input once: an engine may run it again to test whether it is stable. */
        atomic_store_explicit(&stats->typed_hash, 0, memory_order_relaxed);
        fuzz_stats_add(&stats->typed_runs, 1);
    }
    if (is_empty) return 0;
#ifdef __AFL_COMPILER
    end_with_parent();
    /* The engine passes inputs in shared memory; a sanitizer detects a read past the end of an exact-size copy. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(copy);
    memcpy(copy, data, size);
    const int status = judge_turns(copy, size);
    free(copy);
    return status;
#else
    return judge_turns(data, size);
#endif
}

bool fuzz_is_due(uint32_t check, uint32_t one_in) {
    has_turns = true;
    return (ndp_rng_mix(judged_hash, check) + turn + rounds) % one_in == 0;
}

void fuzz_run_once(void) {
    runs_once = true;
}

/* Each check asks for the hash of the same input; comparing eight bytes recognises it. */
uint64_t fuzz_pick(const uint8_t *data, size_t size) {
    static uint64_t known, hash;
    const uint64_t now = hash_of_judged(data, size);
    if (hash == 0 || now != known) hash = ndp_hash_bytes(data, size, NDP_HASH_START);
    known = now;
    return rounds + turn == 0 ? hash : ndp_rng_mix(hash, rounds + turn);
}

void fuzz_next_round(void) {
    rounds++;
}
