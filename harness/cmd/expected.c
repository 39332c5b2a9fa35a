#include "cmd/expected.h"

#include <stdio.h>
#include <string.h>

void ndp_expected_read(struct ndp_bytes text, struct ndp_expected *out) {
    static const char end[] = "# ----", name_ends[] = "=<>!~;[# \t\r";
    *out = (struct ndp_expected){.count = 0};
    for (uint64_t at = 0; at < text.size_bytes;) {
        const char *line = (const char *)text.data + at;
        const uint8_t *newline = memchr(line, '\n', (size_t)(text.size_bytes - at));
        const uint64_t length = newline != NULL ? (uint64_t)(newline - text.data) - at : text.size_bytes - at;
        at += length + 1;
        if (length >= sizeof end - 1 && memcmp(line, end, sizeof end - 1) == 0) return;
        uint64_t size = 0;
        while (size < length && strchr(name_ends, line[size]) == NULL) size++;
        if (size == 0 || size >= NDP_WORD_BYTES || out->count == NDP_MAX_LIBRARIES) continue;
        snprintf(out->names[out->count], NDP_WORD_BYTES, "%.*s", (int)size, line);
        if (!ndp_expected_has(out, out->names[out->count])) out->count++;
    }
}

bool ndp_expected_has(const struct ndp_expected *expected, const char *name) {
    for (uint32_t i = 0; i < expected->count; i++)
        if (strcmp(expected->names[i], name) == 0) return true;
    return false;
}
