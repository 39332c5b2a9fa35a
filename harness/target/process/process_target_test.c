/* process_target_test.c: bad testees. This program is also the testee, when started as `process_target_test bad
 * <deed>`. */
#include "base/suite.h"
#include "target/process/bad_testee.h"
#include "target/process/isolate.h"
#include "target/process/landlock.h"
#include "target/process/process_start.h"
#include "target/process/start_testee.h"

#include <dirent.h>
#include <sys/stat.h>

/* ---- what is left behind ---- */

struct traces {
    char folder[64]; /* TMPDIR of this test; empty before and after */
    int fds;
};

static int count_entries(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) count += entry->d_name[0] != '.';
    (void)closedir(folder);
    return count;
}

static int count_shared(const char *mark) {
    int count = 0;
    DIR *folder = opendir("/dev/shm");
    if (!folder) return 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += strstr(entry->d_name, mark) != NULL;
    (void)closedir(folder);
    return count;
}

/* Processes below this test carry a mark in their environment. */
static bool is_marked(pid_t pid, const char *mark) {
    char path[64];
    static char text[65536];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    for (const char *at = text; at < text + size; at += strlen(at) + 1) is_found = is_found || strcmp(at, mark) == 0;
    return is_found;
}

/* Whether a process runs this program. The supervisor of a protected testee carries the mark, too. */
static bool is_testee(pid_t pid) {
    char path[64];
    struct stat own, other;
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
    return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino &&
           own.st_dev == other.st_dev;
}

static int count_testees(const char *mark) {
    int count = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry = readdir(processes); entry; entry = readdir(processes)) {
        const pid_t pid = (pid_t)atoi(entry->d_name);
        count += pid > 0 && pid != getpid() && is_testee(pid) && is_marked(pid, mark);
    }
    (void)closedir(processes);
    return count;
}

static int count_marked(const char *mark) {
    int count = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry = readdir(processes); entry; entry = readdir(processes)) {
        const pid_t pid = (pid_t)atoi(entry->d_name);
        count += pid > 0 && pid != getpid() && is_marked(pid, mark);
    }
    (void)closedir(processes);
    return count;
}

static int setup(void **state) {
    static struct traces traces;
    char number[32];
    snprintf(traces.folder, sizeof traces.folder, "/tmp/ndproof-test-XXXXXX");
    if (!mkdtemp(traces.folder)) return -1;
    snprintf(number, sizeof number, "%ld", (long)getpid());
    if (setenv("TMPDIR", traces.folder, 1) != 0 || setenv(MARKER, number, 1) != 0) return -1;
    traces.fds = count_entries("/proc/self/fd");
    *state = &traces;
    return 0;
}

