#include "planted/defect.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Searching these descriptors for the worker's socket avoids a mutable global. */
enum { WORKER_FD = 200, MOST_FDS = 256 };

/* Opens a file for every byte received, and replies. */
static _Noreturn void run_worker(int socket) {
    char byte;
    for (int fd = 0; fd < MOST_FDS; fd++)
        if (fd != socket) (void)close(fd);
    while (read(socket, &byte, 1) == 1) {
        (void)open("/dev/null", O_RDONLY);
        if (write(socket, &byte, 1) != 1) break;
    }
    _exit(0);
}

static bool start_worker(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    if (fork() == 0) run_worker(ends[1]);
    (void)close(ends[1]);
    const bool is_started = dup2(ends[0], WORKER_FD) == WORKER_FD;
    (void)close(ends[0]);
    return is_started;
}

static void leak_in_worker(const struct ndp_plugin_entry *entry, struct ndp_defect *defect) {
    (void)entry;
    (void)defect;
    char byte = 1;
    if (fcntl(WORKER_FD, F_GETFD) < 0 && !start_worker()) return;
    if (write(WORKER_FD, &byte, 1) == 1) (void)!read(WORKER_FD, &byte, 1);
}
NDP_DECODE_WITH(decode, leak_in_worker)
NDP_ENCODE_WITH(encode, NULL, NULL)

NDP_PLANT(leaked_in_worker, "leaks",
          "A worker that outlives the case opens a file for every array and never closes it.", encode, decode);
