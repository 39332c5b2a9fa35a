/* printed_fixture.h: captures output as text for the tests of this folder. */
#ifndef NDP_PRINTED_FIXTURE_H
#define NDP_PRINTED_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file in memory, or a temporary file in place of standard error. */
struct printed {
    FILE *file;
    char *text;
    size_t size_bytes;
    int kept_fd;
};

static inline FILE *printed_open(struct printed *printed) {
    *printed = (struct printed){.kept_fd = -1};
    printed->file = open_memstream(&printed->text, &printed->size_bytes);
    assert_non_null(printed->file);
    return printed->file;
}

/* Returns the output so far; borrowed until the next call. */
static inline const char *printed_text(struct printed *printed) {
    assert_int_equal(fflush(printed->file), 0);
    return printed->text;
}

static inline void printed_close(struct printed *printed) {
    assert_int_equal(fclose(printed->file), 0);
    free(printed->text);
}

static inline void printed_expect(struct printed *printed, const char *expected) {
    const char *text = printed_text(printed);
    if (strcmp(text, expected) != 0) fail_msg("expected:\n%s\ngot:\n%s", expected, text);
    printed_close(printed);
}

/* Redirects standard error until errors_end(). */
static inline void errors_begin(struct printed *printed) {
    *printed = (struct printed){.file = tmpfile()};
    assert_non_null(printed->file);
    assert_int_equal(fflush(stderr), 0);
    printed->kept_fd = dup(STDERR_FILENO);
    assert_true(printed->kept_fd >= 0 && dup2(fileno(printed->file), STDERR_FILENO) >= 0);
}

static inline void errors_end(struct printed *printed, char *out, size_t out_bytes) {
    assert_int_equal(fflush(stderr), 0);
    assert_true(dup2(printed->kept_fd, STDERR_FILENO) >= 0);
    assert_int_equal(close(printed->kept_fd), 0);
    rewind(printed->file);
    out[fread(out, 1, out_bytes - 1, printed->file)] = '\0';
    assert_int_equal(fclose(printed->file), 0);
}

#endif
