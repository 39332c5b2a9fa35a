#include "target/codec_name.h"

#include <string.h>

#include "describe/descriptor.h"

enum { MIN_PATHS = 2, MAX_PATHS = 3 };

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of names joined by dots at the start of `text`; the end of the last complete name if one is missing. */
static size_t name_length(const char *text) {
    size_t at = 0;
    for (;;) {
        if (!is_letter(text[at])) return at;
        while (is_letter(text[at]) || (text[at] >= '0' && text[at] <= '9')) at++;
        if (text[at] != '.') return at;
        at++;
    }
}

static enum ndp_status refuse(struct ndp_error *error, size_t at, const char *expected) {
    return ndp_error_set(error, NDP_INVALID, at, "expected %s: a codec is MODULE:FUNCTION>MODULE:FUNCTION", expected);
}

/* Reads MODULE:FUNCTION at *at, and moves *at to its end. */
static enum ndp_status read_path(const char *text, size_t *at, struct ndp_error *error) {
    for (int part = 0; part < 2; part++) {
        const size_t length = name_length(text + *at);
        *at += length;
        if (length == 0 || text[*at - 1] == '.') return refuse(error, *at, "a name");
        if (part == 1) return NDP_OK;
        if (text[*at] != ':') return refuse(error, *at, "':'");
        *at += 1;
    }
    return NDP_OK;
}

enum ndp_status ndp_codec_name_check(const char *text, struct ndp_error *error) {
    size_t at = 0;
    for (int paths = 1;; paths++) {
        NDP_TRY(read_path(text, &at, error));
        if (text[at] == '\0' && paths >= MIN_PATHS) break;
        if (text[at] != '>' || paths == MAX_PATHS)
            return refuse(error, at, paths < MIN_PATHS ? "'>'" : paths == MAX_PATHS ? "the end" : "'>' or the end");
        at++;
    }
    if (strcspn(text, ":") >= NDP_WORD_BYTES)
        return ndp_error_set(error, NDP_LIMIT, NDP_WORD_BYTES - 1, "the name of a module has more than %d characters",
                             NDP_WORD_BYTES - 1);
    return NDP_OK;
}
