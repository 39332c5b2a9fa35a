/* bad_testee.h: a testee for process_target_test.c that follows the protocol until it gets a case whose supplied bytes
 * begin with '!'. For that case it runs one deed. It forks its processes itself when NDPROOF_TEST_FORKS is set. */
#ifndef NDP_BAD_TESTEE_H
#define NDP_BAD_TESTEE_H

#include "target/process/child.h"
#include "target/protocol/serve.h"
#include "target/protocol/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS_NS  UINT64_C(1000000)
#define MIB    (UINT64_C(1) << 20)
#define MARKER "NDPROOF_TEST_MARK"

enum { CASES = 6, BAD_CASE = 2, OUT_BYTES = 1 << 26 };

struct scene;

struct deed {
    const char *name;
    void (*act)(const struct scene *scene);
    enum ndp_verdict verdict; /* expected for the bad case */
    int signal;
    int exit_code;
    bool is_slow; /* the case ends only at the deadline */
    const char *says;
};

/* The state that a deed can use: the position, and the frame that a good testee would send next. */
struct scene {
    const struct deed *deed;
    uint32_t sequence;
    uint16_t index;
    struct ndp_bytes good_end;
};

static void put(const void *bytes, uint64_t size_bytes) {
    const uint8_t *at = bytes;
    while (size_bytes > 0) {
        const ssize_t written = write(NDP_TESTEE_WRITE_FD, at, (size_t)size_bytes);
        if (written < 0) _exit(9);
        at += written;
        size_bytes -= (uint64_t)written;
    }
}

static void sleep_ms(void) {
    const struct timespec time = {.tv_nsec = 1000000};
    (void)nanosleep(&time, NULL);
}

static _Noreturn void hang_forever(void) {
    for (;;) sleep_ms();
}

static _Noreturn void die_by(int number) {
    (void)signal(number, SIG_DFL); /* a sanitizer may have installed a handler */
    (void)raise(number);
    hang_forever();
}

/* Sends a frame with any JSON part. */
static void put_frame(enum ndp_frame_type type, uint16_t index, uint32_t sequence, const char *json,
                      const char *binary) {
    uint64_t at;
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    if (ndp_frame_start(&out, type, index, sequence, &at) != NDP_OK ||
        ndp_buffer_add(&out, json, strlen(json)) != NDP_OK || ndp_frame_end_json(&out, at) != NDP_OK ||
        ndp_buffer_add(&out, binary, strlen(binary)) != NDP_OK)
        _exit(9);
    ndp_frame_end(&out, at);
    put(out.data, out.size_bytes);
}

static void put_good_end(const struct scene *scene) {
    put(scene->good_end.data, scene->good_end.size_bytes);
}

