/* own_testee.h: runs this test program as a testee with a few deeds, for tests of code that starts testees. */
#ifndef NDP_OWN_TESTEE_H
#define NDP_OWN_TESTEE_H

#include "base/suite.h"
#include "target/process/child.h"

#include <dirent.h>
#include <signal.h>

#define OWN_WORD  "do"
#define SECOND_NS UINT64_C(1000000000)
#define MIB       (UINT64_C(1) << 20)

static const struct ndp_target_limits own_limits = {.memory_bytes = 512 * MIB};

/* The arguments of a testee that is this program. */
struct own_argv {
    char program[16];
    char word[4];
    char deed[16];
    char *argv[4];
};

static inline void own_init(struct own_argv *own, const char *deed) {
    snprintf(own->program, sizeof own->program, "/proc/self/exe");
    snprintf(own->word, sizeof own->word, OWN_WORD);
    snprintf(own->deed, sizeof own->deed, "%s", deed);
    own->argv[0] = own->program;
    own->argv[1] = own->word;
    own->argv[2] = own->deed;
    own->argv[3] = NULL;
}

static inline void own_echo(void) {
    char bytes[4096];
    for (ssize_t got; (got = read(3, bytes, sizeof bytes)) > 0;) {
        for (ssize_t at = 0, put; at < got; at += put) {
            put = write(4, bytes + at, (size_t)(got - at));
            if (put <= 0) _exit(9);
        }
    }
}

static inline void own_tell(const char *text) {
    if (text == NULL) text = "nothing";
    if (write(4, text, strlen(text)) != (ssize_t)strlen(text) || write(4, "\n", 1) != 1) _exit(9);
}

/* Reads what is asked for, a name of the environment at a time. */
static inline int own_deed(const char *deed) {
    if (strcmp(deed, "echo") == 0) own_echo();
    if (strcmp(deed, "exit7") == 0) return 7;
    if (strcmp(deed, "crash") == 0) (void)raise(SIGKILL);
    if (strcmp(deed, "places") == 0) {
        char folder[512];
        own_tell(getcwd(folder, sizeof folder));
        own_tell(getenv("TMPDIR"));
        own_tell(getenv("HOME"));
        own_tell(getenv("NDPROOF_COUNTERS"));
        (void)fclose(fopen("left", "w"));
    }
    if (strcmp(deed, "print") == 0) {
        for (int i = 0; i < 9000; i++) printf("%04d\n", i);
        (void)fflush(stdout);
        fprintf(stderr, "the end\n");
    }
    if (strcmp(deed, "eat") == 0) {
        const size_t size = (size_t)(256 * MIB);
        char *memory = malloc(size);
        for (size_t i = 0; memory != NULL && i < size; i += 512) memory[i] = (char)i;
        own_echo();
        free(memory);
    }
    if (strcmp(deed, "family") == 0) {
        /* A child in a session of its own escapes a kill of the process group. */
        const pid_t child = fork();
        if (child == 0) {
            (void)setsid();
            for (;;) (void)pause();
        }
        char text[32];
        snprintf(text, sizeof text, "%ld", (long)child);
        own_tell(text);
        own_echo();
        for (;;) (void)pause();
    }
    return 0;
}

/* The role of a suite with such testees. */
static inline int own_play_role(int argc, char **argv) {
    return argc == 3 && strcmp(argv[1], OWN_WORD) == 0 ? own_deed(argv[2]) : -1;
}

/* Sets TMPDIR to a folder that does not exist. Returns its old value for own_restore_folder, which frees it. */
static inline char *own_lose_folder(void) {
    const char *const old = getenv("TMPDIR");
    char *kept = old != NULL ? strdup(old) : NULL;
    assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
    return kept;
}

static inline void own_restore_folder(char *kept) {
    assert_int_equal(kept != NULL ? setenv("TMPDIR", kept, 1) : unsetenv("TMPDIR"), 0);
    free(kept);
}

/* Whether a process lives. A zombie does not. */
static inline bool is_alive(long pid) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    const char *behind = strrchr(text, ')');
    return behind != NULL && behind[1] != '\0' && behind[2] != 'Z';
}

static inline int count_fds(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return -1;
    while (readdir(folder) != NULL) count++;
    (void)closedir(folder);
    return count;
}

#endif
