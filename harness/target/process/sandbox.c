#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/sandbox.h"

#include <grp.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/process/protection.h"

bool ndp_sandbox_has_shared_folder(const struct ndp_sandbox *sandbox) {
    return strncmp(sandbox->folder, NDP_SHARED_MEMORY "/", sizeof NDP_SHARED_MEMORY) == 0;
}

unsigned ndp_sandbox_user(const struct ndp_sandbox *sandbox) {
    return sandbox->is_root ? NDP_NOBODY : (unsigned)geteuid();
}

unsigned ndp_sandbox_group(const struct ndp_sandbox *sandbox) {
    return sandbox->is_root ? NDP_NOBODY : (unsigned)getegid();
}

bool ndp_sandbox_needs_user_namespace(const struct ndp_sandbox *sandbox) {
    return !sandbox->is_root || !sandbox->is_nobody;
}

/* The kernel refuses numbers beyond its last capability. */
static void drop_bounding_set(void) {
    for (unsigned long capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) continue;
}

bool ndp_sandbox_drop_privileges(const struct ndp_sandbox *sandbox) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    drop_bounding_set();
    if (sandbox->is_root && sandbox->is_nobody) {
        if (setgroups(0, NULL) != 0 || setresgid(NDP_NOBODY, NDP_NOBODY, NDP_NOBODY) != 0 ||
            setresuid(NDP_NOBODY, NDP_NOBODY, NDP_NOBODY) != 0)
            return false;
    }
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
