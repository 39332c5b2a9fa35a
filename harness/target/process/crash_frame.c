/* Finds the crashing function in printed output.
 *
 * Problem: two crashes are the same finding when they have the same cause, but addresses, files and line numbers change
 * with every build.
 *
 * Method: read the output line by line; the first stack frame whose function is neither plumbing (abort, memcpy, names
 * that begin with "__") nor code of the testee itself identifies the crash. Understood are the frames of sanitizers and
 * of Python's faulthandler.
 *
 * Cost: linear in the output. Limits: lines are cut at LINE_BYTES; other runtimes yield "".
 */
#include "target/process/crash_frame.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 512, NAME_BYTES = 128 };

/* Functions that many crashes have in common and that do not identify the cause. */
static bool is_plumbing(const char *function) {
    static const char *const names[] = {"abort",   "raise",  "gsignal", "kill",   "memcpy",
                                        "memmove", "memset", "memcmp",  "strlen", "malloc",
                                        "free",    "calloc", "realloc", "main",   "_start"};
    if (function[0] == '_' && function[1] == '_') return true;
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++)
        if (strcmp(function, names[i]) == 0) return true;
    return false;
}

/* "    #1 0x55d0c0 in decode codec.c:12:3" */
static bool read_sanitizer(const char *line, char *out, size_t out_bytes) {
    char function[NAME_BYTES];
    unsigned number;
    if (sscanf(line, " #%u 0x%*x in %127s", &number, function) != 2 || is_plumbing(function)) return false;
    snprintf(out, out_bytes, "%s", function);
    return true;
}

/* "  File "/usr/lib/python3/numpy/core/x.py", line 3 in save" */
static bool read_faulthandler(const char *line, char *out, size_t out_bytes) {
    char path[LINE_BYTES], function[NAME_BYTES];
    if (sscanf(line, " File \"%511[^\"]\", line %*u in %127[^\n]", path, function) != 2) return false;
    if (strstr(path, "_testee")) return false;
    snprintf(out, out_bytes, "%s", function);
    return true;
}

void ndp_crash_frame(struct ndp_bytes printed, char *out, size_t out_bytes) {
    char line[LINE_BYTES];
    size_t length = 0;
    out[0] = '\0';
    for (uint64_t i = 0; i <= printed.size_bytes; i++) {
        const bool is_end = i == printed.size_bytes || printed.data[i] == '\n';
        if (!is_end) {
            if (length + 1 < sizeof line && printed.data[i] != '\0') line[length++] = (char)printed.data[i];
            continue;
        }
        line[length] = '\0';
        length = 0;
        if (read_sanitizer(line, out, out_bytes) || read_faulthandler(line, out, out_bytes)) return;
    }
}
