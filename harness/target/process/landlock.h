/* landlock.h: restricts the files of a testee without namespaces. Source: landlock(7). */
#ifndef NDP_LANDLOCK_H
#define NDP_LANDLOCK_H

#include "target/process/visible_files.h"

/* The version of Landlock in this kernel; 0 if there is none. Version 6 also keeps signals in. */
enum { NDP_LANDLOCK_SIGNALS = 6 };
int ndp_landlock_version(void);

/* Lets this process and its children read only `files`, /proc and common devices, and write only below `folder` and in
 * shared memory. Returns whether it worked. Needs PR_SET_NO_NEW_PRIVS. */
bool ndp_landlock_restrict(const struct ndp_visible_files *files, const char *folder);

#endif