static void assert_no_traces(const struct traces *traces) {
    char mark[64];
    snprintf(mark, sizeof mark, MARKER "=%ld", (long)getpid());
    assert_int_equal(count_entries(traces->folder), 0);
    assert_int_equal(count_entries("/proc/self/fd"), traces->fds);
    assert_int_equal(count_marked(mark), 0);
    assert_int_equal(count_shared(mark), 0);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static int teardown(void **state) {
    const struct traces *traces = *state;
    return rmdir(traces->folder);
}

/* ---- the tests ---- */

static const struct ndp_target_limits test_limits = {
    .case_deadline_ns = 60000 * MS_NS,
    .start_deadline_ns = 60000 * MS_NS,
    .memory_bytes = 200 * MIB,
    .frame_bytes = 64 * MIB,
};

static struct ndp_target *open_bad(const char *deed, bool is_slow) {
    char program[] = "/proc/self/exe", bad[] = "bad", name[64];
    char *argv[] = {program, bad, name, NULL};
    struct ndp_target_limits limits = test_limits;
    struct ndp_target *target;
    struct ndp_error error = {.status = NDP_OK};
    snprintf(name, sizeof name, "%s", deed);
    if (is_slow) limits.case_deadline_ns = 1000 * MS_NS;
    if (ndp_target_open_process("bad", "", argv, &limits, &target, &error) != NDP_OK) fail_msg("%s", error.text);
    return target;
}

/* A program that supplies bytes and fetches them. */
static struct ndp_program echo_program(uint64_t case_id, const char *text, uint64_t size_bytes) {
    struct ndp_program program = {.case_id = case_id, .step_count = 2};
    program.steps[0] = (struct ndp_step){.op = NDP_STEP_SUPPLY, .to = NDP_SLOT_ENCODED};
    program.steps[1] = (struct ndp_step){.op = NDP_STEP_FETCH, .from = NDP_SLOT_ENCODED, .to = NDP_SLOT_ENCODED};
    program.supplied = (struct ndp_bytes){(const uint8_t *)text, size_bytes};
    return program;
}

static void fill_programs(struct ndp_program *programs, uint64_t first_id, bool has_bad) {
    for (uint32_t i = 0; i < CASES; i++)
        programs[i] =
            has_bad && i == BAD_CASE ? echo_program(first_id + i, "!bad", 4) : echo_program(first_id + i, "good", 4);
}

static void assert_echoed(const struct ndp_outcome *outcome, const struct ndp_program *program) {
    const struct ndp_slot_record *record = &outcome->slots[NDP_SLOT_ENCODED];
    assert_int_equal(outcome->case_id, program->case_id);
    if (outcome->ended != PASS) fail_msg("case %d: %s", (int)outcome->case_id, outcome->fault);
    assert_true(record->state == NDP_SLOT_FILLED && record->has_bytes);
    assert_true(ndp_bytes_is_equal(record->bytes, program->supplied));
}

/* Submits and collects one batch. */
static void run_batch(struct ndp_target *target, struct ndp_arena *arena, const struct ndp_program *programs,
                      struct ndp_outcome *outcomes, uint32_t count) {
    assert_int_equal(target->ops->submit(target, programs, count, NULL), NDP_OK);
    assert_int_equal(target->ops->collect(target, arena, outcomes, count, NULL), NDP_OK);
}

static void close_without_traces(struct ndp_target *target, const struct traces *traces) {
    ndp_target_close(target);
    assert_no_traces(traces);
}

/* Expects the echo of each case except `bad`. */
static void assert_all_echoed(const struct ndp_outcome *outcomes, const struct ndp_program *programs, uint32_t bad) {
    for (uint32_t i = 0; i < CASES; i++)
        if (i != bad) assert_echoed(&outcomes[i], &programs[i]);
}

static void check_bad_case(const struct deed *deed, const struct ndp_outcome *outcome,
                           const struct ndp_program *program) {
    assert_int_equal(outcome->case_id, program->case_id);
    if (outcome->ended != deed->verdict || !strstr(outcome->fault, deed->says))
        fail_msg("%s: verdict %d: %s", deed->name, (int)outcome->ended, outcome->fault);
    assert_int_equal(outcome->death.signal, deed->signal);
    assert_int_equal(outcome->death.exit_code, deed->exit_code);
    if (deed->verdict == PASS) assert_echoed(outcome, program);
}

/* One bad case among good ones, in the first of two batches in flight. */
static void run_deed(const struct traces *traces, const struct deed *deed) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program first[CASES], second[CASES];
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_target *target = open_bad(deed->name, deed->is_slow);
    fill_programs(first, 100, true);
    fill_programs(second, 200, false);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    assert_int_equal(target->ops->submit(target, first, CASES, &error), NDP_OK);
    assert_int_equal(target->ops->submit(target, second, CASES, &error), NDP_OK);
    if (target->ops->collect(target, &arena, outcomes, CASES, &error) != NDP_OK)
        fail_msg("%s: %s", deed->name, error.text);
    check_bad_case(deed, &outcomes[BAD_CASE], &first[BAD_CASE]);
    assert_all_echoed(outcomes, first, BAD_CASE);
    if (strcmp(deed->name, "exit3") == 0)
        assert_true(ndp_bytes_is_equal(outcomes[BAD_CASE].stderr_tail, ndp_bytes_view("leaving early\n")));
    if (strcmp(deed->name, "crash_after_end") == 0) assert_true(outcomes[BAD_CASE].slots[NDP_SLOT_ENCODED].has_bytes);
    assert_int_equal(target->ops->collect(target, &arena, outcomes, CASES, &error), NDP_OK);
    assert_all_echoed(outcomes, second, CASES);
    assert_int_equal(target->counts.cases, 2 * CASES);
    assert_int_equal(target->counts.restarts, deed->verdict == PASS ? 0 : 1);
    assert_int_equal(target->counts.crashes + target->counts.timeouts + target->counts.ooms + target->counts.faults,
                     deed->verdict == PASS ? 0 : 1);
    close_without_traces(target, traces);
}

