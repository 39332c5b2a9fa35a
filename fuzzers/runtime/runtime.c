/* runtime.c: stands between an engine and a target: counts executions, and files findings so that a divergence is not
 * the end of the run.
 *
 * An input that breaks a promise is an artifact once for each signature, whatever the number of processes that fuzz
 * into the same folder: the first to create its file has it; one that was filed by an older program becomes
 * `<artifact>.before`. Beside it `<artifact>.signature` says the signature and how often it was seen. Where somebody
 * waits for a crash (a file is replayed, the engine makes one smaller, or NDP_FUZZ_STOP is set) the process ends at the
 * first broken promise.
 *
 * Environment: NDP_FUZZ_ARTIFACTS, the beginning of artifacts' paths (under libFuzzer -artifact_prefix says it);
 * NDP_FUZZ_STATS, a file of counters that processes share; NDP_FUZZ_STOP, end at the first finding, or, where it is a
 * signature, at the first of that, so that what makes an input smaller does not come to another;
 * NDP_FUZZ_EMPTY, only count, to measure against. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/rng.h"
#include "runtime/coverage.h"
#include "runtime/file_watch.h"
#include "runtime/heap_watch.h"
#include "runtime/json_memory.h"

enum { FREE_HASHES = 10000000, HASHED_BYTES = 1 << 18, GLANCE_NS = 4000000 };
enum { MAX_SIGNATURES = 4096, SIGNATURE_BYTES = 512, PATH_BYTES = 1024, MAX_PRINTED = 200 };
enum { RUNS_AGAIN = 3, HELD_AGAIN = 16, HASH_LETTERS = 16 };
enum { ACCEPTED_MAX = 1 << 15, TURNS_MAX = 16, SEEDS_MAX = 1 << 14, WATCHED_ONE_IN = 16 };

enum { ANSWER_BITS = 4 };
#define ANSWER_MASK  UINT64_C(0xf)
#define ANSWERS_MASK UINT64_C(0xffff)
#define ROW_MASK     UINT64_C(0x1ffff)

/* One line in a file of counters; .ci/nightly reads it. */
struct stats {
    _Atomic uint64_t executions;
    _Atomic uint64_t valid;
    _Atomic uint64_t comparisons;
    _Atomic uint64_t mutated;
    _Atomic uint64_t typed; /* mutations that must give something valid */
    _Atomic uint64_t findings;
    _Atomic uint64_t hits;
    _Atomic uint64_t cpu_us; /* of the target's own processes: what a busy machine does not change */
    _Atomic uint64_t typed_runs;
    _Atomic uint64_t typed_valid;
    _Atomic uint64_t feedback;               /* counters of a testee that moved when it was proved that they do */
    _Atomic uint64_t typed_hash;             /* of the last one that was made: the mutator may be another process */
    _Atomic uint64_t accepted[ACCEPTED_MAX]; /* hashes of valid inputs, each at a place that follows from it */
};

static struct stats own_stats;
static struct stats *stats = &own_stats;
static struct {
    uint64_t hash;
    uint64_t unwritten; /* hits that its file does not know of yet */
    bool is_filed;      /* an input of it is an artifact, of this process or of another */
    time_t tried_s;     /* when that was last tried */
} seen[MAX_SIGNATURES];
static uint32_t seen_count;
static uint64_t hits;
static const uint8_t *input;
static size_t input_size;
static bool is_counted; /* this input, as valid */
static bool tells_all, is_asked;
static uint64_t run_row, input_row;         /* what was answered in this run, and in all of this input's */
static uint64_t judged_hash;                /* of it */
static uint64_t written_bytes;              /* by this input, as it says */
static bool is_left_out;                    /* the engine is to see nothing of this input */
static bool is_again;                       /* what this run compares was counted before */
static bool is_typed;                       /* this input is what the mutator made last */
static bool is_empty;                       /* the target does nothing: what an engine costs by itself */
static bool is_open, stops, files;          /* files: artifacts are wanted */
static bool has_mutated, measures, shrinks; /* seeds are run no more; speed is asked for, or a smaller input */
static uint32_t ways, turn;  /* of this target there are so many; how far from an input's own this run is */
static uint32_t rounds;      /* of who measures, over all of its inputs */
static const char *stops_at; /* NULL is any signature */
static char prefix[PATH_BYTES];
static time_t written_s;

