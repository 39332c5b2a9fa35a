/* protection.h: the ways to protect this machine from a testee, which may run code of the files that it reads.
 *
 * A protected testee has no network and no privileges. It sees no file, process or environment variable but its own:
 * the files are those of target/process/visible_files.h, the variables those of target/process/testee_environment.h.
 */
#ifndef NDP_PROTECTION_H
#define NDP_PROTECTION_H

#include "base/status.h"

/* enum name, word of NDPROOF_SANDBOX; from weak to strong */
#define NDP_PROTECTION_LIST(X)                                                                                         \
    X(NONE, "none")             /* only limits of memory, processor time and disk space */                             \
    X(LIMITS, "limits")         /* seccomp, Landlock, another user if possible, and limits */                          \
    X(NAMESPACES, "namespaces") /* in addition, namespaces that the guard makes */                                     \
    X(BUBBLEWRAP, "bubblewrap") /* in addition, namespaces that bwrap(1) makes */

#define NDP_PROTECTION_ENUM(name, word) NDP_PROTECTION_##name,
enum ndp_protection { NDP_PROTECTION_LIST(NDP_PROTECTION_ENUM) NDP_PROTECTION_COUNT };

const char *ndp_protection_word(enum ndp_protection protection);

/* The user and group of a testee when ndproof runs as root. */
enum { NDP_NOBODY = 65534 };

/* Fills *out with the strongest protection that works on this machine, by trying, or with the one that NDPROOF_SANDBOX
 * names. Errors: INVALID (an unknown word), UNSUPPORTED (the named one does not work here). */
enum ndp_status ndp_protection_choose(enum ndp_protection *out, struct ndp_error *error) NDP_MUST_USE;

/* Fills `out` with the line for people: the protection, and what it leaves open. `has_network` states whether testees
 * can reach the network. */
enum { NDP_PROTECTION_TEXT_BYTES = 256 };
void ndp_protection_describe(enum ndp_protection protection, bool has_network, char *out);

#endif
