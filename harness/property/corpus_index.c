#include "property/corpus_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_path(const void *path, const void *file) {
    return strcmp(path, ((const struct ndp_corpus_file *)file)->path);
}

const struct ndp_corpus_file *ndp_corpus_index_find(const char *path) {
    uint32_t count;
    const struct ndp_corpus_file *files = ndp_corpus_index_files(&count);
    return bsearch(path, files, count, sizeof files[0], compare_path);
}

static bool entry_fits(const char *pattern, const char *decode) {
    const size_t length = strcspn(pattern, "*");
    return strncmp(pattern, decode, length) == 0 && (pattern[length] == '*' || decode[length] == '\0');
}

const struct ndp_corpus_library *ndp_corpus_index_find_library(const char *path, const char *decode) {
    const struct ndp_corpus_file *file = ndp_corpus_index_find(path);
    for (uint32_t i = 0; file != NULL && i < file->library_count; i++)
        if (entry_fits(file->libraries[i].decode, decode)) return &file->libraries[i];
    return NULL;
}