static void deed_signal(const struct scene *scene) {
    die_by(scene->deed->signal);
}
static void deed_exit(const struct scene *scene) {
    if (scene->deed->exit_code != 0) fprintf(stderr, "leaving early\n");
    _exit(scene->deed->exit_code);
}
static void deed_hang(const struct scene *scene) {
    hang_forever();
}
static void deed_stop(const struct scene *scene) {
    (void)raise(SIGSTOP);
    hang_forever();
}
/* Sends the END frame of its row, which a good testee would not send. */
static void deed_end(const struct scene *scene) {
    static const struct {
        const char *name, *json, *binary;
        uint8_t sequence_offset, index_offset;
    } rows[] = {
        {"sequence", "{\"slots\":{}}", "", 1, 0},
        {"index", "{\"slots\":{}}", "", 0, 1},
        {"json", "{\"slots\":{\"encoded\":{\"bytes\":[0,", "", 0, 0},
        {"silence", "{\"slots\":{}}", "", 0, 0},
        {"offset", "{\"slots\":{\"encoded\":{\"bytes\":[2,3]}}}", "four", 0, 0},
        {"slot", "{\"slots\":{\"encoded\":{\"bytes\":[0,4]},\"result\":{}}}", "four", 0, 0},
    };
    size_t i = 0;
    while (strcmp(rows[i].name, scene->deed->name) != 0) i++;
    put_frame(NDP_FRAME_END, (uint16_t)(scene->index + rows[i].index_offset), scene->sequence + rows[i].sequence_offset,
              rows[i].json, rows[i].binary);
    hang_forever();
}
static void deed_memory(const struct scene *scene) {
    for (int i = 0; i < 200; i++) {
        uint8_t *piece = malloc(4 * MIB);
        if (piece) memset(piece, i + 1, 4 * MIB);
        sleep_ms();
    }
    hang_forever();
}
/* The memory of a descendant counts even when its parent is gone. */
static void deed_memory_of_child(const struct scene *scene) {
    if (fork() == 0) {
        (void)setsid();
        deed_memory(scene);
    }
    hang_forever();
}
static void deed_prints(const struct scene *scene) {
    printf("NDP1 is printed here, and it means nothing\n");
    (void)fflush(stdout);
    fprintf(stderr, "nor does this\n");
    put_good_end(scene);
}
static void deed_prints_for_ever(const struct scene *scene) {
    for (;;) {
        if (write(STDOUT_FILENO, "again and again and again\n", 26) < 0) _exit(9);
    }
}
static void deed_garbage_for_ever(const struct scene *scene) {
    for (;;) put("again and again and again\n", 26);
}
static void deed_ends_for_ever(const struct scene *scene) {
    for (;;) put_good_end(scene);
}
static void deed_cut_and_exit(const struct scene *scene) {
    put(scene->good_end.data, scene->good_end.size_bytes - 3);
    _exit(0);
}
static void deed_cut_and_hang(const struct scene *scene) {
    put(scene->good_end.data, scene->good_end.size_bytes - 3);
    hang_forever();
}
static void deed_length_too_long(const struct scene *scene) {
    uint8_t header[NDP_FRAME_HEADER_BYTES];
    memcpy(header, scene->good_end.data, sizeof header);
    memset(header + 16, 0xff, 8);
    put(header, sizeof header);
    hang_forever();
}
/* The last three bytes of the stated length belong to the next frame. */
static void deed_length_wrong(const struct scene *scene) {
    uint8_t header[NDP_FRAME_HEADER_BYTES];
    memcpy(header, scene->good_end.data, sizeof header);
    header[12] = (uint8_t)(header[12] + 3);
    put(header, sizeof header);
    put(scene->good_end.data + sizeof header, scene->good_end.size_bytes - sizeof header);
    put_good_end(scene);
    hang_forever();
}
/* A process in a session of its own, orphaned, that would never end. */
static void deed_leaves_a_daemon(const struct scene *scene) {
    if (fork() == 0) {
        (void)setsid();
        if (fork() == 0) hang_forever();
        _exit(0);
    }
    for (int i = 0; i < 20; i++) sleep_ms();
    _exit(5);
}
/* Answers well if it cannot. */
static void deed_kills_its_guard(const struct scene *scene) {
    if (kill(getppid(), SIGKILL) == 0) hang_forever();
    put_good_end(scene);
}
static void deed_closes(const struct scene *scene) {
    (void)close(NDP_TESTEE_WRITE_FD);
    hang_forever();
}
static void deed_crash_after_end(const struct scene *scene) {
    put_good_end(scene);
    die_by(SIGSEGV);
}
static void deed_litters(const struct scene *scene) {
    if (system("mkdir -p a/b/c && touch a/b/c/d && chmod 000 a/b/c && ln -s /etc a/link") != 0) _exit(9);
    put_good_end(scene);
}
/* Leaves a name like those of loky's semaphores. It contains the mark of the environment. */
static void deed_leaves_a_semaphore(const struct scene *scene) {
    char name[128];
    const char *mark = getenv(MARKER);
    snprintf(name, sizeof name, "/dev/shm/sem.loky-%ld-" MARKER "=%s", (long)getpid(), mark ? mark : "");
    if (open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600) < 0) _exit(9);
    die_by(SIGKILL);
}