static void add(_Atomic uint64_t *counter, uint64_t number) {
    atomic_fetch_add_explicit(counter, number, memory_order_relaxed);
}

static unsigned long long get(_Atomic uint64_t *counter) {
    return (unsigned long long)atomic_load_explicit(counter, memory_order_relaxed);
}

void fuzz_artifact_path(const char *what, char *out, size_t out_bytes) {
    /* The name of the target says who can judge it again. */
    char name[128];
    snprintf(name, sizeof name, "fuzz_%s", fuzz_name);
    const bool is_named = strstr(prefix, name) != NULL;
    snprintf(out, out_bytes, "%s%s%s%s", prefix, is_named ? "" : name, is_named ? "" : "-", what);
}

static void artifact_path(uint64_t hash, const char *ending, char *out) {
    char what[64];
    snprintf(what, sizeof what, "finding-%016llx%s", (unsigned long long)hash, ending);
    fuzz_artifact_path(what, out, PATH_BYTES + 128);
}

/* Adds to the count on the second line of a file of a signature; processes take turns. */
static void write_count(uint32_t index) {
    char path[PATH_BYTES + 128], text[SIGNATURE_BYTES + 64] = "";
    artifact_path(seen[index].hash, ".signature", path);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX) == 0) {
        const ssize_t size = pread(fd, text, sizeof text - 1, 0);
        char *line = size > 0 ? strstr(text, "\ncount ") : NULL;
        const unsigned long long before = line ? strtoull(line + 7, NULL, 10) : 0;
        char count[32];
        const int length = snprintf(count, sizeof count, "\ncount %llu\n", before + seen[index].unwritten);
        const off_t at = line ? line - text : size > 0 ? size : 0;
        if (pwrite(fd, count, (size_t)length, at) == length) seen[index].unwritten = 0;
    }
    close(fd);
}

static void write_counts(void) {
    for (uint32_t i = 0; i < seen_count; i++)
        if (seen[i].unwritten > 0) write_count(i);
    written_s = time(NULL);
}

/* What was found and could not be kept is a fault of this run. */
static void end_unfiled(void) {
    uint32_t lost = 0;
    for (uint32_t i = 0; i < seen_count; i++) lost += !seen[i].is_filed;
    if (!files || lost == 0) return;
    fprintf(stderr, "ndproof: fuzz_%s: %u findings could not be written to %s*\n", fuzz_name, (unsigned)lost, prefix);
    _exit(3);
}

static void tell_stats(void) {
    if (get(&stats->executions) == 0) return;
    fprintf(stderr,
            "ndproof: fuzz_%s: %llu executed, %llu valid (%.2f %%), %llu mutated of which %llu typed, "
            "%llu comparisons, %llu findings seen %llu times\n",
            fuzz_name, get(&stats->executions), get(&stats->valid),
            100.0 * (double)get(&stats->valid) / (double)get(&stats->executions), get(&stats->mutated),
            get(&stats->typed), get(&stats->comparisons), get(&stats->findings), get(&stats->hits));
    if (get(&stats->mutated) == 0) return;
    const unsigned long long runs = get(&stats->typed_runs), valid = get(&stats->typed_valid);
    fprintf(stderr, "ndproof: fuzz_%s: mutated by structure: %llu valid of %llu (%.2f %%); broken on purpose: %llu\n",
            fuzz_name, valid, runs, runs > 0 ? 100.0 * (double)valid / (double)runs : 0.0,
            get(&stats->mutated) - get(&stats->typed));
}

static void at_end(void) {
    if (files) write_counts();
    tell_stats();
    end_unfiled();
}

