#include "cmd/replace_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum ndp_status ndp_replace_file(const char *path, struct ndp_bytes text, struct ndp_error *error) {
    char fresh[4096];
    struct stat old;
    const bool is_direct = stat(path, &old) == 0 && !S_ISREG(old.st_mode);
    const int length = snprintf(fresh, sizeof fresh, is_direct ? "%s" : "%s.part%d", path, (int)getpid());
    if (length < 0 || (size_t)length >= sizeof fresh)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the path %s is too long", path);
    FILE *file = fopen(fresh, "we");
    if (file == NULL) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write %s: %s", path, strerror(errno));
    bool is_complete = fwrite(text.data, 1, text.size_bytes, file) == text.size_bytes;
    if (fclose(file) != 0) is_complete = false;
    if (is_complete && (is_direct || rename(fresh, path) == 0)) return NDP_OK;
    if (!is_direct) (void)remove(fresh);
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot write all of %s", path);
}