/* Later batches meet a channel without a reader, which must give an error and no SIGPIPE. */
static void deed_stops_listening(const struct scene *scene) {
    (void)close(NDP_TESTEE_READ_FD);
    hang_forever();
}
/* Sends a datagram to a documentation address (RFC 5737), which the network isolation must stop. */
static void deed_calls_home(const struct scene *scene) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0xc0000201)}};
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) _exit(6);
    put_good_end(scene);
}
/* Answers well, after the deadline of slow deeds. */
static void deed_late(const struct scene *scene) {
    const struct timespec time = {.tv_sec = 1, .tv_nsec = 200000000};
    (void)nanosleep(&time, NULL);
    put_good_end(scene);
}
/* For programs that end before the first case. */
static void deed_nothing(const struct scene *scene) {
    put_good_end(scene);
}

#define CRASH   NDP_VERDICT_CRASH
#define FAULT   NDP_VERDICT_FAULT
#define TIMEOUT NDP_VERDICT_TIMEOUT
#define OOM     NDP_VERDICT_OOM
#define PASS    NDP_VERDICT_PASS

static const struct deed deeds[] = {
    {"segv", deed_signal, CRASH, SIGSEGV, 0, false, "signal 11"},
    {"abort", deed_signal, CRASH, SIGABRT, 0, false, "signal 6"},
    {"kill", deed_signal, CRASH, SIGKILL, 0, false, "signal 9"},
    {"exit0", deed_exit, CRASH, 0, 0, false, "exited with 0"},
    {"exit3", deed_exit, CRASH, 0, 3, false, "exited with 3"},
    {"hang", deed_hang, TIMEOUT, 0, 0, true, "deadline"},
    {"stop", deed_stop, TIMEOUT, 0, 0, true, "deadline"},
    {"memory", deed_memory, OOM, SIGKILL, 0, false, "memory"},
    {"memory_of_child", deed_memory_of_child, OOM, SIGKILL, 0, false, "memory"},
    {"leaves_a_semaphore", deed_leaves_a_semaphore, CRASH, SIGKILL, 0, false, "signal 9"},
    {"prints", deed_prints, PASS, 0, 0, false, ""},
    {"prints_for_ever", deed_prints_for_ever, TIMEOUT, 0, 0, true, "deadline"},
    {"garbage_for_ever", deed_garbage_for_ever, FAULT, 0, 0, false, "no frame"},
    {"cut_and_exit", deed_cut_and_exit, FAULT, 0, 0, false, "bytes into a frame"},
    {"cut_and_hang", deed_cut_and_hang, FAULT, 0, 0, true, "rest of a frame"},
    {"length_too_long", deed_length_too_long, FAULT, 0, 0, false, "over the limit"},
    {"length_wrong", deed_length_wrong, FAULT, 0, 0, false, ""},
    {"sequence", deed_end, FAULT, 0, 0, false, "of batch"},
    {"index", deed_end, FAULT, 0, 0, false, "END frame for case 3"},
    {"json", deed_end, FAULT, 0, 0, false, ""},
    {"silence", deed_end, FAULT, 0, 0, false, "reported nothing"},
    {"offset", deed_end, FAULT, 0, 0, false, "not in a binary part"},
    {"slot", deed_end, FAULT, 0, 0, false, "does not occur in the program"},
    {"leaves_a_daemon", deed_leaves_a_daemon, CRASH, 0, 5, false, "exited with 5"},
    {"closes", deed_closes, TIMEOUT, 0, 0, true, "deadline"},
    {"crash_after_end", deed_crash_after_end, CRASH, SIGSEGV, 0, false, "signal 11"},
    {"litters", deed_litters, PASS, 0, 0, false, ""},
    {"stops_listening", deed_stops_listening, TIMEOUT, 0, 0, true, "deadline"},
    {"calls_home", deed_calls_home, PASS, 0, 0, false, ""},
    /* Deeds that separate tests use; see below. */
    {"kills_its_guard", deed_kills_its_guard, FAULT, 0, 0, false, "guard"},
    {"ends_for_ever", deed_ends_for_ever, FAULT, 0, 0, false, ""},
    {"nothing", deed_nothing, PASS, 0, 0, false, ""},
    {"late", deed_late, TIMEOUT, 0, 0, true, "deadline"},
};
enum { TABLE_DEEDS = NDP_ARRAY_LEN(deeds) - 4 };