/* Counters that all processes of a run share, so that those of one that was killed are not lost. */
static void share_stats(const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return;
    void *shared = MAP_FAILED;
    if (ftruncate(fd, sizeof *stats) == 0)
        shared = mmap(NULL, sizeof *stats, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared != MAP_FAILED) stats = shared;
    close(fd);
}

static void open_once(void) {
    if (is_open) return;
    is_open = true;
    /* Where nothing is said of it, every date in an archive asks the system for the zone again. */
    (void)setenv("TZ", "UTC0", 0);
    fuzz_json_memory();
    fuzz_heap_watch();
    const char *folder = getenv("NDP_FUZZ_ARTIFACTS"), *file = getenv("NDP_FUZZ_STATS");
    if (folder && !prefix[0]) snprintf(prefix, sizeof prefix, "%s", folder);
    files = folder || LLVMFuzzerMutate || getenv("__AFL_SHM_ID");
    is_empty = getenv("NDP_FUZZ_EMPTY") != NULL;
    const char *stop = getenv("NDP_FUZZ_STOP");
    if (stop) stops = true;
    if (stop && strchr(stop, '|')) stops_at = stop;
#ifdef NDP_FUZZ_STOPS
    stops = true;
#endif
    if (file) share_stats(file);
    (void)atexit(at_end);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    for (int i = 1; i < *argc; i++) {
        const char *word = (*argv)[i];
        struct stat status;
        if (strncmp(word, "-artifact_prefix=", 17) == 0) snprintf(prefix, sizeof prefix, "%s", word + 17);
        if (strncmp(word, "-seconds=", 9) == 0 || strcmp(word, "-costs") == 0) measures = true;
        if (strncmp(word, "-minimize_crash", 15) == 0 || strncmp(word, "-cleanse_crash", 14) == 0)
            stops = shrinks = true;
        if (word[0] == '-' || stat(word, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        if (LLVMFuzzerMutate) stops = true;
        if (fuzz_mutate_again) fuzz_mutate_again(word);
    }
    open_once();
    return 0;
}

/* A place for the signature, an old one or a new one; NULL when there is none left. */
static uint32_t find(uint64_t hash, bool *is_new) {
    uint32_t i = 0;
    while (i < seen_count && seen[i].hash != hash) i++;
    *is_new = i == seen_count && i < MAX_SIGNATURES;
    if (*is_new) {
        seen[i].hash = hash;
        seen_count++;
    }
    return i;
}

/* Creates a file with these bytes. Whether they are in one of this name, then; *is_new when this call has made it. What
 * cannot be written whole is told, and nothing of it stays. */
static bool create(const char *path, const void *bytes, size_t size, bool *is_new) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) return true;
    const ssize_t written = fd < 0 ? -1 : write(fd, bytes, size);
    const int reason = written < 0 ? errno : ENOSPC;
    if (fd >= 0) close(fd);
    *is_new = written == (ssize_t)size;
    if (*is_new) return true;
    if (fd >= 0) unlink(path);
    fprintf(stderr, "ndproof: cannot write %s: %s\n", path, strerror(reason));
    return false;
}

/* A hash in letters alone. */
static void spell(uint64_t hash, char *out) {
    for (int i = 0; i < HASH_LETTERS; i++) out[i] = (char)('a' + (hash >> (60 - 4 * i) & 15));
    out[HASH_LETTERS] = '\0';
}

/* ClusterFuzz knows a broken promise by the first 80 bytes of its line, in which digits in a row are one number, and
 * takes two of them for one when the functions that print them are the same, which they are: but not where a line has
 * this word in it, after which they must be equal. Source: ClusterFuzz 2.6.0, stacktraces/__init__.py
 * (filter_crash_parameters) and crash_analysis/crash_comparer.py. */
static void tell(const char *signature, const char *path) {
    char hash[HASH_LETTERS + 1];
    spell(ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START), hash);
    fprintf(stderr, "==%d==ERROR: ndproof: a promise is broken in fuzz_%s\n", (int)getpid(), fuzz_name);
    fprintf(stderr, "Assertion failure: FuzzerHash=%s %s\nDEDUP_TOKEN: %s\n", hash, signature, signature);
    fprintf(stderr, "after %llu executions\n", get(&stats->executions));
    if (path) fprintf(stderr, "artifact: %s\n", path);
}