/* Without isolated shared memory, names are attributed by the process id that they contain. */
static void removes_the_semaphores_of_a_process(void **state) {
    enum { NOBODY = 1 << 30 }; /* above every possible process id */
    char mine[80], other[80];
    snprintf(mine, sizeof mine, "/dev/shm/sem.loky-%d-%ld", NOBODY, (long)getpid());
    snprintf(other, sizeof other, "/dev/shm/sem.loky-%d-%ld", NOBODY + 1, (long)getpid());
    const int fds[] = {open(mine, O_CREAT | O_RDWR, 0600), open(other, O_CREAT | O_RDWR, 0600)};
    if (fds[0] < 0 || fds[1] < 0) skip();
    ndp_isolate_remove_shared_memory(NOBODY);
    assert_int_not_equal(access(mine, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    assert_int_equal(unlink(other), 0);
    (void)close(fds[0]);
    (void)close(fds[1]);
}

/* Chooses the protection of the next testees, and returns whether it works on this machine. */
static bool choose_protection(enum ndp_protection protection) {
    const bool works = protection < NDP_PROTECTION_NAMESPACES || ndp_start_testee_works(protection);
    if (!works) print_message("NOT RUN: %s does not work on this machine\n", ndp_protection_word(protection));
    assert_int_equal(setenv("NDPROOF_SANDBOX", ndp_protection_word(protection), 1), 0);
    return works;
}

static void run_all_deeds(const struct traces *traces, enum ndp_protection first) {
    for (enum ndp_protection protection = first; protection < NDP_PROTECTION_COUNT; protection++) {
        if (!choose_protection(protection)) continue;
        for (size_t i = 0; i < TABLE_DEEDS; i++) run_deed(traces, &deeds[i]);
    }
    assert_int_equal(unsetenv("NDPROOF_SANDBOX"), 0);
}

static void blames_the_bad_case_and_continues(void **state) {
    run_all_deeds(*state, NDP_PROTECTION_LIMITS);
}

/* ---- fork servers ---- */

/* Sets how the next testees fork; "" is as they should. */
static void let_it_fork(const char *lie) {
    assert_int_equal(setenv("NDPROOF_TEST_FORKS", lie, 1), 0);
}

static void let_it_not_fork(void) {
    assert_int_equal(unsetenv("NDPROOF_TEST_FORKS"), 0);
}

/* The same as without a fork server. */
static void blames_the_bad_case_of_a_forked_process(void **state) {
    let_it_fork("");
    run_all_deeds(*state, NDP_PROTECTION_LIMITS);
    let_it_not_fork();
}

static struct ndp_child *child_of(struct ndp_target *target) {
    return &((struct ndp_process *)target->state)->child;
}

/* A crash and a refresh cost a process, but no guard. */
static void the_server_stays(void **state) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    for (enum ndp_protection protection = NDP_PROTECTION_NONE; protection < NDP_PROTECTION_COUNT; protection++) {
        if (!choose_protection(protection)) continue;
        let_it_fork("");
        struct ndp_target *target = open_bad("segv", false);
        const pid_t guard = child_of(target)->guard;
        fill_programs(programs, 1, true);
        NDP_ARENA_SCOPED(arena, 16 * MIB);
        for (uint32_t i = 1; i <= 3; i++) {
            run_batch(target, &arena, programs, outcomes, CASES);
            assert_int_equal(outcomes[BAD_CASE].death.signal, SIGSEGV);
            assert_int_equal(child_of(target)->guard, guard);
            assert_int_equal(child_of(target)->number, 3 * i - 1);
            const int before = child_of(target)->process;
            assert_true(before > 0 && is_testee(before));
            assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
            assert_false(is_testee(before));
            assert_int_equal(target->ops->submit(target, programs, 1, NULL), NDP_OK);
            assert_int_equal(target->ops->collect(target, &arena, outcomes, 1, NULL), NDP_OK);
            assert_int_equal(child_of(target)->guard, guard);
            assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
        }
        assert_int_equal(target->counts.restarts, 3);
        let_it_not_fork();
        close_without_traces(target, *state);
    }
    assert_int_equal(unsetenv("NDPROOF_SANDBOX"), 0);
}

/* A daemon in a session of its own and files end with the process that leaves them. */
static void nothing_reaches_the_next_process(void **state) {
    static const char *const names[] = {"leaves_a_daemon", "litters"};
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_resource_snapshot first, later;
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        let_it_fork("");
        struct ndp_target *target = open_bad(names[i], false);
        fill_programs(programs, 1, false);
        NDP_ARENA_SCOPED(arena, 16 * MIB);
        run_batch(target, &arena, programs, outcomes, CASES);
        assert_int_equal(target->ops->census(target, &first), NDP_OK);
        fill_programs(programs, 1, true);
        run_batch(target, &arena, programs, outcomes, CASES);
        assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
        fill_programs(programs, 1, false);
        run_batch(target, &arena, programs, outcomes, CASES);
        assert_int_equal(target->ops->census(target, &later), NDP_OK);
        assert_memory_equal(&first, &later, sizeof first);
        let_it_not_fork();
        close_without_traces(target, *state);
    }
}

