/* testee_environment.h: the environment variables of a protected testee: its folders, and the settings of its
 * interpreter and its libraries. All other variables of ndproof stay out. */
#ifndef NDP_TESTEE_ENVIRONMENT_H
#define NDP_TESTEE_ENVIRONMENT_H

#include <stdbool.h>

/* Replaces the environment of this process. `folder` becomes TMPDIR, HOME and the like, `search` PATH, `feedback`
 * NDPROOF_COUNTERS (NULL: none). Returns whether memory sufficed. */
bool ndp_testee_environment_set(const char *folder, const char *search, const char *feedback);

/* Keeps everything else; for a testee without protection. */
bool ndp_testee_environment_add(const char *folder, const char *feedback);

#endif
