/* corpus_files.h: test helper: the files of the committed corpus. */
#ifndef NDP_CORPUS_FILES_H
#define NDP_CORPUS_FILES_H

#include <dirent.h>

#include "base/bytes.h"
#include "base/suite.h"

enum { NDP_CORPUS_FILE_BYTES = 1 << 20, NDP_CORPUS_FILES = 1024 };

typedef void ndp_corpus_visit(void *context, const char *path, struct ndp_bytes content);

static int ndp_corpus_order(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void ndp_corpus_open(const char *path, ndp_corpus_visit *visit, void *context) {
    static uint8_t content[NDP_CORPUS_FILE_BYTES];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(content, 1, sizeof content, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < sizeof content);
    visit(context, path, (struct ndp_bytes){content, size});
}

/* Calls `visit` for each file of corpus/`folder` with the suffix `suffix`, sorted by name. Returns their number, 0 if
 * the folder does not exist. */
static inline uint32_t ndp_corpus_each(const char *folder, const char *suffix, ndp_corpus_visit *visit, void *context) {
    char root[200], path[512], *names[NDP_CORPUS_FILES];
    uint32_t count = 0;
    (void)snprintf(root, sizeof root, "corpus/%s", folder);
    DIR *list = opendir(root);
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry != NULL; entry = readdir(list)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, suffix) != 0) continue;
        assert_true(count < NDP_CORPUS_FILES);
        assert_non_null(names[count++] = strdup(entry->d_name));
    }
    if (list != NULL) assert_int_equal(closedir(list), 0);
    qsort(names, count, sizeof names[0], ndp_corpus_order);
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", root, names[i]);
        free(names[i]);
        ndp_corpus_open(path, visit, context);
    }
    return count;
}

#endif