/* A server that dies or lies is replaced by a new one, and no case is blamed for it. */
static void a_bad_server_is_replaced(void **state) {
    static const char *const lies[] = {"dies_after", "ends_early"};
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_error error = {.status = NDP_OK};
    let_it_fork(lies[0]);
    struct ndp_target *target = open_bad("segv", false);
    const pid_t guard = child_of(target)->guard;
    fill_programs(programs, 1, false);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    for (int i = 0; i < 2; i++) {
        run_batch(target, &arena, programs, outcomes, CASES);
        assert_all_echoed(outcomes, programs, CASES);
        assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
    }
    assert_int_not_equal(child_of(target)->guard, guard);
    assert_int_equal(target->counts.crashes + target->counts.faults, 0);
    close_without_traces(target, *state);
    static const struct {
        const char *lie, *says;
    } rows[] = {{"exits", "exited with 4"}, {lies[1], "no process was forked"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        let_it_fork(rows[i].lie);
        target = open_bad("segv", false);
        assert_int_equal(target->ops->submit(target, programs, CASES, NULL), NDP_OK);
        assert_int_equal(target->ops->collect(target, &arena, outcomes, CASES, &error), NDP_GONE);
        if (!strstr(error.text, rows[i].says)) fail_msg("%s: %s", rows[i].lie, error.text);
        close_without_traces(target, *state);
    }
    let_it_not_fork();
}

/* Without protection, a testee can end its guard; that is noticed. Otherwise it cannot. */
static void a_protected_testee_cannot_end_its_guard(void **state) {
    const struct deed *ends = &deeds[TABLE_DEEDS];
    struct deed fails = *ends;
    fails.verdict = PASS;
    fails.says = "";
    for (enum ndp_protection protection = NDP_PROTECTION_NONE; protection < NDP_PROTECTION_COUNT; protection++) {
        const bool can_signal =
            protection == NDP_PROTECTION_LIMITS && geteuid() != 0 && ndp_landlock_version() < NDP_LANDLOCK_SIGNALS;
        if (choose_protection(protection) && !can_signal)
            run_deed(*state, protection == NDP_PROTECTION_NONE ? ends : &fails);
    }
    assert_int_equal(unsetenv("NDPROOF_SANDBOX"), 0);
}

/* Endless frames after an END are charged to the case whose BEGIN was expected. */
static void ends_a_testee_that_sends_without_end(void **state) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_target *target = open_bad("ends_for_ever", false);
    fill_programs(programs, 1, true);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    run_batch(target, &arena, programs, outcomes, CASES);
    assert_all_echoed(outcomes, programs, BAD_CASE + 1);
    assert_int_equal(outcomes[BAD_CASE + 1].ended, FAULT);
    close_without_traces(target, *state);
}