/* What an older program filed may show nothing any more, and would hide that this one found the same again: it makes
 * room, under another name. Processes take turns. */
static void put_aside(const char *path) {
    char aside[PATH_BYTES + 160];
    struct stat held, there, program;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    snprintf(aside, sizeof aside, "%s.before", path);
    const bool is_held = flock(fd, LOCK_EX) == 0 && fstat(fd, &held) == 0 && stat(path, &there) == 0 &&
                         held.st_dev == there.st_dev && held.st_ino == there.st_ino;
    if (is_held && stat("/proc/self/exe", &program) == 0 && held.st_mtime < program.st_mtime &&
        rename(path, aside) != 0)
        fprintf(stderr, "ndproof: cannot rename %s: %s\n", path, strerror(errno));
    close(fd);
}

/* Makes the input an artifact, and the signature a file beside it. Whether it is one; what a disk has no room for now
 * may find some later. Under AFL++, which hides what is printed, the engine is to keep the input instead. */
static bool file_input(uint32_t index, const char *signature) {
    char path[PATH_BYTES + 128], beside[PATH_BYTES + 128], text[SIGNATURE_BYTES + 16];
    bool is_new = false;
    artifact_path(seen[index].hash, "", path);
    artifact_path(seen[index].hash, ".signature", beside);
    const int length = snprintf(text, sizeof text, "%.*s\ncount 0\n", SIGNATURE_BYTES, signature);
    seen[index].tried_s = time(NULL);
    put_aside(path);
    seen[index].is_filed = create(path, input, input_size, &is_new);
    if (is_new) add(&stats->findings, 1);
    if (is_new) (void)create(beside, text, (size_t)length, &is_new);
#ifdef __AFL_COMPILER
    if (!seen[index].is_filed) abort();
#endif
    return seen[index].is_filed;
}

static void tell_filed(uint32_t index, const char *signature) {
    char path[PATH_BYTES + 128];
    artifact_path(seen[index].hash, "", path);
    if (index < MAX_PRINTED) tell(signature, seen[index].is_filed ? path : NULL);
}

void fuzz_finding(const char *signature) {
    open_once();
    hits++;
    add(&stats->hits, 1);
    if (stops_at && strcmp(signature, stops_at) != 0) return;
    if (stops) {
        tell(signature, NULL);
        abort();
    }
    bool is_new;
    const uint32_t index = find(ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START), &is_new);
    if (index == MAX_SIGNATURES) return;
    seen[index].unwritten++;
    if (is_new && !files) add(&stats->findings, 1);
    const bool is_due = files && !seen[index].is_filed && (is_new || time(NULL) != seen[index].tried_s);
    if ((is_due && file_input(index, signature)) || is_new) tell_filed(index, signature);
    if (files && (is_new || time(NULL) != written_s)) write_counts();
}

static void describe(const char *function, const char *promise, const char *what, char *out) {
    snprintf(out, SIGNATURE_BYTES, "DIVERGES|fuzz_%s|%s|%s%s%s", fuzz_name, function, promise, what[0] ? "|" : "",
             what);
}

bool fuzz_broken(const char *function, const char *promise, const char *what) {
    char signature[SIGNATURE_BYTES];
    describe(function, promise, what, signature);
    fuzz_finding(signature);
    return false;
}

void fuzz_fault(const char *what, const char *detail) {
    char signature[SIGNATURE_BYTES];
    const uint32_t known = seen_count;
    snprintf(signature, sizeof signature, "FAULT|fuzz_%s|%s", fuzz_name, what);
    if (stops) fprintf(stderr, "ndproof: fuzz_%s: %s\n", fuzz_name, detail);
    fuzz_finding(signature);
    if (seen_count > known) fprintf(stderr, "ndproof: fuzz_%s: %s\n", fuzz_name, detail);
}