#define HELLO(protocol, implementation, kinds, entries)                                                                \
    "{\"protocol\":" protocol "," implementation "\"version\":\"1\",\"language\":\"C\",\"endian\":\"little\","         \
    "\"kinds\":\"" kinds "\",\"max_ndim\":4,\"max_value_bytes\":1000,\"entries\":[" entries "]}"
#define BAD_NAME "\"implementation\":\"bad\","

static const char good_hello[] = HELLO("1", BAD_NAME, "iu", "");
static const char forking_hello[] = HELLO("1", "\"forks\":true," BAD_NAME, "iu", "");

static const struct {
    const char *name;
    const char *json;
    enum ndp_status status;
    const char *says;
} hellos[] = {
    {"hello_no_json", "{\"protocol\":1", NDP_INVALID, "HELLO"},
    {"hello_protocol", HELLO("2", BAD_NAME, "iu", ""), NDP_INVALID, "protocol version 2"},
    {"hello_lacks", HELLO("1", "", "iu", ""), NDP_INVALID, "implementation"},
    {"hello_kinds", HELLO("1", BAD_NAME, "iz", ""), NDP_INVALID, "'z'"},
    {"hello_twice", HELLO("1", BAD_NAME, "iu", "{\"format\":\"npy\",\"encode\":[\"file\",\"file\"]}"), NDP_INVALID,
     "duplicate entry point"},
    {"hello_never", NULL, NDP_TIMEOUT, "no HELLO frame before the deadline"},
    {"hello_exit", NULL, NDP_GONE, "exited with 4"},
    {"hello_abort", NULL, NDP_GONE, "signal 6"},
};

/* Sends the END of a good testee, which returns the supplied bytes. */
static void good_end(struct ndp_buffer *out, const struct ndp_program *program, const struct scene *scene) {
    static struct ndp_outcome outcome; /* static: too large for the stack of a function that is called often */
    memset(&outcome, 0, sizeof outcome);
    outcome.slots[NDP_SLOT_ENCODED] =
        (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .has_bytes = true, .bytes = program->supplied};
    out->size_bytes = 0;
    if (ndp_wire_add_end(out, scene->sequence, scene->index, &outcome) != NDP_OK) _exit(9);
}

static void run_case_badly(const struct deed *deed, const struct ndp_frame *frame) {
    struct ndp_program *programs;
    uint32_t count;
    NDP_ARENA_SCOPED(arena, OUT_BYTES);
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    if (ndp_wire_read_batch(&arena, frame, &programs, &count, NULL) != NDP_OK) _exit(8);
    for (uint32_t i = 0; i < count; i++) {
        struct scene scene = {.deed = deed, .sequence = frame->sequence, .index = (uint16_t)i};
        out.size_bytes = 0;
        if (ndp_wire_add_begin(&out, scene.sequence, scene.index) != NDP_OK) _exit(9);
        put(out.data, out.size_bytes);
        good_end(&out, &programs[i], &scene);
        scene.good_end = ndp_buffer_view(&out);
        if (programs[i].supplied.size_bytes > 0 && programs[i].supplied.data[0] == '!')
            deed->act(&scene);
        else
            put(out.data, out.size_bytes);
    }
}

