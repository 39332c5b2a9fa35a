/* bench_peer.h: helpers for benches: a library that does the same work in the same run, and rows that compare the
 * speed.
 *
 * Each figure is the best of several repetitions, alternating between ours and theirs so that noise of the machine
 * affects both. The library is a program in harness/testees/python; without build/env/current and build/venv it has no
 * figures.
 */
#ifndef NDP_BENCH_PEER_H
#define NDP_BENCH_PEER_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/temporary.h"

enum { BENCH_REPEATS = 7, BENCH_BIG_MIB = 256, BENCH_MOST_MIB = 4096, BENCH_TRIPS_PER_MIB = 80 };

/* The main function of a bench. Its optional argument is the size of the large array, in MiB, by default 256. Returns
 * 0; 1 if a figure misses its bound; 2 for an invalid size; 3 if the measured code fails. Its test calls it as
 * bench_main. */
int bench_main(int argc, char **argv);

/* Returns the size of the large array in MiB. Exits with 2 on an invalid argument. */
static inline unsigned bench_size(int argc, char **argv) {
    char *end = NULL;
    const long size_mib = argc == 2 ? strtol(argv[1], &end, 10) : BENCH_BIG_MIB;
    if (argc <= 2 && (end == NULL || (*end == '\0' && end != argv[1])) && size_mib > 0 && size_mib <= BENCH_MOST_MIB)
        return (unsigned)size_mib;
    fprintf(stderr, "usage: %s [MIB]   (1 to %d)\n", argc > 0 ? argv[0] : "bench", BENCH_MOST_MIB);
    exit(2);
}

static inline double bench_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Exits with 3 if the measured code fails. */
static inline void bench_must(enum ndp_status status, const char *what) {
    if (status == NDP_OK) return;
    fprintf(stderr, "bench: %s: %s\n", what, ndp_status_text(status));
    exit(3);
}

/* Returns the peak memory of a child that only does `work`, in KiB above its memory before, or -1 on failure. */
static inline long bench_peak_kib(void (*work)(const void *what), const void *what) {
    int ends[2];
    long grown = -1;
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        struct rusage before, after;
        (void)getrusage(RUSAGE_SELF, &before);
        work(what);
        (void)getrusage(RUSAGE_SELF, &after);
        grown = after.ru_maxrss - before.ru_maxrss;
        _exit(write(ends[1], &grown, sizeof(grown)) == (ssize_t)sizeof(grown) ? 0 : 3);
    }
    (void)close(ends[1]);
    if (child < 0 || read(ends[0], &grown, sizeof(grown)) != (ssize_t)sizeof(grown)) grown = -1;
    (void)close(ends[0]);
    if (child > 0) (void)waitpid(child, NULL, 0);
    return grown;
}

/* The library, connected by two pipes: it reads a line with a task and writes a line with seconds. */
struct bench_peer {
    FILE *to;
    FILE *from;
    pid_t child; /* 0 without a library */
};

static inline void bench_peer_start(struct bench_peer *peer, const char *program) {
    static const char *const pythons[] = {"build/env/current/bin/python3", "build/venv/bin/python"};
    const char *python = pythons[access(pythons[0], X_OK) == 0 ? 0 : 1];
    int in[2], out[2];
    *peer = (struct bench_peer){NULL, NULL, 0};
    /* A library that died is detected by its missing answer. */
    (void)signal(SIGPIPE, SIG_IGN);
    if (access(python, X_OK) != 0 || pipe(in) != 0 || pipe(out) != 0) return;
    peer->child = fork();
    if (peer->child == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)execl(python, python, program, (char *)NULL);
        _exit(127);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    peer->to = fdopen(in[1], "w");
    peer->from = fdopen(out[0], "r");
}

static inline void bench_peer_end(struct bench_peer *peer) {
    if (peer->child <= 0) return;
    (void)fclose(peer->to);
    (void)fclose(peer->from);
    (void)waitpid(peer->child, NULL, 0);
}

