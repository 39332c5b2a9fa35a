/* sandbox.h: the view of a testee that has namespaces of its own: what it can read, where it can write, who it is. */
#ifndef NDP_SANDBOX_H
#define NDP_SANDBOX_H

#include "target/process/visible_files.h"

#include <sys/types.h>

#define NDP_SHARED_MEMORY "/dev/shm"

/* All members are borrowed. */
struct ndp_sandbox {
    const struct ndp_visible_files *files;
    const char *folder;    /* the only folder besides shared memory in which the testee can write */
    uint64_t shared_bytes; /* the size of its shared memory, and of the folder when that lies there */
    bool is_root;          /* ndproof runs as root */
    bool is_nobody;        /* the testee gets another user; otherwise it keeps ndproof's without its capabilities */
};

/* Whether the folder lies in shared memory. Then it is a new folder in the testee's own shared memory. */
bool ndp_sandbox_has_shared_folder(const struct ndp_sandbox *sandbox);

/* The user's number inside the sandbox. */
unsigned ndp_sandbox_user(const struct ndp_sandbox *sandbox);
unsigned ndp_sandbox_group(const struct ndp_sandbox *sandbox);

/* Whether the sandbox needs a user namespace: without the rights of root, nothing else can be made. */
bool ndp_sandbox_needs_user_namespace(const struct ndp_sandbox *sandbox);

/* Makes this process the user of the testee, without capabilities and without a way to get some. */
bool ndp_sandbox_drop_privileges(const struct ndp_sandbox *sandbox);

#endif
