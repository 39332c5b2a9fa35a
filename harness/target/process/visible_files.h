/* visible_files.h: the files of this machine that a protected testee can read: the system's libraries, its program with
 * the installation that this belongs to, and the folders that the environment names for both. */
#ifndef NDP_VISIBLE_FILES_H
#define NDP_VISIBLE_FILES_H

#include <stdbool.h>
#include <stdint.h>

enum { NDP_MAX_VISIBLE = 64, NDP_VISIBLE_PATH_BYTES = 1024 };

/* A file or folder (with everything below it), or a symbolic link that is made again. */
struct ndp_visible {
    char path[NDP_VISIBLE_PATH_BYTES]; /* absolute */
    char link[64];                     /* the target of the link; "" if it is none */
    bool is_system;                    /* of the system, not of the testee */
};

struct ndp_visible_files {
    struct ndp_visible list[NDP_MAX_VISIBLE]; /* no path lies below another one; parents come first */
    uint32_t count;
    char search[NDP_VISIBLE_PATH_BYTES]; /* PATH of the testee */
};

/* Fills *out for a testee with these arguments, which also reads the folder `compiled` (NULL or "": none). Folders that
 * are too wide, such as the home of the user or /tmp, are never visible as a whole: of a program directly in such a
 * folder, only the program is. */
void ndp_visible_files_find(char *const *argv, const char *compiled, struct ndp_visible_files *out);

/* Whether every user can read the testee's files. Looks a few levels deep. */
bool ndp_visible_files_are_public(const struct ndp_visible_files *files);

/* Fills `out` with the path of a program that is found through PATH; false if there is none. */
bool ndp_visible_files_program(const char *name, char *out, uint32_t out_bytes);

#endif