/* Every case is bad: each is reported, none is lost. */
static void continues_when_every_case_is_bad(void **state) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_target *target = open_bad("segv", false);
    for (uint32_t i = 0; i < CASES; i++) programs[i] = echo_program(i, "!", 1);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    run_batch(target, &arena, programs, outcomes, CASES);
    for (uint32_t i = 0; i < CASES; i++) {
        assert_int_equal(outcomes[i].ended, CRASH);
        assert_int_equal(outcomes[i].death.signal, SIGSEGV);
        assert_int_equal(outcomes[i].case_id, i);
    }
    assert_int_equal(target->counts.crashes, CASES);
    close_without_traces(target, *state);
}

/* A batch in which every case hangs is skipped after three of them. The next batch still runs. */
static void skips_a_batch_after_three_timeouts(void **state) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program bad[CASES], good[CASES];
    struct ndp_target *target = open_bad("stop", true);
    for (uint32_t i = 0; i < CASES; i++) bad[i] = echo_program(i, "!", 1);
    fill_programs(good, 100, false);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    assert_int_equal(target->ops->submit(target, bad, CASES, NULL), NDP_OK);
    assert_int_equal(target->ops->submit(target, good, CASES, NULL), NDP_OK);
    assert_int_equal(target->ops->collect(target, &arena, outcomes, CASES, NULL), NDP_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        assert_int_equal(outcomes[i].case_id, i);
        assert_int_equal(outcomes[i].ended, i < 3 ? TIMEOUT : NDP_VERDICT_UNSUPPORTED);
        assert_non_null(strstr(outcomes[i].fault, i < 3 ? "deadline" : "skipped"));
    }
    assert_int_equal(target->counts.timeouts, 3);
    assert_int_equal(target->counts.cases, 3);
    assert_int_equal(target->ops->collect(target, &arena, outcomes, CASES, NULL), NDP_OK);
    assert_all_echoed(outcomes, good, CASES);
    close_without_traces(target, *state);
}

/* The late testee misses the deadline of one second; an array of 20 MiB has five. */
static void large_arrays_have_more_time(void **state) {
    static struct ndp_outcome outcomes[2];
    static uint8_t base[20 * MIB];
    struct ndp_program programs[2] = {echo_program(0, "!bad", 4), echo_program(1, "!bad", 4)};
    programs[0].base_bytes = (struct ndp_bytes){base, sizeof base};
    struct ndp_target *target = open_bad("late", true);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    run_batch(target, &arena, programs, outcomes, 2);
    assert_echoed(&outcomes[0], &programs[0]);
    assert_int_equal(outcomes[1].ended, TIMEOUT);
    close_without_traces(target, *state);
}