void fuzz_end(const char *function, const char *promise, const char *what) {
    char signature[SIGNATURE_BYTES];
    describe(function, promise, what, signature);
    if (stops_at && strcmp(signature, stops_at) != 0) _exit(0); /* it ends here, and is not what is looked for */
    tell(signature, NULL);
    abort();
}

void fuzz_cannot_work(const char *reason) {
    fprintf(stderr, "ndproof: cannot work: %s\n", reason);
#ifdef __AFL_COMPILER
    abort(); /* it starts again and again what only exits */
#else
    _exit(3);
#endif
}

void fuzz_runs_instead(const uint8_t *data, size_t size) {
    input = data;
    input_size = size;
}

/* Of all of the bytes, and faster than they are read. */
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

static void mark_accepted(uint64_t hash) {
    atomic_store_explicit(&stats->accepted[hash % ACCEPTED_MAX], hash, memory_order_relaxed);
}

void fuzz_valid(uint64_t comparisons) {
    if (!is_counted) add(&stats->valid, 1);
    if (!is_counted && is_typed) add(&stats->typed_valid, 1);
    if (!is_counted) mark_accepted(hash_of(input, input_size));
    is_counted = true;
    if (!is_again) add(&stats->comparisons, comparisons);
}

bool fuzz_is_accepted(const uint8_t *data, size_t size) {
    open_once();
    const uint64_t hash = hash_of(data, size);
    return atomic_load_explicit(&stats->accepted[hash % ACCEPTED_MAX], memory_order_relaxed) == hash;
}

void fuzz_wrote(uint64_t size_bytes) {
    written_bytes += size_bytes;
}

void fuzz_mutated(const uint8_t *typed, size_t size) {
    open_once();
    has_mutated = true;
    add(&stats->mutated, 1);
    if (!typed) return;
    add(&stats->typed, 1);
    atomic_store_explicit(&stats->typed_hash, hash_of(typed, size), memory_order_relaxed);
}

void fuzz_leave_out(void) {
    is_left_out = true;
}

bool fuzz_is_typed(void) {
    return is_typed;
}

void fuzz_has_feedback(uint32_t counters) {
    open_once();
    atomic_store_explicit(&stats->feedback, counters, memory_order_relaxed);
}

void fuzz_answers(unsigned question, unsigned answer) {
    const unsigned shift = question * ANSWER_BITS;
    FUZZ_CHECK(question < FUZZ_QUESTIONS && answer < FUZZ_ANSWERS_DIFFER);
    run_row = fuzz_both_rows(run_row, (run_row | ANSWERS_MASK) ^ (uint64_t)(FUZZ_NO_ANSWER ^ answer) << shift);
}

bool fuzz_is_asked(void) {
    return is_asked;
}

void fuzz_tell_all(void) {
    tells_all = true;
}

void fuzz_says(uint64_t hash) {
    for (unsigned i = 0; i < FUZZ_DIGITS; i++, hash /= FUZZ_ANSWERS_DIFFER)
        fuzz_answers(FUZZ_QUESTIONS - FUZZ_DIGITS + i, (unsigned)(hash % FUZZ_ANSWERS_DIFFER));
}

uint64_t fuzz_row(void) {
    return input_row;
}

uint64_t fuzz_both_rows(uint64_t one, uint64_t other) {
    uint64_t row = (one & ~ROW_MASK) | (one & other & FUZZ_ROW_ACCEPTED);
    for (unsigned shift = 0; shift < FUZZ_QUESTIONS * ANSWER_BITS; shift += ANSWER_BITS) {
        const uint64_t a = one >> shift & ANSWER_MASK, b = other >> shift & ANSWER_MASK;
        row |= (a == b || b == FUZZ_NO_ANSWER ? a : a == FUZZ_NO_ANSWER ? b : FUZZ_ANSWERS_DIFFER) << shift;
    }
    return row;
}

uint64_t fuzz_hits(void) {
    return hits;
}

