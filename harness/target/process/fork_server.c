/* The guard's side of a fork server.
 *
 * Problem: a new process must cost milliseconds, and nothing of the old one may reach it: no process, no file, no name
 * in shared memory.
 *
 * Method: the testee forks, because only it has the imported modules; everything else is done here, where the testee's
 * word is not needed. The kernel attaches the sender's process id to every message (SCM_CREDENTIALS), also across
 * namespaces, so the guard knows which processes to keep. All others are killed in rounds until none lives.
 *
 * Cost: two messages per process, and some reads of /proc per round. Limits: at most NDP_ISOLATE_KEPT processes are
 * kept. A testee that reports nonsense is ended, and its successor starts anew.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/fork_server.h"

#include "target/case_file.h"
#include "target/process/sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 64, MS_PER_SECOND = 1000, PATH_BYTES = NDP_FOLDER_PATH_BYTES + 300 };

int ndp_fork_server_open(struct ndp_fork_server *server) {
    int pair[2];
    const int yes = 1;
    *server = (struct ndp_fork_server){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    if (setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) {
        (void)close(pair[0]);
        (void)close(pair[1]);
        return -1;
    }
    server->fd = pair[0];
    return pair[1];
}

bool ndp_fork_server_request(struct ndp_fork_server *server, const int *channels) {
    char text[MESSAGE_BYTES];
    const size_t channel_bytes = NDP_FORK_CHANNELS * sizeof *channels;
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(NDP_FORK_CHANNELS * sizeof(int))];
    } control;
    if (server->fd < 0 || server->state != NDP_FORK_IDLE) return false;
    const int length = snprintf(text, sizeof text, "fork %u", server->number + 1);
    struct iovec part = {.iov_base = text, .iov_len = (size_t)length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    memset(&control, 0, sizeof control);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(channel_bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), channels, channel_bytes);
    if (sendmsg(server->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) != length) return false;
    server->number++;
    server->process = 0;
    server->state = NDP_FORK_REQUESTED;
    return true;
}

/* ---- hearing ---- */

/* Receives a text without descriptors. Returns the process id of the sender, 0 when there is no message. */
static int receive(struct ndp_fork_server *server, char *text) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct ucred sender = {.pid = 0};
    struct iovec part = {.iov_base = text, .iov_len = MESSAGE_BYTES - 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    const ssize_t got = recvmsg(server->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) return 0;
    if (got == 0) {
        (void)close(server->fd);
        server->fd = -1;
        return 0;
    }
    text[got] = '\0';
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header))
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS)
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
    return (int)sender.pid;
}

/* Keeps a process, and those between it and the guard. */
static void keep(struct ndp_fork_server *server, int process) {
    if (server->testee == 0) server->testee = process;
    for (const int self = (int)getpid(); process > 1 && process != self; process = ndp_isolate_parent(process))
        ndp_isolate_keep(&server->kept, process);
}

bool ndp_fork_server_hear(struct ndp_fork_server *server) {
    char text[MESSAGE_BYTES];
    unsigned number;
    int wait_status;
    const int sender = server->fd >= 0 ? receive(server, text) : 0;
    if (sender == 0) return false;
    if (strcmp(text, "ready") == 0) {
        keep(server, sender);
    } else if (sscanf(text, "forked %u", &number) == 1 && number == server->number &&
               server->state == NDP_FORK_REQUESTED) {
        server->process = sender;
        server->state = NDP_FORK_SERVING;
    } else if (sscanf(text, "ended %u %d", &number, &wait_status) == 2 && number == server->number &&
               server->state != NDP_FORK_IDLE) {
        server->wait_status = wait_status;
        server->state = NDP_FORK_ENDED;
    }
    return true;
}

static bool await(struct ndp_fork_server *server, enum ndp_fork_state state, unsigned seconds) {
    struct pollfd fd = {.fd = server->fd, .events = POLLIN};
    while (server->state < state) {
        if (ndp_fork_server_hear(server)) continue;
        if (server->fd < 0 || poll(&fd, 1, (int)seconds * MS_PER_SECOND) <= 0) return false;
    }
    return true;
}

/* ---- clearing ---- */

/* Removes what lies in the testee's shared memory, except the folder of `job` and files of others that are mounted
 * there. */
static void empty_shared_memory(const struct ndp_fork_server *server, const struct ndp_guard_job *job) {
    char path[PATH_BYTES];
    const size_t root_bytes = strlen(NDP_SHARED_MEMORY "/");
    const bool is_inside = strncmp(job->folder, NDP_SHARED_MEMORY "/", root_bytes) == 0;
    const char *own = is_inside ? job->folder + root_bytes : "";
    snprintf(path, sizeof path, "/proc/%d/root" NDP_SHARED_MEMORY, server->testee);
    struct stat whole, item;
    DIR *folder = opendir(path);
    if (folder == NULL) return;
    const bool is_known = fstat(dirfd(folder), &whole) == 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const size_t name_bytes = strlen(entry->d_name);
        const bool is_own =
            strncmp(own, entry->d_name, name_bytes) == 0 && (own[name_bytes] == '/' || !own[name_bytes]);
        if (is_own || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (!is_known || fstatat(dirfd(folder), entry->d_name, &item, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (item.st_dev != whole.st_dev) continue;
        snprintf(path, sizeof path, "/proc/%d/root" NDP_SHARED_MEMORY "/%s", server->testee, entry->d_name);
        ndp_guard_remove_folder(path);
    }
    (void)closedir(folder);
}

bool ndp_fork_server_clear(struct ndp_fork_server *server, const struct ndp_guard_job *job, bool has_own_shared_memory,
                           unsigned seconds) {
    char path[PATH_BYTES];
    /* The testee has not yet forked, and would do so after the others are dead. */
    if (!await(server, NDP_FORK_SERVING, seconds)) return false;
    if (!ndp_isolate_tree_end(&server->kept, seconds)) return false;
    if (!await(server, NDP_FORK_ENDED, seconds)) return false;
    snprintf(path, sizeof path, "/proc/%d/root%s/%u", server->testee, job->folder, server->number);
    ndp_guard_remove_folder(path);
    if (has_own_shared_memory)
        empty_shared_memory(server, job);
    else if (server->process > 0)
        ndp_isolate_remove_shared_memory(server->process);
    server->state = NDP_FORK_IDLE;
    server->process = 0;
    return true;
}
