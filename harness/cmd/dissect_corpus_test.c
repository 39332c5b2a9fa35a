/* dissect_corpus_test.c: every file of the corpus is dissected, completely and cut at every byte (a sample of the bytes
 * of large files), as its own format and as the others. Sanitizers check memory; the output is bounded. */
#include <stdio.h>
#include <stdlib.h>

#include "base/suite.h"
#include "cmd/dissect.h"
#include "codec/corpus_files.h"

enum { CUTS_MAX = 64, OUTPUT_MAX_BYTES = 1 << 20 };

static const char *const formats[] = {"npy", "npz", "pickle", "joblib", "raw"};

/* Dissects the first `size_bytes` bytes in an exact-size block, and returns the size of the output. */
static size_t dissect(const char *path, const char *format, struct ndp_bytes bytes, uint64_t size_bytes) {
    char *text = NULL;
    size_t text_bytes = 0;
    uint8_t *exact = malloc(size_bytes == 0 ? 1 : (size_t)size_bytes);
    FILE *out = open_memstream(&text, &text_bytes);
    assert_true(exact != NULL && out != NULL);
    if (size_bytes > 0) memcpy(exact, bytes.data, (size_t)size_bytes);
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 29);
    if (ndp_dissect(out, &arena, format, (struct ndp_bytes){exact, size_bytes}) != NDP_OK)
        fail_msg("%s as %s, %llu bytes", path, format, (unsigned long long)size_bytes);
    assert_int_equal(fclose(out), 0);
    if (text_bytes > OUTPUT_MAX_BYTES) fail_msg("%s as %s: %zu bytes of output", path, format, text_bytes);
    free(text);
    free(exact);
    return text_bytes;
}

static void dissect_all(void *context, const char *path, struct ndp_bytes bytes) {
    const char *own = context;
    for (size_t i = 0; i < NDP_ARRAY_LEN(formats); i++)
        assert_true(dissect(path, formats[i], bytes, bytes.size_bytes) > 0);
    const uint64_t step = bytes.size_bytes / CUTS_MAX + 1;
    for (uint64_t size = 0; size < bytes.size_bytes; size += step) (void)dissect(path, own, bytes, size);
}

/* Inverts single bytes: lengths, offsets and opcodes become wrong. */
static void dissect_changed(void *context, const char *path, struct ndp_bytes bytes) {
    const char *own = context;
    uint8_t *changed = malloc((size_t)bytes.size_bytes + 1);
    assert_non_null(changed);
    memcpy(changed, bytes.data, (size_t)bytes.size_bytes);
    const uint64_t step = bytes.size_bytes / CUTS_MAX + 1;
    for (uint64_t at = 0; at < bytes.size_bytes; at += step) {
        changed[at] ^= 0xff;
        (void)dissect(path, own, (struct ndp_bytes){changed, bytes.size_bytes}, bytes.size_bytes);
        changed[at] ^= 0xff;
    }
    free(changed);
}

static uint32_t each_file(ndp_corpus_visit *visit) {
    static const char *const suffixes[] = {".npy", ".npz", ".pkl", ".joblib"};
    static const char *const expectations[] = {"accept", "refuse", "open"};
    uint32_t count = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(suffixes); i++) {
        for (size_t k = 0; k < NDP_ARRAY_LEN(expectations); k++) {
            char folder[64], own[16];
            snprintf(own, sizeof own, "%s", formats[i]);
            snprintf(folder, sizeof folder, "%s/%s", own, expectations[k]);
            count += ndp_corpus_each(folder, suffixes[i], visit, own);
        }
    }
    return count;
}

static void files_and_cuts_are_dissected(void **state) {
    const uint32_t count = each_file(dissect_all);
    if (count == 0) skip();
    assert_true(count > 300);
}

static void changed_files_are_dissected(void **state) {
    const uint32_t count = each_file(dissect_changed);
    if (count == 0) skip();
    assert_true(count > 300);
}

NDP_SUITE(dissect_corpus_test, NDP_TEST(files_and_cuts_are_dissected), NDP_TEST(changed_files_are_dissected));