/* Both directions carry more than the pipes can buffer. */
static void does_not_deadlock_on_full_pipes(void **state) {
    enum { MANY = 48, LARGE_BYTES = 1 << 16 };
    static struct ndp_outcome outcomes[MANY];
    static struct ndp_program programs[2][MANY];
    static char text[LARGE_BYTES];
    struct ndp_target *target = open_bad("nothing", false);
    memset(text, 'x', sizeof text);
    for (uint32_t i = 0; i < 2 * MANY; i++) programs[i / MANY][i % MANY] = echo_program(i, text, sizeof text);
    NDP_ARENA_SCOPED(arena, 64 * MIB);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(target->ops->submit(target, programs[0], MANY, NULL), NDP_OK);
        assert_int_equal(target->ops->submit(target, programs[1], MANY, NULL), NDP_OK);
        for (uint32_t batch = 0; batch < 2; batch++) {
            assert_int_equal(target->ops->collect(target, &arena, outcomes, MANY, NULL), NDP_OK);
            for (uint32_t i = 0; i < MANY; i++) assert_echoed(&outcomes[i], &programs[batch][i]);
            ndp_arena_reset(&arena);
        }
    }
    assert_int_equal(target->counts.restarts, 0);
    close_without_traces(target, *state);
}

/* An answer that exceeds the memory of the batch is charged to its case and does not end the run. */
static void refuses_an_answer_that_is_too_large(void **state) {
    enum { LARGE_BYTES = 1 << 20 };
    static struct ndp_outcome outcomes[CASES];
    static char text[LARGE_BYTES];
    struct ndp_program programs[CASES];
    struct ndp_target *target = open_bad("nothing", false);
    fill_programs(programs, 1, false);
    programs[BAD_CASE].supplied = (struct ndp_bytes){(const uint8_t *)text, sizeof text};
    NDP_ARENA_SCOPED(arena, LARGE_BYTES / 2);
    run_batch(target, &arena, programs, outcomes, CASES);
    assert_all_echoed(outcomes, programs, BAD_CASE);
    assert_int_equal(outcomes[BAD_CASE].ended, OOM);
    assert_int_equal(target->counts.ooms, 1);
    assert_non_null(strstr(outcomes[BAD_CASE].fault, "too large"));
    close_without_traces(target, *state);
}

/* Each answer is within its share except earlier ones, which took more, so the last has no room. */
static void skips_a_case_without_memory_left(void **state) {
    enum { HALF_BYTES = 1 << 19, LAST = CASES - 1 };
    static struct ndp_outcome outcomes[CASES];
    static char text[HALF_BYTES];
    struct ndp_program programs[CASES];
    struct ndp_target *target = open_bad("nothing", false);
    fill_programs(programs, 1, false);
    programs[0].supplied = (struct ndp_bytes){(const uint8_t *)text, sizeof text};
    programs[LAST].supplied = (struct ndp_bytes){(const uint8_t *)text, HALF_BYTES / CASES};
    NDP_ARENA_SCOPED(arena, HALF_BYTES + HALF_BYTES / CASES);
    run_batch(target, &arena, programs, outcomes, CASES);
    for (uint32_t i = 0; i < LAST; i++) assert_echoed(&outcomes[i], &programs[i]);
    assert_int_equal(outcomes[LAST].ended, NDP_VERDICT_UNSUPPORTED);
    assert_non_null(strstr(outcomes[LAST].fault, "used up the memory"));
    assert_int_equal(target->counts.ooms + target->counts.restarts, 0);
    ndp_arena_reset(&arena);
    run_batch(target, &arena, &programs[LAST], outcomes, 1);
    assert_echoed(&outcomes[0], &programs[LAST]);
    close_without_traces(target, *state);
}

static void refreshes_to_a_new_process(void **state) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_target *target = open_bad("nothing", false);
    fill_programs(programs, 1, false);
    NDP_ARENA_SCOPED(arena, 16 * MIB);
    assert_int_equal(target->ops->submit(target, programs, CASES, NULL), NDP_OK);
    assert_int_equal(target->ops->refresh(target, NULL), NDP_OK);
    assert_int_equal(target->ops->collect(target, &arena, outcomes, CASES, NULL), NDP_OK);
    assert_all_echoed(outcomes, programs, CASES);
    close_without_traces(target, *state);
}