/* Returns the seconds of a task, or 0 without a library. */
static inline double bench_ask(const struct bench_peer *peer, const char *task, const char *argument) {
    double taken = 0;
    if (peer->child <= 0) return 0;
    fprintf(peer->to, "%s %s\n", task, argument);
    (void)fflush(peer->to);
    if (fscanf(peer->from, "%lf", &taken) == 1) return taken;
    fprintf(stderr, "bench: the library did not answer task %s\n", task);
    exit(3);
}

/* Seconds; 0 for none. */
struct bench_best {
    double ours;
    double theirs;
};

static inline void bench_keep(struct bench_best *best, double ours, double theirs) {
    if (best->ours == 0 || ours < best->ours) best->ours = ours;
    if (theirs > 0 && (best->theirs == 0 || theirs < best->theirs)) best->theirs = theirs;
}

/* One row, with the required rate: at least `bound` times that of the library, less `noise`, the variation between runs
 * of the same program. */
struct bench_row {
    const char *name;
    const char *unit;
    const char *library;
    double work; /* work done in the measured seconds */
    double bound;
    double noise;
};

/* Prints the row. Reports whether it meets its bound. */
static inline bool bench_show(const struct bench_row *row, struct bench_best best) {
    const double ratio = best.theirs / best.ours;
    const bool is_kept = best.theirs <= 0 || ratio >= row->bound - row->noise;
    printf("%-25s %10.0f %s", row->name, row->work / best.ours, row->unit);
    if (best.theirs > 0)
        printf("   %s %10.0f   ratio %6.2f (at least %.2f)%s", row->library, row->work / best.theirs, ratio, row->bound,
               is_kept ? "" : "  BELOW");
    printf("\n");
    return is_kept;
}

static inline bool bench_show_memory(const char *name, long grown_kib, long bound_kib) {
    const bool is_kept = grown_kib >= 0 && grown_kib <= bound_kib;
    printf("%-25s %10ld KiB   (at most %ld)%s\n", name, grown_kib, bound_kib, is_kept ? "" : "  OVER");
    return is_kept;
}

/* An array of `data_bytes` in which all pages differ, and a file name in a folder of its own (in memory if possible, so
 * that no disk is measured: base/temporary.h). The bench runs in a child, and the parent removes the folder when the
 * child has ended. */
struct bench_place {
    char folder[512];
    char path[520];
    uint8_t *data;
    uint64_t data_bytes;
};

static inline void bench_place_remove(const struct bench_place *place) {
    DIR *folder = opendir(place->folder);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL) (void)closedir(folder);
    (void)rmdir(place->folder);
}

/* Returns in a child. The parent exits with the child's status after the child, or ends with the signal that stops this
 * process. */
static inline void bench_place_guard(const struct bench_place *place) {
    sigset_t watched;
    int status = 0;
    (void)sigemptyset(&watched);
    (void)sigaddset(&watched, SIGCHLD);
    (void)sigaddset(&watched, SIGINT);
    (void)sigaddset(&watched, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &watched, NULL);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)sigprocmask(SIG_UNBLOCK, &watched, NULL);
        return;
    }
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        int number = SIGTERM;
        if (sigwait(&watched, &number) != 0 || number != SIGCHLD) (void)kill(child, SIGKILL);
    }
    bench_place_remove(place);
    _exit(child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

static inline void bench_place_make(struct bench_place *place, uint64_t data_bytes) {
    (void)snprintf(place->folder, sizeof(place->folder), "%s/ndproof-bench-XXXXXX", ndp_temporary_parent());
    if (mkdtemp(place->folder) == NULL) bench_must(NDP_IO, "a place for files");
    bench_place_guard(place);
    place->data = malloc((size_t)data_bytes);
    place->data_bytes = data_bytes;
    if (place->data == NULL) bench_must(NDP_NOMEM, "an array");
    (void)snprintf(place->path, sizeof(place->path), "%s/array", place->folder);
    for (uint64_t i = 0; i < data_bytes; i++) place->data[i] = (uint8_t)(i * 7 + (i >> 12));
}

static inline void bench_place_clear(struct bench_place *place) {
    free(place->data);
}

#endif