static int serve_badly(const struct deed *deed) {
    struct ndp_frame_parser parser;
    ndp_frame_parser_init(&parser, OUT_BYTES);
    for (;;) {
        struct ndp_frame frame;
        bool is_ready;
        uint8_t *room;
        uint64_t room_bytes;
        if (ndp_frame_parser_next(&parser, &frame, &is_ready, NULL) != NDP_OK) return 8;
        if (is_ready) {
            run_case_badly(deed, &frame);
            continue;
        }
        if (ndp_frame_parser_room(&parser, &room, &room_bytes) != NDP_OK) return 8;
        const ssize_t got = read(NDP_TESTEE_READ_FD, room, (size_t)room_bytes);
        if (got <= 0) break;
        ndp_frame_parser_filled(&parser, (uint64_t)got);
    }
    ndp_frame_parser_clear(&parser);
    return 0;
}

/* ---- the fork server ---- */

enum { FORK_FD = 6, CHANNELS = 3 };

static void report(const char *format, unsigned number, int wait_status) {
    char text[64];
    const int length = snprintf(text, sizeof text, format, number, wait_status);
    if (send(FORK_FD, text, (size_t)length, MSG_NOSIGNAL) != length) _exit(9);
}

/* Returns 0 at the end. */
static unsigned await_request(int *channels) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(CHANNELS * sizeof(int))];
    } control;
    char text[64] = "";
    unsigned number = 0;
    struct iovec part = {.iov_base = text, .iov_len = sizeof text - 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(FORK_FD, &message, 0) <= 0 || sscanf(text, "fork %u", &number) != 1) return 0;
    memcpy(channels, CMSG_DATA(CMSG_FIRSTHDR(&message)), CHANNELS * sizeof *channels);
    return number;
}

/* Returns in every process that serves. `lie` is a lie of the server about its processes. */
static void fork_for_ever(const char *lie) {
    int channels[CHANNELS];
    char folder[16];
    put_frame(NDP_FRAME_HELLO, 0, 0, forking_hello, "");
    report("ready", 0, 0);
    for (unsigned number; (number = await_request(channels)) > 0;) {
        int status = 0;
        if (strcmp(lie, "exits") == 0) _exit(4);
        if (strcmp(lie, "ends_early") == 0) report("ended %u %d", number, 0);
        const pid_t child = fork();
        if (child == 0) {
            report("forked %u", number, 0);
            if (dup2(channels[0], NDP_TESTEE_READ_FD) < 0 || dup2(channels[1], NDP_TESTEE_WRITE_FD) < 0 ||
                dup2(channels[2], STDOUT_FILENO) < 0 || dup2(channels[2], STDERR_FILENO) < 0)
                _exit(9);
            for (int i = 0; i < CHANNELS; i++) (void)close(channels[i]);
            (void)close(FORK_FD);
            snprintf(folder, sizeof folder, "%u", number);
            if (mkdir(folder, 0700) != 0 || chdir(folder) != 0) _exit(9);
            return;
        }
        for (int i = 0; i < CHANNELS; i++) (void)close(channels[i]);
        (void)waitpid(child, &status, 0);
        if (strcmp(lie, "dies_after") == 0) die_by(SIGSEGV);
        report("ended %u %d", number, status);
    }
    _exit(0);
}

static int be_a_testee(const char *name) {
    const char *forks = getenv("NDPROOF_TEST_FORKS");
    for (size_t i = 0; i < NDP_ARRAY_LEN(deeds); i++) {
        if (strcmp(deeds[i].name, name) != 0) continue;
        if (forks != NULL && getenv("NDPROOF_FORKS") != NULL)
            fork_for_ever(forks);
        else
            put_frame(NDP_FRAME_HELLO, 0, 0, good_hello, "");
        return serve_badly(&deeds[i]);
    }
    if (strcmp(name, "hello_never") == 0) hang_forever();
    if (strcmp(name, "hello_exit") == 0) return 4;
    if (strcmp(name, "hello_abort") == 0) die_by(SIGABRT);
    for (size_t i = 0; i < NDP_ARRAY_LEN(hellos); i++) {
        if (strcmp(hellos[i].name, name) != 0) continue;
        put_frame(NDP_FRAME_HELLO, 0, 0, hellos[i].json, "");
        hang_forever();
    }
    return 8;
}

#endif