static void refuses_a_bad_hello(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(hellos); i++) {
        char program[] = "/proc/self/exe", bad[] = "bad", name[64];
        char *argv[] = {program, bad, name, NULL};
        struct ndp_target_limits limits = test_limits;
        struct ndp_target *target = NULL;
        struct ndp_error error = {.status = NDP_OK};
        snprintf(name, sizeof name, "%s", hellos[i].name);
        if (hellos[i].status == NDP_TIMEOUT) limits.start_deadline_ns = 300 * MS_NS;
        assert_int_equal(ndp_target_open_process("bad", "", argv, &limits, &target, &error), hellos[i].status);
        if (!strstr(error.text, hellos[i].says)) fail_msg("%s: %s", hellos[i].name, error.text);
        assert_null(target);
        assert_no_traces(*state);
    }
}

static void reports_a_missing_program(void **state) {
    char program[] = "/nowhere/at/all";
    char *argv[] = {program, NULL};
    struct ndp_target *target = NULL;
    struct ndp_error error = {.status = NDP_OK};
    assert_int_equal(ndp_target_open_process("bad", "", argv, &test_limits, &target, &error), NDP_GONE);
    assert_non_null(strstr(error.text, "cannot start /nowhere/at/all"));
    assert_no_traces(*state);
}

/* Plays ndproof in a child process, with a testee that hangs. */
static _Noreturn void play_ndproof(int ready_fd) {
    static struct ndp_outcome outcomes[CASES];
    struct ndp_program programs[CASES];
    struct ndp_arena arena;
    struct ndp_target *target = open_bad("hang", false);
    fill_programs(programs, 1, true);
    ndp_arena_init(&arena, 16 * MIB);
    if (target->ops->submit(target, programs, CASES, NULL) != NDP_OK || write(ready_fd, "r", 1) != 1) _exit(1);
    (void)target->ops->collect(target, &arena, outcomes, CASES, NULL);
    _exit(1);
}

/* When ndproof is killed, the guard ends all testees and itself. This process adopts the guard in order to wait for
 * it. */
static void expect_nothing_after_a_kill(const struct traces *traces) {
    char mark[64], byte;
    int ready[2];
    snprintf(mark, sizeof mark, MARKER "=%ld", (long)getpid());
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) play_ndproof(ready[1]);
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    assert_true(count_testees(mark) >= 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    int adopted = -1;
    while (waitpid(-1, NULL, 0) > 0) adopted++;
    assert_int_equal(adopted, 1);
    assert_no_traces(traces);
}

static void leaves_nothing_when_it_is_killed(void **state) {
    expect_nothing_after_a_kill(*state);
    let_it_fork("");
    expect_nothing_after_a_kill(*state);
    let_it_not_fork();
}

static int play_role(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "bad") == 0) return be_a_testee(argv[2]);
    return -1;
}

NDP_SUITE_WITH(process_target_test, play_role, setup, teardown, NDP_TEST(removes_the_semaphores_of_a_process),
               NDP_TEST(blames_the_bad_case_and_continues), NDP_TEST(blames_the_bad_case_of_a_forked_process),
               NDP_TEST(the_server_stays), NDP_TEST(nothing_reaches_the_next_process),
               NDP_TEST(a_bad_server_is_replaced), NDP_TEST(a_protected_testee_cannot_end_its_guard),
               NDP_TEST(ends_a_testee_that_sends_without_end), NDP_TEST(continues_when_every_case_is_bad),
               NDP_TEST(skips_a_batch_after_three_timeouts), NDP_TEST(large_arrays_have_more_time),
               NDP_TEST(does_not_deadlock_on_full_pipes), NDP_TEST(refuses_an_answer_that_is_too_large),
               NDP_TEST(skips_a_case_without_memory_left), NDP_TEST(refreshes_to_a_new_process),
               NDP_TEST(refuses_a_bad_hello), NDP_TEST(reports_a_missing_program),
               NDP_TEST(leaves_nothing_when_it_is_killed));