#ifdef __AFL_COMPILER
/* The engine stops this process between two inputs and ends the one that forked it; what is stopped would stay. */
static void end_with_parent(void) {
    static bool is_tied;
    if (!is_tied && getenv("__AFL_SHM_ID")) (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    is_tied = true;
}
#endif

/* Now and then, adds the processor time since the last call. */
static void count_time(void) {
    static uint64_t counted_us, calls;
    struct timespec now;
    if (calls++ % 64 != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return;
    const uint64_t now_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    if (counted_us > 0) add(&stats->cpu_us, now_us - counted_us);
    counted_us = now_us;
}

static int run(const uint8_t *data, size_t size) {
    if (fuzz_before_input) fuzz_before_input();
    const int64_t held = fuzz_json_held();
    written_bytes = 0;
    const int status = fuzz_one_input(data, size);
    fuzz_runs_instead(data, size);
    FUZZ_HOLDS_OF("JSON is given back", fuzz_json_held() == held);
    if (fuzz_after_input) fuzz_after_input();
    return status;
}

/* Runs an input once more, to see what it does each time. */
static void run_again(const uint8_t *data, size_t size) {
    is_again = true;
    fuzz_forget_coverage();
    (void)run(data, size);
    is_again = false;
}

/* What stays is made by the first input that needs it, and a pool may come to keep a few; what every run of one input
 * leaves behind is lost. An engine shall see one run. */
static void check_heap(const uint8_t *data, size_t size, int64_t held) {
    for (int i = 0; i < HELD_AGAIN && fuzz_heap_held() > held; i++) {
        held = fuzz_heap_held();
        run_again(data, size);
    }
    FUZZ_HOLDS_OF("memory is given back", fuzz_heap_held() <= held);
}

/* The same of files that are left open. To count them takes as long as a short input does, so that few are watched: the
 * same ones every time. */
static void check_files(const uint8_t *data, size_t size, uint32_t open_files) {
    for (int i = 0; i < RUNS_AGAIN && fuzz_files_open() > open_files; i++) {
        open_files = fuzz_files_open();
        run_again(data, size);
    }
    FUZZ_HOLDS_OF("files are closed", fuzz_files_open() <= open_files);
}

/* What is known of the input; of one of which nothing is known a row that any other agrees with. */
static uint64_t known_row(uint64_t hash) {
    size_t from = 0, to = &fuzz_known ? fuzz_known.count : 0;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const uint64_t row = fuzz_known.rows[middle];
        if ((row ^ hash) <= ROW_MASK) return row;
        if (row < hash)
            from = middle + 1;
        else
            to = middle;
    }
    return ANSWERS_MASK;
}

static bool is_answered_so(uint64_t known, uint64_t row) {
    for (unsigned shift = 0; shift < FUZZ_QUESTIONS * ANSWER_BITS; shift += ANSWER_BITS) {
        const uint64_t is = row >> shift & ANSWER_MASK, was = known >> shift & ANSWER_MASK;
        if (is != was && is != FUZZ_NO_ANSWER && was < FUZZ_ANSWERS_DIFFER) return false;
    }
    return true;
}

/* What draws inputs asks the model that is under test: a model that refuses what it took draws less, and is never
 * caught by what it draws. Of what is broken little else asks whether it is refused, and for which reason. */
static void check_answers(void) {
    if (is_counted) run_row |= FUZZ_ROW_ACCEPTED;
    const uint64_t known = known_row(judged_hash);
    FUZZ_HOLDS_OF("what was accepted when it was committed is accepted", is_counted || !(known & FUZZ_ROW_ACCEPTED));
    FUZZ_HOLDS_OF("what was answered when it was committed is answered", is_answered_so(known, run_row));
}

static uint64_t own_time_ns(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What an input may take, by the time that hashing takes at this moment: a machine may be slow, or busy. */
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

/* What takes long every time is slow by itself; a machine that is busy is slow now and then. What an engine sees does
 * not follow from how busy it is. */
static void check_time(const uint8_t *data, size_t size) {
    fuzz_coverage_keep();
    const bool is_always_slow = is_slow(data, size);
    fuzz_coverage_put_back();
    if (is_always_slow) FUZZ_HOLDS_OF("time is in proportion to the input", fuzz_hashes_per_byte == 0);
}

static int judge(const uint8_t *data, size_t size) {
    const int64_t held = fuzz_heap_held();
    const uint32_t open_files = shrinks || judged_hash % WATCHED_ONE_IN == 0 ? fuzz_files_open() : 0;
    const uint64_t start_ns = own_time_ns(CLOCK_MONOTONIC);
    input = data;
    input_size = size;
    run_row = (judged_hash & ~ROW_MASK) | ANSWERS_MASK;
    is_asked = tells_all || known_row(judged_hash) != ANSWERS_MASK;
    const int status = run(data, size);
    check_answers();
    if (fuzz_heap_held() > held) check_heap(data, size, held);
    if (open_files > 0) check_files(data, size, open_files);
    if (fuzz_hashes_per_byte > 0 && own_time_ns(CLOCK_MONOTONIC) - start_ns > GLANCE_NS) check_time(data, size);
    return status;
}

#ifndef __AFL_COMPILER
/* Whether this is seen for the first time, as far as is remembered: folders that engines share hold copies. */
static bool is_first(const uint8_t *data, size_t size) {
    static uint64_t hashes[SEEDS_MAX];
    const uint64_t hash = hash_of(data, size);
    uint64_t *known = &hashes[hash % SEEDS_MAX];
    const bool is_known = *known == hash;
    *known = hash;
    return !is_known;
}
#endif

/* What somebody has chosen, a seed or a file that is replayed, takes several ways, each an execution: nobody chose it
 * for the one that its hash leads to. What an engine tries takes that one; AFL++ must see it take the same whenever it
 * is run. */
static int judge_turns(const uint8_t *data, size_t size) {
    int status = judge(data, size);
    input_row = run_row;
#ifndef __AFL_COMPILER
    static uint32_t inputs;
    const bool is_seed = !has_mutated && !measures && inputs < SEEDS_MAX && is_first(data, size);
    inputs += is_seed;
    for (turn = 1; (shrinks || is_seed) && turn < ways && turn < TURNS_MAX; turn++) {
        is_counted = is_typed = false;
        add(&stats->executions, 1);
        fuzz_coverage_hold();
        status |= judge(data, size);
        input_row = fuzz_both_rows(input_row, run_row);
    }
    turn = 0;
    fuzz_coverage_begin();
#endif
    if (is_left_out) fuzz_forget_coverage();
    if (is_left_out && fuzz_forget_input) fuzz_forget_input();
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    open_once();
    count_time();
    is_counted = is_left_out = false;
    judged_hash = hash_of(data, size);
    is_typed = get(&stats->typed_hash) != 0 && get(&stats->typed_hash) == judged_hash;
    add(&stats->executions, 1);
    if (is_typed) {
        /* Once: an engine may run it again to see whether it is stable. */
        atomic_store_explicit(&stats->typed_hash, 0, memory_order_relaxed);
        add(&stats->typed_runs, 1);
    }
    if (is_empty) return 0;
#ifdef __AFL_COMPILER
    end_with_parent();
    /* The engine has its inputs in memory that it shares: a block of their size has an end that a sanitizer sees. */
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

uint32_t fuzz_way(const uint8_t *data, size_t size, uint32_t count) {
    ways = count;
    return (uint32_t)((hash_of(data, size) + turn + rounds) % count);
}

uint64_t fuzz_pick(const uint8_t *data, size_t size) {
    const uint64_t hash = ndp_hash_bytes(data, size, NDP_HASH_START);
    return rounds == 0 ? hash : ndp_rng_mix(hash, rounds);
}

void fuzz_next_round(void) {
    rounds++;
}

int fuzz_fd(void) {
    static int fd = -1;
    if (fd < 0) fd = memfd_create("ndproof-input", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0);
    return fd;
}

const char *fuzz_path(const uint8_t *data, size_t size) {
    static char path[64];
    static size_t held;
    const int fd = fuzz_fd();
    if (path[0] == '\0') snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
    FUZZ_CHECK(size >= held || ftruncate(fd, (off_t)size) == 0);
    held = size;
    return path;
}
