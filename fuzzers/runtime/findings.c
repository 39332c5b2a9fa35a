#include "runtime/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/rng.h"
#include "fuzz.h"
#include "runtime/stats.h"

enum { MAX_SIGNATURES = 4096, SIGNATURE_BYTES = 512, PATH_BYTES = 1024, MAX_PRINTED = 200, HASH_LETTERS = 16 };

static struct {
    uint64_t hash;
    uint64_t unwritten; /* hits not yet added to the signature's file */
    bool is_filed;      /* an artifact exists, written by this process or another */
    time_t tried_s;     /* time of the last attempt to write */
} seen[MAX_SIGNATURES];
static uint32_t seen_count;
static uint64_t hits;
static struct ndp_bytes input;
static bool is_open, stops, files; /* files: artifacts are written */
static const char *stops_at;       /* NULL: any signature */
static char prefix[PATH_BYTES];
static time_t written_s;

void fuzz_artifact_path(const char *what, char *out, size_t out_bytes) {
    /* The target's name selects the program that replays the artifact. */
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

/* Adds to the count on the second line of a signature's file; a lock serialises processes. */
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

/* Findings that could not be written make the run fail. */
static void report_unwritten(void) {
    uint32_t lost = 0;
    for (uint32_t i = 0; i < seen_count; i++) lost += !seen[i].is_filed;
    if (!files || lost == 0) return;
    fprintf(stderr, "ndproof: fuzz_%s: %u findings could not be written to %s*\n", fuzz_name, (unsigned)lost, prefix);
    _exit(3);
}

static void at_end(void) {
    if (files) write_counts();
    fuzz_stats_tell();
    report_unwritten();
}

void fuzz_findings_open(void) {
    if (is_open) return;
    is_open = true;
    const char *folder = getenv("NDP_FUZZ_ARTIFACTS"), *stop = getenv("NDP_FUZZ_STOP");
    if (folder && !prefix[0]) fuzz_findings_prefix(folder);
    files = folder || LLVMFuzzerMutate || getenv("__AFL_SHM_ID");
    if (stop) stops = true;
    if (stop && strchr(stop, '|')) stops_at = stop;
#ifdef NDP_FUZZ_STOPS
    stops = true;
#endif
    (void)atexit(at_end);
}

void fuzz_findings_prefix(const char *beginning) {
    snprintf(prefix, sizeof prefix, "%s", beginning);
}

void fuzz_findings_stop(void) {
    stops = true;
}

struct ndp_bytes fuzz_findings_input(void) {
    return input;
}

void fuzz_runs_instead(const uint8_t *data, size_t size) {
    input = (struct ndp_bytes){data, size};
}

/* Finds the entry of the signature or adds one; NULL if the table is full. */
static uint32_t find_entry(uint64_t hash, bool *is_new) {
    uint32_t i = 0;
    while (i < seen_count && seen[i].hash != hash) i++;
    *is_new = i == seen_count && i < MAX_SIGNATURES;
    if (*is_new) {
        seen[i].hash = hash;
        seen_count++;
    }
    return i;
}

/* Creates a file with these bytes. Returns whether a file of this name contains them; *is_new is set if this call
 * created it. A file that cannot be written completely is removed and reported. */
static bool create_file(const char *path, const void *bytes, size_t size, bool *is_new) {
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

/* Writes a hash as letters, because ClusterFuzz ignores digits. */
static void print_letters(uint64_t hash, char *out) {
    for (int i = 0; i < HASH_LETTERS; i++) out[i] = (char)('a' + (hash >> (60 - 4 * i) & 15));
    out[HASH_LETTERS] = '\0';
}

/* ClusterFuzz identifies a finding by the first 80 bytes of the line, replaces each run of digits by one number, and
 * merges findings that the same functions print. A line that contains FuzzerHash must be equal instead. Source:
 * ClusterFuzz 2.6.0, stacktraces/__init__.py (filter_crash_parameters) and crash_analysis/crash_comparer.py. */
static void print_promise(const char *signature, const char *path) {
    char hash[HASH_LETTERS + 1];
    print_letters(ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START), hash);
    fprintf(stderr, "==%d==ERROR: ndproof: a promise is broken in fuzz_%s\n", (int)getpid(), fuzz_name);
    fprintf(stderr, "Assertion failure: FuzzerHash=%s %s\nDEDUP_TOKEN: %s\n", hash, signature, signature);
    fprintf(stderr, "after %llu executions\n", fuzz_stats_get(&fuzz_stats()->executions));
    if (path) fprintf(stderr, "artifact: %s\n", path);
}

/* Renames an artifact of an older program, which may no longer reproduce and would hide a new input for the same
 * signature. A lock serialises processes. */
static void rename_older(const char *path) {
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

/* Writes the input as an artifact, and its signature beside it. Returns whether the artifact exists; after an error,
 * such as a full disk, a later hit tries again. AFL++ hides the output, so under AFL++ the engine keeps the input
 * instead. */
static bool file_input(uint32_t index, const char *signature) {
    char path[PATH_BYTES + 128], beside[PATH_BYTES + 128], text[SIGNATURE_BYTES + 16];
    bool is_new = false;
    artifact_path(seen[index].hash, "", path);
    artifact_path(seen[index].hash, ".signature", beside);
    const int length = snprintf(text, sizeof text, "%.*s\ncount 0\n", SIGNATURE_BYTES, signature);
    seen[index].tried_s = time(NULL);
    rename_older(path);
    seen[index].is_filed = create_file(path, input.data, (size_t)input.size_bytes, &is_new);
    if (is_new) fuzz_stats_add(&fuzz_stats()->findings, 1);
    if (is_new) (void)create_file(beside, text, (size_t)length, &is_new);
#ifdef __AFL_COMPILER
    if (!seen[index].is_filed) abort();
#endif
    return seen[index].is_filed;
}

static void print_filed(uint32_t index, const char *signature) {
    char path[PATH_BYTES + 128];
    artifact_path(seen[index].hash, "", path);
    if (index < MAX_PRINTED) print_promise(signature, seen[index].is_filed ? path : NULL);
}

void fuzz_finding(const char *signature) {
    fuzz_findings_open();
    hits++;
    fuzz_stats_add(&fuzz_stats()->hits, 1);
    if (stops_at && strcmp(signature, stops_at) != 0) return;
    if (stops) {
        print_promise(signature, NULL);
        abort();
    }
    bool is_new;
    const uint32_t index = find_entry(ndp_hash_bytes(signature, strlen(signature), NDP_HASH_START), &is_new);
    if (index == MAX_SIGNATURES) return;
    seen[index].unwritten++;
    if (is_new && !files) fuzz_stats_add(&fuzz_stats()->findings, 1);
    const bool is_due = files && !seen[index].is_filed && (is_new || time(NULL) != seen[index].tried_s);
    if ((is_due && file_input(index, signature)) || is_new) print_filed(index, signature);
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
    if (stops_at && strcmp(signature, stops_at) != 0)
        _exit(0); /* ends without a crash: the signature differs from the wanted one */
    print_promise(signature, NULL);
    abort();
}

uint64_t fuzz_hits(void) {
    return hits;
}
